"""The facets of tags, stored in SQLite: the first page of a tag reads its own nodes, however many have the tag.

`search_facets` has a row for each tag. Triggers set its facets to NULL when a node with the tag comes or goes; each
write counts those tags again before it is committed. A tag of very many nodes has an empty text: it is not counted at
each of their writes, but when somebody asks. The same holds for a tag of one node alone that has very many.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, bindparam, func, select, update

from graph.models.query_models import Facets
from graph.store.column_types import Record, Word
from graph.store.counted_facets import counted
from graph.store.database import REVISION, Revision
from graph.store.document_changes import chunks
from graph.store.prepared_query import PreparedQuery
from graph.store.schema import node_tags, nodes
from graph.values import dumps_flat

MOST = 5000
"""The most nodes of a tag whose facets are stored: to count them takes 20 ms."""

search_facets = Table(
    "search_facets",
    MetaData(),  # derived data: not one of the tables that are copied and compared
    Column("tag", Word, primary_key=True),
    Column("total", Integer),
    Column("facets", Text),  # JSON as `facets_text`; NULL: to be counted; empty: not stored
)

LISTED = PreparedQuery(
    select(nodes.c.id, nodes.c.brain, nodes.c.kind, nodes.c.title, nodes.c.tags, node_tags.c.serial)
    .join(node_tags, node_tags.c.node == nodes.c.id)
    .where(node_tags.c.tag == bindparam("tag"))
    .order_by(node_tags.c.serial)
    .limit(bindparam("most"))
)
"""The first nodes of a tag by arrival."""

COUNTED = PreparedQuery(
    select(search_facets.c.total, search_facets.c.facets, *REVISION).where(search_facets.c.tag == bindparam("tag"))
)
"""The facets of a tag, and the state that they were read in."""


class TagPage(NamedTuple):
    """The first nodes of a tag with id, brain, kind, title and tags (as JSON); `facets` are those of all, as JSON.

    `next` is the cursor of the following page.
    """

    rows: list[Record]
    total: int
    facets: str
    next: str | None
    revision: Revision


def facets_text(facets: Facets) -> str:
    """The counts by tag, kind and brain as JSON."""
    return dumps_flat(facets.fields())


def count_tags(sql: Connection) -> None:
    """Count the tags whose nodes have changed, in the transaction of a write before it is committed."""
    asked = select(search_facets.c.tag).where(search_facets.c.facets.is_(None)).order_by(search_facets.c.tag)
    for some in chunks(list(sql.execute(asked).scalars())):
        _store(sql, some)


def _store(sql: Connection, tags: list[str]) -> None:
    sizes = select(node_tags.c.tag, func.count()).where(node_tags.c.tag.in_(tags)).group_by(node_tags.c.tag)
    count = {row[0]: row[1] for row in sql.execute(sizes)}
    values: list[dict[str, Any]] = [_row(tag, 0, "") for tag in tags if not 0 < count.get(tag, 0) <= MOST]
    few = [tag for tag in tags if 0 < count.get(tag, 0) <= MOST]
    listed = select(node_tags.c.tag, node_tags.c.node).where(node_tags.c.tag.in_(few))
    held = {
        tag: tuple(pair[1] for pair in pairs)
        for tag, pairs in groupby(sql.execute(listed.order_by(*listed.selected_columns)), key=itemgetter(0))
    }
    wanted = nodes.c.id.in_(select(node_tags.c.node).where(node_tags.c.tag.in_(few)))
    rows = {
        row.id: row for row in sql.execute(select(nodes.c.id, nodes.c.kind, nodes.c.brain, nodes.c.tags).where(wanted))
    }
    # All tags of one long list have the same nodes: these are counted once.
    facets = {some: _text(counted([rows[one] for one in some]), len(some)) for some in set(held.values())}
    values += [_row(tag, count[tag] if facets[some] else 0, facets[some]) for tag, some in held.items()]
    sql.execute(update(search_facets).where(search_facets.c.tag == bindparam("key")), values)


def _text(facets: Facets, nodes: int) -> str:
    """The facets as they are stored; those of a single node with very many tags are not."""
    return "" if nodes == 1 and facets.tags_left else facets_text(facets)


def _row(tag: str, total: int, facets: str) -> dict[str, Any]:
    return {"key": tag, "total": total, "facets": facets}
