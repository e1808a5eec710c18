"""The charts of a claim as SVG, PNG and CSV; SVG and CSV are cached until the store or the day changes.

Every picture has in it the sentence of the claim, where the figures are from, the day, and the address of the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from api.pages.charts import tornado_chart
from api.pages.charts.chart_frame import MARGIN, ChartFrame, framed
from api.pages.charts.chart_process import PROCESS
from api.pages.charts.chart_series import Series, over_input, over_time, point_on
from api.pages.charts.input_chart import InputPlot, input_chart
from api.pages.charts.picture import CSV, PNG, STATE_COLOURS, SVG, Scheme, cut, text
from api.pages.charts.plot_area import LABEL, Area, across_axis, days_axis
from api.pages.charts.value_chart import MEDIUM, NARROW, WIDE, value_chart
from api.pages.render import life_strip
from api.pages.render.figure_format import figure, readable, short_day
from api.pages.request.page_request import PageRequest, RawResponse, path_of
from api.pages.views.claim_table import PageContext, expectation_text
from api.pages.views.input_fields import Field, fields, overrides_of
from compute.record.life_models import LifeLine, LifeState, LifeTurn
from compute.record.record_text import life_text, turn_text
from graph.models.claim_models import Claim
from graph.models.verdict_models import Verdict
from graph.store.store_errors import NotFoundError
from graph.text.csv_text import csv_row

WIDTH = 690
MOST_TURNS = 6
_STRIP, _STEP = 34, 22

_WORDS = (("good", "holds"), ("bad", "fails"), ("two", "fails by prices that are not dated"), ("unknown", "not known"))


def life_chart(life: LifeLine, frame: ChartFrame, scheme: Scheme = Scheme.AUTO) -> bytes:
    """The picture; of many changes the last ones are listed."""
    shown = life.turns[-MOST_TURNS:]
    top = frame.top(WIDTH)
    below = top + _STRIP + 34
    size = (WIDTH, int(below + 26 + _STEP * max(1, len(shown)) + frame.bottom() + 14))
    parts = [*_strip(life, top), *_legend(below), *_changes(life, shown, below + 30)]
    return framed(frame, size, parts, f"{life_text(life)}.", scheme)


def _strip(life: LifeLine, top: float) -> Iterator[str]:
    strip, wide = life_strip.bars(life), WIDTH - 2 * MARGIN
    scale = wide / life_strip.WIDTH
    for bar in strip.bars:
        colour = "two" if bar.undated else STATE_COLOURS[LifeState(bar.state)]
        shade = ' opacity="0.45"' if bar.ahead else ""
        yield (
            f'<rect x="{MARGIN + bar.x * scale:.1f}" y="{top:.1f}" width="{bar.width * scale:.1f}" height="{_STRIP}" '
            f'fill="var(--{colour})"{shade}/>'
        )
    first, last = strip.first.toordinal(), strip.last.toordinal()
    area = Area(MARGIN, top, wide, _STRIP, first, max(last, first + 1), 0, 1)
    yield from across_axis(area, days_axis(strip.first, strip.last, 7))


def _legend(top: float) -> Iterator[str]:
    x = float(MARGIN)
    for colour, words in _WORDS:
        yield f'<rect x="{x:.1f}" y="{top - 10:.1f}" width="11" height="11" fill="var(--{colour})"/>'
        yield text((x + 16, top), words, LABEL, "soft")
        x += 16 + 6.6 * len(words) + 18


def _changes(life: LifeLine, shown: tuple[LifeTurn, ...], top: float) -> Iterator[str]:
    if not shown:
        words = "It reads figures of texts only: no price changes it." if life.fixed else "No price has changed it."
        yield text((MARGIN, top), words, 14)
    for number, turn in enumerate(shown):
        announced = " (announced)" if turn.day > life.today else ""
        words = f"{short_day(turn.day)}{announced}: {readable(turn_text(turn))}"
        yield text((MARGIN, top + _STEP * number), cut(words, 96), 13)


SHARP = 2
"""The pixels of a PNG for each unit of its picture."""

_SIZES = {"": WIDE, "medium": MEDIUM, "small": NARROW}
_HEAD = re.compile(rb'width="(\d+)" height="(\d+)" (?=viewBox)')

Rows = Iterable[Iterable[object]]


class NothingToDrawError(NotFoundError):
    """There is no such chart: nothing is known that could be drawn."""

    noun = "chart"


@dataclass(frozen=True, slots=True)
class ClaimChart:
    """A chart before its form is chosen: how to draw it in a scheme, and the rows of its table."""

    draw: Callable[[Scheme], bytes]
    rows: Callable[[], Rows]


def claim_history(desk: PageContext, asked: PageRequest) -> RawResponse:
    """A claim's value against its bound over time.

    Raises:
        UnknownClaimError: there is no such claim.
        NothingToDrawError: it never had a value, or the form is none of svg, png and csv.
        PageRequestError: the size or the scheme cannot be read.
    """
    return _answer(desk, asked, "history", _history)


def _history(desk: PageContext, claim: Claim, asked: PageRequest) -> ClaimChart:
    series = _known(over_time(desk, claim, asked.today), claim.id)
    verdict = desk.explain(claim.id, asked.today)
    first, last = series.points[0], series.points[-1]
    values = (figure(point.value, series.unit) for point in (first, last))
    says = f"From {first.at} to {last.at} the value went from {' to '.join(values)}."
    what = f"{_value_words(series.unit)}; expected: {expectation_text(claim)} (dashed)"
    frame = _frame(claim, verdict, asked, what)
    rows = [
        ("day", "value", "low", "high", "unit", "holds"),
        *((one.at, one.value, one.low, one.high, series.unit, _word(one.holds)) for one in series.points),
    ]
    size = _SIZES[asked.one_of("size", [name for name in _SIZES if name])]
    return ClaimChart(lambda scheme: value_chart(series, asked.today, frame, says, size, scheme=scheme), lambda: rows)


def claim_flip(desk: PageContext, asked: PageRequest) -> RawResponse:
    """How a claim's value depends on one of its inputs.

    Raises:
        UnknownClaimError: there is no such claim.
        NothingToDrawError: there is no such input, it cannot move, or there is no such form.
        OverrideError: a number of the reader's cannot be read.
    """
    return _answer(desk, asked, "flip", _flip)


def _flip(desk: PageContext, claim: Claim, asked: PageRequest) -> ClaimChart:
    verdict = desk.explain(claim.id, asked.day)
    given = overrides_of(asked.query)
    known = fields(claim, verdict, given)
    field = next((one for one in known if str(one.number) == asked.parts["number"]), None)
    if field is None or field.input.value is None:
        raise NothingToDrawError(f"{claim.id} by input {asked.parts['number']}")
    shown = desk.brain.evaluator.explain(claim.id, asked.day, sets=given) if given else verdict
    plot = input_plot(desk, asked, claim, field, shown)
    _known(plot.series, claim.id)
    unit = field.input.unit
    flips = plot.flip is not None and plot.flip <= plot.most
    change = f"the verdict changes at {figure(plot.flip, unit)}" if flips else "no possible value changes the verdict"
    says = f"{field.label} is {figure(field.input.value, unit)} today; {change}."
    what = f"{_value_words(plot.series.unit)} over {plot.label}; expected: {expectation_text(claim)} (dashed)"
    frame = _frame(claim, verdict, asked, what)
    rows = [
        (plot.label, "value", "low", "high", "unit", "holds"),
        *((one.at, one.value, one.low, one.high, plot.series.unit, _word(one.holds)) for one in plot.series.points),
    ]
    size = _SIZES[asked.one_of("size", [name for name in _SIZES if name])]
    return ClaimChart(lambda scheme: input_chart(plot, frame, says, size, scheme), lambda: rows)


def input_plot(desk: PageContext, asked: PageRequest, claim: Claim, field: Field, shown: Verdict) -> InputPlot:
    """The claim over one input with the reader's other numbers; `shown` is its verdict with all of them.

    Raises:
        NothingToDrawError: the input cannot move.
        OverrideError: a number of the reader's cannot be read.
    """
    if field.input.value is None or field.most is None:
        raise NothingToDrawError(f"{claim.id} by input {field.number}")
    others = {name: value for name, value in overrides_of(asked.query).items() if name != field.key}
    key = ("over", claim.id, asked.day, field.number, tuple(sorted(others.items())))
    series = desk.recall(key, lambda: over_input(desk, claim, field, asked.day, others))
    unit = field.input.unit
    return InputPlot(
        series=series,
        label=f"{field.label} ({unit})" if unit else field.label,
        most=field.most,
        now=field.input.value,
        own=next((one.value for one in shown.inputs if one.name == field.label), None) if field.own else None,
        value=shown.value,
        flip=field.flip.at if field.flip and not others else None,
    )


def claim_tornado(desk: PageContext, asked: PageRequest) -> RawResponse:
    """How far each ranged input moves a claim's value.

    Raises:
        UnknownClaimError: there is no such claim.
        NothingToDrawError: no input has a range, the value is undefined at its ends, or there is no such form.
    """
    return _answer(desk, asked, "tornado", _tornado)


def _tornado(desk: PageContext, claim: Claim, asked: PageRequest) -> ClaimChart:
    verdict = desk.explain(claim.id, asked.day)
    now = point_on(desk, claim, asked.day)
    if now is None or not tornado_chart.drawable(verdict.swings):
        raise NothingToDrawError(claim.id)
    says = tornado_chart.described(verdict.swings, verdict.unit)
    narrow = asked.one_of("size", ["small"]) == "small"
    what = (
        f"{_value_words(verdict.unit)} over the range of each input; "
        f"line: today, dashed: expected {expectation_text(claim)}"
    )
    frame = _frame(claim, verdict, asked, what)
    rows = [
        ("input", "unit", "low", "high", "value_at_low", "value_at_high", "value_unit"),
        *((one.input, one.unit, one.low, one.high, one.at_low, one.at_high, verdict.unit) for one in verdict.swings),
    ]
    return ClaimChart(
        lambda scheme: tornado_chart.tornado(verdict.swings, now, frame, says, narrow=narrow, scheme=scheme),
        lambda: rows,
    )


def claim_life(desk: PageContext, asked: PageRequest) -> RawResponse:
    """The life line of a claim: on which days it was true, by the prices as known now.

    Raises:
        UnknownClaimError: there is no such claim.
        NothingToDrawError: there is no such form.
    """
    return _answer(desk, asked, "life", _life)


def _life(desk: PageContext, claim: Claim, asked: PageRequest) -> ClaimChart:
    life = desk.brain.record.life(claim.id, asked.today)
    verdict = desk.explain(claim.id, asked.today)
    frame = _frame(claim, verdict, asked, "Life line: the claim on every day, by the prices as known now")
    causes = {turn.day: turn_text(turn) for turn in life.turns}
    rows = [
        ("start", "end", "state", "dated", "value", "unit", "cause"),
        *(
            (one.start, one.end, one.state.value, _word(one.dated), one.value, life.unit, causes.get(one.start, ""))
            for one in life.spans
        ),
    ]
    return ClaimChart(lambda scheme: life_chart(life, frame, scheme), lambda: rows)


def _answer(
    desk: PageContext, asked: PageRequest, kind: str, chart: Callable[[PageContext, Claim, PageRequest], ClaimChart]
) -> RawResponse:
    """The chart in the form that the address ends with: svg, png or csv."""
    claim, form = desk.brain.claims.get(asked.parts["claim"]), asked.parts["form"]
    if form not in {"svg", "png", "csv"}:
        raise NothingToDrawError(f"{kind}.{form}")
    chosen = asked.one_of("scheme", [Scheme.LIGHT.value, Scheme.DARK.value])
    plain = PageRequest(asked.path, asked.today, asked.parts, _without(asked, "scheme"), asked.site)
    scheme = Scheme(chosen) if chosen else Scheme.LIGHT if form == "png" else Scheme.AUTO
    key = (kind, form, scheme, asked.today, asked.site, tuple(sorted(asked.parts.items())), tuple(plain.query))

    def make() -> RawResponse:
        made = chart(desk, claim, plain)
        if form == "csv":
            return RawResponse("".join(map(csv_row, made.rows())).encode(), CSV)
        return RawResponse(made.draw(scheme), SVG)

    drawn = desk.recall(key, make)
    return RawResponse(PROCESS.png(_sharp(drawn.body)), PNG) if form == "png" else drawn


def _without(asked: PageRequest, name: str) -> tuple[tuple[str, str], ...]:
    return tuple((key, value) for key, value in asked.query if key != name)


def _sharp(svg: bytes) -> bytes:
    """A picture with more pixels for each of its units."""
    return _HEAD.sub(
        lambda found: b'width="%d" height="%d" ' % tuple(SHARP * int(one) for one in found.groups()), svg, 1
    )


def _frame(claim: Claim, verdict: Verdict, asked: PageRequest, subtitle: str) -> ChartFrame:
    return ChartFrame(
        title=claim.says or claim.id,
        subtitle=subtitle,
        source=source_text(verdict),
        day=asked.today,
        address=short_address(asked.site) + path_of("claims", claim.id),
    )


def short_address(site: str) -> str:
    """The address of the service without its scheme."""
    return urlsplit(site).netloc or site


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
