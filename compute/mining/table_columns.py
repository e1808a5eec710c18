"""Columns of changes and of shares: each cell is computed from the other columns of its row, or is a part of a sum."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import permutations

from compute.mining.mining_models import Figure, Reading
from compute.mining.readings import Named, given
from compute.mining.table_cells import fits, is_ratio, plain, reading, telling
from compute.mining.table_grid import Grid, Row

FEWEST = 3
"""The minimum number of rows in which a relation between columns must hold."""
WHOLE = 100
"""The percentage that all shares together are."""
CHANGE = re.compile(
    r"change|chg|delta|Δ|diff|reduction|saving|growth|cut|rise|drop|overrun|increase|decrease|gain|improvement"
    r"|faster|cheaper|vs\b",
    re.I,
)
_SHARE = re.compile(r"share|%|percent|portion|proportion|of total", re.I)


_Change = tuple[Row, tuple[Figure, Figure, Figure], str]


def columns_of_change(grid: Grid) -> dict[int, tuple[list[_Change], int]]:
    """For each column whose header says change, and that is one between two others: its cells, how many are right."""
    if not any(map(CHANGE.search, grid.header[1:])):
        return {}
    columns = {index: grid.column(index) for index in range(1, len(grid.header))}
    named = (index for index in columns if CHANGE.search(grid.header[index]) and is_ratio(columns[index]))
    every = ((index, _rows_of_change(grid, columns, index)) for index in named)
    return {index: found for index, found in every if found[0]}


def _rows_of_change(grid: Grid, columns: dict[int, list[Figure | None]], result: int) -> tuple[list[_Change], int]:
    """The cells of a column with their formulas, if three in four are the change between two others, and how many are.

    The row of totals is one of them; that of averages is none.
    """
    amounts = [index for index in columns if index != result and not is_ratio(columns[index])]
    best: list[_Change] = []
    most = 0
    for before, after in permutations(amounts, 2):
        rounded = any(_IN_THOUSANDS.search(grid.header[index]) for index in (before, after))
        found = [
            (row, (x, y, z), way_of_change(x, y, row.cells[result]))
            for row, x, y, z in zip(grid.rows, columns[before], columns[after], columns[result], strict=True)
            if x and y and z and x.low and y.low and x.unit == y.unit and z.sort == "%"
            if not _AVERAGED.search(row.cells[0])
        ]
        right = [(row, cell, way) for row, cell, way in found if _changed_by(*cell, way)]
        clear = sum(telling(x, y) for _, (x, y, _), _ in right)
        if clear >= FEWEST and clear > most and len(right) * 4 >= len(found) * 3:
            best, most = [one for one in found if not (rounded and _roughly(*one[1], one[2]))], clear
    return best, most


_AVERAGED = re.compile(r"median|mean|average|\bavg\b|weighted|adjusted|\b(?:from|since|until)\b", re.I)
"""Labels of rows that are not computed as the others: a weighted total, a shop that opened in May."""
_IN_THOUSANDS = re.compile(r"[£$€]\s?(?:[kmb]n?\b|0)|million|thousand|\bbn\b|\b000s?\b", re.I)
"""Headers of columns whose whole numbers are rounded."""
_SIGN = re.compile(r"\W*?([-+−–])\s*\d")


def _roughly(before: Figure, after: Figure, change: Figure, way: str) -> bool:
    """Whether a change is wrong, but may be right before its two ends were rounded."""
    value = after.low / before.low - 1
    moved = (before.half / before.low + after.half / after.low) * (1 + abs(value))
    shown = plain(change) * (1 if way.startswith("right") else -1)
    return not _changed_by(before, after, change, way) and abs(value - shown) <= moved + change.half / 100


def _changed_by(before: Figure, after: Figure, change: Figure, way: str) -> bool:
    """Whether a change is that from one figure to another, up or down as its formula says."""
    value = after.low / before.low - 1
    return fits(value if way.startswith("right") else -value, change)


def way_of_change(before: Figure, after: Figure, cell: str) -> str:
    """The formula of a change between two cells: of a rise or a fall, as its sign or else the cells say."""
    sign = _SIGN.match(cell)
    rise = sign[1] == "+" if sign else after.low >= before.low
    return "right / left - 1" if rise else "1 - right / left"


def portions(grid: Grid, rows: list[Row], columns: dict[int, list[Figure | None]]) -> Iterator[Reading]:
    """Columns of shares: each is a part of the sum of a column of amounts, of which all or all but one are right."""
    if len(rows) < 2:
        return
    for index, shares in columns.items():
        if not is_ratio(shares) or not all(shares) or not _SHARE.search(grid.header[index]):
            continue
        every = [column for other, column in columns.items() if not is_ratio(column) and all(column)]
        alone = len(columns) == 2 and index == max(columns)
        if not every or not (alone or (len(rows) > 2 and _are_parts(grid, index, shares))):
            continue
        fitting = [_shared(amounts, shares) for amounts in every]
        good = max(fitting)
        if good and good >= len(rows) - 1 and fitting.count(good) == 1:
            yield from _portions_of(rows, every[fitting.index(good)], shares)


_OF_ALL = re.compile(r"share|portion|of (?:the )?(?:total|all)|percent of|% of", re.I)
_NEARLY = 6
"""How many percent the shares of a column may be off 100 together, one of them being wrong."""


def _are_parts(grid: Grid, index: int, shares: list[Figure | None]) -> bool:
    """Whether the percentages of a column are parts of one whole: by its header, and nearly 100 together."""
    return bool(_OF_ALL.search(grid.header[index])) and abs(_together(shares) - WHOLE) <= _NEARLY


def _together(column: list[Figure | None]) -> Decimal:
    return sum((one.low for one in column if one), Decimal(0))


def _shared(amounts: list[Figure | None], shares: list[Figure | None]) -> int:
    """How many shares are those of some amounts in their sum."""
    whole = _together(amounts)
    pairs = zip(amounts, shares, strict=True)
    return sum(fits(one.low / whole, share) for one, share in pairs if one and share) if whole else 0


def _portions_of(rows: list[Row], amounts: list[Figure | None], shares: list[Figure | None]) -> Iterator[Reading]:
    """The shares of amounts in their sum; where they add up to 100, one may be rounded the other way."""
    whole, adding_up = _together(amounts), _together(shares) == WHOLE
    for row, amount, share in zip(rows, amounts, shares, strict=True):
        if amount and share:
            part = amount.low / whole
            if adding_up and not fits(part, share) and abs(part * WHOLE - share.low) <= 2 * share.half:
                continue
            inputs = given(Named("part", amount, unit=""))
            note = "a part of the sum of its column"
            yield reading(row, "columns", inputs, f"part / {whole:f}", share, unit="%", note=note, slack=Decimal(0))
