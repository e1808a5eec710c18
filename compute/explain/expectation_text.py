"""Expectations as text: `95% ± 0.5pp`, `at least 60%`, with names replaced by the day's figures."""

from __future__ import annotations

from decimal import Decimal

from compute.claims.claim_evaluation import Reading
from compute.claims.expectations import Bound, CompiledExpectation
from compute.formula.compiler import fixed
from compute.units.number_format import amount, in_unit, stated
from compute.units.units import EXACT, PERCENT, Unit, unit


def expected(bar: CompiledExpectation, shown_in: Unit, reading: Reading) -> str:
    """The expectation as text: `95% ± 0.5pp`, `at least 60%`, `between 40% and 60%`, `the same as CLAIM`.

    A name is replaced by its figure of the day, in the unit of the value; it stays a name if it has none.
    """
    low, high = reading.interval
    middle, _ = _middle(reading)
    tolerance = f" ± {_tolerance(bar.within, shown_in, reading, relative=bar.relative)}" if bar.within else ""
    if bar.target is not None:
        return f"the same as {bar.target}{tolerance}"
    match bar.form:
        case "at_least":
            return f"at least {_spelled(bar.bound, low, shown_in)}"
        case "at_most":
            return f"at most {_spelled(bar.bound, high, shown_in)}"
        case "between" if bar.upper:
            return f"between {_spelled(bar.bound, low, shown_in)} and {_spelled(bar.upper, high, shown_in)}"
        case "times":
            return f"{_spelled(bar.bound, middle, shown_in).removesuffix('×')}×{tolerance}"
    return _spelled(bar.bound, middle, shown_in) + tolerance


def limits(bar: CompiledExpectation, shown_in: Unit, reading: Reading) -> str:
    """The bounds of an expectation as a noun: `95% ± 0.5pp`, `40% to 60%`, `CLAIM ± 1pp`."""
    text = expected(bar, shown_in, reading)
    if bar.form == "between":
        text = text.replace(" and ", " to ", 1)
    for word in ("at least ", "at most ", "between ", "the same as "):
        text = text.removeprefix(word)
    return text


def distance(margin: Decimal | None, shown_in: Unit) -> str:
    """The distance of a value from a bound, without sign; for percentages in percentage points."""
    if margin is None:
        return ""
    points = unit("pp") if shown_in.text == "%" else shown_in
    return amount(abs(margin), points)


def _middle(reading: Reading) -> tuple[Decimal | None, Decimal | None]:
    """The middle of an interval, and half its width."""
    low, high = reading.interval
    if low is None or high is None:
        return None, None
    return EXACT.divide(EXACT.add(low, high), Decimal(2)), EXACT.divide(EXACT.subtract(high, low), Decimal(2))


def _tolerance(within: Bound, shown_in: Unit, reading: Reading, *, relative: bool) -> str:
    middle, slack = _middle(reading)
    if relative:
        share = EXACT.divide(slack, abs(middle)) if slack is not None and middle else None
        return _spelled(within, share, PERCENT)
    return _spelled(within, slack, unit("pp") if shown_in.text == "%" else shown_in)


def _spelled(bound: Bound | None, value: Decimal | None, shown_in: Unit) -> str:
    """A literal figure as it is displayed; a name or an expression as its value, if it has one."""
    if bound is None:
        return ""
    if bound.unit is not None:
        return stated(in_unit(bound.closure([]), bound.unit), bound.unit)
    return bound.text if value is None or fixed(bound.term) else amount(value, shown_in)
