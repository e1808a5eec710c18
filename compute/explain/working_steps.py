"""The working of a verdict: its inputs with their sources, and each step with names replaced by numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal, localcontext
from typing import Any

from compute.claims.claim_case import Case
from compute.claims.claim_day import ClaimDay
from compute.claims.claim_program import Given
from compute.claims.expectations import FieldError
from compute.claims.input_lookups import Figure
from compute.explain.expectation_text import expected, standing, value_text
from compute.formula.formula_errors import Undefined
from compute.formula.formula_tree import AssumptionLeaf, Leaf, Node, PriceLeaf, Slot, parts
from compute.formula.unit_types import UnitType, unit_type
from compute.prices.price_models import Missing, Price
from compute.prices.price_selection import tier_text
from compute.units.number_format import amount, behind, in_unit, said, trimmed
from compute.units.units import EXACT, PERCENT, PLAIN, Unit, shown
from graph.models.verdict_models import Input, Step

_NAMED = re.compile(r"as of (\d{4}-\d{2}-\d{2}), the day that the formula names")


def inputs(day: ClaimDay) -> tuple[Input, ...]:
    """Every leaf of the claim with its value on the day and its source."""
    found = []
    for label, leaf, figure in zip(day.program.labels, day.program.leaves, day.figures, strict=True):
        one = _input(label, leaf, figure)
        if leaf.on is not None:
            named = f"as of {leaf.on.isoformat()}, the day that the formula names"
            one = one.model_copy(update={"note": f"{named}; {one.note}" if one.note else named})
        found.append(one)
    return tuple(found)


def named_day(found: Input) -> date | None:
    """The day that the formula names for an input; None if looked up for the day of evaluation."""
    note = _NAMED.match(found.note)
    return date.fromisoformat(note[1]) if note else None


def _input(label: str, leaf: Leaf, figure: Figure | Missing) -> Input:
    asked = leaf.question if isinstance(leaf, PriceLeaf) else None
    if isinstance(figure, Missing):
        what: dict[str, Any] = {"item": asked.item, "component": asked.component} if asked else {}
        what["kind"] = "price" if isinstance(leaf, PriceLeaf) else "literal"
        if isinstance(leaf, AssumptionLeaf):
            what["kind"] = "assumption"
        return Input(name=label, value=None, unit="", note=f"{figure.what}: {figure.reason}", **what)
    if figure.origin is None:
        return Input(name=label, value=trimmed(figure.stated), unit=figure.unit.text, kind="literal", note=figure.note)
    shared = {name: value for name, value in figure.origin if name in Input.model_fields}
    if isinstance(figure.origin, Price):
        note = _note(figure, figure.origin, asked.item if asked else "")
        return Input(**shared | {"name": label, "kind": "price", "note": note})
    held, span = figure.origin, ""
    if held.low is not None and held.high is not None:
        span = f"between {said(held.low, held.unit)} and {said(held.high, held.unit)}"
    note = "; ".join(part for part in (span, held.note) if part)
    return Input(**shared | {"name": label, "kind": "assumption", "item": figure.origin.name, "note": note})


def _note(figure: Figure, price: Price, asked: str) -> str:
    parts = [
        f"{figure.family} means {price.item}" if figure.family and price.item != asked else "",
        f"derived: {price.derived}" if price.derived else "",
        _undated(price),
        price.note,
        figure.note,
    ]
    for one, rival in ((one, one.price) for one in figure.rivals):
        if rival:
            tier = f" {tier_text(rival)}" if rival.above != price.above else ""
            parts.append(f"{rival.catalog} says {one.text}{tier}")
    return "; ".join(part for part in parts if part)


def _undated(price: Price) -> str:
    if price.last_seen is not None:
        return f"from a snapshot: {price.catalog} stated it until {price.last_seen}"
    if price.dated != "record":
        return ""
    return "recorded since that day; may be older" if price.valid_from else "the catalogue gives no date for it"


def steps(case: Case) -> tuple[Step, ...]:
    """The derivation: each given, the value, the expectation; it ends at the first missing input."""
    if case.judged.known is not None:
        return tuple(_Derivation(case, case.judged.known).steps())
    return tuple(
        _figure_step(label, figure)
        if isinstance(figure, Figure)
        else Step(name=label, text=f"{figure.what}: {figure.reason}", value=None, unit="")
        for label, figure in zip(case.judged.program.labels, case.judged.figures, strict=True)
    )


def _figure_step(label: str, figure: Figure, text: str = "") -> Step:
    where = _where(figure)
    told = f"{text} = " if text and text != label else ""
    told += figure.text
    return Step(
        name=label, text=told + (f" ({where})" if where else ""), value=trimmed(figure.stated), unit=figure.unit.text
    )


def _where(figure: Figure) -> str:
    if figure.price is not None:
        since = f" since {figure.price.valid_from}" if figure.price.valid_from else ""
        derived = ", derived" if figure.price.derived else ""
        note = f"; {figure.note}" if figure.note else ""
        return f"{figure.price.item}, {figure.price.catalog}{since}{derived}{note}"
    return "assumption" if figure.assumption is not None else figure.note


class _Derivation:
    """The steps of one case, with names replaced by displayed numbers."""

    def __init__(self, case: Case, figures: Sequence[Figure]) -> None:
        self._case, self._figures, self._program = case, figures, case.program
        self._shown: dict[int, tuple[Decimal, Unit]] = {
            index: (figure.stated, figure.unit) for index, figure in enumerate(figures)
        }
        size = len(self._program.sorts)
        self._frame = [figure.value for figure in figures] + [Decimal(0)] * (size - len(figures))
        self._sorts: Sequence[UnitType] = self._program.sorts
        with suppress(FieldError):
            self._sorts = self._program.bound_sorts(tuple(figure.dimension for figure in figures))

    def steps(self) -> Iterator[Step]:
        """One step for each given, one for the value, one for the expectation."""
        with localcontext(EXACT):
            for given in self._program.givens:
                yield self._given(given)
            named = {given.slot for given in self._program.givens}
            for index, figure in enumerate(self._figures):
                if index not in named:  # a lookup inside a formula
                    yield _figure_step(self._program.labels[index], figure)
            program, reading = self._program, self._case.judged.reading
            if reading.value is None:
                yield Step(name="value", text=f"{_one_line(program.text)}: {reading.reason}", value=None, unit="")
            else:
                yield self._worked("value", program.text, program.term, reading.value, self._case.unit)
        if reading.value is None or reading.holds is None or reading.margin is None:
            text = expected(self._case, reading)
        else:
            text = f"{'met' if reading.holds else 'missed'}: {standing(self._case, reading)}"
        yield Step(name="expected", text=text, value=None, unit="")

    def _given(self, given: Given) -> Step:
        if given.leaf:
            figure = self._figures[given.slot]
            return _figure_step(given.name, figure, "" if figure.kind == "literal" else _one_line(given.text))
        try:
            value = dict(self._program.computed)[given.slot](self._frame)
        except ArithmeticError as error:
            why = str(error) if isinstance(error, Undefined) else "too large to compute"
            return Step(name=given.name, text=f"{_one_line(given.text)}: {why}", value=None, unit="")
        self._frame[given.slot] = value
        shown = self._unit(given.term)
        self._shown[given.slot] = in_unit(value, shown), shown
        return self._worked(given.name, given.text, given.term, value, shown)

    def _worked(self, name: str, text: str, term: Node, value: Decimal, shown: Unit) -> Step:
        written = _one_line(text)
        worked = [] if isinstance(term, Slot) else [self._substituted(written, term, shown)]
        result = value_text(self._case, self._case.judged.reading) if name == "value" else amount(value, shown)
        told = dict.fromkeys((written, *worked, result))
        return Step(name=name, text=" = ".join(told), value=in_unit(value, shown), unit=shown.text)

    def _substituted(self, text: str, term: Node, shown: Unit) -> str:
        """The formula with names and lookups replaced by numbers.

        Units are omitted if all are the same and the result is not in another unit of that dimension.
        """
        used = {slot.text: self._shown[slot.index] for slot in _slots(term) if slot.index in self._shown}
        if not used:
            return text
        unit = next(iter(used.values()))[1]
        same = {other.text for _, other in used.values()} == {unit.text} and unit.dimension is not PLAIN
        same = same and (shown.text == unit.text or shown.dimension is not unit.dimension)
        told = {
            name: said(value, unit.text).removesuffix(behind(value, unit.text) if same else "")
            for name, (value, unit) in used.items()
        }
        names = sorted(told, key=len, reverse=True)
        pattern = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)(?!\s*=[^=])" for name in names)
        return re.sub(pattern, lambda match: told[match.group()], text)

    def _unit(self, term: Node) -> Unit:
        """Unit of a term; percent if computed from percentages only."""
        found = shown(unit_type(term, self._sorts).dimension)
        shares = {self._shown[slot.index][1].share for slot in _slots(term) if slot.index in self._shown}
        return PERCENT if found.dimension is PLAIN and shares == {True} else found


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _slots(term: Node) -> Iterator[Slot]:
    return (one for one in parts(term) if isinstance(one, Slot))
