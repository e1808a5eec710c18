"""The reports of runs: the stored ones, the news of the last one, trials that store nothing, and the errata."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import repeat

from api.release import VERSION
from api.services.claim_evaluator import ClaimEvaluator
from api.services.claim_status import ClaimStatusService
from api.services.claim_warnings import NodeFinder, lost_claims
from api.services.evaluation_inputs import EvaluationInputs, checked_overrides
from api.services.price_service import PriceService
from api.services.quote_finder import QuoteFinder
from api.services.run_comparer import RunComparer
from compute.claims.overrides import NONE, Overrides
from compute.impact.nearest_changes import fragile, nearest
from compute.reports.errata import Errata, errata, is_contradiction, is_erratum, placed
from compute.reports.report_model import ClaimWithoutNote, FragileClaim, NearestChange, Report, ReportEntry
from compute.verify.forecast import Preview, by_day
from graph.models.claim_models import Claim, ClaimSeverity, VerdictName
from graph.models.verdict_models import Run, VerdictChange, VerdictRow
from graph.store import Store

HORIZON = timedelta(days=90)
"""How far ahead a report looks for prices that will change."""


class RunReports:
    """Makes the reports of a store."""

    def __init__(  # the services of a brain
        self,
        store: Store,
        prices: PriceService,
        quotes: QuoteFinder,
        evaluator: ClaimEvaluator,
        comparer: RunComparer,
    ) -> None:
        self._store, self._prices, self._quotes, self._evaluator = store, prices, quotes, evaluator
        self._comparer = comparer
        self._inputs, self._computer = evaluator.inputs, evaluator.computer

    def report(self, run: Run, *, working: bool = False) -> Report:
        """The report of a run; `working` adds the inputs and steps of every claim."""
        inputs = self._inputs.now()
        claims = {claim.id: claim for claim in inputs.claims()}
        rows = [row for row in self._store.ledger.rows(run.id) if row.claim in claims]
        previews = self._previews(inputs, claims.values(), run.as_of)
        expected = {claim: one.expected for claim, one in zip(claims, previews, strict=True)}
        both = [(row, expected[row.claim]) for row in rows]
        entries = list(self._entries(inputs, [claims[row.claim] for row in rows], both, run.as_of, working=working))
        before = self._store.ledger.latest_run(before=run)
        if before and before.replayed and not run.replayed:
            before = None  # the first run of its own day lists everything
        changes, ruled = self._comparer.changes_between(before, run) if before else ((), ())
        changes = tuple(self._comparer.caused(before, run, changes)) if before else ()
        return Report(
            run=run,
            before=before,
            entries=tuple(entries),
            near=self._near(inputs, entries, run.as_of),
            fragile=self._fragile(inputs, entries, run.as_of),
            changes=changes,
            ruled=ruled,
            known=self._refuted_before(run, changes),
            coming=_coming(previews),
            aged=self._prices.aged_inputs(rows),
            ages=self._prices.ages(run.as_of),
            without_note=self.without_note(claims.values()),
        )

    def coming(self, as_of: date, until: date) -> tuple[VerdictChange, ...]:
        """The verdicts that will change by prices already announced, until a day."""
        inputs = self._inputs.now()
        return _coming(self._computer.previews(inputs.claims(), inputs.book, as_of, until, inputs.terms()))

    def _previews(
        self, inputs: EvaluationInputs, claims: Iterable[Claim], as_of: date, numbers: Overrides = NONE, *,
        ahead: bool = True,
    ) -> list[Preview]:  # fmt: skip
        """The expectation of each claim, and its coming changes within the horizon if `ahead`."""
        until = as_of + min(HORIZON, date.max - as_of) if ahead else as_of
        return list(self._computer.previews(claims, inputs.book, as_of, until, inputs.terms(numbers)))

    def news(self, run: Run, before: Run | None, entries: tuple[ReportEntry, ...]) -> Report:
        """The report of a run with its entries, without what needs forecasts or full explanations of claims."""
        changes, ruled = self._comparer.changes_between(before, run) if before else ((), ())
        known, old = self._refuted_before(run, changes), self._prices.aged_inputs(entry.row for entry in entries)
        return Report(
            run=run, before=before, entries=entries, changes=changes, ruled=ruled, known=known, aged=old,
            without_note=self.without_note(entry.claim for entry in entries),
            fragile=fragile((one for one in entries if one.row.robust and one.row.robust.fragile), None),
        )  # fmt: skip

    def trial(
        self,
        as_of: date,
        *,
        at: datetime,
        claims: Sequence[str] = (),
        sets: Mapping[str, str] | None = None,
        known: date | None = None,
        working: bool = False,
    ) -> Report:
        """Chosen claims, or all, with the caller's own numbers, or by what was known on a day; stores nothing.

        The run of the report has the id 0; its changes are the claims whose verdict the caller's numbers change. If
        all claims are evaluated for a day without such numbers, they are the differences from the latest run.

        Raises:
            UnknownClaimError: a requested claim does not exist.
            OverrideError: a number in `sets` cannot be read.
            UnknownInputError: no chosen claim reads a name in `sets`.
            NothingKnownError: there was no run yet on the day `known`.
        """
        inputs = self._inputs.known(known) if known else self._inputs.now()
        chosen = [inputs.claim(claim) for claim in claims] or list(inputs.claims())
        numbers = checked_overrides(sets or {}, chosen, inputs, as_of)
        rows = list(self._computer.rows(chosen, inputs.book, as_of, inputs.terms(numbers)))
        plain = self._computer.rows(chosen, inputs.book, as_of, inputs.terms()) if numbers else rows
        counts = {name.value: sum(row.verdict is name for row in rows) for name in VerdictName}
        run = Run(
            id=0, as_of=as_of, started_at=at, finished_at=at, code=VERSION, snapshot=inputs.snapshot().digest,
            rules=inputs.rules().digest, counts=counts,
            notes=_trial_notes(known),
        )  # fmt: skip
        plain_trial = not (numbers or claims or known)
        previews = self._previews(inputs, chosen, as_of, numbers, ahead=plain_trial)
        both = zip(rows, (one.expected for one in previews), strict=True)
        entries = tuple(self._entries(inputs, chosen, both, as_of, numbers, working=working))
        aged, lost = self._prices.aged_inputs(rows), self.without_note(chosen)
        found = Report(run=run, entries=entries, aged=aged, ages=self._prices.ages(as_of), without_note=lost)
        if not plain_trial:
            return found.model_copy(update={"changes": _changed(chosen, plain, rows)})
        changes = self._since_latest(chosen, rows)
        more = {
            "before": self._store.ledger.latest_run(),
            "near": self._near(inputs, entries, as_of),
            "fragile": self._fragile(inputs, entries, as_of),
            "changes": changes,
            "known": self._refuted_before(None, changes),
            "coming": _coming(previews),
        }
        return found.model_copy(update=more)

    def errata(
        self, run: Run, entries: Iterable[ReportEntry], place: Callable[[Claim], Mapping[str, object]]
    ) -> Errata:
        """The errata among the entries of a run; `place` gives the fields of an erratum that say where it is."""
        wrong = {entry.claim.id: entry for entry in entries if is_erratum(entry) or is_contradiction(entry)}
        inputs = self._inputs.now()
        claims, rows = [one.claim for one in wrong.values()], [one.row for one in wrong.values()]
        expected = (one.expected for one in self._previews(inputs, claims, run.as_of, ahead=False))
        listed = list(self._entries(inputs, claims, zip(rows, expected, strict=True), run.as_of, working=False))
        first = self._store.ledger.first_found(VerdictName.REFUTED, wrong)
        return placed(errata(listed, first.get), lambda one: place(wrong[one.root].claim))

    def without_note(self, claims: Iterable[Claim]) -> tuple[ClaimWithoutNote, ...]:
        """The claims on notes that do not exist."""
        stated = list(claims)
        nodes = self._store.nodes.refs(claim.node for claim in stated if claim.node)
        return lost_claims(stated, nodes, NodeFinder.of_store(self._store))

    def _refuted_before(self, run: Run | None, changes: Iterable[VerdictChange]) -> tuple[str, ...]:
        """Of the claims that became refuted, those that a run before this one had refuted."""
        names = [one.claim for one in changes if one.after is VerdictName.REFUTED]
        first = self._store.ledger.first_found(VerdictName.REFUTED, names)
        return tuple(name for name, found in first.items() if run is None or found.id < run.id)

    def _since_latest(self, claims: Sequence[Claim], rows: Iterable[VerdictRow]) -> tuple[VerdictChange, ...]:
        """The claims whose verdict in these rows differs from that of the latest run."""
        latest = self._store.ledger.latest_run()
        known = {row.claim: row for row in self._store.ledger.rows(latest.id)} if latest else {}
        pairs = [(claim, row) for claim, row in zip(claims, rows, strict=True) if claim.id in known]
        return _changed(
            [claim for claim, _ in pairs], [known[claim.id] for claim, _ in pairs], [row for _, row in pairs]
        )

    def _entries(
        self, inputs: EvaluationInputs, claims: Sequence[Claim], found: Iterable[tuple[VerdictRow, str]], as_of: date,
        numbers: Overrides = NONE, *,
        working: bool,
    ) -> Iterator[ReportEntry]:  # fmt: skip
        """The entries of claims; `found` is the row of each and its expectation as text."""
        terms = inputs.terms(numbers)
        shown = self._computer.verdicts(claims, inputs.book, as_of, terms) if working else repeat(None, len(claims))
        for claim, (row, bound), explained in zip(claims, found, shown, strict=True):
            verdict = self._quotes.voiced(explained, claim) if explained else None
            place = self._quotes.place(claim)
            yield ReportEntry(claim=claim, row=row, verdict=verdict, expected=bound, quoted=place)

    def _near(self, inputs: EvaluationInputs, entries: Iterable[ReportEntry], as_of: date) -> tuple[NearestChange, ...]:
        holding = (entry for entry in entries if entry.row.verdict is VerdictName.HOLDS and entry.watched)
        return nearest(holding, lambda claim: self._evaluator.explain_with(inputs, claim, as_of))

    def _fragile(
        self, inputs: EvaluationInputs, entries: Iterable[ReportEntry], as_of: date
    ) -> tuple[FragileClaim, ...]:
        found = (entry for entry in entries if entry.row.robust is not None and entry.row.robust.fragile)
        return fragile(found, lambda claim: self._evaluator.explain_with(inputs, claim, as_of))


def _changed(
    claims: Iterable[Claim], before: Iterable[VerdictRow], after: Iterable[VerdictRow]
) -> tuple[VerdictChange, ...]:
    """The claims whose verdict differs between two evaluations, row by row."""
    return tuple(
        VerdictChange.of(claim.id, claim, old, new)
        for claim, old, new in zip(claims, before, after, strict=True)
        if old.verdict is not new.verdict
    )


def _coming(previews: Iterable[Preview]) -> tuple[VerdictChange, ...]:
    """The changes of all previews, by day, the most severe first."""
    ordered = sorted(previews, key=lambda one: list(ClaimSeverity).index(one.severity), reverse=True)
    return tuple(by_day(change for one in ordered for change in one.changes))


def _trial_notes(known: date | None) -> tuple[str, ...]:
    by = (f"by the claims and prices known on {known.isoformat()}",) if known else ()
    return (*by, "nothing was appended")


MOST_EXPLAINED = 300
"""Of so many claims with a quote the line of the quote is looked up; further ones get the line of their node."""


class ErrataService:
    """The errata of a store, cached until anything is written."""

    def __init__(
        self, store: Store, status: ClaimStatusService, evaluator: ClaimEvaluator, reports: RunReports
    ) -> None:
        self._store, self._status, self._evaluator, self._reports = store, status, evaluator, reports
        self._cache = store.cache(1)

    def found(self) -> Errata:
        """The errata of the latest run, the most severe first; none if there is no run."""
        return self._cache.get("errata", self._found)

    def _found(self) -> Errata:
        run, explained = self._status.latest(), 0
        if run is None:
            return Errata()

        def place(claim: Claim) -> dict[str, object]:
            """The title of the node, its document, and the line of the quoted words or, without them, of the node."""
            nonlocal explained
            node = self._store.nodes.find(claim.node)
            if node is None:
                return {}
            line = node.provenance.first_line
            if claim.quote and explained < MOST_EXPLAINED:
                explained += 1
                anchor = self._evaluator.explain(claim.id, run.as_of).quote
                line = (anchor.line if anchor else None) or line
            return {"title": node.title, "document": node.provenance.document, "line": line}

        return self._reports.errata(run, self._status.entries(), place)
