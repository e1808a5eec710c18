"""The area of a plot: its axes, ticks and grid, and step lines with their bounds, drawn by hand as parts of an SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

from api.pages.charts.chart_series import Point, Series
from api.pages.charts.picture import line, text
from api.pages.render.figure_format import figure, short_day

LABEL = 12
"""The size of the words at an axis in pixels."""

LETTER = 6.8
ROW = 15
"""The height of a row of words in pixels."""
_LARGE = ((1e12, " trillion"), (1e9, " billion"), (1e6, "M"), (1e5, "k"))
_MONTHS = (1, 2, 3, 6, 12, 24, 36, 60, 120)
_DAYS = 62
"""Up to so many days an axis of time has ticks by day, beyond it by month."""


Corner = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Area:
    """The plot in pixels, and the values at its edges: `x0` to `x1` from left to right, `y0` to `y1` upwards."""

    left: float
    top: float
    width: float
    height: float
    x0: float
    x1: float
    y0: float
    y1: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height

    def x(self, value: float) -> float:
        """Where a value is from left to right; what is outside is at the edge."""
        share = (value - self.x0) / (self.x1 - self.x0)
        return self.left + self.width * min(1.0, max(0.0, share))

    def y(self, value: float) -> float:
        """How far down a value is; what is outside is just beyond the edge, where the clip hides it."""
        share = (value - self.y0) / (self.y1 - self.y0)
        return self.top + self.height * (1 - min(1.5, max(-0.5, share)))


def reach(series: Series) -> tuple[float, float]:
    """The values at the lower and the upper edge: everything, unless a pole would flatten what matters.

    Then at most five times the bound.
    """
    points = series.points
    bounds = [float(edge) for point in points for edge in (point.low, point.high) if edge is not None]
    values = [*bounds, *(float(point.value) for point in points if point.value is not None)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    edge = max(map(abs, bounds), default=0.0)
    if edge:
        low, high = max(low, -5 * edge), min(high, 5 * edge)
    room = (high - low) * 0.08 or abs(high) * 0.1 or 1.0
    return (low - room if low < 0 or low - room > 0 else 0.0, high + room)


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round values from `low` to `high`, about `most` of them."""
    rough = (high - low) / max(1, most)
    scale = 10.0 ** math.floor(math.log10(rough))
    step = next(size * scale for size in (1, 2, 2.5, 5, 10) if size * scale >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(number * step, 12) for number in range(first, math.floor(high / step + 1e-9) + 1)]


def tick_text(value: float, step: float) -> str:
    """A value at an axis: `97.5`, `250k`, `1.2M`, `2 trillion`."""
    for size, word in _LARGE:
        if abs(value) >= size:
            return f"{value / size:,.4g}{word}".replace("-", "−")
    if step < 1e-4:
        return figure(Decimal(f"{value:.4g}"))
    places = max(0, -math.floor(math.log10(step) + 1e-9)) if step else 0
    places += abs(round(step * 10**places) - step * 10**places) > 1e-6
    return f"{value:,.{places}f}".replace("-", "−")


def labels(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """The ticks of an axis with their words."""
    found = ticks(low, high, most)
    step = found[1] - found[0] if len(found) > 1 else abs(found[0]) if found else 1.0
    return [(value, tick_text(value, step)) for value in found]


def left_room(upward: Sequence[tuple[float, str]]) -> float:
    """The pixels that the words of the upward axis need."""
    return 12 + LETTER * max((len(words) for _, words in upward), default=1)


def upward_axis(area: Area, upward: Iterable[tuple[float, str]]) -> Iterator[str]:
    """A line of the grid for each tick, with its value."""
    for value, words in upward:
        at = area.y(value)
        yield line((area.left, at), (area.right, at))
        yield text((area.left - 7, at + 4), words, LABEL, "soft", anchor="end")


def across_axis(area: Area, across: Iterable[tuple[float, str]]) -> Iterator[str]:
    """The base line, with a tick and its words for each value; words that would overlap are left out."""
    yield line((area.left, area.bottom), (area.right, area.bottom), "soft", 0.7)
    until = -math.inf
    for value, words in across:
        at, half = area.x(value), LETTER * len(words) / 2
        yield line((at, area.bottom), (at, area.bottom + 5), "soft", 0.7)
        middle = min(max(at, area.left - 20 + half), area.right + 8 - half)
        if middle - half > until:
            until = middle + half + 8
            yield text((middle, area.bottom + 19), words, LABEL, "soft", anchor="middle")


def rule(
    area: Area, at: float, words: str, *, left: bool = False, down: int = 0, lines: Iterable[Sequence[Corner]] = ()
) -> Iterator[str]:
    """An upright line at a value, with a label next to it; on the other side where there is no room.

    The label is near the top, as far down as it takes for none of the `lines` to cross it.
    """
    x, wide = area.x(at), LETTER * len(words) + 6
    side = left if area.left + wide < x < area.right - wide else x >= area.right - wide
    edges = (x - 5 - wide, x) if side else (x, x + 5 + wide)
    taken = [stretch for one in lines for stretch in _heights(one, *edges)]
    rows = [area.top + 11 + ROW * number for number in range(down, max(down + 1, int(area.height / ROW)))]
    free = (row for row in rows if not any(low < row + 5 and high > row - 12 for low, high in taken))
    yield line((x, area.top), (x, area.bottom), "soft")
    spot = (x - 5 if side else x + 5, next(free, rows[0]))
    yield text(spot, words, LABEL, "soft", anchor="end" if side else "start")


def _heights(corners: Sequence[Corner], left: float, right: float) -> Iterator[tuple[float, float]]:
    """The heights between two places that the parts of a step line take."""
    for (x0, y0), (x1, y1) in pairwise(corners):
        if min(x0, x1) <= right and max(x0, x1) >= left:
            yield min(y0, y1), max(y0, y1)


def clip(area: Area, name: str) -> str:
    """A clip of the area; a part names it by `clipped`."""
    return (
        f'<clipPath id="{name}"><rect x="{area.left:.1f}" y="{area.top:.1f}" width="{area.width:.1f}" '
        f'height="{area.height:.1f}"/></clipPath>'
    )


def clipped(name: str, parts: Iterable[str]) -> str:
    """Parts that do not leave the area."""
    return f'<g clip-path="url(#{name})">{"".join(parts)}</g>'


def path(points: Sequence[tuple[float, float]], colour: str, width: float, *, dashed: bool = False) -> str:
    """A line through points in pixels."""
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{places}" fill="none" stroke="var(--{colour})" stroke-width="{width:g}"{dash}/>'


def spot(at: tuple[float, float], colour: str = "one") -> str:
    """A dot at a place in pixels."""
    return (
        f'<circle class="dot" cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="5.5" fill="var(--{colour})" '
        'stroke="var(--paper)" stroke-width="2"/>'
    )


def band(area: Area, low: Sequence[tuple[float, float]], high: Sequence[tuple[float, float]]) -> str:
    """What is expected between two bounds, both given as corners in pixels."""
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in (*high, *reversed(low)))
    return f'<polygon points="{places}" fill="var(--two)" opacity="0.16"/>' if area.width else ""


def pieces(points: Sequence[Point]) -> Iterator[tuple[Point, ...]]:
    """The stretches of points that have a value."""
    held: list[Point] = []
    for point in points:
        if point.value is not None:
            held.append(point)
        elif held:
            yield tuple(held)
            held = []
    if held:
        yield tuple(held)


def days_axis(first: date, last: date, most: int) -> list[tuple[float, str]]:
    """The ticks of an axis of days, at most about `most`: firsts of months, or days where it is short."""
    span = (last - first).days
    if span <= _DAYS:
        step = max(1, math.ceil(span / most))
        found = [first + timedelta(days=number) for number in range(0, span + 1, step)]
        return [(day.toordinal(), short_day(day)[:-5]) for day in found]
    months = span / 30.44
    step = next((size for size in _MONTHS if months / size <= most), _MONTHS[-1])
    index = first.year * 12 + first.month - 1
    starts = range(-(-index // step) * step, last.year * 12 + last.month, step)
    days = [date(at // 12, at % 12 + 1, 1) for at in starts]
    return [(day.toordinal(), f"{day:%Y}" if step >= 12 else f"{day:%b %Y}") for day in days if first <= day <= last]
