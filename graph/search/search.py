"""Full-text search over a store.

    text ─▶ query language ─▶ synonyms ─▶ engine: scores ─▶ filters, facets (SQL) ─▶ titles ─▶ page ─▶ snippets

Whoosh searches up to `FEW_NODES` nodes; the database's own search is for more, for PostgreSQL, and while Whoosh's index
is out of date: no request waits for an index.
"""

from __future__ import annotations

import shutil
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text

from graph.models.node_models import Kind
from graph.models.query_models import NodeQuery, NodeSummary
from graph.problems import Problem, Severity
from graph.progress_steps import ProgressStep, no_progress
from graph.search import database_engine, vocabulary
from graph.search.database_engine import Scores, has_text
from graph.search.matching_nodes import among, matching, shown
from graph.search.query_language import AllOf, InTitle, ParsedQuery, Text, Word, parse, text_of
from graph.search.search_models import Answer, Completion, Hit
from graph.search.snippets import Marker
from graph.search.synonyms import with_synonyms
from graph.search.tokenizer import telling
from graph.search.vocabulary import spelt_out, suggestion
from graph.store import Store, search_tables
from graph.store.cursors import Cursor
from graph.store.cursors import read as read_cursor
from graph.store.database import Revision, read_state
from graph.store.node_filters import facets_of
from graph.store.store_errors import CursorError

if TYPE_CHECKING:
    from graph.search.whoosh_engine import WhooshIndex

AUTO, WHOOSH, DATABASE = "auto", "whoosh", "database"

FEW_NODES = 2000  # with more nodes the database searches, unless Whoosh was chosen

RANKINGS = 64  # rankings in the cache: paging continues in the same one, whatever is ingested meanwhile

TITLES = 100  # how many of the best hits are ranked again by their titles


class SearchInWriteError(Exception):
    """The search was used inside a write, which may be rolled back."""

    def __init__(self) -> None:
        super().__init__("search is not available inside a write transaction; ask after the commit")


class SearchStoppedError(Exception):
    """Closing the search cancelled the build of an index."""

    def __init__(self) -> None:
        super().__init__("the search index is not built: the program is ending")


@dataclass(frozen=True, slots=True)
class _Found:
    """All results of a query: serials, the best first, and the answer without its hits."""

    order: Sequence[int]
    scores: Scores
    answer: Answer
    wanted: Text | None = None


class Search:
    """Search over a store, with Whoosh's index in a folder; threads may share it."""

    def __init__(
        self,
        store: Store,
        folder: Path,
        engine: str = AUTO,
        merged_tags: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        """`merged_tags` has the present tag of each former spelling."""
        self._store, self._folder, self._chosen, self._merged_tags = store, folder, engine, merged_tags
        self._engine = store.cache(1, "graph")
        self._rankings: OrderedDict[tuple[int, str], _Found] = OrderedDict()
        self._lock = threading.Lock()
        self._background: ProgressStep | None = None
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()

    @property
    def engine(self) -> str:
        """The engine in use: `whoosh` or `database`."""
        return self._chosen if self._chosen != AUTO else self._engine.get("engine", self._engine_for_size)

    def _engine_for_size(self) -> str:
        counted = text("SELECT count(*) FROM (SELECT 1 FROM nodes LIMIT :most) n")
        with self._store.reading() as sql:
            large = self._store.on_server or sql.execute(counted, {"most": FEW_NODES + 1}).scalar_one() > FEW_NODES
        return DATABASE if large else WHOOSH

    @cached_property
    def _whoosh(self) -> WhooshIndex:
        from graph.search.whoosh_engine import WhooshIndex  # noqa: PLC0415  # a large home does without

        return WhooshIndex(self._store, self._folder)

    def in_background(self, progress: ProgressStep = no_progress) -> None:
        """Update Whoosh's index in a background thread from now on; meanwhile the database searches."""
        self._background = progress
        self._start()

    def refresh(self, progress: ProgressStep = no_progress) -> None:
        """Update Whoosh's index, or remove an unused one."""
        self._outside()
        if self.engine == WHOOSH:
            self._whoosh.update(progress)
        elif self._folder.is_dir():
            shutil.rmtree(self._folder, ignore_errors=True)

    def rebuild(self, progress: ProgressStep = no_progress) -> bool:
        """Rebuild all indexes; False if Whoosh's could not be: another process writes it, or it is unwritable."""
        self._outside()
        with self._store.writing() as work:
            done, total = 0, sum(self._store.nodes.count().values())
            for count in search_tables.rebuild(work.sql):
                done += count
                progress("indexing", done, total)
        return self.engine != WHOOSH or self._whoosh.update(progress, again=True)

    def close(self) -> None:
        """Close the index, and cancel its build."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()
        if "_whoosh" in self.__dict__:
            self._whoosh.close()

    def search(self, typed: str, query: NodeQuery | None = None) -> Answer:
        """One page of matching nodes, the best first. Raises `CursorError` for a cursor of another query."""
        asked = query or NodeQuery()
        self._outside()
        parsed = self._parsed(typed)  # its tags are part of the scope: a merge of tags need not change a note
        scope = f"{typed}\0{parsed.filters}\0{asked.model_dump_json(exclude={'limit', 'cursor', 'sort'})}"
        whoosh = self._bring_up()
        with self._store.reading() as sql:
            state = read_state(sql)
            version, offset = (state.graph, 0) if asked.cursor is None else _position(asked.cursor, scope)
            found = self._rankings.get((version, scope))
            if found is None:
                version = state.graph
                found = self._keep((version, scope), self._found(sql, state if whoosh else None, parsed, asked))
            end = offset + asked.limit
            rows = shown(sql, found.order[offset:end], self._store.hidden)
            following = Cursor(end, str(version)).text(scope) if end < len(found.order) else None
        return found.answer.model_copy(update={"hits": _hits(found, rows), "next": following})

    def complete(self, typed: str, limit: int = 10) -> tuple[Completion, ...]:
        """Tags, terms and titles that complete a typed text."""
        tags = self._store.tags.all()
        with self._store.reading() as sql:
            return vocabulary.complete(sql, tags, typed, limit)

    def term_names(self) -> tuple[tuple[str, str], ...]:
        """Every label of a term, with the id of the first term that has it."""
        with self._store.reading() as sql:
            return tuple(vocabulary.term_names(sql).items())

    def check(self) -> list[Problem]:
        """A problem for an index that is out of date."""
        with self._store.reading() as sql:
            complete = search_tables.is_complete(sql)
        if not complete:
            return [_problem("the search tables do not match the stored notes", "brain check --repair")]
        if self.engine == WHOOSH and not self._whoosh.is_current():
            return [_problem("the search index is out of date", "the next search updates it")]
        return []

    def _outside(self) -> None:
        if self._store.in_transaction():
            raise SearchInWriteError

    def _bring_up(self) -> bool:
        """Whether Whoosh is used; updates its index at once or in the background."""
        used = self.engine == WHOOSH
        if used and not self._whoosh.is_open():
            if self._background is None:
                self._whoosh.update(no_progress)
            else:
                self._start()
        return used

    def _start(self) -> None:
        """Start the background thread, unless it runs."""
        with self._lock:
            if not self._closing.is_set() and (self._thread is None or not self._thread.is_alive()):
                self._thread = threading.Thread(target=self._run, name="search-index", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        def report(what: str, done: int, total: int) -> None:
            if self._closing.is_set():
                raise SearchStoppedError
            (self._background or no_progress)(what, done, total)

        self.refresh(report)

    def _parsed(self, typed: str) -> ParsedQuery:
        """The query with present names of tags."""
        asked = parse(typed)
        merged = self._merged_tags() if any(one.field == "tag" for one in asked.filters) else {}
        named = (replace(one, value=merged.get(one.value, one.value)) for one in asked.filters)
        return replace(asked, filters=tuple(named)) if merged else asked

    def _keep(self, key: tuple[int, str], found: _Found) -> _Found:
        with self._lock:
            self._rankings[key] = found
            if len(self._rankings) > RANKINGS:
                self._rankings.popitem(last=False)
        return found

    def _found(self, sql: Connection, state: Revision | None, asked: ParsedQuery, query: NodeQuery) -> _Found:
        """All matching nodes; if none has all words, those with the corrected words, then those with some."""
        if asked.empty:
            return _Found((), {}, Answer())
        items, synonyms = with_synonyms(sql, asked.required)
        wanted, relaxed = text_of(items), False
        rows, scores = self._matching(sql, state, asked, query, wanted)
        meant = suggestion(sql, asked) if synonyms or not scores else None  # else a node has every word as written
        if not scores:
            corrected, spelt, first, best = asked, items, list[Any](), dict[int, float]()
            if meant:
                corrected = self._parsed(meant)
                spelt, others = with_synonyms(sql, corrected.required)
                synonyms = tuple(dict.fromkeys((*synonyms, *others)))
                first, best = self._matching(sql, state, corrected, query, text_of(spelt))
            relaxed = text_of(items, relaxed=True) != wanted
            wanted = text_of(tuple(dict.fromkeys((*items, *spelt))), relaxed=True)
            if relaxed:
                rows, scores = self._matching(sql, state, corrected, query, wanted)
            above = max(scores.values(), default=0.0)
            rows = [*first, *(row for row in rows if row[0] not in best)]
            scores = {serial: above + score for serial, score in best.items()} | {
                serial: score for serial, score in scores.items() if serial not in best
            }
        answer = Answer(
            total=len(scores),
            facets=facets_of(rows),
            relaxed=relaxed and bool(scores),
            synonyms=synonyms,
            suggestion=meant,
        )
        return _Found(list(scores), scores, answer, wanted)

    def _matching(
        self, sql: Connection, state: Revision | None, asked: ParsedQuery, query: NodeQuery, wanted: Text | None
    ) -> tuple[list[Any], Scores]:
        """The rows of `matching` with scores by titles; Whoosh searches if `state` is given."""
        unwanted = text_of(asked.unwanted, relaxed=True)
        title = telling(" ".join(item.typed for item in asked.required))
        if "*" in asked.typed:
            wanted, unwanted = (one and spelt_out(sql, one) for one in (wanted, unwanted))
        indexed = self._whoosh.find(state, wanted, unwanted) if state and (wanted or unwanted) else None
        found = database_engine.find(sql, wanted, unwanted) if indexed is None else among(sql, indexed)
        titled = has_text(sql, InTitle(AllOf(tuple(map(Word, title)))), "titled") if title else ("1 = 0", {})
        rows = list(matching(sql, found, query, asked.filters, titled))
        return rows, _by_titles(rows, indexed or {row[0]: row[1] for row in rows}, title)


def _position(cursor: str, scope: str) -> tuple[int, int]:
    """The version and the offset of a cursor. Raises `CursorError` for one of another query."""
    found = read_cursor(cursor, scope, int)
    if not found.id.isdigit() or int(found.key) < 0:
        raise CursorError(cursor)
    return int(found.id), int(found.key)


def _by_titles(rows: Sequence[Any], scores: Scores, title: Sequence[str]) -> Scores:
    """Scores, the best first; a title of these stems, or with all of them, raises them."""
    ranked = sorted(rows, key=lambda row: (-scores[row[0]], row[0]))

    def weighted(row: Any) -> float:  # noqa: ANN401 - of several columns
        exact = 4.0 if row[3] == Kind.TERM else 2.0
        return scores[row[0]] * (1.0 if row[2] is None else exact if telling(row[2]) == title else 1.3)

    first = sorted(((row[0], weighted(row)) for row in ranked[:TITLES]), key=lambda pair: -pair[1])
    return dict(first) | {row[0]: scores[row[0]] for row in ranked[TITLES:]}


def _hits(found: _Found, rows: Iterable[tuple[int, NodeSummary, str]]) -> tuple[Hit, ...]:
    """The hits of a page with scores relative to the best."""
    marker = Marker([found.wanted] if found.wanted else [])
    best = max(found.scores.values(), default=0) or 1
    hits = []
    for serial, node, plain in rows:
        snippet, score = marker.snippet(plain), found.scores.get(serial, 0.0) / best
        hits.append(Hit(node=node, score=score, snippet=snippet.marked, plain=snippet.plain))
    return tuple(hits)


def _problem(message: str, hint: str) -> Problem:
    return Problem(document="index", severity=Severity.NOTE, code="index-outdated", message=message, hint=hint)
