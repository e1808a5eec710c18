"""Builds readings: figures become inputs of a formula; only comparable figures are combined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from compute.mining.mining_models import Bound, Figure, MinedInput, Reading
from compute.mining.text_windows import Window
from compute.units.units import UnitError, unit


class Span(Protocol):
    """The place of a statement: a sentence, a row."""

    @property
    def start(self) -> int:
        """The first offset."""

    @property
    def end(self) -> int:
        """The offset after the last."""


Rule = Callable[[Window], Iterator[Reading]]
_BOUNDS: dict[str, Bound] = {"at most": "at most", "at least": "at least"}
LOOSE = {"about": Decimal("0.10"), "at most": Decimal("0.02"), "at least": Decimal("0.02"), "": Decimal("0.02")}
"""The tolerance beyond rounding, as a share of the figure, by hedge."""


def loose(stated: Figure) -> Decimal:
    """The tolerance of a figure beyond its rounding, as a share of it.

    That of 97% is a share of the 3% that are missing: of two discounts, 90% and 50%, 97% is no rounding of 95%.
    """
    room = LOOSE[stated.hedge]
    return room * (100 - stated.high) / stated.high if stated.sort == "%" and 50 < stated.high <= 100 else room


ROUGH = Decimal("0.15")
"""How far the rounding of the inputs may move a figure, as a share of it, for the text to be said to hold."""


def comparable(one: Figure, two: Figure) -> bool:
    """Whether two figures measure the same thing in compatible units."""
    if one.sort != two.sort or one.ranged or two.ranged or (one.label and two.label and one.label != two.label):
        return False
    if one.sort == "money":
        return one.unit == two.unit and (one.per == two.per or not one.per or not two.per)
    if one.sort == "unit":
        return one.full_unit == two.full_unit or _dimension(one.full_unit) == _dimension(two.full_unit) != ""
    return one.low > 0 and two.low > 0


def _dimension(text: str) -> str:
    try:
        return str(unit(text).dimension)
    except UnitError:
        return ""


def known(text: str) -> bool:
    """Whether the formula language has the unit."""
    return not text or bool(_dimension(text))


@dataclass(frozen=True, slots=True)
class Named:
    """A figure with its name in an expression; `plain` omits the unit."""

    name: str
    figure: Figure
    plain: bool = False
    unit: str | None = None


def given(*named: Named) -> tuple[MinedInput, ...]:
    """Inputs of an expression."""
    return tuple(_input(one) for one in named)


def _input(one: Named) -> MinedInput:
    figure = one.figure
    text = "%" if figure.sort == "%" else "" if one.plain else one.unit if one.unit is not None else figure.full_unit
    if figure.sort in {"x", "count", "pp"} and one.unit is None:
        text = ""
    text = text if known(text) else ""
    number = f"{figure.low:f}"
    gap = "" if text == "%" or not text else " "
    return MinedInput(
        name=one.name, formula=f"{number}{gap}{text}", text=figure.text.strip(), value=figure.low, unit=text,
        half=_uncertain(figure),
        hedged=bool(figure.hedge),
    )  # fmt: skip


_WHOLE = frozenset({"GPU", "request", "bit"})
"""Units that are counted in integers."""


def _uncertain(figure: Figure) -> Decimal:
    """How far the true figure may differ from the written one: money and counts are exact unless hedged."""
    if figure.unit in _WHOLE and not figure.hedge:
        return Decimal(0)
    if figure.hedge:
        return max(figure.half, figure.low * Decimal("0.05"))
    return Decimal(0) if figure.sort == "money" and figure.half < figure.low / 50 else figure.half


def pair(before: Figure, after: Figure) -> tuple[MinedInput, ...]:
    """Two comparable figures as `before` and `after`, in compatible units."""
    plain = before.sort == "money" and before.per != after.per
    return given(
        Named("before", before, unit=before.unit if plain else None),
        Named("after", after, unit=after.unit if plain else None),
    )


def reading(
    window: Span,
    rule: str,
    inputs: tuple[MinedInput, ...],
    expressions: str | Iterable[str],
    stated: Figure,
    *,
    unit: str = "",
    confidence: str = "0.9",
    note: str = "",
    cautious: bool = False,
    missing: str = "",
    strict: bool = False,
) -> Reading:
    """A reading of a sentence; several expressions are alternative meanings, most likely first.

    A strict reading is an equation: figures without a hedge are exact, and only the last digit may be rounded.
    """
    if strict and not stated.hedge:
        inputs = tuple(one if one.hedged else one.model_copy(update={"half": Decimal(0)}) for one in inputs)
    first, *others = [expressions] if isinstance(expressions, str) else [*expressions]
    return Reading(
        start=window.start,
        end=window.end,
        rule=rule,
        inputs=inputs,
        expression=first,
        stated=stated,
        unit=unit or {"%": "%", "x": "x", "pp": "pp"}.get(stated.sort, stated.full_unit),
        confidence=Decimal(confidence),
        note=note,
        bound=_BOUNDS.get(stated.hedge, "is"),
        slack=Decimal(0) if strict and not stated.hedge else loose(stated),
        cautious=cautious,
        missing=missing,
        alternatives=tuple(others),
    )
