"""Writes verdicts as statements: the quote, the formula, the stated and the computed figure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from datetime import date
from decimal import Context, Decimal
from fractions import Fraction

from compute.figures.figure_models import Figure, Finding, MinedInput, Passage, Statement, StatementKind
from compute.figures.relation_bindings import Binding
from compute.figures.relation_models import WRITTEN
from compute.figures.relation_solver import Verdict
from compute.units.number_format import said, trimmed

_RESERVED = {"price": "list_price", "second": "other", "pue": "stated_pue"}
"""Names of roles that mean something else in formulas."""
LONGEST_QUOTE = 600
SURE = Decimal(1)
_PRECISE = Context(prec=30)
_NAME = re.compile(r"[a-z_]+")
_UNIT = re.compile(r"GPU|[A-Za-z]+")
_COMPUTED = re.compile(r"(^|; )computed (?:[^;:,]|,(?=\d))+(?:, (?=as of )|: |; |$)")


def without_computed(note: str) -> str:
    """A note without its computed figure: `computed 75%; the text may …` becomes `the text may …`."""
    return _COMPUTED.sub(r"\1", note, count=1).removesuffix("; ")


def quoted(text: str, start: int, end: int) -> tuple[str, int]:
    """The text between two offsets, stripped and cut at `LONGEST_QUOTE`, and its start."""
    raw = text[start : min(end, start + LONGEST_QUOTE)]
    lead = len(raw) - len(raw.lstrip())
    return raw.strip(), start + lead


def unit_of(figure: Figure, things: Collection[str] = ()) -> str:
    """The unit of a figure in formulas: `/day` of a count a day; `things` are counted things that are units too."""
    if figure.sort in {"%", "pp", "x"}:
        return figure.sort
    counted = f"{figure.noun if figure.noun in things else ''}/{figure.period}".removesuffix("/")
    return counted if figure.sort == "count" else figure.full_unit


def written(number: str, unit: str) -> str:
    """A number with its unit in the formula language."""
    if unit.startswith("/"):
        return number + unit.replace("/", " / 1 ")
    return f"{number}%" if unit in {"%", "pp"} else number if unit in {"x", ""} else f"{number} {unit}"


def relation_statement(verdict: Verdict, passage: Passage, on: date) -> Statement:
    """The statement of a verdict by a named relation."""
    binding, figure = verdict.binding, verdict.binding.target.figure
    things = _UNIT.findall(" ".join(one.figure.full_unit for one in (*binding.inputs, binding.target)))
    inputs = tuple(_input(name, one.figure, binding, things) for name, one in binding.roles.items())
    unit, computed, note = _timed(unit_of(figure, things), binding), decimal(binding.computed), binding.relation.title
    finding: Finding = "holds" if verdict.holds else "refuted"
    if not verdict.holds:
        note = f"computed {said(Context(prec=6).plus(computed), unit)}; {note}"
    span, text = (binding.target.sentence.start, binding.target.sentence.end), _expression(binding)
    return statement(
        passage, figure, span, inputs=inputs, expression=text, computed=computed, unit=unit, finding=finding,
        note=note, on=on,
    )  # fmt: skip


def statement(
    passage: Passage, figure: Figure, span: tuple[int, int], *, kind: StatementKind = "arithmetic",
    inputs: tuple[MinedInput, ...], expression: str, computed: Decimal, unit: str, finding: Finding, note: str,
    on: date | None = None, within: Decimal | None = None,
) -> Statement:  # fmt: skip
    """A statement about a figure of a sentence; its id depends only on text and working."""
    quote, start = quoted(passage.text, *span)
    text = "\n".join((passage.node, quote, expression, figure.text, *(one.formula for one in inputs)))
    bound = figure.hedge if figure.hedge in {"at most", "at least"} else "is"
    return Statement(
        id=f"{passage.node}#{hashlib.sha256(text.encode()).hexdigest()[:8]}",
        node=passage.node,
        quote=quote,
        kind=kind,
        inputs=inputs,
        expression=expression,
        stated=figure.low,
        computed=trimmed(_PRECISE.plus(computed)),
        unit=unit,
        verdict=finding,
        confidence=SURE,
        note=note,
        start=start,
        figure_start=figure.start,
        figure_end=figure.end,
        within=figure.half if within is None else within,
        bound=bound,
        as_of=on,
    )


def decimal(value: Fraction) -> Decimal:
    """A fraction as a decimal of thirty digits."""
    return _PRECISE.divide(Decimal(value.numerator), Decimal(value.denominator))


def given(name: str, figure: Figure, unit: str) -> MinedInput:
    """A figure as an input of a formula."""
    return MinedInput(
        name=_RESERVED.get(name, name),
        formula=written(f"{figure.low:f}", unit),
        text=figure.text.strip(),
        value=figure.low,
        unit=unit,
        half=figure.half,
        hedged=bool(figure.hedge),
    )


def _input(name: str, figure: Figure, binding: Binding, things: Collection[str]) -> MinedInput:
    unit = unit_of(figure, things)
    kinds = next((role.kinds for role in binding.relation.roles if role.name == name), ())
    pers = {one.figure.per for one in binding.inputs if one.figure.per}
    each = len(binding.roles) > 1 or binding.target.figure.per
    if "bits" in kinds and figure.unit in {"bit", "byte"} and not figure.per and each:
        unit = f"{figure.unit}/parameter"
    elif figure.per == "h" and any(one.figure.noun == "GPU-hour" for one in binding.inputs):
        unit = f"{figure.unit}/GPU/h"
    elif "flops" in kinds and binding.target.figure.unit == "GPUh":
        unit = f"{unit}/GPU"
    elif binding.adopted and figure.sort == "money" and not figure.per and len(pers) == 1:
        unit = f"{unit}/{pers.pop()}"
    return given(name, figure, _timed(unit, binding))


def _timed(unit: str, binding: Binding) -> str:
    """A unit with the month of a binding."""
    return re.sub(r"\bmonth\b", "month_720h", unit) if binding.lengths[0] == 720 else unit


def _expression(binding: Binding) -> str:
    """The formula in the language of claims."""
    names = {**WRITTEN, **_RESERVED, "month": _timed("1 month", binding)}
    text = _NAME.sub(lambda match: names.get(match[0], match[0]), binding.formula)
    if binding.relaxed == "per":
        return f"({text}) / (1 {binding.target.figure.period})"
    return f"({text}) * (1 {binding.relaxed})" if binding.relaxed else text
