"""The charts of a claim: its value by day, over one input, over all ranges, and its life line; as SVG, PNG and CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal

from api.pages.charts.chart import (
    LABEL,
    LETTER,
    MARGIN,
    NARROW,
    WIDE,
    Area,
    Band,
    Chart,
    Frame,
    Line,
    across_axis,
    days_axis,
    draw,
    labels,
    short_address,
    size_of,
    stepped,
)
from api.pages.charts.claim_series import ClaimEvaluation, Point, Series, over_input, over_time, reach
from api.pages.charts.picture import Corner, NothingToDrawError, Scheme, bar, cut, image, keys, line, picture, text
from api.pages.render.figure_format import figure, readable, short_day
from api.pages.render.strips import LIFE_COLOURS, STATES, life_strip
from api.pages.request.page_request import PageRequest, RawResponse, path_of
from api.pages.views.claim_table import PageContext, expectation_text
from api.pages.views.input_fields import Field, overrides_of
from compute.record.life_models import LifeLine
from compute.record.record_text import ahead_text, life_text, turn_text
from graph.models.claim_models import Claim
from graph.models.verdict_models import Swing, Verdict

INLINE = (400, 250)
"""The size of the chart over one input in the page, in its own units; the page stretches it."""

MOST_TURNS, MOST_BARS = 6, 12


def claim_history(context: PageContext, request: PageRequest) -> RawResponse:
    """A claim's value against its bound over time.

    Raises:
        UnknownClaimError: there is no such claim.
        NothingToDrawError: it never had a value, or the form is none of svg, png and csv.
        PageRequestError: the size or the scheme cannot be read.
    """
    claim, today, size = context.brain.claims.get(request.parts["claim"]), request.today, size_of(request)
    series = _known(context.recall(("over time", claim.id, today), lambda: over_time(context, claim, today)), claim.id)
    values = " to ".join(figure(point.value, series.unit) for point in (series.points[0], series.points[-1]))
    says = f"From {series.points[0].at} to {series.points[-1].at} the value went from {values}."
    subtitle = f"{_value_words(series.unit)} by day; expected: {expectation_text(claim)}"
    frame = _frame(claim, context.explain(claim.id, today), request, subtitle)
    return image(
        context,
        request,
        lambda scheme: draw(value_chart(series, today, size), frame, says, size, scheme),
        lambda: _table("day", series),
    )


def value_chart(series: Series, today: date, size: tuple[int, int] = WIDE) -> Chart:
    """The value as steps with its bounds; what is announced is paler."""
    days = [point.x for point in series.points]
    first, last, now = min(days), max(*days, min(days) + 1), today.toordinal()
    lines, bands = list[Line](), list[Band]()
    for piece in series.pieces():
        end = min((day for day in days if day > piece[-1].x), default=piece[-1].x)
        low, high, corners = (_steps(piece, name, end) for name in ("low", "high", "value"))
        lines += _bounds(low, high, bands)
        past = [corner for corner in corners if corner[0] <= now]
        ahead = [corner for corner in corners if corner[0] > now]
        if past and ahead:
            past, ahead = [*past, (now, past[-1][1])], [(now, past[-1][1]), *ahead]
        lines += [Line(past, "one")] if len(past) > 1 else []
        lines += [Line(ahead, "one", 2.5, "5 4", 0.5)] if len(ahead) > 1 else []
    known = next((point.value for point in reversed(series.points) if point.x <= now), None)
    return Chart(
        x=(first, last),
        y=reach(series),
        across=days_axis(date.fromordinal(int(first)), date.fromordinal(int(last)), 3 if size == NARROW else 6),
        lines=lines,
        bands=bands,
        rules=[(now, "today")] if first <= now <= last else [],
        dot=((now, float(known)), figure(known, series.unit)) if known is not None else None,
        keys=(("one", "value"), *([("two", "expected")] if any(one.colour == "two" for one in lines) else [])),
    )


def _corners(points: Iterable[Point], name: str) -> list[Corner]:
    return [(one.x, float(value)) for one in points if (value := getattr(one, name)) is not None]


def _steps(piece: Iterable[Point], name: str, end: float) -> list[Corner]:
    points = _corners(piece, name)
    return stepped(points, end) if points else []


def _bounds(low: Sequence[Corner], high: Sequence[Corner], bands: list[Band]) -> list[Line]:
    """The lines of what is expected; where there are both, the band between them is added to `bands`."""
    if low and high:
        bands.append(((*high, *reversed(low)), "two"))
    return [Line(edge, "two", 1.4, "5 4") for edge in (low, high) if edge]


def input_chart(
    context: PageContext, request: PageRequest, claim: Claim, field: Field, shown: Verdict
) -> tuple[Series, Chart]:
    """The claim over one input with the reader's other numbers; `shown` is its verdict with all of them.

    Raises:
        NothingToDrawError: the input cannot move, or the value is known nowhere.
        OverrideError: a number of the reader's cannot be read.
    """
    now, most, unit = field.input.value, field.most, field.input.unit
    if now is None or most is None:
        raise NothingToDrawError(f"{claim.id} by input {field.number}")
    others = {name: value for name, value in overrides_of(request.query).items() if name != field.key}
    key = ("over", claim.id, request.day, field.number, tuple(sorted(others.items())))
    series = _known(context.recall(key, lambda: over_input(context, claim, field, request.day, others)), claim.id)
    flip = field.flip.at if field.flip and not others else None
    own = next((one.value for one in shown.inputs if one.name == field.label), None) if field.own else None
    bands = list[Band]()
    lines = _bounds(_corners(series.points, "low"), _corners(series.points, "high"), bands)
    lines += [Line(_corners(piece, "value"), "one", css="curve") for piece in series.pieces()]
    rules = [(float(now), "today"), *([(float(flip), "verdict changes")] if flip is not None and flip <= most else [])]
    at = float(now if own is None else own)
    return series, Chart(
        x=(0.0, float(most)),
        y=_focus(series, now, shown.value) or reach(series),
        across=labels(0, float(most), 4),
        lines=lines,
        bands=bands,
        rules=rules,
        dot=((at, float(shown.value)), "") if shown.value is not None else None,
        unit=series.unit or "value",
        label=f"{field.label} ({unit})" if unit else field.label,
    )


def _focus(series: Series, now: Decimal, value: Decimal | None) -> tuple[float, float] | None:
    """The values that the dot and the bound need, with twice their distance around them; None without a distance."""
    here = min(series.points, key=lambda point: abs(Decimal(str(point.at)) - now))
    near = [float(one) for one in (value, here.value, here.low, here.high) if one is not None]
    if value is None or max(near) == min(near):
        return None
    room = 2 * (max(near) - min(near))
    known = [float(one) for point in series.points for one in (point.value, point.low, point.high) if one is not None]
    low, high = max(min(known), min(near) - room), min(max(known), max(near) + room)
    return low - (high - low) * 0.06, high + (high - low) * 0.06


def claim_tornado(context: PageContext, request: PageRequest) -> RawResponse:
    """How far each ranged input moves a claim's value.

    Raises:
        UnknownClaimError: there is no such claim.
        NothingToDrawError: no input has a range, the value is undefined at its ends, or there is no such form.
    """
    claim = context.brain.claims.get(request.parts["claim"])
    verdict = context.explain(claim.id, request.day)
    found = ClaimEvaluation(context, claim).point(request.day, request.day)
    if found is None or not drawable(verdict.swings):
        raise NothingToDrawError(claim.id)
    size = size_of(request)
    frame = _frame(claim, verdict, request, f"{_value_words(verdict.unit)} over the range of each input")
    head = ("input", "unit", "low", "high", "value_at_low", "value_at_high", "value_unit")
    rows = [(one.input, one.unit, one.low, one.high, one.at_low, one.at_high, verdict.unit) for one in verdict.swings]
    return image(
        context,
        request,
        lambda scheme: tornado(verdict, found[0], frame, size[0], scheme),
        lambda: [head, *rows],
    )


def drawable(swings: Sequence[Swing]) -> tuple[Swing, ...]:
    """The swings that are drawn: those with a value at both ends."""
    return tuple(one for one in swings if one.at_low is not None and one.at_high is not None)[:MOST_BARS]


def tornado_height(bars: int) -> int:
    """The height of the picture in pixels."""
    return 200 + 46 * bars


def tornado(verdict: Verdict, now: Point, frame: Frame, width: int, scheme: Scheme = Scheme.AUTO) -> bytes:
    """A bar for each swing with the name of its input and the ends of its range above it, today's value as a line."""
    bars = drawable(verdict.swings)
    size = (width, tornado_height(len(bars)))
    head, top = frame.words(size)
    known = [float(end) for one in bars for end in (one.at_low, one.at_high) if end is not None]
    known += [float(one) for one in (now.value, now.low, now.high) if one is not None]
    room = (max(known) - min(known) or abs(max(known)) * 0.2 or 1.0) * 0.05
    height = size[1] - top - 104
    area = Area(MARGIN + 4, top, width - 2 * MARGIN - 8, height, min(known) - room, max(known) + room, 0, 1)
    parts = [*head, *across_axis(area, labels(area.x0, area.x1, 3 if width == NARROW[0] else 6))]
    edges = [area.x(float(edge)) for edge in dict.fromkeys((now.low, now.high)) if edge is not None]
    parts += [line((x, area.top), (x, area.bottom), "two", 1.4, "5 4") for x in edges]
    for number, one in enumerate(bars):
        y = area.top + height * number / len(bars)
        ends = sorted((area.x(float(one.at_low or 0)), area.x(float(one.at_high or 0))))
        span = f"{figure(one.low, one.unit)} to {figure(one.high, one.unit)}"
        parts.append(text((area.left, y + 14), cut(f"{one.input}: {span}", int(area.width / LETTER)), LABEL))
        parts.append(bar((ends[0], y + 20), (max(ends[1] - ends[0], 1.5), 15), "one", 0.75))
    if now.value is not None:
        parts.append(line((area.x(float(now.value)), area.top), (area.x(float(now.value)), area.bottom), "ink", 1.4))
    legend = [
        ("one", "over its range"),
        ("ink", "today"),
        *([("two", "expected")] if now.low is not None or now.high is not None else []),
    ]
    parts += keys((MARGIN, size[1] - 54), legend, LABEL, width - 2 * MARGIN)[0]
    return picture(size, frame.title, described(verdict), parts, scheme)


def described(verdict: Verdict) -> str:
    """What the tornado chart shows, for those who cannot see it."""
    found = []
    for one in verdict.swings:
        ends = ("undefined" if end is None else figure(end, verdict.unit) for end in (one.at_low, one.at_high))
        span = f"{figure(one.low, one.unit)} to {figure(one.high, one.unit)}"
        found.append(f"{one.input} from {span}: {' to '.join(ends)}")
    return "; ".join(found) + "."


def claim_life(context: PageContext, request: PageRequest) -> RawResponse:
    """The life line of a claim: on which days it was true, by the prices as known now.

    Raises:
        UnknownClaimError: there is no such claim.
        NothingToDrawError: there is no such form.
    """
    claim = context.brain.claims.get(request.parts["claim"])
    life, verdict = context.brain.record.life(claim.id, request.today), context.explain(claim.id, request.today)
    frame = _frame(claim, verdict, request, "Life line: the claim on every day, by the prices as known now")
    causes = {turn.day: turn_text(turn) for turn in life.turns}
    head = ("start", "end", "state", "dated", "value", "unit", "cause")
    rows = [
        (one.start, one.end, one.state.value, _word(one.dated), one.value, life.unit, causes.get(one.start, ""))
        for one in life.spans
    ]
    return image(
        context,
        request,
        lambda scheme: life_chart(life, frame, scheme),
        lambda: [head, *rows],
    )


def life_chart(life: LifeLine, frame: Frame, scheme: Scheme = Scheme.AUTO) -> bytes:
    """The strip with its legend and its changes; of many changes the last ones are listed."""
    shown, wide = life.turns[-MOST_TURNS:], WIDE[0] - 2 * MARGIN
    top = frame.words(WIDE)[1]
    size = (WIDE[0], int(top + 160 + 22 * max(1, len(shown))))
    strip = life_strip(life)
    first, last = strip.first.toordinal(), strip.last.toordinal()
    area = Area(MARGIN, top, wide, 34, first, max(last, first + 1), 0, 1)
    scale = wide / 1000
    parts = frame.words(size)[0]
    for days in strip.bars:
        place, opacity = (MARGIN + days.x * scale, top), 0.45 if days.ahead else 1
        parts.append(bar(place, (days.width * scale, 34), LIFE_COLOURS[days.css], opacity))
    parts += across_axis(area, days_axis(strip.first, strip.last, 7))
    parts += keys((MARGIN, top + 74), STATES, LABEL, wide)[0]
    words = [
        f"{short_day(turn.day)}{f' ({ahead_text(turn)})' if turn.day > life.today else ''}: {readable(turn_text(turn))}"
        for turn in shown
    ]
    for number, one in enumerate(words or [unchanged(life)]):
        parts.append(text((MARGIN, top + 106 + 22 * number), cut(one, 92), 13))
    return picture(size, frame.title, f"{life_text(life)}.", parts, scheme)


def unchanged(life: LifeLine) -> str:
    """Why a life line has no changes."""
    return "Uses no prices: only figures of texts." if life.fixed else "No price has changed it."


# ---- what they share


def _table(first: str, series: Series) -> Iterator[Iterable[object]]:
    yield first, "value", "low", "high", "unit", "holds"
    for one in series.points:
        yield one.at, one.value, one.low, one.high, series.unit, _word(one.holds)


def _frame(claim: Claim, verdict: Verdict, request: PageRequest, subtitle: str) -> Frame:
    address = short_address(request.site) + path_of("claims", claim.id)
    return Frame(claim.says or claim.id, subtitle, source_text(verdict), request.today, address)


def source_text(verdict: Verdict) -> str:
    """Where the figures of a claim are from: the catalogues of its prices, assumptions, the claim itself."""
    catalogs = sorted({one.catalog for one in verdict.inputs if one.catalog})
    others = ["assumptions"] if any(one.kind == "assumption" for one in verdict.inputs) else []
    return ", ".join(catalogs + others) or f"{verdict.node}"


def _value_words(unit: str) -> str:
    return f"Value in {unit}" if unit else "Value"


def _word(known: bool | None) -> str:
    return {True: "yes", False: "no", None: ""}[known]


def _known(series: Series, name: str) -> Series:
    if not any(point.value is not None for point in series.points):
        raise NothingToDrawError(name)
    return series
