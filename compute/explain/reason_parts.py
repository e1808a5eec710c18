"""Parts of the reasons of verdicts: values, expectations, distances, labels, catalogues."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from compute.claims.claim_case import Case
from compute.claims.claim_evaluation import Reading
from compute.claims.expectations import Bound, CompiledExpectation
from compute.claims.input_lookups import Figure
from compute.formula.compiler import fixed
from compute.formula.formula_tree import CellLeaf, LiteralLeaf
from compute.prices.price_models import Price
from compute.prices.price_selection import tier_text
from compute.units.number_format import amount, in_unit, number, said
from compute.units.units import EXACT, PERCENT, PLAIN, Unit, unit
from graph.models.claim_models import Tense
from graph.text.counts import few

THEN = "\0"
"""Placeholder for the day of the claim in a reason, so that claims of different days can share the text."""

MOST_CHANGES = 4
"""A reason names at most this many changed inputs."""


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


_SIDES = {"at_least": ("above", "below", "the minimum of "), "at_most": ("below", "above", "the maximum of ")}


def standing(case: Case, reading: Reading) -> str:
    """Position of a value: `2pp outside 95% ± 0.5pp`, `0.50 USD/Mtok below the maximum of 2.50 USD/Mtok`."""
    bar = case.program.bar
    inside, outside, limit = _SIDES.get(bar.form, ("inside", "outside", ""))
    bound = limit + limits(bar, case.unit, reading)
    if bar.within is None and bar.form in {"is", "times", "same_as"}:
        off = distance(reading.margin, case.unit)
        return f"exactly {bound}" if reading.holds else f"{off} off the expected {bound}"
    if not reading.margin:
        return f"exactly at the bound of {bound}" if not limit else f"exactly at {bound}"
    return f"{distance(reading.margin, case.unit)} {inside if reading.holds else outside} {bound}"


def holds(case: Case) -> str:
    """Value of a claim that holds, and its distance from the bound."""
    past = case.tense is Tense.DATED and not timeless(case)  # prices were not what they are now
    value, is_it = value_text(case, case.judged.reading), f"On {THEN} it was" if past else "It is"
    if is_truth(case):
        return f"{is_it} {value}, as expected.{derived(case)}"
    return f"{is_it} {value}, {standing(case, case.judged.reading)}.{derived(case)}"


def day_of(case: Case) -> str:
    """The day that the verdict is about."""
    return THEN if case.tense is Tense.DATED else str(case.now.on)


def missed(case: Case, reading: Reading) -> str:
    """Value of a day and its distance from the expectation."""
    if reading.failure == "never":
        return reading.reason
    where = "not as expected" if is_truth(case) else standing(case, reading)
    return f"it is {value_text(case, reading)}, {where}"


def failed(case: Case, changes: str) -> str:
    """That a claim failed on its own day, and a standing one today; `changes` are those between the two days."""
    then, now = case.then.reading, case.judged.reading
    if timeless(case):
        return f"Never true: {missed(case, now)}.{derived(case)}"
    if case.tense is Tense.DATED:
        return f"Not true on {THEN}: {missed(case, now)}.{derived(case)}"
    if then.value == now.value and then.reason == now.reason:
        return f"It holds neither on {THEN} nor on {case.now.on}: {missed(case, now)}.{derived(case)}"
    was = then.reason if then.failure == "never" else f"it was {value_text(case, then)}"
    told = f"then {was}; now {missed(case, now)}{changes}"
    return f"It holds neither on {THEN} nor on {case.now.on}: {told}.{derived(case)}"


def timeless(case: Case) -> bool:
    """Whether every figure is a literal, or looked up for a day that the formula names."""
    leaves = case.program.leaves
    return case.program.bar.target is None and all(
        leaf.on or isinstance(leaf, LiteralLeaf | CellLeaf) for leaf in leaves
    )


def derived(case: Case) -> str:
    """Which inputs are computed figures that no source states."""
    pairs = zip(case.program.labels, case.judged.figures, strict=True)
    found = [
        spoken(label, figure)
        for label, figure in pairs
        if isinstance(figure, Figure) and figure.price and figure.price.derived
    ]
    if not found:
        return ""
    what = "is a derived price, not a quoted one" if len(found) == 1 else "are derived prices, not quoted ones"
    return f" {' and '.join(found[:MOST_CHANGES])} {what}."


def unverifiable(case: Case) -> str:
    """What is missing, and the value on the claim's own day."""
    then, text = case.then.reading, case.judged.reading.reason
    past = then.value is not None and case.judged is not case.then
    known = f" On {THEN} it was {value_text(case, then)}." if past else ""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('?') else '.'}{known}"


def conflicting(case: Case) -> str:
    """What each rival catalogue makes of the claim."""
    by_outcome: dict[bool | None, str] = {}
    for figures, reading in case.judged.choices:
        by_outcome.setdefault(reading.holds, _choice(case, figures, reading))
    return f"On {day_of(case)} it depends on which catalogue is right: " + "; ".join(by_outcome.values()) + "."


def _choice(case: Case, figures: tuple[Figure, ...], reading: Reading) -> str:
    told = [
        f"{spoken(label, figure)} at {figure.text} ({figure.price.catalog}{_tier(first, figure.price)})"
        for label, figure, first in zip(case.program.labels, figures, case.judged.figures, strict=True)
        if figure.price and isinstance(first, Figure) and first.rivals
    ]
    outcome = {True: "holds", False: "does not hold", None: "cannot be computed"}[reading.holds]
    return f"with {' and '.join(told)} it is {value_text(case, reading)} and {outcome}"


def _tier(first: Figure, price: Price) -> str:
    """The tier of a price, if catalogues state different tiers."""
    tiers = {one.price.above for one in (first, *first.rivals) if one.price}
    return f", {tier_text(price)}" if len(tiers) > 1 else ""


def most(told: Sequence[str]) -> str:
    """The changed inputs as the end of a sentence; empty if there are none."""
    return ", because " + few(list(dict.fromkeys(told)), MOST_CHANGES) if told else ""


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


def old_figure(then: Figure, now: Figure) -> str:
    """The old figure, without its unit if the new one has the same."""
    if then.unit.text != now.unit.text or then.unit.dimension is PLAIN:
        return then.text
    return number(then.stated, money=bool(then.price))


# ---- expectations


def expected(bar: CompiledExpectation, shown_in: Unit, reading: Reading) -> str:
    """The expectation as text: `95% ± 0.5pp`, `at least 60%`, `between 40% and 60%`, `the same as CLAIM`.

    A name is replaced by its figure of the day, if it has one.
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
    """Bounds of an expectation as a noun: `95% ± 0.5pp`, `40% to 60%`, `CLAIM ± 1pp`."""
    text = expected(bar, shown_in, reading)
    if bar.form == "between":
        text = text.replace(" and ", " to ", 1)
    for word in ("at least ", "at most ", "between ", "the same as "):
        text = text.removeprefix(word)
    return text


def distance(margin: Decimal | None, shown_in: Unit) -> str:
    """Distance of a value from a bound, without sign; for percentages in percentage points."""
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
    """A literal figure as displayed; a name or expression as its value."""
    if bound is None:
        return ""
    if bound.unit is not None:
        return said(in_unit(bound.closure([]), bound.unit), bound.unit.text)
    return bound.text if value is None or fixed(bound.term) else amount(value, shown_in)
