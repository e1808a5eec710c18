"""Writes verdicts as statements: the quote, the formula, the stated and the computed figure."""

from __future__ import annotations

import hashlib
import re
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
_COMPUTED = re.compile(r"(^|; )computed (?:[^;:,]|,(?=\d))+(?:, (?=as of )|: |; |$)")


def without_computed(note: str) -> str:
    """A note without its computed figure: `computed 75%; the text may …` becomes `the text may …`."""
    return _COMPUTED.sub(r"\1", note, count=1).removesuffix("; ")


def quoted(text: str, start: int, end: int) -> tuple[str, int]:
    """The text between two offsets, stripped and cut at `LONGEST_QUOTE`, and its start."""
    raw = text[start : min(end, start + LONGEST_QUOTE)]
    lead = len(raw) - len(raw.lstrip())
    return raw.strip(), start + lead


def unit_of(figure: Figure, *, gpus: bool = False) -> str:
    """The unit of a figure in formulas; `gpus` makes GPU one."""
    if figure.sort in {"%", "pp", "x"}:
        return figure.sort
    if figure.sort == "count":
        return "GPU" if gpus and figure.noun == "GPU" else ""
    return figure.full_unit


def relation_statement(verdict: Verdict, passage: Passage, on: date) -> Statement:
    """The statement of a verdict by a named relation."""
    binding, figure = verdict.binding, verdict.binding.target.figure
    gpus = any("GPU" in one.figure.full_unit for one in (*binding.roles.values(), binding.target))
    inputs = tuple(_input(name, one.figure, binding, gpus=gpus) for name, one in binding.roles.items())
    unit, computed, note = unit_of(figure, gpus=gpus), decimal(binding.computed), binding.relation.title
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


def given(name: str, figure: Figure, unit: str, formula_unit: str = "") -> MinedInput:
    """A figure as an input of a formula; `formula_unit` is its unit there, if another."""
    written = {"x": "", "pp": "%"}.get(unit, formula_unit or unit)
    gap = " " if written and written != "%" else ""
    return MinedInput(
        name=_RESERVED.get(name, name),
        formula=f"{figure.low:f}{gap}{written}",
        text=figure.text.strip(),
        value=figure.low,
        unit=unit,
        half=figure.half,
        hedged=bool(figure.hedge),
    )


def _input(name: str, figure: Figure, binding: Binding, *, gpus: bool) -> MinedInput:
    unit = unit_of(figure, gpus=gpus)
    kinds = next((role.kinds for role in binding.relation.roles if role.name == name), ())
    if "bits" in kinds and figure.unit in {"bit", "byte"} and not figure.per:
        unit = f"{figure.unit}/parameter"
    return given(name, figure, unit, re.sub(r"\bmonth\b", _month(binding), unit))


def _month(binding: Binding) -> str:
    return "month_720h" if binding.lengths[0] == 720 else "month"


def _expression(binding: Binding) -> str:
    """The formula in the language of claims."""
    names = {**WRITTEN, **_RESERVED, "month": f"1 {_month(binding)}"}
    text = _NAME.sub(lambda match: names.get(match[0], match[0]), binding.formula)
    if binding.relaxed == "per":
        return f"({text}) / (1 {binding.target.figure.period})"
    return f"({text}) * (1 {binding.relaxed})" if binding.relaxed else text
