"""The age of the data on a day, and the ages from which a source warns and fails; docs/prices.md has the form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from functools import partial
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from compute.prices.price_models import Assumption, Catalog
from graph.groups import group_by
from graph.models.verdict_models import OldestInput, VerdictRow
from graph.values import Value
from graph.yaml.validation import FromText, Line, Written, mistake, values

Kind = Literal["catalog", "assumption"]
State = Literal["fresh", "old", "too old", "unknown"]


def _days(value: object) -> object:
    if not isinstance(value, str):
        return value
    number, _, word = value.strip().partition(" ")
    if not (number.isascii() and number.isdigit() and len(number) < 6 and word in {"day", "days"}):
        raise mistake("bad-age", f"{value!r} is not an age", hint="write a number of days: 90 days")
    return int(number)


Age = Annotated[int, FromText(_days, {"type": "string", "pattern": r"^\d+ days?$"})]


class Limit(Written):
    """The ages from which a catalogue or an assumption is old, and too old."""

    catalog: Line | None = Field(None, description="The name of a catalogue; * for all others.")
    assumption: Line | None = Field(None, description="The name of an assumption; * for all others.")
    warn_after: Age
    error_after: Age

    @field_validator("error_after")
    @classmethod
    def _later(cls, error: int, info: ValidationInfo) -> int:
        if error < info.data.get("warn_after", 0):
            raise mistake("bad-range", "'error_after' is before 'warn_after'", hint="write the larger age here")
        return error

    @model_validator(mode="after")
    def _one(self) -> Limit:
        if (self.catalog is None) == (self.assumption is None):
            raise mistake("missing-key", "an entry must name either a catalog or an assumption")
        return self

    @property
    def kind(self) -> Kind:
        """What the ages are of."""
        return "catalog" if self.catalog else "assumption"

    @property
    def name(self) -> str:
        """The name of the catalogue or the assumption."""
        return self.catalog or self.assumption or "*"


class Limits(Written):
    """A file of age limits."""

    freshness: tuple[Limit, ...]


load = partial(values, Limits, Limit)  # the valid limits of a file, and its problems


DEFAULTS = (
    Limit(catalog="*", warn_after=30, error_after=365),
    Limit(assumption="*", warn_after=365, error_after=1095),
)

_WORST_FIRST: tuple[State, ...] = ("too old", "unknown", "old", "fresh")


class Freshness(Value):
    """The age of a source in days; `days` is None if the last check is unknown."""

    kind: Kind
    name: str
    checked: date | None
    days: int | None
    state: State

    @property
    def check_text(self) -> str:
        """The day of the last check, in words."""
        if self.checked is None or self.days is None:
            return "the day of the last check is unknown"
        ago = f"{self.days} day{'s' if self.days != 1 else ''} before" if self.days else "that day"
        return f"checked {self.checked.isoformat()}, {ago}" if self.days >= 0 else f"checked {self.checked.isoformat()}"


class AgedInput(OldestInput):
    """The oldest input of `verdicts` verdicts, checked `limit` days ago or earlier."""

    limit: int
    verdicts: int


def aged(
    rows: Iterable[VerdictRow], catalogs: Iterable[Catalog], assumptions: Iterable[str], limits: Iterable[Limit] = ()
) -> tuple[AgedInput, ...]:
    """The oldest input of each verdict where past its limit (a price has its catalogue's), the oldest first."""
    read = Counter(row.oldest_input for row in rows if row.oldest_input is not None)
    every, named = (*limits, *DEFAULTS), frozenset(assumptions)
    wanted, own = {(one.item, one.checked) for one in read}, dict[tuple[str, date], int]()
    for catalog in catalogs:
        limit = _limit("catalog", catalog.name, every).warn_after
        for price in catalog.prices:
            checked = price.checked or catalog.taken
            if checked is not None and (price.item, checked) in wanted:
                own[price.item, checked] = min(limit, own.get((price.item, checked), limit))
    found = []
    for one, verdicts in read.items():
        if one.item in named:
            limit = _limit("assumption", one.item, every).warn_after
        else:
            limit = own.get((one.item, one.checked), _limit("catalog", "*", every).warn_after)
        if one.days >= limit:
            found.append(AgedInput(**vars(one), limit=limit, verdicts=verdicts))
    return tuple(sorted(found, key=lambda one: (-one.days, -one.verdicts, one.item)))


def _limit(kind: Kind, name: str, limits: Iterable[Limit]) -> Limit:
    mine = [limit for limit in limits if limit.kind == kind]
    return next(one for wanted in (name, "*") for one in mine if one.name == wanted)


def grouped(ages: Iterable[Freshness]) -> tuple[Freshness, ...]:
    """The ages of a kind with one day and state as one, names joined; the worst and oldest first."""
    groups = group_by(ages, lambda one: one.model_copy(update={"name": ""}))
    found = [one.model_copy(update={"name": ", ".join(each.name for each in same)}) for one, same in groups.items()]
    return tuple(sorted(found, key=lambda one: (_WORST_FIRST.index(one.state), -(one.days or 0), one.kind)))


def freshness(
    catalogs: Iterable[Catalog], assumptions: Iterable[Assumption], on: date, limits: Iterable[Limit] = ()
) -> tuple[Freshness, ...]:
    """The age of each catalogue and of each assumption valid on the day."""
    every = (*limits, *DEFAULTS)
    found = [_age("catalog", catalog.name, catalog.taken, on, every) for catalog in catalogs]
    return (*found, *(_age("assumption", one.name, one.checked, on, every) for one in assumptions if one.on(on)))


def _age(kind: Kind, name: str, checked: date | None, on: date, limits: Iterable[Limit]) -> Freshness:
    if checked is None:
        return Freshness(kind=kind, name=name, checked=None, days=None, state="unknown")
    limit, days = _limit(kind, name, limits), (on - checked).days
    state: State = "too old" if days >= limit.error_after else "old" if days >= limit.warn_after else "fresh"
    return Freshness(kind=kind, name=name, checked=checked, days=days, state=state)
