"""Filters of a list of nodes as SQL over `nodes n`, and facet counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Connection, TextClause, TextualSelect, column, text

from graph.models.node_cards import FACET_TAGS
from graph.models.query_models import Facets, NodeQuery

TAGGED = "n.serial IN (SELECT t.serial FROM node_tags t WHERE t.tag {})"

_LIST = {
    "sqlite": "(SELECT value FROM json_each(:{}))",
    "postgresql": "(SELECT CAST(value AS {1}) AS value FROM json_array_elements_text(CAST(:{0} AS json)))",
}


@lru_cache(maxsize=512)
def statement(sql: str, columns: str = "") -> TextClause | TextualSelect:
    """A cached statement: finding its parameters and `columns` takes as long as running it."""
    return text(sql).columns(*map(column, columns.split(", "))) if columns else text(sql)


def listed(sql: Connection, name: str, of: str = "integer") -> str:
    """A subquery for the values of one parameter, a JSON list."""
    return _LIST[sql.dialect.name].format(name, of)


def conditions(sql: Connection, query: NodeQuery) -> tuple[list[str], dict[str, Any]]:
    """The conditions of a query, to be joined by AND, and their values."""
    equal = {name: getattr(query, name) for name in ("kind", "brain", "document")}
    values: dict[str, Any] = {name: clean(str(one)) for name, one in equal.items() if one is not None}
    parts = [f"n.{name} = :{name}" for name in values]
    for number, tag in enumerate(dict.fromkeys(query.tags)):
        parts.append(TAGGED.format(f"= :tag_{number}"))
        values[f"tag_{number}"] = clean(tag)
    if query.source is not None:
        parts.append("n.id IN (SELECT s.node FROM node_sources s WHERE s.work = :source)")
        values["source"] = clean(query.source)
    if query.ids is not None:
        parts.append(f"n.id IN {listed(sql, 'ids', 'text')}")
        values["ids"] = json.dumps(list(map(clean, query.ids)))
    return parts, values


def clean(value: str) -> str:
    """A value without characters that PostgreSQL rejects."""
    return value.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


def facets_of(rows: Sequence[Any]) -> Facets:
    """Facets of rows whose last columns are kind, brain and tags."""
    tags = from_json(f"[{','.join(row[-1] for row in rows)}]")
    kinds, brains = (Counter(row[place] for row in rows) for place in (-3, -2))
    return Facets.of(Counter(chain.from_iterable(map(dict.fromkeys, tags))), kinds, brains, FACET_TAGS)
