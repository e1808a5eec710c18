"""Which lines of a Markdown text are code, by the rules of CommonMark inside quotations and list items."""

from __future__ import annotations

import re
from collections.abc import Sequence

_QUOTE = re.compile(r"[ \t]{0,3}>[ ]?")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]{1,4}|$)")
_FOOTNOTE = re.compile(r" {0,3}\[\^[^\]\n]{1,40}\]:")
_FENCE = re.compile(r"(?P<mark>`{3,}+(?=[^`]*$)|~{3,}+)(?P<info>.*)")
_DEEP = 4
"""The indentation of code without fences, and that of what belongs to a footnote."""


def fenced(lines: Sequence[str]) -> list[bool]:
    """For each line, whether it is part of fenced code."""
    code = FencedCode()
    return [code.holds(line) for line in lines]


def code_lines(lines: Sequence[str]) -> list[bool]:
    """For each line, whether it is part of fenced or indented code; indented code begins after an empty line."""
    code, found = FencedCode(), list[bool]()
    after_blank = True  # or after a line of indented code
    for line in lines:
        in_fence = code.holds(line)
        indented = not in_fence and after_blank and code.indented
        found.append(in_fence or indented)
        after_blank = not in_fence and (indented or code.blank)
    return found


class FencedCode:
    """Which lines are fenced code; `blank` and `indented` describe the last line that is none.

    `blank`: it has nothing but signs of quotation. `indented`: it could be code for its indentation in its list item.
    """

    def __init__(self) -> None:
        self.blank = self.indented = False
        self._depth = 0
        self._items: list[int] = []
        self._mark = ""
        self._base = 0

    def holds(self, line: str) -> bool:
        """Whether the next line is part of fenced code, its fences included."""
        depth, rest = self._unquoted(line)
        if depth < self._depth or (depth > self._depth and not self._mark):
            self._mark, self._items = "", []
        self._depth = self._depth if self._mark else depth
        if self._mark and rest.strip() and _width(rest) < self._base:
            self._mark = ""
        return self._inside(rest) if self._mark else self._opens(rest.expandtabs(4))

    def _unquoted(self, line: str) -> tuple[int, str]:
        """The depth of quotation of a line, and the line without its `>`; inside code only without those around it."""
        depth = end = 0
        while (not self._mark or depth < self._depth) and (mark := _QUOTE.match(line, end)):
            depth, end = depth + 1, mark.end()
        return depth, line[end:]

    def _inside(self, rest: str) -> bool:
        closing = _FENCE.fullmatch(rest.strip())
        if closing and closing["mark"].startswith(self._mark) and not closing["info"].strip():
            self._mark = ""
        return True

    def _opens(self, rest: str) -> bool:
        self.blank, self.indented = not rest.strip(), False
        if self.blank:
            return False
        at = _width(rest)
        self._items = [item for item in self._items if item <= at]
        begin = self._begin_items(rest)
        base = self._items[-1] if self._items else 0
        fence = _FENCE.match(rest[begin:].lstrip(" "))
        if fence is None or (begin + _width(rest[begin:])) - base > 3:
            self.indented = not begin and at - base >= _DEEP
            return False
        self._mark, self._base = fence["mark"], base
        return True

    def _begin_items(self, rest: str) -> int:
        """Note the list items, or the footnote, that begin on a line; where the text of the innermost item begins."""
        begin = 0
        while item := _ITEM.match(rest, begin):
            self._items.append(item.end())
            begin = item.end()
        if _FOOTNOTE.match(rest):
            self._items = [_DEEP]
        return begin


def _width(line: str) -> int:
    """The width of the white space before a line."""
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
