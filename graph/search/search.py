"""Search as its users see it: asks, ranks, filters, counts, marks, and says what it did.

typed ─▶ language ─▶ synonyms ─▶ engine (ranking) ─▶ shelf (filters, facets) ─▶ page ─▶ snippets
"""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import NamedTuple

import numpy as np

from graph.plain import plain_text
from graph.problems import Problem, Severity
from graph.query import Facets, NodeQuery
from graph.search.answers import Answer, Completion, Hit, Synonym
from graph.search.completion import Completer
from graph.search.engine import Engine, Ranking
from graph.search.engines import opener
from graph.search.files import IndexFiles, Progress
from graph.search.language import Asked, Item, Text, Word, parse, text_of
from graph.search.lexicon import Lexicon
from graph.search.ranking import ranked_again
from graph.search.shelf import Mask, Shelf
from graph.search.snippets import Marker
from graph.search.spelling import nearest
from graph.search.synonyms import Synonyms, synonyms_of
from graph.search.walks import Walks, cursor_text, read_cursor
from graph.store import Store, UnknownSourceError


class _State(NamedTuple):
    """Everything that belongs to one version of the graph."""

    version: int
    engine: Engine
    shelf: Shelf
    synonyms: Synonyms
    completer: Completer
    lexicon: Lexicon


class _Found(NamedTuple):
    """All that a query found, before a page is cut from it."""

    ranking: Ranking
    facets: Facets
    items: tuple[Item, ...]
    relaxed: bool
    synonyms: tuple[Synonym, ...]
    suggestion: str | None


class _DamagedError(Exception):
    """The engine could not read its index."""


def _quiet(_what: str, _done: int, _total: int) -> None:
    """The progress nobody wants to see."""


class Search:
    """Search over a store, its index in a folder, brought up to date whenever it is asked. Threads may share it."""

    def __init__(self, store: Store, folder: Path, engine: str = "whoosh") -> None:
        """Nothing is opened before the first question.

        Raises:
            SearchError: there is no such engine, or it is not installed.
        """
        self._store = store
        self._files = IndexFiles(store, folder, engine, opener(engine))
        self._state: _State | None = None
        self._walks: Walks[_Found] = Walks()
        self._answers = store.cache(128, "graph")
        self._lock = threading.RLock()

    def refresh(self, progress: Progress = _quiet) -> None:
        """Bring the index up to the store.

        Raises:
            SearchError: another process holds it, or its folder cannot be written.
        """
        self._fresh(progress)

    def rebuild(self, progress: Progress = _quiet) -> None:
        """Build the index again, whatever there is; raises as `refresh` does."""
        with self._lock:
            self._state = None
            self._files.rebuild(progress)

    def close(self) -> None:
        """Give the index back."""
        with self._lock:
            self._state = None
            self._files.close()

    def search(self, typed: str, query: NodeQuery | None = None) -> Answer:
        """One page of the nodes that match the text and the filters, the best first; `query.sort` has no meaning here.

        Raises:
            CursorError: the cursor is not one that this question gave.
            SearchError: the index can neither be read nor built.
        """
        asked = query or NodeQuery()
        seal = _seal(typed, asked)
        key = (seal, asked.cursor, asked.limit)
        return self._answers.get(key, lambda: self._answer(typed, asked, seal))

    def _answer(self, typed: str, query: NodeQuery, seal: str) -> Answer:
        version, offset = (-1, 0) if query.cursor is None else read_cursor(query.cursor, seal)
        found = self._walks.get((version, seal))
        if found is None:
            found, version = self._found(typed, query, seal)
        end = offset + query.limit
        more = end < len(found.ranking.serials)
        return Answer(
            hits=self._hits(found, offset, end),
            total=len(found.ranking.serials),
            facets=found.facets,
            next=cursor_text(version, seal, end) if more else None,
            relaxed=found.relaxed,
            synonyms=found.synonyms,
            suggestion=found.suggestion,
        )

    def complete(self, typed: str, limit: int = 10) -> tuple[Completion, ...]:
        """Tags, terms and titles that go on as was typed."""
        return self._fresh(_quiet).completer.complete(typed, limit)

    def check(self) -> list[Problem]:
        """Whether the index is there and up to date; it is derived, so nothing is lost where it is not."""
        manifest = self._files.manifest()
        if manifest is not None and manifest.version == self._store.graph_version():
            return []
        said = "is missing or of another store" if manifest is None else "is older than the store"
        hint = "it is built again at the next search"
        return [
            Problem(
                document="index",
                severity=Severity.NOTE,
                code="index-outdated",
                message=f"the search index {said}",
                hint=hint,
            )
        ]

    def _fresh(self, progress: Progress) -> _State:
        state = self._state
        if state is not None and state.version == self._store.graph_version():
            return state
        with self._lock:
            if self._state is None or self._state.version != self._store.graph_version():
                self._state = self._made(progress)
            return self._state

    def _made(self, progress: Progress) -> _State:
        manifest, engine, words = self._files.current(progress)
        shelf = Shelf(self._store.cards())
        terms = list(self._store.terms())
        names = [(label, term.id) for term in terms for label in (term.labels.all() if term.labels else (term.title,))]
        completer = Completer(self._store.tags(), names, shelf.cards)
        return _State(manifest.version, engine, shelf, synonyms_of(terms), completer, words)

    def _found(self, typed: str, query: NodeQuery, seal: str) -> tuple[_Found, int]:
        """Everything that matches at the present version; an index that breaks on the way is built again, once."""
        state = self._fresh(_quiet)
        known = self._walks.get((state.version, seal))
        if known is not None:
            return known, state.version
        try:
            found = self._matching(state, typed, query)
        except _DamagedError:
            self.rebuild()
            state = self._fresh(_quiet)
            found = self._matching(state, typed, query)
        return self._walks.keep((state.version, seal), found), state.version

    def _matching(self, state: _State, typed: str, query: NodeQuery) -> _Found:
        """Everything that matches; where no node has all the words, those that have some."""
        asked = parse(typed)
        items, synonyms = state.synonyms.expand(asked.wanted)
        mask = state.shelf.passing(query, asked.filters, self._listing(query.source))
        ranking = _ranked(state, asked, text_of(items), mask)
        relaxed = not len(ranking.serials) and len(items) > 1
        if relaxed:
            ranking = _ranked(state, asked, text_of(items, relaxed=True), mask)
        ranking = ranked_again(ranking, state.shelf, asked.wanted)
        facets = state.shelf.facets(state.shelf.places(ranking.serials))
        return _Found(ranking, facets, items, relaxed and bool(facets.kind), synonyms, _suggestion(state, asked))

    def _listing(self, work: str | None) -> list[str] | None:
        """The nodes that list a work."""
        if work is None:
            return None
        try:
            return [node.id for node in self._store.source(work).use.nodes]
        except UnknownSourceError:
            return []

    def _hits(self, found: _Found, offset: int, end: int) -> tuple[Hit, ...]:
        """The hits of a page; nodes that were removed since the ranking was made are passed over."""
        state = self._fresh(_quiet)
        serials, scores = found.ranking.serials[offset:end], found.ranking.scores[offset:end]
        cards = [state.shelf.card(int(serial)) for serial in serials]
        score_of = {card.id: float(score) for card, score in zip(cards, scores, strict=True) if card is not None}
        bodies = self._store.bodies(score_of)
        marker = Marker(item.text for item in found.items)
        hits = []
        for node in self._store.summary_list(score_of):
            snippet = marker.snippet(plain_text(bodies.get(node.id, ""), state.shelf.named))
            title = marker.marked(node.title)
            hits.append(
                Hit(node=node, score=score_of[node.id], title=title, snippet=snippet.marked, plain=snippet.plain)
            )
        return tuple(hits)


def _seal(typed: str, query: NodeQuery) -> str:
    """The question that a cursor belongs to: everything but the page."""
    scope = typed + "\0" + query.model_dump_json(exclude={"limit", "cursor", "sort"})
    return hashlib.sha256(scope.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _ranked(state: _State, asked: Asked, wanted: Text | None, mask: Mask) -> Ranking:
    """The engine's ranking of what passes the filters; without words, everything in the order of arrival."""
    if asked.empty:
        return Ranking(np.zeros(0, dtype=np.int64), np.zeros(0))
    unwanted = text_of(asked.unwanted, relaxed=True)
    if wanted is None and unwanted is None:
        return Ranking(state.shelf.serials[mask], np.zeros(int(mask.sum())))
    try:
        ranking = state.engine.rank(_spelt(state, wanted), _spelt(state, unwanted))
    except Exception as error:
        raise _DamagedError from error
    places = state.shelf.places(ranking.serials)
    return ranking.kept((places >= 0) & mask[places])


def _spelt(state: _State, text: Text | None) -> Text | None:
    return None if text is None else state.lexicon.spelt_out(text)


def _suggestion(state: _State, asked: Asked) -> str | None:
    """The query with another word for each that stands nowhere and resembles one that does."""
    typed = asked.typed
    for item in asked.wanted:
        if isinstance(item.text, Word) and not state.engine.frequency(item.text.stem):
            meant = nearest(item.typed, state.lexicon.counts)
            typed = typed.replace(item.typed, meant, 1) if meant else typed
    return None if typed == asked.typed else typed
