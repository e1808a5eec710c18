"""Assumptions: named, dated figures without a quoted price, with range and source; docs/prices.md has the form."""

from __future__ import annotations

from pydantic import Field, ValidationInfo, field_validator

from compute.prices.amounts import Amount, AmountField
from compute.prices.price_models import Assumption, meet, span
from graph.models.written_figures import RangeShape, ShapeField, complain_at_edge
from graph.problems import Problem
from graph.yaml.validation import Day, Line, Source, Written, after_from, entries, mistake


class StatedAssumption(Written):
    """A named figure without a quoted price."""

    name: Line
    value: AmountField
    low: AmountField | None = None
    high: AmountField | None = None
    shape: ShapeField = Field(RangeShape.UNIFORM, description="How likely the values from low to high are.")
    valid_from: Day | None = Field(None, validation_alias="from", description="The first day.")
    valid_to: Day | None = Field(
        None, validation_alias="to", description="The first day on which it no longer applies."
    )
    source: Line
    checked: Day
    note: Line = ""

    @field_validator("low", "high")
    @classmethod
    def _fits(cls, bound: Amount | None, info: ValidationInfo) -> Amount | None:
        value: Amount | None = info.data.get("value")
        if bound is None or value is None:
            return bound
        if bound.unit and bound.unit != value.unit:
            message = f"{info.field_name!r} is in {bound.unit!r}, the value in {value.unit!r}"
            raise mistake("bad-unit", message, hint="write both in the same unit")
        if bound.value > value.value if info.field_name == "low" else bound.value < value.value:
            raise mistake("bad-range", f"the value {value.value} is outside its range")
        return bound

    @field_validator("shape")
    @classmethod
    def _possible(cls, shape: RangeShape, info: ValidationInfo) -> RangeShape:
        low: Amount | None = info.data.get("low")
        high: Amount | None = info.data.get("high")
        if {"low", "high"} <= info.data.keys() and (low is None or high is None):
            raise mistake("range-shape", "a shape needs low and high", hint="add the missing end of the range")
        if shape is RangeShape.LOGNORMAL and low is not None and low.value <= 0:
            hint = "write uniform, triangular or normal"
            raise mistake("range-shape", "a lognormal range begins above 0", hint=hint)
        return shape

    _interval = field_validator("valid_to")(after_from)

    def assumption(self) -> Assumption:
        """The assumption with its range in the unit of its value."""
        ends = {name: bound and bound.value for name, bound in (("low", self.low), ("high", self.high))}
        return Assumption(**{**dict(self), **ends, "value": self.value.value, "unit": self.value.unit})


class Assumptions(Written):
    """A file of assumptions."""

    assumptions: tuple[StatedAssumption, ...]


def load(document: str, text: str) -> tuple[tuple[Assumption, ...], tuple[Problem, ...]]:
    """The valid assumptions of a file, and its problems."""
    source = Source(document, text)
    found: list[Assumption] = []
    for entry in entries(source, Assumptions, StatedAssumption):
        if entry.value is not None:
            new = entry.value.assumption()
            if new.low is not None and new.high is not None:
                complain_at_edge(entry, ("value",), new.name, (new.low, new.high), new.value)
            if any(other.name == new.name and meet(span(other), span(new)) for other in found):
                hint = "add 'to' to the earlier one"
                entry.complain((), f"{entry.value.name!r} has two values for some days", code="overlap", hint=hint)
            found.append(new)
    return tuple(found), tuple(source.problems)
