"""Judges readings: computes them with the formula engine and units, and compares within the stated rounding.

|computed - stated|   ≤ rounding of the stated figure                  holds
                      ≤ the same, with the rounding of the inputs      holds, less sure
                      beyond both, and beyond the slack                refuted
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from compute.claims.expectations import FieldError
from compute.mining.date_text import YEAR
from compute.mining.mining_models import Finding, MinedInput, Passage, Reading, Statement
from compute.mining.readings import ROUGH
from compute.mining.text_windows import DISPUTED
from compute.mining.timelines import TIMELINE
from compute.prices.price_models import Book
from compute.units.number_format import CLOCK, clock, number, trimmed
from compute.verify.calculator import calculate

LONGEST_QUOTE = 600
FAR = 3
"""The factor beyond the known prices of electricity at which an implied price is impossible."""


@dataclass(frozen=True, slots=True)
class JudgeInputs:
    """The inputs for judging readings: the price book, and the day."""

    book: Book
    on: date
    tariffs: tuple[Decimal, Decimal] | None = None
    """The lowest and the highest price of electricity in the book, in USD/kWh."""

    def value(self, expression: str, inputs: tuple[MinedInput, ...], unit: str) -> Decimal | None:
        """The value of an expression as a number of `unit`; None if units do not fit or there is no value."""
        wanted = {"%": "0.01", "pp": "0.01", "x": "1", "": "1", CLOCK: "1 minute"}.get(unit, f"1 {unit}")
        formulas = tuple((one.name, one.formula) for one in inputs)
        try:
            answer = calculate(f"({expression}) / ({wanted})", self.book, self.on, given=formulas)
        except FieldError:
            return None
        return answer.value if not answer.unit else None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict with the computed figure; `sure` scales the confidence, `expression` is the computed one."""

    verdict: Finding
    computed: Decimal | None
    note: str
    sure: Decimal = Decimal(1)
    expression: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    """The result of one expression: whether it is the figure, or within the rounding of the inputs.

    It is `rough` if those move it so far that others would fit as well: a rise from 4% to 5% is one of 25%, or 36%.
    """

    expression: str
    computed: Decimal
    exact: bool
    near: bool
    rough: bool


def judged(reading: Reading, passage: Passage, bench: JudgeInputs) -> Statement | None:
    """The statement that a reading makes, with its verdict; None if it cannot be computed or should not be reported."""
    if reading.unit == "x" and reading.stated.sort in {"count", "unit"}:
        reading = replace(reading, unit="")  # 20 × 1.8 = 36: a number, no multiple
    outcome = _incomplete(reading, bench) if reading.missing else _outcome(reading, passage, bench)
    return None if outcome is None else statement(reading, passage, outcome)


def _outcome(reading: Reading, passage: Passage, bench: JudgeInputs) -> Outcome | None:
    tried = [found for found in _tried(reading, bench) if found is not None]
    if not tried:
        return None
    best = next((one for one in tried if one.exact), None) or next((one for one in tried if one.near), tried[0])
    if best.exact or best.near:
        return None if best.rough else _holding(reading, best)
    return None if reading.cautious or _of_years(reading) else _refuted(reading, passage, best)


def _of_years(reading: Reading) -> bool:
    """Whether the inputs are years of the calendar: an officer from 1814 to 1827, and a threefold meditation."""
    return (
        reading.rule != TIMELINE and len(reading.inputs) > 1 and all(YEAR.fullmatch(one.text) for one in reading.inputs)
    )


def _holding(reading: Reading, best: _Found) -> Outcome:
    note, sure = reading.note, Decimal(1)
    if not best.exact:
        note, sure = _joined(note, "within the rounding of its figures"), Decimal("0.8")
    elif reading.bound != "is" and abs(best.computed - reading.stated.low) > abs(reading.stated.low) / 4:
        note, sure = _joined(note, f"only as a bound: {reading.bound}"), Decimal("0.6")
    return Outcome("holds", best.computed, note, sure, best.expression)


def _incomplete(reading: Reading, bench: JudgeInputs) -> Outcome:
    """The statement for a missing input: the value that it would need, and whether that is possible."""
    unit = f"{reading.unit}/kWh" if reading.rule == "tariff" else reading.unit
    value = bench.value(reading.expression, reading.inputs, unit)
    if not value:
        return Outcome("needs-assumption", None, reading.missing)
    return _tariff(reading, value, unit, bench.tariffs) if reading.rule == "tariff" else _least(reading, value)


def _tariff(reading: Reading, value: Decimal, unit: str, tariffs: tuple[Decimal, Decimal] | None) -> Outcome:
    """The price of electricity implied by a text, compared with the prices in the book."""
    note = f"{reading.missing}: it would have to be {figure_text(round(value, 4), unit)}"
    if tariffs is None or tariffs[0] / FAR <= value <= tariffs[1] * FAR:
        return Outcome("needs-assumption", None, note)
    known = " to ".join(figure_text(one, unit) for one in sorted(set(tariffs)))
    return Outcome("refuted", None, f"{note}, and the catalogue knows {known}")


def _least(reading: Reading, value: Decimal) -> Outcome:
    """A figure that cannot be below a computed minimum, for any value of the missing share."""
    stated = reading.stated.high
    if value > stated * (1 + reading.slack):
        return Outcome("refuted", value, f"computed {figure_text(value, reading.unit)}: {reading.note}")
    share = figure_text(round(value / stated * 100, 1), "%")
    return Outcome("needs-assumption", value, f"{reading.missing}: it would have to be {share}")


def _tried(reading: Reading, bench: JudgeInputs) -> Iterator[_Found | None]:
    for expression in (reading.expression, *reading.alternatives):
        computed = bench.value(expression, reading.inputs, reading.unit)
        if computed is None:
            yield None
            continue
        off = _off(reading, computed)
        exact = off <= reading.stated.half
        spread = Decimal(0) if exact else _spread(reading, expression, computed, bench)
        rounding = max(reading.stated.half, reading.stated.coarse if reading.slack else reading.stated.half)
        allowed = rounding + abs(reading.stated.high) * reading.slack + spread
        rough = not exact and off > rounding + abs(reading.stated.high) * max(reading.slack, ROUGH)
        yield _Found(expression, computed, exact, off <= allowed, rough)


def _off(reading: Reading, computed: Decimal) -> Decimal:
    """How far the computed figure misses the stated range, bound or figure."""
    low, high = reading.stated.low, reading.stated.high
    if reading.bound != "at most" and computed < low:
        return low - computed
    if reading.bound != "at least" and computed > high:
        return computed - high
    return Decimal(0)


def _spread(reading: Reading, expression: str, computed: Decimal, bench: JudgeInputs) -> Decimal:
    """How far the result can change within the rounding of the inputs: the sum over all inputs."""
    total = Decimal(0)
    for index, one in enumerate(reading.inputs):
        if not one.half or one.value is None:
            continue
        moved = [
            bench.value(
                expression,
                (*reading.inputs[:index], _at(one, one.value + step), *reading.inputs[index + 1 :]),
                reading.unit,
            )
            for step in (-one.half, one.half)
        ]
        total += max((abs(value - computed) for value in moved if value is not None), default=Decimal(0))
    return total


def _at(one: MinedInput, value: Decimal) -> MinedInput:
    gap = "" if one.unit in {"%", ""} else " "
    return one.model_copy(update={"formula": f"{value:f}{gap}{one.unit}", "value": value})


def _refuted(reading: Reading, passage: Passage, best: _Found) -> Outcome:
    note = _joined(reading.note, f"computed {figure_text(best.computed, reading.unit)}")
    sure = Decimal(1)
    around = passage.mask[max(0, reading.start - 200) : reading.end + 200]
    if DISPUTED.search(around):
        note, sure = _joined(note, "the text itself seems to dispute a figure here"), Decimal("0.5")
    return Outcome("refuted", best.computed, note, sure, best.expression)


def figure_text(value: Decimal, unit: str) -> str:
    """A figure with its unit, for notes."""
    if unit == CLOCK:
        return clock(value)
    behind = {"x": "×", "%": "%", "pp": "pp", "": ""}.get(unit, f" {unit}")
    return number(trimmed(value)) + behind


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def statement(reading: Reading, passage: Passage, outcome: Outcome) -> Statement:
    """The statement of a reading with its outcome; the id depends on text, reading and inputs only."""
    quote, start = quoted(passage.text, reading.start, reading.end)
    expression = outcome.expression or reading.expression
    formulas = "".join(one.formula for one in reading.inputs)
    text = "\n".join((passage.node, quote, reading.rule, expression, reading.stated.text, formulas))
    return Statement(
        id=f"{passage.node}#{hashlib.sha256(text.encode()).hexdigest()[:8]}",
        node=passage.node,
        quote=quote,
        kind=reading.kind,
        inputs=reading.inputs,
        expression=expression,
        stated=reading.stated.low,
        computed=None if outcome.computed is None else trimmed(_rounded(outcome.computed)),
        unit=reading.unit,
        verdict=outcome.verdict,
        confidence=round(reading.confidence * outcome.sure, 2),
        note=outcome.note,
        start=start,
        figure_start=reading.stated.start,
        figure_end=reading.stated.end,
        within=reading.stated.half,
        bound=reading.bound,
    )


def _rounded(value: Decimal) -> Decimal:
    """A value to twelve places, or as it is if that has more digits than a number may have."""
    return round(value, 12) if abs(value) < Decimal(10) ** 15 else value


def quoted(text: str, start: int, end: int) -> tuple[str, int]:
    """The text between two offsets, stripped, and its start."""
    raw = text[start : min(end, start + LONGEST_QUOTE)]
    lead = len(raw) - len(raw.lstrip())
    return raw.strip(), start + lead
