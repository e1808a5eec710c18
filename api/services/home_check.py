"""What `brain check` looks at: around a brain for its operator, and in its rules for their authors; repairs of damage.

`Brain.check` checks the store, the index and the content. `home_problems` looks at the disk, the age of the catalogues,
the last night, notices and silences. They change nothing. Errors are what loses data or has stopped; the calendar only
warns.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Literal

from api.brain import Brain
from api.services.evaluation_inputs import EvaluationInputsCache
from api.services.nightly_steps import NightRecord, last_night, night_is_running
from api.services.notice_receivers import ReceiverError, receivers
from api.services.price_service import PriceService
from api.settings import Settings
from compute.catalogs.price_cards import collisions
from compute.claims.claim_cases import Cases, Terms
from compute.linting.linter import Linter
from compute.prices.families import Family, nesting, newer
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price
from compute.runs.mail_delivery import MailAddressError, MailServerError
from compute.runs.webhook_delivery import SecretError
from compute.units.number_format import stated
from compute.units.units import unit
from graph.models.alert_models import NoticeDelivery, Silence
from graph.models.claim_models import Claim, Tense
from graph.models.verdict_models import Run
from graph.problems import Problem, Severity
from graph.store import Store
from graph.store.integrity_checks import DAMAGED, remove_stray_rows
from graph.store.store_errors import CorruptStoreError, StoreError, UnknownDocumentError
from graph.text.similar_names import did_you_mean
from graph.values import Value

LEAST_FREE = 100 * 1024 * 1024
"""Bytes of free disk below which a write may fail at any time."""

SPACE_FOR_COPIES = 2
"""A backup and a vacuum need room for a copy of the home each; less free disk than that is a warning."""

LATE = timedelta(hours=36)
"""A last night that began longer ago is late."""

ENDS_SOON = timedelta(days=3)
"""A silence that ends within this time is named."""

_MIB = 1024 * 1024
_OUTCOMES = {
    "not delivered": "a notice could not be delivered",
    "not read": "brain library list shows the folders; the log of the night says why",
    "not refreshed": "brain prices refresh shows why",
    "held": "brain prices held lists the figures",
}
"""What a night that did not do everything says of itself, and what to do."""


def home_problems(brain: Brain, at: datetime) -> Iterator[Problem]:
    """What is wrong around a brain at a time, each with what to do."""
    yield from _disk(brain.settings.home)
    yield from _ages(brain, at.date())
    night = last_night(brain)
    if night is not None:
        yield from _night(night, at, running=night_is_running(brain))
    yield from _notices(brain, at)
    yield from _silences(brain.alerts.silences(), at.date())


def _problem(code: str, message: str, todo: str, severity: Severity = Severity.WARNING) -> Problem:
    return Problem(document="home", code=f"home-{code}", message=message, hint=todo, severity=severity)


def _disk(home: Path) -> Iterator[Problem]:
    free = shutil.disk_usage(home).free
    size = sum(path.lstat().st_size for path in home.rglob("*") if path.is_file() and not path.is_symlink())
    said = f"{free // _MIB:,} MiB of the disk are free, the home has {size // _MIB:,} MiB"
    if free < LEAST_FREE:
        yield _problem("disk", said, "free some space now: the next write may fail", Severity.ERROR)
    elif free < SPACE_FOR_COPIES * size:
        yield _problem("disk", said, "free some space: a backup and a vacuum need room for a copy of the home each")


def _ages(brain: Brain, on: date) -> Iterator[Problem]:
    for age in brain.prices.ages(on):
        if age.kind != "catalog" or age.state == "fresh":
            continue
        said = f"checked on {age.checked}" if age.checked else "the day of its last check is unknown"
        late = f", {age.days} days ago" if age.days is not None and age.days >= 0 else ", which is after today"
        cards = "check its prices and set checked: in content/prices"
        todo = cards if age.name == "cards" else "brain prices refresh, or brain prices import FILE"
        yield _problem("prices", f"catalogue {age.name}: {said}{late if age.checked else ''}", todo)


def _night(night: NightRecord, at: datetime, *, running: bool) -> Iterator[Problem]:
    said = f"the last night began on {night.started_at:%Y-%m-%d %H:%M} UTC: {night.outcome}"
    if night.finished_at is None and not running:
        todo = "its log says why; brain nightly goes on where it was, on the same day"
        yield _problem("night", f"{said}, and did not finish", todo, Severity.ERROR)
    elif night.started_at > at:
        yield _problem("night", f"{said}, which is after now", "is the clock of this machine right?")
    elif at - night.started_at > LATE:
        yield _problem("night", f"{said}; it is late", "is the timer or cron running?")
    elif night.outcome in _OUTCOMES:
        yield _problem("night", said, _OUTCOMES[night.outcome])


def _notices(brain: Brain, at: datetime) -> Iterator[Problem]:
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
        yield _problem("notices", said, f"is the receiver reachable? {_next_attempt(waiting, at)}")


def _next_attempt(waiting: Iterable[NoticeDelivery], at: datetime) -> str:
    """When those that are pending are tried again: a night before that does not send them."""
    later = [one.next_try for one in waiting if one.next_try is not None and one.next_try > at]
    if not later:
        return "the next night tries those that are pending again"
    return f"a night from {min(later).astimezone(UTC):%Y-%m-%d %H:%M} UTC on tries those that are pending again"


def _silences(silences: Iterable[Silence], on: date) -> Iterator[Problem]:
    for one in silences:
        if one.until is not None and on < one.until <= on + ENDS_SOON:
            todo = "notices come again then; brain silences add sets a later day"
            yield _problem("silence", f"the silence {one.id} ends on {one.until}", todo, Severity.NOTE)


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
    """What was done with one derived part."""

    part: str
    done: Literal["rebuilt", "removed", "sound"]
    message: str


def repair(brain: Brain) -> Iterator[Repair]:
    """Rebuild what is derived from documents and snapshots, part by part; nothing else is changed.

    Observed prices and the drawing are rebuilt only where they are damaged: a sound one may know more than can be
    derived again.

    Raises:
        SearchError: another process holds the index, or its folder cannot be written.
    """
    rows = ", ".join(f"{count} rows of {table}" for table, count in remove_stray_rows(brain.store).items())
    said = f"removed {rows}, which belonged to missing nodes" if rows else "every link and tag belongs to a node"
    yield Repair(part="links", done="removed" if rows else "sound", message=said)
    damaged = brain.links.discard_damaged_map()
    said = "the stored positions were damaged; the next drawing makes them again"
    said = said if damaged else "the stored positions can be read, or there are none"
    yield Repair(part="drawing", done="removed" if damaged else "sound", message=said)
    fault = brain.prices.observer.damage()
    said = f"{fault}; rebuilt from {brain.prices.observer.rebuild()} snapshots" if fault else ""
    yield Repair(
        part="seen prices", done="rebuilt" if fault else "sound", message=said or "they agree with the snapshots"
    )
    brain.search.rebuild()
    yield Repair(part="search index", done="rebuilt", message=f"rebuilt from {sum(brain.nodes.count().values())} nodes")


def runs_ahead(runs: Iterable[Run], today: date) -> Iterator[Problem]:
    """A warning for each run that was made after today, by a clock that was ahead."""
    for run in runs:
        made = f"run {run.id} for {run.as_of} was made on {run.started_at:%Y-%m-%d}, which is after today, {today}"
        yield Problem(
            document="brain.db",
            severity=Severity.WARNING,
            code="run-ahead",
            message=f"{made}: a clock was ahead; until that day the run is not the latest",
            hint="check the clock of this machine and of the one that made the run",
        )


def contradicting_prices(cards: Iterable[tuple[str, Price]]) -> Iterator[Problem]:
    """Prices of different documents for the same days; `cards` are prices, each with the name of its document."""
    named = list(cards)
    places = {id(price): name for name, price in named}
    for first, second in collisions(price for _, price in named):
        told = [f"{stated(one.value, unit(one.unit))} in {places[id(one)]}" for one in (first, second)]
        what = f"{second.component} of {second.item} is {' and '.join(told)} for some of the same days"
        yield _doubt(places[id(second)], "price-twice", what, "give the earlier one a 'to', or take one document out")


def families_without_prices(families: Iterable[Family], book: CatalogBook) -> Iterator[Problem]:
    """Models of families that no catalogue knows, families that mean families, and newer models than a family means."""
    known, named = set(book.items()), {family.name: family for family in families}
    for family in named.values():
        provider = family.members[-1].model.partition("/")[0] + "/"
        if found := newer(family, (item for item in known if item.startswith(provider))):
            what = f"the family {family.name} means {family.members[-1].model}, and the catalogues have {found}"
            yield _doubt("families", "family-behind", what, "if it is the successor, add it with its release day")
        for member in family.members:
            if member.model in known or book.prices(member.model):
                continue
            if member.model in named:
                yield _doubt("families", "family-circle", nesting(family.name, named), "name a model, provider/model")
            else:
                what = f"the family {family.name} means {member.model}, of which there is no price"
                yield _doubt("families", "family-model", what, did_you_mean(member.model, known))


def silences_without_claims(silences: Iterable[Silence], claims: Collection[str]) -> Iterator[Problem]:
    """Silences of claims that are not there."""
    for silence in silences:
        if silence.claim and silence.claim not in claims:
            what = f"the silence {silence.id} is of the claim {silence.claim}, which is not there"
            yield _doubt(silence.id.partition("#")[0], "silence-claim", what, did_you_mean(silence.claim, claims))


def _doubt(document: str, code: str, message: str, hint: str | None) -> Problem:
    return Problem(document=document, severity=Severity.WARNING, code=code, message=message, hint=hint)


def _document(claim: Claim) -> str:
    return claim.place.document if claim.place else ""


def _with_siblings(every: Sequence[Claim], chosen: Sequence[Claim]) -> list[Claim]:
    """The chosen claims and those of the same nodes, which may use other numbers for one quantity."""
    nodes, mine = {claim.node for claim in chosen}, {claim.id for claim in chosen}
    return [claim for claim in every if claim.id in mine or claim.node in nodes]


class TenseCounts(Value):
    """How many claims are dated and standing; `moving` of the standing ones read a current price, `fixed` do not."""

    dated: int
    standing: int
    moving: int
    fixed: tuple[str, ...]


class ClaimLint:
    """Lints the claims of a store."""

    def __init__(self, store: Store, market: PriceService) -> None:
        self._store, self._inputs = store, EvaluationInputsCache(store, market)

    def problems(self, as_of: date, documents: Collection[str] | None = None) -> list[Problem]:
        """What the linter finds in all claims, or in those of some documents, by document and line."""
        linter, every = self._linter(as_of)
        chosen = [claim for claim in every if documents is None or _document(claim) in documents]
        if not chosen:
            return []
        found = linter.problems(every if documents is None else _with_siblings(every, chosen), self._text)
        kept = (problem for problem in found if documents is None or problem.document in documents)
        return sorted(kept, key=lambda problem: (problem.document, problem.line or 0, problem.column or 0))

    def tenses(self, as_of: date) -> TenseCounts:
        """How many claims are dated and standing, and which standing ones a current price can change."""
        linter, every = self._linter(as_of)
        standing = [claim.id for claim in every if claim.tense is Tense.STANDING]
        moving = frozenset(linter.moving(every))
        fixed = tuple(claim for claim in standing if claim not in moving)
        return TenseCounts(dated=len(every) - len(standing), standing=len(standing), moving=len(moving), fixed=fixed)

    def _linter(self, as_of: date) -> tuple[Linter, list[Claim]]:
        inputs = self._inputs.now()
        every = list(inputs.claims())
        cases = Cases(inputs.book, as_of, Terms(inputs.tables, find=inputs.find))
        return Linter(inputs.book, cases, self._store.nodes.find, {claim.id: claim for claim in every}), every

    def _text(self, document: str) -> str | None:
        try:
            return self._store.documents.get(document).text
        except UnknownDocumentError:
            return None
