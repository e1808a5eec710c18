"""Markdown tables as data: header, rows, and the unit of each column whose header states one.

| Model | Input ($/M tokens) |      header, with its units
|-------|-------------------:|      delimiter row
| Small | $0.05-0.30         |      rows, cells as text
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from graph.models.node_models import Table
from graph.problems import Problem, Severity
from graph.text.code_blocks import fenced
from ingest.text.decoding import DecodedText

_DELIMITER = re.compile(r"\|?\s*+:?-++:?\s*+(?:\|\s*+:?-++:?\s*+)*\|?")
_ATOM = re.compile(r"\\.|(`++)(?:[^`]*+\1(?!`))?|\|")
_SINGLE = (
    r"(?:%|[$€£¥¢]|[kMGTP]?W(?:h)?|[kKMGTP]i?B|[KMGTP]?FLOPS?|[kMGT]?bps|[kMG]?Hz|°[CF]|ms|µs|us|ns|s|sec(?:onds?)?|min(?:utes?)?"
    r"|h(?:r|rs|ours?)?|d|days?|weeks?|mo(?:nths?)?|yr|years?|USD|EUR|GBP|tokens?|[MBT]|GPUs?|GPU-h(?:(?:ou)?rs?)?|x|×|x\s?faster"
    r"|(?:kilo|mega)?watts?|joules?|volts?|[kc]?m[23²³]|[kcm]m|kg|tonnes?|met(?:er|re)s?|lit(?:er|re)s?|bits?|bytes?|words?"
    r"|toks?|req(?:uest)?s?|quer(?:y|ies)|m?g(?=\s?/)|[kKMBT]\s(?:tokens?|param(?:eter)?s?|req(?:uest)?s?))"
)
_UNIT = re.compile(
    rf"(?:{_SINGLE}|[$€£¥]\s?[kKmMbB]n?|[kM][$€£¥]|(?:USD|EUR|GBP)\s?(?:k|[mMbB]n?)"
    r"|[$€£¥¢](?:\s?/\s?[\w-]+)?|(?:USD|EUR|GBP|cents?)\s?/\s?[\w /-]{1,24})"
    r"(?:\s?(?:/|per|·|\*)\s?[\w-]{1,16}(?:\s[\w-]{1,12}){0,2}){0,3}"
)
_BRACKETED = re.compile(r"[(\[] ?(?:in )?([^()\[\]]{1,40}?) ?[)\]]")
_TRAILING = re.compile(r"(?:,\s*|\bin\s+)([^,()]{1,24})$")
_SCALED = r"(?:1\s?)?(?:[kKMB]|thousand|million|billion)(?:\s[\w-]+){0,2}"
_COUNTED = r"[\w-]+(?:\s(?:tokens?|hours?))?(?:\s?/\s?[\w-]+){0,2}"
_LEADING = re.compile(rf"(?:^|\s)((?:[$€£¥]|USD|EUR|GBP)\s?(?:/|per\b)\s?(?:{_SCALED}(?![\w-])|{_COUNTED}))")
_PERCENT = re.compile(r"[^\d\s.]\s*%$")


class FoundTable(NamedTuple):
    """A table, its lines and those of its rows (from 1, inclusive), and its Markdown."""

    table: Table
    first: int
    last: int
    row_lines: tuple[int, ...]
    source: str


def is_row(line: str) -> bool:
    """Whether a line begins with a pipe."""
    return "|" in line and line.lstrip().startswith("|")


def tables_in(lines: Sequence[str], name: str, first: int = 1) -> Iterator[FoundTable]:
    """The tables outside code; lines count from `first`, names after the first get a number."""
    at = count = 0
    code = fenced(lines) if any("|" in line for line in lines) else [False] * len(lines)
    while at < len(lines):
        if not code[at] and _begins(lines, at):
            end = at + 2
            while end < len(lines) and "|" in lines[end] and lines[end].strip():
                end += 1
            count += 1
            yield _table(lines[at:end], name if count == 1 else f"{name} ({count})", first + at)
            at = end
        else:
            at += 1


def _begins(lines: Sequence[str], at: int) -> bool:
    """Whether a header with its delimiter row is at an index."""
    if at + 1 >= len(lines) or "|" not in lines[at] or "-" not in lines[at + 1] or len(lines[at + 1]) > 2000:
        return False
    below = lines[at + 1]
    if "|" not in below or not _DELIMITER.fullmatch(below.strip()):
        return False
    return len(cells(lines[at])) == len(cells(below))


def _table(lines: Sequence[str], name: str, line: int) -> FoundTable:
    header = cells(lines[0])
    rows = tuple(fitted(cells(row), len(header)) for row in lines[2:])
    table = Table(name=name, header=header, units=tuple(unit_in(cell) for cell in header), rows=rows, line=line)
    last = line + len(lines) - 1
    return FoundTable(table, line, last, tuple(range(line + 2, last + 1)), "\n".join(row.strip() for row in lines))


def ragged(text: DecodedText, tables: Iterable[FoundTable]) -> Iterator[Problem]:
    """A note for each row of another width than its header."""
    for found in tables:
        width = len(found.table.header)
        for number in found.row_lines:
            count = len(cells(text.lines[number - 1]))
            if count != width:
                message = f"a row of {count} cells in a table of {width} columns"
                yield text.problem(number, "table-row", message, severity=Severity.NOTE)


def fitted(row: tuple[str, ...], width: int) -> tuple[str, ...]:
    """A row of `width` cells: extra ones join the last."""
    if len(row) > width:
        return (*row[: width - 1], " | ".join(row[width - 1 :]))
    return row + ("",) * (width - len(row))


def cells(row: str) -> tuple[str, ...]:
    """The cells of a row; escaped pipes and code divide none."""
    row = row.strip()
    row = row.removeprefix("|")
    if row.endswith("|") and not row.endswith("\\|"):
        row = row[:-1]
    if "\\|" not in row and "`" not in row:
        return tuple(cell.strip() for cell in row.split("|"))
    return tuple(part.replace("\\|", "|").strip() for part in _split(row))


def _split(row: str) -> list[str]:
    parts, start = [], 0
    for match in _ATOM.finditer(row):
        if match[0] == "|":
            parts.append(row[start : match.start()])
            start = match.end()
    return [*parts, row[start:]]


def unit_in(header: str) -> str | None:
    """The unit in a header, as written: `$/M tokens` of `Input ($/M tokens)`; else None."""
    plain = " ".join(re.sub(r"[*_`]", "", header).split())
    for pattern in (_BRACKETED, _TRAILING, _LEADING):
        for match in pattern.finditer(plain):
            if _UNIT.fullmatch(match[1].strip()):
                return match[1].strip()
    return "%" if _PERCENT.search(plain) else None
