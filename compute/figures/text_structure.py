"""A text as sentences in blocks (a paragraph, or a list with its introduction), and its small tables."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from compute.figures.figure_models import Figure, Passage
from compute.figures.figure_reader import quantities

MOST_FIGURES, LONGEST = 40, 3_000
"""Limits of figures and characters; a longer sentence is not prose but a log or a list of numbers."""
_CITED = re.compile(r"\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]")
_WRAPPED = re.compile(r"(?<=[^\s|])\n(?=[^\s|#>*•·+–-])(?!\d{1,2}[.)]\s)")
_MARKS = re.compile(r"[*_\x00]")
_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s")
_ROW = re.compile(r"^[ \t>]*\|.*\|[ \t]*$", re.M)
_RULE = re.compile(r"^[ \t>]*\|(?:\s*:?-{2,}:?\s*\|)+[ \t]*$")
_AFTER_UNIT = re.compile(r"(?:/[MKh]|\d ?[MWKBT])\.\s+(?=[A-Z“\"(])")
"""The end of a sentence after a unit of one letter: $0.20/M. So"""
_QUOTE = re.compile(r"^ {0,3}>(?P<callout>[ \t]?\[!(?!(?i:quote|cite)\b))?.*(?:\n.*\S.*)*", re.M)
"""A block quote up to a blank line; a callout such as `> [!note]` is none."""
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_CLAUSE = re.compile(
    r"[,;:()]|\s(?:and|but|while|which|so|at|for|against|versus|vs|plus|is|are|was|were|comes?|gives?"
    r"|makes?|means?|leaves?|with)\s|\s[–—]\s|→"
)
_PAUSE = re.compile(r"[,;:()]|\.\s|\s(?:and|but|while|which|so|at|against|versus|vs|plus)\s|\s[–—]\s|→")
_LAST_CLAUSE = re.compile(r"[;()]|,\s(?!(?:of|on|at)\b)|\s(?:and|but|while|so|against|versus|vs|plus)\s|\s[–—]\s|→")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or table cell `start:end`; `tail`: the text after it without figures; `quoted`: in a block quote."""

    start: int
    end: int
    words: str
    figures: tuple[Figure, ...]
    block: int = 0
    item: bool = False
    heading: str = ""
    tail: str = ""
    quoted: bool = False

    def before(self, one: Figure, reach: int = 60) -> str:
        """The words before a figure, up to the figure before it."""
        last = max((other.end for other in self.figures if other.end <= one.start), default=self.start)
        return self.words[max(last, one.start - reach) - self.start : one.start - self.start]

    def after(self, one: Figure, reach: int = 60) -> str:
        """The words after a figure, up to the figure after it."""
        following = min((other.start for other in self.figures if other.start >= one.end), default=self.end)
        return self.words[one.end - self.start : min(following, one.end + reach) - self.start]

    def window(self, one: Figure, before: int = 60, after: int = 60) -> str:
        """A figure with the words on both sides, up to the next figures."""
        return f"{self.before(one, before)} {one.text} {self.after(one, after)}"

    def near(self, one: Figure) -> str:
        """The words of a figure's own clause on both sides, without other figures."""
        return self._clauses(one, _CLAUSE)

    def around(self, one: Figure) -> str:
        """As `near`, and on beyond `is` and `are`: 80% of them are cache hits."""
        return self._clauses(one, _PAUSE)

    def _clauses(self, one: Figure, end: re.Pattern[str]) -> str:
        return f"{_LAST_CLAUSE.split(self.before(one))[-1]}¤{end.split(self.after(one), maxsplit=1)[0]}"


@dataclass(frozen=True, slots=True)
class Table:
    """The cells of a table; `heading` is the title above it."""

    header: tuple[Sentence, ...]
    rows: tuple[tuple[Sentence, ...], ...]
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """The sentences and the tables of a text, in order."""

    sentences: tuple[Sentence, ...]
    tables: tuple[Table, ...]


def read(passage: Passage) -> Document:
    """The structure of a text, without sentences that have no figure."""
    mask = _CITED.sub(lambda marker: "\x00" * len(marker[0]), passage.mask)
    prose = _WRAPPED.sub(" ", mask)
    found = quantities(mask)
    starts = [one.start for one in found]
    sentences = list[Sentence]()
    quotes = [match.span() for match in _QUOTE.finditer(mask) if not match["callout"]]
    block, heading, last, listed = 0, passage.title, "", False
    borders = sorted({*passage.borders, *(match.end() for match in _AFTER_UNIT.finditer(mask))})
    for start, end in pairwise(borders):
        words = prose[start:end]
        if _HEADING.match(words):
            heading, block = words.split("\n", 1)[0].strip("# \t"), block + 1
        text = passage.text
        item = bool(_ITEM.match(text, start)) and not text[text.rfind("\n", 0, start) + 1 : start].strip()
        blank = "\n\n" in text[max(0, start - 2) : start + 1] or "\n\n" in last[-3:]
        follows = listed and not item and not _HEADING.match(words)
        if blank and not (item and not _HEADING.match(last)) and not follows:
            block += 1
        listed, last = item or (listed and not blank), words
        inside = found[bisect_left(starts, start) : bisect_left(starts, end)]
        if not inside and sentences and sentences[-1].block == block:
            sentences[-1] = replace(sentences[-1], tail=sentences[-1].tail + words)
        if inside and "|" not in words:
            if len(inside) <= MOST_FIGURES and end - start <= LONGEST:
                quoted = any(begin < inside[-1].end and inside[0].start < stop for begin, stop in quotes)
                words = words.replace("\n", " ")
                sentences.append(Sentence(start, end, words, inside, block, item, heading, "", quoted))
        elif inside:
            sentences += _outside(words, start, inside, block, heading)
    return Document(tuple(sentences), tuple(_tables(mask, found, starts)))


def _outside(words: str, start: int, inside: tuple[Figure, ...], block: int, heading: str) -> Iterator[Sentence]:
    """The lines of a sentence that are no rows of a table."""
    for line in words.split("\n"):
        end = start + len(line)
        figures = tuple(one for one in inside if start <= one.start and one.end <= end)
        if figures and "|" not in line:
            yield Sentence(start, end, line, figures, block, heading=heading)
        start = end + 1


def _tables(mask: str, found: tuple[Figure, ...], starts: list[int]) -> Iterator[Table]:
    rows = list[tuple[int, str]]()
    for match in _ROW.finditer(mask):
        if rows and match.start() != rows[-1][0] + len(rows[-1][1]) + 1:
            yield from _table(rows, mask, found, starts)
            rows = []
        rows.append((match.start(), match[0]))
    yield from _table(rows, mask, found, starts)


def _table(rows: list[tuple[int, str]], mask: str, found: tuple[Figure, ...], starts: list[int]) -> Iterator[Table]:
    if len(rows) < 3 or not _RULE.match(rows[1][1].replace("\x00", "-")):
        return
    header, *body = [tuple(_cells(start, line, found, starts)) for start, line in (rows[0], *rows[2:])]
    title = mask[: rows[0][0]].rstrip().rsplit("\n", 1)[-1].strip("#* \x00")
    same = tuple(row for row in body if len(row) == len(header))
    if same:
        yield Table(header, same, title)


def _cells(start: int, line: str, found: tuple[Figure, ...], starts: list[int]) -> Iterator[Sentence]:
    start += line.index("|") + 1
    for part in line[line.index("|") + 1 :].rstrip().removesuffix("|").split("|"):
        end = start + len(part)
        inside = found[bisect_left(starts, start) : bisect_left(starts, end)]
        yield Sentence(start, end, _MARKS.sub(" ", part).strip(), tuple(one for one in inside if one.end <= end))
        start = end + 1
