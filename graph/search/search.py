"""Full-text search over a store: parses a query, ranks, filters, counts and highlights.

text ─▶ query language ─▶ synonyms ─▶ engine (ranking) ─▶ facet index (filters, facets) ─▶ page ─▶ snippets
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

from graph.models.facet_counts import RankedFacets
from graph.models.query_models import Facets, NodeQuery
from graph.problems import Problem, Severity
from graph.search.building import OPENING, PATIENCE, Build
from graph.search.completion import Completer
from graph.search.engine_protocol import Engine, Ranking
from graph.search.engine_table import BY_SIZE, openers
from graph.search.facet_column import Ints, Mask
from graph.search.facet_index import FacetIndex
from graph.search.index_files import IndexFiles, OpenIndex
from graph.search.lexicon import Lexicon
from graph.search.query_language import AllOf, InTitle, Item, ParsedQuery, Text, Word, parse, text_of
from graph.search.ranking_cache import RankingCache, cursor_text, read_cursor
from graph.search.search_errors import SearchDamagedError, SearchInWriteError
from graph.search.search_models import Answer, Completion, Hit, Synonym
from graph.search.search_protocol import Progress, quiet
from graph.search.shared import Shared
from graph.search.shown_nodes import ShownNodes
from graph.search.similar_words import SimilarWords
from graph.search.snippets import Marker
from graph.search.synonyms import Synonyms, synonyms_of
from graph.search.title_factors import WINDOW, query_stems
from graph.search.title_ranking import ranked_again
from graph.store import Store
from graph.store.store_errors import UnknownSourceError

FEW_TITLES = 50
"""To look through so many titles takes as long as to ask the engine for those with all words of a query."""


class _State(NamedTuple):
    """All data of one version of the graph; `folder` is where its index is."""

    version: int
    folder: str
    opened: OpenIndex
    engine: Engine
    shelf: FacetIndex
    synonyms: Synonyms
    completer: Completer
    lexicon: Lexicon
    similar: SimilarWords
    nodes: ShownNodes


class _Found(NamedTuple):
    """All results of a query, before paging; `places` are those of their cards."""

    ranking: Ranking
    places: Ints
    counts: RankedFacets
    items: tuple[Item, ...]
    relaxed: bool
    synonyms: tuple[Synonym, ...]
    suggestion: str | None


class _DamagedError(Exception):
    """The engine could not read its index."""


class Search:
    """Search over a store with its index in a folder, updated at each query if needed. Threads may share it.

    There is one state for each version of the graph. A query uses the state that it began with until it ends, while
    another thread (one at a time) builds the next.
    """

    def __init__(self, store: Store, folder: Path, engine: str = BY_SIZE, patience: float = PATIENCE) -> None:
        """Nothing is opened before the first query; `patience` (seconds) is for `in_background`.

        Raises:
            SearchError: there is no such engine, or it is not installed.
        """
        self._store = store
        self._files = IndexFiles(store, folder, *openers(engine))
        self._states: Shared[_State] = Shared(lambda state: state.opened.close())
        self._walks: RankingCache[_Found] = RankingCache()
        self._answers = store.cache(128, "graph")
        self._making = threading.Lock()
        self._patience = patience
        self._background: Progress | None = None
        self._build: Build | None = None
        self._starting = threading.Lock()

    def in_background(self, progress: Progress = quiet) -> None:
        """Build the index in a background thread from now on: queries wait at most `patience` seconds.

        After that, queries raise `SearchNotReadyError` until the index is ready. An index that is out of date is built
        at once, a current one is opened at once.
        """
        self._background = progress
        self._begun()

    def opening(self) -> bool:
        """Whether the first index of `in_background` is still being opened, and is current."""
        build = self._build
        if build is None or build.counts or not build.running:
            return False
        with self._states.using(lambda _state: True) as state:
            return state is None and self._current()

    def index(self, progress: Progress = quiet) -> None:
        """Update the index on disk without keeping it open; raises as `refresh` does."""
        self._outside()
        with self._making:
            self._files.current(progress).close()

    def refresh(self, progress: Progress = quiet) -> None:
        """Update the index and open it; `progress` does not report builds in the background.

        Raises:
            SearchError: another process has locked the index, or its folder is not writable.
        """
        if self._background is None:
            self._make(progress)
        else:
            self._begun().wait(None)

    def rebuild(self, progress: Progress = quiet) -> None:
        """Rebuild the index in any case; raises as `refresh` does."""
        with self._making:
            self._states.replace(self._made(self._files.rebuild(progress)))

    def close(self) -> None:
        """Close the index once running queries have ended, and cancel a running build."""
        with self._starting:
            build, self._build, self._background = self._build, None, None
        if build is not None:
            build.stop()
        self._states.replace(None)

    def search(self, typed: str, query: NodeQuery | None = None) -> Answer:
        """One page of the nodes that match the text and the filters, the best first; `query.sort` is ignored.

        Raises:
            CursorError: the cursor is not from this query.
            SearchNotReadyError: the index is being built in the background.
            SearchError: the index can be neither read nor built.
        """
        asked = query or NodeQuery()
        seal = _seal(typed, asked)
        key = (seal, asked.cursor, asked.limit)
        self._outside()
        known = self._answers.cached(lambda version: (version, *key))
        if isinstance(known, Answer):
            return known
        broken = None
        for _ in range(2):
            with self._present() as state:
                try:
                    answer = partial(self._answer, state, typed, asked, seal)
                    return self._answers.get((state.version, *key), answer)
                except _DamagedError:
                    broken = state.folder
            self._make(quiet, broken)
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
            facets=Facets.ranked(found.counts),
            next=cursor_text(version, seal, end) if more else None,
            relaxed=found.relaxed,
            synonyms=found.synonyms,
            suggestion=found.suggestion,
        )

    def complete(self, typed: str, limit: int = 10) -> tuple[Completion, ...]:
        """Tags, terms and titles that complete the typed text."""
        with self._present() as state:
            return state.completer.complete(typed, limit)

    def term_names(self) -> tuple[tuple[str, str], ...]:
        """Every label of a term with the id of the first term that has it."""
        with self._present() as state:
            return state.completer.terms

    def check(self) -> list[Problem]:
        """Report an index that is missing or out of date; it is derived data, so nothing is lost."""
        manifest = self._files.manifest()
        if self._current():
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
        """A state at least as new as the graph is now; it is open within the block."""
        self._outside()
        least = now = self._store.graph_version()
        made = False
        while True:
            fits = partial(_fits, now=now, least=least if made else None)
            with self._states.using(fits) as state:
                if state is not None:
                    yield state
                    return
            if self._background is None:
                self._make(quiet)
            else:
                self._begun().wait(max(self._patience, OPENING) if self._current() else self._patience)
            made, now = True, self._store.graph_version()

    def _current(self) -> bool:
        """Whether the index on disk is of the present state of the store."""
        manifest = self._files.manifest()
        return manifest is not None and manifest.version == self._store.graph_version()

    def _outside(self) -> None:
        if self._store.in_transaction():
            raise SearchInWriteError

    def _begun(self) -> Build:
        """The running background build; starts one if there is none."""
        with self._starting:
            if self._build is None or not self._build.running:
                progress = self._background or quiet
                self._build = Build(self._make, progress)
            return self._build

    def _make(self, progress: Progress, broken: str | None = None) -> None:
        """Build the state of the current version, one thread at a time; reuse a state built meanwhile.

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
        shelf = FacetIndex(self._store.index_feed.card_list())
        terms = list(self._store.nodes.terms())
        names = [(label, term.id) for term in terms for label in (term.labels.all() if term.labels else (term.title,))]
        synonyms = synonyms_of(term.labels.all() for term in terms if term.labels)
        completer = Completer(self._store.tags.all(), names, shelf.cards)
        shown = ShownNodes(self._store.index_feed.shown, shelf.named)
        return _State(
            manifest.version, manifest.folder, opened, engine, shelf, synonyms, completer,
            words, SimilarWords(words.counts), shown,
        )  # fmt: skip

    def _matching(self, state: _State, typed: str, query: NodeQuery) -> _Found:
        """All matching nodes; if no node has all the words, those that have some."""
        asked = parse(typed)
        items, synonyms = state.synonyms.expand(asked.required)
        mask = state.shelf.passing(query, asked.filters, self._listing(query.source))
        ranking, places = _ranked(state, asked, text_of(items), mask)
        relaxed = not len(places) and len(items) > 1
        if relaxed:
            ranking, places = _ranked(state, asked, text_of(items, relaxed=True), mask)
        again = _ranked_by_titles(state, ranking, places, asked.required)
        if again is not ranking:
            ranking, places = again, state.shelf.places(again.serials)
        counts = state.shelf.counts(places)
        suggestion = _suggestion(state, asked)
        return _Found(ranking, places, counts, items, relaxed and bool(counts.kinds.listed), synonyms, suggestion)

    def _listing(self, work: str | None) -> list[str] | None:
        """The nodes that list a work as a source."""
        if work is None:
            return None
        try:
            return [node.id for node in self._store.sources.get(work).use.nodes]
        except UnknownSourceError:
            return []

    def _hits(self, state: _State, found: _Found, offset: int, end: int) -> tuple[Hit, ...]:
        """The hits of a page; skips nodes that were removed since the ranking was made."""
        serials, scores = found.ranking.serials[offset:end], found.ranking.scores[offset:end]
        cards = state.shelf.some(serials)
        score_of = {card.id: float(score) for card, score in zip(cards, scores, strict=True) if card is not None}
        marker = Marker(item.text for item in found.items)
        hits = []
        for node, text in state.nodes.of(score_of):
            snippet = marker.snippet(text)
            title = marker.marked(node.title)
            hits.append(
                Hit(node=node, score=score_of[node.id], title=title, snippet=snippet.marked, plain=snippet.plain)
            )
        return tuple(hits)


def _fits(state: _State, now: int, least: int | None) -> bool:
    """Whether a state is of the version `now`, or, under constant writes, of `least` or a later one."""
    return state.version == now or (least is not None and state.version >= least)


def _seal(typed: str, query: NodeQuery) -> str:
    """Identifies the query that a cursor belongs to: everything but the page."""
    scope = typed + "\0" + query.model_dump_json(exclude={"limit", "cursor", "sort"})
    return hashlib.sha256(scope.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _ranked(state: _State, asked: ParsedQuery, wanted: Text | None, mask: Mask | None) -> tuple[Ranking, Ints]:
    """The engine's ranking of the nodes that pass the filters, and their places.

    Without words, all of them in the order of arrival.
    """
    if asked.empty:
        return Ranking(np.zeros(0, dtype=np.int64), np.zeros(0)), np.zeros(0, dtype=np.int64)
    unwanted = text_of(asked.unwanted, relaxed=True)
    if wanted is None and unwanted is None:
        serials = state.shelf.serials if mask is None else state.shelf.serials[mask]
        return Ranking(serials, np.zeros(len(serials))), state.shelf.places(serials)
    if "*" in asked.typed:
        wanted, unwanted = _spelt(state, wanted), _spelt(state, unwanted)
    try:
        ranking = state.engine.rank(wanted, unwanted)
    except Exception as error:
        raise _DamagedError from error
    places = state.shelf.places(ranking.serials)
    if mask is None and not len(places):
        return ranking, places
    if mask is None and places.min() >= 0:
        return ranking, places
    known = places >= 0 if mask is None else (places >= 0) & mask[places]
    return ranking.filtered(known), places[known]


def _ranked_by_titles(state: _State, ranking: Ranking, places: Ints, items: tuple[Item, ...]) -> Ranking:
    """The ranking weighted by titles and tags; of many nodes the engine says first if a title has all the words."""
    asked = query_stems(items)
    tagged = state.shelf.is_tag(tuple(asked))
    if len(places) > FEW_TITLES and len(asked) > 1 and not tagged:
        try:
            titled = state.engine.rank(InTitle(AllOf(tuple(map(Word, asked)))), None).serials
        except Exception as error:
            raise _DamagedError from error
        if set(ranking.serials[:WINDOW].tolist()).isdisjoint(titled.tolist()):
            return ranking
    return ranked_again(ranking, state.shelf.at(places[:WINDOW]), asked, tagged=tagged)


def _frequency(state: _State, stem: str) -> int:
    try:
        return state.engine.frequency(stem)
    except Exception as error:
        raise _DamagedError from error


def _spelt(state: _State, text: Text | None) -> Text | None:
    return None if text is None else state.lexicon.spelt_out(text)


def _suggestion(state: _State, asked: ParsedQuery) -> str | None:
    """The query with each unknown word replaced by a similar word of the index."""
    typed = asked.typed
    for item in asked.required:
        if isinstance(item.text, Word) and not _frequency(state, item.text.stem):
            meant = state.similar.nearest(item.typed)
            typed = typed.replace(item.typed, meant, 1) if meant else typed
    return None if typed == asked.typed else typed
