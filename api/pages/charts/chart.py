"""A chart of lines over two axes, in a frame with its title, source, day and address; and the ticks of axes."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from urllib.parse import urlsplit

from api.pages.charts.picture import Corner, Scheme, cut, keys, line, picture, text, wrapped
from api.pages.render.figure_format import figure, short_day
from api.pages.request.page_request import PageRequest

MARGIN, LABEL, ROW = 16, 12, 16
LETTER = 6.8
"""The mean width of a letter of a label in DejaVu Sans, the widest of the fonts, in pixels."""

WIDE, MEDIUM, NARROW = (690, 440), (540, 392), (340, 412)
"""The size in pixels: for a post, next to text, and for a small screen."""

SIZES = {"": WIDE, "medium": MEDIUM, "small": NARROW}
"""The sizes by the word in the address."""

MOST_NAMES = 6
"""How many lines have their names in the picture."""

_NAMES = 150
_LARGE = ((1e12, " trillion"), (1e9, " billion"), (1e6, "M"), (1e5, "k"))
_MONTHS = (1, 2, 3, 6, 12, 24, 36, 60, 120)
_DAYS = 62
"""Up to so many days an axis of time has ticks by day, beyond it by month."""


Band = tuple[Sequence[Corner], str]
"""A filled polygon: its corners and its colour."""


def size_of(request: PageRequest) -> tuple[int, int]:
    """The size of a picture that an address asks for.

    Raises:
        PageRequestError: there is no such size.
    """
    return SIZES[request.one_of("size", [name for name in SIZES if name])]


def short_address(site: str) -> str:
    """The address of the service without its scheme."""
    return urlsplit(site).netloc or site


@dataclass(frozen=True, slots=True)
class Frame:
    """The words around a chart; `address` is that of the page without its scheme."""

    title: str
    subtitle: str
    source: str
    day: date
    address: str

    def words(self, size: tuple[int, int]) -> tuple[list[str], float]:
        """The lines of text for a picture of a size in pixels, and where what is below the title begins."""
        (width, height), parts, y = size, list[str](), 14.0
        room = width - 2 * MARGIN
        for one in wrapped(self.title, int(room / 11.2), 3):
            y += 22
            parts.append(text((MARGIN, y - 4), one, 17, bold=True))
        for one in wrapped(self.subtitle, int(room / 7.3), 2):
            y += 17
            parts.append(text((MARGIN, y - 2), one, LABEL, "soft"))
        day = f" · {short_day(self.day)}"
        source = cut(f"Source: {self.source}", int(room / 7.3) - len(day)) + day
        parts.append(text((MARGIN, height - 27), source, LABEL, "soft"))
        parts.append(text((MARGIN, height - 10), cut(self.address, int(room / 7.3)), LABEL, "soft"))
        return parts, y + 12


@dataclass(frozen=True, slots=True)
class Line:
    """A line by its corners in the units of the axes; `name` and `figure` are its label, `hover` its tooltip."""

    corners: Sequence[Corner]
    colour: str
    width: float = 2.5
    dash: str = ""
    opacity: float = 1
    name: str = ""
    figure: str = ""
    hover: str = ""
    css: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines between the values `x` and `y` of the edges; `across` are the ticks of the lower axis.

    `bands` are polygons with their colours, `rules` upright lines with their words, `dot` a place with its figure,
    `unit` that of the upward axis, `label` the words at the lower one, `keys` the legend as colours and words.
    """

    x: Corner
    y: Corner
    across: Sequence[tuple[float, str]]
    lines: Sequence[Line]
    bands: Sequence[Band] = ()
    rules: Sequence[tuple[float, str]] = ()
    dot: tuple[Corner, str] | None = None
    unit: str = ""
    label: str = ""
    keys: Sequence[tuple[str, str]] = ()
    upward: Sequence[tuple[float, str]] = ()

    def named(self) -> list[Line]:
        """The lines with a name, the highest last value first, without those of equal names."""
        found = {(one.name, one.figure): one for one in self.lines if one.name}
        return sorted(found.values(), key=lambda one: -one.corners[-1][1])[:MOST_NAMES]


@dataclass(frozen=True, slots=True)
class Area:
    """The plot in pixels, and the values at its edges."""

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
        return self.left + self.width * min(1.0, max(0.0, (value - self.x0) / (self.x1 - self.x0)))

    def y(self, value: float) -> float:
        """How far down a value is; what is outside is just beyond the edge, where the clip hides it."""
        return self.top + self.height * (1 - min(1.5, max(-0.5, (value - self.y0) / (self.y1 - self.y0))))

    def at(self, corner: Corner) -> Corner:
        """The place of a pair of values."""
        return self.x(corner[0]), self.y(corner[1])


def draw(chart: Chart, frame: Frame, says: str, size: tuple[int, int], scheme: Scheme = Scheme.AUTO) -> bytes:
    """The chart with its frame as SVG; `says` describes it for screen readers."""
    head, top = frame.words(size)
    wide, names = size[0] >= WIDE[0], chart.named()
    legend, below = keys((MARGIN, size[1] - 54), chart.keys, LABEL, size[0] - 2 * MARGIN)
    extra = below - (size[1] - 54) if chart.keys else 0
    legend = keys((MARGIN, size[1] - 32 - extra), chart.keys, LABEL, size[0] - 2 * MARGIN)[0]
    listed = 0 if wide else ROW * len(names)
    right = _NAMES if wide and names else 0
    area = laid(chart, size, top, 50 + extra + listed, margin=MARGIN, right=right)
    parts = [*head, *plot(chart, area, size[0]), *legend, *_names(names, area, wide=wide)]
    return picture(size, frame.title, says, parts, scheme)


def inline(chart: Chart, size: tuple[int, int], top: float, foot: float) -> tuple[str, Area]:
    """A chart as markup for the page, whose colours it takes, and its area for the script that moves the dot."""
    area = laid(chart, size, top, foot)
    return "".join(plot(chart, area, size[0])), area


def laid(chart: Chart, size: tuple[int, int], top: float, foot: float, *, margin: float = 2, right: float = 0) -> Area:
    """Where the plot is in a picture, between its head and its foot in pixels."""
    upward = chart.upward or labels(*chart.y, 5)
    left = margin + 8 + LETTER * max((len(words) for _, words in upward), default=1)
    top += ROW * ((1 if chart.unit else 0) + len(chart.rules))
    foot += 26 + (ROW if chart.label else 0)
    return Area(left, top, size[0] - left - max(margin, 8) - right, size[1] - top - foot, *chart.x, *chart.y)


def plot(chart: Chart, area: Area, width: float = 0) -> Iterator[str]:
    """The parts of a chart in its area."""
    for value, words in chart.upward or labels(*chart.y, 5):
        yield line((area.left, area.y(value)), (area.right, area.y(value)))
        yield text((area.left - 7, area.y(value) + 4), words, LABEL, "soft", anchor="end")
    yield from _across_axis(area, chart.across)
    rows = area.top - 5
    for number, (value, words) in enumerate(chart.rules):
        yield line((area.x(value), rows - ROW * number + 2), (area.x(value), area.bottom), "soft")
        half = LETTER * len(words) / 2
        at = min(max(area.x(value), half + 2), (width or area.right) - half - 2)
        yield text((at, rows - ROW * number), words, LABEL, "soft", anchor="middle")
    if chart.unit:
        yield text((area.left - 7, rows - ROW * len(chart.rules)), chart.unit, LABEL, "soft")
    if chart.label:
        yield text((area.right, area.bottom + 19 + ROW), chart.label, LABEL, "soft", anchor="end")
    yield plot_lines(area, chart.lines, chart.bands)
    if chart.dot:
        yield from _dot(area, *chart.dot)


def plot_lines(area: Area, lines: Iterable[Line], bands: Iterable[Band]) -> str:
    """Lines over their bands, cut at the edges of the area."""
    left, top, width, height = area.left, area.top - 3, area.width + 3, area.height + 6
    inside = "".join((*(_band(area, *one) for one in bands), *(_line(area, one) for one in lines)))
    return (
        f'<svg x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}">{inside}</svg>'
    )


def _across_axis(area: Area, across: Iterable[tuple[float, str]]) -> Iterator[str]:
    """The base line with its ticks; words that would overlap are left out."""
    yield line((area.left, area.bottom), (area.right, area.bottom), "soft", 0.7)
    until = -math.inf
    for value, words in across:
        at, half = area.x(value), LETTER * len(words) / 2
        yield line((at, area.bottom), (at, area.bottom + 5), "soft", 0.7)
        middle = min(max(at, area.left - 20 + half), area.right + 8 - half)
        if middle - half > until:
            until = middle + half + 8
            yield text((middle, area.bottom + 19), words, LABEL, "soft", anchor="middle")


def _line(area: Area, one: Line) -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(area.at, one.corners))
    dash = f' stroke-dasharray="{one.dash}"' if one.dash else ""
    shade = f' opacity="{one.opacity:g}"' if one.opacity < 1 else ""
    css = f' class="{one.css}"' if one.css else ""
    drawn = (
        f'<polyline{css} points="{places}" fill="none" stroke="var(--{one.colour})" '
        f'stroke-width="{one.width:g}"{dash}{shade}/>'
    )
    if not one.hover:
        return drawn
    touched = f'<polyline points="{places}" fill="none" stroke="transparent" stroke-width="16"/>'
    return f'<g class="step"><title>{html.escape(one.hover)}</title>{touched}{drawn}</g>'


def _band(area: Area, corners: Sequence[Corner], colour: str) -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(area.at, corners))
    return f'<polygon points="{places}" fill="var(--{colour})" opacity="0.16"/>'


def _dot(area: Area, corner: Corner, words: str) -> Iterator[str]:
    """A dot with its figure, on the side that has room; a border of paper keeps the figure readable over lines."""
    x, y = area.x(corner[0]), min(max(area.y(corner[1]), area.top), area.bottom)
    yield (
        f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="var(--one)" '
        'stroke="var(--paper)" stroke-width="2"/>'
    )
    left = x > area.left + 8 * len(words) + 12
    place = (x - 9 if left else x + 9, y - 10 if y > area.top + 20 else y + 20)
    halo = ' stroke="var(--paper)" stroke-width="4" paint-order="stroke"'
    yield text(place, words, 14, anchor="end" if left else "start", bold=True, more=halo)


def _names(named: Sequence[Line], area: Area, *, wide: bool) -> Iterator[str]:
    """The names of lines at their ends without overlap; on small screens in a list below."""
    lowest = area.top - 20.0
    for number, one in enumerate(named):
        if wide:
            lowest = max(area.y(one.corners[-1][1]) + 4, lowest + 32)
            yield text((area.right + 10, lowest), one.figure or one.name, 13, one.colour, bold=True)
            yield text((area.right + 10, lowest + 15), cut(one.name, 24) if one.figure else "", 11, "soft")
        else:
            words = cut(f"{one.figure}  {one.name}".strip(), int((area.right - MARGIN) / LETTER))
            yield text((MARGIN, area.bottom + 40 + ROW * number), words, LABEL, one.colour)


def stepped(points: Sequence[Corner], end: float) -> list[Corner]:
    """The corners of a line that keeps each value up to the next point, and the last one up to `end`."""
    found: list[Corner] = []
    for x, y in points:
        if found:
            found.append((x, found[-1][1]))
        found.append((x, y))
    return [*found, (end, found[-1][1])]


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
