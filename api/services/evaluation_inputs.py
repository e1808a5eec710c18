"""The inputs of an evaluation: claims, prices, tables; current, or as they were for an old run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache, partial

from api.services.price_service import PriceService
from compute.claims import claim_loader
from compute.claims.claim_cases import Terms
from compute.claims.claim_program import named_by
from compute.claims.overrides import NONE, Overrides, UnknownInputError, overrides
from compute.impact.price_impact import readable, unread
from compute.prices import snapshots
from compute.prices.own_units import vocabulary_of
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Catalog
from compute.prices.rule_library import library_of, stored_units, units_of
from compute.prices.snapshots import NothingKnownError, Snapshot
from compute.runs.run_ledger import documents_of, manifest
from compute.units.units import Vocabulary, using
from compute.verify.claim_verifier import converted
from graph.models.claim_models import Claim
from graph.models.node_models import Node, Table
from graph.models.query_models import DocumentRecord
from graph.models.verdict_models import Run
from graph.store import Store
from graph.store.store_errors import NotFoundError, UnknownClaimError
from graph.text.quote_anchor import states

MOST_RUNS = 2
"""Of how many earlier runs the inputs are cached: a comparison needs two. A price book takes tens of megabytes."""


@dataclass(frozen=True)
class EvaluationInputs:
    """Everything a verification reads. `claims` can be iterated any number of times.

    `node` finds a node by its id. `first_days` is the day of the first snapshot of each imported catalogue; it never
    changes once there is one. `units` are the words for units.
    """

    claims: Callable[[], Iterator[Claim]]
    find: Callable[[str], Claim | None]
    book: CatalogBook
    node: Callable[[str], Node | None]
    snapshot: Callable[[], Snapshot]
    rules: Callable[[], Snapshot]
    first_days: Callable[[], Mapping[str, date]] = dict
    units: Vocabulary | None = None

    def made_by(self, day: date | None) -> Iterator[Claim]:
        """The claims that had been made by a day, those of a replay of it; without a day all."""
        return (claim for claim in self.claims() if day is None or claim.as_of <= day)

    def claim(self, name: str) -> Claim:
        """One of the claims.

        Raises:
            UnknownClaimError: there is no such claim.
        """
        found = self.find(name)
        if found is None:
            raise UnknownClaimError(name)
        return found

    def terms(self, numbers: Overrides = NONE) -> Terms:
        """The inputs of an evaluation besides claims and prices, with the caller's numbers."""
        return Terms(self.tables, numbers, self.find, self.first_days(), self.unsaid, self.units)

    def tables(self, node: str) -> tuple[Table, ...] | None:
        """The tables of a node in the order of its text; None where there is no such node."""
        found = self.node(node)
        return found.tables if found else None

    def unsaid(self, claim: Claim) -> bool:
        """Whether the node of a claim does not have the words that the claim quotes."""
        node = self.node(claim.node) if claim.quote else None
        return node is not None and not states(node.body, claim.quote or "")


PUBLIC = ""
"""The name of the part of the public brains."""


@dataclass(frozen=True)
class Part:
    """The inputs of claims that are evaluated together, those of a private brain or `PUBLIC`, and what these see."""

    brain: str
    inputs: EvaluationInputs
    store: Store


class EvaluationInputsCache:
    """Makes the inputs of evaluations from a store; `reader` gives those for whom the brains of a set do not exist."""

    def __init__(
        self, store: Store, prices: PriceService, reader: Callable[[frozenset[str]], EvaluationInputsCache]
    ) -> None:
        self.store, self._prices, self._reader = store, prices, reader
        self._cache, self._earlier = store.cache(1), store.cache(MOST_RUNS)

    def now(self) -> EvaluationInputs:
        """With everything as it is."""
        return self._cache.get("now", self._now)

    def like(self, run: Run) -> EvaluationInputs:
        """The inputs as they were for a run; the current ones if they are the same.

        A reader who may not see all that a run was made from gets the current ones too: it was made before one of its
        brains became private.

        Raises:
            ManifestError, SnapshotError, NotFoundError: as in `of`.
        """
        now = self.now()
        if run.snapshot == now.snapshot().digest and run.rules == now.rules().digest:
            return now
        try:
            return self.of(run)
        except NotFoundError:
            if not self.store.hidden:
                raise
            return now

    def _now(self) -> EvaluationInputs:
        book = self._prices.book()
        return EvaluationInputs(
            claims=self.store.claims.all,
            find=lru_cache(maxsize=1000)(self.store.claims.find),  # a home page reads a claim many times
            book=book,
            node=cache(lambda name: self.store.nodes.find(self.store.nodes.current(name))),
            snapshot=lambda: book.snapshot,
            rules=cache(lambda: manifest(self.store.documents.heads())),
            first_days=self._prices.observer.first_days,
            units=vocabulary_of(stored_units(self.store)),
        )

    def of(self, run: Run) -> EvaluationInputs:
        """The inputs as they were for a run; cached until anything is written.

        Raises:
            ManifestError, SnapshotError: the inputs of the run are damaged. NotFoundError: they are not in the store.
        """
        return self._earlier.get((run.snapshot, run.rules), lambda: self.read_again(run))

    def read_again(self, run: Run) -> EvaluationInputs:
        """As `of`, read from the store and not from the cache: for checking what is stored."""
        records = list(documents_of(self.store, run.rules))
        units = vocabulary_of((*stored_units(self.store), *units_of(records)))
        with using(units):
            return self._load(self._prices.snapshot(run.snapshot), records, units)

    def _load(
        self, catalogs: Sequence[Catalog], records: Sequence[DocumentRecord], units: Vocabulary
    ) -> EvaluationInputs:
        library = library_of(records).model_copy(update={"cards": ()})  # the snapshot holds them
        found = {claim.id: claim for record in records if record.format == "claims" for claim in _claims(record)}
        nodes = cache(lambda: {node.id: node for record in records for node in _nodes(record)})
        return EvaluationInputs(
            claims=lambda: iter(sorted(found.values(), key=lambda claim: claim.id)),
            find=found.get,
            book=library.book(catalogs),
            node=lambda name: nodes().get(name),
            snapshot=cache(lambda: snapshots.pack(catalogs)),
            rules=cache(lambda: manifest(records)),
            first_days=self._prices.observer.first_days,
            units=units,
        )

    def known(self, day: date) -> EvaluationInputs:
        """The inputs as the service knew them at the end of a day: those of the last run up to then.

        Raises:
            NothingKnownError: there was no run yet.
        """
        runs = self.store.ledger.runs()
        earlier = [run for run in runs if run.started_at.date() <= day]
        if not earlier:
            raise NothingKnownError(day, min((run.started_at.date() for run in runs), default=None))
        return self.of(max(earlier, key=lambda run: run.id))

    # ---- private brains: their prices and other rules apply to their own claims only, so no other verdict shows them

    def parts(self) -> tuple[Part, ...]:
        """One part with everything if no brain is private; else the public one, then each private brain with claims."""
        private = self.store.brains.private()
        if not private:
            return (Part(PUBLIC, self.now(), self.store),)
        stated = sorted(brain for brain in private if next(self.store.claims.of_brain(brain), None) is not None)
        return tuple(self._part(brain, private) for brain in (PUBLIC, *stated))

    def now_for(self, claim: str) -> EvaluationInputs:
        """The current inputs, for the part that a claim is in."""
        private = self.store.brains.private()
        if not private:
            return self.now()
        return self._part(min(private & self.store.claims.brains(claim), default=PUBLIC), private).inputs

    def _part(self, brain: str, private: frozenset[str]) -> Part:
        view = self._reader(self.store.hidden | private - {brain})
        inputs = view.now()
        if brain:
            inputs = replace(inputs, claims=partial(view.store.claims.of_brain, brain))
        return Part(brain, inputs, view.store)


def _claims(record: DocumentRecord) -> Iterable[Claim]:
    return claim_loader.load(record.name, record.text or "")[0]


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
    where: str = "",
) -> Overrides:
    """The caller's numbers, each of which a claim reads, or a claim that one of them is compared with.

    Raises:
        OverrideError: a number cannot be read.
        UnknownInputError: nothing reads a name.
    """
    with using(inputs.units):
        numbers = overrides(sets)
        if not numbers:
            return numbers
        others = (inputs.find(name) for claim in claims for name in named_by(claim))
        reading = [*claims, *(other for other in others if other is not None)]
        if unread(numbers, reading, inputs.book, as_of):
            reading = [converted(claim, inputs.book, as_of, inputs.terms(), currency) for claim in reading]
        if lost := unread(numbers, reading, inputs.book, as_of):
            where = where or (f"Nothing in the claim {claims[0].id}" if len(claims) == 1 else "No claim")
            raise UnknownInputError(lost[0], where, readable(reading))
    return numbers
