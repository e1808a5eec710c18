"""YAML syntax errors in plain words, at the position where the author can correct them."""

from __future__ import annotations

import re
from typing import NamedTuple

from graph.yaml.tree import Position

_SECOND_COLON = re.compile(r"\s*(?:-\s+)*[^\s:]+:\s.*:(?:\s|$)")
_SPACES = "replace the tab by spaces; YAML is indented with spaces only"
_TAB = "a tab is used for indentation"
_NOT_ON_A_KEY = "this field is indented more than the one above, which already has a value"


class Explanation(NamedTuple):
    """A syntax error: its position (None if unknown), what is wrong, and what to do."""

    place: Position | None
    message: str
    hint: str | None = None


class _Known(NamedTuple):
    """A library error: part of its message, our message and hint, and whether to point at the start of the value."""

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


def explained(words: str, spot: Position | None, start: Position | None, text: str) -> Explanation:
    """What the library's `words` mean if the error is a common one; otherwise the words themselves.

    `spot` is where the library found the error, `start` where the value being read begins, `text` the line of `spot`.
    """
    indent = text[: len(text) - len(text.lstrip())]
    if spot and "mapping values" in words and "\t" in indent:
        return Explanation((spot[0], indent.index("\t") + 1), _TAB, _SPACES)
    if "mapping values" in words:
        return Explanation(spot, *_colon(text))
    if spot and text[spot[1] - 1 : spot[1]] == "\t":
        indents = not text[: spot[1] - 1].strip(" -")
        return Explanation(spot, _TAB if indents else "a tab is not allowed here", _SPACES)
    found = next((known for known in _KNOWN if known.words in words), None)
    if found is None:
        return Explanation(spot, words)
    return Explanation(start or spot if found.begins else spot, found.message, found.hint)


def _colon(line: str) -> tuple[str, str]:
    """What an extra colon may mean."""
    if _SECOND_COLON.match(line):
        return "a value contains a colon", "put the value in quotes"
    return _NOT_ON_A_KEY, "begin the fields of one entry in the same column"
