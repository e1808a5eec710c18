"""The inputs of a claim as fields for the reader's numbers, and its charts by day and over one input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import groupby, pairwise
from typing import NamedTuple

from api.pages.charts import chart
from api.pages.page_request import PageRequest, RawResponse, path_of
from api.pages.render.figure_format import figure, short_day
from api.pages.views.claim_table import AHEAD, PageContext
from compute.claims.claim_case import Case
from compute.claims.claim_cases import Cases
from compute.claims.claim_program import program
from compute.claims.expectations import FieldError
from compute.claims.overrides import NONE, Overrides, overrides
from compute.formula.formula_tree import AssumptionLeaf, Leaf, PriceLeaf
from graph.models.claim_models import Claim, Tense
from graph.models.verdict_models import Flip, Input, Verdict

_ROUND = tuple(map(Decimal, ("1", "1.5", "2", "2.5", "3", "4", "5", "6", "8")))
_NEAR = tuple(map(Decimal, ("0.02", "0.05", "0.1", "0.2", "0.5")))
WHOLE = Decimal(100)
LONGEST_OWN = 60

PARAMETERS = frozenset({"as_of", "input", "scheme"})  # parameters of a claim's page and charts that are no inputs


@dataclass(frozen=True, slots=True)
class Field:
    """One input: `key` names its override, `own` is the reader's number, `ends` those of its slider and its chart."""

    input: Input
    key: str | None
    number: int
    flip: Flip | None = None
    own: str = ""
    ends: tuple[Decimal, Decimal] | None = None

    @property
    def change(self) -> Decimal | None:
        """How far the input must move to flip the verdict, as a share of its value."""
        value, at = self.input.value, self.flip.at if self.flip else None
        return (at - value) / abs(value) if at is not None and value else None

    @property
    def positive(self) -> bool:
        """Whether it cannot be negative: prices and assumptions."""
        return self.input.kind != "literal" and (self.input.value is None or self.input.value >= 0)

    @property
    def refused(self) -> bool:
        """Whether the reader's number cannot be."""
        return self.positive and self.own.lstrip().startswith(("-", "−"))


def fields(claim: Claim, verdict: Verdict, given: Mapping[str, str]) -> tuple[Field, ...]:
    """The inputs of a claim in order; `verdict` has the catalogue's numbers."""
    keys = _keys(claim)
    flips = {flip.input: flip for flip in verdict.flips}
    found = ((one, keys.get(one.name), flips.get(one.name)) for one in verdict.inputs)
    return tuple(
        Field(one, key, number, flip, own=given.get(key or "", ""), ends=_ends(one.value, one.unit, flip))
        for number, (one, key, flip) in enumerate(found)
    )


def _keys(claim: Claim) -> dict[str, str]:
    """Override names by input label; inputs without one cannot be replaced."""
    try:
        made = program(claim)
    except FieldError:
        return {}
    given = {name for name, _ in claim.given}
    found = {
        label: label if label in given else _key(leaf) for label, leaf in zip(made.labels, made.leaves, strict=True)
    }
    return {label: key for label, key in found.items() if key is not None}


def _key(leaf: Leaf) -> str | None:
    if isinstance(leaf, PriceLeaf) and (asked := leaf.question):
        variant = "" if asked.processing == "standard" else f":{asked.processing}"
        return f"price:{asked.item}/{asked.component}{variant}"
    return f"assume:{leaf.name}" if isinstance(leaf, AssumptionLeaf) else None


def _ends(value: Decimal | None, unit: str, flip: Flip | None) -> tuple[Decimal, Decimal] | None:
    """The ends of a slider: around the value if the flip is near, else from 0 to twice the value, or beyond the flip.

    A share ends at 100%.
    """
    if value is None or value <= 0:
        return None
    at = flip.at if flip is not None else None
    most = WHOLE if unit == "%" and value <= WHOLE and (at is None or at <= WHOLE) else None
    near = next((share for share in _NEAR if at is not None and 2 * abs(at - value) <= share * value), None)
    if near is not None:
        return value * (1 - near), min(value * (1 + near), most or Decimal("Infinity"))
    reach = max(2 * value, at * Decimal("1.25") if at is not None and at <= 8 * value else value)
    scale = Decimal(1).scaleb(reach.adjusted())
    return Decimal(0), most or next((step * scale for step in _ROUND if step * scale >= reach), 10 * scale)


def overrides_of(query: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The reader's numbers by input name; empty ones are left out."""
    return {key: value.strip()[:LONGEST_OWN] for key, value in query if key not in PARAMETERS and value.strip()}


INLINE = (400, 290)  # the size of the chart over one input in the page, in its own units; the page stretches it
SAMPLES, HALVINGS = 40, 14  # points over one input, and of the gaps in which the verdict changes


class Point(NamedTuple):
    """The claim on a day or at a value of an input; `low` and `high` bound what is expected."""

    at: date | Decimal
    value: Decimal | None
    low: Decimal | None
    high: Decimal | None
    holds: bool | None

    @property
    def x(self) -> float:
        """The place on the axis."""
        return float(self.at.toordinal() if isinstance(self.at, date) else self.at)


class Series(NamedTuple):
    """Points in order, and the unit of their values."""

    points: tuple[Point, ...]
    unit: str = ""

    def pieces(self) -> list[list[Point]]:
        """Stretches of points with a value; by day, each ends where the next begins."""
        return [list(group) for known, group in groupby(self.points, lambda one: one.value is not None) if known]


class ClaimEvaluation:
    """Evaluates one claim repeatedly with the prices of one moment."""

    def __init__(self, context: PageContext, claim: Claim) -> None:
        inputs = context.brain.evaluator.inputs.now()
        self.book, self._claim, self._terms = inputs.book, claim, inputs.terms()

    def case(self, on: date, given: Overrides = NONE) -> Case | None:
        """The claim on a day with the reader's numbers; None if it is broken."""
        found = Cases(self.book, on, replace(self._terms, overrides=given)).case(self._claim)
        return None if isinstance(found, str) else found

    def point(self, on: date, at: date | Decimal, given: Overrides = NONE) -> tuple[Point, str] | None:
        """The same as a chart point, with the unit of its value."""
        case = self.case(on, given)
        if case is None:
            return None
        low, high = case.now.reading.interval
        value = case.shown(case.now.reading.value)
        return Point(at, value, case.shown(low), case.shown(high), case.now.reading.holds), case.unit.text


def over_time(context: PageContext, claim: Claim, today: date) -> Series:
    """The value from the claim's day to the last day with known prices: a point per change."""
    return context.recall(("over time", claim.id, today), lambda: _over_time(context, claim, today))


def _over_time(context: PageContext, claim: Claim, today: date) -> Series:
    evaluate, last = ClaimEvaluation(context, claim), today + AHEAD
    days = sorted({claim.as_of, today, *(day for day in evaluate.book.borders() if claim.as_of < day <= last)})
    found = _series(evaluate.point(day, day) for day in days if claim.as_of <= day)
    points = found.points
    turning = zip((None, *points), points, strict=False)
    kept = [two for one, two in turning if one is None or two is points[-1] or two[1:] != one[1:]]
    return Series(tuple(kept), found.unit)


def over_input(
    evaluate: ClaimEvaluation, field: Field, today: date, given: Mapping[str, str], ends: tuple[Decimal, Decimal]
) -> Series:
    """The value while one input moves between `ends` and the others stay."""
    low, high = ends
    steps = {low + (high - low) * step / SAMPLES for step in range(SAMPLES + 1)}
    if field.flip is not None and field.flip.at is not None and low <= field.flip.at <= high:
        steps.add(field.flip.at)
    found: dict[Decimal, tuple[Point, str] | None] = {}
    for _ in range(HALVINGS):
        found |= {at: evaluate.point(today, at, overrides({**given, str(field.key): f"{at:f}"})) for at in steps}
        series = _series(found[at] for at in sorted(found))
        steps = {at for at, _ in _turning(series)}
        if not steps:
            break
    return series


def _series(found: Iterable[tuple[Point, str] | None]) -> Series:
    known = [one for one in found if one is not None]
    return Series(tuple(point for point, _ in known), next((unit for _, unit in known if unit), ""))


def reach(series: Series) -> tuple[float, float]:
    """Lowest and highest value of the plot; at a pole at most five times the bound."""
    bounds = [float(edge) for point in series.points for edge in (point.low, point.high) if edge is not None]
    values = [*bounds, *(float(point.value) for point in series.points if point.value is not None)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    if edge := max(map(abs, bounds), default=0.0):
        low, high = max(low, -5 * edge), min(high, 5 * edge)
    banded = any(point.low is not None and point.high is not None for point in series.points)
    room = (high - low) * (0.35 if banded else 0.08) or abs(high) * 0.1 or 1.0
    return (low - room if low < 0 or low - room > 0 else 0.0, high + room)


def claim_history(context: PageContext, request: PageRequest) -> RawResponse:
    """A claim's value against its bound over time.

    Raises UnknownClaimError, NothingToDrawError without a value or for another form, PageRequestError for the scheme.
    """
    row, today = context.claim_row(request.parts["claim"]), request.today
    claim = row.claim
    series = _known(over_time(context, claim, today), claim.id)
    values = " to ".join(figure(point.value, series.unit) for point in (series.points[0], series.points[-1]))
    says = f"From {series.points[0].at} to {series.points[-1].at} the value went from {values}."
    subtitle = f"Value{f' in {series.unit}' if series.unit else ''} by day; expected: {row.expected}"
    verdict, address = context.explain(claim.id, today), request.address_of(path_of("claims", claim.id))
    sources = sorted({one.catalog for one in verdict.inputs if one.catalog})
    sources += ["assumptions"] if any(one.kind == "assumption" for one in verdict.inputs) else []
    frame = chart.Frame(claim.says or claim.id, subtitle, ", ".join(sources) or verdict.node, today, address)
    return chart.framed_image(request, value_chart(series, today), frame, says, lambda: _table(series))


def value_plots(context: PageContext, claim: Claim, today: date) -> list[chart.Plot]:
    """`claim_history` for the page of the claim; empty if it never had a value."""
    series = over_time(context, claim, today)
    return chart.plots(lambda size: value_chart(series, today, size), chart.MEDIUM) if series.pieces() else []


def value_chart(series: Series, today: date, size: chart.Size = chart.WIDE) -> chart.Chart:
    """The value as steps with its bounds; what is announced is paler."""
    days = [point.x for point in series.points]
    first, last, now = min(days), max(*days, min(days) + 1), today.toordinal()
    ends = date.fromordinal(int(first)), date.fromordinal(int(last))
    lines, bands = list[chart.Line](), list[chart.Band]()
    for piece in series.pieces():
        end = min((day for day in days if day > piece[-1].x), default=piece[-1].x)
        low, high, corners = (chart.stepped(_corners(piece, name), end) for name in ("low", "high", "value"))
        lines += _bounds(low, high, bands)
        past = [corner for corner in corners if corner[0] <= now]
        ahead = [corner for corner in corners if corner[0] > now]
        if past and ahead:
            past, ahead = [*past, (now, past[-1][1])], [(now, past[-1][1]), *ahead]
        lines += [chart.Line(past, "one")] if len(past) > 1 else []
        lines += [chart.Line(ahead, "one", 2.5, "5 4", 0.5)] if len(ahead) > 1 else []
    known = next((point.value for point in reversed(series.points) if point.x <= now), None)
    return chart.Chart(
        x=(first, last),
        y=reach(series),
        across=chart.days_axis(*ends, 3 if size == chart.NARROW else 6),
        lines=lines,
        bands=bands,
        rules=[(now, "today")] if first <= now <= last else [],
        dots=[((now, float(known)), figure(known, series.unit))] if known is not None else [],
        keys=(("one", "value"), *([("two", "expected")] if any(one.colour == "two" for one in lines) else [])),
    )


def _corners(points: Iterable[Point], name: str) -> list[chart.Corner]:
    return [(one.x, float(value)) for one in points if (value := getattr(one, name)) is not None]


def _bounds(low: Sequence[chart.Corner], high: Sequence[chart.Corner], bands: list[chart.Band]) -> list[chart.Line]:
    """The lines of the expectation; adds the band between two of them to `bands`."""
    if low and high:
        bands.append(((*high, *reversed(low)), "two"))
    return [chart.Line(edge, "two", 1.4, "5 4") for edge in (low, high) if edge]


def input_chart(context: PageContext, request: PageRequest, claim: Claim, field: Field, shown: Verdict) -> chart.Chart:
    """The claim over one input with the reader's other numbers; `shown` is its verdict with all of them.

    Raises NothingToDrawError if it cannot move or has no value, OverrideError for a number that cannot be read.
    """
    now, unit = field.input.value, field.input.unit
    if now is None or field.ends is None:
        raise chart.NothingToDrawError(f"{claim.id} by input {field.number}")
    others = {name: value for name, value in overrides_of(request.query).items() if name != field.key}
    own = next((one.value for one in shown.inputs if one.name == field.input.name), None) if field.own else None
    at = now if own is None else own
    ends = min(field.ends[0], at), max(field.ends[1], at)
    key = ("over", claim.id, request.day, field.number, ends, tuple(sorted(others.items())))
    series = context.recall(key, lambda: over_input(ClaimEvaluation(context, claim), field, request.day, others, ends))
    series = _known(series, claim.id)
    bands = list[chart.Band]()
    lines = _bounds(_corners(series.points, "low"), _corners(series.points, "high"), bands)
    lines += [chart.Line(_corners(piece, "value"), "one", css="curve") for piece in series.pieces()]
    when = f"{figure(now, unit)} " + (f"on {short_day(claim.as_of)}" if claim.tense is Tense.DATED else "today")
    holds = min(series.points, key=lambda one: abs(one.x - float(now))).holds
    rules = [(float(now), when)]
    for turn, above in sorted(_turning(series), key=lambda found: abs(found[0] - now))[:2]:
        side = "below" if above is holds else "above"
        rules.append((float(turn), f"{'fails' if holds else 'holds'} {side} {figure(turn, unit)}"))
    return chart.Chart(
        x=(float(ends[0]), float(ends[1])),
        y=reach(series),
        across=chart.labels(float(ends[0]), float(ends[1]), 4),
        lines=lines,
        bands=bands,
        rules=[rule for rule in rules if ends[0] <= rule[0] <= ends[1]],
        dots=[((float(at), float(shown.value)), "")] if shown.value is not None else [],
        unit=series.unit or "value",
        label=f"{field.input.name} ({unit})" if unit else field.input.name,
        keys=(("one", "value"), *([("two", "expected")] if lines[0].colour == "two" else [])),
    )


def _turning(series: Series) -> Iterator[tuple[Decimal, bool]]:
    """Where the verdict changes over an input, midway between two points, and whether it holds above."""
    for one, two in pairwise(series.points):
        if one.holds is not two.holds and one.holds is not None and two.holds is not None:
            yield (Decimal(str(one.at)) + Decimal(str(two.at))) / 2, two.holds


def _table(series: Series) -> Iterator[Iterable[object]]:
    yield "day", "value", "low", "high", "unit", "holds"
    for one in series.points:
        yield one.at, one.value, one.low, one.high, series.unit, {True: "yes", False: "no", None: ""}[one.holds]


def _known(series: Series, name: str) -> Series:
    if not any(point.value is not None for point in series.points):
        raise chart.NothingToDrawError(name)
    return series
