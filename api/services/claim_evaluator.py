"""Evaluating claims: one explained, all for a day, an old run again, with the caller's numbers, and on future days."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import chain, repeat

from api.release import VERSION
from api.services.claim_computer import ClaimComputer, StoredClaims
from api.services.evaluation_inputs import EvaluationInputs, EvaluationInputsCache
from api.services.evaluation_parts import PUBLIC, EvaluationParts, Part
from api.services.price_service import PriceService
from api.services.quote_finder import QuoteFinder
from api.services.task_mapper import HERE, Mapper
from compute.claims.claim_cases import Terms
from compute.claims.claim_dependencies import named_by
from compute.claims.overrides import NONE, Overrides, UnknownInputError, overrides
from compute.claims.verdict_causes import strengthens
from compute.impact.nearest_changes import fragile, nearest
from compute.impact.price_impact import readable, unread
from compute.prices.data_freshness import AgedInput, Freshness, aged, freshness
from compute.prices.snapshots import SnapshotError
from compute.record.forecast_scores import Announced
from compute.record.life_models import LifeLine
from compute.record.replay import Replay, life_lines
from compute.reports.errata import Errata, errata, is_contradiction, is_erratum, placed
from compute.reports.report_model import FragileClaim, NearestChange, Report, ReportEntry
from compute.reports.turn_causes import moved, moved_inputs
from compute.runs import run_ledger
from compute.verify.claim_verifier import converted, explain, verify
from compute.verify.forecast import Preview, by_day
from compute.verify.scenarios import Outcome, Scenario, play
from graph.models.claim_models import Cause, Claim, VerdictName
from graph.models.packed_verdicts import PackedRow
from graph.models.verdict_change import VerdictChange
from graph.models.verdict_models import METHOD, ClaimFinding, Run, RunPart, Verdict, VerdictRow
from graph.store import Store
from graph.store.store_errors import NotFoundError, UnknownClaimError
from graph.values import Value

HORIZON = timedelta(days=90)
"""How far ahead the report looks for prices that will change."""

MOVES = frozenset({Cause.PRICE_MOVED, Cause.FAMILY_MOVED, Cause.SOURCE_CHANGED})
"""Causes of a verdict, since the claim's own day, for which a report lists what moved since the run before."""

MOST_COMPARED = 50
"""Of so many changes in a report the inputs are compared with those of the run before."""

Through = Callable[[Iterable[ClaimFinding | PackedRow]], Iterator[ClaimFinding | PackedRow]]
"""Findings on their way into the ledger, to check a deadline or to show progress."""


class Rerun(Value):
    """An old run computed again: where it differs, byte for byte."""

    run: int
    claims: int
    differences: tuple[run_ledger.RunDifference, ...]

    @property
    def same(self) -> bool:
        """True where nothing differs."""
        return not self.differences


class ClaimEvaluator:
    """Asks the engine about the claims of a store."""

    def __init__(
        self, store: Store, market: PriceService, quotes: QuoteFinder | None = None, mapper: Mapper = HERE
    ) -> None:
        self._store, self._market, self._quotes = store, market, quotes or QuoteFinder(store)
        self._computer = ClaimComputer(mapper)
        self._benches = EvaluationInputsCache(store, market)
        self._parts = EvaluationParts(store)
        self._ruled: dict[tuple[int, int], frozenset[str]] = {}

    def close(self) -> None:
        """Close the views of the store that the claims of private brains are evaluated over."""
        self._parts.close()

    def explain(
        self,
        claim: str,
        as_of: date,
        *,
        known: date | None = None,
        run: Run | None = None,
        sets: Mapping[str, str] | None = None,
        currency: str | None = None,
    ) -> Verdict:
        """One verdict with its working, by what is known now, was known on a day, or a run had; stores nothing.

        With a `currency`, such as `EUR`, its money is in that currency by the exchange rates of each day.

        Raises:
            UnknownClaimError: there is no such claim.
            OverrideError: a number in `sets` cannot be read.
            UnknownInputError: the claim does not read a name in `sets`.
            NothingKnownError: there was no run yet on the day `known`.
            CurrencyError: there is no such currency, or the value of the claim is not money.
        """
        inputs = self._inputs_of_claim(claim, known, run)
        found = self._claim(inputs, claim)
        told = _overrides(sets or {}, [found], inputs, as_of, currency=currency)
        return self._explain(inputs, found, as_of, told, currency, method=run.method if run else METHOD)

    def explained(self, run: Run) -> Callable[[Claim], Verdict]:
        """What explains claims as a run found them; everything is laid out once.

        Raises:
            ManifestError, SnapshotError, NotFoundError: what the run was made from is damaged or gone.
        """
        told = {"run": run.id, "evaluated_at": run.finished_at}
        laid = {run.rules: self._benches.like(run)}
        parts = bool(self._store.ledger.parts(run.id))

        def explained(claim: Claim) -> Verdict:
            own = self._store.ledger.for_claim(run, claim.id) if parts else run
            if own.rules not in laid:
                laid[own.rules] = self._benches.like(own)
            return self._explain(laid[own.rules], claim, run.as_of, method=run.method).model_copy(update=told)

        return explained

    def append(
        self,
        as_of: date,
        *,
        at: datetime,
        clock: Callable[[], datetime],
        through: Through = iter,
        notes: tuple[str, ...] = (),
        after: Callable[[Run], None] = lambda _run: None,
    ) -> Run:
        """Evaluate all claims for a day and append the run, all or nothing; `after` is called in its transaction.

        Claims, prices and documents are read in the transaction of the run, so that it records what it was made from.
        """
        self._all_parts()  # makes the books before the write lock is taken; inside they are only compared
        with self._store.transaction():
            parts = self._all_parts()
            inputs = parts[0].inputs
            found = (
                row
                for part in parts
                for row in self._computer.findings(part.claims, part.inputs.book, as_of, _terms(part.inputs))
            )
            snapshot = inputs.snapshot()
            self._market.observe(inputs.book, snapshot.digest, at.date())
            run = run_ledger.append(
                self._store,
                through(found),
                snapshot=snapshot,
                rules=inputs.rules(),
                as_of=as_of,
                started_at=at,
                clock=clock,
                code=VERSION,
                notes=(*notes, *self._new_rules()),
                parts=[
                    run_ledger.PartInputs(one.brain, one.inputs.snapshot(), one.inputs.rules()) for one in parts[1:]
                ],
                brains={digest: brains for one in parts for digest, brains in one.document_brains.items()},
            )
            after(run)
        return run

    def _all_parts(self) -> tuple[Part, ...]:
        """The parts of a run: one with everything if no brain is private."""
        inputs = self._benches.now()
        stored = StoredClaims(self._store.claims.all, self._store.claims.bodies)
        return self._parts.all() or (Part(PUBLIC, inputs, stored, self._market),)

    def _new_rules(self) -> tuple[str, ...]:
        """A note for the first run by a new version of the rules."""
        latest = self._store.ledger.runs(1)
        new = bool(latest) and latest[0].method != METHOD
        return (f"verdicts are made by version {METHOD} of the rules since this run",) if new else ()

    def report(self, run: Run, *, working: bool = False) -> Report:
        """The report of a run; `working` adds the inputs and steps of every claim."""
        inputs = self._benches.now()
        claims = {claim.id: claim for claim in inputs.claims()}
        rows = [row for row in self._store.ledger.rows(run.id) if row.claim in claims]
        previews = self._previews(inputs, claims.values(), run.as_of)
        bars = {claim: one.expected for claim, one in zip(claims, previews, strict=True)}
        both = [(row, bars[row.claim]) for row in rows]
        entries = list(self._entries(inputs, [claims[row.claim] for row in rows], both, run.as_of, working=working))
        before = self._store.ledger.latest_run(before=run)
        changes, ruled = self.changes_between(before, run) if before else ((), ())
        changes = tuple(self._caused(before, run, changes)) if before else ()
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
            aged=self._aged(rows),
            ages=self.ages(run.as_of),
        )

    def news(self, run: Run, before: Run | None, entries: tuple[ReportEntry, ...]) -> Report:
        """The report of a run with its entries, without what takes a look ahead or a full explanation of claims."""
        changes, ruled = self.changes_between(before, run) if before else ((), ())
        known, old = self._refuted_before(run, changes), self._aged(entry.row for entry in entries)
        return Report(
            run=run, before=before, entries=entries, changes=changes, ruled=ruled, known=known, aged=old,
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
        inputs = self._evaluation_inputs(known, None)
        chosen = [self._claim(inputs, claim) for claim in claims] or list(inputs.claims())
        told = _overrides(sets or {}, chosen, inputs, as_of)
        rows = list(self._computer.rows(chosen, inputs.book, as_of, _terms(inputs, told)))
        plain = self._computer.rows(chosen, inputs.book, as_of, _terms(inputs)) if told else rows
        counts = {name.value: sum(row.verdict is name for row in rows) for name in VerdictName}
        run = Run(
            id=0, as_of=as_of, started_at=at, finished_at=at, code=VERSION, snapshot=inputs.snapshot().digest,
            rules=inputs.rules().digest, counts=counts,
            notes=_trial_notes(known),
        )  # fmt: skip
        plain_trial = not (told or claims or known)
        previews = self._previews(inputs, chosen, as_of, told, ahead=plain_trial)
        both = zip(rows, (one.expected for one in previews), strict=True)
        entries = tuple(self._entries(inputs, chosen, both, as_of, told, working=working))
        found = Report(run=run, entries=entries, aged=self._aged(rows), ages=self.ages(as_of))
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

    def changes_between(self, before: Run, after: Run) -> tuple[tuple[VerdictChange, ...], tuple[VerdictChange, ...]]:
        """The changes between two runs, and those of them that only a new version of the rules made.

        The earlier run is computed again by the rules of today: a verdict that changes then too is due to the rules.
        """
        changes = tuple(self.changes(before, after))
        if before.method == after.method or not changes:
            return changes, ()
        again = self._by_todays_rules(before)
        ruled = tuple(
            one for one in changes if one.before and one.after and again.get(one.claim, one.after) is one.after
        )
        return tuple(one for one in changes if one not in ruled), ruled

    def _caused(self, before: Run, after: Run, changes: Sequence[VerdictChange]) -> Iterator[VerdictChange]:
        """The changes with their effect since the run before, the first of them also with what moved since then.

        Where that run is damaged, they keep the cause of the verdict.
        """
        changes = [self._since(change) for change in changes]
        alike = [one.claim for one in changes if one.before and one.after not in {None, VerdictName.REFUTED}]
        causes = self._moved(before, after, alike[:MOST_COMPARED]) if alike else {}
        for change in changes:
            cause = causes.get(change.claim)
            better = change.cause is None or change.cause in MOVES
            yield change.model_copy(update={"cause": cause}) if cause and better else change

    def _since(self, change: VerdictChange) -> VerdictChange:
        """A change with its effect on the thesis since the run before, not since the claim's own day."""
        old, new = change.value_before, change.value_after
        claim = self._benches.now().find(change.claim)
        if claim is None or old is None or new is None or old == new:
            return change
        return change.model_copy(update={"helps_thesis": strengthens(claim, up=new > old)})

    def _moved(self, before: Run, after: Run, claims: Sequence[str]) -> dict[str, Cause | None]:
        """What moved between two runs for each claim; nothing where a run can no longer be laid out."""
        find = self._benches.now().find
        try:
            old, new = self.explained(before), self.explained(after)
        except (run_ledger.ManifestError, SnapshotError, NotFoundError):
            return {}
        return {name: moved(old(claim), new(claim)) for name in claims if (claim := find(name))}

    def moved_prices(self, run: int, claims: Sequence[str]) -> dict[str, str]:
        """The prices and assumptions that moved for claims between a run and the one before it, in words.

        Claims of which nothing moved are left out; so are all of them where a run can no longer be laid out.
        """
        try:
            after = self._store.ledger.run(run)
            before = self._store.ledger.latest_run(before=after)
            if before is None:
                return {}
            old, new = self.explained(before), self.explained(after)
        except (run_ledger.ManifestError, SnapshotError, NotFoundError):
            return {}
        find = self._benches.now().find
        found = {name: moved_inputs(old(claim), new(claim)) for name in claims[:MOST_COMPARED] if (claim := find(name))}
        return {name: words for name, words in found.items() if words}

    def _by_todays_rules(self, run: Run) -> dict[str, VerdictName]:
        """The verdicts of an old run by the rules of today; none where what it was made from is damaged or gone."""
        try:
            inputs = self._benches.of(run)
            return {
                row.claim: row.verdict for row in verify(list(inputs.claims()), inputs.book, run.as_of, _terms(inputs))
            }
        except (run_ledger.ManifestError, SnapshotError, NotFoundError):
            return {}

    def _refuted_before(self, run: Run | None, changes: Iterable[VerdictChange]) -> tuple[str, ...]:
        """Of the claims that became refuted, those that a run before this one had refuted."""
        names = [one.claim for one in changes if one.after is VerdictName.REFUTED]
        first = self._store.ledger.first_found(VerdictName.REFUTED, names)
        return tuple(name for name, found in first.items() if run is None or found.id < run.id)

    def _fragile(
        self, inputs: EvaluationInputs, entries: Iterable[ReportEntry], as_of: date
    ) -> tuple[FragileClaim, ...]:
        found = (entry for entry in entries if entry.row.robust is not None and entry.row.robust.fragile)
        return fragile(found, lambda claim: self._explain(inputs, claim, as_of))

    def _aged(self, rows: Iterable[VerdictRow]) -> tuple[AgedInput, ...]:
        """The oldest inputs of verdicts that were checked longer ago than their limits."""
        dated = [row for row in rows if row.oldest_input is not None]
        if not dated:
            return ()
        library = self._market.library()
        names = {one.name for one in library.assumptions}
        return aged(dated, self._market.book().catalogs, names, library.limits)

    def errata(
        self, run: Run, entries: Iterable[ReportEntry], place: Callable[[Claim], Mapping[str, object]]
    ) -> Errata:
        """The errata among the entries of a run; `place` gives the fields of an erratum that say where it is."""
        told = {entry.claim.id: entry for entry in entries if is_erratum(entry) or is_contradiction(entry)}
        inputs = self._benches.now()
        claims, rows = [one.claim for one in told.values()], [one.row for one in told.values()]
        bars = (one.expected for one in self._previews(inputs, claims, run.as_of, ahead=False))
        listed = list(self._entries(inputs, claims, zip(rows, bars, strict=True), run.as_of, working=False))
        first = self._store.ledger.first_found(VerdictName.REFUTED, told)
        return placed(errata(listed, first.get), lambda one: place(told[one.root].claim))

    def _since_latest(self, claims: Sequence[Claim], rows: Iterable[VerdictRow]) -> tuple[VerdictChange, ...]:
        """The claims of the latest run whose verdict is another one in these rows."""
        latest = self._store.ledger.latest_run()
        known = {row.claim: row for row in self._store.ledger.rows(latest.id)} if latest else {}
        pairs = [(claim, row) for claim, row in zip(claims, rows, strict=True) if claim.id in known]
        return _changed(
            [claim for claim, _ in pairs], [known[claim.id] for claim, _ in pairs], [row for _, row in pairs]
        )

    @staticmethod
    def _claim(inputs: EvaluationInputs, claim: str) -> Claim:
        found = inputs.find(claim)
        if found is None:
            raise UnknownClaimError(claim)
        return found

    def _entries(
        self, inputs: EvaluationInputs, claims: Sequence[Claim], found: Iterable[tuple[VerdictRow, str]], as_of: date,
        told: Overrides = NONE, *,
        working: bool,
    ) -> Iterator[ReportEntry]:  # fmt: skip
        """The entries of claims; `found` is the row of each and its expectation as text."""
        terms = _terms(inputs, told)
        shown = self._computer.verdicts(claims, inputs.book, as_of, terms) if working else repeat(None, len(claims))
        for claim, (row, expected), told_of in zip(claims, found, shown, strict=True):
            verdict = self._quotes.voiced(told_of, claim) if told_of else None
            place = self._quotes.place(claim)
            yield ReportEntry(claim=claim, row=row, verdict=verdict, expected=expected, quoted=place)

    def _near(self, inputs: EvaluationInputs, entries: Iterable[ReportEntry], as_of: date) -> tuple[NearestChange, ...]:
        holding = (entry for entry in entries if entry.row.verdict is VerdictName.HOLDS)
        return nearest(holding, lambda claim: self._explain(inputs, claim, as_of))

    def rerun(self, run: int) -> Rerun:
        """An old run computed again from what it was made from.

        Raises:
            UnknownRunError: there is no such run.
            ManifestError, SnapshotError: what it was made from is damaged.
        """
        old = self._store.ledger.run(run)
        inputs = self._benches.of(old)
        public = {claim.id for claim in inputs.claims()} if (parts := self._store.ledger.parts(run)) else set()
        again = chain(
            self._computer.rows(inputs.claims(), inputs.book, old.as_of, _terms(inputs, method=old.method)),
            *(self._part_again(old, part, public) for part in parts),
        )
        return Rerun(
            run=run,
            claims=sum(old.counts.values()),
            differences=run_ledger.compare(self._store.ledger.rows(run), again),
        )

    def _part_again(self, old: Run, part: RunPart, public: Collection[str]) -> Iterator[VerdictRow]:
        """The rows of the claims of a private brain, computed again; `public` are the claims of the public part."""
        inputs = self._benches.of(old.model_copy(update={"snapshot": part.snapshot, "rules": part.rules}))
        claims = (claim for claim in inputs.claims() if claim.id not in public)
        return iter(verify(claims, inputs.book, old.as_of, _terms(inputs, method=old.method)))

    def play(self, scenarios: Iterable[Scenario], as_of: date) -> tuple[Outcome, ...]:
        """The verdicts that turn in each scenario; stores nothing.

        Raises:
            UnknownInputError: no claim reads a figure of a scenario.
        """
        inputs, told = self._benches.now(), list(scenarios)
        claims = list(inputs.claims())
        for one in told:
            _overrides(dict(one.sets), claims, inputs, as_of, where=f"In the scenario {one.name}, no claim")
        return play(told, claims, inputs.book, as_of, _terms(inputs))

    def coming(self, as_of: date, until: date | None = None) -> tuple[VerdictChange, ...]:
        """The verdicts that will turn by prices already announced, until a day (default: 90 days on)."""
        inputs = self._benches.now()
        found = self._computer.previews(inputs.claims(), inputs.book, as_of, until or _ahead(as_of), _terms(inputs))
        return _coming(found)

    def _previews(
        self, inputs: EvaluationInputs, claims: Iterable[Claim], as_of: date, told: Overrides = NONE, *,
        ahead: bool = True,
    ) -> list[Preview]:  # fmt: skip
        """The expectation of each claim, and its coming changes within the horizon if `ahead`."""
        until = _ahead(as_of) if ahead else as_of
        return list(self._computer.previews(claims, inputs.book, as_of, until, _terms(inputs, told)))

    def replay(self, claims: Sequence[Claim], today: date) -> Replay:
        """What replays these claims over the prices as known now, announced ones included."""
        inputs = self._benches.now()
        since = min((claim.as_of for claim in claims), default=today)
        return Replay(inputs.book, since, today, _terms(inputs))

    def lives(self, claims: Sequence[Claim], today: date, replay: Replay) -> Iterator[LifeLine]:
        """The life line of each claim, in their order; `replay` is that of these claims and this day."""
        inputs = self._benches.now()
        return self._computer.lives(claims, inputs.book, today, _terms(inputs), replay)

    def announced(self, runs: Iterable[Run]) -> Iterator[tuple[date, frozenset[Announced]]]:
        """What each run announced for the days after its own, up to `HORIZON`, by the prices that it knew.

        Raises:
            ManifestError, SnapshotError, NotFoundError: what a run was made from is damaged or gone.
        """
        made: tuple[object, list[LifeLine]] = (None, [])
        for run in runs:
            if made[0] != (run.snapshot, run.rules):
                made = (run.snapshot, run.rules), self._lives_of(run)
            until = run.as_of + min(HORIZON, date.max - run.as_of)
            yield run.as_of, frozenset(_changes_between(made[1], run.as_of, until))

    def _lives_of(self, run: Run) -> list[LifeLine]:
        inputs = self._benches.like(run)
        terms = _terms(inputs, method=run.method)
        return list(life_lines(list(inputs.claims()), inputs.book, run.as_of, terms))

    def changes(self, before: Run, after: Run, only: Collection[str] | None = None) -> Iterator[VerdictChange]:
        """The claims that two runs see differently: all of them, or `only` these.

        Where only the rules changed between the runs, the reason says so.
        """
        find, rules = self._benches.now().find, self._by_rules(before, after)
        for claim, old, new in self._store.ledger.changes(before.id, after.id):
            if only is None or claim in only:
                change = VerdictChange.of(claim, find(claim), old, new)
                told = f"The figures did not change it: version {after.method} of the rules did. {change.reason}"
                yield change.model_copy(update={"reason": told.strip()}) if claim in rules else change

    def _by_rules(self, before: Run, after: Run) -> frozenset[str]:
        """The claims between two runs whose verdicts differ only because the runs were made by different rules."""
        key = (before.id, after.id)
        if before.method != after.method and key not in self._ruled:
            self._ruled[key] = frozenset(self._same_by_old_rules(before, after))
        return self._ruled.get(key, frozenset())

    def _same_by_old_rules(self, before: Run, after: Run) -> Iterator[str]:
        """The changed claims that the rules of the earlier run leave as they were, on the figures of the later one."""
        kept = {name: old.verdict for name, old, new in self._store.ledger.changes(before.id, after.id) if old and new}
        try:
            inputs = self._benches.like(after)
        except (run_ledger.ManifestError, SnapshotError, NotFoundError):
            return  # what the run was made from is gone
        claims = [claim for claim in map(inputs.find, kept) if claim is not None]
        for row in verify(claims, inputs.book, after.as_of, _terms(inputs, method=before.method)):
            if row.verdict is kept[row.claim]:
                yield row.claim

    def ages(self, on: date) -> tuple[Freshness, ...]:
        """How old every catalogue and assumption is on a day."""
        library = self._market.library()
        return freshness(self._market.book().catalogs, library.assumptions, on, library.limits)

    def _evaluation_inputs(self, known: date | None, run: Run | None) -> EvaluationInputs:
        if run is not None:
            return self._benches.like(run)
        return self._benches.known(known) if known else self._benches.now()

    def _inputs_of_claim(self, claim: str, known: date | None, run: Run | None) -> EvaluationInputs:
        """The inputs of the part that a claim is in."""
        if run is not None:
            return self._benches.like(self._store.ledger.for_claim(run, claim))
        part = None if known else self._parts.of_claim(claim)
        return part.inputs if part else self._evaluation_inputs(known, run)

    def _explain(
        self,
        inputs: EvaluationInputs,
        claim: Claim,
        as_of: date,
        told: Overrides = NONE,
        currency: str | None = None,
        *,
        method: int = METHOD,
    ) -> Verdict:
        return self._quotes.voiced(explain(claim, inputs.book, as_of, _terms(inputs, told, method), currency), claim)


def _changes_between(lives: Iterable[LifeLine], after: date, until: date) -> Iterator[Announced]:
    """The changes of life lines after a day, up to another."""
    for life in lives:
        for turn in life.turns:
            if after < turn.day <= until:
                yield Announced(turn.day, life.claim, turn.after)


def _ahead(as_of: date) -> date:
    return as_of + min(HORIZON, date.max - as_of)


def _coming(previews: Iterable[Preview]) -> tuple[VerdictChange, ...]:
    return tuple(by_day(change for one in previews for change in one.changes))


def _terms(inputs: EvaluationInputs, told: Overrides = NONE, method: int = METHOD) -> Terms:
    return Terms(inputs.tables, told, inputs.find, method, inputs.first_days(), unsaid=inputs.tables.unsaid)


def _overrides(
    sets: Mapping[str, str],
    claims: Sequence[Claim],
    inputs: EvaluationInputs,
    as_of: date,
    *,
    currency: str | None = None,
    where: str = "",
) -> Overrides:
    """The caller's numbers, each of which a claim reads, or a claim that one of them is compared with.

    Raises:
        OverrideError: a number cannot be read.
        UnknownInputError: nothing reads a name.
    """
    told = overrides(sets)
    if not told:
        return told
    others = (inputs.find(name) for claim in claims for name in named_by(claim))
    reading = [*claims, *(other for other in others if other is not None)]
    if unread(told, reading, inputs.book, as_of):
        reading = [converted(claim, inputs.book, as_of, _terms(inputs), currency) for claim in reading]
    if lost := unread(told, reading, inputs.book, as_of):
        where = where or (f"Nothing in the claim {claims[0].id}" if len(claims) == 1 else "No claim")
        raise UnknownInputError(lost[0], where, readable(reading))
    return told


def _changed(
    claims: Iterable[Claim], before: Iterable[VerdictRow], after: Iterable[VerdictRow]
) -> tuple[VerdictChange, ...]:
    """The claims whose verdict differs between two evaluations, row by row."""
    return tuple(
        VerdictChange.of(claim.id, claim, old, new)
        for claim, old, new in zip(claims, before, after, strict=True)
        if old.verdict is not new.verdict
    )


def _trial_notes(known: date | None) -> tuple[str, ...]:
    by = (f"by the claims and prices known on {known.isoformat()}",) if known else ()
    return (*by, "nothing was appended")
