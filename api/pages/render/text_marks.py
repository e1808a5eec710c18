"""Marks: parts of a Markdown text that become elements, carried through the renderer as private characters.

    text ──Marker──▶ text with sentinels ──Markdown──▶ HTML ──cleaned──▶ HTML ──weave──▶ HTML with elements

Markdown rules take a sentinel for a letter. A mark that crosses another element is closed and opened again.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from graph.text.code_blocks import BLANK, verbatim_masked

_FIRST = 0xF0000
_LAST = 0xFFFFD
_MOST = (_LAST - _FIRST) // 2
_SENTINEL = re.compile("[\U000f0000-\U000ffffd]")
_TAG = re.compile(r"<[^<>]*>|[\U000f0000-\U000ffffd]|[^<\U000f0000-\U000ffffd]+|<")
_LINK = re.compile(r"</?a\b", re.IGNORECASE)
_GUARDED = re.compile(
    r"^[ \t>]{0,12}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ \t>]{0,12}(?P=fence)[^\n]*$|\Z)"  # fenced code
    r"|(?<!`)(?P<ticks>`{1,20})(?!`).{1,4000}?(?<!`)(?P=ticks)(?!`)"  # code; bounded, so that no text costs a square
    r"|\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)"  # the target of a link
    r"|<?\bhttps?://[^\s<>)\]]+"  # an address
    r"|^[ \t]{0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\S+[^\n]*$",  # a definition of a link
    re.MULTILINE | re.DOTALL,
)
_BLANKS = re.compile(f"{BLANK}+")


@dataclass(frozen=True, slots=True)
class TextMark:
    """An element around a part of a text: name, attributes, and HTML after it."""

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    behind: str = ""

    def opening(self, *, linked: bool) -> str:
        """The start tag; a plain span inside another link (`linked`)."""
        name, shown = self.tag, dict(self.attributes)
        if linked and name == "a":
            name = "span"
            shown.pop("href", None)
        return f"<{name}" + "".join(f' {key}="{html.escape(value)}"' for key, value in shown.items()) + ">"

    def closing(self, *, linked: bool) -> str:
        """The end tag."""
        return "</span>" if linked and self.tag == "a" else f"</{self.tag}>"


class Spans:
    """Ordered stretches of a text without overlap."""

    def __init__(self, spans: Iterable[tuple[int, int]] = ()) -> None:
        pairs = sorted(spans)
        self._starts = [start for start, _ in pairs]
        self._ends = [end for _, end in pairs]

    def __contains__(self, place: int) -> bool:
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place < self._ends[index]


class TextMarker:
    """A Markdown text that takes marks."""

    def __init__(self, text: str) -> None:
        self.text = unmarked(text)
        self.marks: list[TextMark] = []

    def guarded(self) -> Spans:
        """Where no mark is allowed: code, mathematics, addresses."""
        masked = _GUARDED.sub(lambda found: BLANK * len(found[0]), verbatim_masked(self.text))
        return Spans(found.span() for found in _BLANKS.finditer(masked))

    def wrap_all(self, spans: Iterable[tuple[int, int, TextMark]]) -> None:
        """Marks around parts of the text, nested or side by side; at most thirty thousand."""
        edges: list[tuple[int, bool, str]] = []
        for start, end, mark in sorted(spans, key=lambda span: (span[0], -span[1])):
            opened, closed = self._sentinels(mark)
            edges += ((start, True, opened), (end, False, closed))
        pieces: list[str] = []
        last = 0
        for at, _, sentinel in sorted(edges, key=lambda edge: edge[:2]):
            pieces += (self.text[last:at], sentinel)
            last = at
        self.text = "".join((*pieces, self.text[last:]))

    def replace(self, pattern: re.Pattern[str], make: Callable[[re.Match[str]], tuple[str, TextMark] | None]) -> None:
        """Replaces matches with other text and a mark, where `make` gives one."""
        closed_off = self.guarded()

        def once(found: re.Match[str]) -> str:
            made = None if found.start() in closed_off else make(found)
            if made is None:
                return found.group()
            opened, closed = self._sentinels(made[1])
            return f"{opened}{made[0]}{closed}"

        self.text = pattern.sub(once, self.text)

    def _sentinels(self, mark: TextMark) -> tuple[str, str]:
        if len(self.marks) >= _MOST:
            return "", ""
        number = _FIRST + 2 * len(self.marks)
        self.marks.append(mark)
        return chr(number), chr(number + 1)

    def weave(self, markup: str) -> str:
        """Rendered HTML with the elements in the place of the sentinels."""
        return _Weaver(self.marks).weave(markup)


class _Weaver:
    """Converts sentinels to elements; a start tag waits for its first text, so none is empty."""

    def __init__(self, marks: list[TextMark]) -> None:
        self._marks, self._open, self._links = marks, list[int](), 0
        self._begun: list[str] = []
        self._out: list[str] = []

    def weave(self, markup: str) -> str:
        """The complete text."""
        for token in _TAG.findall(markup):
            if token[0] == "<" and len(token) > 1:
                self._tag(token)
            elif _SENTINEL.fullmatch(token):
                self._sentinel(ord(token) - _FIRST)
            else:
                self._text(token)
        self._end()
        return "".join(self._out)

    def _tag(self, token: str) -> None:
        self._end()
        self._out.append(unmarked(token))
        if _LINK.match(token):
            self._links += -1 if token[1] == "/" else 1

    def _text(self, token: str) -> None:
        if token.strip() or "\n" not in token:
            self._begin()
        self._out.append(token)

    def _sentinel(self, code: int) -> None:
        number, closes = divmod(code, 2)
        if number >= len(self._marks):
            return
        self._end()
        if not closes:
            self._open.append(number)
        elif number in self._open:
            self._open.remove(number)
            self._out.append(self._marks[number].behind)

    def _begin(self) -> None:
        linked = self._links > 0
        for place, number in enumerate(self._open):
            mark = self._marks[number]
            if place >= len(self._begun):
                self._out.append(mark.opening(linked=linked))
                self._begun.append(mark.closing(linked=linked))
            linked = linked or mark.tag == "a"

    def _end(self) -> None:
        self._out += reversed(self._begun)
        self._begun.clear()


def unmarked(text: str) -> str:
    """A text without sentinels."""
    return _SENTINEL.sub("", text)
