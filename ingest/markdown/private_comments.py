"""Comments in Markdown, which are private: `%%comment%%` as in Obsidian, and `<!-- comment -->`.

    text %%inline%% text          removed within a line
    %%                            removed over several lines, which stay, empty, to keep line numbers
    block
    %%

No comment begins in code, a block of mathematics, front matter, an address (`https://example.org/a%%20b`) or after a
backslash. In doubt text is not code: a note that is too short does less harm than a secret on a page. For the same
reason an unclosed `%%` hides the rest of the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from graph.text.code_blocks import CodeBlocks
from ingest.markdown.front_matter import front_block

REASON = "a private comment"
UNCLOSED = "the comment '%%' is never closed; everything after it is private and left out"

_START = re.compile(r"\\[\\%`<]|%%|<!--|`+")
_TICKS = re.compile(r"`+")
_ESCAPE = re.compile("%%[0-9A-Fa-f]{2}")
_ENDS = {"%%": "%%", "<!--": "-->"}


def may_hide(text: str) -> bool:
    """Whether a text may have a comment."""
    return "%%" in text or "<!--" in text


def uncommented(lines: Sequence[str]) -> tuple[tuple[str, ...], int | None]:
    """`lines` without comments, at their indexes, and the line (from 1) of an unclosed `%%`."""
    if not any(map(may_hide, lines)):
        return tuple(lines), None
    start, intact = front_block(lines)
    head = lines[:start] if intact else _Scan(lines[:start]).run()
    scan = _Scan(lines[start:])
    plain = tuple(scan.run())
    return (*head, *plain), start + scan.opened if scan.end else None


@lru_cache(maxsize=4)
def public_text(text: str) -> str:
    """A Markdown document without its comments."""
    return "\n".join(uncommented(text.split("\n"))[0])


class _Scan:
    """One pass over lines; `end` closes the open comment, `opened` is its first line (from 1)."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._code = CodeBlocks()
        self._loose = False  # a single backtick in this paragraph: no other pair is certain
        self._last_html = max((index for index, line in enumerate(lines) if "-->" in line), default=-1)
        self._last_end = lines[self._last_html].rfind("-->") if lines else -1
        self._maths = -1  # the index of the line that closes a block of mathematics
        self.end = ""
        self.opened = 0

    def run(self) -> Iterator[str]:
        """The lines without comments."""
        for index, line in enumerate(self._lines):
            self._loose = self._loose and bool(line.strip())
            if not self.end and self._code.holds(line):
                self._loose = False
                yield line
            elif not self.end and (self._code.indented or self._in_maths(index)):
                yield line
            else:
                plain = self._plain(index, line)
                yield plain if plain == line else plain.rstrip()

    def _in_maths(self, index: int) -> bool:
        """Whether a line is in a block between `$$`."""
        if index > self._maths and _bare(self._lines[index]) == "$$":
            below = takewhile(lambda at: _bare(self._lines[at]), range(index + 1, len(self._lines)))
            self._maths = next((at for at in below if _bare(self._lines[at]) == "$$"), -1)
        return index <= self._maths

    def _plain(self, index: int, line: str) -> str:
        kept: list[str] = []
        at = 0
        while at < len(line):
            if self.end:
                closed = line.find(self.end, at)
                at = closed + len(self.end) if closed >= 0 else len(line)
                self.end = self.end if closed < 0 else ""
                continue
            found = _START.search(line, at)
            begin, after = found.span() if found else (len(line), len(line))
            if found and self._opens(index, found):
                self.end, self.opened = _ENDS[found[0]], index + 1
                kept.append(line[at:begin])
            else:
                after = self._ticked(line, found) if found and found[0][0] == "`" else after
                kept.append(line[at:after])
            at = after
        return "".join(kept)

    def _opens(self, index: int, found: re.Match[str]) -> bool:
        """Whether a sign begins a comment; `<!--` if closed."""
        if found[0] == "<!--":
            return (index, found.end()) <= (self._last_html, self._last_end)
        return found[0] == "%%" and not _in_address(found)

    def _ticked(self, line: str, found: re.Match[str]) -> int:
        """The end of the code, or of the backticks if uncertain."""
        equal = (ticks for ticks in _TICKS.finditer(line, found.end()) if ticks[0] == found[0])
        closing = None if self._loose else next(equal, None)
        if closing is None:
            self._loose = True
            return found.end()
        inside = line[found.end() : closing.start()]
        return found.end() if "|" in inside and "%%" in inside else closing.end()  # a cell of a table ends code


def _bare(line: str) -> str:
    """A line without white space and signs of quotation."""
    return line.strip(" \t>")


def _in_address(found: re.Match[str]) -> bool:
    """Whether `%%` is in an address: `https://example.org/a%%20b`."""
    line, at = found.string, found.start()
    if not _ESCAPE.match(line, at) or line.rfind("%%") != at:
        return False
    return "://" in line[max(line.rfind(" ", 0, at), line.rfind("\t", 0, at)) + 1 : at]
