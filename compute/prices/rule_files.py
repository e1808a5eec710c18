"""What an analyst states in files besides prices: assumptions, decisions between catalogues, and own units.

docs/prices.md has the forms. Families have a module of their own, age limits are in `data_freshness`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache, partial

from pydantic import Field, ValidationInfo, field_validator

from compute.prices.amounts import Amount, AmountField
from compute.prices.price_models import Assumption, meet, span
from compute.units.unit_table import MULTIPLES, REFUSED
from compute.units.units import Vocabulary
from graph.models.written_figures import RangeShape, ShapeField, complain_at_edge
from graph.problems import Problem
from graph.yaml.validation import Day, Line, Source, Texts, Written, after_from, entries, mistake, values

# ---- assumptions: named, dated figures without a quoted price, with range and source


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


def load_assumptions(document: str, text: str) -> tuple[tuple[Assumption, ...], tuple[Problem, ...]]:
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


# ---- decisions: which catalogue to use for an item, from which day, and why


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


load_decisions = partial(values, Decisions, Decision)  # the valid decisions of a file, and its problems


# ---- own units: things that are counted and priced, each a dimension of its own

RESERVED = frozenset({*Vocabulary().names, *REFUSED, "per"})  # words that cannot name own units


def _named(words: Iterable[str]) -> None:
    for word in words:
        if not (word.isascii() and word.isidentifier() and word[0].isalpha()) or "__" in word or len(word) > 40:
            hint = "letters, digits and single _, such as ticket"
            raise mistake("bad-unit", f"{word!r} cannot be the name of a unit", hint=hint)
        taken = [prefix + word for prefix in ("", *(prefix for prefix, _ in MULTIPLES)) if prefix + word in RESERVED]
        if taken:
            raise mistake("unit-exists", f"{taken[0]!r} is a unit already", hint="use it, or choose another name")


class OwnUnit(Written):
    """A thing that is counted."""

    name: Line = Field(description="The name, in the singular: ticket.")
    also: Texts = Field((), description="Other names, in the singular.")
    plural: Texts = Field((), description="The plurals of these names: tickets.")
    note: Line = ""

    @field_validator("name")
    @classmethod
    def _sound(cls, name: str) -> str:
        _named([name])
        return name

    @field_validator("also", "plural")
    @classmethod
    def _separated(cls, words: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        _named(words)
        twice = set(words) & {info.data.get("name"), *(info.data.get("also") or ())}
        if twice or len(set(words)) < len(words):
            raise mistake("unit-twice", f"{sorted(twice or words)[0]!r} is named twice", hint="leave one out")
        return words

    @property
    def words(self) -> tuple[str, ...]:
        """Every word for the thing."""
        return (self.name, *self.also, *self.plural)


class Units(Written):
    """A file of own units."""

    units: tuple[OwnUnit, ...]


def load_units(document: str, text: str) -> tuple[tuple[OwnUnit, ...], tuple[Problem, ...]]:
    """The valid units of a file, and its problems."""
    source = Source(document, text)
    found: list[OwnUnit] = []
    for entry in entries(source, Units, OwnUnit):
        if entry.value is None:
            continue
        taken = {word for one in found for word in one.words} & set(entry.value.words)
        if taken:
            message = f"{min(taken)!r} is the name of two units"
            entry.complain((), message, code="unit-twice", hint="give each thing its own words")
            continue
        found.append(entry.value)
    return tuple(found), tuple(source.problems)


def vocabulary_of(own: Iterable[OwnUnit]) -> Vocabulary:
    """The vocabulary with these own units; of two that share a word the first counts."""
    known: dict[str, OwnUnit] = {}
    for one in own:
        if not known.keys() & set(one.words):
            known |= dict.fromkeys(one.words, one)
    return _vocabulary(tuple(dict.fromkeys((one.name, one.also, one.plural) for one in known.values())))


_vocabulary = lru_cache(maxsize=16)(Vocabulary)
