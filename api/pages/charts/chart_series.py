"""Series for charts: a claim's value against its bound over time, and against one of its inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import partial

from api.pages.views.claim_table import AHEAD, PageContext
from api.pages.views.input_fields import Field
from api.services.evaluation_inputs import NodeTables
from compute.claims.claim_case import Case
from compute.claims.claim_cases import Cases, Terms
from compute.claims.overrides import NONE, Overrides, overrides
from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.store.store_errors import UnknownClaimError, UnknownNodeError

SAMPLES = 40


@dataclass(frozen=True, slots=True)
class Point:
    """The claim at one place: a day or a value of an input. `low` and `high` bound what is expected."""

    at: date | Decimal
    value: Decimal | None
    low: Decimal | None
    high: Decimal | None
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Series:
    """Points in order, and the unit of their values."""

    points: tuple[Point, ...]
    unit: str = ""


def over_time(desk: PageContext, claim: Claim, today: date) -> Series:
    """The value from the day on which the claim was made until the last day whose prices are known.

    There is a point for every day on which anything changes: between two points the value stays as at the first.
    """
    evaluate, last = _Evaluation(desk, claim), today + AHEAD
    days = sorted({claim.as_of, today, *(day for day in evaluate.book.borders() if claim.as_of < day <= last)})
    return _series(evaluate.point(day, day) for day in days if claim.as_of <= day)


def over_input(desk: PageContext, claim: Claim, field: Field, today: date, given: Mapping[str, str]) -> Series:
    """The value while one input moves from zero to the end of its slider, all others unchanged."""
    if field.key is None or field.most is None:
        return Series(())
    steps = {field.most * step / SAMPLES for step in range(SAMPLES + 1)}
    if field.flip is not None and field.flip.at is not None and field.flip.at <= field.most:
        steps.add(field.flip.at)
    evaluate = _Evaluation(desk, claim)
    return _series(evaluate.point(today, at, overrides({**given, field.key: f"{at:f}"})) for at in sorted(steps))


def point_on(desk: PageContext, claim: Claim, day: date) -> Point | None:
    """The value and the bounds on a day; None where the claim is broken."""
    found = _Evaluation(desk, claim).point(day, day)
    return found[0] if found else None


def case_on(desk: PageContext, claim: Claim, day: date) -> Case | None:
    """The evaluation of a claim on a day; None where the claim is broken."""
    return _Evaluation(desk, claim).case(day)


def _series(found: Iterable[tuple[Point, str] | None]) -> Series:
    known = [one for one in found if one is not None]
    return Series(tuple(_thinned(point for point, _ in known)), next((unit for _, unit in known if unit), ""))


def _thinned(points: Iterable[Point]) -> Iterator[Point]:
    """Points without those that repeat the previous one; the last point stays."""
    last: Point | None = None
    held: Point | None = None
    for point in points:
        held = point
        if last is None or not isinstance(point.at, date) or _face(point) != _face(last):
            last, held = point, None
            yield point
    if held is not None:
        yield held


def _face(point: Point) -> tuple[object, ...]:
    return (point.value, point.low, point.high, point.holds)


class _Evaluation:
    """Evaluates one claim again and again, by the prices as they were when it began."""

    def __init__(self, desk: PageContext, claim: Claim) -> None:
        self.book = desk.brain.prices.book()
        self._claim, self._tables, self._find = claim, _tables(desk), partial(_find_claim, desk)

    def case(self, on: date, given: Overrides = NONE) -> Case | None:
        """The claim on a day with the reader's numbers; None where it is broken."""
        found = Cases(self.book, on, Terms(self._tables, given, self._find)).case(self._claim)
        return None if isinstance(found, str) else found

    def point(self, on: date, at: date | Decimal, given: Overrides = NONE) -> tuple[Point, str] | None:
        """The same as a point of a chart, with the unit of its value."""
        case = self.case(on, given)
        if case is None:
            return None
        reading = case.now.reading
        low, high = reading.interval
        return Point(at, case.shown(reading.value), case.shown(low), case.shown(high), reading.holds), case.unit.text


def _tables(desk: PageContext) -> NodeTables:
    def find(name: str) -> Node | None:
        try:
            return desk.brain.nodes.get(name)
        except UnknownNodeError:
            return None

    return desk.recall("tables", lambda: NodeTables(find))


def _find_claim(desk: PageContext, name: str) -> Claim | None:
    try:
        return desk.brain.claims.get(name)
    except UnknownClaimError:
        return None
