"""Where a part of a node's body is in its file: found by letters and digits, which every conversion leaves in order."""

from __future__ import annotations

import re
from bisect import bisect_right
from html import unescape
from typing import NamedTuple

from rapidfuzz.distance import Postfix, Prefix

from ingest.text.prose_masks import masked

_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<block>script|style)\b[^<>]{0,4000}>.*?(?:</(?P=block)\s*+>|\Z)"
    r"|</?[a-zA-Z!?][^<>]{0,4000}>"
    r"|(?P<entity>&(?:#[xX]?[0-9a-fA-F]{1,7}|[a-zA-Z][a-zA-Z0-9]{1,31});)",
    re.S | re.I,
)
_AROUND = (60, 25, 10, 3, 0)  # numbers of letters around a part that are compared, in order

_MOST_HITS = 1000


class SourcePlace(NamedTuple):
    """A part of a file: offsets into its text, and line and column from 1; `end_column` is on `end_line`."""

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


class _Letters(NamedTuple):
    """The letters and digits of a text, and the offset of each."""

    text: str
    offsets: list[int]


class SourceMap:
    """Finds parts of bodies in one file; `html`: a web page."""

    def __init__(self, text: str, *, html: bool = False) -> None:
        self._text = text
        self._letters = _of_page(text) if html else _letters(masked(text))
        self._lines = [0, *(match.end() for match in re.finditer(r"\r\n?|\n", text))]

    def line_start(self, line: int) -> int:
        """The offset at which a line (from 1) begins."""
        return self._lines[min(max(line, 1), len(self._lines)) - 1]

    def place(self, start: int, end: int) -> SourcePlace:
        """The place of characters `start` to `end` of the file."""
        line, end_line = bisect_right(self._lines, start), bisect_right(self._lines, max(start, end - 1))
        column, end_column = start - self._lines[line - 1] + 1, end - self._lines[end_line - 1] + 1
        return SourcePlace(start, end, line, column, end_line, end_column)

    def body(self, mask: str, first_line: int) -> BodyMap:
        """The map of a body, given as its mask, from a line on."""
        first = bisect_right(self._letters.offsets, self.line_start(first_line) - 1)
        return BodyMap(self, _letters(mask), mask, first)

    def find(self, wanted: str, expected: int, first: int) -> int | None:
        """The index of these letters from `first` on, nearest to `expected`; None if missing."""
        best, at = None, self._letters.text.find(wanted, first)
        for _ in range(_MOST_HITS):
            if at < 0 or (best is not None and abs(at - expected) > abs(best - expected)):
                break
            best, at = at, self._letters.text.find(wanted, at + 1)
        return best

    def extended(self, first: int, last: int, before: str, after: str) -> SourcePlace:
        """The place of letters `first` to `last`, with equal signs around."""
        start, end = self._letters.offsets[first], self._letters.offsets[last] + 1
        start -= Postfix.similarity(self._text[max(0, start - len(before)) : start], before)
        end += Prefix.similarity(self._text[end : end + len(after)], after)
        return self.place(start, end)


class BodyMap:
    """Finds parts of one body in its file."""

    def __init__(self, source: SourceMap, letters: _Letters, mask: str, first: int) -> None:
        self._source, self._letters, self._mask, self._first = source, letters, mask, first

    def place(self, start: int, end: int) -> SourcePlace | None:
        """The place of characters `start` to `end` of the body; None if not found."""
        low, high = (bisect_right(self._letters.offsets, offset - 1) for offset in (start, end))
        if low == high:
            return None
        for around in _AROUND:
            begin, stop = max(0, low - around), high + around
            piece = self._letters.text[begin:stop]
            found = self._source.find(piece, self._first + begin, self._first)
            if found is not None:
                before = self._mask[start : self._letters.offsets[low]]
                after = self._mask[self._letters.offsets[high - 1] + 1 : end]
                return self._source.extended(found + low - begin, found + high - begin - 1, before, after)
        return None


def _letters(text: str) -> _Letters:
    pairs = [(letter, offset) for offset, letter in enumerate(text) if letter.isalnum()]
    return _Letters("".join(letter for letter, _ in pairs), [offset for _, offset in pairs])


def _of_page(text: str) -> _Letters:
    """The letters of a web page, without markup."""
    letters: list[str] = []
    offsets: list[int] = []
    at = 0
    for match in [*_MARKUP.finditer(text), None]:
        stop = match.start() if match else len(text)
        for offset in range(at, stop):
            if text[offset].isalnum():
                letters.append(text[offset])
                offsets.append(offset)
        if match and match["entity"]:
            shown = [letter for letter in unescape(match["entity"]) if letter.isalnum()]
            letters += shown
            offsets += [match.start()] * len(shown)
        at = match.end() if match else stop
    return _Letters("".join(letters), offsets)
