"""Decisions: which catalogue to use for an item, from which day, and why; docs/prices.md has the form."""

from __future__ import annotations

from datetime import date
from functools import partial

from pydantic import Field, field_validator

from graph.yaml.validation import Day, Line, Written, after_from, values


class Decision(Written):
    """`catalog` wins for the queries that match, on the days `[valid_from, valid_to)`, for the stated reason."""

    item: Line
    component: Line | None = None
    processing: Line | None = None
    valid_from: Day = Field(validation_alias="from")
    valid_to: Day | None = Field(None, validation_alias="to")
    catalog: Line
    reason: Line
    note: Line | None = Field(None, exclude=True)

    _interval = field_validator("valid_to")(after_from)

    def fits(self, item: str, component: str, processing: str, on: date) -> bool:
        """Whether the decision applies to this query on this day."""
        named = item == self.item or (self.item.endswith("/*") and item.startswith(self.item[:-1]))
        dated = self.valid_from <= on and (self.valid_to is None or on < self.valid_to)
        return (
            named and dated and self.component in {None, component} and self.processing in {None, processing}
        )  # fmt: skip

    @property
    def weight(self) -> tuple[bool, bool, bool, date]:
        """Precedence: more specific first, then later first."""
        return (not self.item.endswith("/*"), self.component is not None, self.processing is not None, self.valid_from)


class Decisions(Written):
    """A file of decisions."""

    decisions: tuple[Decision, ...]


load = partial(values, Decisions, Decision)  # the valid decisions of a file, and its problems
