"""Cells of tables as readings: a stated figure, the cells that give it, and whether they do."""

from __future__ import annotations

from decimal import Decimal

from compute.mining.mining_models import Figure, MinedInput, Reading
from compute.mining.readings import Named, given
from compute.mining.table_grid import Row


def reading(
    row: Row, rule: str, inputs: tuple[MinedInput, ...], expression: str, stated: Figure, **rest: object
) -> Reading:
    """A reading of a row; `rest` are fields of `Reading` that differ from the usual ones."""
    told: dict[str, object] = {"unit": "", "confidence": Decimal("0.85"), "slack": Decimal("0.02"), **rest}
    return Reading(start=row.start, end=row.end, rule=rule, inputs=inputs, expression=expression, stated=stated, **told)  # type: ignore[arg-type]  # the fields by name


def is_ratio(column: list[Figure | None]) -> bool:
    """Whether a column has percentages or multiples."""
    return any(figure is not None and figure.sort in {"%", "x"} for figure in column)


def cell_reading(row: Row, expression: str, parts: tuple[Figure, Figure, Figure], good: int) -> Reading:
    """The reading of a cell that two others of its row give; `good` is in how many rows the relation holds."""
    first, second, stated = parts
    inputs = given(Named("left", first, unit=""), Named("right", second, unit=""))
    if first.sort == "%":
        inputs = given(Named("left", first), Named("right", second, unit=""))
    exact = tuple(one if "." in one.formula else one.model_copy(update={"half": Decimal(0)}) for one in inputs)
    unit = "%" if stated.sort == "%" else ""
    note = f"a relation between columns that holds in {good} rows"
    return reading(row, "columns", exact, expression, stated, unit=unit, note=note, slack=Decimal(0))


def plain(figure: Figure) -> Decimal:
    """The number of a figure, of 40% a share of 0.4."""
    return figure.low / 100 if figure.sort == "%" else figure.low


def telling(first: Figure, second: Figure) -> bool:
    """Whether the two figures distinguish the relations, so that few hold by chance."""
    return first.low not in {0, 1} and second.low not in {0, 1} and first.low != second.low


def fits(value: Decimal, stated: Figure) -> bool:
    """Whether a value is a stated figure within its rounding."""
    half = stated.half / 100 if stated.sort == "%" else stated.half
    return abs(value - plain(stated)) <= half
