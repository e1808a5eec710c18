"""Citations and edges between nodes, stated by documents or derived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, func, literal, null, select

from graph.models.link_models import ARGUING, SURE, Link
from graph.models.node_models import Edge
from graph.models.query_models import Backlink
from graph.store.database import STREAMED
from graph.store.node_rows import REF, ref_of
from graph.store.node_rows import column as column_text
from graph.store.schema import citations, edges, nodes, quotations
from graph.store.store_part import StorePart, among, chunks, insert_all
from graph.values import slim

_EDGE = (edges.c.subject, edges.c.kind, edges.c.target, edges.c.reason, edges.c.confidence)


class LinkEnds(NamedTuple):
    """A link without its words; `cito` is None unless it is a citation."""

    subject: str
    kind: str
    target: str
    confidence: float
    cito: str | None


class EdgeTables(StorePart):
    """Citations and edges between nodes."""

    def backlinks(self, node_id: str, kinds: Collection[str] = ()) -> tuple[Backlink, ...]:
        """What points to a node (or to its tombstone): citations first, in the order of arrival, then edges."""
        with self._database.reading() as sql:
            found = [*_citing(sql, node_id), *_linking(sql, node_id)]
        return tuple(link for link in found if not kinds or link.kind in kinds)

    def select(
        self,
        kind: str | None = None,
        subject: str | None = None,
        target: str | None = None,
        derived: bool | None = None,
    ) -> Iterator[Edge]:
        """The edges that documents state and those that were derived; citations are not among them."""
        query = select(*_EDGE).order_by(edges.c.id)
        asked = ((edges.c.kind, kind), (edges.c.subject, subject), (edges.c.target, target), (edges.c.derived, derived))
        for column, wanted in asked:
            if wanted is not None:
                query = query.where(column == wanted)
        with self._database.reading() as sql:
            for row in sql.execute(query, execution_options=STREAMED):
                yield Edge(**row._mapping)  # noqa: SLF001 - public in SQLAlchemy

    def all(self) -> Iterator[Link]:
        """Every edge: the citations whose target is known, in the order of arrival, then those of all other kinds."""
        asked = (citations.c.node, citations.c.target, citations.c.context, citations.c.confidence, citations.c.cito)
        query = select(*asked).join(nodes, nodes.c.id == citations.c.node).where(citations.c.target.is_not(None))
        ordered = query.order_by(nodes.c.serial, citations.c.position)
        with self._database.reading() as sql:
            for node, target, said, sure, cito in sql.execute(ordered, execution_options=STREAMED):
                yield slim(Link(subject=node, kind="cites", target=target, reason=said, confidence=sure, cito=cito))
            for subject, kind, target, reason, sure in sql.execute(
                select(*_EDGE).order_by(edges.c.id), execution_options=STREAMED
            ):
                yield slim(Link(subject=subject, kind=kind, target=target, reason=reason, confidence=sure))

    def ends(self) -> Iterator[LinkEnds]:
        """Every edge as `all` has it, without its words and a quarter of the time."""
        columns = (citations.c.node, literal("cites"), citations.c.target, citations.c.confidence, citations.c.cito)
        query = select(*columns).join(nodes, nodes.c.id == citations.c.node).where(citations.c.target.is_not(None))
        ordered = query.order_by(nodes.c.serial, citations.c.position)
        others = select(edges.c.subject, edges.c.kind, edges.c.target, edges.c.confidence, null()).order_by(edges.c.id)
        with self._database.reading() as sql:
            for asked in (ordered, others):
                yield from map(LinkEnds._make, sql.execute(asked, execution_options=STREAMED))

    def arguing(self) -> list[tuple[str, str]]:
        """Node and target of each citation by which the node depends on the target, by arrival.

        These are the citations with a CiTO type in `ARGUING` and the bracket markers, with confidence ≥ `SURE`. A link
        without a type (`[[note]]`, `[words](note.md)`, `cites: [note]`) only mentions its target.
        """
        query = select(citations.c.node, citations.c.target).join(nodes, nodes.c.id == citations.c.node)
        ordered = query.where(_argues()).order_by(nodes.c.serial, citations.c.position)
        with self._database.reading() as sql:
            return [(node, on) for node, on in sql.execute(ordered)]

    def across(self, brain: str) -> tuple[Counter[str], Counter[str]]:
        """Citations between a brain and others, by the other brain: those of its nodes by others, and by its nodes."""
        cited = citations.c.target.startswith(f"{brain}/", autoescape=True)
        citing = citations.c.node.startswith(f"{brain}/", autoescape=True)
        with self._database.reading() as sql:
            readers = sql.execute(select(citations.c.node).where(cited, ~citing)).scalars()
            read_by = Counter(str(node).partition("/")[0] for node in readers)
            targets = sql.execute(select(citations.c.target).where(citing, ~cited)).scalars()
            return read_by, Counter(str(node).partition("/")[0] for node in targets)

    def set_derived(self, derived: Iterable[Edge], of: Collection[str] | None = None) -> int:
        """Replace all derived edges, or those of the subjects `of`, by these; returns how many were stored.

        An edge whose subject does not exist is skipped. The same edges again change nothing.
        """
        wanted = [(e.subject, e.kind, e.target, column_text(e.reason), e.confidence) for e in dict.fromkeys(derived)]
        with self._database.writing() as work:
            known = _existing(work.sql, [edge[0] for edge in wanted])
            wanted = [edge for edge in wanted if edge[0] in known]
            places = (
                [edges.c.derived]
                if of is None
                else [and_(edges.c.derived, among(work.sql, edges.c.subject, some)) for some in chunks(list(of))]
            )
            held = [
                tuple(row)
                for where in places
                for row in work.sql.execute(select(*_EDGE).where(where).order_by(edges.c.id))
            ]
            work.changes = held != wanted
            if work.changes:
                for where in places:
                    work.sql.execute(delete(edges).where(where))
                _insert_derived(work.sql, wanted)
                work.take("graph")
        return len(wanted)

    def citation_counts(self) -> dict[str, int]:
        """How many references to nodes there are by resolution, and how many quotations."""
        query = select(citations.c.resolution, func.count()).group_by(citations.c.resolution)
        with self._database.reading() as sql:
            found = {str(name): int(count) for name, count in sql.execute(query)}
            found["quotations"] = int(sql.execute(select(func.count()).select_from(quotations)).scalar_one())
        return found


def _existing(sql: Connection, ids: Iterable[str]) -> set[str]:
    """Those of the ids that nodes have."""
    found: set[str] = set()
    for some in chunks(list(dict.fromkeys(ids))):
        found.update(sql.execute(select(nodes.c.id).where(among(sql, nodes.c.id, some))).scalars())
    return found


def _insert_derived(sql: Connection, wanted: list[tuple[str, str, str, str, float]]) -> None:
    names = ("subject", "kind", "target", "reason", "confidence")
    insert_all(sql, edges, ({**dict(zip(names, edge, strict=True)), "derived": True} for edge in wanted))


def _argues() -> ColumnElement[bool]:
    """The condition for a citation by which its node depends on the target."""
    plain = (citations.c.cito == "cites") & (citations.c.resolution != "link")
    return and_(
        citations.c.target != citations.c.node,
        citations.c.cito.in_(list(ARGUING)) | plain,
        citations.c.confidence >= SURE,
    )


def _citing(sql: Connection, target: str) -> Iterator[Backlink]:
    query = select(*REF, citations).join(nodes, nodes.c.id == citations.c.node).where(citations.c.target == target)
    for row in sql.execute(query.order_by(nodes.c.serial, citations.c.position)):
        yield Backlink(
            node=ref_of(row),
            kind="cites",
            context=row.context,
            marker=row.marker,
            resolution=row.resolution,
            confidence=row.confidence,
            cito=row.cito,
        )


def _linking(sql: Connection, target: str) -> Iterator[Backlink]:
    asked = (*REF, edges.c.kind.label("edge_kind"), edges.c.reason, edges.c.confidence, edges.c.derived)
    query = select(*asked).join(nodes, nodes.c.id == edges.c.subject).where(edges.c.target == target)
    for row in sql.execute(query.order_by(edges.c.kind, nodes.c.serial, edges.c.id)):
        yield Backlink(
            node=ref_of(row),
            kind=row.edge_kind,
            context=row.reason,
            confidence=row.confidence,
            derived=row.derived,
        )
