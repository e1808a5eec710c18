"""Queries for tags."""

from __future__ import annotations

from sqlalchemy import func, select

from graph.models.query_models import FacetCount, RelatedTag, TagDetail
from graph.store.node_rows import facet_counts
from graph.store.schema import node_tags, nodes
from graph.store.store_errors import UnknownTagError
from graph.store.store_part import StorePart

RELATED_TAGS = 20
"""Maximum number of related tags of one tag."""


class TagQueries(StorePart):
    """The tags of nodes."""

    def all(self, prefix: str = "", brain: str | None = None) -> tuple[FacetCount, ...]:
        """Every tag that begins with `prefix`, with the number of its nodes, the most frequent first.

        `brain` counts the nodes of one brain only.
        """
        count = func.count()
        query = select(node_tags.c.tag, count).group_by(node_tags.c.tag).order_by(count.desc(), node_tags.c.tag)
        if prefix:
            query = query.where(node_tags.c.tag.startswith(prefix, autoescape=True))
        if brain is not None:
            query = query.where(node_tags.c.node.startswith(f"{brain}/", autoescape=True))
        return self._database.recall(("tags", prefix, brain), lambda: facet_counts(self._rows(query)))

    def get(self, name: str) -> TagDetail:
        """One tag and those that occur with it.

        Raises:
            UnknownTagError: no node carries it.
        """
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
        """The tags on the same nodes, by Jaccard index."""
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
