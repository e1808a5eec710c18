"""Evaluates claims by the current inputs or those of an old run: one explained, all in a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache, lru_cache, partial
from itertools import chain, tee
from typing import TypeVar

from api.release import VERSION
from api.services.claim_quotes import QuoteFinder
from api.services.price_service import PriceService
from api.services.task_mapper import Mapper
from compute.claims import claim_loader
from compute.claims.claim_case import Case
from compute.claims.claim_cases import Cases, Terms
from compute.claims.claim_program import named_by
from compute.claims.overrides import NONE, Overrides, UnknownInputError, overrides
from compute.claims.stated_figures import unsaid
from compute.impact.price_impact import readable, unread
from compute.prices.price_book import CatalogBook
from compute.prices.rule_files import vocabulary_of
from compute.prices.rule_library import library_of, stored_units, units_of
from compute.prices.snapshots import NothingKnownError, Snapshot
from compute.runs import run_ledger
from compute.runs.run_ledger import documents_of, manifest
from compute.units.units import Vocabulary, using
from compute.verify.claim_chunks import ClaimTask, Start, find
from compute.verify.claim_verifier import converted, explain
from graph.models.claim_models import Claim
from graph.models.node_models import Node, Table
from graph.models.query_models import DocumentRecord
from graph.models.verdict_models import METHOD, REPLAYED, Run, RunNote, Verdict, VerdictRow
from graph.store import Store
from graph.store.store_errors import NotFoundError, UnknownClaimError
from graph.store.versioned_cache import cached_in
from graph.values import Value

MOST_RUNS = 2
"""Of how many earlier runs the inputs are cached: a comparison needs two. A price book takes tens of megabytes."""


PUBLIC = ""  # in place of a private brain


@dataclass(frozen=True)
class EvaluationInputs:
    """Everything a verification reads. `claims` can be iterated any number of times.

    `first_days` is the day of the first snapshot of each imported catalogue, which never changes. `brain` is the
    private brain whose claims these are, or `PUBLIC`; `store` has what these claims see.
    """

    claims: Callable[[], Iterator[Claim]]
    find: Callable[[str], Claim | None]
    book: CatalogBook
    node: Callable[[str], Node | None]
    rules: Callable[[], Snapshot]
    first_days: Callable[[], Mapping[str, date]]
    units: Vocabulary
    store: Store
    brain: str = PUBLIC

    def made_by(self, day: date | None) -> Iterator[Claim]:
        """The claims that had been made by a day; without a day all."""
        return (claim for claim in self.claims() if day is None or claim.as_of <= day)

    def claim(self, name: str) -> Claim:
        """A claim by its id. Raises `UnknownClaimError`."""
        found = self.find(name)
        if found is None:
            raise UnknownClaimError(name)
        return found

    def terms(self, numbers: Overrides = NONE) -> Terms:
        """The inputs of an evaluation besides claims and prices, with the caller's numbers."""
        return Terms(self.tables, numbers, self.find, self.first_days(), self.unsaid, self.units)

    def tables(self, node: str) -> tuple[Table, ...] | None:
        """The tables of a node in the order of its text; None if there is no such node."""
        found = self.node(node)
        return found.tables if found else None

    def unsaid(self, claim: Claim) -> str:
        """Why the text of its node does not state a claim; empty if it does."""
        node = self.node(claim.node)
        return unsaid(claim, node.body if node else None)


class EvaluationInputsCache:
    """Makes the inputs of evaluations; `reader` gives those for which the brains of a set are hidden."""

    def __init__(self, prices: PriceService, reader: Callable[[frozenset[str]], EvaluationInputsCache]) -> None:
        self.store, self._prices, self._reader = prices.store, prices, reader
        self._cache, self._earlier = self.store.cache(1), self.store.cache(MOST_RUNS)

    @cached_in("_cache")
    def now(self) -> EvaluationInputs:
        """The inputs with everything as it is."""
        book = self._prices.book()
        return EvaluationInputs(
            claims=self.store.claims.all,
            find=lru_cache(maxsize=1000)(self.store.claims.find),  # a home page reads a claim many times
            book=book,
            node=cache(lambda name: self.store.nodes.find(self.store.nodes.current(name))),
            rules=cache(lambda: manifest(self.store.documents.heads())),
            first_days=self._prices.observer.first_days,
            units=vocabulary_of(stored_units(self.store)),
            store=self.store,
        )

    def like(self, run: Run) -> EvaluationInputs:
        """The inputs as they were for a run; the current ones if they are the same, or partly hidden from the reader.

        Raises:
            ManifestError, SnapshotError, NotFoundError: as in `of`.
        """
        now = self.now()
        if run.snapshot == now.book.snapshot.digest and run.rules == now.rules().digest:
            return now
        try:
            return self.of(run)
        except NotFoundError:
            if not self.store.hidden:
                raise
            return now  # the run was made before one of its brains became private

    def of(self, run: Run) -> EvaluationInputs:
        """The inputs as they were for a run, cached until anything is written.

        Raises:
            ManifestError, SnapshotError: the inputs of the run are damaged. NotFoundError: they are not in the store.
        """
        return self._earlier.get((run.snapshot, run.rules), lambda: self.read_again(run))

    def read_again(self, run: Run) -> EvaluationInputs:
        """As `of`, read from the store and not from the cache: for checking what is stored."""
        records = list(documents_of(self.store, run.rules))
        units = vocabulary_of((*stored_units(self.store), *units_of(records)))
        with using(units):
            catalogs = self._prices.snapshot(run.snapshot)
            book = library_of(records).book(catalogs)  # the snapshot holds the cards
            stated = [claim_loader.load(one.name, one.text or "")[0] for one in records if one.format == "claims"]
        found = {claim.id: claim for claims in stated for claim in claims}
        nodes = cache(lambda: {node.id: node for record in records for node in _nodes(record)})
        return EvaluationInputs(
            claims=lambda: iter(sorted(found.values(), key=lambda claim: claim.id)),
            find=found.get,
            book=book,
            node=lambda name: nodes().get(name) or nodes().get(self.store.nodes.current(name)),  # renamed before it
            rules=cache(lambda: manifest(records)),
            first_days=self._prices.observer.first_days,
            units=units,
            store=self.store,
        )

    def known(self, day: date) -> EvaluationInputs:
        """The inputs of the last run up to the end of a day. Raises `NothingKnownError`."""
        runs = self.store.ledger.runs()
        earlier = [run for run in runs if run.started_at.date() <= day]
        if not earlier:
            raise NothingKnownError(day, min((run.started_at.date() for run in runs), default=None))
        return self.of(max(earlier, key=lambda run: run.id))

    # Private brains: their prices and other rules apply to their own claims only, so no other verdict shows them

    def parts(self) -> tuple[EvaluationInputs, ...]:
        """The current inputs if no brain is private; else those of the public claims, then of each private brain's."""
        private = self.store.brains.private()
        stated = sorted(brain for brain in private if next(self.store.claims.of_brain(brain), None) is not None)
        return tuple(self._part(brain, private) for brain in (PUBLIC, *stated))

    def now_for(self, claim: str) -> EvaluationInputs:
        """The current inputs for a claim."""
        private = self.store.brains.private()
        if not private:
            return self.now()
        return self._part(min(private & self.store.claims.brains(claim), default=PUBLIC), private)

    def _part(self, brain: str, private: frozenset[str]) -> EvaluationInputs:
        found = self._reader(self.store.hidden | private - {brain}).now()
        return replace(found, brain=brain, claims=partial(found.store.claims.of_brain, brain)) if brain else found


def _nodes(record: DocumentRecord) -> Iterable[Node]:
    from ingest.document_reader import read  # noqa: PLC0415  # the parsers take 0.2 s, and a server may never need them

    return read((record.text or "").encode(), record.name, brain=record.brain, format=record.format).nodes


def checked_overrides(
    sets: Mapping[str, str],
    claims: Sequence[Claim],
    inputs: EvaluationInputs,
    as_of: date,
    *,
    currency: str | None = None,
) -> Overrides:
    """The caller's numbers for inputs of claims. Raises OverrideError, UnknownInputError (no claim reads one)."""
    with using(inputs.units):
        numbers = overrides(sets)
        if not numbers:
            return numbers
        others = (inputs.find(name) for claim in claims for name in named_by(claim))
        reading = [*claims, *(other for other in others if other is not None)]
        if unread(numbers, reading, inputs.book, as_of):
            reading = [converted(claim, inputs.book, as_of, inputs.terms(), currency) for claim in reading]
        if lost := unread(numbers, reading, inputs.book, as_of):
            where = f"Nothing in the claim {claims[0].id}" if len(claims) == 1 else "No claim"
            raise UnknownInputError(lost[0], where, readable(reading))
        Cases(inputs.book, as_of, inputs.terms(numbers)).check_units(claims)
    return numbers


Found = TypeVar("Found")


class Rerun(Value):
    """An old run computed again, and where it differs. By earlier `rules` it is not computed: `same` is None."""

    run: int
    rules: int
    claims: int = 0
    differences: tuple[run_ledger.RunDifference, ...] = ()

    @property
    def same(self) -> bool | None:
        """Whether nothing differs; None for a run of earlier rules."""
        return not self.differences if self.rules == METHOD else None


class ClaimEvaluator:
    """Evaluates the claims of a store with `inputs`."""

    def __init__(
        self,
        prices: PriceService,
        quotes: QuoteFinder,
        mapper: Mapper,
        reader: Callable[[frozenset[str]], EvaluationInputsCache],
    ) -> None:
        self.store, self.prices, self.quotes, self.mapper = prices.store, prices, quotes, mapper
        self.inputs = EvaluationInputsCache(prices, reader)

    def each(
        self, start: Start[Found], claims: Iterable[Claim], inputs: EvaluationInputs, as_of: date, *,
        numbers: Overrides = NONE, own: Callable[[Claim], Found] | None = None,
    ) -> Iterator[Found]:  # fmt: skip
        """The findings of `start` for each claim on a day, in their order, computed by the mapper.

        `own` computes those that need the store, in this process, in place of what `start` makes.
        """
        terms = inputs.terms(numbers)
        own = own or start(inputs.book, as_of, terms)
        if not self.mapper.remote:
            yield from map(own, claims)
            return
        task = ClaimTask(start, inputs.book, as_of, dict(numbers.stated), dict(terms.first_snapshots))
        sent, kept = tee(claims)
        bodies = (claim.model_dump_json() for claim in sent)
        for claim, found in zip(kept, self.mapper.map(task, bodies, 100, terms.units), strict=True):
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
        """
        if run is not None:
            inputs = self.inputs.like(self.store.ledger.for_claim(run, claim))
        else:
            inputs = self.inputs.known(known) if known else self.inputs.now_for(claim)
        found = inputs.claim(claim)
        numbers = checked_overrides(sets or {}, [found], inputs, as_of, currency=currency)
        return self.explain_with(inputs, found, as_of, numbers, currency)

    def explained(self, run: Run) -> Callable[[Claim], Verdict]:
        """A function that explains claims as a run found them, with inputs loaded once.

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
        parts = bool(self.store.ledger.parts(run.id))

        def of_claim(claim: Claim) -> Found:
            own = self.store.ledger.for_claim(run, claim.id) if parts else run
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
        through: Callable[[Iterable[VerdictRow]], Iterator[VerdictRow]] = iter,
        notes: tuple[str | RunNote, ...] = (),
        after: Callable[[Run], None] = lambda _run: None,
        replay: bool = False,
    ) -> Run:
        """Evaluate all claims for a day and append the run, all or nothing; `after` is called in its transaction.

        `through` passes the findings on, and may check a deadline. A `replay` is of a past day, with the claims made by
        then; see `Run.replayed`. Inputs are read in the transaction of the run.
        """
        self.inputs.parts()  # makes the books before the write lock is taken; inside they are only compared
        with self.store.transaction():
            parts, brains = self.inputs.parts(), {}
            for part in parts:
                heads = part.store.documents.heads()
                brains[part.rules().digest] = {one.brain for one in heads}
                brains[part.book.snapshot.digest] = {one.brain for one in heads if one.format == "prices"}
            book, edited = parts[0].book, self.prices.stated().edited
            self.prices.observer.observe(book.catalogs, book.snapshot.digest, at.date(), edited=edited, complete=True)
            made_by, latest = as_of if replay else None, self.store.ledger.runs(1)
            notes = (*notes, REPLAYED) if replay else notes
            if latest and latest[0].method != METHOD:
                notes = (*notes, f"verdicts are made by version {METHOD} of the rules since this run")
            found = (self.each(find, part.made_by(made_by), part, as_of) for part in parts)
            stored = ((one.brain, one.book.snapshot, one.rules()) for one in parts)
            public, *private = run_ledger.store_inputs(self.store, stored, at, brains)
            run = self.store.ledger.append(
                through(chain.from_iterable(found)),
                snapshot=public.snapshot,
                rules=public.rules,
                as_of=as_of,
                started_at=at,
                clock=clock,
                code=VERSION,
                notes=notes,
                parts=private,
            )
            after(run)
        return run

    def rerun(self, run: int) -> Rerun:
        """An old run computed again. Raises `UnknownRunError`; `ManifestError`, `SnapshotError` if damaged."""
        old = self.store.ledger.run(run)
        if old.method != METHOD:
            return Rerun(run=run, rules=old.method)
        return Rerun(
            run=run,
            rules=old.method,
            claims=sum(old.counts.values()),
            differences=run_ledger.compare(self.store.ledger.rows(run), self._rows_again(old)),
        )

    def _rows_again(self, old: Run) -> Iterator[VerdictRow]:
        """The rows of a run computed again; private parts without the public claims."""
        public: set[str] = set()
        for part in (None, *self.store.ledger.parts(old.id)):
            made_from = {"snapshot": part.snapshot, "rules": part.rules} if part else {}
            inputs = self.inputs.read_again(old.model_copy(update=made_from))
            stated = inputs.made_by(old.as_of if old.replayed else None)
            claims = (claim for claim in stated if claim.id not in public)
            yield from self.each(find, claims, inputs, old.as_of)
            public = public if part else {claim.id for claim in inputs.claims()}

    def explain_with(
        self,
        inputs: EvaluationInputs,
        claim: Claim,
        as_of: date,
        numbers: Overrides = NONE,
        currency: str | None = None,
    ) -> Verdict:
        """One verdict with its working, from given inputs, with numbers that replace some of them."""
        found = explain(claim, inputs.book, as_of, inputs.terms(numbers), currency)
        return self.quotes.with_quote(found, claim)
