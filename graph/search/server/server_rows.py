"""A node as rows of the search tables in PostgreSQL: weighted vectors of stems, names, and words.

vector   all stems with positions: title (weight A), names and tags (B), text (D)
title    the stems of the title
names    the words of the title, for completion
stems    empty, or for a text with more positions than a vector keeps: the stems in order, to look up phrases
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graph.models.node_models import Kind, Node
from graph.search.tokenizer import fold, split, stem, stems, words

NODE_COLUMNS = (
    "serial", "kind", "brain", "document", "slug", "named", "tags", "folded", "names", "title", "vector", "stems",
)  # fmt: skip
NAME_COLUMNS = ("serial", "stems", "label", "position")

LAST_POSITION = 16383
MOST_POSITIONS = 255
"""PostgreSQL's limits: the highest position in a vector, and the positions of one word."""
MOST_BYTES = 1_000_000
"""Bytes of words and positions in one vector; PostgreSQL allows 1,048,575."""

Lexemes = dict[str, list[str]]
"""Stems with their positions, each with its weight: `3A`."""


@dataclass(frozen=True, slots=True)
class IndexedNode:
    """A node for the tables: its row, its names if it is a term, and its words with their stems."""

    row: tuple[object, ...]
    names: tuple[tuple[object, ...], ...]
    words: dict[str, str]


def indexed(node: Node, serial: int) -> IndexedNode:
    """The rows of a node."""
    labels = node.labels.all() if node.labels else ()
    parts = [("A", split(node.title)), *(("B", split(name)) for name in (*labels, *node.tags)), ("D", split(node.body))]
    lexemes, whole = _positions((weight, [stem(word) for word in some]) for weight, some in parts)
    tags = [tag.replace("\x00", "\ufffd") for tag in dict.fromkeys(node.tags)]
    row = (
        serial, node.kind.value, node.brain, node.provenance.document, node.id.partition("/")[2],
        " ".join(words(node.title)), tags, [tag.casefold() for tag in tags],
        vector(_numbered(words(node.title))), vector(_numbered(stems(node.title))), vector(lexemes), whole,
    )  # fmt: skip
    written = {fold(word): stem(word) for _, some in parts for word in some}
    return IndexedNode(row, tuple(_names(node, serial)) if node.kind is Kind.TERM else (), written)


def _names(node: Node, serial: int) -> Iterator[tuple[object, ...]]:
    """The names of a term; a name may have no words, but it is completed."""
    labels = node.labels.all() if node.labels else (node.title,)
    for position, label in enumerate(labels):
        yield serial, " ".join(stems(label))[:500], label.replace("\x00", "\ufffd"), position


def _numbered(some: Iterable[str]) -> Lexemes:
    lexemes: Lexemes = {}
    for place, word in enumerate(some, 1):
        lexemes.setdefault(word, []).append(str(min(place, LAST_POSITION)))
    return lexemes


def _positions(parts: Iterable[tuple[str, list[str]]]) -> tuple[Lexemes, str]:
    """The stems of all parts with gaps between parts, so that no phrase spans two; for a long text also in order."""
    lexemes: Lexemes = {}
    place, crowded, ordered = 0, False, [" "]
    for weight, some in parts:
        letter = "" if weight == "D" else weight
        for one in some:
            place += 1
            held = lexemes.setdefault(one, [])
            if place <= LAST_POSITION and len(held) < MOST_POSITIONS:
                held.append(f"{place}{letter}")
            else:
                crowded = True
        place += 1
        ordered += [*some, "¶"]
    crowded = crowded or _size(lexemes) > MOST_BYTES
    return lexemes, " ".join(ordered) if crowded else ""


def vector(lexemes: Lexemes) -> str:
    """A vector in PostgreSQL's notation; of one that is too large the positions go, then the last words."""
    if _size(lexemes) > MOST_BYTES:
        lexemes = {one: [] for one in lexemes}
    left = MOST_BYTES
    parts = []
    for one, places in lexemes.items():
        left -= _bytes(one, places)
        if left < 0:
            break
        parts.append(f"{lexeme(one)}:{','.join(places)}" if places else lexeme(one))
    return " ".join(parts)


def lexeme(one: str) -> str:
    """A word in the notation of vectors and queries."""
    return "'" + one.replace("\\", "\\\\").replace("'", "''") + "'"


def _size(lexemes: Lexemes) -> int:
    return sum(_bytes(one, places) for one, places in lexemes.items())


def _bytes(one: str, places: list[str]) -> int:
    return len(one.encode()) + 4 + 2 * len(places)
