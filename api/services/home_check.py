"""Checks of a home for its operator; and the explanation and repair of damage.

`content_problems` checks the store, the index and the content. These look at the disk, the age of the catalogues, the
last night, notices and silences. They change nothing. Errors are what loses data or has stopped; the calendar only
warns.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from api.brain import Brain
from api.services.nightly_job import NightRecord, ReceiverError, last_night, night_is_running, receivers
from api.settings import Settings
from compute.runs.mail_delivery import MailAddressError, MailServerError
from compute.runs.webhook_delivery import SecretError
from graph.problems import Problem, Severity
from graph.store import Store
from graph.store.integrity_checks import DAMAGED, remove_stray_rows
from graph.store.store_errors import CorruptStoreError, StoreError
from graph.values import Value

LEAST_FREE = 100 * 1024 * 1024
"""Bytes of free disk below which a write may fail at any time."""

LATE = timedelta(hours=36)
"""A last night that began longer ago is late."""

ENDS_SOON = timedelta(days=3)
"""A silence that ends within this time is reported."""

_MIB = 1024 * 1024
_OUTCOMES = {
    "not delivered": "a notice could not be delivered",
    "not read": "brain library list shows the folders; the log of the night says why",
    "not refreshed": "brain prices refresh shows why",
    "held": "brain prices held lists the figures",
}
"""The outcome of an incomplete night, and what to do about it."""


def home_problems(brain: Brain, at: datetime) -> Iterator[Problem]:
    """The problems of a home at a time, each with what to do."""
    yield from _disk(brain.settings.home)
    for age in brain.prices.ages(at.date()):
        if age.kind == "catalog" and age.state != "fresh":
            said = f"checked on {age.checked}" if age.checked else "the day of its last check is unknown"
            late = f", {age.days} days ago" if age.days is not None and age.days >= 0 else ", which is after today"
            cards = "check its prices and set checked: in their files"
            todo = cards if age.name == "cards" else "brain prices refresh, or brain prices import FILE"
            yield _problem("prices", f"catalogue {age.name}: {said}{late if age.checked else ''}", todo)
    if night := last_night(brain):
        yield from _night(night, at, running=night_is_running(brain))
    yield from _notices(brain, at)
    for one in brain.alerts.silences():
        if one.until is not None and at.date() < one.until <= at.date() + ENDS_SOON:
            todo = "notices come again then; brain silences add sets a later day"
            yield _problem("silence", f"the silence {one.id} ends on {one.until}", todo, Severity.NOTE)


def _problem(code: str, message: str, todo: str, severity: Severity = Severity.WARNING) -> Problem:
    return Problem(document="home", code=f"home-{code}", message=message, hint=todo, severity=severity)


def _disk(home: Path) -> Iterator[Problem]:
    free = shutil.disk_usage(home).free
    size = sum(path.lstat().st_size for path in home.rglob("*") if path.is_file() and not path.is_symlink())
    said = f"{free // _MIB:,} MiB of the disk are free, the home has {size // _MIB:,} MiB"
    if free < LEAST_FREE:
        yield _problem("disk", said, "free some space now: the next write may fail", Severity.ERROR)
    elif free < 2 * size:
        yield _problem("disk", said, "free some space: a backup needs room for a copy of the home")


def _night(night: NightRecord, at: datetime, *, running: bool) -> Iterator[Problem]:
    said = f"the last night began on {night.started_at:%Y-%m-%d %H:%M} UTC: {night.outcome}"
    if night.finished_at is None and not running:
        todo = "its log says why; on the same day brain nightly continues where it stopped"
        yield _problem("night", f"{said}, and did not finish", todo, Severity.ERROR)
    elif night.started_at > at:
        yield _problem("night", f"{said}, which is after now", "is the clock of this machine right?")
    elif at - night.started_at > LATE:
        yield _problem("night", f"{said}; it is late", "is the timer or cron running?")
    elif night.outcome in _OUTCOMES:
        yield _problem("night", said, _OUTCOMES[night.outcome])


def _notices(brain: Brain, at: datetime) -> Iterator[Problem]:
    """Problems of the receiver settings, and undelivered notices; only a night after `next_try` sends them."""
    try:
        receivers(brain)
    except (ReceiverError, SecretError, MailAddressError, MailServerError) as error:
        yield _problem("notices", str(error), "docs/settings.md describes the settings", Severity.ERROR)
        return
    waiting = [one for one in brain.notices.deliveries() if one.delivered_at is None]
    if waiting:
        given_up = sum(not one.pending for one in waiting)
        parts = (f"{len(waiting)} notices not delivered", waiting[0].last_error or "")
        said = "; ".join(filter(None, (*parts, f"{given_up} of them given up" if given_up else "")))
        later = [one.next_try for one in waiting if one.next_try is not None and one.next_try > at]
        night = f"a night after {min(later).astimezone(UTC):%Y-%m-%d %H:%M} UTC" if later else "the next night"
        yield _problem("notices", said, f"is the receiver reachable? {night} retries the pending ones")


# ---- damage


def damage(settings: Settings) -> CorruptStoreError | None:
    """The error of a home whose file is damaged; None for a sound one, and for a server, which checks its own files."""
    if settings.db is not None:
        return None
    try:
        with Store.open(settings.database) as store:
            return damage_error(store.where, store.check())
    except CorruptStoreError as error:
        return error
    except StoreError:
        return None


def damage_error(where: str, problems: Iterable[Problem]) -> CorruptStoreError | None:
    """The error that the problems of a store amount to; None if the file is sound."""
    found = [problem.message for problem in problems if problem.code == DAMAGED]
    return CorruptStoreError(where, " ".join(found[0].split())) if found else None


class Repair(Value):
    """The repair of one derived part."""

    part: str
    done: Literal["rebuilt", "removed", "sound"]
    message: str


def repair(brain: Brain) -> Iterator[Repair]:
    """Rebuild what is derived from documents and snapshots, part by part; nothing else is changed.

    Observed prices are rebuilt only where they are damaged: sound ones may know more than can be derived again.

    Raises:
        SearchError: another process holds the index, or its folder cannot be written.
    """
    rows = ", ".join(f"{count} rows of {table}" for table, count in remove_stray_rows(brain.store).items())
    said = f"removed {rows}, which belonged to missing nodes" if rows else "every link and tag belongs to a node"
    yield Repair(part="links", done="removed" if rows else "sound", message=said)
    if fault := brain.prices.observer.damage():
        said = f"{fault}; rebuilt from {brain.prices.observer.rebuild()} snapshots"
        yield Repair(part="seen prices", done="rebuilt", message=said)
    else:
        yield Repair(part="seen prices", done="sound", message="they agree with the snapshots")
    brain.search.rebuild()
    yield Repair(part="search index", done="rebuilt", message=f"rebuilt from {sum(brain.nodes.count().values())} nodes")
