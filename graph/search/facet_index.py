"""The cards of all nodes in memory, as columns; filters and facets are computed from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from graph.models.facet_counts import Counts, FacetCounts
from graph.models.query_models import Card, NodeQuery
from graph.search.query_language import Filter
from graph.text.plain_text import names_of, naming

FEW = 300
"""The facets of up to so many cards are counted card by card: the columns are as long as there are nodes."""

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Column:
    """One or several values for each card, as numbers."""

    def __init__(self, values: Iterable[Sequence[str]]) -> None:
        codes: dict[str, int] = {}
        owners: list[int] = []
        uses: list[int] = []
        for owner, own in enumerate(values):
            for value in dict.fromkeys(own):
                owners.append(owner)
                uses.append(codes.setdefault(value, len(codes)))
        self._names = list(codes)
        self._owners = np.array(owners, dtype=np.int64)
        self._uses = np.array(uses, dtype=np.int64)
        self._folded: dict[str, list[int]] = {}
        for name, code in codes.items():
            self._folded.setdefault(name.casefold(), []).append(code)
        self._codes = codes

    def having(self, value: str, size: int, *, folded: bool = False) -> Mask:
        """The cards that have the value, or, with `folded`, one that differs only in case."""
        codes = self._folded.get(value, []) if folded else [self._codes[value]] if value in self._codes else []
        mask = np.zeros(size, dtype=np.bool_)
        for code in codes:
            mask[self._owners[self._uses == code]] = True
        return mask

    def counts(self, mask: Mask) -> Counts:
        """How many of the masked cards have each value."""
        tally = np.bincount(self._uses[mask[self._owners]], minlength=len(self._names))
        return {self._names[code]: int(tally[code]) for code in np.flatnonzero(tally)}


_VALUES: Mapping[str, Callable[[Card], Sequence[str]]] = {
    "tag": lambda card: card.tags,
    "kind": lambda card: (card.kind.value,),
    "brain": lambda card: (card.brain,),
    "document": lambda card: (card.document,),
}


class FacetIndex:
    """The cards of one version of the graph."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self.cards = list(cards)
        self.size = len(self.cards)
        serials = np.array([card.serial for card in self.cards], dtype=np.int64)
        self.serials: Ints = serials
        self._places = np.full(int(serials.max()) + 1 if self.size else 1, -1, dtype=np.int64)
        self._places[serials] = np.arange(self.size)
        self._columns: dict[str, Column] = {}

    def column(self, name: str) -> Column:
        """The tags, kinds, brains or documents of the cards; made when it is first needed.

        Threads that make one at the same time make the same.
        """
        if name not in self._columns:
            self._columns[name] = Column(_VALUES[name](card) for card in self.cards)
        return self._columns[name]

    @cached_property
    def _by_id(self) -> dict[str, int]:
        """The place of each card by its id."""
        return {card.id: place for place, card in enumerate(self.cards)}

    @cached_property
    def titles(self) -> dict[str, str]:
        """The titles of all nodes by the names that a link may use; if several brains share a name, the first."""
        return {name: title for card in reversed(self.cards) for name, title in names_of(card.id, card.title).items()}

    def ready(self, count: int) -> bool:
        """Whether links are named, and the facets of `count` cards counted, without first reading all cards."""
        return "titles" in self.__dict__ and (count <= FEW or {"tag", "kind", "brain"} <= self._columns.keys())

    def named(self, link: str) -> str:
        """The text of a link that has none of its own: the title of its node."""
        return naming(self.titles)(link)

    def places(self, serials: Ints) -> Ints:
        """The position of each serial in the index, -1 if there is no such card."""
        within = serials < len(self._places)
        return np.where(within, self._places[np.where(within, serials, 0)], -1)

    def card(self, serial: int) -> Card | None:
        """The card with a serial."""
        place = int(self._places[serial]) if 0 <= serial < len(self._places) else -1
        return None if place < 0 else self.cards[place]

    def passing(self, query: NodeQuery, filters: Sequence[Filter], ids: Iterable[str] | None = None) -> Mask:
        """The cards that pass the filters of a list and those written in a query; with `ids`, only these."""
        mask = np.ones(self.size, dtype=np.bool_)
        exact = [("tag", tag) for tag in query.tags]
        exact += [(name, str(value)) for name in ("kind", "brain", "document") if (value := getattr(query, name))]
        for name, value in exact:
            mask &= self.column(name).having(value, self.size)
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
                mask &= np.logical_or.reduce([self.column(name).having(v, self.size, folded=True) for v in named])
        for one in filters:
            if one.negated or one.field == "tag":
                mask &= self.column(one.field).having(one.value, self.size, folded=True) ^ one.negated
        return mask

    def _among(self, ids: Iterable[str]) -> Mask:
        mask = np.zeros(self.size, dtype=np.bool_)
        mask[[self._by_id[name] for name in ids if name in self._by_id]] = True
        return mask

    def counts(self, places: Ints) -> FacetCounts:
        """The counts over the cards at these positions."""
        return self._counted(places.tolist()) if len(places) <= FEW else self._summed(places)

    def _counted(self, places: Sequence[int]) -> FacetCounts:
        """Tags, kinds and brains of a few cards, one by one."""
        cards = [self.cards[place] for place in dict.fromkeys(places)]
        tags = Counter([tag for card in cards for tag in dict.fromkeys(card.tags)])
        return FacetCounts(
            tags,
            Counter([card.kind.value for card in cards]),
            Counter([card.brain for card in cards]),
        )

    def _summed(self, places: Ints) -> FacetCounts:
        """The same of many, over the columns."""
        mask = np.zeros(self.size, dtype=np.bool_)
        mask[places] = True
        return FacetCounts(*(self.column(name).counts(mask) for name in ("tag", "kind", "brain")))
