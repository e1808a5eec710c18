"""Families: what a name such as `anthropic/sonnet` meant on which day.

    families:
      anthropic/sonnet:
        - from: 2024-06-20                 # the day of release, and the day on which the family began to mean it
          model: anthropic/claude-3-5-sonnet
          source: https://…
          released: 2024-06-20             # optional, where the release was on another day

A model has no price before the day of its release, whatever an undated catalogue carries.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from compute.yamls import Fields, Mark, Sheet, read
from graph.problems import Problem
from graph.values import Value

_KNOWN = ("from", "model", "source", "released", "note")


class Member(Value):
    """The model that a family means from `begins` on; `released` is the day on which the model came out."""

    model: str
    begins: date
    released: date
    source: str | None = None
    note: str = ""


class Family(Value):
    """A family with its members in the order of their days."""

    name: str
    members: tuple[Member, ...]

    def on(self, day: date) -> Member | None:
        """The member on a day; None before the first."""
        current = [member for member in self.members if member.begins <= day]
        return current[-1] if current else None


def load(document: str, text: str) -> tuple[tuple[Family, ...], tuple[Problem, ...]]:
    """The families of a file, each with at least one member; what could not be read is left out and told."""
    root, sheet = read(document, text)
    listing = Fields(root, sheet, ("families",), "the file").need("families") if root else None
    families = []
    if listing is not None:
        if not isinstance(listing.value, dict):
            sheet.complain(listing, "'families' must map a name to its models", code="yaml-shape")
        else:
            families = [_family(name, mark, sheet) for name, mark in listing.value.items()]
    return tuple(family for family in families if family.members), tuple(sheet.problems)


def _family(name: str, mark: Mark, sheet: Sheet) -> Family:
    if not mark.items():
        sheet.complain(mark, f"the family {name!r} needs a list of models", code="yaml-shape")
    if "/" not in name:
        sheet.complain(mark, f"the family {name!r} needs a provider", code="bad-item", hint=f"provider/{name}")
    members: list[Member] = []
    for entry in mark.items():
        member = _member(Fields(entry, sheet, _KNOWN, f"a model of {name!r}"))
        if member is None:
            continue
        if members and member.begins <= members[-1].begins:
            message = f"{member.model} begins on {member.begins}, not after {members[-1].model}"
            sheet.complain(entry, message, code="family-order", hint="oldest first, one model a day")
            continue
        members.append(member)
    return Family(name=name, members=tuple(members))


def _member(fields: Fields) -> Member | None:
    begins, model = fields.day("from", need=True), fields.text("model", need=True)
    if model is not None and "/" not in model:
        fields.fail(
            fields.at("model"), f"the model {model!r} needs a provider", code="bad-item", hint=f"provider/{model}"
        )
    released, source, note = fields.day("released"), fields.text("source"), fields.text("note")
    if fields.broken or begins is None or model is None:
        return None
    return Member(model=model, begins=begins, released=released or begins, source=source, note=note or "")


def releases(families: Iterable[Family]) -> dict[str, date]:
    """The first day of each model that some family names."""
    days: dict[str, date] = {}
    for family in families:
        for member in family.members:
            days[member.model] = min(member.released, days.get(member.model, member.released))
    return days
