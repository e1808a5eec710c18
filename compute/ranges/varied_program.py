"""A program with other figures: where its value lies, and where along one figure that changes.

Most claims are a linear fraction in each of their figures:

    y = (p + q·x) / (r + s·x)

Such a curve is known by three of its points; two further ones confirm it. The x of a y then follows from the
cross-ratio of four points, which is the same for the x and for the y. Other curves are searched step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from itertools import islice
from typing import Literal

from compute.claims.claim_evaluation import computed
from compute.claims.claim_program import Program
from compute.formula.formula_terms import rational, uses
from compute.formula.root_finding import turning

_STEPS = (1, 2, 3, 5, 7, 11, 13)
_CLOSE = Decimal("1e-30")
_SAME = Decimal("1e-40")
_EXACT = Context(prec=36)
"""Digits of a critical point: fewer than it is computed with, so that a short number comes out as that."""

Position = Literal["inside", "under", "over", "nowhere", "unknown"]
"""The position of a value relative to its bounds; `nowhere`: the claimed figure does not exist."""


@dataclass(frozen=True, slots=True)
class VariedProgram:
    """A program at its figures in base units; `other` is the value that it is compared with."""

    program: Program
    values: list[Decimal]
    other: Decimal | None

    def position(self, changes: Mapping[int, Decimal]) -> Position:
        """Where the value lies with other figures in some slots."""
        values = list(self.values)
        for slot, value in changes.items():
            values[slot] = value
        found = computed(self.program, values, self.other)
        if found.holds or found.holds is None:
            return "inside" if found.holds else "unknown"
        low = found.interval[0]
        if found.value is None:
            return "nowhere"
        return "under" if low is not None and found.value < low else "over"

    def critical(self, slot: int) -> list[Decimal] | None:
        """The only values of one figure at which the position can change, where they are known."""
        return _critical_points(self.program, self.values, slot, self.other)


def first_change(position: Callable[[Decimal], Position], stops: Iterable[Decimal]) -> Decimal | None:
    """The first value at which a claim starts or stops holding, on the way from the first stop to the others."""
    way = iter(stops)
    last = next(way)
    before = position(last)
    now = before == "inside"
    for stop in way:
        there = position(stop)
        if there != "unknown" and (there == "inside") != now:
            return turning(lambda value: (position(value) == "inside") == now, last, stop)
        if {before, there} == {"under", "over"}:  # the step skipped the interval
            return _entry(position, before, last, stop)
        last, before = stop, there
    return None


def _entry(position: Callable[[Decimal], Position], side: Position, last: Decimal, stop: Decimal) -> Decimal:
    """The start of an interval between two points."""
    return turning(lambda value: position(value) == side, last, stop)


# ---- linear fractions

Pair = tuple[Decimal, Decimal]


def _critical_points(
    program: Program, values: Sequence[Decimal], index: int, other: Decimal | None
) -> list[Decimal] | None:
    """The only values of one figure at which a verdict can change; None if the value is no linear fraction of it."""
    if (program.bar.fixed is None and program.bar.bound is not None) or not _rational(program, index):
        return None
    try:
        edges = [edge for edge in program.bar.interval(program.frame(list(values)), other) if edge is not None]
    except ArithmeticError:
        return None
    pairs = list(islice(_pairs(program, values, index), 5))
    if len(pairs) < 5:
        return None
    heights = [y for _, y in pairs]
    if max(heights) - min(heights) <= _SAME * max(map(abs, heights)):
        return []
    where = _inverse(pairs[:3])
    if where is None or any(not _near(where(y), x) for x, y in pairs[3:]):
        return None
    found = [point for point in (*map(where, edges), where(None)) if point is not None]
    return [Decimal(0) if abs(point) <= _CLOSE * abs(pairs[0][0]) else _EXACT.plus(point) for point in found]


def _rational(program: Program, index: int) -> bool:
    """Whether the value depends on a figure by + - * / alone."""
    moving = {index}
    for given in program.givens:
        if not given.leaf and any(uses(given.term, slot) for slot in moving):
            if not rational(given.term, moving):
                return False
            moving.add(given.slot)
    return rational(program.term, moving)


def _pairs(program: Program, values: Sequence[Decimal], index: int) -> Iterator[Pair]:
    """Values of the figure with those of the claim, where it has one."""
    changed = list(values)
    for step in _STEPS:
        changed[index] = (values[index] or Decimal(1)) * step
        try:
            yield changed[index], program.value(program.frame(list(changed)))
        except ArithmeticError:
            continue


def _inverse(pairs: Sequence[Pair]) -> Callable[[Decimal | None], Decimal | None] | None:
    """The x of a y, by three points of the curve; that of None is the pole. None: it is no such curve."""
    (x1, y1), (x2, y2), (x3, y3) = pairs
    if len({y1, y2, y3}) < 3:
        return None
    across = (x2 - x3) / (x2 - x1)

    def where(y: Decimal | None) -> Decimal | None:
        if y == y3:
            return x3
        ratio = (y2 - y3) / (y2 - y1) * (1 if y is None else (y - y1) / (y - y3))
        return (across * x1 - ratio * x3) / (across - ratio) if across != ratio else None

    return where


def _near(found: Decimal | None, x: Decimal) -> bool:
    return found is not None and abs(found - x) <= _CLOSE * abs(x)
