"""Where Markdown is verbatim: code, by CommonMark's rules in quotations and list items, and formulas.

> [!tip] A quotation          `>` begins a quotation, also inside an item
> - ```mermaid                an item may begin with a fence
>   %% code
>   ```
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from graph.text.math_text import looks_like_maths

BLANK = "\x00"  # replaces each verbatim character, so offsets into the mask are offsets into the text

_SIGNS = ("```", "~~~", "    ", "\t")
"""A text with none of these has no code; a pattern for line beginnings takes twenty times as long."""
_SPACES = re.compile(" *")
_ITEM = re.compile(r" *(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?! )| (?= )|$)")
_FOOTNOTE = re.compile(r" {0,3}\[\^[^\]\n]{1,40}\]:")
_HEADING = re.compile(r"#{1,6}(?: |$)")
_RULE = re.compile(r"(?:[-*_] {0,9}){3,}")
_BEGINS = re.compile(
    r">|[-*+](?: |$)|\d{1,9}[.)](?: |$)|#{1,6}(?: |$)|`{3,}[^`]*$|~{3,}|(?:[-*_] {0,9}){3,}$|=+ *$|\[\^"
)
"""What ends a paragraph."""
_FENCE = re.compile(r"(?P<mark>`{3,}+(?=[^`]*$)|~{3,}+)(?P<info>.*)")
_DEEP = 4  # the indentation of code without fences, and of what belongs to a footnote


def fenced(lines: Sequence[str]) -> list[bool]:
    """For each line, whether it is in fenced code."""
    code = CodeBlocks()
    return [code.holds(line) for line in lines]


def code_lines(lines: Sequence[str]) -> list[bool]:
    """For each line, whether it is code."""
    code = CodeBlocks()
    return [code.holds(line) or code.indented for line in lines]


def code_masked(text: str) -> str:
    """`text` with lines of code as `BLANK` characters."""
    if not any(map(text.__contains__, _SIGNS)):
        return text
    lines = text.split("\n")
    hidden = code_lines(lines)
    return "\n".join(BLANK * len(line) if code else line for line, code in zip(lines, hidden, strict=True))


class CodeBlocks:
    """Finds fenced code line by line; `indented`: the last line is code by its indentation."""

    def __init__(self) -> None:
        self.indented = False
        self._may_indent = True  # after an empty line, a heading, or a line of indented code
        self._paragraph = False  # whether the last line is one of a paragraph
        self._items: list[list[int]] = [[]]  # for each depth of quotation, where the text of its items begins
        self._mark, self._depth, self._base = "", 0, 0  # the open fence, its depth, and where its item's text begins

    @property
    def is_open(self) -> bool:
        """Whether a fence is open after the last line."""
        return bool(self._mark)

    def holds(self, line: str) -> bool:
        """Whether the next line is in fenced code, fences included."""
        text = line.expandtabs(4) if "\t" in line else line
        depth, at = self._unquoted(text)
        blank = not text[at:].strip()
        if self._mark and (depth < self._depth or (not blank and _width(text, at) < self._base)):
            self._mark = ""  # the line is outside the quotation or the item of the code
            depth, at = self._unquoted(text)
        if self._mark:
            self.indented, self._may_indent = False, True
            return self._in_fence(text, at)
        if self._paragraph and not blank and not self._interrupts(depth, text, at):
            self.indented = False  # a line of the same paragraph, however little of its quotation or item is repeated
            return False
        del self._items[depth + 1 :]
        self._paragraph = False
        self.indented, self._may_indent = not blank and self._is_indented(text, at), blank or self._may_indent
        return not blank and not self.indented and self._opens(text, at)

    def _unquoted(self, text: str) -> tuple[int, int]:
        """Quotation depth and start of the text; at most the depth of open code."""
        depth = at = 0
        while not self._mark or depth < self._depth:
            width = _width(text, at)
            if not text.startswith(">", at + width) or width > self._innermost(depth, width) + 3:
                break
            if self._items[depth] and self._items[depth][-1] > width:  # a quotation after the item, not in it
                if self._mark:
                    break
                self._leave_items(depth, width)
                del self._items[depth + 1 :]
                self._paragraph = False
            depth, at = depth + 1, _after_quote(text, at + width)
            if depth == len(self._items):
                self._items.append([])
                self._paragraph, self._may_indent = False, True
        return depth, at

    def _innermost(self, depth: int, width: int) -> int:
        """Where the text of the item around `width` begins."""
        items = self._items[depth]
        inside = bisect_right(items, width)
        return items[inside - 1] if inside else 0

    def _leave_items(self, depth: int, width: int) -> None:
        items = self._items[depth]
        del items[bisect_right(items, width) :]

    def _interrupts(self, depth: int, text: str, at: int) -> bool:
        width = _width(text, at)
        return width - self._innermost(depth, width) < _DEEP and bool(_BEGINS.match(text, at + width))

    def _in_fence(self, text: str, at: int) -> bool:
        closing = _FENCE.fullmatch(text[at:].strip()) if _width(text, at) <= self._base + 3 else None
        if closing and closing["mark"].startswith(self._mark) and not closing["info"].strip():
            self._mark = ""
        return True

    def _is_indented(self, text: str, at: int) -> bool:
        """Whether a line is code by its indentation; forgets items that end."""
        width = _width(text, at)
        self._leave_items(-1, width)
        return self._may_indent and width - self._innermost(-1, width) >= _DEEP

    def _opens(self, text: str, at: int) -> bool:
        """Whether a line begins fenced code; notes its items and quotations."""
        start, begin = self._begin_items(text, at)
        base = self._items[-1][-1] if self._items[-1] else 0
        inside = text[begin:].lstrip(" ")
        fence = _FENCE.match(inside) if begin - start + _width(text, begin) - base <= 3 else None
        heading = bool(_HEADING.match(inside))
        self._may_indent = heading or fence is not None
        if fence is None:
            self._paragraph = bool(inside) and not heading and not _RULE.fullmatch(inside)
            return False
        self._mark, self._depth, self._base = fence["mark"], len(self._items) - 1, base
        return True

    def _begin_items(self, text: str, at: int) -> tuple[int, int]:
        """Note what begins on a line; returns the text starts of innermost quotation and item."""
        if _FOOTNOTE.match(text, at):
            self._items[-1][:] = [_DEEP]
        begin = at
        while item := _ITEM.match(text, begin):
            self._items[-1].append(item.end() - at)
            begin = item.end()
            while text.startswith(">", begin):
                at = begin = _after_quote(text, begin)
                self._items.append([])
        return at, begin


def _after_quote(text: str, at: int) -> int:
    return at + 1 + text.startswith(" ", at + 1)


def _width(text: str, at: int) -> int:
    """The number of spaces at an index."""
    end = _SPACES.match(text, at)
    return end.end() - at if end else 0


_INLINE = re.compile(
    r"\\[\\`$\[]"
    # code on the lines of one paragraph; bounded, so that no text takes quadratic time
    r"|(?<!`)(?P<ticks>`{1,20})(?!`)(?:[^\n\x00]|\n(?![ \t>]*(?:\n|\Z))){1,4000}?(?<!`)(?P=ticks)(?!`)"
    r"|\$\$[^$\x00]{1,2000}\$\$"
    r"|(?<![$\w])\$(?![\s$])(?P<formula>[^$\n\x00]{1,400})(?<![\s\\])\$(?![\w$])"
)
_LINKS = re.compile(r"\[\[[^\[\]\n]{0,400}\]\]")


def verbatim_masked(text: str) -> str:
    """`text` with verbatim parts as `BLANK` characters."""
    text = code_masked(text)
    if not ("`" in text or "$" in text or "\\" in text):
        return text
    pieces, last, at = list[str](), 0, 0
    while found := _INLINE.search(text, at):
        if not _is_verbatim(found):
            at = found.end() if found[0][0] == "\\" else found.start() + 1
            continue
        pieces += (text[last : found.start()], BLANK * len(found[0]))
        last = at = found.end()
    return "".join((*pieces, text[last:]))


def _is_verbatim(found: re.Match[str]) -> bool:
    """Whether to mask it: after a backslash only `[`, and no pair of prices."""
    if found[0][0] == "\\":
        return found[0][1] == "["
    return not found["formula"] or looks_like_maths(_LINKS.sub("", found["formula"]))
