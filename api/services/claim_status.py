"""The status after the last run: claims with their verdicts, the health of nodes, what depends on a price.

An acknowledgement says that someone handles a failing claim until a day. It is a silence of the flags that are raised
now: a flag that is lowered ends it, and a later break or another fault raises another flag, which it does not cover. It
hides no verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from api.services.claim_quotes import QuoteFinder
from compute.impact.note_health import Health, HealthCause, HealthState, NodeHealths, gravest_causes
from compute.reports.report_model import COUNTED, counted_as
from compute.runs.flag_rules import FAULTS, visible
from graph.links.dependencies import DependencyGraph, walk, way
from graph.models.alert_models import Acknowledgement, Flag, Silence
from graph.models.claim_models import Cause, Claim, ClaimSeverity, Direction, Speaker, Stance, Tense, VerdictName
from graph.models.node_models import Kind
from graph.models.query_models import NodeQuery
from graph.models.verdict_models import (
    Moment,
    OldestInput,
    QuoteAnchor,
    Robust,
    Run,
    VerdictChange,
    VerdictRow,
    severity_of,
)
from graph.store import Store
from graph.store.store_errors import NotFoundError
from graph.store.versioned_cache import cached_in
from graph.values import Value

if TYPE_CHECKING:
    from api.services.price_service import PriceService
    from compute.impact.price_impact import Impact, Readers
    from compute.prices.price_book import CatalogBook


class ClaimStatus(Value):
    """A claim with what the last run found about it; `verdict` is None if no run has evaluated it yet.

    `verdict` is the one shown: a claim that could not be checked shows its last failure, and `checked` is False.
    `fragile`: it holds at the stated figures, and in less than half of their ranges. `then`, `cause`, `helps_thesis`,
    `oldest_input` and `robust` are those of the last run. `acknowledgement` says who handles its raised flag, on the
    day of the last run.
    """

    id: str
    node: str
    says: str
    severity: ClaimSeverity
    tags: tuple[str, ...]
    as_of: date
    verdict: VerdictName | None = None
    checked: bool = True
    value: Decimal | None = None
    unit: str = ""
    margin: Decimal | None = None
    reason: str = ""
    run: int | None = None
    flagged: date | None = None
    fragile: bool = False
    quote: QuoteAnchor | None = None
    asserted_by: Speaker = Speaker.AUTHOR
    stance: Stance = Stance.ENDORSES
    helps: Direction | None = None
    owner: str | None = None
    acknowledgement: Acknowledgement | None = None
    then: Moment | None = None
    cause: Cause | None = None
    helps_thesis: bool | None = None
    oldest_input: OldestInput | None = None
    robust: Robust | None = None
    tense: Tense = Tense.STANDING


class RunRow(VerdictRow):
    """The verdict of a run on a claim, with the present words of the claim."""

    quote: QuoteAnchor | None = None
    asserted_by: Speaker | None = None
    stance: Stance | None = None
    tense: Tense | None = None
    helps: Direction | None = None


class RunChanges(Value):
    """Verdicts that changed in one run against the previous one."""

    run: int
    as_of: date
    at: datetime
    changes: tuple[VerdictChange, ...]


class FailureCause(NamedTuple):
    """Failing claims of one node, and the path of citations to it."""

    path: tuple[str, ...]
    claims: tuple[ClaimStatus, ...]


class ClaimStatusService:
    """Reads the ledger, the flags and the citations of a store."""

    def __init__(self, store: Store, prices: Callable[[], PriceService], quotes: QuoteFinder) -> None:
        self._store, self._prices, self._quotes = store, prices, quotes
        self._cache, self.acknowledgements = store.cache(8), Acknowledgements(store)
        self._rests, self._stated = store.cache(1, "graph"), store.cache(2, "claims")

    def states(
        self,
        verdict: VerdictName | None = None,
        node: str | None = None,
        tag: str | None = None,
        brain: str | None = None,
    ) -> list[ClaimStatus]:
        """Claims with their last verdict, by id; `brain` is that of their nodes."""
        return [
            state
            for state in self.by_id().values()
            if (verdict is None or state.verdict is verdict)
            and (node is None or state.node == node)
            and (tag is None or tag in state.tags)
            and (brain is None or state.node.startswith(f"{brain}/"))
        ]

    def listed(self, node: str | None, verdict: VerdictName | None) -> list[ClaimStatus]:
        """Claims of a node by id or name, or all. Raises `UnknownNodeError` if no claim is on it either.

        A claim that could not be checked has its last failure as verdict, and is listed as unverifiable too.
        """
        found = self.states(node=node)
        if node is not None and not found:
            found = self.states(node=self._store.nodes.named(node))
        blind = verdict is VerdictName.UNVERIFIABLE
        return [state for state in found if verdict in {None, state.verdict} or (blind and not state.checked)]

    def state(self, claim: str) -> ClaimStatus:
        """One claim with its last verdict, read alone. Raises `UnknownClaimError`."""
        stated, run = self._store.claims.get(claim), self.latest()
        rows = {row.claim: row for row in self._store.ledger.rows(run.id, claims=[claim])} if run else {}
        return self._all([stated], run, rows, self._store.alerts.flags(claim, standing=True))[claim]

    @cached_in("_cache")
    def latest(self) -> Run | None:
        """The latest run; None if there is none."""
        return self._store.ledger.latest_run()

    @cached_in("_cache")
    def by_id(self) -> dict[str, ClaimStatus]:
        """All claims with their last verdict, by id."""
        return self._all(self.claims(), self.latest(), self.rows(), self._store.alerts.flags(standing=True))

    def _all(
        self, claims: Iterable[Claim], run: Run | None, rows: Mapping[str, VerdictRow], raised: Iterable[Flag]
    ) -> dict[str, ClaimStatus]:
        flags = {flag.claim: flag for flag in raised if flag.verdict in FAULTS}
        seen = self.acknowledgements.active(run.as_of) if run else {}
        found, stated = {}, list(claims)
        self._quotes.look_up(stated)
        for one in stated:
            row, flag = rows.get(one.id), flags.get(one.id)
            told = {
                **one.model_dump(include=_STATED),
                "severity": severity_of(one.severity, row.cause if row else None),
            }
            told |= {"quote": self._quotes.anchor(one), "acknowledgement": seen.get(one.id)}
            if row and run:
                told |= {name: getattr(row, name) for name in _FOUND}
                told["then"] = Moment(as_of=one.as_of, value=row.then_value, holds=row.then_holds, dated=row.then_dated)
                told["verdict"], told["checked"] = visible(row, flags)
                told |= {"run": run.id, "flagged": flag.raised_at if flag else None}
                told["fragile"] = bool(row.robust and row.robust.fragile)
            found[one.id] = ClaimStatus(**told)
        return found

    def worded(self, rows: Sequence[VerdictRow]) -> Iterator[RunRow]:
        """The rows with who states each figure, and where, if it is still stated."""
        claims = {claim.id: claim for claim in self._store.claims.all(ids=[row.claim for row in rows])}
        self._quotes.look_up(claims.values())
        for row in rows:
            claim = claims.get(row.claim)
            words = claim.model_dump(include={"asserted_by", "stance", "tense", "helps"}) if claim else {}
            quote = self._quotes.anchor(claim) if claim else None
            yield RunRow(**row.model_dump(), **words, quote=quote)

    def run_counts(self, runs: Iterable[Run]) -> dict[int, dict[str, int]]:
        """How many claims had each verdict in some runs, as `verdict_counts` counts them."""
        found = {run.id: Counter[str](run.counts) for run in runs}
        disputed = [claim.id for claim in self.claims() if claim.stance is Stance.DISPUTES]
        for by_run in self._store.ledger.verdicts_of(disputed, found).values():
            for run, verdict in by_run.items():
                found[run].subtract([verdict.value])
                found[run].update([counted_as(verdict, Stance.DISPUTES)])
        return {run: {str(name): counts[name] for name in COUNTED if counts[name]} for run, counts in found.items()}

    def health(self, node: str) -> Health:
        """The health of a node, with the path that made it so. Raises `UnknownNodeError`."""
        healths = self.healths()
        return healths.get(node) or healths[self._store.nodes.get(node).id]

    @cached_in("_cache")
    def healths(self) -> NodeHealths:
        """The health of every node: 0.15 s at 20,000 notes, once for a state of the store."""
        rows, claims = self.rows(), self.claims() if self.latest() else ()
        found = gravest_causes(HealthCause(claim, rows.get(claim.id)) for claim in claims)
        return NodeHealths(found, self.dependencies())

    def by_health(self, query: NodeQuery) -> dict[str, list[str]]:
        """The notes with the kind, tags and brain of a query by health, the worst first, each by title; no terms."""
        healths, found = self.healths(), {state.value: list[str]() for state in HealthState}
        for card in sorted(self._store.index_feed.card_list(), key=lambda card: card.title.casefold()):
            inside = query.brain in {None, card.brain} and query.kind in {None, card.kind}
            if card.kind is not Kind.TERM and inside and set(query.tags) <= set(card.tags):
                found[healths.state(card.id).value].append(card.id)
        return found

    def causes(self, node: str) -> list[FailureCause]:
        """Every cause of a node's health, nearest first: its own harmful claims, then those it depends on."""
        failing: dict[str, list[ClaimStatus]] = {}
        claims, rows = {claim.id: claim for claim in self.claims()}, self.rows()
        for one in self.states():
            row = rows[one.id].model_copy(update={"verdict": one.verdict}) if one.verdict else None
            if HealthCause(claims[one.id], row).state in {HealthState.BROKEN, HealthState.WEAKENED}:
                failing.setdefault(one.node, []).append(one)
        below = walk(self.dependencies().below, [node])
        return [FailureCause(way(below, one)[::-1], tuple(failing[one])) for one in below if one in failing]

    @cached_in("_stated")
    def claims(self) -> tuple[Claim, ...]:
        """Every claim by id, cached until a document states others."""
        return tuple(self._store.claims.all())

    @cached_in("_stated")
    def readers(self) -> Readers:
        """The prices and assumptions that each claim reads, cached like the claims."""
        from compute.impact.price_impact import readers  # noqa: PLC0415  # reads formulas, which a listing does without

        return readers(self.claims())

    @cached_in("_cache")
    def rows(self) -> Mapping[str, VerdictRow]:
        """The rows of the last run by claim; none without a run."""
        run = self.latest()
        return {row.claim: row for row in self._store.ledger.rows(run.id)} if run else {}

    @cached_in("_rests")
    def dependencies(self) -> DependencyGraph:
        """The dependencies of nodes by citations, cached until a node changes."""
        return DependencyGraph(self._store.nodes.ids(), self._store.edges.arguing())

    def impact(self, price: str, on: date, most: int | None = None) -> Impact:
        """The claims and the nearest `most` nodes that depend on a price. Raises `UnknownPriceError`.

        A price is `provider/thing`, a family, one of them with `/component`, or `assume:NAME`.
        """
        from compute.impact.price_impact import impact  # noqa: PLC0415  # as above

        book = self._prices().book()
        item, component = price, None
        if not price.startswith("assume:") and price.count("/") > 1 and price not in book.items():
            item, _, component = price.rpartition("/")
        found = impact(item, self.readers(), self.dependencies(), book, on=on, component=component, most=most)
        if not found.claims and not _is_priced(book, price):
            raise UnknownPriceError(price, book.market.reason(price, on))
        return found


def _is_priced(book: CatalogBook, price: str) -> bool:
    """Whether a name is an item, a family, one of their components, or an assumption."""
    if price.startswith("assume:"):
        return price.removeprefix("assume:") in book.assumptions
    item, _, component = price.rpartition("/")
    return bool(book.prices(price)) or any(one.component == component for one in book.prices(item))


_FOUND = ("value", "unit", "margin", "reason", "cause", "helps_thesis", "oldest_input", "robust")
_STATED = Claim.model_fields.keys() & ClaimStatus.model_fields.keys() - {"value", "quote"}


LONGEST_TEXT = 1000  # longer sentences and reasons are cut where a claim is only mentioned; its page has the full text


def shortened(text: str) -> str:
    """A sentence of at most `LONGEST_TEXT` characters."""
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


PREFIX = "ack:"  # before the claim in the id of the silence of an acknowledgement


class UnknownPriceError(NotFoundError):
    """No catalogue, family or assumption has the name, and no claim reads it."""

    noun = "price of"

    def __init__(self, name: str, reason: str | None = None) -> None:
        """`reason` is why a market item has no price."""
        super().__init__(name)
        if reason:
            self.args = (f"{name} has no price: {reason}",)


class UnknownSilenceError(NotFoundError):
    """No silence has the id."""


class UnknownAcknowledgementError(NotFoundError):
    """The claim has no acknowledgement."""

    noun = "acknowledgement of"


class NothingRaisedError(Exception):
    """The claim has no raised flag to acknowledge."""

    def __init__(self, claim: str) -> None:
        super().__init__(f"{claim} has no raised flag: there is nothing to acknowledge")


class EndError(ValueError):
    """The end of an acknowledgement is not after today."""

    def __init__(self, until: date, on: date) -> None:
        super().__init__(f"until: {until} is not after {on}")


class Acknowledgements:
    """The acknowledgements of raised flags: made, listed and ended."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def acknowledge(self, claim: str, *, until: date, comment: str, by: str, on: date) -> Acknowledgement:
        """Acknowledge the raised flags of a claim, in place of an earlier acknowledgement.

        Raises:
            NothingRaisedError: no flag of it is raised.
            EndError: `until` is not after `on`.
        """
        with self._store.transaction():
            self._store.claims.get(claim)
            flags = self._store.alerts.flags(claim)
            raised = tuple(flag.first_run for flag in flags if flag.standing)
            if not raised:
                raise NothingRaisedError(claim)
            if until <= on:
                raise EndError(until, on)
            silence = Silence(
                id=f"{PREFIX}{claim}", claim=claim, reason=comment, since=on, until=until, flags=raised, by=by
            )
            self._store.alerts.put_silence(silence)
        return _acknowledgement(silence, claim, until, flags, on)

    def get(self, claim: str, on: date) -> Acknowledgement | None:
        """The acknowledgement of a claim with its state on a day; None if it has none."""
        return next((one for one in self.all(on) if one.claim == claim), None)

    def end(self, claim: str) -> bool:
        """End the acknowledgement of a claim; False if it has none."""
        return self._store.alerts.remove_silence(f"{PREFIX}{claim}")

    def all(self, on: date) -> tuple[Acknowledgement, ...]:
        """All acknowledgements with their state on a day, by claim."""
        return tuple(
            _acknowledgement(one, one.claim, one.until, self._store.alerts.flags(one.claim), on)
            for one in self._store.alerts.silences()
            if one.flags is not None and one.claim and one.until
        )

    def active(self, on: date) -> dict[str, Acknowledgement]:
        """The acknowledgements in force on a day, by claim."""
        return {one.claim: one for one in self.all(on) if one.state == "active"}

    def counts(self, on: date) -> dict[str, int]:
        """How many claims have a raised flag, and how many of these are acknowledged on a day."""
        raised = {flag.claim for flag in self._store.alerts.flags(standing=True)}
        return {"raised": len(raised), "acknowledged": len(raised & self.active(on).keys())}


def _acknowledgement(silence: Silence, claim: str, until: date, flags: Iterable[Flag], on: date) -> Acknowledgement:
    """An acknowledgement with its state on a day; `flags` are all flags of its claim."""
    covered = [flag for flag in flags if flag.first_run in (silence.flags or ())]
    standing = [flag for flag in covered if flag.standing]
    shown = next(iter(standing or covered), None)
    return Acknowledgement(
        claim=claim,
        by=silence.by,
        comment=silence.reason,
        since=silence.since,
        until=until,
        state="ended" if not standing else "active" if on < until else "expired",
        verdict=shown.verdict if shown else None,
        raised=shown.raised_at if shown else None,
    )


def sentence(found: Acknowledgement) -> str:
    """Such as `cheap-rent is acknowledged by alice until 2026-12-01: waiting for the vendor`."""
    return f"{found.claim} is acknowledged by {found.by} until {found.until}: {found.comment}"
