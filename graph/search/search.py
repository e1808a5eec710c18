"""Search as its users see it: asks, ranks, filters, counts, marks, and says what it did.

typed ─▶ language ─▶ synonyms ─▶ engine (ranking) ─▶ shelf (filters, facets) ─▶ page ─▶ snippets
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from graph.models.query_models import Facets, NodeQuery
from graph.problems import Problem, Severity
from graph.search.building import PATIENCE, Build
from graph.search.completion import Completer
from graph.search.engine_protocol import Engine, Ranking
from graph.search.engine_table import opener
from graph.search.facet_index import FacetIndex, Mask
from graph.search.index_files import IndexFiles, OpenIndex, Progress, SearchDamagedError, SearchInWriteError
from graph.search.lexicon import Lexicon
from graph.search.query_language import Item, ParsedQuery, Text, Word, parse, text_of
from graph.search.ranking_cache import RankingCache, cursor_text, read_cursor
from graph.search.search_models import Answer, Completion, Hit, Synonym
from graph.search.shared import Shared
from graph.search.snippets import Marker
from graph.search.spelling import nearest
from graph.search.synonyms import Synonyms, synonyms_of
from graph.search.title_ranking import ranked_again
from graph.store import Store, UnknownSourceError
from graph.text.plain_text import plain_text


class _State(NamedTuple):
    """Everything that belongs to one version of the graph; `folder` is where its index is."""

    version: int
    folder: str
    engine: Engine
    shelf: FacetIndex
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
    """Search over a store, its index in a folder, brought up to date whenever it is asked. Threads may share it.

    There is one state for each version of the graph: a question uses the state that it began with until it has its
    answer, while another thread, one at a time, makes the next.
    """

    def __init__(self, store: Store, folder: Path, engine: str = "whoosh", patience: float = PATIENCE) -> None:
        """Nothing is opened before the first question; `patience` is for `in_background`.

        Raises:
            SearchError: there is no such engine, or it is not installed.
        """
        self._store = store
        self._files = IndexFiles(store, folder, engine, opener(engine))
        self._states: Shared[_State] = Shared(lambda state: state.engine.close())
        self._walks: RankingCache[_Found] = RankingCache()
        self._answers = store.cache(128, "graph")
        self._making = threading.Lock()
        self._patience = patience
        self._background: Progress | None = None
        self._build: Build | None = None
        self._starting = threading.Lock()

    def in_background(self, progress: Progress = _quiet) -> None:
        """From now on build the index in a thread, beginning at once: questions wait for `patience` seconds at most.

        After that they raise `SearchNotReadyError` until the index is ready.
        """
        self._background = progress
        self._begun()

    def index(self, progress: Progress = _quiet) -> None:
        """Bring the index on disk up to the store without keeping it open; raises as `refresh` does."""
        self._outside()
        with self._making:
            self._files.current(progress).engine.close()

    def refresh(self, progress: Progress = _quiet) -> None:
        """Bring the index up to the store and open it; `progress` is not told of what is built in the background.

        Raises:
            SearchError: another process holds it, or its folder cannot be written.
        """
        if self._background is None:
            self._make(progress)
        else:
            self._begun().wait(None)

    def rebuild(self, progress: Progress = _quiet) -> None:
        """Build the index again, whatever there is; raises as `refresh` does."""
        with self._making:
            self._states.replace(self._made(self._files.rebuild(progress)))

    def close(self) -> None:
        """Give the index back, when the questions under way have their answers; a build under way is given up."""
        with self._starting:
            build, self._build, self._background = self._build, None, None
        if build is not None:
            build.stop()
        self._states.replace(None)

    def search(self, typed: str, query: NodeQuery | None = None) -> Answer:
        """One page of the nodes that match the text and the filters, the best first; `query.sort` has no meaning here.

        Raises:
            CursorError: the cursor is not one that this question gave.
            SearchNotReadyError: the index is being built in the background.
            SearchError: the index can neither be read nor built.
        """
        asked = query or NodeQuery()
        seal = _seal(typed, asked)
        key = (seal, asked.cursor, asked.limit)
        broken = None
        for _ in range(2):
            with self._present() as state:
                try:
                    answer = partial(self._answer, state, typed, asked, seal)
                    return self._answers.get((state.version, *key), answer)
                except _DamagedError:
                    broken = state.folder
            self._make(_quiet, broken)
        raise SearchDamagedError(self._files.folder)

    def _answer(self, state: _State, typed: str, query: NodeQuery, seal: str) -> Answer:
        version, offset = (state.version, 0) if query.cursor is None else read_cursor(query.cursor, seal)
        found = self._walks.get((version, seal))
        if found is None:
            version = state.version
            found = self._walks.get((version, seal))
        if found is None:
            found = self._walks.keep((version, seal), self._matching(state, typed, query))
        end = offset + query.limit
        more = end < len(found.ranking.serials)
        return Answer(
            hits=self._hits(state, found, offset, end),
            total=len(found.ranking.serials),
            facets=found.facets,
            next=cursor_text(version, seal, end) if more else None,
            relaxed=found.relaxed,
            synonyms=found.synonyms,
            suggestion=found.suggestion,
        )

    def complete(self, typed: str, limit: int = 10) -> tuple[Completion, ...]:
        """Tags, terms and titles that go on as was typed."""
        with self._present() as state:
            return state.completer.complete(typed, limit)

    def check(self) -> list[Problem]:
        """Whether the index is there and up to date; it is derived, so nothing is lost where it is not."""
        manifest = self._files.manifest()
        if manifest is not None and manifest.version == self._store.graph_version():
            return []
        said = "is missing or of another store" if manifest is None else "is of another state of the store"
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

    @contextmanager
    def _present(self) -> Iterator[_State]:
        """A state at least as new as the graph is now; it stays open within the block."""
        self._outside()
        least, made = self._store.graph_version(), False
        while True:
            fits = partial(_fits, now=self._store.graph_version(), least=least if made else None)
            with self._states.using(fits) as state:
                if state is not None:
                    yield state
                    return
            if self._background is None:
                self._make(_quiet)
            else:
                self._begun().wait(self._patience)
            made = True

    def _outside(self) -> None:
        if self._store.writing():
            raise SearchInWriteError

    def _begun(self) -> Build:
        """The build that is under way in the background; where none is, one is begun."""
        with self._starting:
            if self._build is None or not self._build.running:
                progress = self._background or _quiet
                self._build = Build(self._make, progress)
            return self._build

    def _make(self, progress: Progress, broken: str | None = None) -> None:
        """Make the state of the present version, one thread at a time; what another thread made meanwhile will do.

        `broken` is the folder of an index that could not be read.
        """
        self._outside()
        with self._making:
            version = self._store.graph_version()
            with self._states.using(lambda state: state.version == version and state.folder != broken) as state:
                if state is not None:
                    return
            self._states.replace(self._made(self._files.current(progress, broken)))

    def _made(self, opened: OpenIndex) -> _State:
        manifest, engine, words = opened
        shelf = FacetIndex(self._store.cards())
        terms = list(self._store.terms())
        names = [(label, term.id) for term in terms for label in (term.labels.all() if term.labels else (term.title,))]
        completer = Completer(self._store.tags(), names, shelf.cards)
        return _State(manifest.version, manifest.folder, engine, shelf, synonyms_of(terms), completer, words)

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

    def _hits(self, state: _State, found: _Found, offset: int, end: int) -> tuple[Hit, ...]:
        """The hits of a page; nodes that were removed since the ranking was made are passed over."""
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


def _fits(state: _State, now: int, least: int | None) -> bool:
    """Of the version `now`; or, where writers go on all the time, of `least` or a later one."""
    return state.version == now or (least is not None and state.version >= least)


def _seal(typed: str, query: NodeQuery) -> str:
    """The question that a cursor belongs to: everything but the page."""
    scope = typed + "\0" + query.model_dump_json(exclude={"limit", "cursor", "sort"})
    return hashlib.sha256(scope.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _ranked(state: _State, asked: ParsedQuery, wanted: Text | None, mask: Mask) -> Ranking:
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


def _frequency(state: _State, stem: str) -> int:
    try:
        return state.engine.frequency(stem)
    except Exception as error:
        raise _DamagedError from error


def _spelt(state: _State, text: Text | None) -> Text | None:
    return None if text is None else state.lexicon.spelt_out(text)


def _suggestion(state: _State, asked: ParsedQuery) -> str | None:
    """The query with another word for each that stands nowhere and resembles one that does."""
    typed = asked.typed
    for item in asked.wanted:
        if isinstance(item.text, Word) and not _frequency(state, item.text.stem):
            meant = nearest(item.typed, state.lexicon.counts)
            typed = typed.replace(item.typed, meant, 1) if meant else typed
    return None if typed == asked.typed else typed
