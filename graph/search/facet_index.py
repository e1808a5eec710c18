"""The cards of all nodes in memory, as columns; filters and facets are computed from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from graph.models.facet_counts import FACET_TAGS, RankedFacets
from graph.models.query_models import Card, NodeQuery
from graph.search.facet_column import FacetColumn, Ints, Mask
from graph.search.query_language import Filter
from graph.search.tokenizer import stems
from graph.text.plain_text import names_of, naming

_VALUES: Mapping[str, Callable[[Card], Sequence[str]]] = {
    "tag": lambda card: card.tags,
    "kind": lambda card: (card.kind.value,),
    "brain": lambda card: (card.brain,),
    "document": lambda card: (card.document,),
}


def is_filtered(query: NodeQuery) -> bool:
    """Whether a query has filters of its own, but for the work that its nodes list."""
    return bool(query.tags or query.kind or query.brain or query.document) or query.ids is not None


class FacetIndex:
    """The cards of one version of the graph."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self.cards = list(cards)
        self.size = len(self.cards)
        serials = np.array([card.serial for card in self.cards], dtype=np.int64)
        self.serials: Ints = serials
        self._places = np.full(
            int(serials.max()) + 2 if self.size else 1, -1, dtype=np.int64
        )  # the last for all others
        self._places[serials] = np.arange(self.size)
        self._columns = {name: FacetColumn(map(_VALUES[name], self.cards)) for name in ("tag", "kind", "brain")}

    def column(self, name: str) -> FacetColumn:
        """The tags, kinds, brains or documents of the cards; the last made when it is first needed.

        Threads that make one at the same time make the same.
        """
        if name not in self._columns:
            self._columns[name] = FacetColumn(map(_VALUES[name], self.cards))
        return self._columns[name]

    @cached_property
    def _by_id(self) -> dict[str, int]:
        """The place of each card by its id."""
        return {card.id: place for place, card in enumerate(self.cards)}

    @cached_property
    def titles(self) -> dict[str, str]:
        """The titles of all nodes by the names that a link may use; if several brains share a name, the first."""
        return titles_of(self.cards)

    @cached_property
    def _stems_of_tags(self) -> set[tuple[str, ...]]:
        return {tuple(stems(tag)) for tag in self.column("tag").names}

    def is_tag(self, words: tuple[str, ...]) -> bool:
        """Whether a tag has just these stems."""
        return words in self._stems_of_tags

    def named(self, link: str) -> str:
        """The text of a link that has none of its own: the title of its node."""
        return naming(self.titles)(link)

    def places(self, serials: Ints) -> Ints:
        """The position of each serial in the index, -1 if there is no such card."""
        return self._places.take(serials, mode="clip")

    def at(self, places: Ints) -> list[Card]:
        """The cards at these places."""
        cards = self.cards
        return [cards[place] for place in places.tolist()]

    def some(self, serials: Ints) -> list[Card | None]:
        """The cards with these serials."""
        cards = self.cards
        return [None if place < 0 else cards[place] for place in self.places(serials).tolist()]

    def passing(self, query: NodeQuery, filters: Sequence[Filter], ids: Iterable[str] | None = None) -> Mask | None:
        """The cards that pass the filters of a list and those written in a query; with `ids`, only these.

        None where there is no filter, and all cards pass.
        """
        if not filters and ids is None and not is_filtered(query):
            return None
        mask = np.ones(self.size, dtype=np.bool_)
        exact = [("tag", tag) for tag in query.tags]
        exact += [(name, str(value)) for name in ("kind", "brain", "document") if (value := getattr(query, name))]
        for name, value in exact:
            mask &= self.column(name).having(value)
        for wanted in (query.ids, ids):
            if wanted is not None:
                mask &= self._among(wanted)
        return mask & self._meeting(filters)

    def _meeting(self, filters: Sequence[Filter]) -> Mask:
        """A card needs all given tags, and any one of the given kinds and brains, as a node has only one of each."""
        mask = np.ones(self.size, dtype=np.bool_)
        for name in ("kind", "brain"):
            named = [one.value for one in filters if one.field == name and not one.negated]
            if named:
                mask &= np.logical_or.reduce([self.column(name).having(v, folded=True) for v in named])
        for one in filters:
            if one.negated or one.field == "tag":
                mask &= self.column(one.field).having(one.value, folded=True) ^ one.negated
        return mask

    def _among(self, ids: Iterable[str]) -> Mask:
        mask = np.zeros(self.size, dtype=np.bool_)
        mask[[self._by_id[name] for name in ids if name in self._by_id]] = True
        return mask

    def counts(self, places: Ints) -> RankedFacets:
        """The counts over the cards at these places, each named once."""
        return RankedFacets(
            self.column("tag").ranked(places, FACET_TAGS),
            self.column("kind").ranked(places),
            self.column("brain").ranked(places),
        )


def titles_of(cards: Sequence[Card]) -> dict[str, str]:
    """The titles of all nodes by the names that a link may use; if several brains share a name, the first."""
    return {name: title for card in reversed(cards) for name, title in names_of(card.id, card.title).items()}
