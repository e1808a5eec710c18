"""Queries for nodes: one, some, all, pages with filters and facets, and the input of derived data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection, bindparam, func, select

from graph.ids import as_written, run_together, slug
from graph.models.node_cards import FACET_TAGS
from graph.models.node_models import Kind, Node
from graph.models.query_models import Card, Facets, NodeQuery, NodeRef, NodeSummary, Page, Sort, Tombstone
from graph.older_ids import older_ids
from graph.store.cursors import Cursor
from graph.store.cursors import read as read_cursor
from graph.store.metadata import RenamedNodes
from graph.store.node_filters import clean, conditions, facets_of, listed, statement
from graph.store.node_rows import CARD, NODE, REF, SUMMARY, card_of, node_of, ref_of, summary_of
from graph.store.schema import citations, node_log, node_names, node_tags, nodes, tombstones
from graph.store.store_errors import SeveralNodesError, UnknownNodeError
from graph.store.store_part import StorePart, as_model

Found = TypeVar("Found")

_ORDERS = {
    "added": ("serial", False),
    "newest": ("serial", True),
    "id": ("id", False),
    "title": ("title_key", False),
    "published": ("published", True),
}
"""Column of each order, and whether it is descending."""


_ONE = select(*NODE).where(nodes.c.id == bindparam("id"))  # built once: to build it takes as long as to run it


class NodeQueries(StorePart):
    """Nodes, tombstones, and lists of nodes."""

    def get(self, node_id: str) -> Node:
        """One node. Raises `UnknownNodeError`, with the tombstone and the present id, if there is none."""
        found = self.find(node_id)
        if found is None:
            raise self._unknown(node_id)
        return found

    def find(self, node_id: str) -> Node | None:
        """One node, or None."""
        row = self._first(_ONE, {"id": node_id})
        return None if row is None else node_of(row, self._database.hidden)

    def _unknown(self, node_id: str) -> UnknownNodeError:
        older = self._older(node_id)
        now = older or RenamedNodes(self._database).now(node_id)
        return UnknownNodeError(node_id, self.tombstone(node_id), now, older=older is not None)

    def _older(self, node_id: str) -> str | None:
        """The present id of a node that had this one while ids were ASCII."""
        return older_ids(self._called(*node_id.partition("/")[::2])).get(node_id)

    def _called(self, brain: str, name: str) -> list[Node]:
        """Nodes that links find by a name, of a brain or of all."""
        asked = select(*NODE).where(nodes.c.id.in_(select(node_names.c.node).where(node_names.c.name == name)))
        rows = self._rows(asked.where(nodes.c.brain == brain) if brain else asked)
        return [node_of(row, self._database.hidden) for row in rows]

    def current(self, node_id: str) -> str:
        """The present id for one from the time when ids were ASCII; other ids unchanged."""
        return node_id if self.refs([node_id]) else self._older(node_id) or node_id

    def named(self, written: str) -> str:
        """The id that a person means: of any case, of earlier, or by a unique title, alias or slug. Raises as `get`."""
        plain = as_written(written.strip())
        if held := self.refs([written, plain]):
            return written if written in held else plain
        unknown = self._unknown(plain)
        if unknown.older and unknown.renamed:
            return unknown.renamed
        brain, _, last = plain.rpartition("/")
        key = run_together(slug(last))
        if unknown.renamed or unknown.tombstone:
            raise unknown
        named = {node.id: node for node in (*self._called("", slug(plain)), *self._called(brain, key))}
        titled = [name for name, node in named.items() if {plain, last} & {*map(as_written, node.names)}]
        alike = titled or [name for name, node in named.items() if run_together(node.slug) == key]  # but for hyphens
        if len(alike) == 1:
            return alike[0]
        raise SeveralNodesError(written, alike) if alike else self._unknown(written)

    def get_many(self, ids: Iterable[str]) -> tuple[Node, ...]:
        """Nodes with these ids in this order, without missing ones."""
        wanted, hidden = list(ids), self._database.hidden
        rows = self._among(select(nodes.c.id, *NODE), nodes.c.id, wanted)
        return _in_order(wanted, {row.id: node_of(row, hidden) for row in rows})

    def all(self, kind: Kind | None = None, document: str | None = None) -> Iterator[Node]:
        """Every node in the order of arrival (of a document: in its order), of one state, read in batches."""
        query = select(*NODE).order_by(nodes.c.serial)
        if kind is not None:
            query = query.where(nodes.c.kind == kind.value)
        if document is not None:
            query = query.where(nodes.c.document == document).order_by(None).order_by(nodes.c.position)
        return self._stream(query, lambda row: node_of(row, self._database.hidden))

    def refs(self, ids: Iterable[str]) -> dict[str, NodeRef]:
        """References by id, of these nodes that are in the store."""
        return {row.id: ref_of(row) for row in self._among(select(*REF), nodes.c.id, ids)}

    def owners(self, ids: Iterable[str]) -> dict[str, str]:
        """Document by id, of these nodes that are in the store."""
        return dict(self._among(select(nodes.c.id, nodes.c.document), nodes.c.id, ids))

    def of_documents(self, documents: Iterable[str]) -> list[Node]:
        """Nodes of these documents."""
        rows = self._among(select(*NODE), nodes.c.document, sorted(set(documents)))
        return [node_of(row, self._database.hidden) for row in rows]

    def cited_titles(self, documents: Iterable[str]) -> set[tuple[str, str]]:
        """Documents that cite nodes of these, each with the title of the cited node."""
        citing = nodes.alias()
        query = select(citing.c.document, nodes.c.title).join(citations, citations.c.target == nodes.c.id)
        query = query.join(citing, citing.c.id == citations.c.node)
        return {(row.document, row.title) for row in self._among(query, nodes.c.document, documents)}

    def ids(self) -> list[str]:
        """Every id in the order of arrival, by way of `node_log`: four times faster than `nodes` alone."""
        arrived = select(nodes.c.id).join(node_log, node_log.c.id == nodes.c.id).order_by(node_log.c.serial)
        return list(self._values(arrived))

    def count(self) -> dict[Kind, int]:
        """Number of nodes by kind, in the order of `Kind`."""
        counted = self._rows(select(nodes.c.kind, func.count()).group_by(nodes.c.kind))
        found = {Kind(kind): int(count) for kind, count in counted}
        return {kind: found[kind] for kind in Kind if kind in found}

    def tombstone(self, node_id: str) -> Tombstone | None:
        """The tombstone of a removed node that is still cited, or None."""
        row = self._first(select(tombstones).where(tombstones.c.id == node_id))
        return None if row is None else as_model(Tombstone, row)

    def tombstones(self) -> tuple[Tombstone, ...]:
        """All tombstones, by id."""
        return self._models(Tombstone, select(tombstones).order_by(tombstones.c.id))

    def page(self, query: NodeQuery) -> Page:
        """One page of matching nodes with facets over all. Raises `CursorError` for a cursor of another query."""
        matching = query.model_dump_json(exclude={"limit", "cursor", "sort"})
        with self._database.reading() as sql:  # nothing is read before the version under which facets are cached
            facets = self._database.recall(("facets", matching), lambda: self._counted(sql, query))
            found = self._listed(sql, query, query.limit + 1)
        shown = found[: query.limit]
        last = shown[-1] if len(found) > query.limit else None
        return Page(
            items=tuple(map(summary_of, shown)),
            total=sum(facets.kind.values()),
            facets=facets,
            next=None if last is None else Cursor(last[-1], last[0]).text(_scope(query)),
        )

    def _listed(self, sql: Connection, query: NodeQuery, most: int) -> Sequence[Any]:
        """The first `most` rows after the cursor; the last column is the sort key."""
        column, down = _ORDERS[query.sort]
        order = ["n.serial"] if column == "serial" else [f"n.{column}", "n.id"]  # no two nodes have one serial
        parts, values = conditions(sql, query)
        if query.cursor is not None:
            at = read_cursor(query.cursor, _scope(query), int if column == "serial" else str)
            parts.append(f"({', '.join(order)}) {'<' if down else '>'} ({', '.join([':key', ':last'][: len(order)])})")
            values |= {"key": at.key, "last": at.id}
        where, ordered = " AND ".join(parts) or "1 = 1", ", ".join(one + " DESC" * down for one in order)
        columns = f"{SUMMARY}, n.{column}"
        listing = f"SELECT {columns} FROM nodes n WHERE {where} ORDER BY {ordered} LIMIT :most"  # noqa: S608 - of this program
        return sql.execute(statement(listing, columns), values | {"most": most}).all()

    def _counted(self, sql: Connection, query: NodeQuery) -> Facets:
        """Facets of matching nodes; those of all nodes are counted in indexes."""
        parts, values = conditions(sql, query)
        if parts:
            matching = f"SELECT n.kind, n.brain, n.tags FROM nodes n WHERE {' AND '.join(parts)}"  # noqa: S608 - as above
            return facets_of(sql.execute(statement(matching, "kind, brain, tags"), values).all())
        queries = (select(one, func.count()).group_by(one) for one in (node_tags.c.tag, nodes.c.kind, nodes.c.brain))
        counted: Iterable[Any] = (sql.execute(query).all() for query in queries)
        tags, kinds, brains = map(dict, counted)
        return Facets.of(tags, kinds, brains, FACET_TAGS)

    def newest(self, kind: Kind | None, limit: int, sort: Sort = "newest") -> tuple[NodeSummary, ...]:
        """The newest nodes, of a kind or of all, in one statement."""
        query = NodeQuery(kind=kind, sort=sort, limit=limit)
        with self._database.reading() as sql:  # as in `page`
            return self._database.recall(
                ("newest", kind, limit, sort), lambda: tuple(map(summary_of, self._listed(sql, query, limit)))
            )

    def summaries(self, ids: Iterable[str]) -> tuple[NodeSummary, ...]:
        """Summaries of these nodes in this order, without missing ones."""
        wanted = list(map(clean, ids))
        with self._database.reading() as sql:
            asked = f"SELECT {SUMMARY} FROM nodes n WHERE n.id IN {listed(sql, 'ids', 'text')}"  # noqa: S608 - as above
            rows = sql.execute(statement(asked, SUMMARY), {"ids": json.dumps(wanted)}).all()
        return _in_order(wanted, {row[0]: summary_of(row) for row in rows})


def _in_order(ids: Iterable[str], found: Mapping[str, Found]) -> tuple[Found, ...]:
    return tuple(found[name] for name in dict.fromkeys(ids) if name in found)


def _scope(query: NodeQuery) -> str:
    """The list that a cursor belongs to: the query without its page."""
    return query.model_dump_json(exclude={"limit", "cursor"})


class IndexFeed(StorePart):
    """The input of the search index and the links."""

    def numbered(self, ids: Sequence[str] | None) -> Iterator[tuple[int, str, Node]]:
        """Serial, digest and node: of all nodes, read in batches, or of those of `ids` that are in the store."""
        query = select(nodes.c.serial, nodes.c.digest, *NODE).order_by(nodes.c.serial)

        def made(row: Any) -> tuple[int, str, Node]:  # noqa: ANN401  # a row of these columns
            return row.serial, row.digest, node_of(row, self._database.hidden)

        return self._stream(query, made) if ids is None else map(made, self._among(query, nodes.c.id, ids))

    def digests(self) -> dict[int, tuple[str, str]]:
        """Id and digest of every node, by serial."""
        rows = self._rows(select(nodes.c.serial, nodes.c.id, nodes.c.digest))
        return {serial: (name, digest) for serial, name, digest in rows}

    def cards(self) -> Iterator[Card]:
        """Every card, in the order of arrival."""
        return self._stream(select(*CARD).order_by(nodes.c.serial), card_of)

    def card_list(self) -> tuple[Card, ...]:
        """Every card, in the order of arrival, cached."""
        return self._database.recall("cards", lambda: tuple(self.cards()))
