"""Search tables, written with each node in its transaction, so always current.

    search_text    the stems of a node by serial: title, names (labels and tags), body
    search_words   every word ever stored, with its stem: prefixes and spelling suggestions
    search_names   the names of terms: synonyms and completion

`search_text` is an FTS5 table in SQLite, a `tsvector` with the weights A, B and D in PostgreSQL. Both get our own
words, so they find the same. Private brains are hidden by the join with `nodes`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from sqlalchemy import Connection, select, text

from graph.models.node_models import Kind, Node
from graph.search.tokenizer import fold, name_words, split, stem, words
from graph.store.node_rows import NODE, node_of
from graph.store.schema import nodes
from graph.store.store_part import CHUNK, batches

GAP = "¶"  # separates names, so that no phrase spans two; no word contains it

LONGEST_KEY = 200  # characters of a name by which it is looked up

MANY = 1_000  # nodes changed at once after which all segments of FTS5 are merged

LAST_POSITION, MOST_BYTES = 16_383, 1_000_000
"""PostgreSQL's limits of a vector: highest position, up to which phrases are found, and bytes."""

_KEY = {"sqlite": "rowid", "postgresql": "serial"}
_ADD_TEXT = {
    "sqlite": "INSERT INTO search_text (rowid, title, names, body) VALUES (?, ?, ?, ?)",
    "postgresql": "INSERT INTO search_text (serial, vector) VALUES (%s, CAST(%s AS tsvector))",
}


class SearchText(NamedTuple):
    """The stems of each part of a node, in order."""

    title: str
    names: str
    body: str


def search_text(node: Node) -> SearchText:
    """The stems of a node."""
    return _stems(_words(node))


def _words(node: Node) -> tuple[list[str], list[str], list[str]]:
    """The words of title, names and body, unchanged; `GAP` separates names."""
    names = (*(node.labels.all() if node.labels else ()), *node.tags)
    return split(node.title), [word for name in names for word in (*split(name), GAP)], split(node.body)


def _stems(parts: Iterable[list[str]]) -> SearchText:
    return SearchText(*(" ".join(map(stem, part)) for part in parts))


def rebuild(sql: Connection) -> Iterator[int]:
    """Fill the tables again from the nodes; yields the number of nodes of each batch."""
    for table in ("search_text", "search_words", "search_names"):
        sql.execute(text(f"DELETE FROM {table}"))  # noqa: S608 - fixed names
    query = select(nodes.c.serial, *NODE).order_by(nodes.c.serial).limit(CHUNK)
    known = set[str]()
    rows = sql.execute(query).all()
    while rows:
        yield _add(sql, ((row.serial, node_of(row)) for row in rows), known)
        rows = sql.execute(query.where(nodes.c.serial > rows[-1].serial)).all()
    _merge_segments(sql, MANY)


def is_complete(sql: Connection) -> bool:
    """Whether there are as many texts as nodes."""
    counts = text("SELECT (SELECT count(*) FROM search_text) = (SELECT count(*) FROM nodes)")
    return bool(sql.execute(counts).scalar())


def update(sql: Connection, gone: Collection[int], come: Iterable[tuple[int, Node]], known: set[str]) -> None:
    """Remove nodes by serial and add others; `known` are the words that this write has stored."""
    serials = [{"serial": serial} for serial in gone]
    for table, key in (("search_text", _KEY[sql.dialect.name]), ("search_names", "serial")) if serials else ():
        sql.execute(text(f"DELETE FROM {table} WHERE {key} = :serial"), serials)  # noqa: S608 - fixed names
    _merge_segments(sql, len(serials) + _add(sql, come, known))


def _add(sql: Connection, come: Iterable[tuple[int, Node]], known: set[str]) -> int:
    """Add nodes; their number."""
    dialect, added = sql.dialect.name, 0
    for some in batches(come):
        found = [(serial, _words(node)) for serial, node in some]
        added += len(found)
        texts = [(serial, _stems(parts)) for serial, parts in found]
        rows = [(serial, *stems) if dialect == "sqlite" else (serial, vector(stems)) for serial, stems in texts]
        sql.exec_driver_sql(_ADD_TEXT[dialect], rows)  # SQLAlchemy takes four times as long to name so many values
        written = set[str]().union(*(part for _, parts in found for part in parts)) - known - {GAP}
        known.update(written)
        folded = sorted({fold(word): stem(word) for word in written}.items())
        for table, values in (("search_words", folded), ("search_names", _name_rows(some))):
            if values:
                marks = ", ".join(["?" if dialect == "sqlite" else "%s"] * len(values[0]))
                sql.exec_driver_sql(f"INSERT INTO {table} VALUES ({marks}) ON CONFLICT DO NOTHING", values)  # noqa: S608 - fixed names
    return added


def _merge_segments(sql: Connection, changed: int) -> None:
    """Merge the segments of FTS5, as each search reads every one: all after a large write, else a few small ones."""
    if sql.dialect.name == "sqlite":
        commands = [("optimize", None)] if changed >= MANY else [("usermerge", 2), ("merge", 16)]
        sql.exec_driver_sql("INSERT INTO search_text (search_text, rank) VALUES (?, ?)", commands)


def _name_rows(some: Iterable[tuple[int, Node]]) -> list[tuple[object, ...]]:
    return [
        (
            serial,
            position,
            " ".join(name_words(label))[:LONGEST_KEY],
            " ".join(words(label)),
            label.replace("\x00", "\ufffd"),
        )
        for serial, node in some
        if node.kind is Kind.TERM
        for position, label in enumerate(node.labels.all() if node.labels else (node.title,))
    ]


def vector(found: SearchText) -> str:
    """The text as a vector of PostgreSQL; one that is too long keeps later words without positions."""
    parts = [(weight, part.split()) for weight, part in zip("ABD", found, strict=True)]
    placed, place = list[str](), 0
    for weight, stems in parts:
        placed += [f"{lexeme(one)}:{at}{weight}" for at, one in enumerate(stems, place + 1) if one != GAP]
        place += len(stems) + 1  # a gap, so that no phrase spans two parts
    if place <= LAST_POSITION and sum(map(len, placed)) < MOST_BYTES // 4:
        return " ".join(placed)
    return " ".join(_shortened(placed))


def _shortened(placed: Iterable[str]) -> Iterator[str]:
    """The words of a long text with the first positions, without the last words beyond the limits."""
    seen, left = Counter[str](), MOST_BYTES
    for one in placed:
        name, _, at = one.rpartition(":")
        kept = one if int(at[:-1]) <= LAST_POSITION else name
        seen[name] += 1
        left -= 2 if seen[name] > 1 else len(name.encode()) + 8
        if left > 0 and (seen[name] == 1 or kept != name):
            yield kept


def lexeme(one: str) -> str:
    """A quoted word for vectors and queries of PostgreSQL."""
    return "'" + one.replace("\\", "\\\\").replace("'", "''") + "'"
