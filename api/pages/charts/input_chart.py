"""The value of a claim against one of its inputs: drawn in the page, where a slider moves its dot, and as a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from api.pages.charts.chart_frame import MARGIN, ChartFrame, framed
from api.pages.charts.chart_series import Point, Series
from api.pages.charts.picture import Scheme, text
from api.pages.charts.plot_area import (
    LABEL,
    Area,
    across_axis,
    band,
    clip,
    clipped,
    labels,
    left_room,
    path,
    pieces,
    reach,
    rule,
    spot,
    upward_axis,
)

INLINE = (400, 236)
"""The size of the chart in the page, in its own units; the page stretches it."""


@dataclass(frozen=True, slots=True)
class InputPlot:
    """One claim over one input, which goes from 0 to `most`.

    `now` is the input as the catalogue has it, `own` the reader's number, `value` the value of the claim at `own` or
    `now`, `flip` where the verdict changes.
    """

    series: Series
    label: str
    most: Decimal
    now: Decimal
    own: Decimal | None = None
    value: Decimal | None = None
    flip: Decimal | None = None


@dataclass(frozen=True, slots=True)
class InlinePlot:
    """The chart as markup for the page, with the place of its axis for the script that moves the dot."""

    markup: str
    left: float
    width: float
    top: float
    bottom: float
    size: tuple[int, int] = INLINE


def inline(plot: InputPlot) -> InlinePlot:
    """The chart for the page: it takes the colours of the page."""
    area, upward = _area(plot, INLINE, 24, 44)
    head = text((2, 12), plot.series.unit or "value", LABEL, "soft")
    parts = [head, *_parts(plot, area, upward, 4)]
    return InlinePlot("".join(parts), area.left, area.width, area.top, area.bottom)


def input_chart(
    plot: InputPlot, frame: ChartFrame, says: str, size: tuple[int, int], scheme: Scheme = Scheme.AUTO
) -> bytes:
    """The same as a picture with its frame."""
    area, upward = _area(plot, size, frame.top(size[0]), frame.bottom() + 44)
    return framed(frame, size, _parts(plot, area, upward, 3 if size[0] < 400 else 6), says, scheme)


def _area(plot: InputPlot, size: tuple[int, int], top: float, below: float) -> tuple[Area, list[tuple[float, str]]]:
    low, high = _focus(plot) or reach(plot.series)
    upward = labels(low, high, 4)
    left = (2 if size == INLINE else MARGIN) + left_room(upward) - 6
    width = size[0] - left - (8 if size == INLINE else MARGIN)
    return Area(left, top, width, size[1] - top - below, 0.0, float(plot.most), low, high), upward


def _parts(plot: InputPlot, area: Area, upward: list[tuple[float, str]], most: int) -> Iterator[str]:
    yield from upward_axis(area, upward)
    yield from across_axis(area, labels(0, float(plot.most), most))
    yield text((area.right, area.bottom + 36), plot.label, LABEL, "soft", anchor="end")
    yield clip(area, "curve")
    yield clipped("curve", (*_bounds(area, plot.series.points), *_curves(area, plot.series.points)))
    turning = plot.flip is not None and plot.flip <= plot.most
    yield from rule(area, float(plot.now), "today", left=turning and (plot.flip or 0) > plot.now)
    if turning and plot.flip is not None:
        yield from rule(area, float(plot.flip), "changes", left=plot.flip < plot.now, down=1)
    if plot.value is not None:
        y = min(max(area.y(float(plot.value)), area.top), area.bottom)
        yield spot((area.x(float(plot.now if plot.own is None else plot.own)), y))


def _curves(area: Area, points: Sequence[Point]) -> Iterator[str]:
    for piece in pieces(points):
        corners = _line(area, piece, lambda point: point.value)
        yield path(corners, "one", 2.5).replace("<polyline ", '<polyline class="curve" ')


def _line(area: Area, points: Sequence[Point], of: Callable[[Point], Decimal | None]) -> list[tuple[float, float]]:
    return [(area.x(float(one.at)), area.y(float(of(one) or 0))) for one in points if isinstance(one.at, Decimal)]


def _bounds(area: Area, points: Sequence[Point]) -> Iterator[str]:
    low = _line(area, [point for point in points if point.low is not None], lambda point: point.low)
    high = _line(area, [point for point in points if point.high is not None], lambda point: point.high)
    if low and high:
        yield band(area, low, high)
    for edge in (low, high):
        if edge:
            yield path(edge, "two", 1.4, dashed=True)


def _focus(plot: InputPlot) -> tuple[float, float] | None:
    """The values to be shown: that of the dot and the bound, with twice their distance around them.

    None where there is no distance to go by.
    """
    points = plot.series.points
    here = min(points, key=lambda point: abs(Decimal(str(point.at)) - plot.now))
    near = [float(one) for one in (plot.value, here.value, here.low, here.high) if one is not None]
    if plot.value is None or len(near) < 2 or max(near) == min(near):
        return None
    room = 2 * (max(near) - min(near))
    known = [float(one) for point in points for one in (point.value, point.low, point.high) if one is not None]
    low, high = max(min(known), min(near) - room), min(max(known), max(near) + room)
    edge = (high - low) * 0.06
    return (low - edge, high + edge)
