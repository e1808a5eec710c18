"""How a claim's value, its expectation and the labels of its inputs are shown."""

from __future__ import annotations

from decimal import Decimal

from compute.claims.claim_case import Case
from compute.claims.claim_program import Reading
from compute.claims.expectations import Bound
from compute.claims.input_lookups import Figure
from compute.formula.compiler import fixed
from compute.units.number_format import amount, in_unit, said
from compute.units.units import EXACT, PERCENT, Unit, unit

_SIDES = {"at_least": ("above", "below", "the minimum of "), "at_most": ("below", "above", "the maximum of ")}


def value_text(case: Case, reading: Reading) -> str:
    """The displayed value, or a text saying that there is none."""
    if reading.value is None:
        return "nothing" if reading.failure == "never" else "unknown"
    if case.program.sorts and is_truth(case):
        return "true" if reading.value else "false"
    return amount(reading.value, case.unit)


def is_truth(case: Case) -> bool:
    """Whether the claim is true or false."""
    bound = case.program.bar.bound
    return bound is not None and bound.text in {"true", "false"}


def standing(case: Case, reading: Reading) -> str:
    """Position of a value: `2pp outside 95% ± 0.5pp`, `0.50 USD/Mtok below the maximum of 2.50 USD/Mtok`."""
    bar = case.program.bar
    inside, outside, limit = _SIDES.get(bar.form, ("inside", "outside", ""))
    bound = expected(case, reading)
    if bar.form == "between":
        bound = bound.replace(" and ", " to ", 1)
    for word in ("at least ", "at most ", "between ", "the same as "):
        bound = bound.removeprefix(word)
    bound = limit + bound
    off = "" if reading.margin is None else amount(abs(reading.margin), _difference_unit(case.unit))
    if bar.within is None and bar.form in {"is", "times", "same_as"}:
        return f"exactly {bound}" if reading.holds else f"{off} off the expected {bound}"
    if not reading.margin:
        return f"exactly at the bound of {bound}" if not limit else f"exactly at {bound}"
    return f"{off} {inside if reading.holds else outside} {bound}"


def expected(case: Case, reading: Reading) -> str:
    """The expectation as text: `95% ± 0.5pp`, `at least 60%`, `between 40% and 60%`, `the same as CLAIM (2)`.

    A name is replaced by its figure of the day, if it has one.
    """
    bar, (low, high) = case.program.bar, reading.interval
    middle = slack = None
    if low is not None and high is not None:
        middle = EXACT.divide(EXACT.add(low, high), Decimal(2))
        slack = EXACT.divide(EXACT.subtract(high, low), Decimal(2))
    tolerance = ""
    if bar.within and bar.relative:
        share = EXACT.divide(slack, abs(middle)) if slack is not None and middle else None
        tolerance = f" ± {_spelled(bar.within, share, PERCENT)}"
    elif bar.within:
        tolerance = f" ± {_spelled(bar.within, slack, _difference_unit(case.unit))}"
    if bar.target is not None:
        value = "" if middle is None else f" ({amount(middle, case.unit)})"
        return f"the same as {bar.target}{value}{tolerance}"
    match bar.form:
        case "at_least":
            return f"at least {_spelled(bar.bound, low, case.unit)}"
        case "at_most":
            return f"at most {_spelled(bar.bound, high, case.unit)}"
        case "between" if bar.upper:
            return f"between {_spelled(bar.bound, low, case.unit)} and {_spelled(bar.upper, high, case.unit)}"
        case "times":
            return f"{_spelled(bar.bound, middle, case.unit).removesuffix('×')}×{tolerance}"
    return _spelled(bar.bound, middle, case.unit) + tolerance


def _difference_unit(shown_in: Unit) -> Unit:
    """Percentage points for the difference of percentages."""
    return unit("pp") if shown_in.text == "%" else shown_in


def _spelled(bound: Bound | None, value: Decimal | None, shown_in: Unit) -> str:
    """A literal figure as displayed; a name or expression as its value."""
    if bound is None:
        return ""
    if bound.unit is not None:
        return said(in_unit(bound.closure([]), bound.unit), bound.unit.text)
    return bound.text if value is None or fixed(bound.term) else amount(value, shown_in)


def short(item: str) -> str:
    """An item without its provider."""
    return item.partition("/")[2] or item


def spoken(label: str, figure: Figure) -> str:
    """A label in a sentence; an unnamed lookup is described by its price or assumption."""
    if "(" not in label:
        return label
    if figure.price is not None:
        return f"{figure.price.component} of {short(figure.price.item)}"
    return f"the assumption {figure.assumption.name}" if figure.assumption is not None else label
