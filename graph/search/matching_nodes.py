"""SQL for the nodes that an engine found: filters and facets in one statement, and the rows of a page."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from pydantic_core import from_json
from sqlalchemy import Connection

from graph.models.query_models import NodeQuery, NodeSummary
from graph.search.query_language import Filter
from graph.store.node_filters import TAGGED, conditions, listed, statement
from graph.store.node_rows import SUMMARY, summary_of
from graph.text.plain_text import naming_notes, plain_text

_BRAINS = (
    "WITH RECURSIVE b (name) AS (SELECT min(brain) FROM nodes UNION ALL"
    " SELECT (SELECT min(brain) FROM nodes WHERE brain > b.name) FROM b WHERE b.name IS NOT NULL)"
)
"""Each brain once, by the index, without reading the nodes."""

_BRAIN_NAMES = _BRAINS + " SELECT name FROM b WHERE name IS NOT NULL"  # noqa: S608 - fixed texts
_TAGS = "SELECT DISTINCT tag FROM node_tags"


class Found(NamedTuple):
    """An engine's result as SQL: the tables with `nodes n`, the score, a condition, the parameters."""

    tables: str = "nodes n"
    score: str = "CAST(0 AS real)"
    condition: str = "1 = 1"
    values: dict[str, Any] = {}  # noqa: RUF012 - never changed


def among(sql: Connection, serials: Iterable[int]) -> Found:
    """Nodes by serial."""
    return Found(
        f"{listed(sql, 'found')} f JOIN nodes n ON n.serial = f.value", values={"found": json.dumps([*serials])}
    )


def matching(
    sql: Connection, found: Found, query: NodeQuery, filters: Sequence[Filter], titled: tuple[str, dict[str, str]]
) -> Sequence[Any]:
    """The nodes of `found` that pass the filters of `query` and those written in the text.

    Rows of serial, score, the title where it passes the condition `titled`, kind, brain, tags.
    """
    parts, values = conditions(sql, query)
    parts += _written(sql, filters, values)
    rows = (
        f"SELECT n.serial, {found.score}, CASE WHEN {titled[0]} THEN n.title END, n.kind, n.brain, n.tags"  # noqa: S608 - of this program
        f" FROM {found.tables} WHERE {' AND '.join([found.condition, *parts])}"
    )
    return sql.execute(
        statement(rows, "serial, score, title, kind, brain, tags"), values | found.values | titled[1]
    ).all()


def _written(sql: Connection, filters: Sequence[Filter], values: dict[str, object]) -> Iterable[str]:
    """Conditions: all written tags, and any one of the kinds and brains."""
    for number, (field, negated, wanted) in enumerate(_groups(filters)):
        name = f"written_{number}"
        values[name] = json.dumps(_spellings(sql, field, wanted))
        among = f"IN {listed(sql, name, 'text')}"
        yield ("NOT " if negated else "") + (TAGGED.format(among) if field == "tag" else f"n.{field} {among}")


def _groups(filters: Sequence[Filter]) -> Iterable[tuple[str, bool, list[str]]]:
    for field in ("kind", "brain"):
        for negated in (False, True):
            if wanted := [one.value for one in filters if (one.field, one.negated) == (field, negated)]:
                yield field, negated, wanted
    yield from ((one.field, one.negated, [one.value]) for one in filters if one.field == "tag")


def _spellings(sql: Connection, field: str, wanted: Collection[str]) -> list[str]:
    """Values of a field that equal the requested ones except for case."""
    if field == "kind":
        return list(wanted)
    known = sql.execute(statement(_TAGS if field == "tag" else _BRAIN_NAMES)).scalars()
    return [one for one in known if one.casefold() in wanted]


def shown(sql: Connection, serials: Sequence[int], hidden: Collection[str]) -> list[tuple[int, NodeSummary, str]]:
    """Serial, summary and plain text of these nodes in order, without those that are gone.

    Links are shown as the titles they had when the node was linked, but for notes of `hidden` brains.
    """
    columns = f"{SUMMARY}, n.body, n.serial"
    asked = f"SELECT {columns} FROM nodes n WHERE n.serial IN {listed(sql, 'serials')}"  # noqa: S608 - of this program
    rows = {row[-1]: row for row in sql.execute(statement(asked, columns), {"serials": json.dumps(list(serials))})}
    found = (rows[serial] for serial in serials if serial in rows)
    return [(row[-1], summary_of(row), _plain(from_json(row[-2]), hidden)) for row in found]


def _plain(node: dict[str, Any], hidden: Collection[str]) -> str:
    links = ((one.get("target"), one.get("target_title")) for one in node["citations"])
    seen = (link for link in links if all(link) and link[0].partition("/")[0] not in hidden)
    return plain_text(node["body"], naming_notes(seen))
