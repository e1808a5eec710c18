"""The one reader of YAML: text in, a tree out whose texts, lists and mappings have their line and column.

A scalar stays text as written, so a price keeps its digits. Anchors, aliases and deep nesting are rejected, by which a
small file can create a huge value; tags such as `!!python/object` are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Union

import yaml
from yaml.events import AliasEvent, CollectionEndEvent, Event, MappingStartEvent, ScalarEvent, SequenceStartEvent

from graph.text.characters import safe

Position = tuple[int, int]
"""Line and column, both from 1."""


class Word(str):
    """A scalar as written (`2.50` keeps its digits, `no` is a word), at the position of its first character."""

    __slots__ = ("column", "line")

    line: int
    column: int

    def __new__(cls, value: str, line: int = 0, column: int = 0) -> Word:
        """`value` at a position; 0 if that does not matter."""
        word = super().__new__(cls, value)
        word.line, word.column = line, column
        return word


class Listing(list["Tree"]):
    """A list; `nulls` are the positions of its null items."""

    def __init__(self, line: int = 0, column: int = 0) -> None:
        super().__init__()
        self.line, self.column = line, column
        self.nulls: dict[int, Position] = {}


class Mapping(dict[Word, "Tree"]):
    """A mapping in the order written, at the position of its first key or its `{`."""

    def __init__(self, line: int = 0, column: int = 0) -> None:
        super().__init__()
        self.line, self.column = line, column


Tree = Union[Word, list["Tree"], dict[Word, "Tree"], None]  # noqa: UP007 a forward reference cannot be joined by |
"""`Word`, `Listing`, `Mapping`, and None for a null."""


def word(tree: Tree) -> str:
    """A scalar as text; empty for a null, list or mapping."""
    return str(tree) if isinstance(tree, Word) else ""


def words(tree: Tree) -> list[Word]:
    """The scalars of a list; a scalar counts as a list of one."""
    if isinstance(tree, Word):
        return [tree]
    return [item for item in tree if isinstance(item, Word)] if isinstance(tree, list) else []


def mappings(tree: Tree) -> list[dict[Word, Tree]]:
    """The mappings of a list; a mapping counts as a list of one."""
    if isinstance(tree, dict):
        return [tree]
    return [item for item in tree if isinstance(item, dict)] if isinstance(tree, list) else []


def field(tree: Tree, name: str) -> Tree:
    """The field of a mapping; None if there is none."""
    return tree.get(Word(name)) if isinstance(tree, dict) else None


def place(tree: Tree) -> Word | None:
    """The first scalar inside a value, for its position."""
    while tree and not isinstance(tree, Word):
        tree = next(iter(tree)) if isinstance(tree, dict) else tree[0]
    return tree if isinstance(tree, Word) else None


def position(tree: Tree) -> Position | None:
    """The position of a value; None for a null."""
    found = tree if isinstance(tree, Word | Listing | Mapping) else place(tree)
    return (found.line, found.column) if found is not None else None


def key_position(tree: Tree, name: str) -> Position | None:
    """The position of a mapping's key; None if it has none."""
    key = next((key for key in tree if key == name), None) if isinstance(tree, dict) else None
    return None if key is None else position(key)


def at(tree: Tree, path: Sequence[str | int]) -> Tree:
    """The value at a path of keys and indexes; None if there is none."""
    for part in path:
        if isinstance(part, str):
            tree = field(tree, part)
        else:
            tree = tree[part] if isinstance(tree, list) and part < len(tree) else None
    return tree


def position_at(tree: Tree, path: Sequence[str | int]) -> Position | None:
    """The position of the value at a path, else of its key, else of what is around."""
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


_SECOND_COLON = re.compile(r"\s*(?:-\s+)*[^\s:]+:\s.*:(?:\s|$)")
_SPACES = "replace the tab by spaces; YAML is indented with spaces only"
_TAB = "a tab is used for indentation"
_NOT_ON_A_KEY = "this field is indented more than the one above, which already has a value"


class _Known(NamedTuple):
    """Part of a library's message, our message and hint; `begins`: point at the start of the value."""

    words: str
    message: str
    hint: str
    begins: bool = False


_KNOWN = (
    _Known("end of stream", "a quotation mark is opened here and never closed", "close it", begins=True),
    _Known("a tab character", _TAB, _SPACES),
    _Known("'-' indicator", "this is neither a field of the entry above nor a new entry",
           "align it with the fields above, or begin it with '- ' in the column of the entries"),
    _Known("',' or ']'", "a list is opened here with [ and never closed", "close it with ]", begins=True),
    _Known("',' or '}'", "a mapping is opened here with { and never closed", "close it with }", begins=True),
    _Known("node content", "expected a value here", "write the value, and close every [ and { above"),
    _Known("cannot start any token", "a value cannot begin with this character", "put the value in quotes"),
    _Known("block sequence entries", "a list cannot begin on the line of its name", "begin it on the next line"),
    _Known("expected ':'", "this line has no colon", "write a field as name: value", begins=True),
    _Known("expected key", "text follows the end of a value",
           "put the entire value in quotes; inside '…' write an apostrophe twice"),
)  # fmt: skip
"""The first match is used."""


def _explained(
    words: str, spot: Position | None, start: Position | None, text: str
) -> tuple[Position | None, str, str | None]:
    """Position, message and hint for a library's error; `text` is the line of `spot`."""
    indent = text[: len(text) - len(text.lstrip())]
    if spot and "mapping values" in words and "\t" in indent:
        return (spot[0], indent.index("\t") + 1), _TAB, _SPACES
    if "mapping values" in words and _SECOND_COLON.match(text):
        return spot, "a value contains a colon", "put the value in quotes"
    if "mapping values" in words:
        return spot, _NOT_ON_A_KEY, "begin the fields of one entry in the same column"
    if spot and text[spot[1] - 1 : spot[1]] == "\t":
        indents = not text[: spot[1] - 1].strip(" -")
        return spot, _TAB if indents else "a tab is not allowed here", _SPACES
    for known in _KNOWN:
        if known.words in words:
            return start or spot if known.begins else spot, known.message, known.hint
    return spot, words, None


DEEPEST = 30  # maximum nesting of lists and mappings

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # with libyaml if PyYAML has it (five times as fast)

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


class Fault(NamedTuple):
    """An error and its position; after a `fatal` one there is no tree."""

    message: str
    line: int
    column: int
    hint: str | None = None
    fatal: bool = True


class _RefusedError(Exception):
    """Well-formed YAML that the reader does not accept."""

    def __init__(self, message: str, event: Event, hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.event, self.hint = message, event, hint


def load(source: str, first_line: int = 1) -> tuple[Tree, tuple[Fault, ...]]:
    """The tree of a YAML document from `first_line` on, and its faults; no tree after a fatal one."""
    faults: list[Fault] = []
    try:
        return _Builder(source, first_line, faults).tree(), tuple(faults)
    except _RefusedError as refusal:
        fault = Fault(refusal.message, *_position(refusal.event, first_line), refusal.hint)
    except (yaml.reader.ReaderError, UnicodeEncodeError):
        fault = _unreadable(source, first_line)
    except yaml.YAMLError as error:
        fault = _broken(error, source, first_line)
    return None, (*faults, fault)


def _position(event: Event, first_line: int) -> Position:
    mark = event.start_mark
    return (first_line + mark.line, mark.column + 1) if mark else (first_line, 1)


def _is_null(event: ScalarEvent) -> bool:
    """Whether it is a null, without quotes: style None, or "" from libyaml."""
    return not event.style and event.value in _NULLS


def _unreadable(source: str, first_line: int) -> Fault:
    found = _UNREADABLE.search(source)
    before = _BREAK.split(source[: found.start()]) if found else [""]
    name = f"the character U+{ord(found[0]):04X}" if found else "a character"
    return Fault(f"{name} is not allowed", first_line + len(before) - 1, len(before[-1]) + 1, "remove it")


def _broken(error: yaml.YAMLError, source: str, first_line: int) -> Fault:
    spot, start = _place(error, "problem_mark"), _place(error, "context_mark")
    lines = _BREAK.split(source)
    noticed = spot or start
    line = lines[noticed[0] - 1] if noticed and noticed[0] <= len(lines) else ""
    words = getattr(error, "problem", None) or getattr(error, "context", None) or "this is not YAML"
    where, message, hint = _explained(str(words), noticed, start, line)
    row, column = where or (1, 1)
    return Fault(message, first_line + row - 1, column, hint)


def _place(error: yaml.YAMLError, name: str) -> Position | None:
    mark = getattr(error, name, None)
    return (mark.line + 1, mark.column + 1) if mark else None


class _Builder:
    """Builds the tree from events; the parser does not recurse, the builder `DEEPEST` deep."""

    def __init__(self, source: str, first_line: int, faults: list[Fault]) -> None:
        self.events: Iterator[Event] = yaml.parse(source, Loader=_LOADER)
        self.first_line, self.faults = first_line, faults

    def tree(self) -> Tree:
        """The document; None if it is empty."""
        for event in self.events:
            if isinstance(event, (ScalarEvent, SequenceStartEvent, MappingStartEvent, AliasEvent)):
                tree = self._value(event, 0)
                self._end()
                return tree
        return None

    def _end(self) -> None:
        """The rest must be well formed, without a second document."""
        for event in self.events:
            empty = isinstance(event, ScalarEvent) and _is_null(event)
            if isinstance(event, (ScalarEvent, SequenceStartEvent, MappingStartEvent)) and not empty:
                message = "a second document begins here after the line '---'; only one is read"
                raise _RefusedError(message, event, "write each document in a file of its own")

    def _value(self, event: Event, depth: int) -> Tree:
        if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
            message = "anchors and aliases (&name, *name) are not allowed here"
            raise _RefusedError(message, event, "write the value out, or put it in quotes")
        if depth > DEEPEST:
            raise _RefusedError(f"lists and mappings are nested more than {DEEPEST} levels deep", event)
        if isinstance(event, SequenceStartEvent):
            return self._listing(event, depth)
        if isinstance(event, MappingStartEvent):
            return self._mapping(event, depth)
        if not isinstance(event, ScalarEvent):
            raise _RefusedError("expected a value", event)
        return None if _is_null(event) else self._word(event)

    def _word(self, event: ScalarEvent) -> Word:
        line, column = _position(event, self.first_line)
        quoted = event.style in {'"', "'"}
        return Word(safe(event.value), line, column + quoted)

    def _listing(self, start: Event, depth: int) -> Listing:
        result = Listing(*_position(start, self.first_line))
        for event in self.events:
            if isinstance(event, CollectionEndEvent):
                break
            value = self._value(event, depth + 1)
            if value is None:
                result.nulls[len(result)] = _position(event, self.first_line)
            result.append(value)
        return result

    def _mapping(self, start: Event, depth: int) -> Mapping:
        result = Mapping(*_position(start, self.first_line))
        for event in self.events:
            if isinstance(event, CollectionEndEvent):
                break
            if not isinstance(event, ScalarEvent) or getattr(event, "anchor", None):
                raise _RefusedError("the name of a field must be plain text", event, "put it in quotes")
            key = self._word(event)
            value = self._value(next(self.events), depth + 1)
            if key in result:
                message = f"the field {str(key)!r} is written twice; the last one counts"
                self.faults.append(Fault(message, key.line, key.column, "remove one of them", fatal=False))
            result[key] = value
        return result
