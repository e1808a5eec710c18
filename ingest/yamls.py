"""YAML as words that know where they stand; the one module of this room that imports the YAML library.

Scalars stay the text that the author wrote (`no` is a word, `2.50` keeps its digits, a date is read where one is
meant). Anchors, aliases and tags are refused: with them a short file can ask for a huge or a foreign value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import yaml
from yaml.events import (
    AliasEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from ingest.texts import safe

DEEPEST = 30
"""Lists and mappings inside each other beyond this are refused."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})


class Word(str):
    """A scalar as written, with its line and column in the document, from 1."""

    line: int
    column: int

    def __new__(cls, value: str, line: int = 0, column: int = 0) -> Word:
        """`value` as written at a place; 0 where the place does not matter."""
        word = super().__new__(cls, value)
        word.line, word.column = line, column
        return word


Tree = Word | list["Tree"] | dict[Word, "Tree"] | None


class Fault(NamedTuple):
    """What is wrong with a piece of YAML, and where; `fatal` where nothing behind it could be read."""

    message: str
    line: int
    column: int
    fatal: bool = True


def _start(event: Event) -> tuple[int, int]:
    """Line and column, from 0, at which an event begins."""
    mark = event.start_mark
    return (mark.line, mark.column) if mark else (0, 0)


class _RefusedError(Exception):
    """YAML that is well formed and not taken."""

    def __init__(self, message: str, event: Event) -> None:
        super().__init__(message)
        self.message = message
        self.line, self.column = _start(event)


def load(source: str, first_line: int = 1) -> tuple[Tree, tuple[Fault, ...]]:
    """The tree of one YAML document that begins on `first_line`, and its faults; None where one of them is fatal."""
    faults: list[Fault] = []
    try:
        return _Builder(source, first_line, faults).tree(), tuple(faults)
    except _RefusedError as refusal:
        return None, (*faults, Fault(refusal.message, first_line + refusal.line, refusal.column + 1))
    except yaml.YAMLError as error:
        return None, (*faults, _fault(error, first_line))


def _fault(error: yaml.YAMLError, first_line: int) -> Fault:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "this is not YAML"
    if mark is None:
        return Fault(str(problem), first_line, 1)
    return Fault(str(problem), first_line + mark.line, mark.column + 1)


class _Builder:
    """Builds the tree from the parser's events, which come one by one and never recurse."""

    def __init__(self, source: str, first_line: int, faults: list[Fault]) -> None:
        self.events: Iterator[Event] = yaml.parse(source, Loader=_LOADER)
        self.first_line, self.faults = first_line, faults

    def tree(self) -> Tree:
        """The first document; an empty one is None."""
        for event in self.events:
            if isinstance(event, (ScalarEvent, SequenceStartEvent, MappingStartEvent, AliasEvent)):
                tree = self._value(event, 0)
                for _ in self.events:  # the rest must be well formed too
                    pass
                return tree
        return None

    def _value(self, event: Event, depth: int) -> Tree:
        if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
            raise _RefusedError("anchors and aliases are not taken here: write the value out", event)
        if depth > DEEPEST:
            raise _RefusedError(f"lists and mappings more than {DEEPEST} deep", event)
        if isinstance(event, SequenceStartEvent):
            return list(self._items(depth))
        if isinstance(event, MappingStartEvent):
            return self._mapping(depth)
        return self._word(event)

    def _word(self, event: Event) -> Word | None:
        if not isinstance(event, ScalarEvent):
            raise _RefusedError("a value was expected here", event)
        if event.style is None and event.value in _NOTHING:
            return None
        return self._placed(event)

    def _placed(self, event: ScalarEvent) -> Word:
        line, column = _start(event)
        return Word(safe(event.value), self.first_line + line, column + 1)

    def _items(self, depth: int) -> Iterator[Tree]:
        for event in self.events:
            if isinstance(event, SequenceEndEvent):
                return
            yield self._value(event, depth + 1)

    def _mapping(self, depth: int) -> dict[Word, Tree]:
        result: dict[Word, Tree] = {}
        for event in self.events:
            if isinstance(event, MappingEndEvent):
                break
            if not isinstance(event, ScalarEvent) or getattr(event, "anchor", None):
                raise _RefusedError("the name of a field must be a word", event)
            key = self._placed(event)
            value = self._value(next(self.events), depth + 1)
            if key in result:
                self.faults.append(Fault(f"the field {str(key)!r} stands twice", key.line, key.column, fatal=False))
            result[key] = value
        return result


def word(tree: Tree) -> str:
    """A scalar as text; empty for nothing, a list or a mapping."""
    return str(tree) if isinstance(tree, Word) else ""


def words(tree: Tree) -> list[Word]:
    """The scalars of a list, or the one that stands alone."""
    if isinstance(tree, Word):
        return [tree]
    return [item for item in tree if isinstance(item, Word)] if isinstance(tree, list) else []


def mappings(tree: Tree) -> list[dict[Word, Tree]]:
    """The mappings of a list, or the one that stands alone."""
    if isinstance(tree, dict):
        return [tree]
    return [item for item in tree if isinstance(item, dict)] if isinstance(tree, list) else []


def field(tree: Tree, name: str) -> Tree:
    """The field of a mapping, None where it is missing or `tree` is no mapping."""
    return tree.get(Word(name)) if isinstance(tree, dict) else None


def place(tree: Tree) -> Word | None:
    """The first word inside a value: where it stands."""
    while tree and not isinstance(tree, Word):
        tree = next(iter(tree)) if isinstance(tree, dict) else tree[0]
    return tree if isinstance(tree, Word) else None
