"""The tree of a YAML document: text, lists and mappings that know their line and column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

Position = tuple[int, int]
"""A line and a column in the document, both from 1."""


class Word(str):
    """A scalar as written: `2.50` keeps its digits, `no` is a word. Its position is that of its first character."""

    __slots__ = ("column", "line")

    line: int
    column: int

    def __new__(cls, value: str, line: int = 0, column: int = 0) -> Word:
        """`value` as written at a position; 0 if the position does not matter."""
        word = super().__new__(cls, value)
        word.line, word.column = line, column
        return word


class Listing(list["Tree"]):
    """A list. `nulls` holds the positions of the items that are null."""

    def __init__(self, line: int = 0, column: int = 0) -> None:
        super().__init__()
        self.line, self.column = line, column
        self.nulls: dict[int, Position] = {}


class Mapping(dict[Word, "Tree"]):
    """A mapping, keys in the order in which they are written. Its position is that of its first key or its `{`."""

    def __init__(self, line: int = 0, column: int = 0) -> None:
        super().__init__()
        self.line, self.column = line, column


Tree = Union[Word, list["Tree"], dict[Word, "Tree"], None]  # noqa: UP007 a forward reference cannot be joined by |
"""What `load` returns: `Word`, `Listing`, `Mapping`, and None for a null."""


def word(tree: Tree) -> str:
    """A scalar as text; empty for a null, list or mapping."""
    return str(tree) if isinstance(tree, Word) else ""


def words(tree: Tree) -> list[Word]:
    """The scalars of a list; a single scalar counts as a list of one."""
    if isinstance(tree, Word):
        return [tree]
    return [item for item in tree if isinstance(item, Word)] if isinstance(tree, list) else []


def mappings(tree: Tree) -> list[dict[Word, Tree]]:
    """The mappings of a list; a single mapping counts as a list of one."""
    if isinstance(tree, dict):
        return [tree]
    return [item for item in tree if isinstance(item, dict)] if isinstance(tree, list) else []


def field(tree: Tree, name: str) -> Tree:
    """The field of a mapping; None if it is missing or `tree` is not a mapping."""
    return tree.get(Word(name)) if isinstance(tree, dict) else None


def place(tree: Tree) -> Word | None:
    """The first scalar inside a value, for its position."""
    while tree and not isinstance(tree, Word):
        tree = next(iter(tree)) if isinstance(tree, dict) else tree[0]
    return tree if isinstance(tree, Word) else None


def position(tree: Tree) -> Position | None:
    """Where a value begins; None for a null."""
    if isinstance(tree, Word | Listing | Mapping):
        return tree.line, tree.column
    found = place(tree)
    return (found.line, found.column) if found is not None else None


def key_position(tree: Tree, name: str) -> Position | None:
    """The position of a key of a mapping; None if it is missing."""
    key = next((key for key in tree if key == name), None) if isinstance(tree, dict) else None
    return None if key is None else position(key)


def at(tree: Tree, path: Sequence[str | int]) -> Tree:
    """The value at a path of keys and indexes; None if nothing is there."""
    for part in path:
        if isinstance(part, str):
            tree = field(tree, part)
        else:
            tree = tree[part] if isinstance(tree, list) and part < len(tree) else None
    return tree


def position_at(tree: Tree, path: Sequence[str | int]) -> Position | None:
    """The position of the value at a path, of its key if it is null, else of the nearest enclosing value."""
    here = position(tree)
    for part in path:
        below = at(tree, (part,))
        if isinstance(part, str):
            here = position(below) or key_position(tree, part) or here
        else:
            nulls = tree.nulls if isinstance(tree, Listing) else {}
            here = position(below) or nulls.get(part) or here
        tree = below
    return here
