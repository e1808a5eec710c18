"""Queries for sources: the works that nodes list and quote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from graph.models.node_models import Quotation, Source
from graph.models.query_models import FacetCount, NodeRef, QuoteUse, SourceDetail, SourceName, SourceUse
from graph.store.database import STREAMED, StorePart
from graph.store.node_rows import REF, facet_counts, ref_of
from graph.store.schema import node_sources, nodes, quotations
from graph.store.store_errors import UnknownSourceError


class SourceCount(NamedTuple):
    """A work with an address and the title of it, its host, and how many nodes list it and how many quote it."""

    work: str
    url: str
    title: str | None
    host: str
    nodes: int
    quotations: int


class SourceQueries(StorePart):
    """The works that nodes list."""

    def page(
        self, host: str | None = None, limit: int = 100, after: str | None = None, brain: str | None = None
    ) -> tuple[SourceUse, ...]:
        """Works in the order of their ids, after the id `after`, each with the nodes that list it.

        `brain` selects the works that a node of the brain lists.
        """
        query = select(node_sources.c.work).distinct()
        if after is not None:
            query = query.where(node_sources.c.work > after)
        if host is not None:
            query = query.where(node_sources.c.host == host)
        if brain is not None:
            query = query.where(node_sources.c.node.startswith(f"{brain}/", autoescape=True))
        with self._database.reading() as sql:
            works = sql.execute(query.order_by(node_sources.c.work).limit(limit)).scalars().all()
            return _uses(sql, works)

    def count(self, host: str | None = None, brain: str | None = None) -> int:
        """How many works there are, of one host or of all, listed by the nodes of one brain or of all."""
        query = select(func.count(node_sources.c.work.distinct()))
        if host is not None:
            query = query.where(node_sources.c.host == host)
        if brain is not None:
            query = query.where(node_sources.c.node.startswith(f"{brain}/", autoescape=True))
        with self._database.reading() as sql:
            return int(sql.execute(query).scalar_one())

    def hosts(self) -> tuple[FacetCount, ...]:
        """Every host with the number of its works, the most frequent first."""
        count = func.count(node_sources.c.work.distinct())
        query = select(node_sources.c.host, count).group_by(node_sources.c.host)
        with self._database.reading() as sql:
            return facet_counts(sql, query.order_by(count.desc(), node_sources.c.host))

    def names(self) -> tuple[SourceName, ...]:
        """Every work with its title and host, and how many nodes list it, in one statement."""
        listed = node_sources.c
        count = func.count(listed.node.distinct())
        query = select(listed.work, func.max(listed.title), func.max(listed.host), count).group_by(listed.work)
        with self._database.reading() as sql:
            return tuple(SourceName(*row) for row in sql.execute(query))

    def get(self, work: str) -> SourceDetail:
        """One work with its quotations.

        Raises:
            UnknownSourceError: no node lists it.
        """
        quoting = select(*REF, quotations.c.body).join(nodes, nodes.c.id == quotations.c.node)
        ordered = quoting.where(quotations.c.work == work).order_by(nodes.c.serial, quotations.c.position)
        with self._database.reading() as sql:
            uses = _uses(sql, [work])
            found = sql.execute(ordered).all()
        if not uses:
            raise UnknownSourceError(work)
        quoted = (QuoteUse(node=ref_of(row), quotation=Quotation.model_validate_json(row.body)) for row in found)
        return SourceDetail(use=uses[0], quotations=tuple(quoted))

    def counts(self) -> tuple[SourceCount, ...]:
        """Every work with its counts, in two statements; the order is that of the ids."""
        listed = node_sources.c
        quoted = select(quotations.c.work, func.count()).where(quotations.c.work.is_not(None))
        found = select(
            listed.work,
            func.min(listed.url),
            func.max(listed.title),
            func.max(listed.host),
            func.count(listed.node.distinct()),
        )
        with self._database.reading() as sql:
            quotes = {str(row[0]): int(row[1]) for row in sql.execute(quoted.group_by(quotations.c.work))}
            rows = sql.execute(found.group_by(listed.work).order_by(listed.work)).all()
        return tuple(SourceCount(row[0], row[1], row[2], row[3], row[4], quotes.get(row[0], 0)) for row in rows)

    def of(self, works: Sequence[str]) -> tuple[SourceUse, ...]:
        """Some works, in their order, each with the nodes that list it; those that no node lists are left out."""
        with self._database.reading() as sql:
            return _uses(sql, works)

    def first_quotations(self, works: Sequence[str]) -> dict[str, str]:
        """The words of one quotation from each of some works; nothing for a work that is not quoted."""
        place = func.row_number().over(
            partition_by=quotations.c.work, order_by=(quotations.c.node, quotations.c.position)
        )
        ranked = select(quotations.c.work, quotations.c.body, place.label("place"))
        ranked_works = ranked.where(quotations.c.work.in_(works)).subquery()
        first = select(ranked_works.c.work, ranked_works.c.body).where(ranked_works.c.place == 1)
        with self._database.reading() as sql:
            return {row.work: Quotation.model_validate_json(row.body).quote for row in sql.execute(first)}

    def by_node(self) -> Iterator[tuple[str, str]]:
        """Every node with each work that it lists, once."""
        query = select(node_sources.c.node, node_sources.c.work).distinct().order_by(node_sources.c.node)
        with self._database.reading() as sql:
            yield from ((row.node, row.work) for row in sql.execute(query, execution_options=STREAMED))


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
