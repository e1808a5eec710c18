"""Is everything well? One line for each thing that an operator watches: its state, and what to do.

It reuses the checks of `Brain.check` for the store and the index, and adds what is around them: the disk, the age of
the catalogues, the last night, notices, silences and the permissions of the home. It works too where the store cannot
be opened. It changes nothing, except that opening a home makes its files private and upgrades its schema.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Literal

from api.brain import Brain
from api.services.home_folder import OWN
from api.services.input_ages import ages
from api.services.nightly_steps import NightRecord, last_night, night_is_running
from api.services.notice_receivers import ReceiverError, receivers
from api.services.store_damage import damage, is_damaged
from api.settings import Settings
from compute.prices.data_freshness import Freshness
from compute.runs.mail_delivery import MailAddressError, MailServerError
from compute.runs.webhook_delivery import SecretError
from graph.models.alert_models import NoticeDelivery, Silence
from graph.private_files import OTHERS
from graph.problems import Problem, Severity
from graph.store.schema_version import HEAD
from graph.store.store_errors import OpeningError, StoreError
from graph.values import Value

State = Literal["ok", "warning", "error"]

LEAST_FREE = 100 * 1024 * 1024
"""Bytes of free disk below which a write may fail at any time."""

SPACE_FOR_COPIES = 2
"""A backup and a vacuum need room for a copy of the home each; less free disk than that is a warning."""

LATE = timedelta(hours=36)
"""A last night that began longer ago is late."""

ENDS_SOON = timedelta(days=3)
"""A silence that ends within this time is named."""

_NAMED = 5
_MIB = 1024 * 1024


class Finding(Value):
    """One line: what was looked at, its state, what was found, and what to do (empty where all is well)."""

    name: str
    state: State
    message: str
    todo: str = ""


def diagnose(settings: Settings, at: datetime) -> tuple[Finding, ...]:
    """The findings of a home at a time; the first errors are those that prevent the others."""
    if not settings.home.is_dir():
        todo = "name the right one with --home, or start one: brain demo, or brain ingest PATH"
        return (Finding(name="home", state="error", message=f"there is no data directory {settings.home}", todo=todo),)
    before = _open_to_others(settings.home)
    around = [_disk(settings.home)]
    try:
        with Brain.open(settings) as brain:
            brain.use_clock(lambda: at)
            return (*_inside(brain, at), *around, _permissions(settings.home, before))
    except Exception as error:  # whatever a damaged file leads to
        if not isinstance(error, OpeningError | StoreError | OSError) and damage(settings) is None:
            raise
        todo = "brain restore FILE puts a backup in its place; a server database must be running and reachable"
        return (Finding(name="store", state="error", message=str(error), todo=todo), *around)


def _inside(brain: Brain, at: datetime) -> Iterator[Finding]:
    on = at.date()
    kind = "SQLite" if brain.settings.db is None else "the database server"
    yield Finding(name="store", state="ok", message=f"{kind} answers, schema {HEAD}, version {brain.version()}")
    problems = brain.store.check()
    yield _of_problems("integrity", problems, "no damage found", "brain check lists all; brain restore FILE")
    try:
        yield from _derived(brain, on)
        yield _night(brain, at)
        yield _notices(brain, at)
        yield _silences(brain.alerts.silences(), on)
    except Exception:
        if not is_damaged(problems):
            raise
        todo = "brain restore FILE, then brain doctor"
        yield Finding(name="all else", state="error", message="cannot be read from the damaged store", todo=todo)


def _derived(brain: Brain, on: date) -> Iterator[Finding]:
    """The search index and the prices."""
    yield _of_problems(
        "index", brain.search.check(), f"notes are searched by {brain.search.engine}", "brain check --repair"
    )
    yield from (_age(one) for one in ages(brain.prices, on) if one.kind == "catalog")
    yield from (
        Finding(
            name="held prices", state="warning", message=held.sentence(), todo=f"brain prices accept {held.catalog}"
        )
        for held in brain.price_refresher.on_hold()
    )


def _of_problems(name: str, problems: Iterable[Problem], well: str, todo: str) -> Finding:
    """The first problem of a check and the number of the others; an error where one of them is."""
    found = sorted(problems, key=lambda problem: problem.severity is not Severity.ERROR)
    if not found:
        return Finding(name=name, state="ok", message=well)
    more = f"; and {len(found) - 1} more" if len(found) > 1 else ""
    state: State = "error" if found[0].severity is Severity.ERROR else "warning"
    return Finding(name=name, state=state, message=f"{found[0].message}{more}", todo=todo)


def _disk(home: Path) -> Finding:
    free = shutil.disk_usage(home).free
    size = sum(path.lstat().st_size for path in home.rglob("*") if path.is_file() and not path.is_symlink())
    said = f"{free // _MIB:,} MiB are free, the home has {size // _MIB:,} MiB"
    if free < LEAST_FREE:
        return Finding(name="disk", state="error", message=said, todo="free some space now: the next write may fail")
    if free < SPACE_FOR_COPIES * size:
        todo = "free some space: a backup and a vacuum need room for a copy of the home each"
        return Finding(name="disk", state="warning", message=said, todo=todo)
    return Finding(name="disk", state="ok", message=said)


def _age(age: Freshness) -> Finding:
    name, refresh = f"catalogue {age.name}", "brain prices refresh, or brain prices import FILE"
    todo = "check its prices and set checked: in content/prices" if age.name == "cards" else refresh
    if age.checked is None or age.days is None:
        return Finding(name=name, state="warning", message="the day of the last check is unknown", todo=todo)
    if age.days < 0:
        return Finding(name=name, state="warning", message=f"checked on {age.checked}, which is after today", todo=todo)
    said = f"checked on {age.checked}, {age.days} day{'' if age.days == 1 else 's'} ago"
    states: dict[str, State] = {"fresh": "ok", "old": "warning", "too old": "error"}
    state = states.get(age.state, "warning")
    return Finding(name=name, state=state, message=said, todo="" if state == "ok" else todo)


_OUTCOMES = {
    "not delivered": "a notice could not be delivered; see the finding on notices",
    "not read": "brain library list shows the folders; the log of the night says why",
    "not refreshed": "brain prices refresh shows why",
    "held": "brain prices held lists the figures",
}


def _night(brain: Brain, at: datetime) -> Finding:
    night, run = last_night(brain), brain.ledger.latest_run()
    if night is None:
        said = f"none is recorded; the latest run is of {run.as_of}" if run else "none has run"
        todo = "brain nightly, by cron or a timer, or brain serve --nightly 04:30"
        return Finding(name="last night", state="warning", message=said, todo=todo)
    said = f"began on {night.started_at:%Y-%m-%d %H:%M} UTC: {night.outcome}"
    said += f", run {night.run}" if night.run else ""
    return _judged(night, said, at, running=night_is_running(brain))


def _judged(night: NightRecord, said: str, at: datetime, *, running: bool) -> Finding:
    name = "last night"
    if night.finished_at is None and not running:
        todo = "it was killed or failed; its log says why; brain nightly goes on where it was, on the same day"
        return Finding(name=name, state="error", message=f"{said}, and did not finish", todo=todo)
    if night.started_at > at:
        todo = "is the clock of this machine right? Until then the night does not count"
        return Finding(name=name, state="warning", message=f"{said}, which is after now: a clock was ahead", todo=todo)
    if at - night.started_at > LATE:
        return Finding(name=name, state="warning", message=f"{said}; it is late", todo="is the timer or cron running?")
    if night.outcome in _OUTCOMES:
        return Finding(name=name, state="warning", message=said, todo=_OUTCOMES[night.outcome])
    return Finding(name=name, state="ok", message=said)


def _notices(brain: Brain, at: datetime) -> Finding:
    try:
        count = len(receivers(brain))
    except (ReceiverError, SecretError, MailAddressError, MailServerError) as error:
        return Finding(
            name="notices", state="error", message=str(error), todo="docs/settings.md describes the settings"
        )
    waiting = [one for one in brain.notices.deliveries() if one.delivered_at is None]
    if waiting:
        said = f"{len(waiting)} not delivered" + "".join(f"; {one.last_error}" for one in waiting[:1] if one.last_error)
        given_up = sum(not one.pending for one in waiting)
        said += f"; {given_up} of them given up" if given_up else ""
        todo = f"is the receiver reachable? {_next_attempt(waiting, at)}"
        return Finding(name="notices", state="warning", message=said, todo=todo)
    return Finding(name="notices", state="ok", message=f"nothing is undelivered, {count} receivers")


def _next_attempt(waiting: Iterable[NoticeDelivery], at: datetime) -> str:
    """When those that are pending are tried again: a night before that does not send them."""
    later = [one.next_try for one in waiting if one.next_try is not None and one.next_try > at]
    if not later:
        return "the next night tries those that are pending again"
    return f"a night from {min(later).astimezone(UTC):%Y-%m-%d %H:%M} UTC on tries those that are pending again"


def _silences(silences: Iterable[Silence], on: date) -> Finding:
    soon = [one for one in silences if one.until is not None and on < one.until <= on + ENDS_SOON]
    if not soon:
        return Finding(name="silences", state="ok", message=f"none ends within {ENDS_SOON.days} days")
    named = ", ".join(f"{one.id} on {one.until}" for one in soon[:_NAMED])
    more = f" and {len(soon) - _NAMED} more" if len(soon) > _NAMED else ""
    todo = "notices come again then; brain silences add sets a later day"
    return Finding(name="silences", state="warning", message=f"about to end: {named}{more}", todo=todo)


def _permissions(home: Path, before: list[Path]) -> Finding:
    left = _open_to_others(home)
    if left:
        named = ", ".join(map(str, left[:_NAMED]))
        todo = f"chmod -R go= {home}"
        return Finding(name="permissions", state="error", message=f"other users can read {named}", todo=todo)
    if before:
        said = f"other users could read {len(before)} files of this home; they are private now"
        return Finding(name="permissions", state="warning", message=said, todo="what changed their permissions?")
    return Finding(name="permissions", state="ok", message="only its owner can read this home")


def _open_to_others(home: Path) -> list[Path]:
    """The files of the program in a home, and the home, that other users may read."""
    if os.name != "posix":
        return []
    own = sorted({home, *(path for pattern in OWN for path in home.glob(pattern))})
    return [path for path in own if path.lstat().st_mode & OTHERS and not path.is_symlink()]
