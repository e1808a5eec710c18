"""The values of one figure at which a verdict can change, where the formula is a linear fraction of that figure.

    y = (p + q·x) / (r + s·x)        most claims have this form in each of their figures

Such a curve is known by three of its points; two further ones confirm it. The x of a y then follows from the
cross-ratio of four points, which is the same for the x and for the y.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Context, Decimal
from itertools import islice

from compute.claims.claim_program import Program
from compute.formula.formula_terms import rational, uses

_STEPS = (1, 2, 3, 5, 7, 11, 13)
_CLOSE = Decimal("1e-30")
_SAME = Decimal("1e-40")
_EXACT = Context(prec=36)
"""Digits of a critical point: fewer than it is computed with, so that a short number comes out as that."""

Pair = tuple[Decimal, Decimal]


def critical_points(
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
