"""The status after the last run: claims with their verdicts, the health of nodes, what depends on a price."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

from api.services.acknowledgement_service import AcknowledgementService
from api.services.claim_warnings import NodeFinder, claims_without_nodes
from api.services.quote_finder import QuoteFinder
from compute.impact.dependency_graph import DependencyGraph, DependencyWalk
from compute.impact.note_health import Health, HealthCause, HealthState, NodeHealths, findings, own_healths
from compute.reports.report_model import ReportEntry
from compute.runs.flag_rules import FAULTS, visible
from graph.models.alert_models import Acknowledgement, Flag
from graph.models.claim_models import Cause, Claim, ClaimSeverity, Direction, Speaker, Stance, Tense, VerdictName
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
from graph.problems import Problem
from graph.store import Store
from graph.values import Value

if TYPE_CHECKING:
    from api.services.price_service import PriceService
    from api.services.run_comparer import RunComparer
    from compute.impact.price_impact import Impact, Readers


class ClaimStatus(Value):
    """A claim with what the last run found about it; `verdict` is None if no run has evaluated it yet.

    `verdict` is what people see: a claim that could not be checked keeps its last fault, and `checked` is False.
    `fragile`: it holds at the stated figures, and in less than half of their ranges. `then`, `cause`, `helps_thesis`,
    `oldest_input` and `robust` are those of the last run. `acknowledgement` says who looks after its raised flag, on
    the day of the last run.
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
    """What a run found about a claim, with the words that the claim states today."""

    quote: QuoteAnchor | None = None
    asserted_by: Speaker | None = None
    stance: Stance | None = None
    tense: Tense | None = None
    helps: Direction | None = None


class RunChanges(Value):
    """Verdicts that changed in one run against the previous one.

    A feed leaves out verdicts that only a new version of the rules changed; `ruled` counts them.
    """

    run: int
    as_of: date
    at: datetime
    changes: tuple[VerdictChange, ...]
    ruled: int = 0


class ClaimStatusService:
    """Reads the ledger, the flags and the citations of a store."""

    def __init__(
        self,
        store: Store,
        prices: Callable[[], PriceService],
        comparer: Callable[[], RunComparer],
        quotes: QuoteFinder,
    ) -> None:
        self._store, self._prices, self._comparer, self._quotes = store, prices, comparer, quotes
        self._cache, self._acknowledgements = store.cache(8), AcknowledgementService(store)
        self._rests, self._stated = store.cache(1, "graph"), store.cache(2, "claims")

    def states(
        self,
        verdict: VerdictName | None = None,
        node: str | None = None,
        tag: str | None = None,
        brain: str | None = None,
    ) -> list[ClaimStatus]:
        """Claims with their last verdict, by id; `brain` is that of their nodes."""
        everything = self._cache.get("states", self._states)
        return [
            state
            for state in everything.values()
            if (verdict is None or state.verdict is verdict)
            and (node is None or state.node == node)
            and (tag is None or tag in state.tags)
            and (brain is None or state.node.startswith(f"{brain}/"))
        ]

    def state(self, claim: str) -> ClaimStatus:
        """One claim with its last verdict; the others are not read for it.

        Raises:
            UnknownClaimError: there is no such claim.
        """
        stated = self._store.claims.get(claim)
        known = self._cache.cached("states")
        found = known.get(claim) if isinstance(known, dict) else None
        if isinstance(found, ClaimStatus):
            return found
        run = self.latest()
        rows = {row.claim: row for row in self._store.ledger.rows(run.id, claims=[claim])} if run else {}
        return self._all([stated], run, rows, self._store.alerts.flags(claim, standing=True))[claim]

    def latest(self) -> Run | None:
        """The latest run; None if there is none."""
        return self._cache.get("latest", self._store.ledger.latest_run)

    def _states(self) -> dict[str, ClaimStatus]:
        return self._all(self.claims(), self.latest(), self.rows(), self._store.alerts.flags(standing=True))

    def _all(
        self, claims: Iterable[Claim], run: Run | None, rows: Mapping[str, VerdictRow], raised: Iterable[Flag]
    ) -> dict[str, ClaimStatus]:
        """Claims with what a run found and the flags that are raised, by id."""
        flags = {flag.claim: flag for flag in raised if flag.verdict in FAULTS}
        seen = self._acknowledgements.active(run.as_of) if run else {}
        found = {one.id: _state(one, rows.get(one.id), flags, run, self._quotes.anchor(one)) for one in claims}
        looked_after = {
            claim: found[claim].model_copy(update={"acknowledgement": seen[claim]})
            for claim in seen.keys() & found.keys()
        }
        return found | looked_after

    def worded(self, rows: Sequence[VerdictRow]) -> Iterator[RunRow]:
        """The rows with who states each figure, and where; claims that no document states any more have none."""
        claims = {claim.id: claim for claim in self._store.claims.all(ids=[row.claim for row in rows])}
        for row in rows:
            claim = claims.get(row.claim)
            words = claim.model_dump(include={"asserted_by", "stance", "tense", "helps"}) if claim else {}
            quote = self._quotes.anchor(claim) if claim else None
            yield RunRow(**row.model_dump(), **words, quote=quote)

    def health(self, node: str) -> Health:
        """The health of a node, with the path that made it so.

        Raises:
            UnknownNodeError: no node has the id.
        """
        healths = self.healths()
        return healths.get(node) or healths[self._store.nodes.get(node).id]

    def state_of(self, node: str) -> HealthState:
        """The health of a node, without the path."""
        return self.healths().state(node)

    def healths(self) -> NodeHealths:
        """The health of every node: 0.15 s at 20,000 notes, once for a state of the store."""
        return self._cache.get("health", self._healths)

    def _healths(self) -> NodeHealths:
        return NodeHealths(own_healths(self._found()), self.dependencies())

    def _found(self) -> tuple[HealthCause, ...]:
        """What the last run found about each claim; nothing where there was no run."""
        return self._cache.get("found", lambda: findings(self.claims(), self.rows().values()) if self.latest() else ())

    def claims(self) -> tuple[Claim, ...]:
        """Every claim by id, remembered until a document states others."""
        return self._stated.get("claims", lambda: tuple(self._store.claims.all()))

    def readers(self) -> Readers:
        """Which claim reads which price and assumption, remembered until a document states other claims."""
        from compute.impact.price_impact import readers  # noqa: PLC0415  # reads formulas, which a listing does without

        return self._stated.get("readers", lambda: readers(self.claims()))

    def rows(self) -> Mapping[str, VerdictRow]:
        """What the last run found, by claim; nothing where there was none."""
        return self._cache.get("rows", self._rows)

    def _rows(self) -> Mapping[str, VerdictRow]:
        run = self.latest()
        return {row.claim: row for row in self._store.ledger.rows(run.id)} if run else {}

    def entries(self) -> tuple[ReportEntry, ...]:
        """The claims that the last run evaluated, each with its row."""
        rows = self.rows()
        return tuple(ReportEntry(claim=claim, row=rows[claim.id]) for claim in self.claims() if claim.id in rows)

    def dependencies(self) -> DependencyGraph:
        """What depends on what by citations, cached until a node changes."""
        return self._rests.get("rests", self._resting)

    def dependents(self, node: str) -> DependencyWalk:
        """All that depends on a node by citations, nearest first."""
        return self.dependencies().walk([node])

    def _resting(self) -> DependencyGraph:
        return DependencyGraph(self._store.nodes.ids(), self._store.edges.arguing())

    def impact(self, price: str, on: date, most: int | None = None) -> Impact:
        """What depends on a price: `provider/thing`, a family, one of them with `/component`, or `assume:NAME`.

        Of the dependent nodes, only the nearest `most` are listed.
        """
        from compute.impact.price_impact import impact  # noqa: PLC0415  # as above

        book = self._prices().book()
        item, component = price, None
        if not price.startswith("assume:") and price.count("/") > 1 and price not in book.items():
            item, _, component = price.rpartition("/")
        return impact(item, self.readers(), self.dependencies(), book, on=on, component=component, most=most)

    def changes(self, since: date | None = None, limit: int = 50) -> list[RunChanges]:
        """The runs in which verdicts changed, latest first; `since` is the first day."""
        found = (
            self._changes_of(before, after, since)
            for after, before in pairwise(self._store.ledger.present_runs(limit + 1))
        )
        return [turned for turned in found if turned]

    def run_changes(self, since: date | None = None, before: int | None = None) -> Iterator[RunChanges]:
        """Every run before the run `before` in which verdicts changed, latest first, read one by one.

        Raises:
            UnknownRunError: there is no run `before`.
        """
        ledger = self._store.ledger
        runs = ledger.present_runs(2, ledger.run(before) if before is not None else None)
        while len(runs) == 2:
            if turned := self._changes_of(runs[1], runs[0], since):
                yield turned
            runs = ledger.present_runs(2, runs[0])

    def _changes_of(self, before: Run, after: Run, since: date | None) -> RunChanges | None:
        changes = () if since and after.as_of < since else tuple(self._comparer().changes(before, after))
        return RunChanges(run=after.id, as_of=after.as_of, at=after.started_at, changes=changes) if changes else None

    def dangling(self) -> list[Problem]:
        """Claims on nodes that are not there, each with the note that its text is in now."""
        return list(claims_without_nodes(self.claims(), self.dependencies().nodes, NodeFinder.of_store(self._store)))


_FOUND = ("value", "unit", "margin", "reason", "cause", "helps_thesis", "oldest_input", "robust")
_STATED = {"id", "node", "says", "severity", "tags", "as_of", "asserted_by", "stance", "tense", "helps", "owner"}


def _state(
    claim: Claim, row: VerdictRow | None, flags: dict[str, Flag], run: Run | None, quote: QuoteAnchor | None
) -> ClaimStatus:
    shared = {**claim.model_dump(include=_STATED), "quote": quote}
    shared["severity"] = severity_of(claim.severity, row.cause if row else None)
    if row is None or run is None:
        return ClaimStatus(**shared)
    seen, checked = visible(row, flags)
    flag = flags.get(claim.id)
    found = {name: getattr(row, name) for name in _FOUND}
    then = Moment(as_of=claim.as_of, value=row.then_value, holds=row.then_holds, dated=row.then_dated)
    raised = flag.raised_at if flag else None
    fragile = bool(row.robust and row.robust.fragile)
    return ClaimStatus(
        **shared, **found, then=then, verdict=seen, checked=checked, run=run.id, flagged=raised, fragile=fragile
    )


LONGEST_TEXT = 1000
"""Longer sentences and reasons are cut where a claim is only mentioned; its page has the full text."""


def shortened(text: str) -> str:
    """A sentence of at most `LONGEST_TEXT` characters."""
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
