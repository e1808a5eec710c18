"""Full-text search in PostgreSQL: the index is in the database, so all processes share it and none keeps its own.

    text ─▶ query language ─▶ synonyms ─▶ SQL conditions ─▶ matches: facets, ranked head ─▶ page ─▶ snippets

Every write indexes its nodes in its own transaction, and one transaction answers a query: an answer is of one version.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from sqlalchemy import Connection, text

from graph.models.facet_counts import FACET_TAGS
from graph.models.node_models import Kind
from graph.models.query_models import Card, Facets, NodeQuery
from graph.problems import Problem, Severity
from graph.search.building import PATIENCE, Build
from graph.search.completion import Completer
from graph.search.engine_protocol import Ranking
from graph.search.query_language import Item, ParsedQuery, Text, parse, text_of
from graph.search.ranking_cache import RankingCache, cursor_text, read_cursor
from graph.search.search_errors import SearchInWriteError
from graph.search.search_models import Answer, Completion, Hit, Synonym
from graph.search.search_protocol import Progress, quiet
from graph.search.server.server_index import ServerIndex
from graph.search.server.server_lookups import labels, link_names, suggestion, synonyms_for, titles_like
from graph.search.server.server_queries import Condition, any_word, spelt_out
from graph.search.snippets import Marker
from graph.search.title_factors import WINDOW, query_stems
from graph.search.title_ranking import ranked_again
from graph.store import Store
from graph.store.brain_view import BrainView
from graph.text.plain_text import plain_text
from graph.values import loads

RANKED = 5000
"""How many matches are ranked. If more match, those with a word in the title are ranked first, then the latest."""

WEIGHTS = "{0.25, 0.5, 0.75, 1.0}"
"""What a word counts in the text, -, in names and tags, in the title."""

_COUNTED = """
    WITH m AS MATERIALIZED (
        SELECT s.serial, s.kind, s.brain, s.tags, {first} AS first FROM search_nodes s WHERE {where})
    SELECT 'kind' AS facet, kind AS value, count(*) AS number FROM m GROUP BY kind
    UNION ALL SELECT 'brain', brain, count(*) FROM m GROUP BY brain
    UNION ALL SELECT 'tag', tag, count(*) FROM m CROSS JOIN unnest(m.tags) AS tag GROUP BY tag
    UNION ALL SELECT 'head', NULL, serial FROM (SELECT serial FROM m ORDER BY {order} LIMIT {most}) h"""
_RANKED = text(
    f"SELECT serial, ts_rank('{WEIGHTS}', vector, CAST(:words AS tsquery), 1) AS score"  # noqa: S608 - fixed numbers
    " FROM search_nodes WHERE serial = ANY(CAST(:head AS integer[])) ORDER BY score DESC, serial"
)
_CARDS = text(
    "SELECT serial, id, kind, brain, title, tags, document FROM nodes WHERE serial = ANY(CAST(:serials AS integer[]))"
)


@dataclass
class _Found:
    """All results of a query, before paging; `rest` reads the matches behind the ranked head."""

    ranking: Ranking
    total: int
    facets: Facets
    items: tuple[Item, ...]
    relaxed: bool
    synonyms: tuple[Synonym, ...]
    suggestion: str | None
    rest: Callable[[Connection], list[int]]
    ids: dict[int, str] = field(default_factory=dict)
    """The node ids of some serials; an id keeps its serial for ever."""

    def id_of(self, serials: list[int], sql: Connection) -> dict[int, str]:
        """The ids of nodes by serial."""
        missing = [serial for serial in serials if serial not in self.ids]
        read = {serial: card.id for serial, card in _cards(sql, missing).items()} if missing else {}
        return {serial: found for serial in serials if (found := read.get(serial) or self.ids.get(serial))}

    def reach(self, end: int, sql: Connection) -> None:
        """Read the matches behind the head if the page ends there."""
        if end <= len(self.ranking.serials) or self.total <= len(self.ranking.serials):
            return
        known = set(self.ranking.serials.tolist())
        serials = [serial for serial in self.rest(sql) if serial not in known]
        scores = np.concatenate([self.ranking.scores, np.zeros(len(serials))])
        self.ranking = Ranking(np.concatenate([self.ranking.serials, np.array(serials, dtype=np.int64)]), scores)
        self.total = len(self.ranking.serials)


class ServerSearch:
    """Search over a store in PostgreSQL; see `graph.search.search_protocol.TextSearch`."""

    def __init__(self, store: Store, patience: float = PATIENCE) -> None:
        """From now on every write of `store` indexes its nodes; `patience` (seconds) is for `in_background`.

        The tables are those of the store that a view is of, whose own search indexes the writes.
        """
        self._store = store
        self._index = ServerIndex(store.base if isinstance(store, BrainView) else store)
        if not isinstance(store, BrainView):
            store.before_commit.append(self._index.follow)
        self._walks: RankingCache[_Found] = RankingCache()
        self._answers = store.cache(128, "graph")
        self._names = store.cache(1, "graph")
        self._patience = patience
        self._background: Progress | None = None
        self._build: Build | None = None
        self._starting = threading.Lock()
        self._making = threading.Lock()

    def in_background(self, progress: Progress = quiet) -> None:
        """Build the tables in a background thread if they are behind; queries wait at most `patience` seconds."""
        self._background = progress
        if self._index.behind():
            self._begun()

    def opening(self) -> bool:
        """False: the tables are part of the database."""
        return False

    def index(self, progress: Progress = quiet) -> None:
        """Bring the tables up to date: needed after an upgrade or a bulk load, as each write indexes its nodes.

        Raises:
            SearchInWriteError: this thread is in a write.
        """
        self._outside()
        with self._making:
            if self._index.behind():
                self._index.bring_up(progress)

    def refresh(self, progress: Progress = quiet) -> None:
        """As `index`; there is nothing to open."""
        self.index(progress)

    def rebuild(self, progress: Progress = quiet) -> None:
        """Empty the tables and build them."""
        self._outside()
        with self._making:
            self._index.reset()
            self._index.bring_up(progress)

    def close(self) -> None:
        """Cancel a running build; what it has committed stays."""
        with self._starting:
            build, self._build, self._background = self._build, None, None
        if build is not None:
            build.stop()

    def search(self, typed: str, query: NodeQuery | None = None) -> Answer:
        """One page of the nodes that match the text and the filters, the best first; `query.sort` is ignored.

        Raises:
            CursorError: the cursor is not from this query.
            SearchNotReadyError: the tables are being built in the background.
        """
        asked = query or NodeQuery()
        seal = seal_of(typed, asked)
        self._outside()
        return self._answers.get((seal, asked.cursor, asked.limit), partial(self._answer, typed, asked, seal))

    def complete(self, typed: str, limit: int = 10) -> tuple[Completion, ...]:
        """Tags, terms and titles that complete the typed text."""
        with self._current() as view, view.reading() as sql:
            cards = [Card(0, node, Kind.READING, "", title, (), "") for title, node in titles_like(sql, typed, limit)]
        titles = Completer((), (), cards).complete(typed, limit)
        return self._completer().merged(typed, titles, limit)

    def term_names(self) -> tuple[tuple[str, str], ...]:
        """Every label of a term with the id of the first term that has it."""
        return self._completer().terms

    def check(self) -> list[Problem]:
        """Report tables that are behind; they are derived data, so nothing is lost."""
        if not self._index.behind():
            return []
        return [
            Problem(
                document="index",
                severity=Severity.NOTE,
                code="index-outdated",
                message="the search index is of another state of the store",
                hint="it is built again at the next search",
            )
        ]

    def _completer(self) -> Completer:
        """The completer of tags and terms at the current version."""

        def make() -> Completer:
            with self._current() as view, view.reading() as sql:
                return Completer(view.tags.all(), labels(sql), ())

        return self._names.get("completer", make)

    def _outside(self) -> None:
        if self._store.in_transaction():
            raise SearchInWriteError

    @contextmanager
    def _current(self) -> Iterator[Store]:
        """One committed state of the store in which the tables are up to date."""
        self._outside()
        while True:
            with self._store.pinned() as view:
                with view.reading() as sql:
                    current = self._index.current(sql)
                if current:
                    yield view
                    return
            if self._background is None:
                self.index()
            else:
                self._begun().wait(self._patience)

    def _begun(self) -> Build:
        """The running background build; starts one if there is none."""
        with self._starting:
            if self._build is None or not self._build.running:
                self._build = Build(self.index, self._background or quiet)
            return self._build

    def _answer(self, typed: str, query: NodeQuery, seal: str) -> Answer:
        with self._current() as view:
            current = view.graph_version()
            version, offset = (current, 0) if query.cursor is None else read_cursor(query.cursor, seal)
            found = self._walks.get((version, seal))
            if found is None:
                version = current
                found = self._walks.get((version, seal)) or self._walks.keep(
                    (version, seal), self._matching(view, typed, query)
                )
            end = offset + query.limit
            with view.reading() as sql:
                found.reach(end, sql)
            return Answer(
                hits=_hits(view, found, offset, end),
                total=found.total,
                facets=found.facets,
                next=cursor_text(version, seal, end) if end < found.total else None,
                relaxed=found.relaxed,
                synonyms=found.synonyms,
                suggestion=found.suggestion,
            )

    def _matching(self, view: Store, typed: str, query: NodeQuery) -> _Found:
        """All matching nodes; if no node has all the words, those that have some."""
        asked = parse(typed)
        items, synonyms = synonyms_for(view, asked.required).expand(asked.required)
        with view.reading() as sql:
            found = _found(sql, asked, query, text_of(items))
            relaxed = not found.total and len(items) > 1
            if relaxed:
                found = _found(sql, asked, query, text_of(items, relaxed=True))
            found.items, found.synonyms, found.relaxed = items, synonyms, relaxed and bool(found.total)
            head = found.ranking.serials[:WINDOW].tolist() if items else []
            cards = _cards(sql, head) if items else {}
            found.ranking = ranked_again(found.ranking, list(map(cards.get, head)), query_stems(asked.required))
            found.ids = {serial: card.id for serial, card in cards.items()}
            if relaxed or synonyms or not found.total:  # else a node has every word as it is written
                found.suggestion = suggestion(sql, asked)
        return found


def seal_of(typed: str, query: NodeQuery) -> str:
    """Identifies the query that a cursor belongs to: everything but the page."""
    scope = typed + "\0" + query.model_dump_json(exclude={"limit", "cursor", "sort"})
    return hashlib.sha256(scope.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _found(sql: Connection, asked: ParsedQuery, query: NodeQuery, wanted: Text | None) -> _Found:
    """The matches with their counts; the best of them are ranked."""
    if asked.empty:
        return _result(Ranking(np.zeros(0, dtype=np.int64), np.zeros(0)), {}, lambda _sql: [])
    condition = Condition()
    condition.filter(query, asked.filters)
    words = ""
    if wanted is not None:
        wanted = spelt_out(sql, wanted)
        words = any_word(wanted)
        condition.require(condition.match(wanted))
    unwanted = text_of(asked.unwanted, relaxed=True)
    if unwanted is not None:
        condition.require(f"NOT {condition.match(spelt_out(sql, unwanted))}")
    counted = _counts(sql, condition, words)
    head = counted.pop("head", {})
    ranking = _ranking(sql, list(head.values()), words)
    where, values = condition.sql, dict(condition.values)
    rest = text(f"SELECT s.serial FROM search_nodes s WHERE {where} ORDER BY s.serial")  # noqa: S608 - values are bound
    return _result(ranking, counted, lambda later: list(later.execute(rest, values).scalars()))


def _counts(sql: Connection, condition: Condition, words: str) -> dict[str, dict[str, int]]:
    """The counts of each facet by value, and under `head` the serials to rank."""
    first = f"s.title @@ CAST({condition.bind(words)} AS tsquery)" if words else "false"
    order = "first DESC, serial DESC" if words else "serial"
    asked = text(_COUNTED.format(first=first, where=condition.sql, order=order, most=RANKED))
    counted: dict[str, dict[str, int]] = {}
    for number, row in enumerate(sql.execute(asked, condition.values)):
        counted.setdefault(row.facet, {})[row.value or str(number)] = row.number
    return counted


def _result(ranking: Ranking, counted: dict[str, dict[str, int]], rest: Callable[[Connection], list[int]]) -> _Found:
    tags, kinds, brains = (counted.get(name, {}) for name in ("tag", "kind", "brain"))
    return _Found(ranking, sum(kinds.values()), Facets.of(tags, kinds, brains, FACET_TAGS), (), False, (), None, rest)


def _ranking(sql: Connection, head: list[int], words: str) -> Ranking:
    """The head by score; without words in the order of arrival."""
    if not words:
        return Ranking(np.array(sorted(head), dtype=np.int64), np.zeros(len(head)))
    rows = sql.execute(_RANKED, {"words": words, "head": head}).all()
    serials, scores = [row.serial for row in rows], [row.score for row in rows]
    return Ranking(np.array(serials, dtype=np.int64), np.array(scores, dtype=np.float64))


def _cards(sql: Connection, serials: Iterable[int]) -> dict[int, Card]:
    rows = sql.execute(_CARDS, {"serials": list(serials)})
    return {
        row.serial: Card(row.serial, row.id, Kind(row.kind), row.brain, row.title, tuple(loads(row.tags)), row.document)
        for row in rows
    }


def _hits(view: Store, found: _Found, offset: int, end: int) -> tuple[Hit, ...]:
    """The hits of a page; skips nodes that were removed since the ranking was made."""
    serials, scores = found.ranking.serials[offset:end].tolist(), found.ranking.scores[offset:end].tolist()
    with view.reading() as sql:
        ids = found.id_of(serials, sql)
        score_of = {ids[one]: score for one, score in zip(serials, scores, strict=True) if one in ids}
        shown = view.index_feed.shown(score_of)
        named = link_names(sql, [body for _, body in shown.values()])
    marker = Marker(item.text for item in found.items)
    hits = []
    for node, body in (shown[one] for one in score_of if one in shown):
        snippet = marker.snippet(plain_text(body, named))
        title = marker.marked(node.title)
        hits.append(Hit(node=node, score=score_of[node.id], title=title, snippet=snippet.marked, plain=snippet.plain))
    return tuple(hits)
