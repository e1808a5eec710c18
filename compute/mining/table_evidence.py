"""The evidence that the rows of a table follow a formula: what `table_laws` and `table_balances` share."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from compute.mining.mining_models import Figure
from compute.mining.table_cells import plain
from compute.mining.table_grid import Grid
from compute.mining.text_windows import Window

LAW = "table law"
"""The rule of these readings; one that another rule for tables has already found is not told twice."""
MOST_FIELDS, MOST_RECORDS = 9, 60
"""The size above which a table is data, not an argument."""
SURE = 7.0
"""The evidence in nats from which a cell that does not follow a formula is wrong."""
REACH = 1500
"""How many characters around a table may state a constant of its law."""


class Known(NamedTuple):
    """A figure of the text, and the word after it."""

    figure: Figure
    noun: str


def stated_near(grid: Grid, sentences: Sequence[Window]) -> tuple[Known, ...]:
    """The figures of the text around a table that may be constants of its law."""
    begin, end = grid.rows[0].start - REACH, grid.rows[-1].end + REACH
    near = (
        Known(figure, window.word_after(figure))
        for window in sentences
        if begin <= window.start and window.end <= end
        for figure in window.figures
        if not figure.ranged and figure.low not in {0, 1}
    )
    return tuple({plain(one.figure): one for one in near}.values())


def chance(figure: Figure, room: Decimal) -> float:
    """The probability that a random number is within `room` of a figure; 1 for zero, which has no size."""
    if not figure.low:
        return 1.0
    return float(max(Decimal("1e-5"), min(Decimal(1), 2 * room / abs(plain(figure)))))
