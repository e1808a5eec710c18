"""Judges one relation: what it computes, how far the stated figure is off, and the statement that reports it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple

from compute.mining.claim_scopes import Candidate, Scope, sized
from compute.mining.expressions import Op, Term, denominator, spread, times, value, written
from compute.mining.mining_models import DOUBTFUL, Bound, Figure, MinedInput, Passage, Reading, Statement
from compute.mining.qualifiers import qualifier
from compute.mining.readings import known, loose
from compute.mining.statement_judge import Outcome, figure_text, statement
from compute.mining.text_windows import DISPUTED
from compute.mining.unit_dimensions import magnitude

_BOUNDS: dict[str, Bound] = {"at most": "at most", "at least": "at least"}


@dataclass(frozen=True, slots=True)
class Result:
    """A candidate with its value; `exact` within the rounding of the stated figure, `near` also of the inputs."""

    candidate: Candidate
    computed: Decimal
    exact: bool
    near: bool


def result(one: Candidate) -> Result | None:
    """What a candidate computes; None for a division by zero."""
    numbers, tree = _numbers(one), _tree(one)
    middle = value(tree, numbers)
    if middle is None:
        return None
    target, scale = one.target, _scale(one)
    computed = middle / scale
    figure = target.figure
    if one.rule == "downtime" and figure.hedge in {"at most", "at least"}:
        figure = replace(figure, hedge="")
    off = _off(figure, computed)
    binary = any(_binary(used.figure) for used in (*one.used, target) if "iB" in used.figure.unit)
    room = Decimal("0.08") if binary else Decimal(0) if one.exact and not figure.hedge else loose(figure)
    if one.rule in {"product", "quotient"} and not (binary or figure.hedge):
        room = Decimal("0.01")
    rounding = figure.half if one.exact and not one.raw else max(figure.half, figure.coarse)
    allowed = rounding + abs(figure.high) * room
    near = off <= allowed
    if not near and not _tight(one) and off <= allowed + _most_moved(one, computed):
        moved = spread(tree, numbers, _halves(one, numbers), middle) / abs(scale)
        near = moved <= abs(computed) and off <= allowed + moved
    return Result(one, computed, off <= figure.half, near)


class Working(NamedTuple):
    """What a candidate computes: the term, the values of its inputs, and what 1 of the stated figure is in it."""

    term: Term
    inputs: Mapping[str, Decimal]
    scale: Decimal


def working(one: Candidate) -> Working:
    """The working of a candidate."""
    return Working(_tree(one), _numbers(one), _scale(one))


def room(found: Result) -> Decimal:
    """How far a figure may be from a result because the inputs are rounded: a rise from 4% to 5% is 25%, or 36%.

    `near` allows each input a fortieth of itself at most; here it is the whole half step of its last digit. Several
    inputs are hardly all at the ends of their steps, so what they move the result is added as squares.
    """
    one, figure = found.candidate, found.candidate.target.figure
    numbers, tree = _numbers(one), _tree(one)
    middle = None if one.rule in _TIGHT else value(tree, numbers)
    if middle is None:
        return figure.half
    moved = [
        spread(tree, numbers, {name: _step(used.figure) * abs(numbers[name] / used.figure.low)}, middle)
        for name, used in zip(one.names, one.used, strict=True)
        if used.figure.low
    ]
    return figure.half + sum((part**2 for part in moved), Decimal(0)).sqrt() / abs(_scale(one))


def rooms_off(found: Result) -> float:
    """How many times its `room` a figure is off; up to 1, its inputs may mean it as they are written."""
    off, most = _off(found.candidate.target.figure, found.computed), room(found)
    return float(min(_MOST_ROOMS, off / most)) if most else float(_MOST_ROOMS)


_MOST_ROOMS = Decimal(20)


def _step(figure: Figure) -> Decimal:
    """Half a step of the last digit of an input that may be rounded: not of eight cards, $2 an hour, or 2 bytes."""
    priced = figure.sort == "money" and figure.low >= 1 and figure.half < 1
    counted = figure.unit in _COUNTED and figure.low == int(figure.low)
    return figure.half if _half(figure) and not priced and not counted else Decimal(0)


_COUNTED = frozenset({"byte", "bit", "GPU"})
"""Units of which a whole number is exact."""


def _tight(one: Candidate) -> bool:
    """Whether the inputs of a relation are exact as they are written."""
    return one.rule in _TIGHT or (one.exact and not any(used.figure.hedge for used in one.used))


def _most_moved(one: Candidate, computed: Decimal) -> Decimal:
    """More than the rounding of the inputs of a relation can move its result.

    If it moves it by more than itself, every figure would fit, and none is accepted. Each factor of a product is within
    a fortieth if no word hedges it.
    """
    plain = one.rule in _PRODUCTS and not any(used.figure.hedge for used in one.used)
    return abs(computed) * (_THIRTIETH * len(one.used) if plain else 1)


_PRODUCTS = frozenset(
    {"product", "quotient", "part", "times", "taken", "whole", "multiplied", "divided", "taken twice", "run"}
)
"""Relations that only multiply and divide their inputs, each once."""
_THIRTIETH = Decimal("0.033")


def _binary(figure: Figure) -> bool:
    """Whether a figure is in units of 1024: 16 GiB/s."""
    return figure.unit.partition("/")[0].endswith("iB")


_TIGHT = frozenset({"compound", "downtime", "availability", "stacked", "complement"})
"""Relations whose inputs are exact as written: 99.9% is not 99.85%."""


def _off(figure: Figure, computed: Decimal) -> Decimal:
    if computed and abs(figure.low - computed) <= abs(computed) * _EXACT:
        return Decimal(0)
    if figure.hedge != "at most" and computed < figure.low:
        return figure.low - computed
    if figure.hedge != "at least" and computed > figure.high:
        return computed - figure.high
    return Decimal(0)


_EXACT = Decimal("1e-15")
"""Conversions such as a sixtieth have no exact decimal; so much is no difference."""


def _scale(one: Candidate) -> Decimal:
    """The value of one unit of the stated figure."""
    target = one.target
    if target.kind in {"share", "points"}:
        return Decimal("0.01")
    if not one.united or not target.figure.low:
        return Decimal(1)
    if target.kind != "time":  # only a time is sized by the unit of another
        return target.base / target.figure.low
    other = next((used for used in one.used if used.kind == target.kind and used.unit != target.unit), None)
    return sized(target, other) / target.figure.low


def _numbers(one: Candidate) -> dict[str, Decimal]:
    """The values of the inputs."""
    if not one.united:
        lows = [used.figure.low * (_HUNDREDTH if used.kind == "share" else 1) for used in one.used]
        return dict(zip(one.names, lows, strict=True))
    if not any(used.kind == "time" for used in one.used):
        return {name: used.base for name, used in zip(one.names, one.used, strict=True)}
    every = (*one.used, one.target)
    found = {}
    for name, used in zip(one.names, one.used, strict=True):
        timed = used.kind == "time"
        other = next((two for two in every if two.kind == "time" and two.unit != used.unit), None) if timed else None
        found[name] = sized(used, other)
    return found


_HUNDREDTH = Decimal("0.01")


def _halves(one: Candidate, numbers: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """Half a step of each input."""
    return {
        name: _half(used.figure) * numbers[name] / used.figure.low if used.figure.low else Decimal(0)
        for name, used in zip(one.names, one.used, strict=True)
    }


def _half(figure: Figure) -> Decimal:
    """How far the true figure may be from the written one: plain integers and money are exact unless hedged."""
    if figure.hedge:
        return max(figure.half, figure.low * Decimal("0.05"))
    plain = figure.text.strip(" $€£¥").replace(",", "").replace(".", "").isdigit()
    if (figure.sort == "money" and plain) or (plain and figure.low < 1000 and figure.low == int(figure.low)):
        return Decimal(0)
    return min(figure.half, figure.low * Decimal("0.025"))


def _tree(one: Candidate) -> Term:
    """The expression with the factor between the units of the inputs and of the result."""
    if one.united or one.raw or not one.names or one.rule in {"bill", "payback"}:
        return one.expression
    factor = Decimal(1)
    below = denominator(one.expression)
    for name, used in zip(one.names, one.used, strict=True):
        if not used.figure.low:
            continue  # zero in any unit
        scale = magnitude(used) / (used.figure.low * (Decimal("0.01") if used.kind == "share" else 1))
        factor = factor / scale if name in below else factor * scale
    if one.target.kind not in {"share", "points"} and one.target.figure.low:  # the scale of these is that of the result
        factor /= magnitude(one.target) / one.target.figure.low
    return times(one.expression, factor)


# ---- statements


def holding(passage: Passage, within: Scope, found: Result, sure: Decimal) -> Statement:
    """The statement of a relation that holds."""
    figure = found.candidate.target.figure
    bound = _BOUNDS.get(figure.hedge, "is")
    note, certain = ("", Decimal(1)) if found.exact else ("within the rounding of its figures", Decimal("0.85"))
    if bound != "is" and abs(found.computed - figure.low) > abs(figure.low) / 4:
        note, certain = f"only as a bound: {bound}", Decimal("0.6")
    return _statement(passage, within, found, Outcome("holds", found.computed, note, certain), sure)


def failed(passage: Passage, within: Scope, found: Result, sure: Decimal) -> Statement:
    """The statement of a relation that does not hold."""
    computed = figure_text(
        round(found.computed, 6) if abs(found.computed) < 10**15 else found.computed, _unit(found.candidate)[0]
    )
    note = f"computed {computed}"
    said = qualifier(within, found.candidate, found.computed)
    if said:
        note = f"{note}; the text says “{said}”, and not how much that changes"
        outcome = Outcome("needs-assumption", found.computed, note, Decimal("0.7"))
        return _statement(passage, within, found, outcome, sure)
    certain = Decimal(1)
    if sure < DOUBTFUL:
        note = f"{note}; the text may mean another relation"
    around = passage.mask[max(0, within.sentence.start - 200) : within.sentence.end + 200]
    if DISPUTED.search(around):
        note, certain = f"{note}; the text itself seems to dispute a figure here", Decimal("0.5")
    return _statement(passage, within, found, Outcome("refuted", found.computed, note, certain), sure)


def _statement(passage: Passage, within: Scope, found: Result, outcome: Outcome, sure: Decimal) -> Statement:
    one = found.candidate
    unit, factor = _unit(one)
    away = [used.figure.text.strip() for used in one.used if not within.first <= used.index < within.last]
    note = f"with {', '.join(away)}, elsewhere in the paragraph" if away else ""
    outcome = replace(outcome, note="; ".join(part for part in (outcome.note, note) if part))
    reading = Reading(
        start=within.sentence.start,
        end=within.sentence.end,
        rule=f"solver {one.rule}",
        inputs=_inputs(one),
        expression=_formula(one) + factor,
        stated=one.target.figure,
        unit=unit,
        confidence=sure,
        bound=_BOUNDS.get(one.target.figure.hedge, "is"),
    )
    return statement(reading, passage, outcome)


def _formula(one: Candidate) -> str:
    """The expression in the formula language, in parentheses where a unit follows a sum."""
    tree = _tree(one)
    sums = isinstance(tree, Op) and tree.sign in "+-" and bool(_unit(one)[1])
    return f"({written(tree)})" if sums else written(tree)


def _unit(one: Candidate) -> tuple[str, str]:
    """The unit of the result, and what the expression must be multiplied by to have it."""
    target = one.target
    if target.kind in {"share", "points", "ratio"}:
        return {"share": "%", "points": "pp", "ratio": "x"}[target.kind], ""
    if target.kind == "money":
        return target.unit, f" * 1 {target.unit}" if _plain(one) else ""
    unit = target.figure.unit if target.kind in {"unit", "time"} and known(target.figure.unit) else ""
    if unit and (not one.united or any(used.figure.unit != unit and not known(used.figure.unit) for used in one.used)):
        return unit, f" * 1 {unit}"
    return unit, ""


def _plain(one: Candidate) -> bool:
    """Whether the inputs are plain numbers in the formula: an amount in one currency times a rate in another."""
    money = {used.unit for used in one.used if used.kind == "money"}
    return one.raw and (one.rule == "exchanged" or money != {one.target.unit})


def _inputs(one: Candidate) -> tuple[MinedInput, ...]:
    united = one.united and all(known(used.figure.unit) for used in one.used if used.kind in {"unit", "time"})
    numbers = _numbers(one)
    found = []
    for name, used in zip(one.names, one.used, strict=True):
        figure = used.figure
        unit = (
            used.unit
            if used.kind == "money" and not _plain(one)
            else "%"
            if used.kind in {"share", "points"}
            else figure.unit
            if united and used.kind in {"unit", "time"}
            else ""
        )
        number = (
            figure.low
            if unit or not one.united
            else numbers[name] / (used.factor if used.factor == one.target.factor else 1)
        )
        formula = f"{number:f}{'' if unit in {'', '%'} else ' '}{unit}"
        found.append(
            MinedInput(
                name=name,
                formula=formula,
                text=figure.text.strip(),
                value=number,
                unit=unit,
                half=_half(figure),
                hedged=bool(figure.hedge),
            )
        )
    return tuple(found)
