"""Series for the charts of a claim: its value against its bounds by day, and over one of its inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import groupby

from api.pages.views.claim_table import AHEAD, PageContext
from api.pages.views.input_fields import Field
from compute.claims.claim_case import Case
from compute.claims.claim_cases import Cases
from compute.claims.overrides import NONE, Overrides, overrides
from graph.models.claim_models import Claim

SAMPLES = 40


@dataclass(frozen=True, slots=True)
class Point:
    """The claim at one place: a day or a value of an input. `low` and `high` bound what is expected."""

    at: date | Decimal
    value: Decimal | None
    low: Decimal | None
    high: Decimal | None
    holds: bool | None

    @property
    def x(self) -> float:
        """The place on the axis."""
        return float(self.at.toordinal() if isinstance(self.at, date) else self.at)


@dataclass(frozen=True, slots=True)
class Series:
    """Points in order, and the unit of their values."""

    points: tuple[Point, ...]
    unit: str = ""

    def pieces(self) -> list[list[Point]]:
        """The stretches of points that have a value; at days each ends with the day on which the next one begins."""
        return [list(group) for known, group in groupby(self.points, lambda one: one.value is not None) if known]


class ClaimEvaluation:
    """Evaluates one claim again and again, by the prices as they were when it began."""

    def __init__(self, context: PageContext, claim: Claim) -> None:
        inputs = context.brain.evaluator.inputs.now()
        self.book, self._claim, self._terms = inputs.book, claim, inputs.terms

    def case(self, on: date, given: Overrides = NONE) -> Case | None:
        """The claim on a day with the reader's numbers; None where it is broken."""
        found = Cases(self.book, on, self._terms(given)).case(self._claim)
        return None if isinstance(found, str) else found

    def point(self, on: date, at: date | Decimal, given: Overrides = NONE) -> tuple[Point, str] | None:
        """The same as a point of a chart, with the unit of its value."""
        case = self.case(on, given)
        if case is None:
            return None
        low, high = case.now.reading.interval
        value = case.shown(case.now.reading.value)
        return Point(at, value, case.shown(low), case.shown(high), case.now.reading.holds), case.unit.text


def over_time(context: PageContext, claim: Claim, today: date) -> Series:
    """The value from the day of the claim until the last day whose prices are known: a point for every change."""
    evaluate, last = ClaimEvaluation(context, claim), today + AHEAD
    days = sorted({claim.as_of, today, *(day for day in evaluate.book.borders() if claim.as_of < day <= last)})
    found = _series(evaluate.point(day, day) for day in days if claim.as_of <= day)
    kept = [
        point
        for number, point in enumerate(found.points)
        if number in {0, len(found.points) - 1} or _face(point) != _face(found.points[number - 1])
    ]
    return Series(tuple(kept), found.unit)


def over_input(context: PageContext, claim: Claim, field: Field, today: date, given: Mapping[str, str]) -> Series:
    """The value while one input moves from zero to the end of its slider, all others unchanged."""
    if field.key is None or field.most is None:
        return Series(())
    steps = {field.most * step / SAMPLES for step in range(SAMPLES + 1)}
    if field.flip is not None and field.flip.at is not None and field.flip.at <= field.most:
        steps.add(field.flip.at)
    evaluate = ClaimEvaluation(context, claim)
    return _series(evaluate.point(today, at, overrides({**given, field.key: f"{at:f}"})) for at in sorted(steps))


def _series(found: Iterable[tuple[Point, str] | None]) -> Series:
    known = [one for one in found if one is not None]
    return Series(tuple(point for point, _ in known), next((unit for _, unit in known if unit), ""))


def _face(point: Point) -> tuple[object, ...]:
    return (point.value, point.low, point.high, point.holds)


def reach(series: Series) -> tuple[float, float]:
    """The values at the lower and the upper edge: everything; at most five times the bound where there is a pole."""
    bounds = [float(edge) for point in series.points for edge in (point.low, point.high) if edge is not None]
    values = [*bounds, *(float(point.value) for point in series.points if point.value is not None)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    if edge := max(map(abs, bounds), default=0.0):
        low, high = max(low, -5 * edge), min(high, 5 * edge)
    room = (high - low) * 0.08 or abs(high) * 0.1 or 1.0
    return (low - room if low < 0 or low - room > 0 else 0.0, high + room)
