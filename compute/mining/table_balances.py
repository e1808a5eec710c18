"""Balances of tables: what is left follows from the row before, what came and what went.

| Week | In    | Out   | Left  |     1,130 + 9,015 − 8,460 = 1,685
| 31   | 8,240 | 7,910 | 1,130 |
| 32   | 9,015 | 8,460 | 1,685 |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations
from math import log

from compute.mining.mining_models import Figure, Reading
from compute.mining.readings import Named, given
from compute.mining.table_cells import reading
from compute.mining.table_evidence import LAW, MOST_FIELDS, MOST_RECORDS, SURE, Known, chance
from compute.mining.table_grid import Grid

_LEFT = re.compile(r"\b(?:left|remain\w*|balance|stock|open|closing|backlog|end|after|waiting|unsold|on hand)\b", re.I)


@dataclass(frozen=True, slots=True)
class _Step:
    """One row of a balance: what was left before, what came, what went, and what is left."""

    place: int
    before: Figure
    came: Figure
    went: Figure
    left: Figure

    @property
    def computed(self) -> Decimal:
        return self.before.low + self.came.low - self.went.low


def balances(grid: Grid, stated: Sequence[Known]) -> Iterator[Reading]:
    """A column of what is left: that of the row before, and what came, less what went."""
    columns = {index: grid.column(index) for index in range(1, len(grid.header))}
    full = {index: column for index, column in columns.items() if all(column)}
    if len(grid.rows) < 3 or len(grid.rows) > MOST_RECORDS or not 2 < len(full) <= MOST_FIELDS:
        return
    for left in (index for index in full if _LEFT.search(grid.header[index])):
        for came, went in permutations([index for index in full if index != left], 2):
            yield from _balance(grid, [full[one] for one in (left, came, went)], stated)


def _balance(grid: Grid, columns: Sequence[list[Figure | None]], stated: Sequence[Known]) -> Iterator[Reading]:
    left, came, went = ([one for one in column if one is not None] for column in columns)
    steps = [_Step(place, left[place - 1], came[place], went[place], left[place]) for place in range(1, len(left))]
    known = (one.figure for one in stated)
    first = next((one for one in known if one.low + came[0].low - went[0].low == left[0].low), None)
    steps = [*([_Step(0, first, came[0], went[0], left[0])] if first is not None else []), *steps]
    good = [step for step in steps if abs(step.computed - step.left.low) <= step.left.half]
    tried = log(2 * len(stated) + 2) if first is not None else log(2)
    evidence = sum(-log(chance(step.left, step.left.half)) for step in good) - tried
    if len(good) < max(2, len(steps) - 1) or evidence < SURE:
        return
    for step in steps:
        named = (("before", step.before), ("came", step.came), ("went", step.went))
        inputs = given(*(Named(name, one, unit="") for name, one in named))
        note = f"a balance that holds in {len(good)} of {len(steps)} rows"
        row = grid.rows[step.place]
        yield reading(row, LAW, inputs, "before + came - went", step.left, note=note, slack=Decimal(0))
