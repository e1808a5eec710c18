"""A node as rows of the search tables in PostgreSQL: weighted vectors of stems, names, and words.

vector   all stems with positions: title (weight A), names and tags (B), text (D)
title    the stems of the title
names    the words of the title, for completion
stems    empty, or for a text with more positions than a vector keeps: the stems in order, to look up phrases
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic_core import from_json

from graph.models.node_models import Kind, Labels
from graph.search.tokenizer import split, stem, stems, words
from graph.store.column_types import Record
from graph.store.stored_counts import CountKey, count_keys

NODE_COLUMNS = (
    "serial", "kind", "brain", "document", "slug", "named", "tags", "folded", "names", "title", "vector", "stems",
)  # fmt: skip
NAME_COLUMNS = ("serial", "stems", "label", "position")

LAST_POSITION = 16383
MOST_POSITIONS = 255
"""PostgreSQL's limits: the highest position in a vector, and the positions of one word."""
MOST_BYTES = 1_000_000
"""Bytes of words and positions in one vector; PostgreSQL allows 1,048,575."""
MOST_FORMS = 200_000
"""Words that `WordForms` keeps; then it begins again."""

Lexemes = dict[str, list[str]]
"""Stems with their positions, each with its weight: `3A`."""


class WordForms(dict[str, str]):
    """The stem of each word form, in the notation of vectors; shared by all nodes."""

    def __missing__(self, word: str) -> str:
        """Stem a word that is new."""
        if len(self) >= MOST_FORMS:
            self.clear()
        found = self[word] = lexeme(stem(word))
        return found


class Searched(NamedTuple):
    """The parts of a node that are searched."""

    serial: int
    id: str
    kind: Kind
    brain: str
    document: str
    title: str
    labels: tuple[str, ...]
    tags: tuple[str, ...]
    body: str


def searched(row: Record) -> Searched:
    """The searched parts of a row with `serial`, `origin` and `body` of `nodes`, faster than by making the node."""
    said: dict[str, Any] = from_json(row.body)
    labels = Labels(**said["labels"]).all() if said["labels"] else ()
    tags, kind = tuple(said["tags"]), Kind(said["kind"])
    return Searched(row.serial, said["id"], kind, said["brain"], row.origin, said["title"], labels, tags, said["body"])


@dataclass(frozen=True, slots=True)
class IndexedNode:
    """A node for the tables: its row, its names if it is a term, its words as written, and the rows that count it."""

    row: tuple[object, ...]
    names: tuple[tuple[object, ...], ...]
    words: set[str]
    counted: tuple[CountKey, ...]


def indexed(node: Searched, forms: WordForms) -> IndexedNode:
    """The rows of a node; its words are looked up in `forms`."""
    named = words(node.title)
    names = (*node.labels, *node.tags)
    parts = [("A", split(node.title)), *(("B", split(name)) for name in names), ("", split(node.body))]
    lexemes, whole = _searchable(parts, forms)
    tags = [tag.replace("\x00", "\ufffd") for tag in dict.fromkeys(node.tags)]
    row = (
        node.serial, node.kind.value, node.brain, node.document, node.id.partition("/")[2],
        " ".join(named), _array(tags), _array(tag.casefold() for tag in tags),
        vector(_numbered(named)), vector(_numbered(stems(node.title))), lexemes, whole,
    )  # fmt: skip
    own = tuple(_names(node)) if node.kind is Kind.TERM else ()
    counted = tuple(count_keys(node.kind.value, node.brain, tags))
    return IndexedNode(row, own, set().union(*(some for _, some in parts)), counted)


def _searchable(parts: list[tuple[str, list[str]]], forms: WordForms) -> tuple[str, str]:
    """The vector of all stems with positions; if it has not all positions, also the stems in order."""
    quoted = [(letter, [forms[word] for word in some]) for letter, some in parts]
    if (short := _short(quoted)) is not None:
        return short, ""
    lexemes, whole = _positions((letter, [stem(word) for word in some]) for letter, some in parts)
    return vector(lexemes), whole


def _short(parts: list[tuple[str, list[str]]]) -> str | None:
    """The vector of a text within the limits, a word as often as it occurs: PostgreSQL merges them. Else None."""
    placed: list[str] = []
    place = 1
    for letter, some in parts:
        placed += [f"{one}:{at}{letter}" for at, one in enumerate(some, place)]
        place += len(some) + 1
    if place > LAST_POSITION or (len(placed) > MOST_POSITIONS and _most(parts) > MOST_POSITIONS):
        return None
    text = " ".join(placed)
    return text if 4 * len(text) <= MOST_BYTES else None


def _most(parts: list[tuple[str, list[str]]]) -> int:
    """How often the most frequent word occurs."""
    return max(Counter(one for _, some in parts for one in some).values())


def _array(values: Iterable[str]) -> str:
    """A list in PostgreSQL's notation of arrays."""
    return "{" + ",".join('"' + one.replace("\\", "\\\\").replace('"', '\\"') + '"' for one in values) + "}"


def _names(node: Searched) -> Iterator[tuple[object, ...]]:
    """The names of a term; a name may have no words, but it is completed."""
    for position, label in enumerate(node.labels or (node.title,)):
        yield node.serial, " ".join(stems(label))[:500], label.replace("\x00", "\ufffd"), position


def _numbered(some: Iterable[str]) -> Lexemes:
    lexemes: Lexemes = {}
    for place, word in enumerate(some, 1):
        lexemes.setdefault(word, []).append(str(min(place, LAST_POSITION)))
    return lexemes


def _positions(parts: Iterable[tuple[str, list[str]]]) -> tuple[Lexemes, str]:
    """The stems of all parts with gaps between parts, so that no phrase spans two; for a long text also in order."""
    lexemes: Lexemes = {}
    place, crowded, ordered = 0, False, [" "]
    for letter, some in parts:
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
