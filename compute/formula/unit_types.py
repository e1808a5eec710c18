"""Checks whether units fit. Every term has a unit type: its dimension, boolean, or not known yet.

Prices take their units from catalogues, so loading a claim checks only what needs no prices.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from compute.formula import formula_tree as tree
from compute.formula.formula_errors import MismatchError, WrongArgumentsError
from compute.units.units import ONE, PLAIN, Dimension, Unit


class UnitType(NamedTuple):
    """The type of a term: a figure of `dimension` (None: unknown), difference of shares, boolean or bare zero."""

    dimension: Dimension | None
    points: bool = False
    truth: bool = False
    free: bool = False
    unit: str = ""

    def __str__(self) -> str:
        if self.truth:
            return "a comparison"
        return self.unit or ("something not known yet" if self.dimension is None else str(self.dimension))


UNKNOWN = UnitType(None)
TRUTH = UnitType(PLAIN, truth=True)
NUMBER = UnitType(PLAIN)


def unit_type_of_unit(unit: Unit | None, *, free: bool = False) -> UnitType:
    """The type of a figure in `unit`; None is no unit."""
    unit = unit or ONE
    return UnitType(unit.dimension, points=unit.points, free=free, unit=unit.text)


def unit_type(term: tree.Node, frame: Sequence[UnitType]) -> UnitType:  # noqa: PLR0911 one answer for each kind of term
    """The type of a term, given the types of the slots in `frame`.

    Raises:
        MismatchError: two units do not fit together.
        WrongArgumentsError: a boolean is used as a number, or a number as a boolean.
    """
    match term:
        case tree.Number():
            return unit_type_of_unit(term.unit, free=term.free)
        case tree.Truth():
            return TRUTH
        case tree.Slot():
            return frame[term.index]
        case tree.Negative():
            return _number(term.of, frame)
        case tree.Binary():
            return _operation(term, frame)
        case tree.Call():
            return _RULES.get(term.function, _same)(term, frame)
        case tree.Required():
            return _required(term, frame)
        case tree.Solve():
            return _solved(term, frame)
    raise TypeError(f"{term.text} is not resolved")


def _number(term: tree.Node, frame: Sequence[UnitType]) -> UnitType:
    found = unit_type(term, frame)
    if found.truth:
        raise WrongArgumentsError("a comparison is not a figure", term.at, "use if(comparison, then, otherwise)")
    return found


def _operation(term: tree.Binary, frame: Sequence[UnitType]) -> UnitType:
    left, right = _number(term.left, frame), _number(term.right, frame)
    if term.operator in tree.COMPARISONS:
        common_unit_type(left, right, "compare", term.mark)
        return TRUTH
    if term.operator in "+-":
        both = common_unit_type(left, right, "add" if term.operator == "+" else "subtract", term.mark)
        return UnitType(both.dimension, points=left.points and right.points, free=both.free, unit=both.unit)
    if term.operator == "^":
        return _power(term, left, right)
    return _scaled(term, left, right)


def common_unit_type(left: UnitType, right: UnitType, doing: str, at: int) -> UnitType:
    """The common type of two figures that are added or compared; raises MismatchError."""
    if left.free or left.dimension is None:
        return right if not right.free else left
    if not (right.free or right.dimension is None or left.dimension is right.dimension):
        raise MismatchError(doing, str(left), str(right), at, _hint(left, right))
    return left if not left.points else right


_HINTS = (
    (frozenset({"instance", "GPU"}), "state how many GPUs an instance has: / (8 GPU/instance)"),
    (frozenset({"server", "GPU"}), "state how many GPUs a server has: / (8 GPU/server)"),
    (frozenset({"token", "GPU"}), "convert tokens to GPU-hours with a throughput: 2500 token/GPU/s"),
    (frozenset({"token", "hour"}), "convert tokens to hours with a throughput: 2500 token/s"),
    (frozenset({"USD", "EUR"}), "state the rate of exchange: 1.08 USD/EUR"),
)


def _hint(left: UnitType, right: UnitType) -> str:
    if left.dimension is None or right.dimension is None:
        return ""
    between = {str(name) for name in (left.dimension / right.dimension).powers}
    if left.dimension is PLAIN or right.dimension is PLAIN:
        other = right if left.dimension is PLAIN else left
        return f"a plain number, or a %, has no unit: write one after it, such as {other.unit or other.dimension}"
    return next((hint for names, hint in _HINTS if names <= between), "")


def _scaled(term: tree.Binary, left: UnitType, right: UnitType) -> UnitType:
    if left.dimension is None or right.dimension is None:
        return UNKNOWN
    for points, other in ((left, right), (right, left)):
        if points.points and other.dimension is not PLAIN:
            hint = "a percentage point is a difference: write % for a share"
            raise MismatchError("multiply or divide", str(left), str(right), term.mark, hint)
    if term.operator == "*":
        return UnitType(left.dimension * right.dimension, points=left.points or right.points)
    return UnitType(left.dimension / right.dimension, points=left.points and not right.points)


def _power(term: tree.Binary, base: UnitType, exponent: UnitType) -> UnitType:
    if exponent.dimension not in {None, PLAIN}:
        raise MismatchError("raise", str(base), str(exponent), term.mark, "an exponent is a plain number")
    if base.dimension is PLAIN:
        return NUMBER
    power = tree.number_of(term.right)
    if base.dimension is None:
        return UNKNOWN
    if power is None:
        raise WrongArgumentsError(
            f"the power of {base} must be a literal number", term.mark, "or divide by the unit first: (x / 1 USD)"
        )
    return UnitType(_raised(base.dimension, Fraction(power.base), term.mark))


def _raised(dimension: Dimension, power: Fraction, at: int) -> Dimension:
    if abs(power) > 6:
        raise WrongArgumentsError(f"the power of {dimension} is too large", at)
    try:
        return dimension**power
    except ValueError:
        raise WrongArgumentsError(f"no unit is the power {power} of {dimension}", at) from None


def _required(term: tree.Required, frame: Sequence[UnitType]) -> UnitType:
    found = _number(term.of, frame)
    if found.dimension is None or found.dimension is term.unit.dimension:
        return unit_type_of_unit(term.unit)
    hint = f"multiply it by 1 {term.unit.text}" if found.dimension is PLAIN else ""
    raise MismatchError("read", str(found), term.unit.text, term.at, hint)


def _solved(term: tree.Solve, frame: Sequence[UnitType]) -> UnitType:
    bounds = common_unit_type(_number(term.low, frame), _number(term.high, frame), "make a range of", term.low.at)
    inner = list(frame)
    inner[term.index] = UnitType(bounds.dimension, unit=bounds.unit)
    common_unit_type(_number(term.left, inner), _number(term.right, inner), "equate", term.left.at)
    return inner[term.index]


def _same(term: tree.Call, frame: Sequence[UnitType]) -> UnitType:
    result = _number(term.arguments[0], frame)
    for argument in term.arguments[1:]:
        result = common_unit_type(result, _number(argument, frame), "put together", argument.at)
    return result


def _plain(term: tree.Call, frame: Sequence[UnitType]) -> UnitType:
    for argument in term.arguments:
        found = _number(argument, frame)
        if found.dimension not in {None, PLAIN}:
            raise WrongArgumentsError(
                f"{term.function} takes a plain number, not {found}", argument.at, "divide by its unit first"
            )
    return NUMBER


def _root(term: tree.Call, frame: Sequence[UnitType]) -> UnitType:
    found = _number(term.arguments[0], frame)
    return found if found.dimension is None else UnitType(_raised(found.dimension, Fraction(1, 2), term.at))


def _choice(term: tree.Call, frame: Sequence[UnitType]) -> UnitType:
    condition, then, otherwise = term.arguments
    if not unit_type(condition, frame).truth:
        raise WrongArgumentsError("the first argument of if is a comparison", condition.at, "for example a < b")
    return common_unit_type(_number(then, frame), _number(otherwise, frame), "choose between", otherwise.at)


_RULES = {"sqrt": _root, "exp": _plain, "log": _plain, "if": _choice}  # whose arguments are not all in one unit
