"""Decisions: which catalogue is believed for an item, from which day, and why.

decisions:
  - item: anthropic/claude-3-5-sonnet     # `anthropic/*` for all of a provider
    component: cache_read                 # optional, as is `processing`
    processing: batch
    from: 2024-10-08
    to: 2025-10-01                        # optional, exclusive
    catalog: cards
    reason: the vendor's own announcement outranks a list that carries no date
"""

from __future__ import annotations

from datetime import date

from compute.yamls import Fields, entries, read
from graph.problems import Problem
from graph.values import Value

_KNOWN = ("item", "component", "processing", "from", "to", "catalog", "reason", "note")


class Decision(Value):
    """`catalog` wins for the questions that fit, on the days `[valid_from, valid_to)`, for the stated reason."""

    item: str
    component: str | None = None
    processing: str | None = None
    valid_from: date
    valid_to: date | None = None
    catalog: str
    reason: str

    def fits(self, item: str, component: str, processing: str, on: date) -> bool:
        """Whether it speaks of this question on this day."""
        named = item == self.item or (self.item.endswith("/*") and item.startswith(self.item[:-1]))
        dated = self.valid_from <= on and (self.valid_to is None or on < self.valid_to)
        return (
            named and dated and self.component in {None, component} and self.processing in {None, processing}
        )  # fmt: skip

    @property
    def weight(self) -> tuple[bool, bool, bool, date]:
        """More exact before less exact, later before earlier."""
        return (not self.item.endswith("/*"), self.component is not None, self.processing is not None, self.valid_from)


def load(document: str, text: str) -> tuple[tuple[Decision, ...], tuple[Problem, ...]]:
    """The decisions of a file; an entry that is wrong is left out and told."""
    root, sheet = read(document, text)
    found = (_decision(fields) for fields in entries(root, sheet, "decisions", _KNOWN))
    return tuple(decision for decision in found if decision is not None), tuple(sheet.problems)


def _decision(fields: Fields) -> Decision | None:
    item, catalog = fields.text("item", need=True), fields.text("catalog", need=True)
    begin, end = fields.day("from", need=True), fields.day("to")
    reason = fields.text("reason", need=True)
    if begin and end and end <= begin:
        fields.fail(fields.at("to"), f"'to' {end} is not after 'from' {begin}", code="empty-interval")
    if fields.broken or not (item and catalog and begin and reason):
        return None
    return Decision(
        item=item, component=fields.text("component"), processing=fields.text("processing"),
        valid_from=begin, valid_to=end, catalog=catalog, reason=reason,
    )  # fmt: skip
