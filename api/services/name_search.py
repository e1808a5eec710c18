"""Finds claims, prices, terms, tags and sources by their names: small tables in memory, one for each kind.

Nodes are found by the full-text search; a table is built when it is first needed for a version of what it lists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from api.services.claim_status import ClaimStatusService
from api.services.concepts import Concept, concepts
from api.services.price_service import PriceService
from api.services.tag_uses import TagUse, tag_uses
from compute.prices.price_book import CatalogBook
from graph.models.claim_models import Claim
from graph.search.name_index import NameIndex, NameWords
from graph.search.search import Search
from graph.store import Store
from graph.store.source_queries import SourceCount

Thing = TypeVar("Thing")


class PricedItem(NamedTuple):
    """A priced item or a family, and how many claims read its prices."""

    name: str
    claims: int
    family: bool = False


class NameTable(Generic[Thing]):
    """Things of one kind with an index of their names."""

    def __init__(
        self, things: Iterable[Thing], names: Callable[[Thing], tuple[Sequence[str], str]], *, by_name: bool = False
    ) -> None:
        self.things = tuple(things)
        self._index = NameIndex((names(thing) for thing in self.things), by_name=by_name)

    def find(self, wanted: NameWords, unwanted: Iterable[NameWords] = ()) -> list[tuple[int, Thing]]:
        """The things that have all required words and not all words of any unwanted text, with their levels."""
        left_out = {match.number for words in unwanted for match in self._index.find(words)}
        return [
            (match.level, self.things[match.number])
            for match in self._index.find(wanted)
            if match.number not in left_out
        ]


class NameSearch:
    """The tables of an open brain, cached until what they list changes. Threads may share it."""

    def __init__(
        self, store: Store, status: ClaimStatusService, prices: PriceService, search: Callable[[], Search]
    ) -> None:
        self._store, self._status, self._prices, self._search = store, status, prices, search
        self._of_graph, self._of_claims = store.cache(4, "graph"), store.cache(1, "claims")
        self._of_both = store.cache(4)

    def claims(self) -> NameTable[Claim]:
        """Claims by id and words; their quotes and tags count as other text."""
        return self._of_claims.get("claims", lambda: NameTable(self._status.claims(), _claim_names))

    def prices(self) -> NameTable[PricedItem]:
        """Priced items and families by name, with or without the provider."""
        return self._of_both.renew("prices", self._price_table)[1]

    def _price_table(
        self, old: tuple[tuple[CatalogBook, object], NameTable[PricedItem]] | None
    ) -> tuple[tuple[CatalogBook, object], NameTable[PricedItem]]:
        """Made again only where the book or the claims have changed."""
        book, readers = self._prices.book(), self._status.readers()
        if old is not None and old[0][0] is book and old[0][1] is readers:
            return old
        reads: dict[str, set[str]] = defaultdict(set)
        for one, claims in readers.items():
            if one.question is not None:
                reads[one.question.item].update(claim.id for claim in claims)
        items = [PricedItem(name, len(reads[name]), family=True) for name in book.families]
        items += [PricedItem(name, len(reads[name])) for name in book.items() if name not in book.families]
        return (book, readers), NameTable(items, _price_names, by_name=True)

    def concepts(self) -> tuple[Concept, ...]:
        """All terms, one entry for each concept, by title."""
        return self._of_graph.get("concepts", self._concepts)

    def _concepts(self) -> tuple[Concept, ...]:
        same = ((edge.subject, edge.target) for edge in self._store.edges.select(kind="same_as"))
        return concepts(self._store.index_feed.card_list(), same)

    def terms(self) -> NameTable[Concept]:
        """Concepts by the titles and other labels of their terms."""
        return self._of_graph.get("terms", self._term_table)

    def _term_table(self) -> NameTable[Concept]:
        labels: dict[str, list[str]] = {}
        for name, term in self._search().term_names():
            labels.setdefault(term, []).append(name)

        def names(concept: Concept) -> tuple[Sequence[str], str]:
            own = [name for term in concept.terms for name in (term.title, *labels.get(term.id, ()))]
            return list(dict.fromkeys([concept.title, *own])), ""

        return NameTable(self.concepts(), names)

    def tag_uses(self) -> tuple[TagUse, ...]:
        """Every tag of a node or a claim, the most used first."""
        return self._of_both.get("tag uses", lambda: tag_uses(self._store.tags.all(), self._status.claims()))

    def tags(self) -> NameTable[TagUse]:
        """Tags by name."""
        return self._of_both.get("tags", lambda: NameTable(self.tag_uses(), lambda use: ((use.tag,), "")))

    def sources(self) -> NameTable[SourceCount]:
        """Works by title; their host and address count as other text."""
        return self._of_graph.get("sources", lambda: NameTable(self._store.sources.counts(), _source_names))


def _claim_names(claim: Claim) -> tuple[Sequence[str], str]:
    return (claim.says or claim.id, claim.id), " ".join((claim.quote or "", *claim.tags))


def _price_names(item: PricedItem) -> tuple[Sequence[str], str]:
    """The provider is optional; the word `price` may be typed with a name."""
    return (item.name, item.name.partition("/")[2] or item.name), "price prices cost"


def _source_names(source: SourceCount) -> tuple[Sequence[str], str]:
    return (source.title or source.id, source.host or source.id), source.id
