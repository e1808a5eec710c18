"""Links, tags and works around a few nodes, for pages that show one node and must not read all of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import FromClause, Select, exists, func, literal, or_, select, union

from graph.models.link_models import Link
from graph.models.query_models import Card
from graph.store.node_rows import KINDS
from graph.store.schema import citations, edges, node_sources, node_tags, nodes
from graph.store.store_part import StorePart, among, chunks
from graph.values import slim

Ends = tuple[str, str, str]
"""The subject, the kind and the target of a link."""

_TARGETS = nodes.alias("targets")
_CITED = citations.join(_TARGETS, _TARGETS.c.id == citations.c.target)
_RELATED = edges.join(_TARGETS, _TARGETS.c.id == edges.c.target)


class NeighbourQueries(StorePart):
    """What is around some nodes; of a link, both ends are in the store."""

    def cards(self, ids: Collection[str]) -> dict[str, Card]:
        """The cards of those of the nodes that are in the store, by id."""
        columns = (nodes.c.serial, nodes.c.id, nodes.c.kind, nodes.c.brain, nodes.c.title, nodes.c.tags)
        rows = self._for(ids, nodes.c.id, select(*columns, nodes.c.document))
        return {
            row.id: Card(
                row.serial, row.id, KINDS[row.kind], row.brain, row.title, tuple(json.loads(row.tags)), row.document
            )
            for row in rows
        }

    def touching(self, ids: Collection[str]) -> set[Ends]:
        """The links that begin or end at one of the nodes."""
        cited = select(citations.c.node, literal("cites"), citations.c.target).select_from(_CITED)
        related = select(edges.c.subject, edges.c.kind, edges.c.target).select_from(_RELATED)
        ends = (
            (cited, citations.c.node),
            (cited, citations.c.target),
            (related, edges.c.subject),
            (related, edges.c.target),
        )
        found: set[Ends] = set()
        with self._database.reading() as sql:
            for some in chunks(sorted(ids)):
                every = union(*(query.where(among(sql, column, some)) for query, column in ends))
                found.update((subject, kind, target) for subject, kind, target in sql.execute(every))
        return found

    def between(self, ids: Collection[str]) -> list[Link]:
        """The links that begin and end at one of at most a thousand nodes, in the order of `EdgeTables.all`."""
        own = list(ids)
        asked = (citations.c.node, citations.c.target, citations.c.context, citations.c.confidence, citations.c.cito)
        query = select(*asked).join(nodes, nodes.c.id == citations.c.node)
        ordered = query.order_by(nodes.c.serial, citations.c.position)
        stated = select(edges.c.subject, edges.c.kind, edges.c.target, edges.c.reason, edges.c.confidence)
        with self._database.reading() as sql:
            cites = sql.execute(ordered.where(among(sql, citations.c.node, own), among(sql, citations.c.target, own)))
            found = [
                Link(subject=node, kind="cites", target=target, reason=said, confidence=sure, cito=cito)
                for node, target, said, sure, cito in cites
            ]
            others = stated.where(among(sql, edges.c.subject, own), among(sql, edges.c.target, own))
            for subject, kind, target, reason, sure in sql.execute(others.order_by(edges.c.id)):
                found.append(Link(subject=subject, kind=kind, target=target, reason=reason, confidence=sure))
        return [slim(link) for link in found]

    def works(self, ids: Collection[str]) -> set[tuple[str, str]]:
        """The nodes with each work that they list."""
        rows = self._for(ids, node_sources.c.node, select(node_sources.c.node, node_sources.c.work))
        return {(row.node, row.work) for row in rows}

    def tagged(self, tags: Collection[str]) -> dict[str, list[str]]:
        """The nodes with each of the tags."""
        return _grouped(self._for(tags, node_tags.c.tag, select(node_tags.c.tag, node_tags.c.node)))

    def listing(self, works: Collection[str]) -> dict[str, list[str]]:
        """The nodes that list each of the works."""
        query = select(node_sources.c.work, node_sources.c.node).distinct()
        return _grouped(self._for(works, node_sources.c.work, query))

    def tag_counts(self, tags: Collection[str]) -> dict[str, int]:
        """How many nodes have each of the tags."""
        query = select(node_tags.c.tag, func.count()).group_by(node_tags.c.tag)
        return {row[0]: row[1] for row in self._for(tags, node_tags.c.tag, query)}

    def work_counts(self, works: Collection[str]) -> dict[str, int]:
        """How many nodes list each of the works."""
        counted = func.count(node_sources.c.node.distinct())
        query = select(node_sources.c.work, counted).group_by(node_sources.c.work)
        return {row[0]: row[1] for row in self._for(works, node_sources.c.work, query)}

    def citing_counts(self, targets: Collection[str]) -> dict[str, int]:
        """How many nodes cite each of the nodes."""
        query = select(citations.c.target, func.count(citations.c.node.distinct())).group_by(citations.c.target)
        return {row[0]: row[1] for row in self._for(targets, citations.c.target, query)}

    def cited_counts(self, citing: Collection[str]) -> dict[str, int]:
        """How many nodes each of the nodes cites."""
        counted = select(citations.c.node, func.count(citations.c.target.distinct())).select_from(_CITED)
        rows = self._for(citing, citations.c.node, counted.group_by(citations.c.node))
        return {row[0]: row[1] for row in rows}

    def mention_counts(self, terms: Collection[str]) -> dict[str, int]:
        """How many nodes mention each of the terms."""
        counted = select(edges.c.target, func.count(edges.c.subject.distinct())).where(edges.c.kind == "mentions")
        return {row[0]: row[1] for row in self._for(terms, edges.c.target, counted.group_by(edges.c.target))}

    def connected_count(self) -> int:
        """How many nodes have a tag or a work, or cite, are cited by, or mention another one."""
        cited = nodes.alias("cited")
        conditions = (
            _has(node_tags, node_tags.c.node == nodes.c.id),
            _has(node_sources, node_sources.c.node == nodes.c.id),
            exists().select_from(citations.join(cited, cited.c.id == citations.c.target)).where(
                citations.c.node == nodes.c.id
            ),
            _has(citations, citations.c.target == nodes.c.id),
            exists().select_from(edges.join(cited, cited.c.id == edges.c.target)).where(
                edges.c.subject == nodes.c.id, edges.c.kind == "mentions"
            ),
        )  # fmt: skip
        with self._database.reading() as sql:
            return int(sql.execute(select(func.count()).select_from(nodes).where(or_(*conditions))).scalar_one())

    def _for(self, names: Collection[str], column: Any, query: Select[Any]) -> Iterator[Any]:  # noqa: ANN401  # a column of any of the tables
        """The rows of a query where a column has one of these values."""
        if not names:
            return
        with self._database.reading() as sql:
            for some in chunks(sorted(names)):
                yield from sql.execute(query.where(among(sql, column, some)))


def _has(table: FromClause, condition: Any) -> Any:  # noqa: ANN401  # what `exists` takes and gives
    return exists().select_from(table).where(condition)


def _grouped(rows: Iterator[Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name, node in rows:
        found[name].append(node)
    return dict(found)
