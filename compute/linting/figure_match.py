"""Whether a figure of a text is the figure of an expectation, in the same form or in an equivalent one."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from compute.figures.figure_models import Figure
from compute.linting.lint_models import Bound, Subject
from compute.units.units import Unit, UnitError, unit

_CLOSE = Decimal("1e-9")
_RATIOS = frozenset({"x", "%", "count"})
_SHARES = frozenset({"%", "pp"})
_SCALES = tuple(Decimal(10) ** power for power in (-12, -9, -6, -3, -2, 0, 2, 3, 6, 9, 12))


def expected_figures(subject: Subject) -> Iterator[tuple[Figure, Bound]]:
    """The figures of the words that are a bound of the expectation, with that bound."""
    ratio = subject.claim.expect.form == "times"
    for figure in subject.figures:
        for bound in subject.bounds if figure.sort in _RATIOS or not ratio else ():
            if same(figure, bound):
                yield figure, bound
                break


def same(figure: Figure, bound: Bound) -> bool:
    """Whether a figure is a bound: the same number in the same kind of unit. An end of a range counts."""
    return any(_close(value, goal) for value, goal in _pairs(figure, bound))


def _pairs(figure: Figure, bound: Bound) -> Iterator[tuple[Decimal, Decimal]]:
    for value in dict.fromkeys((figure.low, figure.high)):
        if figure.sort in _SHARES:
            if bound.percent or bound.unit is None:
                yield value / 100, bound.base
        elif figure.sort == "x":
            if not _measured(bound):
                yield value, bound.base
        elif bound.percent:
            continue
        elif figure.sort == "count":
            yield value, bound.value
        else:
            yield from _of_unit(figure, value, bound)


def _of_unit(figure: Figure, value: Decimal, bound: Bound) -> Iterator[tuple[Decimal, Decimal]]:
    if bound.unit is None:
        yield value, bound.value
        return
    known = _unit(figure.full_unit)
    if known is not None and known.dimension == bound.unit.dimension:
        yield value * known.factor, bound.base
    elif figure.unit.upper() in bound.unit.text or figure.sort == "unit":
        yield value, bound.value


def _measured(bound: Bound) -> bool:
    return bound.unit is not None and not bound.percent and bound.unit.text not in {"x", "×", "times"}


@lru_cache(maxsize=1_000)
def _unit(text: str) -> Unit | None:
    try:
        return unit(text)
    except UnitError:
        return None


def _close(one: Decimal, other: Decimal) -> bool:
    return abs(abs(one) - abs(other)) <= _CLOSE * max(abs(one), abs(other))


def equivalent(figure: Figure, bound: Bound) -> bool:
    """Whether a figure is a bound in any form: rounded, scaled, a share for its complement or its reciprocal."""
    half = max(figure.half, figure.coarse)
    for value in dict.fromkeys((figure.low, figure.high)):
        for goal in _forms(bound):
            for scale in _SCALES:
                if abs(value * scale - goal) <= half * scale:
                    return True
    return False


def _forms(bound: Bound) -> Iterator[Decimal]:
    base = abs(bound.base)
    yield from (abs(bound.value), base)
    if not _measured(bound):
        yield from (abs(1 - base), 1 + base)
        if base:
            yield 1 / base
        if base not in {Decimal(1), Decimal(0)}:
            yield abs(1 / (1 - base))
            yield abs(1 / base - 1)


def rounding(figure: Figure, bound: Bound) -> tuple[Decimal, Decimal]:
    """Half a step of the last written digit of a figure, and of the last digit that is not 0, in base units.

    Both are 0 if the figure is 0.
    """
    value = max(abs(figure.low), abs(figure.high))
    factor = abs(bound.base) / value if value else Decimal(0)
    return figure.half * factor, max(figure.half, figure.coarse) * factor
