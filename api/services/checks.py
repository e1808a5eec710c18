"""Checks of a home: of its content and claims for authors, of disk, prices and nights for its operator.

Errors are what loses data or has stopped; the rest are warnings. The checks change nothing; `repair` makes again what
is derived.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Literal

from api.brain import Brain
from api.services.claim_quotes import NodeFinder, citations_of_removed_nodes, claims_without_nodes
from api.services.nightly_job import NightRecord, ReceiverError, last_night, night_is_running, receivers
from api.settings import Settings
from compute.catalogs.price_cards import collisions
from compute.claims.claim_cases import Cases, Terms
from compute.linting import linter
from compute.linting.subjects import LintContext
from compute.prices.families import Family, nesting, newer
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price
from compute.runs.mail_delivery import MailAddressError, MailServerError
from compute.runs.webhook_delivery import SecretError
from compute.units.number_format import said
from compute.units.units import unit
from graph.models.alert_models import Silence
from graph.models.verdict_models import Run
from graph.problems import Problem, Severity
from graph.store import Store
from graph.store.integrity_checks import DAMAGED, remove_stray_rows
from graph.store.store_errors import CorruptStoreError, StoreError, UnknownDocumentError
from graph.text.counts import many
from graph.text.similar_names import did_you_mean
from graph.values import Value


def content_problems(brain: Brain, stored: Iterable[Problem] | None = None) -> list[Problem]:
    """Problems for authors, and of a complete brain also its data; `stored`: those of the store, if known."""
    store, claims = brain.store, brain.status.claims()
    home: list[Problem] = []
    if not store.hidden:
        home += store.check() if stored is None else stored
        home += brain.search.check()
        if fault := brain.prices.observer.damage():
            todo = "brain check --repair derives it from the snapshots again"
            home.append(Problem.of("brain.db", "seen-prices", fault, todo))
    return [
        *(_run_ahead(run, store.present_day()) for run in store.ledger.runs_ahead()),
        *home,
        *(problem for record in store.documents.all() for problem in record.problems),
        *(problem for one in brain.price_refresher.on_hold() for problem in one.problems()),
        *claims_without_nodes(claims, brain.status.dependencies().nodes, NodeFinder.of_store(store)),
        *brain.quotes.problems(claims),
        *citations_of_removed_nodes(store),
        *_contradicting_prices(brain.prices.cards()),
        *_families_without_prices(brain.prices.library().families, brain.prices.book()),
        *_silences_without_claims(store.alerts.silences(), {claim.id for claim in claims}),
    ]


def _run_ahead(run: Run, today: date) -> Problem:
    made = f"run {run.id} for {run.as_of} was made on {run.started_at:%Y-%m-%d}, which is after today, {today}"
    said = f"{made}: a clock was ahead; until that day the run is not the latest"
    return Problem.of("brain.db", "run-ahead", said, "check the clock of this machine and of the one that made the run")


def _contradicting_prices(cards: Iterable[tuple[str, Price]]) -> Iterator[Problem]:
    """Prices of different documents for the same days."""
    for first, second in collisions(cards):
        told = [f"{said(one.value, unit(one.unit).text)} in {name}" for name, one in (first, second)]
        document, price = second
        what = f"{price.component} of {price.item} is {' and '.join(told)} for some of the same days"
        yield Problem.of(document, "price-twice", what, "give the earlier one a 'to', or take one document out")


def _families_without_prices(families: Iterable[Family], book: CatalogBook) -> Iterator[Problem]:
    """Models of families without a price, circles, and models newer than a family's."""
    known, named = set(book.items()), {family.name: family for family in families}
    for family in named.values():
        provider = family.members[-1].model.partition("/")[0] + "/"
        if found := newer(family, (item for item in known if item.startswith(provider))):
            what = f"the family {family.name} means {family.members[-1].model}, and the catalogues have {found}"
            yield Problem.of("families", "family-behind", what, "if it is the successor, add it with its release day")
        for member in family.members:
            if member.model in known or book.prices(member.model):
                continue
            if member.model in named:
                circle = nesting(family.name, named)
                yield Problem.of("families", "family-circle", circle, "name a model, provider/model")
            else:
                what = f"the family {family.name} means {member.model}, of which there is no price"
                yield Problem.of("families", "family-model", what, did_you_mean(member.model, known))


def _silences_without_claims(silences: Iterable[Silence], claims: Collection[str]) -> Iterator[Problem]:
    for silence in silences:
        if silence.claim and silence.claim not in claims:
            what = f"the silence {silence.id} is for the claim {silence.claim}, which does not exist"
            yield Problem.of(silence.id.partition("#")[0], "silence-claim", what, did_you_mean(silence.claim, claims))


def lint(brain: Brain, as_of: date, documents: Collection[str] | None = None) -> list[Problem]:
    """The linter's findings on a day, in all claims or in those of some documents, by place."""
    inputs = brain.evaluator.inputs.now()
    chosen = list(inputs.claims())
    cases = Cases(inputs.book, as_of, Terms(inputs.tables, find=inputs.find))
    context = LintContext(inputs.book, cases, brain.nodes.find, {claim.id: claim for claim in chosen})
    if documents is not None:
        chosen = [claim for claim in chosen if (claim.place.document if claim.place else "") in documents]

    def text(document: str) -> str | None:
        try:
            return brain.documents.get(document).text
        except UnknownDocumentError:
            return None

    found = linter.problems(chosen, context, text)
    return sorted(found, key=lambda problem: (problem.document, problem.line or 0, problem.column or 0))


LEAST_FREE = 100 * 1024 * 1024  # bytes of free disk below which a write may fail at any time

LATE = timedelta(hours=36)  # a last night that began longer ago is late

ENDS_SOON = timedelta(days=3)  # a silence that ends within this time is reported

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
            yield Problem.of("home", "home-prices", f"catalogue {age.name}: {said}{late if age.checked else ''}", todo)
    if night := last_night(brain):
        yield from _night(night, at, running=night_is_running(brain))
    yield from _notices(brain, at)
    for one in brain.alerts.silences():
        if one.until is not None and at.date() < one.until <= at.date() + ENDS_SOON:
            todo = "notices come again then; brain silences add sets a later day"
            yield Problem.of("home", "home-silence", f"the silence {one.id} ends on {one.until}", todo, Severity.NOTE)


def _disk(home: Path) -> Iterator[Problem]:
    free = shutil.disk_usage(home).free
    size = sum(path.lstat().st_size for path in home.rglob("*") if path.is_file() and not path.is_symlink())
    said = f"{free // _MIB:,} MiB of the disk are free, the home has {size // _MIB:,} MiB"
    if free < LEAST_FREE:
        yield Problem.of("home", "home-disk", said, "free some space now: the next write may fail", Severity.ERROR)
    elif free < 2 * size:
        yield Problem.of("home", "home-disk", said, "free some space: a backup needs room for a copy of the home")


def _night(night: NightRecord, at: datetime, *, running: bool) -> Iterator[Problem]:
    said = f"the last night began on {night.started_at:%Y-%m-%d %H:%M} UTC: {night.outcome}"
    if night.finished_at is None and not running:
        todo = "its log says why; on the same day brain nightly continues where it stopped"
        yield Problem.of("home", "home-night", f"{said}, and did not finish", todo, Severity.ERROR)
    elif night.started_at > at:
        yield Problem.of("home", "home-night", f"{said}, which is after now", "is the clock of this machine right?")
    elif at - night.started_at > LATE:
        yield Problem.of("home", "home-night", f"{said}; it is late", "is the timer or cron running?")
    elif night.outcome in _OUTCOMES:
        yield Problem.of("home", "home-night", said, _OUTCOMES[night.outcome])


def _notices(brain: Brain, at: datetime) -> Iterator[Problem]:
    """Problems of receiver settings, and undelivered notices; a night after `next_try` sends them."""
    try:
        receivers(brain)
    except (ReceiverError, SecretError, MailAddressError, MailServerError) as error:
        yield Problem.of("home", "home-notices", str(error), "docs/settings.md describes the settings", Severity.ERROR)
        return
    waiting = [one for one in brain.notices.deliveries() if one.delivered_at is None]
    if waiting:
        given_up = sum(not one.pending for one in waiting)
        parts = (f"{many(len(waiting), 'notice')} not delivered", waiting[0].last_error or "")
        said = "; ".join(filter(None, (*parts, f"{given_up} of them given up" if given_up else "")))
        later = [one.next_try for one in waiting if one.next_try is not None and one.next_try > at]
        night = f"a night after {min(later).astimezone(UTC):%Y-%m-%d %H:%M} UTC" if later else "the next night"
        yield Problem.of("home", "home-notices", said, f"is the receiver reachable? {night} retries the pending ones")


def damage(settings: Settings) -> CorruptStoreError | None:
    """The error of a home whose file is damaged; None for a sound one, and for a server, which checks itself."""
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
    """Rebuild what is derived from documents and snapshots, part by part.

    Observed prices are rebuilt only if damaged: sound ones may know more than can be derived again.
    """
    rows = ", ".join(f"{count} rows of {table}" for table, count in remove_stray_rows(brain.store).items())
    said = f"removed {rows}, which belonged to missing nodes" if rows else "every link and tag belongs to a node"
    yield Repair(part="links", done="removed" if rows else "sound", message=said)
    if fault := brain.prices.observer.damage():
        said = f"{fault}; rebuilt from {brain.prices.observer.rebuild()} snapshots"
        yield Repair(part="seen prices", done="rebuilt", message=said)
    else:
        yield Repair(part="seen prices", done="sound", message="they agree with the snapshots")
    late = "" if brain.search.rebuild() else "; Whoosh's files could not be written now, and follow with a later search"
    said = f"rebuilt from {sum(brain.nodes.count().values())} nodes{late}"
    yield Repair(part="search index", done="rebuilt", message=said)
