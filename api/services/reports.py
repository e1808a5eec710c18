"""Reports of runs and the changes between them, trials that store nothing, errata; the record of all claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from itertools import pairwise, repeat

from api.release import VERSION
from api.services.claim_quotes import NodeFinder, lost_claims
from api.services.claim_status import ClaimStatusService, RunChanges
from api.services.evaluation import ClaimEvaluator, EvaluationInputs, checked_overrides
from compute.claims.claim_case import strengthens
from compute.claims.claim_day import ClaimDay
from compute.claims.claim_program import dependencies
from compute.claims.input_changes import Moved, moved, moved_inputs
from compute.claims.overrides import NONE, Overrides
from compute.impact.nearest_changes import fragile, nearest
from compute.prices.snapshots import SnapshotError
from compute.record import record
from compute.record.life_models import LifeLine
from compute.record.record import Basis, Fate, GroupField, Record, RecordGroup, Sighting, Values
from compute.record.replay import Replay
from compute.reports.claim_report import ClaimReport
from compute.reports.errata import Errata, errata, is_contradiction, is_erratum
from compute.reports.report_model import ClaimWithoutNote, Report, ReportEntry
from compute.runs.run_ledger import ManifestError
from compute.verify.claim_chunks import explained, find, live, preview
from compute.verify.claim_verifier import Preview
from graph.models.claim_models import Cause, Claim, ClaimSeverity, VerdictName
from graph.models.node_models import Quotation
from graph.models.verdict_models import Run, Verdict, VerdictChange, VerdictRow
from graph.store.store_errors import NotFoundError
from graph.store.versioned_cache import cached_in

HORIZON = timedelta(days=90)  # how far ahead a report looks for prices that will change

MOVES = frozenset({Cause.PRICE_MOVED, Cause.FAMILY_MOVED, Cause.SOURCE_CHANGED})
"""Causes of a verdict, since the claim's own day, for which a report lists what moved since the run before."""

GONE = (ManifestError, SnapshotError, NotFoundError)  # the inputs of a run are damaged or missing

HISTORY = 400  # the most runs that the history of a claim goes back

MOST_COMPARED = 50  # of so many changes in a report the inputs are compared with those of the run before


class RunReports:
    """Makes the reports of a store, and compares its runs."""

    def __init__(self, evaluator: ClaimEvaluator, status: ClaimStatusService) -> None:
        self._evaluator, self._inputs, self._status = evaluator, evaluator.inputs, status
        self._store, self._prices, self._quotes = evaluator.store, evaluator.prices, evaluator.quotes
        self._cache = self._store.cache(64)

    def report(self, run: Run, *, working: bool = False) -> Report:
        """The report of a run; `working` adds the inputs and steps of every claim."""
        inputs = self._inputs.now()
        claims = {claim.id: claim for claim in inputs.claims()}
        found = {row.claim: row for row in self._store.ledger.rows(run.id)}
        before = self._store.ledger.latest_run(before=run)
        if before and before.replayed and not run.replayed:
            before = None  # the first run of its own day lists everything
        changes = tuple(self.caused(before, run, tuple(self.changes(before, run)))) if before else ()
        known = self._refuted_before(run, changes)
        report = Report(run=run, before=before, changes=changes, known=known)
        return self._filled(report, inputs, [*claims.values()], found, working=working, ahead=True)

    def _filled(
        self, report: Report, inputs: EvaluationInputs, claims: Sequence[Claim], rows: Mapping[str, VerdictRow],
        numbers: Overrides = NONE, *,
        working: bool, ahead: bool,
    ) -> Report:  # fmt: skip
        """A report with its entries and ages; `ahead`: with what is near, fragile and to come."""
        on, explain = report.run.as_of, partial(self._evaluator.explain_with, inputs, as_of=report.run.as_of)
        entries, previews = self._entries(inputs, claims, rows, on, numbers, working=working, ahead=ahead)
        filled: dict[str, object] = {
            "entries": tuple(entries),
            "aged": self._prices.aged_inputs(entry.row for entry in entries),
            "ages": self._prices.ages(on),
            "without_note": self.without_note(claims),
        }
        if ahead:
            holding = (one for one in entries if one.row.verdict is VerdictName.HOLDS and one.watched)
            filled |= {"near": nearest(holding, explain), "coming": _coming(previews)}
            filled["fragile"] = fragile((one for one in entries if one.row.robust and one.row.robust.fragile), explain)
        return report.model_copy(update=filled)

    def claim_report(self, verdict: Verdict) -> ClaimReport:
        """The report on a claim: its verdict, its runs, and the words that its node quotes."""
        node = self._store.nodes.find(verdict.node)
        quoted = [one for one in node.citations if isinstance(one, Quotation)] if node else []
        snapshot = self._prices.book().snapshot.digest[:12]
        return ClaimReport(
            claim=self._store.claims.get(verdict.claim),
            verdict=verdict,
            title=node.title if node else "",
            history=self._store.ledger.history(verdict.claim, HISTORY),
            quotations=tuple({one.span: one for one in reversed(quoted)}.values())[::-1],
            made=f"Computed for {verdict.now.as_of} by Brain {VERSION} from the prices {snapshot}.",
        )

    @cached_in("_cache")
    def coming(self, as_of: date, until: date, node: str | None = None) -> tuple[VerdictChange, ...]:
        """The verdicts that will change by prices already announced, until a day: on one node, or all."""
        inputs = self._inputs.now()
        claims = (claim for claim in inputs.claims() if node in {None, claim.node})
        return _coming(self._evaluator.each(partial(preview, until=until), claims, inputs, as_of))

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
        inputs, ledger = self._inputs.known(known) if known else self._inputs.now(), self._store.ledger
        chosen = [inputs.claim(claim) for claim in claims] or list(inputs.claims())
        numbers = checked_overrides(sets or {}, chosen, inputs, as_of)
        found = {one.claim: one for one in self._evaluator.each(find, chosen, inputs, as_of, numbers=numbers)}
        counts = Counter(row.verdict for row in found.values())
        run = Run(
            id=0, as_of=as_of, started_at=at, finished_at=at, code=VERSION, snapshot=inputs.book.snapshot.digest,
            rules=inputs.rules().digest, counts={name.value: counts[name] for name in VerdictName},
            notes=(*((f"by the claims and prices known on {known}",) if known else ()), "nothing was appended"),
        )  # fmt: skip
        plain = not (numbers or claims or known)
        latest, usual = ledger.latest_run() if plain else None, found
        if numbers:
            usual = {one.claim: one for one in self._evaluator.each(find, chosen, inputs, as_of)}
        elif plain:
            usual = {row.claim: row for row in ledger.rows(latest.id)} if latest else {}
        changes = tuple(
            VerdictChange.of(one.id, one, usual[one.id], found[one.id])
            for one in chosen
            if one.id in usual and usual[one.id].verdict is not found[one.id].verdict
        )
        refuted = self._refuted_before(None, changes) if plain else ()
        compared = "numbers" if numbers else "runs" if plain else "nothing"
        report = Report(run=run, before=latest, compared=compared, changes=changes, known=refuted)
        return self._filled(report, inputs, chosen, found, numbers, working=working, ahead=plain)

    @cached_in("_cache")
    def errata(self) -> Errata:
        """The errata of the latest run, the most severe first; none if there is no run."""
        run = self._status.latest()
        if run is None:
            return Errata()
        rows, inputs = self._status.rows(), self._inputs.now()
        entries = (ReportEntry(claim=one, row=rows[one.id]) for one in self._status.claims() if one.id in rows)
        wrong = [entry for entry in entries if is_erratum(entry) or is_contradiction(entry)]
        listed, _ = self._entries(inputs, [one.claim for one in wrong], rows, run.as_of)
        first = self._store.ledger.first_refuted([one.claim.id for one in wrong])
        return errata(listed, first.get, self._place).model_copy(update={"run": run.id})

    def _place(self, claim: Claim) -> dict[str, object]:
        node = self._store.nodes.find(claim.node)
        if node is None:
            return {}
        anchor, where = self._quotes.anchor(claim), node.provenance
        return {"title": node.title, "document": where.document, "line": anchor.line if anchor else where.first_line}

    def without_note(self, claims: Iterable[Claim]) -> tuple[ClaimWithoutNote, ...]:
        """The claims on notes that do not exist, each with the note that its text moved to."""
        stated, finder = list(claims), NodeFinder.of_store(self._store)
        nodes = self._store.nodes.refs(claim.node for claim in stated if claim.node)
        return tuple(
            ClaimWithoutNote(claim=one.id, node=one.node, says=one.says, now=finder.place(one)[0])
            for one in lost_claims(stated, nodes)
        )

    def _refuted_before(self, run: Run | None, changes: Iterable[VerdictChange]) -> tuple[str, ...]:
        """Of the claims that became refuted, those that an earlier run had refuted."""
        names = [one.claim for one in changes if one.after is VerdictName.REFUTED]
        first = self._store.ledger.first_refuted(names)
        return tuple(name for name, found in first.items() if run is None or found.id < run.id)

    def _entries(
        self, inputs: EvaluationInputs, claims: Sequence[Claim], rows: Mapping[str, VerdictRow], as_of: date,
        numbers: Overrides = NONE, *,
        working: bool = False, ahead: bool = False,
    ) -> tuple[list[ReportEntry], list[Preview]]:  # fmt: skip
        """The entries of claims that have a row, and the previews of all; `ahead`: to the horizon."""
        until = as_of + min(HORIZON, date.max - as_of) if ahead else as_of
        previews = list(self._evaluator.each(partial(preview, until=until), claims, inputs, as_of, numbers=numbers))
        listed = [(claim, one) for claim, one in zip(claims, previews, strict=True) if claim.id in rows]
        shown: Iterable[Verdict | None] = repeat(None, len(listed))
        if working:
            shown = self._evaluator.each(explained, (claim for claim, _ in listed), inputs, as_of, numbers=numbers)
        self._quotes.look_up(claim for claim, _ in listed)
        entries = []
        for (claim, one), verdict in zip(listed, shown, strict=True):
            whole, place = verdict and self._quotes.with_quote(verdict, claim), self._quotes.place(claim)
            row, expected = rows[claim.id], one.expected
            entries.append(ReportEntry(claim=claim, row=row, verdict=whole, expected=expected, quoted=place))
        return entries, previews

    def changes(self, before: Run, after: Run) -> Iterator[VerdictChange]:
        """The verdicts that differ between two runs; a claim that was made after a replayed run is left out."""
        find = self._inputs.now().find
        for claim, old, new in self._store.ledger.changes(before.id, after.id):
            if old is not None or not before.replayed:
                yield VerdictChange.of(claim, find(claim), old, new)

    def caused(self, before: Run, after: Run, changes: Sequence[VerdictChange]) -> Iterator[VerdictChange]:
        """The changes with their effect since the run before; of the first ones also what moved since then.

        If that run is damaged, they keep the cause of the verdict; if a price was only corrected, there is none.
        """
        changes = [self._since(change) for change in changes]
        alike = [one.claim for one in changes if one.before and one.after not in {None, VerdictName.REFUTED}]
        both = self._both(before, after, alike[:MOST_COMPARED]) if alike else ()
        found = {name: moved(old, new) for name, old, new in both}
        for change in changes:
            now = found.get(change.claim, Moved())
            better = (now.cause or now.corrected) and (change.cause is None or change.cause in MOVES)
            yield change.model_copy(update=now._asdict()) if better else change

    def _since(self, change: VerdictChange) -> VerdictChange:
        """A change with its effect on the thesis since the run before, not the claim's day."""
        old, new = change.value_before, change.value_after
        claim = self._inputs.now().find(change.claim)
        if claim is None or old is None or new is None or old == new:
            return change
        return change.model_copy(update={"helps_thesis": strengthens(claim, up=new > old)})

    def _both(self, before: Run, after: Run, claims: Sequence[str]) -> Iterator[tuple[str, ClaimDay, ClaimDay]]:
        """The judged days of each sound claim in two runs; none if a run's inputs are gone."""
        find = self._inputs.now().find
        try:
            old, new = self._evaluator.cases(before), self._evaluator.cases(after)
        except GONE:
            return
        for name in claims:
            if claim := find(name):
                was, now = old(claim), new(claim)
                if not isinstance(was, str) and not isinstance(now, str):
                    yield name, was.judged, now.judged

    def moved_prices(self, run: int, claims: Sequence[str]) -> dict[str, str]:
        """What moved for claims between a run and the one before, in words; nothing if inputs are gone."""
        try:
            after = self._store.ledger.run(run)
        except NotFoundError:
            return {}
        before = self._store.ledger.latest_run(before=after)
        pairs = self._both(before, after, claims[:MOST_COMPARED]) if before else ()
        return {name: words for name, old, new in pairs if (words := moved_inputs(old, new))}

    def changed_runs(
        self, since: date | None = None, *, limit: int | None = None, before: int | None = None
    ) -> Iterator[RunChanges]:
        """The runs in which verdicts changed, from the day `since`, latest first, read one by one.

        At most `limit` runs are read, those before the run `before`. Raises `UnknownRunError`.
        """
        ledger = self._store.ledger
        later = ledger.run(before) if before is not None else None
        for run, earlier in pairwise(ledger.present_runs(limit and limit + 1, later)):
            if since and run.as_of < since:
                return
            if changes := tuple(self.changes(earlier, run)):
                yield RunChanges(run=run.id, as_of=run.as_of, at=run.started_at, changes=changes)


def _coming(previews: Iterable[Preview]) -> tuple[VerdictChange, ...]:
    ordered = sorted(previews, key=lambda one: list(ClaimSeverity).index(one.severity), reverse=True)
    changes = (change for one in ordered for change in one.changes)
    return tuple(sorted(changes, key=lambda change: change.on or date.min))


EVERYTHING = "all"  # the field and the value of the group of all claims


class RecordService:
    """The record of a store; results are cached until anything is written."""

    def __init__(self, evaluator: ClaimEvaluator, status: ClaimStatusService) -> None:
        self._store, self._status, self._evaluator = evaluator.store, status, evaluator
        self._lives, self._records = self._store.cache(512), self._store.cache(24)

    @cached_in("_lives")
    def lives(self, today: date) -> Mapping[str, LifeLine]:
        """The life line of every claim, by id, by the prices as known now."""
        inputs, claims = self._evaluator.inputs.now(), self._status.claims()
        lives = self._evaluator.each(live, claims, inputs, today, own=self._replay(today).life)
        return {life.claim: life for life in lives}

    def life(self, claim: str, today: date) -> LifeLine:
        """The life line of one claim, computed alone. Raises `UnknownClaimError`."""
        return self._life(self._store.claims.get(claim), today)

    def lives_of(self, claims: Iterable[str], today: date) -> Mapping[str, LifeLine]:
        """The life lines of some claims, by id; without those that do not exist."""
        return {claim.id: self._life(claim, today) for claim in self._store.claims.all(ids=[*claims])}

    @cached_in("_lives")
    def _life(self, claim: Claim, today: date) -> LifeLine:
        return self._replay(today).life(claim)

    @cached_in("_lives")
    def _replay(self, today: date) -> Replay:
        """Replays claims; caches the days on which inputs change."""
        inputs = self._evaluator.inputs.now()
        return Replay(inputs.book, today, inputs.terms())

    @cached_in("_records")
    def record(self, end: date, basis: Basis = Basis.HINDSIGHT, by: GroupField | None = None) -> Record:
        """The record at the end of a day; without a field, all claims are one group.

        Hindsight replays the claims over the prices known now; the ledger reads the runs for their own day up to `end`.
        """
        claims = self._status.claims()
        if basis is Basis.HINDSIGHT:
            fates = [fate for life in self.lives(end).values() if (fate := record.by_life(life, end)) is not None]
            listed = record.broken(claims, fates)
            return Record(as_of=end, basis=basis, groups=self._groups(by, claims, fates), broken=listed)
        runs = [run for run in reversed(self._store.ledger.present_runs()) if run.as_of <= end]
        last = runs[-1].as_of if runs else end
        known, seen = {claim.id: claim for claim in claims}, self._sightings(runs)
        fates = [record.by_runs(known[name], found, last, known.get) for name, found in seen.items() if name in known]
        grouped, left = self._groups(by, claims, fates), len(seen.keys() - known.keys())
        return Record(
            as_of=last, basis=basis, groups=grouped, broken=record.broken(claims, fates), runs=len(runs), left=left
        )

    def _sightings(self, runs: list[Run]) -> dict[str, list[Sighting]]:
        """By claim, its first finding and each later one with another verdict."""
        found: dict[str, list[Sighting]] = {}
        for row in self._store.ledger.rows(runs[0].id) if runs else ():
            found[row.claim] = [Sighting(runs[0].as_of, row)]
        for before, after in pairwise(runs):
            for claim, _, later in self._store.ledger.changes(before.id, after.id):
                found.setdefault(claim, []).append(Sighting(after.as_of, later))
        return dict(sorted(found.items()))

    def _groups(self, by: GroupField | None, claims: tuple[Claim, ...], fates: list[Fate]) -> tuple[RecordGroup, ...]:
        if by is None:
            return (record.group(EVERYTHING, EVERYTHING, fates),)
        return record.groups(by.value, self._values(by), claims, fates)

    def _values(self, by: GroupField) -> Values:
        if by in _VALUES:
            return _VALUES[by]
        cards = {card.id: card for card in self._store.index_feed.cards()}
        if by is GroupField.KIND:
            return lambda claim: (cards[claim.node].kind.value,) if claim.node in cards else ()
        return lambda claim: (*claim.tags, *(cards[claim.node].tags if claim.node in cards else ()))


_VALUES: Mapping[GroupField, Values] = {
    GroupField.BRAIN: lambda claim: (claim.node.partition("/")[0],),
    GroupField.ASSERTED_BY: lambda claim: (claim.asserted_by.value,),
    GroupField.MODEL: lambda claim: (one.question.item for one in dependencies(claim) if one.question is not None),
    GroupField.INPUT: lambda claim: (one.name for one in dependencies(claim) if one.kind in {"price", "assumption"}),
}
"""The groups of a claim by the fields that need no node."""
