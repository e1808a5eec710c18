"""The tornado chart: how far each input moves the value of a claim over its range, the widest range first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from api.pages.charts.chart_frame import MARGIN, ChartFrame, framed
from api.pages.charts.chart_series import Point
from api.pages.charts.picture import Scheme, cut, line, text
from api.pages.charts.plot_area import LABEL, LETTER, Area, across_axis, labels
from api.pages.render.figure_format import figure
from graph.models.verdict_models import Swing

MOST_BARS = 12
WIDE, NARROW = 690, 340
_BAR, _ROOM = 34, 166


def drawable(swings: Sequence[Swing]) -> tuple[Swing, ...]:
    """The swings that are drawn: those with a value at both ends."""
    return tuple(one for one in swings if one.at_low is not None and one.at_high is not None)[:MOST_BARS]


def height(bars: int) -> int:
    """The height of the picture in pixels."""
    return _ROOM + _BAR * bars


def tornado(
    swings: Sequence[Swing],
    now: Point,
    frame: ChartFrame,
    says: str,
    *,
    narrow: bool = False,
    scheme: Scheme = Scheme.AUTO,
) -> bytes:
    """A rectangle for each swing of `drawable`, the value today as a line, the bounds of the expectation dashed."""
    bars = drawable(swings)
    size = (NARROW if narrow else WIDE, height(len(bars)))
    letters = 14 if narrow else 28
    area = _area(bars, now, size, frame, letters)
    parts = [
        *across_axis(area, labels(area.x0, area.x1, 3 if narrow else 6)),
        *(part for number, one in enumerate(bars) for part in _swing(area, one, (number + 0.5) / len(bars), letters)),
        *_marks(area, now),
    ]
    return framed(frame, size, parts, says, scheme)


def _area(bars: Sequence[Swing], now: Point, size: tuple[int, int], frame: ChartFrame, letters: int) -> Area:
    """The plot, with room for names of inputs of at most so many letters, and for the words at the ends of bars."""
    known = [float(end) for one in bars for end in (one.at_low, one.at_high) if end is not None]
    known += [float(one) for one in (now.value, now.low, now.high) if one is not None]
    name = min(max(len(one.input) for one in bars), letters)
    left, top = MARGIN + 8 + LETTER * name, frame.top(size[0])
    words = max(len(figure(end, one.unit)) for one in bars for end in (one.low, one.high))
    width = size[0] - left - MARGIN
    share = min(0.42, (LETTER * words + 8) / width)
    low, high = min(known), max(known)
    room = ((high - low) or abs(high) * 0.2 or 1.0) * share / (1 - 2 * share)
    return Area(left, top, width, size[1] - top - frame.bottom() - 32, low - room, high + room, 0, 1)


def _swing(area: Area, one: Swing, share: float, letters: int) -> Iterator[str]:
    """One swing as a rectangle, at a share of the height, with the name of its input and the ends of the range."""
    middle = area.top + area.height * share
    ends = sorted(((area.x(float(one.at_low or 0)), one.low), (area.x(float(one.at_high or 0)), one.high)))
    (left, first), (right, last) = ends
    yield text((area.left - 8, middle + 4), cut(one.input, letters), LABEL, "soft", anchor="end")
    yield (
        f'<rect x="{left:.1f}" y="{middle - 8:.1f}" width="{max(right - left, 1):.1f}" height="16" '
        'fill="var(--one)" opacity="0.75"/>'
    )
    yield text((left - 5, middle + 4), figure(first, one.unit), LABEL, anchor="end")
    yield text((right + 5, middle + 4), figure(last, one.unit), LABEL)


def _marks(area: Area, now: Point) -> Iterator[str]:
    if now.value is not None:
        x = area.x(float(now.value))
        yield line((x, area.top), (x, area.bottom), "ink", 1.4)
    for edge in dict.fromkeys((now.low, now.high)):
        if edge is not None:
            x = area.x(float(edge))
            dashed = line((x, area.top), (x, area.bottom), "two", 1.4)
            yield dashed.replace("/>", ' stroke-dasharray="5 4"/>')


def described(swings: Sequence[Swing], unit: str) -> str:
    """What the chart shows, for those who cannot see it."""
    return "; ".join(_described(one, unit) for one in swings) + "."


def _described(one: Swing, unit: str) -> str:
    ends = f"{figure(one.low, one.unit)} to {figure(one.high, one.unit)}"
    return f"{one.input} from {ends}: {_value(one.at_low, unit)} to {_value(one.at_high, unit)}"


def _value(value: Decimal | None, unit: str) -> str:
    return "undefined" if value is None else figure(value, unit)
