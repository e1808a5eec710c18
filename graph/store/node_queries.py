"""Queries for nodes: one, some, all, and lists with filters, facets and cursors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, or_, select

from graph.ids import as_written, run_together, slug
from graph.models.facet_counts import FACET_TAGS
from graph.models.node_models import Kind, Node
from graph.models.query_models import FacetCount, Facets, NodeQuery, NodeRef, NodeSummary, Page, Tombstone
from graph.store.column_types import Query, Record
from graph.store.cursors import Cursor
from graph.store.cursors import read as read_cursor
from graph.store.database import STREAMED, StorePart
from graph.store.document_changes import chunks
from graph.store.node_rows import NODE, REF, SUMMARY, column, facet_counts, node_of, ref_of, summary_of
from graph.store.renamed_nodes import RenamedNodes
from graph.store.schema import node_sources, node_tags, nodes, tombstones
from graph.store.store_errors import UnknownNodeError
from graph.store.stored_counts import stored_facets


def counted(rows: Sequence[Record]) -> Facets:
    """The facets of rows with `kind`, `brain` and `tags`."""
    # One JSON text of all lists is read several times as fast as each list by itself.
    lists = json.loads(f"[{','.join(row.tags for row in rows)}]")
    tags = Counter(chain.from_iterable(map(dict.fromkeys, lists)))
    if any("\x00" in tag for tag in tags):
        tags = Counter(tag for tags in lists for tag in dict.fromkeys(map(column, tags)))
    return Facets.of(tags, Counter(row.kind for row in rows), Counter(row.brain for row in rows), FACET_TAGS)


FEW = 300
"""Of up to so many nodes the facets are counted here, which is faster than three statements that join and group."""

_ORDERS: dict[str, tuple[Any, bool]] = {
    "added": (nodes.c.serial, False),
    "newest": (nodes.c.serial, True),
    "id": (nodes.c.id, False),
    "title": (nodes.c.title_key, False),
    "published": (nodes.c.published, True),
}


_ONE = select(*NODE).where(nodes.c.id == bindparam("id"))


class NodeQueries(StorePart):
    """The part of the store that reads nodes."""

    def get(self, node_id: str) -> Node:
        """One node.

        Raises:
            UnknownNodeError: no such node; it carries the tombstone if there is one, and the id that the node has now.
        """
        with self._database.reading() as sql:
            row = sql.execute(_ONE, {"id": node_id}).first()
        if row is None:
            raise self._unknown(node_id)
        return node_of(row, self._database.hidden)

    def _unknown(self, node_id: str) -> UnknownNodeError:
        return UnknownNodeError(node_id, self.tombstone(node_id), RenamedNodes(self._database).now(node_id))

    def named(self, written: str) -> str:
        """The id of the node that a person means: the id in any case, or a unique name like `gpt4o`.

        Raises:
            UnknownNodeError: as `get`.
        """
        plain = as_written(written.strip())
        if held := self.refs([written, plain]):
            return written if written in held else plain
        unknown = self._unknown(plain)
        alike = [] if unknown.renamed else self._run_together(plain)
        if len(alike) == 1:
            return alike[0]
        raise unknown if unknown.renamed or unknown.tombstone else self._unknown(written)

    def _run_together(self, name: str) -> list[str]:
        """The nodes whose id or slug differs from a name only in hyphens and spaces between letters and digits."""
        brain, slash, last = name.rpartition("/")
        key = run_together(slug(last))
        if key.isalpha():
            return []
        brains = (f"{brain}/",) if slash else ("",)
        own = ((one, one.rpartition("/")[2]) for one in self.ids() if one.startswith(brains))
        return [one for one, part in own if run_together(part) == key]

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

    def owners(self, ids: Iterable[str]) -> dict[str, str]:
        """The document of each of these nodes that is in the store."""
        wanted = list(dict.fromkeys(ids))
        with self._database.reading() as sql:
            asked = (select(nodes.c.id, nodes.c.document).where(nodes.c.id.in_(some)) for some in chunks(wanted))
            return {str(row.id): str(row.document) for query in asked for row in sql.execute(query)}

    def of_documents(self, documents: Iterable[str]) -> list[Node]:
        """The nodes of these documents."""
        wanted = sorted(set(documents))
        with self._database.reading() as sql:
            asked = (select(*NODE).where(nodes.c.document.in_(some)) for some in chunks(wanted))
            return [node_of(row, self._database.hidden) for query in asked for row in sql.execute(query)]

    def ids(self) -> list[str]:
        """The id of every node, in the order of arrival."""
        with self._database.reading() as sql:
            return list(sql.execute(select(nodes.c.id).order_by(nodes.c.serial)).scalars())

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
        if query.tags and query.cursor is None:
            found = self._listed(query, max(query.limit, FEW) + 1)
            # Few nodes have a tag: one statement reads them all, and they are counted here.
            facets = self._facets(query) if len(found) > FEW else counted(found)
        else:
            # Read each cached value after its version: facets of the statement of the page could be older than the
            # version under which they would be cached.
            facets, found = self._facets(query), self._listed(query, query.limit + 1)
        shown = found[: query.limit]
        last = shown[-1] if len(found) > query.limit else None
        return Page(
            items=tuple(summary_of(row) for row in shown),
            total=sum(count.count for count in facets.kind),
            facets=facets,
            next=None if last is None else Cursor(last.sort_key, last.id).text(_scope(query)),
        )

    def _listed(self, query: NodeQuery, most: int) -> list[Any]:
        """The first `most` rows of a list, after its cursor."""
        listing = _list_query(_shape(query))
        if query.ids is not None:
            listing = listing.where(nodes.c.id.in_(query.ids))
        with self._database.reading() as sql:
            return list(sql.execute(listing, {**_values(query), "most": most}))

    def _facets(self, query: NodeQuery) -> Facets:
        asked = query.model_dump_json(exclude={"limit", "cursor", "sort"})
        return self._database.recall(("facets", asked), lambda: self._database.query(self._all_facets, query))

    def _all_facets(self, sql: Connection, query: NodeQuery) -> Facets:
        """The facets over all matching nodes: as stored, or counted."""
        stored = stored_facets(sql, query, FACET_TAGS) if self._database.has_stored_counts else None
        return stored or _counted(sql, _filters(query))

    def newest(self, kind: Kind, limit: int) -> tuple[NodeSummary, ...]:
        """The newest nodes of a kind, in one statement."""
        query = NodeQuery(kind=kind, sort="newest", limit=limit)
        return self._database.recall(("newest", kind, limit), lambda: self._read_newest(query))

    def _read_newest(self, query: NodeQuery) -> tuple[NodeSummary, ...]:
        return tuple(summary_of(row) for row in self._listed(query, query.limit))

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
    for field, wanted in (
        (nodes.c.kind, query.kind),
        (nodes.c.brain, query.brain),
        (nodes.c.document, query.document),
    ):
        if wanted is not None:
            found.append(field == str(wanted))
    if query.source is not None:
        found.append(nodes.c.id.in_(select(node_sources.c.node).where(node_sources.c.work == query.source)))
    if query.ids is not None:
        found.append(nodes.c.id.in_(query.ids))
    return found


class _Shape(NamedTuple):
    """What the statement of a list depends on: the order, which filters it has, whether it begins after a cursor."""

    sort: str
    tags: int
    columns: tuple[str, ...]
    source: bool
    cursor: bool


def _shape(query: NodeQuery) -> _Shape:
    columns = tuple(name for name in ("kind", "brain", "document") if getattr(query, name) is not None)
    tags = len(dict.fromkeys(query.tags))
    return _Shape(query.sort, tags, columns, query.source is not None, query.cursor is not None)


def _values(query: NodeQuery) -> dict[str, object]:
    """The parameters of the statement.

    Raises:
        CursorError: the cursor is not from this query.
    """
    found: dict[str, object] = {f"tag_{place}": tag for place, tag in enumerate(dict.fromkeys(query.tags))}
    found |= {name: str(value) for name in ("kind", "brain", "document") if (value := getattr(query, name)) is not None}
    if query.source is not None:
        found["source"] = query.source
    if query.cursor is not None:
        by_arrival = query.sort in {"added", "newest"}
        at = read_cursor(query.cursor, _scope(query), int if by_arrival else str)
        found |= {"after": at.key} if by_arrival else {"after": at.key, "after_id": at.id}
    return found


@lru_cache(maxsize=200)
def _list_query(shape: _Shape) -> Query:
    """The list of a shape; its parameters are those of `_values`, and `most`.

    The nodes of a tag by arrival are read from its index, in that order.
    """
    column, down = _ORDERS[shape.sort]
    by_arrival = column is nodes.c.serial
    first = 1 if by_arrival and shape.tags else 0
    order = node_tags.c.serial if first else column
    query = select(*SUMMARY, order.label("sort_key")).limit(bindparam("most"))
    if first:
        query = query.join(node_tags, node_tags.c.node == nodes.c.id).where(node_tags.c.tag == bindparam("tag_0"))
    ranks = [order] if by_arrival else [order, nodes.c.id]  # no two nodes have one serial
    query = query.order_by(*(rank.desc() if down else rank for rank in ranks))
    for place in range(first, shape.tags):
        others = node_tags.alias()
        query = query.where(nodes.c.id.in_(select(others.c.node).where(others.c.tag == bindparam(f"tag_{place}"))))
    for name in shape.columns:
        query = query.where(nodes.c[name] == bindparam(name))
    if shape.source:
        query = query.where(
            nodes.c.id.in_(select(node_sources.c.node).where(node_sources.c.work == bindparam("source")))
        )
    if shape.cursor:
        after = bindparam("after", type_=column.type)
        beyond = order < after if down else order > after
        if not by_arrival:
            after_id = bindparam("after_id", type_=nodes.c.id.type)
            tie = nodes.c.id < after_id if down else nodes.c.id > after_id
            beyond = or_(beyond, and_(order == after, tie))
        query = query.where(beyond)
    return query


def _counted(sql: Connection, matching: list[ColumnElement[bool]]) -> Facets:
    """The facets over all matching nodes: of a few by one statement that reads them, of many by counting."""
    few = sql.execute(select(nodes.c.kind, nodes.c.brain, nodes.c.tags).where(*matching).limit(FEW + 1)).all()
    return counted(few) if len(few) <= FEW else _counted_there(sql, matching)


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
