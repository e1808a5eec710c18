"""Tables in Markdown: rows with their offsets, cells with their figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from compute.mining.decimal_commas import english_numbers
from compute.mining.figure_reader import figures
from compute.mining.mining_models import Figure, Passage

_ROW = re.compile(r"^[ \t]*\|(?P<cells>.+)\|[ \t]*$", re.M)
_RULE = re.compile(r"^[\s|:-]+$")


@dataclass(frozen=True, slots=True)
class Row:
    """A row at `start:end` of the text, with its cells as text and the figures of each, with offsets in the text."""

    start: int
    end: int
    cells: tuple[str, ...]
    figures: tuple[tuple[Figure, ...], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: the header's cells, and the rows."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]

    def column(self, index: int) -> list[Figure | None]:
        """The one figure of each cell of a column; None if a cell has no figure, several, or a range."""
        return [_only(row, index) for row in self.rows]


def _only(row: Row, index: int) -> Figure | None:
    found = row.figures[index] if index < len(row.figures) else ()
    return found[0] if len(found) == 1 and not found[0].ranged else None


def grids(passage: Passage) -> Iterator[Grid]:
    """The tables of a passage, in order."""
    block: list[Row] = []
    ruled = False
    for match in _ROW.finditer(english_numbers(passage.mask)):
        if block and passage.text[block[-1].end : match.start()].strip(" \t") != "\n":
            yield from _grid(block, ruled)
            block, ruled = [], False
        if _RULE.match(match["cells"]):
            ruled = True
            if block:
                block[-1] = Row(block[-1].start, match.end(), block[-1].cells, block[-1].figures)
        else:
            block.append(_row(match))
    yield from _grid(block, ruled)


def _grid(block: list[Row], ruled: bool) -> Iterator[Grid]:
    if ruled and len(block) > 1:
        yield Grid(block[0].cells, tuple(block[1:]))


def _row(match: re.Match[str]) -> Row:
    cells, found, at = [], [], match.start("cells")
    for cell in match["cells"].split("|"):
        cells.append(re.sub(r"[*_`\x00]", "", cell).strip())
        found.append(tuple(_moved(figure, at) for figure in figures(cell.replace("*", " ").replace("\x00", " "))))
        at += len(cell) + 1
    return Row(match.start(), match.end(), tuple(cells), tuple(found))


def _moved(figure: Figure, by: int) -> Figure:
    return replace(figure, start=figure.start + by, end=figure.end + by)
