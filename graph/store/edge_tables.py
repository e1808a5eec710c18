"""Links between nodes: citations, edges stated by documents or derived, and what nodes have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Literal

from sqlalchemy import FromClause, and_, delete, func, literal, null, select, union

from graph.models.link_models import ARGUING, SURE, Link
from graph.models.query_models import Backlink, Card
from graph.store.database import STREAMED
from graph.store.node_rows import CARD, REF, card_of, ref_of
from graph.store.node_rows import column as column_text
from graph.store.schema import citations, edges, node_log, node_sources, node_tags, nodes, quotations
from graph.store.store_part import StorePart, among, insert_all

_EDGE = (edges.c.subject, edges.c.kind, edges.c.target, edges.c.reason, edges.c.confidence)
_CITES = (
    select(citations.c.node, literal("cites"), citations.c.target, citations.c.context, citations.c.confidence)
    .add_columns(citations.c.cito)
    .join(node_log, node_log.c.id == citations.c.node)
    .where(citations.c.target.is_not(None))
    .order_by(node_log.c.serial, citations.c.position)
)
"""`node_log` has the order of arrival in rows without a text, ten times faster to read than `nodes`."""
_RELATES = select(*_EDGE, null()).order_by(edges.c.id)

_TARGETS = nodes.alias("targets")
_CITED = citations.join(_TARGETS, _TARGETS.c.id == citations.c.target)
_RELATED = edges.join(_TARGETS, _TARGETS.c.id == edges.c.target)
_MENTIONED = edges.join(_TARGETS, and_(_TARGETS.c.id == edges.c.target, edges.c.kind == "mentions"))

MarkKind = Literal["tags", "terms", "sources", "cited by", "cite"]
Mark = tuple[MarkKind, str]
"""A tag of a node, a term it mentions, a work it lists, a node it cites or that cites it."""

_MARKS: dict[MarkKind, tuple[Any, Any, FromClause]] = {
    "tags": (node_tags.c.node, node_tags.c.tag, node_tags),
    "sources": (node_sources.c.node, node_sources.c.work, node_sources),
    "cite": (citations.c.node, citations.c.target, _CITED),
    "cited by": (citations.c.target, citations.c.node, _CITED),
    "terms": (edges.c.subject, edges.c.target, _MENTIONED),
}
"""For each kind of mark the column of nodes, the column of names, and their tables."""

Ends = tuple[str, str, str]
"""Subject, kind and target of a link."""


class EdgeTables(StorePart):
    """Citations and edges between nodes."""

    def backlinks(self, node_id: str, kinds: Collection[str] = ()) -> tuple[Backlink, ...]:
        """Links to a node or its tombstone: citations in the order of arrival, then edges."""
        cited = select(*REF, citations).join(nodes, nodes.c.id == citations.c.node)
        cited = cited.where(citations.c.target == node_id).order_by(nodes.c.serial, citations.c.position)
        related = select(*REF, edges.c.kind.label("edge"), edges.c.reason, edges.c.confidence, edges.c.derived)
        related = related.join(nodes, nodes.c.id == edges.c.subject).where(edges.c.target == node_id)
        with self._database.one_state():
            citing = self._rows(cited)
            relating = self._rows(related.order_by(edges.c.kind, nodes.c.serial, edges.c.id))
        plain = ("context", "marker", "resolution", "confidence", "cito")
        found = [
            Backlink(node=ref_of(row), kind="cites", **{name: getattr(row, name) for name in plain}) for row in citing
        ]
        for row in relating:
            own = {"context": row.reason, "confidence": row.confidence, "derived": row.derived}
            found.append(Backlink(node=ref_of(row), kind=row.edge, **own))
        return tuple(link for link in found if not kinds or link.kind in kinds)

    def select(
        self,
        kind: str | None = None,
        subject: str | None = None,
        target: str | None = None,
        derived: bool | None = None,
    ) -> Iterator[Link]:
        """Stated and derived edges with these values; no citations."""
        wanted = {"kind": kind, "subject": subject, "target": target, "derived": derived}
        query = select(*_EDGE).where(*(edges.c[name] == value for name, value in wanted.items() if value is not None))
        return self._stream(query.order_by(edges.c.id), lambda row: Link(*row))

    def all(self) -> Iterator[Link]:
        """Every link: citations with a known target in the order of arrival, then edges."""
        with self._database.reading() as sql:
            for query in (_CITES, _RELATES):
                yield from (Link(*row) for row in sql.execute(query, execution_options=STREAMED))

    def arguing(self) -> list[tuple[str, str]]:
        """Node and target of citations by which the node depends on the target, by arrival.

        A link without a type (`[[note]]`, `[words](note.md)`, `cites: [note]`) only mentions its target.
        """
        query = select(citations.c.node, citations.c.target).join(node_log, node_log.c.id == citations.c.node)
        plain = (citations.c.cito == "cites") & (citations.c.resolution != "link")
        argues = (
            citations.c.target != citations.c.node,
            citations.c.cito.in_(list(ARGUING)) | plain,
            citations.c.confidence >= SURE,
        )
        ordered = query.where(*argues).order_by(node_log.c.serial, citations.c.position)
        return [(node, on) for node, on in self._rows(ordered)]

    def across(self, brain: str) -> tuple[Counter[str], Counter[str]]:
        """Number of citations of a brain by others, and of others by it, by the other brain."""
        cited = citations.c.target.startswith(f"{brain}/", autoescape=True)
        citing = citations.c.node.startswith(f"{brain}/", autoescape=True)
        queries = (select(citations.c.node).where(cited, ~citing), select(citations.c.target).where(citing, ~cited))
        with self._database.one_state():
            readers, targets = (Counter(str(node).partition("/")[0] for node in self._values(one)) for one in queries)
        return readers, targets

    def set_derived(self, derived: Iterable[Link], of: Collection[str] | None = None) -> int:
        """Replace the derived edges, all or those of the subjects `of`; returns how many were stored.

        Edges of missing subjects are skipped; equal edges change nothing.
        """
        names = ("subject", "kind", "target", "reason", "confidence")
        wanted = [(e.subject, e.kind, e.target, column_text(e.reason), e.confidence) for e in dict.fromkeys(derived)]
        with self._database.writing() as work:
            known = {row.id for row in self._among(select(nodes.c.id), nodes.c.id, (edge[0] for edge in wanted))}
            wanted = [edge for edge in wanted if edge[0] in known]
            own = edges.c.derived if of is None else and_(edges.c.derived, among(work.sql, edges.c.subject, of))
            held = [tuple(row) for row in work.sql.execute(select(*_EDGE).where(own).order_by(edges.c.id))]
            work.changes = held != wanted
            if work.changes:
                work.sql.execute(delete(edges).where(own))
                rows = (dict(zip(names, edge, strict=True), derived=True) for edge in wanted)
                insert_all(work.sql, edges, rows)
                work.take("graph")
        return len(wanted)

    def citation_counts(self) -> dict[str, int]:
        """Number of citations by resolution, and of quotations."""
        found = dict(self._rows(select(citations.c.resolution, func.count()).group_by(citations.c.resolution)))
        return {**found, "quotations": self._value(select(func.count()).select_from(quotations)) or 0}


class NeighbourQueries(StorePart):
    """Neighbourhoods of a few nodes, without reading all; both ends of each link are in the store."""

    def cards(self, ids: Iterable[str]) -> dict[str, Card]:
        """Cards by id, of these nodes that are in the store."""
        return {row.id: card_of(row) for row in self._among(select(*CARD), nodes.c.id, ids)}

    def touching(self, ids: Collection[str]) -> set[Ends]:
        """Links that begin or end at one of the nodes."""
        cited = select(citations.c.node, literal("cites"), citations.c.target).select_from(_CITED)
        related = select(edges.c.subject, edges.c.kind, edges.c.target).select_from(_RELATED)
        ends = (
            (cited, citations.c.node),
            (cited, citations.c.target),
            (related, edges.c.subject),
            (related, edges.c.target),
        )
        with self._database.reading() as sql:
            every = union(*(query.where(among(sql, column, ids)) for query, column in ends))
            return {(subject, kind, target) for subject, kind, target in sql.execute(every)}

    def between(self, ids: Collection[str]) -> list[Link]:
        """Links that begin and end at one of the nodes, in the order of `EdgeTables.all`."""
        with self._database.reading() as sql:
            queries = (
                _CITES.where(among(sql, citations.c.node, ids), among(sql, citations.c.target, ids)),
                _RELATES.where(among(sql, edges.c.subject, ids), among(sql, edges.c.target, ids)),
            )
            return [Link(*row) for query in queries for row in sql.execute(query)]

    def marks_of(self, ids: Collection[str]) -> Mapping[str, Collection[Mark]]:
        """Marks of each node."""
        found: dict[str, set[Mark]] = {node: set() for node in ids}
        for kind, (node, name, tables) in _MARKS.items():
            for own, value in self._among(select(node, name).select_from(tables), node, ids):
                found[own].add((kind, value))
        return found

    def mark_counts(self, marks: Collection[Mark]) -> Mapping[Mark, int]:
        """Number of nodes with each mark."""
        found: dict[Mark, int] = {}
        for kind, (node, name, tables) in _MARKS.items():
            names = [value for sort, value in marks if sort == kind]
            query = select(name, func.count(node.distinct())).select_from(tables).group_by(name)
            found |= {(kind, value): count for value, count in self._among(query, name, names)}
        return found

    def nodes_with(self, marks: Iterable[Mark]) -> Mapping[Mark, Collection[str]]:
        """Nodes with each mark."""
        found: dict[Mark, set[str]] = {mark: set() for mark in marks}
        for kind, (node, name, tables) in _MARKS.items():
            names = [value for sort, value in found if sort == kind]
            for value, own in self._among(select(name, node).select_from(tables), name, names):
                found[kind, value].add(own)
        return found

    def marked_count(self) -> int:
        """Number of nodes with any mark; it reads all nodes."""
        every = union(*(select(node).select_from(tables) for node, _, tables in _MARKS.values())).subquery()
        return self._value(select(func.count()).select_from(every)) or 0
