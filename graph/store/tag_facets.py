"""The facets of tags, stored in SQLite: the first page of a tag reads its own nodes, however many have the tag.

`search_facets` has a row for each tag. Triggers set its facets to NULL when a node with the tag comes or goes; each
write counts those tags again before it is committed. A tag of very many nodes has an empty text: it is not counted at
each of their writes, but when somebody asks.
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
    asked = (
        select(node_tags.c.tag, nodes.c.kind, nodes.c.brain, nodes.c.tags)
        .join(nodes, nodes.c.id == node_tags.c.node)
        .where(node_tags.c.tag.in_(few))
        .order_by(node_tags.c.tag)
    )
    for tag, rows in groupby(sql.execute(asked), key=itemgetter(0)):
        values.append(_row(tag, count[tag], facets_text(counted(list(rows)))))
    sql.execute(update(search_facets).where(search_facets.c.tag == bindparam("key")), values)


def _row(tag: str, total: int, facets: str) -> dict[str, Any]:
    return {"key": tag, "total": total, "facets": facets}
