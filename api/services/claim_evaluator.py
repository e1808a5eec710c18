"""Evaluates claims: one with its explanation, all in a run, a stored run again, and in scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from itertools import tee
from typing import TypeVar

from api.release import VERSION
from api.services.claim_places import QuoteFinder
from api.services.evaluation_inputs import EvaluationInputs, EvaluationInputsCache, Part, checked_overrides
from api.services.price_service import PriceService
from api.services.task_mapper import Mapper
from compute.claims.claim_case import Case
from compute.claims.claim_cases import Cases
from compute.claims.overrides import NONE, Overrides
from compute.runs import run_ledger
from compute.units.units import vocabulary
from compute.verify.claim_chunks import ClaimTask, Start, find
from compute.verify.claim_verifier import explain
from compute.verify.scenarios import Outcome, Scenario, play
from graph.models.claim_models import Claim
from graph.models.verdict_models import METHOD, REPLAYED, ClaimFinding, Run, RunNote, Verdict, VerdictRow
from graph.store import Store
from graph.values import Value

Through = Callable[[Iterable[ClaimFinding]], Iterator[ClaimFinding]]
"""Findings on their way into the ledger, to check a deadline or to show progress."""


Found = TypeVar("Found")


class Rerun(Value):
    """An old run computed again: where it differs, byte for byte.

    `rules` is the version of the rules that made it. A run of an earlier version is not computed again: `claims` is 0,
    and `same` is None.
    """

    run: int
    rules: int
    claims: int = 0
    differences: tuple[run_ledger.RunDifference, ...] = ()

    @property
    def same(self) -> bool | None:
        """True where nothing differs; None for a run of earlier rules."""
        return not self.differences if self.rules == METHOD else None


class ClaimEvaluator:
    """Evaluates the claims of a store with `inputs`."""

    def __init__(
        self,
        store: Store,
        prices: PriceService,
        quotes: QuoteFinder,
        mapper: Mapper,
        reader: Callable[[frozenset[str]], EvaluationInputsCache],
    ) -> None:
        self._store, self._prices, self._quotes, self._mapper = store, prices, quotes, mapper
        self.inputs = EvaluationInputsCache(store, prices, reader)

    def each(
        self, start: Start[Found], claims: Iterable[Claim], inputs: EvaluationInputs, as_of: date, *,
        numbers: Overrides = NONE, own: Callable[[Claim], Found] | None = None,
    ) -> Iterator[Found]:  # fmt: skip
        """The findings of `start` for each claim on a day, in their order.

        Other processes compute the claims that need only the book; this one computes those that need the store, by
        `own` in place of what `start` makes.
        """
        terms = inputs.terms(numbers)
        own = own or start(inputs.book, as_of, terms)
        if not self._mapper.remote:
            yield from map(own, claims)
            return
        units = terms.units or vocabulary()
        task = ClaimTask(start, inputs.book, as_of, dict(numbers.stated), dict(terms.first_snapshots), units)
        sent, kept = tee(claims)
        bodies = (claim.model_dump_json() for claim in sent)
        for claim, found in zip(kept, self._mapper.map(task, bodies, size=100), strict=True):
            yield own(claim) if found is None else found

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
        """One verdict with its working, by the data known now, known on a day, or used by a run; stores nothing.

        With a `currency`, such as `EUR`, its money is in that currency by the exchange rates of each day.

        Raises:
            UnknownClaimError: there is no such claim.
            OverrideError: a number in `sets` cannot be read.
            UnknownInputError: the claim does not read a name in `sets`.
            NothingKnownError: there was no run yet on the day `known`.
            CurrencyError: there is no such currency, or the value of the claim is not money.
        """
        if run is not None:
            inputs = self.inputs.like(self._store.ledger.for_claim(run, claim))
        else:
            inputs = self.inputs.known(known) if known else self.inputs.now_for(claim)
        found = inputs.claim(claim)
        numbers = checked_overrides(sets or {}, [found], inputs, as_of, currency=currency)
        return self.explain_with(inputs, found, as_of, numbers, currency)

    def explained(self, run: Run) -> Callable[[Claim], Verdict]:
        """A function that explains claims as a run found them; the inputs of the run are loaded once.

        Raises:
            ManifestError, SnapshotError, NotFoundError: the inputs of the run are damaged or missing.
        """
        made_by = {"run": run.id, "evaluated_at": run.finished_at}

        def start(inputs: EvaluationInputs) -> Callable[[Claim], Verdict]:
            return lambda claim: self.explain_with(inputs, claim, run.as_of).model_copy(update=made_by)

        return self._as_of_run(run, start)

    def cases(self, run: Run) -> Callable[[Claim], Case | str]:
        """As `explained`, without the working: the claim evaluated on both days, or why it is broken."""
        return self._as_of_run(run, lambda inputs: Cases(inputs.book, run.as_of, inputs.terms()).case)

    def _as_of_run(
        self, run: Run, start: Callable[[EvaluationInputs], Callable[[Claim], Found]]
    ) -> Callable[[Claim], Found]:
        found = {run.rules: start(self.inputs.like(run))}
        parts = bool(self._store.ledger.parts(run.id))

        def of_claim(claim: Claim) -> Found:
            own = self._store.ledger.for_claim(run, claim.id) if parts else run
            if own.rules not in found:
                found[own.rules] = start(self.inputs.like(own))
            return found[own.rules](claim)

        return of_claim

    def append(
        self,
        as_of: date,
        *,
        at: datetime,
        clock: Callable[[], datetime],
        through: Through = iter,
        notes: tuple[str | RunNote, ...] = (),
        after: Callable[[Run], None] = lambda _run: None,
        replay: bool = False,
    ) -> Run:
        """Evaluate all claims for a day and append the run, all or nothing; `after` is called in its transaction.

        A `replay` is of a past day, with the claims that had been made by then; see `Run.replayed`.

        Claims, prices and documents are read in the transaction of the run, so that it records what it was made from.
        """
        self.inputs.parts()  # makes the books before the write lock is taken; inside they are only compared
        with self._store.transaction():
            parts, brains = self.inputs.parts(), {}
            for part in parts:
                heads = part.store.documents.heads()
                brains[part.inputs.rules().digest] = {one.brain for one in heads}
                brains[part.inputs.snapshot().digest] = {one.brain for one in heads if one.format == "prices"}
            inputs = parts[0].inputs
            snapshot = inputs.snapshot()
            edited = self._prices.stated().edited
            stated = ((one.name, map(vars, one.prices), one.version) for one in inputs.book.catalogs)
            self._prices.observer.observe(stated, snapshot.digest, at.date(), edited=edited, complete=True)
            run = run_ledger.append(
                self._store,
                through(self._findings(parts, as_of, replay=replay)),
                snapshot=snapshot,
                rules=inputs.rules(),
                as_of=as_of,
                started_at=at,
                clock=clock,
                code=VERSION,
                notes=(*notes, *((REPLAYED,) if replay else ()), *self._new_rules()),
                parts=[(one.brain, one.inputs.snapshot(), one.inputs.rules()) for one in parts[1:]],
                brains=brains,
            )
            after(run)
        return run

    def _findings(self, parts: Iterable[Part], as_of: date, *, replay: bool) -> Iterator[ClaimFinding]:
        for part in parts:
            yield from self.each(find, part.inputs.made_by(as_of if replay else None), part.inputs, as_of)

    def _new_rules(self) -> tuple[str, ...]:
        """A note for the first run by a new version of the rules."""
        latest = self._store.ledger.runs(1)
        new = bool(latest) and latest[0].method != METHOD
        return (f"verdicts are made by version {METHOD} of the rules since this run",) if new else ()

    def rerun(self, run: int) -> Rerun:
        """An old run computed again from its inputs.

        Raises:
            UnknownRunError: there is no such run.
            ManifestError, SnapshotError: its inputs are damaged.
        """
        old = self._store.ledger.run(run)
        if old.method != METHOD:
            return Rerun(run=run, rules=old.method)
        return Rerun(
            run=run,
            rules=old.method,
            claims=sum(old.counts.values()),
            differences=run_ledger.compare(self._store.ledger.rows(run), self._rows_again(old)),
        )

    def _rows_again(self, old: Run) -> Iterator[VerdictRow]:
        """The rows of a run computed again; those of private brains without the claims of the public part."""
        public: set[str] = set()
        for part in (None, *self._store.ledger.parts(old.id)):
            made_from = {"snapshot": part.snapshot, "rules": part.rules} if part else {}
            inputs = self.inputs.read_again(old.model_copy(update=made_from))
            stated = inputs.made_by(old.as_of if old.replayed else None)
            claims = (claim for claim in stated if claim.id not in public)
            yield from (found.row for found in self.each(find, claims, inputs, old.as_of))
            public = public if part else {claim.id for claim in inputs.claims()}

    def play(self, scenarios: Iterable[Scenario], as_of: date) -> tuple[Outcome, ...]:
        """The verdicts that change in each scenario; stores nothing.

        Raises:
            UnknownInputError: no claim reads a figure of a scenario.
        """
        inputs, listed = self.inputs.now(), list(scenarios)
        claims = list(inputs.claims())
        for one in listed:
            checked_overrides(dict(one.sets), claims, inputs, as_of, where=f"In the scenario {one.name}, no claim")
        return play(listed, claims, inputs.book, as_of, inputs.terms())

    def explain_with(
        self,
        inputs: EvaluationInputs,
        claim: Claim,
        as_of: date,
        numbers: Overrides = NONE,
        currency: str | None = None,
    ) -> Verdict:
        """One verdict with its working, from inputs that the caller has, with numbers that replace some of them."""
        found = explain(claim, inputs.book, as_of, inputs.terms(numbers), currency)
        return self._quotes.with_quote(found, claim)
