"""Queries for nodes: one, some, all, and lists with filters, facets and cursors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, or_, select

from graph.models.node_models import Kind, Node
from graph.models.query_models import FacetCount, Facets, NodeQuery, NodeRef, NodeSummary, Page, Tombstone
from graph.store.column_types import Query, Record
from graph.store.cursors import Cursor
from graph.store.cursors import read as read_cursor
from graph.store.database import STREAMED, StorePart
from graph.store.document_changes import chunks
from graph.store.kept_counts import kept_facets, ranked
from graph.store.node_rows import NODE, REF, SUMMARY, facet_counts, node_of, ref_of, summary_of
from graph.store.node_rows import column as text_column
from graph.store.schema import node_sources, node_tags, nodes, tombstones
from graph.store.store_errors import UnknownNodeError

FEW = 300
"""Of up to so many nodes the facets are counted here, which is faster than three statements that join and group."""

FACET_TAGS = 100
"""Maximum number of tags that a facet lists."""

_ORDERS: dict[str, tuple[Any, bool]] = {
    "added": (nodes.c.serial, False),
    "newest": (nodes.c.serial, True),
    "id": (nodes.c.id, False),
    "title": (nodes.c.title_key, False),
    "published": (nodes.c.published, True),
}


_ONE = select(*NODE).where(nodes.c.id == bindparam("id"))
"""Made once: to build a statement takes longer than to run it."""


class NodeQueries(StorePart):
    """The part of the store that reads nodes."""

    def get(self, node_id: str) -> Node:
        """One node.

        Raises:
            UnknownNodeError: no such node; it carries the tombstone if there is one.
        """
        return self._database.recall(("node", node_id), lambda: self._database.query(self._node, node_id))

    def _node(self, sql: Connection, node_id: str) -> Node:
        row = sql.execute(_ONE, {"id": node_id}).first()
        if row is None:
            raise UnknownNodeError(node_id, _tombstone(sql, node_id))
        return node_of(row, self._database.hidden)

    def get_many(self, ids: Iterable[str]) -> tuple[Node, ...]:
        """The nodes with these ids, in this order; skips ids that are not in the store."""
        wanted = list(dict.fromkeys(ids))
        found: dict[str, Node] = {}
        with self._database.reading() as sql:
            for some in chunks(wanted):
                for row in sql.execute(select(nodes.c.id, *NODE).where(nodes.c.id.in_(some))):
                    found[row.id] = node_of(row, self._database.hidden)
        return tuple(found[name] for name in wanted if name in found)

    def all(self, kind: Kind | None = None, document: str | None = None) -> Iterator[Node]:
        """Every node in the order of arrival, as of one moment, a few at a time in memory."""
        query = select(*NODE).order_by(nodes.c.serial)
        if kind is not None:
            query = query.where(nodes.c.kind == kind.value)
        if document is not None:
            query = query.where(nodes.c.document == document).order_by(None).order_by(nodes.c.position)
        with self._database.reading() as sql:
            for row in sql.execute(query, execution_options=STREAMED):
                yield node_of(row, self._database.hidden)

    def terms(self) -> Iterator[Node]:
        """Every term of every glossary, in the order of arrival."""
        return self.all(Kind.TERM)

    def refs(self, ids: Iterable[str]) -> dict[str, NodeRef]:
        """Id to title and kind, for those of `ids` that are in the store."""
        wanted = list(dict.fromkeys(ids))
        with self._database.reading() as sql:
            asked = (sql.execute(select(*REF).where(nodes.c.id.in_(some))) for some in chunks(wanted))
            return {row.id: ref_of(row) for result in asked for row in result}

    def count(self) -> dict[Kind, int]:
        """The number of nodes of each kind, in the order of the kinds."""
        with self._database.reading() as sql:
            counted = select(nodes.c.kind, func.count()).group_by(nodes.c.kind)
            found = {Kind(kind): int(count) for kind, count in sql.execute(counted)}
        return {kind: found[kind] for kind in Kind if kind in found}

    def tombstone(self, node_id: str) -> Tombstone | None:
        """The tombstone of a removed node that others cite, or None."""
        with self._database.reading() as sql:
            return _tombstone(sql, node_id)

    def tombstones(self) -> tuple[Tombstone, ...]:
        """All tombstones, by id."""
        with self._database.reading() as sql:
            found = sql.execute(select(tombstones).order_by(tombstones.c.id))
            return tuple(Tombstone(**row._mapping) for row in found)  # noqa: SLF001 - public in SQLAlchemy

    def page(self, query: NodeQuery) -> Page:
        """One page of the matching nodes with the counts over all of them, in eight statements at most.

        Raises:
            CursorError: the cursor is not from this query.
        """
        return self._database.recall(query, lambda: self._read_page(query), large=True)

    def _read_page(self, query: NodeQuery) -> Page:
        ordered = _listed(query)
        # Read each cached value in a transaction that begins after reading its version: facets counted in the page's
        # transaction could be older than the version under which they would be cached.
        facets = self._database.recall(("facets", _scope(query)), lambda: self._database.query(self._facets, query))
        with self._database.reading() as sql:
            found = sql.execute(ordered.limit(query.limit + 1)).all()
        shown = found[: query.limit]
        last = shown[-1] if len(found) > query.limit else None
        return Page(
            items=tuple(summary_of(row) for row in shown),
            total=sum(count.count for count in facets.kind),
            facets=facets,
            next=None if last is None else Cursor(last.sort_key, last.id).text(_scope(query)),
        )

    def _facets(self, sql: Connection, query: NodeQuery) -> Facets:
        """The facets over all matching nodes: as kept, or counted."""
        kept = kept_facets(sql, query, FACET_TAGS) if self._database.keeps_counts else None
        return kept or _counted(sql, _filters(query))

    def newest(self, kind: Kind, limit: int) -> tuple[NodeSummary, ...]:
        """The newest nodes of a kind, in one statement."""
        query = NodeQuery(kind=kind, sort="newest", limit=limit)
        return self._database.recall(("newest", kind, limit), lambda: self._read_newest(query))

    def _read_newest(self, query: NodeQuery) -> tuple[NodeSummary, ...]:
        column, down = _ORDERS[query.sort]
        ordered = _ordered(column, down).where(*_filters(query)).limit(query.limit)
        with self._database.reading() as sql:
            return tuple(summary_of(row) for row in sql.execute(ordered))

    def summaries(self, ids: Iterable[str]) -> tuple[NodeSummary, ...]:
        """The summaries of these nodes in this order, in one statement for a thousand of them."""
        wanted = list(dict.fromkeys(ids))
        found: dict[str, NodeSummary] = {}
        with self._database.reading() as sql:
            for some in chunks(wanted):
                rows_ = sql.execute(select(*SUMMARY).where(nodes.c.id.in_(some)))
                found.update((row.id, summary_of(row)) for row in rows_)
        return tuple(found[name] for name in wanted if name in found)


def _tombstone(sql: Connection, node_id: str) -> Tombstone | None:
    row = sql.execute(select(tombstones).where(tombstones.c.id == node_id)).first()
    return None if row is None else Tombstone(**row._mapping)  # noqa: SLF001 - public in SQLAlchemy


def _scope(query: NodeQuery) -> str:
    """Identifies the list that a cursor belongs to: everything but the page."""
    return query.model_dump_json(exclude={"limit", "cursor"})


def _filters(query: NodeQuery) -> list[ColumnElement[bool]]:
    """The conditions of a query."""
    tagged = (
        nodes.c.id.in_(select(node_tags.c.node).where(node_tags.c.tag == tag)) for tag in dict.fromkeys(query.tags)
    )
    found: list[ColumnElement[bool]] = list(tagged)
    for column, wanted in (
        (nodes.c.kind, query.kind),
        (nodes.c.brain, query.brain),
        (nodes.c.document, query.document),
    ):
        if wanted is not None:
            found.append(column == str(wanted))
    if query.source is not None:
        found.append(nodes.c.id.in_(select(node_sources.c.node).where(node_sources.c.work == query.source)))
    if query.ids is not None:
        found.append(nodes.c.id.in_(query.ids))
    return found


def _behind(query: NodeQuery, column: ColumnElement[Any], down: bool) -> list[ColumnElement[bool]]:
    """The entries that come after the cursor."""
    if query.cursor is None:
        return []
    by_arrival = query.sort in {"added", "newest"}
    at = read_cursor(query.cursor, _scope(query), int if by_arrival else str)
    beyond = column < at.key if down else column > at.key
    if by_arrival:
        return [beyond]  # no two nodes have one serial
    tie = nodes.c.id < at.id if down else nodes.c.id > at.id
    return [or_(beyond, and_(column == at.key, tie))]


def _ordered(column: ColumnElement[Any], down: bool) -> Query:
    order = (column.desc(), nodes.c.id.desc()) if down else (column, nodes.c.id)
    return select(*SUMMARY, column.label("sort_key")).order_by(*order)


def _listed(query: NodeQuery) -> Query:
    """The nodes of a list behind its cursor. The nodes of a tag by arrival are read from its index, in that order."""
    column, down = _ORDERS[query.sort]
    if column is not nodes.c.serial or not query.tags:
        return _ordered(column, down).where(*_filters(query), *_behind(query, column, down))
    first, rest = query.tags[0], query.model_copy(update={"tags": query.tags[1:]})
    serial = node_tags.c.serial
    order = serial.desc() if down else serial
    joined = select(*SUMMARY, serial.label("sort_key")).join(node_tags, node_tags.c.node == nodes.c.id)
    return joined.where(node_tags.c.tag == first, *_filters(rest), *_behind(query, serial, down)).order_by(order)


def _counted(sql: Connection, matching: list[ColumnElement[bool]]) -> Facets:
    """The facets over all matching nodes: of a few by one statement that reads them, of many by counting."""
    few = sql.execute(select(nodes.c.kind, nodes.c.brain, nodes.c.tags).where(*matching).limit(FEW + 1)).all()
    return _counted_here(few) if len(few) <= FEW else _counted_there(sql, matching)


def _counted_here(rows: Sequence[Record]) -> Facets:
    tags = ranked(Counter(tag for row in rows for tag in dict.fromkeys(map(text_column, json.loads(row.tags)))))
    return Facets(
        tag=tags[:FACET_TAGS],
        kind=ranked(Counter(row.kind for row in rows)),
        brain=ranked(Counter(row.brain for row in rows)),
        tags_left=max(0, len(tags) - FACET_TAGS),
    )


def _counted_there(sql: Connection, matching: list[ColumnElement[bool]]) -> Facets:
    tag = node_tags.join(nodes, nodes.c.id == node_tags.c.node)
    tags = _tally(sql, select(node_tags.c.tag, func.count()).select_from(tag).where(*matching))
    kinds = _tally(sql, select(nodes.c.kind, func.count()).where(*matching))
    brains = _tally(sql, select(nodes.c.brain, func.count()).where(*matching))
    return Facets(tag=tags[:FACET_TAGS], kind=kinds, brain=brains, tags_left=max(0, len(tags) - FACET_TAGS))


def _tally(sql: Connection, counting: Query) -> tuple[FacetCount, ...]:
    """Values with their counts, the most frequent first, ties by name."""
    value = counting.selected_columns[0]
    return facet_counts(sql, counting.group_by(value).order_by(func.count().desc(), value))
