"""Evaluates claims: one with its explanation, all in a run, a stored run again, and in scenarios."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from itertools import chain, tee
from typing import TypeVar

from api.release import VERSION
from api.services.evaluation_inputs import (
    PUBLIC,
    EvaluationInputs,
    EvaluationInputsCache,
    EvaluationParts,
    Part,
    StoredClaims,
    checked_overrides,
    made_by,
)
from api.services.price_service import PriceService
from api.services.quote_finder import QuoteFinder
from api.services.task_mapper import HERE, Mapper
from compute.claims.claim_cases import PLAIN, Terms
from compute.claims.overrides import NONE, Overrides
from compute.prices.price_models import Book
from compute.record.life_models import LifeLine
from compute.record.replay import Replay
from compute.runs import run_ledger
from compute.units.units import vocabulary
from compute.verify.claim_chunks import ClaimTask, Start, explained, find, live, preview
from compute.verify.claim_verifier import explain, verify
from compute.verify.forecast import Preview
from compute.verify.scenarios import Outcome, Scenario, play
from graph.models.claim_models import Claim
from graph.models.verdict_models import METHOD, REPLAYED, ClaimFinding, Run, RunNote, RunPart, Verdict, VerdictRow
from graph.store import Store
from graph.values import Value

Through = Callable[[Iterable[ClaimFinding]], Iterator[ClaimFinding]]
"""Findings on their way into the ledger, to check a deadline or to show progress."""


Found = TypeVar("Found")


class ClaimComputer:
    """Evaluates claims; each method gives one result for each claim, in their order.

    Other processes compute the claims that need only the book; this one computes those that need the store.
    """

    def __init__(self, mapper: Mapper = HERE) -> None:
        self._mapper = mapper

    def findings(self, stored: StoredClaims, book: Book, as_of: date, terms: Terms) -> Iterator[ClaimFinding]:
        """The finding of each claim for a day, as `Verifier.finding`."""
        if not self._mapper.remote:
            return map(find(book, as_of, terms), stored.claims())
        return self._remote(find, stored.bodies(), book, as_of, terms)

    def rows(self, claims: Iterable[Claim], book: Book, as_of: date, terms: Terms = PLAIN) -> Iterator[VerdictRow]:
        """The row of each claim for a day, as `claim_verifier.verify`."""
        return (one.row for one in self._each(find, claims, book, as_of, terms))

    def previews(
        self, claims: Iterable[Claim], book: Book, as_of: date, until: date, terms: Terms
    ) -> Iterator[Preview]:
        """The expectation of each claim as text, and the changes of its verdict that are to come."""
        return self._each(partial(preview, until=until), claims, book, as_of, terms)

    def verdicts(self, claims: Iterable[Claim], book: Book, as_of: date, terms: Terms) -> Iterator[Verdict]:
        """The verdict of each claim with its working."""
        return self._each(explained, claims, book, as_of, terms)

    def lives(self, claims: Sequence[Claim], book: Book, today: date, terms: Terms, own: Replay) -> Iterator[LifeLine]:
        """The life line of each claim; `own` replays claims in this process."""
        since = min((claim.as_of for claim in claims), default=today)
        return self._each(partial(live, since=since), claims, book, today, terms, own=own.life)

    def _each(
        self, start: Start[Found], claims: Iterable[Claim], book: Book, as_of: date, terms: Terms,
        *, own: Callable[[Claim], Found] | None = None,
    ) -> Iterator[Found]:  # fmt: skip
        if not self._mapper.remote:
            return map(own or start(book, as_of, terms), claims)
        bodies = (claim.model_dump_json() for claim in claims)
        return self._remote(start, bodies, book, as_of, terms, own=own)

    def _remote(
        self, start: Start[Found], bodies: Iterable[str], book: Book, as_of: date, terms: Terms,
        *, own: Callable[[Claim], Found] | None = None,
    ) -> Iterator[Found]:  # fmt: skip
        """The results of other processes; the claims that these leave are computed here."""
        units = terms.units or vocabulary()
        task = ClaimTask(start, book, as_of, dict(terms.overrides.stated), dict(terms.first_snapshots), units)
        own, (sent, kept) = own or start(book, as_of, terms), tee(bodies)
        for body, found in zip(kept, self._mapper.map(task, sent), strict=True):
            yield own(Claim.model_validate_json(body)) if found is None else found


class Rerun(Value):
    """An old run computed again: where it differs, byte for byte.

    `rules` is the version of the rules that made it. A run of an earlier version is kept as it was and not computed
    again: `claims` is 0, and `same` is None.
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
    """Evaluates the claims of a store.

    `inputs` and `computer` are what other services evaluate them with: `RunReports`, `RunComparer`, `RecordService`.
    """

    def __init__(
        self, store: Store, prices: PriceService, quotes: QuoteFinder | None = None, mapper: Mapper = HERE
    ) -> None:
        self._store, self._prices, self._quotes = store, prices, quotes or QuoteFinder(store)
        self.computer = ClaimComputer(mapper)
        self.inputs = EvaluationInputsCache(store, prices)
        self._parts = EvaluationParts(store)

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
        found = inputs.claim(claim)
        numbers = checked_overrides(sets or {}, [found], inputs, as_of, currency=currency)
        return self.explain_with(inputs, found, as_of, numbers, currency)

    def explained(self, run: Run) -> Callable[[Claim], Verdict]:
        """A function that explains claims as a run found them; the inputs of the run are loaded once.

        Raises:
            ManifestError, SnapshotError, NotFoundError: what the run was made from is damaged or gone.
        """
        made_by = {"run": run.id, "evaluated_at": run.finished_at}
        loaded = {run.rules: self.inputs.like(run)}
        parts = bool(self._store.ledger.parts(run.id))

        def explained(claim: Claim) -> Verdict:
            own = self._store.ledger.for_claim(run, claim.id) if parts else run
            if own.rules not in loaded:
                loaded[own.rules] = self.inputs.like(own)
            return self.explain_with(loaded[own.rules], claim, run.as_of).model_copy(update=made_by)

        return explained

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
        self._all_parts()  # makes the books before the write lock is taken; inside they are only compared
        with self._store.transaction():
            parts = self._all_parts()
            inputs = parts[0].inputs
            found = (
                row
                for part in parts
                for row in self.computer.findings(
                    part.claims.until(as_of) if replay else part.claims, part.inputs.book, as_of, part.inputs.terms()
                )
            )
            snapshot = inputs.snapshot()
            self._prices.observe(inputs.book, snapshot.digest, at.date())
            run = run_ledger.append(
                self._store,
                through(found),
                snapshot=snapshot,
                rules=inputs.rules(),
                as_of=as_of,
                started_at=at,
                clock=clock,
                code=VERSION,
                notes=(*notes, *((REPLAYED,) if replay else ()), *self._new_rules()),
                parts=[
                    run_ledger.PartInputs(one.brain, one.inputs.snapshot(), one.inputs.rules()) for one in parts[1:]
                ],
                brains={digest: brains for one in parts for digest, brains in one.document_brains.items()},
            )
            after(run)
        return run

    def _all_parts(self) -> tuple[Part, ...]:
        """The parts of a run: one with everything if no brain is private."""
        inputs = self.inputs.now()
        stored = StoredClaims(self._store.claims.all, self._store.claims.bodies)
        return self._parts.all() or (Part(PUBLIC, inputs, stored, self._prices),)

    def _new_rules(self) -> tuple[str, ...]:
        """A note for the first run by a new version of the rules."""
        latest = self._store.ledger.runs(1)
        new = bool(latest) and latest[0].method != METHOD
        return (f"verdicts are made by version {METHOD} of the rules since this run",) if new else ()

    def rerun(self, run: int) -> Rerun:
        """An old run computed again from what it was made from.

        Raises:
            UnknownRunError: there is no such run.
            ManifestError, SnapshotError: what it was made from is damaged.
        """
        old = self._store.ledger.run(run)
        if old.method != METHOD:
            return Rerun(run=run, rules=old.method)
        inputs = self.inputs.read_again(old)
        public = {claim.id for claim in inputs.claims()} if (parts := self._store.ledger.parts(run)) else set()
        again = chain(
            self.computer.rows(_claims_of(old, inputs), inputs.book, old.as_of, inputs.terms()),
            *(self._part_again(old, part, public) for part in parts),
        )
        return Rerun(
            run=run,
            rules=old.method,
            claims=sum(old.counts.values()),
            differences=run_ledger.compare(self._store.ledger.rows(run), again),
        )

    def _part_again(self, old: Run, part: RunPart, public: Collection[str]) -> Iterator[VerdictRow]:
        """The rows of the claims of a private brain, computed again; `public` are the claims of the public part."""
        inputs = self.inputs.read_again(old.model_copy(update={"snapshot": part.snapshot, "rules": part.rules}))
        claims = (claim for claim in _claims_of(old, inputs) if claim.id not in public)
        return iter(verify(claims, inputs.book, old.as_of, inputs.terms()))

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

    def _inputs_of_claim(self, claim: str, known: date | None, run: Run | None) -> EvaluationInputs:
        """The inputs of the part that a claim is in."""
        if run is not None:
            return self.inputs.like(self._store.ledger.for_claim(run, claim))
        part = None if known else self._parts.of_claim(claim)
        if part:
            return part.inputs
        return self.inputs.known(known) if known else self.inputs.now()

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
        return self._quotes.voiced(found, claim)


def _claims_of(run: Run, inputs: EvaluationInputs) -> Iterator[Claim]:
    """The claims of a run."""
    return made_by(inputs.claims(), run.as_of) if run.replayed else iter(inputs.claims())
