"""Rows of tables as sentences: what a cell says, with the name of its row and the heading of its column.

| model  | input, $ per 1k tokens |
| Siskin | 0.0006                 |        Siskin, input: $0.0006 per 1k tokens
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from compute.mining.mining_models import Passage
from compute.mining.table_figures import ROW, RULE

_FIGURE = re.compile(r"\d")
_UNIT = re.compile(
    r"[,(]?\s*(?:in\s)?(?P<sign>US\$|[$€£¥]|USD|EUR|GBP)?\s?(?P<rest>(?:/|per\s)?[^\s(),]*(?:\s(?:per|a|an|each)\s[^(),]+)?)\)?$"
)
_KNOWN = re.compile(
    r"(?:[kMGTPEµm]?i?(?:B|W|Wh|g|m|l|t|J|s|Hz|FLOPS?)|km|kg|ms|hours?|h|days?|years?|weeks?|months?|min(?:utes)?|seconds?|%|tonnes?|tokens?"
    r"|m[²³23]|ha|miles?|mph|people|million|billion|thousand|[kMGT]?[bB]ps|TFLOPS|PFLOPS)?(?:\s?/\s?\S+|(?:^|\s)per\s.+)?$"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_BARE = re.compile(r"[~≈<>]?\s?[\d.,]+[kKM]?")
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
MOST = 400
"""The longest row that is read."""


@dataclass(frozen=True, slots=True)
class RowText:
    """A cell as a sentence, the place of its row, and where the sentence has what is at `start:end` of the passage."""

    row: tuple[int, int]
    text: str
    at: int
    start: int
    end: int


def row_texts(passage: Passage) -> Iterator[RowText]:
    """The cells with a figure of each table, or of lines with bars, in order."""
    mask = passage.mask
    header: list[str] = []
    last = -2
    for match in ROW.finditer(mask):
        line = match[0].replace("\x00", " ")
        if match.start() > last + 1:
            header = []
        last = match.end()
        if RULE.fullmatch(line) or len(line) > MOST:
            continue
        cells = _cells(line)
        if not header and _is_header(cells, mask, match.end()):
            header = [cell for cell, _ in cells]
            continue
        for index, (cell, at) in enumerate(cells):
            if index and _FIGURE.search(cell):
                head = header[index] if index < len(header) else ""
                text, where = _said(_name(cells[:index]), head, cell)
                yield RowText(match.span(), text, where, match.start() + at, match.start() + at + len(cell))


def _is_header(cells: list[tuple[str, int]], mask: str, end: int) -> bool:
    """Whether a row with a rule below it, or with other rows and without figures, names the columns."""
    below = ROW.match(mask, end + 1)
    return below is not None and bool(
        RULE.fullmatch(below[0]) or not any(_FIGURE.search(_YEAR.sub("", cell)) for cell, _ in cells[1:])
    )


def _name(cells: list[tuple[str, int]]) -> str:
    """What a row is about: its first cell, and those behind it that begin with a word."""
    words = takewhile(lambda cell: cell[:1].isalpha(), (cell for cell, _ in cells[1:]))
    return ", ".join([cells[0][0], *words])


def _cells(line: str) -> list[tuple[str, int]]:
    """The cells of a row, each with its offset in the line."""
    found, at = [], 0
    for cell in line.split("|"):
        inner = cell.strip(" \t*_`")
        if inner or (at and at < len(line.rstrip()) - 1):
            found.append((inner, at + cell.find(inner)))
        at += len(cell) + 1
    return found


def _said(name: str, head: str, cell: str) -> tuple[str, int]:
    """The sentence of a cell, and where the cell is in it."""
    sign, rest = "", ""
    parts = head.split(", ") if _BARE.fullmatch(cell) else []
    for index in range(len(parts), 0, -1):
        part = ", ".join(parts[:index])
        unit = _UNIT.search(part)
        if unit and (unit["sign"] or unit["rest"]) and _KNOWN.match(unit["rest"]):
            sign, rest = _SIGNS.get(unit["sign"], unit["sign"] or ""), unit["rest"].strip()
            head = ", ".join(one for one in (part[: unit.start()].rstrip(" (,"), *parts[index:]) if one)
            break
    lead = ", ".join(part for part in (name, head) if part)
    lead = f"{lead}: {sign}" if lead else sign
    gap = "" if not rest or rest[0] in "/%" else " "
    return f"{lead}{cell}{gap}{rest}", len(lead)
