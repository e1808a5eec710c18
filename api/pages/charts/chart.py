"""Charts as SVG, PNG and CSV: lines over two axes in a frame, in the reader's colours or those of one scheme."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from api.pages.page_request import PageRequest, RawResponse
from api.pages.render.figure_format import cut, figure, short_day, wrapped
from api.pages.render.templates import fill
from graph.store.store_errors import NotFoundError
from graph.text.csv_text import csv_row

FONTS = [str(path) for path in sorted((Path(__file__).parents[1] / "static").glob("*.ttf"))]
"""Our typefaces for PNGs, made by the build (`setup.py`); without them PNGs are set in fonts of the system."""

SHARP = 2  # the pixels of a PNG of a chart for each unit of its picture

MARGIN, LABEL, ROW = 16, 12, 16
LETTER = 6.8  # the mean width of a letter of a label in DejaVu Sans, the widest of the fonts, in pixels

WIDE, MEDIUM, NARROW = (690, 440), (540, 300), (340, 340)
"""The size in pixels: for a post, next to text, and for a small screen."""

MOST_NAMES = 6  # how many lines have their names in the picture

_NAMES = 164
_LARGE = ((1e12, 1e12, " trillion"), (1e9, 1e9, " billion"), (1e6, 1e6, "M"), (1e5, 1e3, "k"))
_MONTHS = (1, 2, 3, 6, 12, 24, 36, 60, 120)
_DAYS = 62  # up to so many days an axis of time has ticks by day, beyond it by month

Corner = tuple[float, float]
Size = tuple[int, int]
Key = tuple[float, float, str, str]
"""A place of a legend: where it is, its colour and its words."""


class Scheme(StrEnum):
    """Colours of a picture: the reader's scheme, or one of the two."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


LIGHT: Mapping[str, str] = {
    "paper": "#fcfaf6", "ink": "#24211c", "soft": "#625c52", "line": "#ddd7cb", "good": "#2b6a46", "bad": "#a32a2f",
    "unknown": "#a9a398", "one": "#1f5673", "two": "#8a5a00", "three": "#2b6a46", "four": "#8c2f6b", "five": "#5d4f8c",
    "genai": "#0b5fa5", "cards": "#c2500a", "litellm": "#0096a5", "ecb": "#87001e",
    "skypilot": "#4b0078", "imported": "#b400ff",
}  # fmt: skip
DARK: Mapping[str, str] = {
    "paper": "#171715", "ink": "#e9e5dc", "soft": "#a9a296", "line": "#3a3834", "good": "#7cc79a", "bad": "#ef8e8b",
    "unknown": "#6d6960", "one": "#7fb8d8", "two": "#dca94a", "three": "#7cc79a", "four": "#e59bc6", "five": "#b5a8e3",
    "genai": "#5aa9e6", "cards": "#f0a23c", "litellm": "#3cf0d2", "ecb": "#e0607e",
    "skypilot": "#8f8cff", "imported": "#dc82ff",
}  # fmt: skip


class NothingToDrawError(NotFoundError):
    """No such chart: unknown form, or nothing known to draw."""

    noun = "chart"


Rows = Callable[[], Iterable[Iterable[object]]]
"""What a chart shows as a table."""


def image(request: PageRequest, draw: Callable[[Scheme], bytes], rows: Rows | None = None) -> RawResponse:
    """A picture in the form that the address ends with, svg, png, or the `rows` as csv.

    Raises NothingToDrawError for another form, PageRequestError for a scheme other than light and dark.
    """
    form, chosen = request.parts["form"], request.one_of("scheme", [Scheme.LIGHT, Scheme.DARK])
    if form not in ({"svg", "png", "csv"} if rows else {"svg", "png"}):
        raise NothingToDrawError(f"{request.path.rpartition('/')[2]}")
    if form == "csv" and rows:
        return RawResponse("".join(map(csv_row, rows())).encode(), "text/csv; charset=utf-8")
    svg = draw(Scheme(chosen) if chosen else Scheme.LIGHT if form == "png" else Scheme.AUTO)
    if form == "svg":
        return RawResponse(svg, "image/svg+xml")
    import resvg_py  # noqa: PLC0415  # only PNGs need it: a service that shows none does not load it

    return RawResponse(resvg_py.svg_to_bytes(svg_string=svg.decode(), zoom=SHARP, font_files=FONTS), "image/png")


def picture(template: str, scheme: Scheme, size: Size, title: str, description: str, **values: object) -> bytes:
    """An SVG with a title and a description for screen readers; `size` in pixels."""
    palettes = {"light": LIGHT, "dark": DARK} if scheme is Scheme.AUTO else {}
    svg = fill(template, size=size, title=title, description=description, palettes=palettes, **values)
    colours = DARK if scheme is Scheme.DARK else LIGHT
    return (svg if palettes else re.sub(r"var\(--(\w+)\)", lambda found: colours[found[1]], svg)).encode()


class Frame(NamedTuple):
    """The words around a chart; `address` is its page, without the scheme."""

    title: str
    subtitle: str
    source: str
    day: date
    address: str


class Line(NamedTuple):
    """A line in units of the axes; `name` and `figure` label it, `hover` is its tooltip."""

    corners: Sequence[Corner]
    colour: str
    width: float = 2.5
    dash: str = ""
    opacity: float = 1
    name: str = ""
    figure: str = ""
    hover: str = ""
    css: str = ""


Band = tuple[Sequence[Corner], str]
"""A filled polygon: its corners and its colour."""


class Chart(NamedTuple):
    """Lines between the values `x` and `y` of the edges; `across` are the ticks of the lower axis, of one or two lines.

    `bands` are polygons with their colours, `rules` upright lines with their words, `steps` places with theirs, `dots`
    places with their figures, `unit` that of the upward axis, `label` the words of the lower one, `keys` the legend.
    """

    x: Corner
    y: Corner
    across: Sequence[tuple[float, str]]
    lines: Sequence[Line]
    bands: Sequence[Band] = ()
    rules: Sequence[tuple[float, str]] = ()
    dots: Sequence[tuple[Corner, str]] = ()
    unit: str = ""
    label: str = ""
    keys: Sequence[tuple[str, str]] = ()
    upward: Sequence[tuple[float, str]] = ()
    steps: Sequence[tuple[Corner, str]] = ()

    def rows(self) -> Sequence[tuple[float, str]]:
        """The ticks of the upward axis."""
        return self.upward or labels(*self.y, 5)

    def named(self) -> list[Line]:
        """Lines with a name, highest last value first, without repeated names."""
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
        """Pixels from the left; clamped to the plot."""
        return self.left + self.width * min(1.0, max(0.0, (value - self.x0) / (self.x1 - self.x0)))

    def y(self, value: float) -> float:
        """Pixels from the top; what is outside lies beyond the clip."""
        return self.top + self.height * (1 - min(1.5, max(-0.5, (value - self.y0) / (self.y1 - self.y0))))

    def points(self, corners: Iterable[Corner]) -> str:
        """Pairs of values as the points of a line."""
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in corners)

    def within(self, value: float) -> float:
        """How far down a value is; what is outside is at the edge."""
        return min(max(self.y(value), self.top), self.bottom)

    def above(self, value: float, words: str, width: float) -> float:
        """The middle of words above a value, inside a picture of a width."""
        half = LETTER * len(words) / 2
        return min(max(self.x(value), half + 2), width - half - 2)

    def ticks(self, across: Iterable[tuple[float, str]]) -> Iterator[tuple[float, float, str]]:
        """Each tick with the place of its words; words that would overlap are empty."""
        until = -math.inf
        for value, words in across:
            half = LETTER * max(map(len, words.split("\n"))) / 2
            middle = min(max(self.x(value), self.left - 20 + half), self.right + 8 - half)
            free = middle - half > until
            until = middle + half + 8 if free else until
            yield self.x(value), middle, words if free else ""


def framed_image(request: PageRequest, chart: Chart, frame: Frame, says: str, rows: Rows | None = None) -> RawResponse:
    """A chart in its frame, as `image`, with its errors; `says` describes it."""
    return image(request, lambda scheme: draw(chart, frame, says, scheme), rows)


def draw(chart: Chart, frame: Frame, says: str, scheme: Scheme = Scheme.AUTO) -> bytes:
    """The chart with its frame as SVG; `says` describes it for screen readers."""
    room = WIDE[0] - 2 * MARGIN
    letters = int(room / 7.3)
    title, subtitle = wrapped(frame.title, int(room / 11.2), 3), wrapped(frame.subtitle, letters, 2)
    day = f" · {short_day(frame.day)}"
    return picture(
        "chart.svg", scheme, WIDE, frame.title, says, titles=title, subtitles=subtitle,
        plot=plotted(chart, WIDE, 26 + 22 * len(title) + 17 * len(subtitle), 50, margin=MARGIN),
        source=cut(f"Source: {frame.source}", letters - len(day)) + day, address=cut(frame.address, letters),
    )  # fmt: skip


class Plot(NamedTuple):
    """A chart at a size in pixels: its place, its legend, and the labels of its lines."""

    chart: Chart
    size: Size
    area: Area
    keys: Sequence[Key]
    names: Sequence[tuple[float, float, str, int, str, bool]]
    css: str


def plots(chart: Callable[[Size], Chart], wide: Size = WIDE) -> list[Plot]:
    """A chart in a page, for wide and for small screens."""
    return [plotted(chart(size), size, css=css) for size, css in ((wide, "on-wide"), (NARROW, "on-narrow"))]


def plotted(chart: Chart, size: Size, top: float = 8, foot: float = 4, *, margin: float = 2, css: str = "") -> Plot:
    """A chart between the head and the foot of a picture, in pixels."""
    room, wide, named = size[0] - 2 * margin, size[0] >= WIDE[0], chart.named()
    rows = keys((0, 0), chart.keys, LABEL, room)[1] if chart.keys else 0
    legend = keys((margin, size[1] - foot - rows + 18), chart.keys, LABEL, room)[0]
    left = margin + 8 + LETTER * max((len(words) for _, words in chart.rows()), default=1)
    top += ROW * ((1 if chart.unit else 0) + len(chart.rules))
    second = ROW if chart.label or any("\n" in words for _, words in chart.across) else 0
    foot += rows + 26 + second + (0 if wide or len(named) == 1 else ROW * len(named))
    right = max(margin, 8) + (_NAMES if wide and named else 0)
    area = Area(left, top, size[0] - left - right, size[1] - top - foot, *chart.x, *chart.y)
    return Plot(chart, size, area, legend, list(_names(named, area, wide=wide)), css)


def _names(named: Sequence[Line], area: Area, *, wide: bool) -> Iterator[tuple[float, float, str, int, str, bool]]:
    """Labels at the ends of lines, without overlap; below the plot on small screens if there are several."""
    lowest = area.top - 20.0
    for number, one in enumerate(named):
        if wide:
            lowest = max(area.y(one.corners[-1][1]) + 4, lowest + 38)
            yield area.right + 10, lowest, one.figure or one.name, 13, one.colour, True
            yield area.right + 10, lowest + 15, cut(one.name, 24) if one.figure else "", 11, "soft", False
        else:
            words = cut(f"{one.figure} · {one.name}".strip(" ·"), int((area.right - MARGIN) / 5.8))
            end, alone = one.corners[-1], len(named) == 1
            at = max(area.left, area.x(end[0]) - 5.8 * len(words)), area.y(end[1]) + 17
            yield *(at if alone else (MARGIN, area.bottom + 40 + ROW * number)), words, LABEL, one.colour, alone


def keys(at: Corner, entries: Iterable[tuple[str, str]], size: float, width: float) -> tuple[list[Key], float]:
    """A legend of coloured squares in rows, and where the next row begins."""
    found, (x, y) = list[Key](), at
    for colour, words in entries:
        wide = 1.5 * size + 0.52 * size * len(words)
        if x > at[0] and x + wide > at[0] + width:
            x, y = at[0], y + 1.6 * size
        found.append((x, y, colour, words))
        x += wide + 1.4 * size
    return found, y + 1.6 * size


def stepped(points: Sequence[Corner], end: float) -> list[Corner]:
    """Corners of a line that keeps each value up to the next point, and the last up to `end`."""
    found: list[Corner] = []
    for x, y in points:
        if found:
            found.append((x, found[-1][1]))
        found.append((x, y))
    return [*found, (end, found[-1][1])] if found else []


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round values from `low` to `high`, about `most` of them."""
    rough = (high - low) / max(1, most)
    scale = 10.0 ** math.floor(math.log10(rough))
    step = next(size * scale for size in (1, 2, 2.5, 5, 10) if size * scale >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(number * step, 12) for number in range(first, math.floor(high / step + 1e-9) + 1)]


def tick_text(value: float, step: float) -> str:
    """A value at an axis: `97.5`, `250k`, `1.2M`, `2 trillion`."""
    for least, size, word in _LARGE:
        if abs(value) >= least:
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
    """Ticks of an axis of days, about `most`: firsts of months, or days on a short axis."""
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
