"""The value of a claim over time, as steps against what is expected: the picture to show and to post."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from api.pages.charts.chart_frame import MARGIN, ChartFrame, framed
from api.pages.charts.chart_series import Point, Series
from api.pages.charts.picture import Scheme, text
from api.pages.charts.plot_area import (
    Area,
    Corner,
    across_axis,
    band,
    clip,
    clipped,
    days_axis,
    labels,
    left_room,
    path,
    pieces,
    reach,
    rule,
    spot,
    upward_axis,
)
from api.pages.render.figure_format import figure

WIDE, MEDIUM, NARROW = (690, 420), (540, 372), (340, 392)
"""The size in pixels: for a post, next to text, and for a small screen."""


def value_chart(
    series: Series,
    today: date,
    frame: ChartFrame,
    says: str,
    size: tuple[int, int] = WIDE,
    *,
    scheme: Scheme = Scheme.AUTO,
) -> bytes:
    """The value as steps; bounds are dashed with a tint between them; what is announced is paler."""
    area, upward = _area(series, size, frame)
    first, last = (date.fromordinal(int(edge)) for edge in (area.x0, area.x1))
    parts = [
        *upward_axis(area, upward),
        *across_axis(area, days_axis(first, last, 3 if size[0] < MEDIUM[0] else 6)),
        clip(area, "plot"),
        clipped("plot", (*_bounds(area, series.points), *_values(area, series.points, today))),
    ]
    if first <= today <= last:
        parts += rule(area, today.toordinal(), "today", left=True, lines=_lines(area, series, today))
    parts += _now(area, series, today)
    return framed(frame, size, parts, says, scheme)


def _area(series: Series, size: tuple[int, int], frame: ChartFrame) -> tuple[Area, list[tuple[float, str]]]:
    low, high = reach(series)
    upward = labels(low, high, 5)
    days = [_ordinal(point) for point in series.points]
    first, last = min(days), max(days)
    top, left = frame.top(size[0]), MARGIN + left_room(upward) - 8
    height = size[1] - top - frame.bottom() - 34
    area = Area(left, top, size[0] - left - MARGIN, height, first, max(last, first + 1), low, high)
    return area, upward


def _ordinal(point: Point) -> float:
    if not isinstance(point.at, date):
        raise TypeError("a point in time is at a day")
    return float(point.at.toordinal())


def _corners(area: Area, points: Sequence[Point], end: float, of: Callable[[Point], Decimal | None]) -> list[Corner]:
    """The corners of a step line over points that all have the value `of`, up to the day `end`."""
    found: list[Corner] = []
    for point in points:
        y = area.y(float(of(point) or 0))
        if found:
            found.append((area.x(_ordinal(point)), found[-1][1]))
        found.append((area.x(_ordinal(point)), y))
    return [*found, (area.x(end), found[-1][1])]


def _end(points: Sequence[Point], piece: Sequence[Point]) -> float:
    """The day on which a stretch ends: that of the point without a value which follows it."""
    after = [_ordinal(point) for point in points if _ordinal(point) > _ordinal(piece[-1])]
    return min(after, default=_ordinal(piece[-1]))


def _values(area: Area, points: Sequence[Point], today: date) -> Iterator[str]:
    for piece in pieces(points):
        past, coming = _parted(_corners(area, piece, _end(points, piece), _value), area.x(today.toordinal()))
        if len(past) > 1:
            yield path(past, "one", 2.5)
        if len(coming) > 1:
            yield f'<g opacity="0.5">{path(coming, "one", 2.5, dashed=True)}</g>'


def _value(point: Point) -> Decimal | None:
    return point.value


def _low(point: Point) -> Decimal | None:
    return point.low


def _high(point: Point) -> Decimal | None:
    return point.high


def _parted(corners: Sequence[Corner], at: float) -> tuple[list[Corner], list[Corner]]:
    """A step line up to a place, and from there on."""
    past = [corner for corner in corners if corner[0] <= at]
    coming = [corner for corner in corners if corner[0] > at]
    if past and coming:
        coming = [(at, past[-1][1]), *coming]
        past = [*past, (at, past[-1][1])]
    return past, coming


def _lines(area: Area, series: Series, today: date) -> Iterator[Sequence[Corner]]:
    """What no label must stand on: the values, the bounds, and the figure of today as a box."""
    for piece in pieces(series.points):
        end = _end(series.points, piece)
        for of in (_value, _low, _high):
            if known := [point for point in piece if of(point) is not None]:
                yield _corners(area, known, end, of)
    if figured := _todays(area, series, today):
        left, right = figured.edges
        top, bottom = figured.height - 11, figured.height + 3
        yield ((left, top), (right, top), (right, bottom), (left, bottom))


def _bounds(area: Area, points: Sequence[Point]) -> Iterator[str]:
    for piece in pieces(points):
        end = _end(points, piece)
        low = [point for point in piece if point.low is not None]
        high = [point for point in piece if point.high is not None]
        below = _corners(area, low, end, _low) if low else []
        above = _corners(area, high, end, _high) if high else []
        if below and above:
            yield band(area, below, above)
        for edge in (below, above):
            if edge:
                yield path(edge, "two", 1.4, dashed=True)


class _Todays(NamedTuple):
    """Today's value: its dot, and its figure, which stands at one side of it."""

    dot: Corner
    words: str
    left: bool
    height: float

    @property
    def edges(self) -> tuple[float, float]:
        """Where the figure begins and ends."""
        wide = 8 * len(self.words)
        return (self.dot[0] - 9 - wide, self.dot[0] - 9) if self.left else (self.dot[0] + 9, self.dot[0] + 9 + wide)


def _todays(area: Area, series: Series, today: date) -> _Todays | None:
    """Today's value, if there is one in the picture."""
    known = [point for point in series.points if _ordinal(point) <= today.toordinal()]
    if not known or known[-1].value is None:
        return None
    at = (area.x(today.toordinal()), area.y(float(known[-1].value)))
    if not area.top <= at[1] <= area.bottom:
        return None
    words = figure(known[-1].value, series.unit)
    left = at[0] > area.left + 8 * len(words) + 12
    return _Todays(at, words, left, at[1] - 10 if at[1] > area.top + 34 else at[1] + 20)


def _now(area: Area, series: Series, today: date) -> Iterator[str]:
    """A dot at today's value, with the figure."""
    if one := _todays(area, series, today):
        yield spot(one.dot)
        place = one.edges[1] if one.left else one.edges[0]
        yield text((place, one.height), one.words, 14, anchor="end" if one.left else "start", more=' font-weight="600"')
