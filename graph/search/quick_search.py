"""A search for a command that asks once, without NumPy, SQLAlchemy and pydantic: to import them takes longer than it.

text ─▶ query language ─▶ synonyms ─▶ engine (ranking) ─▶ cards of the hits (filters, facets) ─▶ page ─▶ snippets

The answers are those of `graph.search.search`, by the same functions; only the cards of what matched are read. It reads
an index in files that is of the present state of the store, and leaves everything else to `Search`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple, Protocol

from graph.models.facet_counts import FACET_TAGS, FacetCount, ranked
from graph.models.node_cards import Card, Kind
from graph.search.index_format import FORMAT
from graph.search.lexicon import Lexicon, read_lexicon
from graph.search.query_language import Filter, Item, ParsedQuery, Text, Word, parse, text_of
from graph.search.snippets import Marker
from graph.search.synonyms import synonyms_of
from graph.search.title_factors import WINDOW, query_stems, title_factors
from graph.store.quick_reader import QuickReader, QuickState
from graph.text.plain_text import naming_by, plain_text


class QuickQuery(NamedTuple):
    """What is asked: a text with words, filters, and the number of hits to show."""

    text: str
    tags: tuple[str, ...] = ()
    kind: Kind | None = None
    brain: str | None = None
    limit: int = 20


class QuickHit(NamedTuple):
    """A node that was found; `snippet` is HTML with `<mark>`."""

    id: str
    kind: Kind
    title: str
    tags: tuple[str, ...]
    snippet: str


class QuickAnswer(NamedTuple):
    """The first page of the hits, the counts over all of them, and how the query was changed."""

    items: tuple[QuickHit, ...]
    total: int
    facets: Mapping[str, tuple[FacetCount, ...]]
    synonyms: Mapping[str, tuple[str, ...]]
    suggestion: str | None


class OutdatedIndexError(Exception):
    """The index is missing, of another format, or not of the present state of the store."""


class _Engine(Protocol):
    """An engine that gives lists."""

    def hits(self, included: Text | None, excluded: Text | None) -> tuple[list[int], list[float]]:
        """Serials and scores of what matches `included` and not `excluded`, in any order."""

    def frequency(self, stem: str) -> int:
        """The number of texts that contain a stem."""

    def close(self) -> None:
        """Close files."""


class _Index:
    """An open index of a state of the store; its words are read when they are needed.

    Raises:
        OutdatedIndexError: it is not of this state.
    """

    def __init__(self, folder: Path, state: QuickState) -> None:
        said = json.loads((folder / "manifest.json").read_bytes())
        if (said["format"], said["store"], said["version"], said["commit"]) != (FORMAT, *state):
            raise OutdatedIndexError
        self._path = folder / said["folder"]
        self.engine = _opened(said["engine"], self._path)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words of the index."""
        return read_lexicon(self._path)

    def ranked(self, wanted: Text | None, unwanted: Text | None, *, prefixes: bool) -> list[tuple[int, float]]:
        """Serials and scores of what matches, best first."""
        if prefixes:
            wanted = wanted and self.lexicon.spelt_out(wanted)
            unwanted = unwanted and self.lexicon.spelt_out(unwanted)
        pairs = zip(*self.engine.hits(wanted, unwanted), strict=True)
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))


def _opened(engine: str, path: Path) -> _Engine:
    if not path.is_dir():
        raise OutdatedIndexError
    if engine == "tantivy":
        from graph.search.tantivy_index import TantivyIndex  # noqa: PLC0415  # only one of the two is needed

        return TantivyIndex(path)
    if engine == "whoosh":
        from graph.search.whoosh_index import WhooshIndex  # noqa: PLC0415  # as above

        return WhooshIndex(path)
    raise OutdatedIndexError


def quick_answer(database: Path, folder: Path, query: QuickQuery) -> QuickAnswer | None:
    """The first page of the nodes that match; None if the text has no word to search for.

    `folder` has the index of the store in the file `database`.

    Raises:
        Exception: of any class, if the store or the index is not in its usual state; `Search` knows what to do then.
    """
    asked = parse(query.text)
    if not asked.required:
        return None
    with QuickReader(database) as store:
        index = _Index(folder, store.state)
        try:
            return _answer(store, index, asked, query)
        finally:
            index.engine.close()


def _answer(store: QuickReader, index: _Index, asked: ParsedQuery, query: QuickQuery) -> QuickAnswer:
    items, synonyms = synonyms_of(store.names_of_terms()).expand(asked.required)
    found = _matching(store, index, asked, query, text_of(items))
    if not found and len(items) > 1:
        found = _matching(store, index, asked, query, text_of(items, relaxed=True))
    cards = _reranked(found, asked.required)
    return QuickAnswer(
        items=_hits(store, items, cards[: query.limit]),
        total=len(cards),
        facets=_facets(cards),
        synonyms={one.query: one.used for one in synonyms},
        suggestion=_suggestion(index, asked),
    )


def _matching(
    store: QuickReader, index: _Index, asked: ParsedQuery, query: QuickQuery, wanted: Text | None
) -> list[tuple[Card, float]]:
    """What matches the words and passes the filters, with its scores, best first."""
    unwanted = text_of(asked.unwanted, relaxed=True)
    found = index.ranked(wanted, unwanted, prefixes="*" in asked.typed)
    cards = store.cards(serial for serial, _ in found)
    known = [(card, score) for serial, score in found if (card := cards.get(serial))]
    conditions = _conditions(query, asked.filters)
    return [pair for pair in known if all(meets(pair[0]) for meets in conditions)] if conditions else known


def _conditions(query: QuickQuery, filters: Sequence[Filter]) -> list[Callable[[Card], bool]]:
    """What a card must meet: all tags, the kind and the brain of the query, and the filters that its text has."""
    tags, kind, brain = set(query.tags), query.kind, query.brain
    found: list[Callable[[Card], bool]] = [partial(_meets, filters, one) for one in {one.field for one in filters}]
    if tags:
        found.append(lambda card: tags <= set(card.tags))
    if kind is not None:
        found.append(lambda card: card.kind is kind)
    if brain is not None:
        found.append(lambda card: card.brain == brain)
    return found


def _meets(filters: Sequence[Filter], field: str, card: Card) -> bool:
    """A card needs all given tags, and any one of the given kinds and brains, as a node has only one of each."""
    own = {tag.casefold() for tag in card.tags} if field == "tag" else {str(getattr(card, field)).casefold()}
    named = {one.value for one in filters if one.field == field and not one.negated}
    refused = {one.value for one in filters if one.field == field and one.negated}
    needed = named <= own if field == "tag" else not named or bool(named & own)
    return needed and not refused & own


def _reranked(found: Sequence[tuple[Card, float]], items: tuple[Item, ...]) -> list[Card]:
    """The cards, the best of them ordered by their titles and tags too."""
    factors = title_factors((card for card, _ in found[:WINDOW]), query_stems(items))
    head = [(card, score * factor) for (card, score), factor in zip(found, factors, strict=False)]
    best = sorted(head, key=lambda pair: -pair[1])
    return [card for card, _ in (*best, *found[len(head) :])]


def _facets(cards: Sequence[Card]) -> dict[str, tuple[FacetCount, ...]]:
    tags = Counter(tag for card in cards for tag in dict.fromkeys(card.tags))
    return {
        "tag": ranked(tags, FACET_TAGS),
        "kind": ranked(Counter(card.kind.value for card in cards)),
        "brain": ranked(Counter(card.brain for card in cards)),
    }


def _hits(store: QuickReader, items: tuple[Item, ...], cards: Sequence[Card]) -> tuple[QuickHit, ...]:
    marker = Marker(item.text for item in items)
    named = naming_by(store.title)
    bodies = store.bodies(card.id for card in cards)
    return tuple(
        QuickHit(card.id, card.kind, card.title, card.tags, marker.snippet(plain_text(bodies[card.id], named)).marked)
        for card in cards
    )


def _suggestion(index: _Index, asked: ParsedQuery) -> str | None:
    """The query with each unknown word replaced by a similar word of the index."""
    typed = asked.typed
    for item in asked.required:
        if isinstance(item.text, Word) and not index.engine.frequency(item.text.stem):
            from graph.search.spelling import nearest  # noqa: PLC0415  # brings in rapidfuzz

            meant = nearest(item.typed, index.lexicon.counts)
            typed = typed.replace(item.typed, meant, 1) if meant else typed
    return None if typed == asked.typed else typed
