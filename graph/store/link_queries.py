"""Queries for tags, sources, backlinks and edges."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Any

from sqlalchemy import Connection, and_, delete, func, insert, select

from graph.models.link_models import Link
from graph.models.node_models import Edge, Quotation, Source
from graph.models.query_models import (
    Backlink,
    FacetCount,
    NodeRef,
    QuoteUse,
    RelatedTag,
    SourceDetail,
    SourceUse,
    TagDetail,
)
from graph.store.column_types import Query
from graph.store.database import STREAMED, Database
from graph.store.document_changes import chunks
from graph.store.node_rows import REF, ref_of
from graph.store.node_rows import column as column_text
from graph.store.schema import citations, edges, node_sources, node_tags, nodes, quotations
from graph.store.store_errors import UnknownSourceError, UnknownTagError
from graph.values import slim

RELATED_TAGS = 20
"""Maximum number of related tags of one tag."""

_EDGE = (edges.c.subject, edges.c.kind, edges.c.target, edges.c.reason, edges.c.confidence)


class LinkQueries(Database):
    """The part of the store for tags, sources and links."""

    def tags(self, prefix: str = "") -> tuple[FacetCount, ...]:
        """Every tag that begins with `prefix`, with the number of its nodes, the most frequent first."""
        count = func.count()
        query = select(node_tags.c.tag, count).group_by(node_tags.c.tag).order_by(count.desc(), node_tags.c.tag)
        if prefix:
            query = query.where(node_tags.c.tag.startswith(prefix, autoescape=True))
        return self._recall(("tags", prefix), lambda: self._asked(_counts, query))

    def tag(self, name: str) -> TagDetail:
        """One tag and those that occur with it.

        Raises:
            UnknownTagError: no node carries it.
        """
        return self._recall(("tag", name), lambda: self._asked(_tag_detail, name))

    def sources(self, host: str | None = None, limit: int = 100, after: str | None = None) -> tuple[SourceUse, ...]:
        """Works in the order of their ids, after the id `after`, each with the nodes that list it."""
        query = select(node_sources.c.work).distinct()
        if after is not None:
            query = query.where(node_sources.c.work > after)
        if host is not None:
            query = query.where(node_sources.c.host == host)
        with self._reading() as sql:
            works = sql.execute(query.order_by(node_sources.c.work).limit(limit)).scalars().all()
            return _uses(sql, works)

    def source_count(self, host: str | None = None) -> int:
        """How many works there are, of one host or of all."""
        query = select(func.count(node_sources.c.work.distinct()))
        if host is not None:
            query = query.where(node_sources.c.host == host)
        with self._reading() as sql:
            return int(sql.execute(query).scalar_one())

    def hosts(self) -> tuple[FacetCount, ...]:
        """Every host with the number of its works, the most frequent first."""
        count = func.count(node_sources.c.work.distinct())
        query = select(node_sources.c.host, count).group_by(node_sources.c.host)
        with self._reading() as sql:
            return _counts(sql, query.order_by(count.desc(), node_sources.c.host))

    def source(self, work: str) -> SourceDetail:
        """One work with its quotations.

        Raises:
            UnknownSourceError: no node lists it.
        """
        quoting = select(*REF, quotations.c.body).join(nodes, nodes.c.id == quotations.c.node)
        ordered = quoting.where(quotations.c.work == work).order_by(nodes.c.serial, quotations.c.position)
        with self._reading() as sql:
            uses = _uses(sql, [work])
            found = sql.execute(ordered).all()
        if not uses:
            raise UnknownSourceError(work)
        quoted = (QuoteUse(node=ref_of(row), quotation=Quotation.model_validate_json(row.body)) for row in found)
        return SourceDetail(use=uses[0], quotations=tuple(quoted))

    def backlinks(self, node_id: str, kinds: Collection[str] = ()) -> tuple[Backlink, ...]:
        """What points to a node (or to its tombstone): citations first, in the order of arrival, then edges."""
        with self._reading() as sql:
            found = [*_citing(sql, node_id), *_linking(sql, node_id)]
        return tuple(link for link in found if not kinds or link.kind in kinds)

    def edges(
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
        with self._reading() as sql:
            for row in sql.execute(query, execution_options=STREAMED):
                yield Edge(**row._mapping)  # noqa: SLF001 - public in SQLAlchemy

    def links(self) -> Iterator[Link]:
        """Every edge: the citations whose target is known, in the order of arrival, then those of all other kinds."""
        asked = (citations.c.node, citations.c.target, citations.c.context, citations.c.confidence, citations.c.cito)
        query = select(*asked).join(nodes, nodes.c.id == citations.c.node).where(citations.c.target.is_not(None))
        ordered = query.order_by(nodes.c.serial, citations.c.position)
        with self._reading() as sql:
            for node, target, said, sure, cito in sql.execute(ordered, execution_options=STREAMED):
                yield slim(Link(subject=node, kind="cites", target=target, reason=said, confidence=sure, cito=cito))
            for subject, kind, target, reason, sure in sql.execute(
                select(*_EDGE).order_by(edges.c.id), execution_options=STREAMED
            ):
                yield slim(Link(subject=subject, kind=kind, target=target, reason=reason, confidence=sure))

    def citing(self, cito: Collection[str], sure: float) -> list[tuple[str, str]]:
        """Node and target of each citation with one of these CiTO types and confidence ≥ `sure`, by arrival."""
        query = select(citations.c.node, citations.c.target).join(nodes, nodes.c.id == citations.c.node)
        wanted = query.where(
            citations.c.target != citations.c.node, citations.c.cito.in_(list(cito)), citations.c.confidence >= sure
        )
        with self._reading() as sql:
            return [(node, on) for node, on in sql.execute(wanted.order_by(nodes.c.serial, citations.c.position))]

    def listed_works(self) -> Iterator[tuple[str, str]]:
        """Every node with each work that it lists, once."""
        query = select(node_sources.c.node, node_sources.c.work).distinct().order_by(node_sources.c.node)
        with self._reading() as sql:
            yield from ((row.node, row.work) for row in sql.execute(query, execution_options=STREAMED))

    def set_derived(self, derived: Iterable[Edge], of: Collection[str] | None = None) -> int:
        """Replace all derived edges, or those of the subjects `of`, by these; returns how many were stored.

        An edge whose subject does not exist is skipped. The same edges again change nothing.
        """
        wanted = [(e.subject, e.kind, e.target, column_text(e.reason), e.confidence) for e in dict.fromkeys(derived)]
        with self._writing() as work:
            known = set(work.sql.execute(select(nodes.c.id)).scalars())
            wanted = [edge for edge in wanted if edge[0] in known]
            places = (
                [edges.c.derived]
                if of is None
                else [and_(edges.c.derived, edges.c.subject.in_(some)) for some in chunks(list(of))]
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
        with self._reading() as sql:
            found = {str(name): int(count) for name, count in sql.execute(query)}
            found["quotations"] = int(sql.execute(select(func.count()).select_from(quotations)).scalar_one())
        return found


def _insert_derived(sql: Connection, wanted: list[tuple[str, str, str, str, float]]) -> None:
    names = ("subject", "kind", "target", "reason", "confidence")
    stream = ({**dict(zip(names, edge, strict=True)), "derived": True} for edge in wanted)
    while some := list(islice(stream, 5000)):
        sql.execute(insert(edges), some)


def _counts(sql: Connection, query: Query) -> tuple[FacetCount, ...]:
    return tuple(FacetCount(value=row[0], count=row[1]) for row in sql.execute(query))


def _tag_detail(sql: Connection, name: str) -> TagDetail:
    here = select(node_tags.c.node).where(node_tags.c.tag == name)
    kinds = select(nodes.c.kind, func.count()).where(nodes.c.id.in_(here)).group_by(nodes.c.kind)
    counted = _counts(sql, kinds.order_by(func.count().desc(), nodes.c.kind))
    count = sum(kind.count for kind in counted)
    if not count:
        raise UnknownTagError(name)
    return TagDetail(tag=name, count=count, kinds=counted, related=_related(sql, name, count))


def _related(sql: Connection, name: str, count: int) -> tuple[RelatedTag, ...]:
    """The tags on the same nodes, by Jaccard index."""
    here = select(node_tags.c.node).where(node_tags.c.tag == name)
    beside = select(node_tags.c.tag, func.count().label("together")).where(node_tags.c.node.in_(here))
    together = beside.where(node_tags.c.tag != name).group_by(node_tags.c.tag).subquery()
    alone = select(node_tags.c.tag, func.count().label("count")).group_by(node_tags.c.tag).subquery()
    query = select(alone.c.tag, alone.c.count, together.c.together).join(together, together.c.tag == alone.c.tag)
    found = [
        RelatedTag(tag=row[0], count=row[1], together=row[2], score=row[2] / (row[1] + count - row[2]))
        for row in sql.execute(query)
    ]
    return tuple(sorted(found, key=lambda tag: (-tag.score, tag.tag))[:RELATED_TAGS])


def _uses(sql: Connection, works: Iterable[str]) -> tuple[SourceUse, ...]:
    """The works with their addresses and nodes, in the order given, in two statements."""
    named = list(works)
    of_work = (node_sources.c.work, node_sources.c.url, node_sources.c.date, node_sources.c.title.label("work_title"))
    listing = select(*of_work, *REF).join(nodes, nodes.c.id == node_sources.c.node)
    found = sql.execute(
        listing.where(node_sources.c.work.in_(named)).order_by(nodes.c.serial, node_sources.c.position)
    ).all()
    quoted = select(quotations.c.work, func.count()).where(quotations.c.work.in_(named)).group_by(quotations.c.work)
    counts = {str(row[0]): int(row[1]) for row in sql.execute(quoted)}
    by_work: dict[str, list[Any]] = {}
    for row in found:
        by_work.setdefault(row.work, []).append(row)
    return tuple(_use(by_work[work], counts.get(work, 0)) for work in named if work in by_work)


def _use(listed: list[Any], quotation_count: int) -> SourceUse:
    first = listed[0]
    title = next((row.work_title for row in listed if row.work_title), None)
    day = next((row.date for row in listed if row.date), None)
    refs: dict[str, NodeRef] = {row.id: ref_of(row) for row in listed}
    return SourceUse(
        source=Source(id=first.work, url=first.url, title=title, date=day),
        urls=tuple(dict.fromkeys(row.url for row in listed)),
        nodes=tuple(refs.values()),
        quotations=quotation_count,
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
