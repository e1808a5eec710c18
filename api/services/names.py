"""Finds claims, prices, terms, tags and sources by name, and suggests names for unknown ones.

Each kind has a small table in memory, made when needed for a version of what it lists; nodes are in the full-text
search.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from api.services.claim_status import (
    ClaimStatusService,
    UnknownAcknowledgementError,
    UnknownPriceError,
    UnknownSilenceError,
)
from graph.links.term_hierarchy import joined_terms
from graph.models.claim_models import Claim
from graph.models.link_models import Link
from graph.models.node_models import Kind
from graph.models.query_models import Card, FacetCount
from graph.search.name_index import NameTable
from graph.search.tokenizer import fold
from graph.store.source_queries import SourceCount
from graph.store.store_errors import (
    SeveralNodesError,
    UnknownClaimError,
    UnknownDocumentError,
    UnknownFolderError,
    UnknownNodeError,
    UnknownTagError,
)
from graph.store.versioned_cache import cached_in
from graph.text.similar_names import near

if TYPE_CHECKING:
    from api.services.importing.library import LibraryFolder
    from api.services.price_service import PriceService
    from compute.prices.price_models import Price
    from graph.search.search import Search


@dataclass(frozen=True, slots=True)
class Concept:
    """A term with the same term in other glossaries; `title` is the name that most of them use."""

    title: str
    terms: tuple[Card, ...]

    @property
    def id(self) -> str:
        """The first term with that name, whose page shows all definitions."""
        return next(term.id for term in self.terms if term.title == self.title)

    @property
    def glossaries(self) -> tuple[str, ...]:
        """The glossaries that define it, each once."""
        return tuple(dict.fromkeys(term.brain for term in self.terms))


def concepts(cards: Iterable[Card], same: Iterable[Link]) -> tuple[Concept, ...]:
    """The concepts by title; `same` are the edges between terms that mean the same."""
    terms = {card.id: card for card in cards if card.kind is Kind.TERM}
    joined = joined_terms(edge for edge in same if edge.subject in terms and edge.target in terms)
    found = []
    for group in {frozenset(joined.get(term, {term})) for term in terms}:
        ordered = tuple(sorted((terms[term] for term in group), key=lambda card: card.serial))
        title = Counter(card.title for card in ordered).most_common(1)[0][0]
        found.append(Concept(title, ordered))
    return tuple(sorted(found, key=lambda one: (" ".join(map(fold, one.title.split())), one.terms[0].id)))


class TagUse(NamedTuple):
    """A tag and how many nodes and claims have it."""

    tag: str
    nodes: int
    claims: int = 0

    @property
    def total(self) -> int:
        """How many have it in all."""
        return self.nodes + self.claims


def tag_uses(nodes: Iterable[FacetCount], claims: Iterable[Claim]) -> tuple[TagUse, ...]:
    """Every tag of a node or claim, the most used first."""
    of_nodes = {one.value: one.count for one in nodes}
    of_claims = Counter(tag for claim in claims for tag in dict.fromkeys(claim.tags))
    found = (TagUse(tag, of_nodes.get(tag, 0), of_claims[tag]) for tag in {**of_nodes, **of_claims})
    return tuple(sorted(found, key=lambda use: (-use.total, use.tag)))


class PricedItem(NamedTuple):
    """A priced item or family, and how many claims read its prices."""

    name: str
    claims: int
    family: bool = False


class NameSearch:
    """The tables of an open brain, cached until what they list changes. Threads may share it."""

    def __init__(
        self,
        status: ClaimStatusService,
        prices: PriceService,
        search: Callable[[], Search],
        folders: Callable[[], Iterable[LibraryFolder]],
    ) -> None:
        self._status, self._prices, self._search, self._folders = status, prices, search, folders
        self._store = store = prices.store
        self._of_graph, self._of_claims = store.cache(4, "graph"), store.cache(1, "claims")
        self._of_both = store.cache(4)

    @cached_in("_of_claims")
    def claims(self) -> NameTable[Claim]:
        """Claims by id and words; their quotes and tags count as other text."""
        found = self._status.claims()
        return NameTable(found, lambda one: ((one.says or one.id, one.id), " ".join((one.quote or "", *one.tags))))

    @cached_in("_of_both")
    def prices(self) -> NameTable[PricedItem]:
        """Priced items and families by name, with or without the provider or the word `price`."""
        book, reads = self._prices.book(), defaultdict[str, set[str]](set)
        for one, claims in self._status.readers().items():
            if one.question is not None:
                reads[one.question.item].update(claim.id for claim in claims)
        items = [PricedItem(name, len(reads[name]), family=True) for name in book.families]
        items += [PricedItem(name, len(reads[name])) for name in book.items() if name not in book.families]
        names = lambda one: ((one.name, one.name.partition("/")[2] or one.name), "price prices cost")  # noqa: E731  # short
        return NameTable(items, names, by_name=True)

    @cached_in("_of_graph")
    def concepts(self) -> tuple[Concept, ...]:
        """All terms, one entry for each concept, by title."""
        return concepts(self._store.index_feed.card_list(), self._store.edges.select(kind="same_as"))

    @cached_in("_of_graph")
    def terms(self) -> NameTable[Concept]:
        """Concepts by the titles and other labels of their terms."""
        labels: dict[str, list[str]] = {}
        for name, term in self._search().term_names():
            labels.setdefault(term, []).append(name)

        def names(concept: Concept) -> tuple[Sequence[str], str]:
            own = [name for term in concept.terms for name in (term.title, *labels.get(term.id, ()))]
            return list(dict.fromkeys([concept.title, *own])), ""

        return NameTable(self.concepts(), names)

    @cached_in("_of_both")
    def tag_uses(self) -> tuple[TagUse, ...]:
        """Every tag of a node or claim, the most used first."""
        return tag_uses(self._store.tags.all(), self._status.claims())

    @cached_in("_of_both")
    def tags(self) -> NameTable[TagUse]:
        """Tags by name."""
        return NameTable(self.tag_uses(), lambda use: ((use.tag,), ""))

    @cached_in("_of_graph")
    def sources(self) -> NameTable[SourceCount]:
        """Works by title; their host and address count as other text."""
        return NameTable(self._store.sources.counts(), lambda one: ((one.title or one.id, one.host or one.id), one.id))

    def prices_of(self, item: str) -> tuple[Price, ...]:
        """All dated prices of an item or of a family's models. Raises `UnknownPriceError`."""
        book = self._prices.book()
        if found := book.prices(item):
            return found
        raise UnknownPriceError(item, book.market.reason(item, self._store.present_day()))

    def meant(self, error: Exception) -> list[str]:
        """Names similar to the one that an error did not find, best first; all that it may mean, if it knows them."""
        if isinstance(error, SeveralNodesError):
            return error.alike
        if isinstance(error, UnknownNodeError) and error.renamed:
            return [error.renamed]
        asked = str(getattr(error, "name", ""))
        names = [name for name in self._names(error) if name != asked]
        words = set(asked.rpartition("/")[2].split("-"))
        having = (name for name in names if words <= set(re.split("[/-]", name)))
        return near(asked, names, 3) or self._titled(error, asked) or [*islice(having, 3)]

    def _titled(self, error: Exception, asked: str) -> list[str]:
        """The ids of the nodes with similar titles, if the error is about a node."""
        cards = self._store.index_feed.cards() if isinstance(error, UnknownNodeError) else ()
        titles = {card.title: card.id for card in cards}
        return [titles[one] for one in near(asked, titles, 3)]

    def _names(self, error: Exception) -> Iterator[str]:
        match error:
            case UnknownNodeError():
                yield from (card.id for card in self._store.index_feed.cards())
            case UnknownClaimError():
                yield from (claim for claims in self._store.claims.by_node().values() for claim in claims)
            case UnknownDocumentError():
                yield from (record.name for record in self._store.documents.heads())
            case UnknownTagError():
                yield from (tag.value for tag in self._store.tags.all())
            case UnknownPriceError():
                book = self._prices.book()
                yield from (*book.families, *book.items(), *(f"assume:{name}" for name in book.assumptions))
            case UnknownFolderError():
                yield from (folder.path for folder in self._folders())
            case UnknownAcknowledgementError():
                yield from (one.claim or "" for one in self._store.alerts.silences() if one.flags)
            case UnknownSilenceError():
                yield from (silence.id for silence in self._store.alerts.silences())
