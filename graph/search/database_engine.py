"""The database's own search: FTS5 in SQLite, `tsvector` in PostgreSQL, both over `graph.store.search_tables`.

              FTS5                      tsquery
word          "oat"                     'oat'
phrase        "rye bread"               ('rye' <-> 'bread')
title         title : (…)               every word with :A
all, any      (… AND …), (… OR …)       (… & …), (… | …)
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, CursorResult

from graph.search.matching_nodes import Found
from graph.search.query_language import AllOf, AnyOf, InTitle, Phrase, Prefix, Text, Word
from graph.store.node_filters import statement
from graph.store.search_tables import lexeme

WEIGHTS = (4.0, 3.0, 1.0)  # weights of a word in the title, in names and tags, and in the body

RANKED = 5000
"""Matches that PostgreSQL ranks, of more those with a word in the title, then the latest; rare words count more."""

Scores = dict[int, float]
"""Scores by serial, the best first."""

_TEXTS = {
    "sqlite": "(SELECT rowid FROM search_text WHERE search_text MATCH :{})",
    "postgresql": "(SELECT serial FROM search_text WHERE vector @@ CAST(:{} AS tsquery))",
}
_LITE = Found(
    "search_text CROSS JOIN nodes n ON n.serial = search_text.rowid",  # CROSS: the text first
    f"-bm25(search_text, {', '.join(map(str, WEIGHTS))})",
    "search_text MATCH :query",
)
_LITE_REST = Found(condition=f"n.serial NOT IN {_TEXTS['sqlite'].format('query')}")
_SERVER = Found(
    f"""(WITH m AS MATERIALIZED (SELECT serial, vector, vector @@ CAST(:title AS tsquery) AS titled FROM search_text
        WHERE vector @@ CAST(:query AS tsquery)),
    head AS MATERIALIZED (SELECT serial, vector FROM m ORDER BY titled DESC, serial DESC LIMIT {RANKED}),
    parts AS MATERIALIZED (SELECT h.serial, w.word,
        ts_rank('{{0.25, 0.5, 0.75, 1.0}}', h.vector, CAST(w.word AS tsquery), 1) AS score
        FROM head h JOIN json_array_elements_text(CAST(:words AS json)) w (word)
        ON h.vector @@ CAST(w.word AS tsquery)),
    rarity AS (SELECT word, ln(1 + (SELECT count(*) FROM head) / CAST(count(*) AS real)) AS weight
        FROM parts GROUP BY word),
    ranked AS (SELECT serial, sum(score * weight) AS score FROM parts JOIN rarity USING (word) GROUP BY serial)
    SELECT m.serial, CAST(coalesce(r.score, 0) AS real) AS score FROM m LEFT JOIN ranked r USING (serial)) s
    JOIN nodes n ON n.serial = s.serial""",  # noqa: S608 - a fixed number
    "s.score",
)


def find(sql: Connection, included: Text | None, excluded: Text | None) -> Found:
    """Nodes that match `included` (None: all) and not `excluded` (None: nothing)."""
    if included is None and excluded is None:
        return Found()
    if sql.dialect.name == "postgresql":
        return _SERVER._replace(values=_server_query(included, excluded))
    if included is None:
        return _LITE_REST._replace(values={"query": _match(excluded)})
    without = f" NOT {_match(excluded)}" if excluded else ""
    return _LITE._replace(values={"query": f"{_match(included)}{without}"})


def has_text(sql: Connection, wanted: Text, name: str) -> tuple[str, dict[str, str]]:
    """The condition that a node has a text, with its parameter `name`."""
    asked = _tsquery(wanted) if sql.dialect.name == "postgresql" else _match(wanted)
    return f"n.serial IN {_TEXTS[sql.dialect.name].format(name)}", {name: asked}


def count(sql: Connection, wanted: Text) -> int:
    """Number of visible nodes that match."""
    return int(select_nodes(sql, "count(*)", wanted).scalar_one())


def select_nodes(sql: Connection, columns: str, wanted: Text, rest: str = "", **values: object) -> CursorResult[Any]:
    """Columns of the visible nodes `n` that match; `rest` follows the conditions."""
    condition, query = has_text(sql, wanted, "query")
    asked = f"SELECT {columns} FROM nodes n WHERE {condition}{rest}"  # noqa: S608 - of this program
    return sql.execute(statement(asked), {**query, **values})


def _match(wanted: Text | None) -> str:
    match wanted:
        case Word(stem):
            return f'"{stem}"'
        case Prefix(start):
            return f'"{start}" *'
        case Phrase(stems):
            return f'"{" ".join(stems)}"'
        case InTitle(inner):
            return f"title : ({_match(inner)})"
        case AllOf(parts) | AnyOf(parts):
            sign = " AND " if isinstance(wanted, AllOf) else " OR "
            return f"({sign.join(map(_match, parts))})"
    raise AssertionError(wanted)


def _server_query(included: Text | None, excluded: Text | None) -> dict[str, str]:
    without = f"!({_tsquery(excluded)})" if excluded else ""
    words, titles = (list(dict.fromkeys(_words(included, at))) if included else [] for at in ("", ":A"))
    query = " & ".join(filter(None, (_tsquery(included) if included else "", without)))
    return {"query": query, "words": json.dumps(words), "title": " | ".join(titles)}


def _tsquery(wanted: Text, weight: str = "") -> str:
    match wanted:
        case Word(stem):
            return lexeme(stem) + weight
        case Prefix(start):
            return f"{lexeme(start)}:*{weight.lstrip(':')}"
        case Phrase(stems):
            return f"({' <-> '.join(lexeme(stem) + weight for stem in stems)})"
        case InTitle(inner):
            return _tsquery(inner, ":A")
        case AllOf(parts) | AnyOf(parts):
            sign = " & " if isinstance(wanted, AllOf) else " | "
            return f"({sign.join(_tsquery(part, weight) for part in parts)})"


def _words(wanted: Text, weight: str = "") -> Iterator[str]:
    """Every word of a text, for ranking."""
    match wanted:
        case Word() | Prefix():
            yield _tsquery(wanted, weight)
        case Phrase(stems):
            yield from (lexeme(stem) + weight for stem in stems)
        case InTitle(inner):
            yield from _words(inner, weight)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _words(part, weight)
