"""The expectation of a claim: the values that the author expects, as an interval with inclusive bounds.

is B within T        [B - T, B + T]    T in % is a share of B; in pp, or in the unit of B, absolute; 0 if left out
times N within T     the same, for a ratio
same_as C within T   the same, where B is the value of claim C
at_least B           [B, …)
at_most B            (…, B]
between A and B      [A, B]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, TypeVar, cast

from compute.formula.compiler import Closure, Frame, compiled, fixed
from compute.formula.formula_errors import FormulaError, MismatchError, Undefined, WrongArgumentsError
from compute.formula.formula_tree import LiteralLeaf, Node, Slot, number_of
from compute.formula.lowering import Slots, lowered
from compute.formula.unit_types import UnitType, common_unit_type, unit_type
from compute.units.units import PLAIN, TIMES, Unit
from graph.models.claim_models import Expectation

_BARE = re.compile(r"\s*-?[0-9][0-9_.]*\s*")
_UNIT_BEHIND = re.compile(r"(?<=[0-9.])\s*[A-Za-z%].*$")

N = TypeVar("N")
Interval = tuple[Decimal | None, Decimal | None]


class FieldError(ValueError):
    """A formula error with the claim's field, such as `given.list` or `expect.within`."""

    def __init__(self, field: str, error: FormulaError) -> None:
        super().__init__(f"{field}: {error.sentence()}")
        self.field, self.error = field, error


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """One figure of an expectation, compiled."""

    field: str
    text: str
    term: Node
    closure: Closure
    sort: UnitType

    @property
    def unit(self) -> Unit | None:
        """Unit of a literal figure, else None."""
        number = number_of(self.term)
        return number.unit if number else None


@dataclass(frozen=True, slots=True, eq=False)
class CompiledExpectation:
    """A compiled expectation; `target` is the claim to compare with, `fixed` the interval, if it never changes.

    `unit` is that of the value, if the expectation sets it; `relative`: the tolerance is a share of the bound.
    """

    form: str
    bound: Bound | None
    upper: Bound | None
    within: Bound | None
    target: str | None
    unit: Unit | None
    relative: bool
    fixed: Interval | None = None

    def interval(self, frame: Frame, other: Decimal | None = None) -> Interval:
        """Bounds in base units, with the value of the other claim; raises `Undefined` if they are none."""
        if self.fixed is not None:
            return self.fixed
        low, high = self.bounds(lambda bound: bound.closure(frame), other)
        if low is not None and high is not None and low > high:
            raise Undefined("the lower bound lies above the upper one")
        return low, high

    def bounds(self, value: Callable[[Bound], N], other: N | None) -> tuple[N | None, N | None]:
        """Both bounds, as numbers or arrays; raises `Undefined` without an `other` to compare with."""
        middle = value(self.bound) if self.bound else other
        if middle is None:
            raise Undefined("there is nothing to compare with")
        if self.upper is not None:
            return middle, value(self.upper)
        if self.form in {"at_least", "at_most"}:
            return (middle, None) if self.form == "at_least" else (None, middle)
        if self.within is None:
            return middle, middle
        slack, around = value(self.within), cast("Any", middle)
        slack = abs(around) * slack if self.relative else slack
        return around - slack, around + slack

    def check(self, value: UnitType, sorts: Sequence[UnitType], at: int = 0) -> None:
        """Check the units of the value, where known, against the expectation; raises FieldError."""
        for bound in (self.bound, self.upper, None if self.relative else self.within):
            if bound is not None:
                _fit(value, bound, sorts)
        if self.form == "times" and value.dimension not in {PLAIN, None}:
            error = MismatchError("compare", str(value), "a ratio", at, "times is for plain numbers")
            raise FieldError("value", error)


def _fit(value: UnitType, bound: Bound, sorts: Sequence[UnitType]) -> None:
    found = unit_type(bound.term, sorts)
    if value.dimension is not None and found.truth != value.truth:
        hint = (
            "a comparison is expected to be true or false: {is: true}" if value.truth else "the value is no comparison"
        )
        raise FieldError(bound.field, WrongArgumentsError("a comparison and a figure cannot be compared", 0, hint))
    try:
        common_unit_type(value, found, "compare", bound.term.at)
    except FormulaError as error:
        raise FieldError(bound.field, error) from None


def compile_expectation(expect: Expectation, names: Mapping[str, Node], slots: Slots) -> CompiledExpectation:
    """Compile an expectation, whose bounds may use the givens; raises FieldError."""
    texts = split_bounds(expect)
    field = f"expect.{expect.form}"
    bound = None if expect.form == "same_as" else _bound(field, texts[0], names, slots)
    upper = _bound(field, texts[1], names, slots)
    within = _bound("expect.within", expect.within, names, slots)
    target = expect.bound if expect.form == "same_as" else None
    unit = TIMES if expect.form == "times" else _written_unit(upper, slots) or _written_unit(bound, slots)
    relative = within is not None and within.sort.unit in {"%", "percent"}
    found = CompiledExpectation(expect.form, bound, upper, within, target, unit, relative)
    if bound is None:
        return found
    found.check(bound.sort, slots.sorts)
    return replace(found, fixed=_fixed(found))


def _written_unit(bound: Bound | None, slots: Slots) -> Unit | None:
    """Unit of a bound, written directly or in the given that it names."""
    if bound is None or not isinstance(bound.term, Slot):
        return bound.unit if bound else None
    leaf = next((leaf for leaf, index in slots.leaves.items() if index == bound.term.index), None)
    return leaf.unit if isinstance(leaf, LiteralLeaf) else None


def split_bounds(expect: Expectation) -> tuple[str, str | None]:
    """The two bounds; a range `40..60%` gives its unit to both."""
    if expect.form != "between" or expect.upper is not None or ".." not in expect.bound:
        return expect.bound, expect.upper
    low, _, high = expect.bound.partition("..")
    unit = _UNIT_BEHIND.search(high)
    return (low + unit.group() if unit and _BARE.fullmatch(low) else low), high


def _bound(field: str, text: str | None, names: Mapping[str, Node], slots: Slots) -> Bound | None:
    if text is None:
        return None
    try:
        term, sort = lowered(text, names, slots)
    except FormulaError as error:
        raise FieldError(field, error) from None
    return Bound(field, " ".join(text.split()), term, compiled(term), sort)


def _fixed(found: CompiledExpectation) -> Interval | None:
    bounds = [bound for bound in (found.bound, found.upper, found.within) if bound is not None]
    if not all(fixed(bound.term) for bound in bounds):
        return None
    try:
        return found.interval([])
    except Undefined as error:
        raise FieldError(bounds[0].field, WrongArgumentsError(str(error), 0)) from None
