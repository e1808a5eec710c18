"""Assumptions: named, dated figures that nobody quotes a price for, each with its range and its source.

assumptions:
  - name: pue
    value: 1.3
    low: 1.1
    high: 1.6
    from: 2024-01-01
    source: https://…
    checked: 2025-01-31
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal

from compute.amounts import Amount, amount
from compute.prices import Assumption
from compute.yamls import Fields, Sheet, entries, read
from graph.problems import Problem

_KNOWN = ("name", "value", "low", "high", "from", "to", "source", "checked", "note")


def load(document: str, text: str) -> tuple[tuple[Assumption, ...], tuple[Problem, ...]]:
    """The assumptions of a file; an entry that is wrong is left out and told."""
    root, sheet = read(document, text)
    found = []
    for fields in entries(root, sheet, "assumptions", _KNOWN):
        assumption = _assumption(fields)
        if assumption is not None:
            found.append(assumption)
            _overlap(found[:-1], assumption, fields, sheet)
    return tuple(found), tuple(sheet.problems)


def _assumption(fields: Fields) -> Assumption | None:
    name, value = fields.text("name", need=True), amount(fields, "value")
    begin, end = fields.day("from"), fields.day("to")
    checked, source = fields.day("checked", need=True), fields.text("source", need=True)
    low, high = _bound(fields, "low", value), _bound(fields, "high", value)
    if begin and end and end <= begin:
        fields.fail(fields.at("to"), f"'to' {end} is not after 'from' {begin}", code="empty-interval")
    if value and ((low is not None and low > value.value) or (high is not None and high < value.value)):
        fields.fail(fields.at("value"), f"{value.value} lies outside of its range", code="bad-range")
    if fields.broken or name is None or value is None:
        return None
    return Assumption(
        name=name, value=value.value, unit=value.unit, low=low, high=high, valid_from=begin, valid_to=end,
        source=source, checked=checked, note=fields.text("note") or "",
    )  # fmt: skip


def _bound(fields: Fields, name: str, value: Amount | None) -> Decimal | None:
    """An end of the range, in the unit of the value; a bare number takes that unit."""
    found = amount(fields, name, need=False)
    if found is None or value is None:
        return None
    if found.unit and found.unit != value.unit:
        fields.fail(fields.at(name), f"{name!r} is in {found.unit!r}, the value in {value.unit!r}", code="bad-unit")
    return found.value


def _overlap(others: Sequence[Assumption], new: Assumption, fields: Fields, sheet: Sheet) -> None:
    for other in others:
        if other.name == new.name and meet((other.valid_from, other.valid_to), (new.valid_from, new.valid_to)):
            sheet.complain(fields.mark, f"{new.name!r} stands twice for some days", code="overlap")
            return


def meet(one: tuple[date | None, date | None], two: tuple[date | None, date | None]) -> bool:
    """Whether two intervals `[from, to)` have a day in common."""
    latest = max(one[0] or date.min, two[0] or date.min)
    return latest < (one[1] or date.max) and latest < (two[1] or date.max)


def current(assumption: Assumption, on: date) -> bool:
    """Whether an assumption holds on a day."""
    begin, end = assumption.valid_from, assumption.valid_to
    return (begin is None or begin <= on) and (end is None or on < end)


def by_name(assumptions: Iterable[Assumption]) -> dict[str, list[Assumption]]:
    """Assumptions in lists by name."""
    index: dict[str, list[Assumption]] = defaultdict(list)
    for assumption in assumptions:
        index[assumption.name].append(assumption)
    return dict(index)
