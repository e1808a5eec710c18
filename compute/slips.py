"""What is wrong with a text that is not YAML, in words for who wrote it, with the place where she can mend it."""

from __future__ import annotations

import re
from typing import NamedTuple

_SECOND_COLON = re.compile(r"\s*(?:-\s+)*[^\s:]+:\s.*:(?:\s|$)")


Place = tuple[int, int]
"""A line and a column, both from 1."""


class Slip(NamedTuple):
    """A slip of the pen: its place, None where it is not known, what it is, and what to do."""

    place: Place | None
    message: str
    hint: str | None = None


class _Sort(NamedTuple):
    """A slip as the library tells it: a part of its words, ours, and whether it begins where the library began."""

    words: str
    message: str
    hint: str
    begins: bool = False


_SORTS = (
    _Sort("end of stream", "a quotation mark is opened here and never closed", "close it", begins=True),
    _Sort("a tab character", "a tab stands where the line is indented", "indent by spaces"),
    _Sort("'-' indicator", "this is neither a field of the entry above nor a new entry",
          "begin it in the same column as the fields above, or by '- ' in that of the entries"),
    _Sort("',' or ']'", "a list is opened here by [ and never closed", "close it by ]", begins=True),
    _Sort("',' or '}'", "fields are opened here by { and never closed", "close them by }", begins=True),
    _Sort("cannot start any token", "a value cannot begin with this sign", "put the value in quotes"),
    _Sort("block sequence entries", "a list cannot begin on the line of its name", "begin it on the next line"),
    _Sort("expected ':'", "this line has no colon", "write a field as name: value", begins=True),
    _Sort("expected key", "something stands behind the end of a value",
          "put the whole value in quotes; an apostrophe between '…' is written twice"),
)  # fmt: skip
"""Read from the first to the last."""


def slip(words: str, spot: Place | None, start: Place | None, text: str) -> Slip:
    """The slip behind the library's `words`, where it is a common one; else these words themselves.

    `spot` is where the library noticed, `start` where what it was reading begins, `text` the line of `spot`.
    """
    if "mapping values" in words:
        return Slip(spot, *_colon(text))
    found = next((sort for sort in _SORTS if sort.words in words), None)
    if found is None:
        return Slip(spot, words)
    return Slip(start or spot if found.begins else spot, found.message, found.hint)


def _colon(line: str) -> tuple[str, str]:
    """What a colon that is one too many may mean."""
    if _SECOND_COLON.match(line):
        return "a value holds a colon", "put the value in quotes"
    return "a field stands below one that has a value already", "begin the fields of one entry in the same column"
