"""Queries for sources (the works that nodes list and quote) and tags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, select

from graph.groups import group_by
from graph.models.node_models import Quotation, Source
from graph.models.query_models import (
    FacetCount,
    NodeRef,
    QuoteUse,
    RelatedTag,
    SourceDetail,
    SourceUse,
    TagDetail,
)
from graph.store.node_rows import REF, facet_counts, ref_of
from graph.store.schema import node_sources, node_tags, nodes, quotations
from graph.store.store_errors import UnknownSourceError, UnknownTagError
from graph.store.store_part import StorePart


class SourceCount(NamedTuple):
    """A work with an address, a title, its host, the nodes that list it and its quotations."""

    id: str
    url: str
    title: str | None
    host: str
    nodes: int
    quotations: int


_LISTED = node_sources.c
_NODES = func.count(_LISTED.node.distinct())
_QUOTED = select(quotations.c.work, func.count().label("number")).group_by(quotations.c.work)


class SourceQueries(StorePart):
    """Works that nodes list."""

    def page(
        self, host: str | None = None, limit: int = 100, after: str | None = None, brain: str | None = None
    ) -> tuple[SourceUse, ...]:
        """Works by id, those after `after`, each with the nodes that list it; `brain`: listed by one of its nodes."""
        query = select(_LISTED.work).distinct().where(*_filters(host, brain)).order_by(_LISTED.work).limit(limit)
        with self._database.one_state():
            return self.of(self._values(query if after is None else query.where(_LISTED.work > after)))

    def count(self, host: str | None = None, brain: str | None = None) -> int:
        """Number of works, of a host or all, listed by nodes of a brain or of all."""
        return self._value(select(func.count(_LISTED.work.distinct())).where(*_filters(host, brain))) or 0

    def hosts(self) -> tuple[FacetCount, ...]:
        """Hosts with the number of works, the most frequent first."""
        count = func.count(_LISTED.work.distinct())
        query = select(_LISTED.host, count).group_by(_LISTED.host).order_by(count.desc(), _LISTED.host)
        return facet_counts(self._rows(query))

    def get(self, work: str) -> SourceDetail:
        """One work with its quotations. Raises `UnknownSourceError` if no node lists it."""
        quoting = select(*REF, quotations.c.body).join(nodes, nodes.c.id == quotations.c.node)
        ordered = quoting.where(quotations.c.work == work).order_by(nodes.c.serial, quotations.c.position)
        with self._database.one_state():
            uses, found = self.of([work]), self._rows(ordered)
        if not uses:
            raise UnknownSourceError(work)
        quoted = (QuoteUse(node=ref_of(row), quotation=Quotation.model_validate_json(row.body)) for row in found)
        return SourceDetail(use=uses[0], quotations=tuple(quoted))

    def counts(self) -> tuple[SourceCount, ...]:
        """Every work with its counts, by id."""
        quoted = _QUOTED.subquery()
        columns = (_LISTED.work, func.min(_LISTED.url), func.max(_LISTED.title), func.max(_LISTED.host), _NODES)
        query = select(*columns, func.coalesce(func.max(quoted.c.number), 0))
        joined = query.outerjoin(quoted, quoted.c.work == _LISTED.work).group_by(_LISTED.work).order_by(_LISTED.work)
        return tuple(SourceCount(*row) for row in self._rows(joined))

    def of(self, works: Sequence[str]) -> tuple[SourceUse, ...]:
        """These works in this order, each with the nodes that list it; without those that no node lists."""
        of_work = (_LISTED.work, _LISTED.url, _LISTED.date, _LISTED.title.label("work_title"))
        listing = select(*of_work, *REF).join(nodes, nodes.c.id == _LISTED.node)
        with self._database.one_state():
            rows = self._among(listing.order_by(nodes.c.serial, _LISTED.position), _LISTED.work, works)
            counts = {row.work: row.number for row in self._among(_QUOTED, quotations.c.work, works)}
        by_work = group_by(rows, lambda row: row.work)
        return tuple(_use(by_work[work], counts.get(work, 0)) for work in works if work in by_work)

    def first_quotations(self, works: Sequence[str]) -> dict[str, str]:
        """One quotation from each of these works that is quoted."""
        query = select(quotations.c.work, quotations.c.body)
        last_first = query.order_by(quotations.c.node.desc(), quotations.c.position.desc())
        first: dict[str, str] = dict(self._among(last_first, quotations.c.work, works))
        return {work: Quotation.model_validate_json(body).quote for work, body in first.items()}


def _filters(host: str | None, brain: str | None) -> Iterator[ColumnElement[bool]]:
    if host is not None:
        yield _LISTED.host == host
    if brain is not None:
        yield _LISTED.node.startswith(f"{brain}/", autoescape=True)


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


RELATED_TAGS = 20  # maximum related tags of a tag


class TagQueries(StorePart):
    """Tags of nodes."""

    def all(self, prefix: str = "", brain: str | None = None) -> tuple[FacetCount, ...]:
        """Tags that begin with `prefix`, with the number of nodes (of `brain`), the most frequent first."""
        count = func.count()
        query = select(node_tags.c.tag, count).group_by(node_tags.c.tag).order_by(count.desc(), node_tags.c.tag)
        if prefix:
            query = query.where(node_tags.c.tag.startswith(prefix, autoescape=True))
        if brain is not None:
            query = query.where(node_tags.c.node.startswith(f"{brain}/", autoescape=True))
        return self._database.recall(("tags", prefix, brain), lambda: facet_counts(self._rows(query)))

    def get(self, name: str) -> TagDetail:
        """One tag and those that occur with it. Raises `UnknownTagError` if no node has it."""
        return self._database.recall(("tag", name), lambda: self._detail(name))

    def _detail(self, name: str) -> TagDetail:
        here = select(node_tags.c.node).where(node_tags.c.tag == name)
        kinds = select(nodes.c.kind, func.count()).where(nodes.c.id.in_(here)).group_by(nodes.c.kind)
        with self._database.one_state():
            counted = facet_counts(self._rows(kinds.order_by(func.count().desc(), nodes.c.kind)))
            count = sum(kind.count for kind in counted)
            if not count:
                raise UnknownTagError(name)
            return TagDetail(tag=name, count=count, kinds=counted, related=self._related(name, count))

    def _related(self, name: str, count: int) -> tuple[RelatedTag, ...]:
        """Tags of the same nodes, by Jaccard index."""
        here = select(node_tags.c.node).where(node_tags.c.tag == name)
        paired = select(node_tags.c.tag, func.count().label("together")).where(node_tags.c.node.in_(here))
        together = paired.where(node_tags.c.tag != name).group_by(node_tags.c.tag).subquery()
        alone = select(node_tags.c.tag, func.count()).join(together, together.c.tag == node_tags.c.tag)
        found = [
            RelatedTag(tag=tag, count=own, together=both, score=both / (own + count - both))
            for tag, own, both in self._rows(
                alone.add_columns(together.c.together).group_by(node_tags.c.tag, together.c.together)
            )
        ]
        return tuple(sorted(found, key=lambda tag: (-tag.score, tag.tag))[:RELATED_TAGS])
