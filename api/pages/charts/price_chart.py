"""The picture of a price: one step line for each catalogue, tier and region, with gaps where none is known.

Title, source, day and address are in the picture, so that it can be posted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from api.pages.charts.picture import Scheme, cut, line, picture, text, wrapped
from api.pages.charts.price_lines import PriceLine, TimeAxis, highest, price_lines
from api.pages.render.figure_format import amount, figure, short_day
from compute.prices.price_models import Price

WIDE, NARROW = (1200, 675), (680, 760)
"""The size in pixels: for a post and a wide page, and for a small screen, which shows it at half of that."""

MOST_LABELS = 6
"""How many lines have a label; more lines are drawn without one."""

_GAP = 16


@dataclass(frozen=True, slots=True)
class PriceChart:
    """What a picture shows: the prices with their unit, a title, a sentence below it, and two lines at its foot."""

    prices: tuple[Price, ...]
    unit: str
    title: str
    lead: str
    source: str
    address: str
    released: date | None = None


@dataclass(frozen=True, slots=True)
class _Layout:
    """Sizes of letters in pixels, how many letters a line has, and the room at the left for the scale."""

    size: tuple[int, int]
    title: int
    letters: int
    small: int
    small_letters: int
    left: float
    right: float
    narrow: bool


_LAYOUTS = {
    False: _Layout(WIDE, 33, 60, 17, 125, 118, 300, narrow=False),
    True: _Layout(NARROW, 31, 34, 24, 52, 96, 40, narrow=True),
}


@dataclass(frozen=True, slots=True)
class _Plot:
    """The area of the lines in pixels; `top_value` is the price at its upper edge."""

    left: float
    top: float
    width: float
    height: float
    top_value: Decimal

    def x(self, share: float) -> float:
        return self.left + self.width * share

    def y(self, value: Decimal) -> float:
        return self.top + self.height * (1 - float(value / self.top_value))

    @property
    def bottom(self) -> float:
        return self.top + self.height


def price_picture(chart: PriceChart, today: date, *, narrow: bool = False, scheme: Scheme = Scheme.AUTO) -> bytes:
    """The picture as SVG."""
    axis, layout = TimeAxis.around(today), _LAYOUTS[narrow]
    lines = price_lines(chart.prices, axis, chart.released)
    labelled = lines[:MOST_LABELS]
    head, top = _head(chart, layout)
    foot = (len(labelled) * 30 + 30 if narrow else 0) + 2 * layout.small + 76
    width, height = layout.size[0] - layout.left - layout.right, layout.size[1] - top - foot
    plot = _Plot(layout.left, top, width, height, _ceiling(highest(lines)))
    parts = [
        *head,
        *_axes(plot, axis, chart.unit, layout),
        *(_drawn(plot, one) for one in lines),
        *_labels(plot, [(one, _last(one, chart.unit, today)) for one in labelled], layout),
        *_foot(chart, layout),
    ]
    return picture(layout.size, chart.title, chart.lead, parts, scheme)


def _head(chart: PriceChart, layout: _Layout) -> tuple[list[str], float]:
    """The title and the sentence below it, and where the plot begins."""
    parts, at = [], 24.0
    for words in wrapped(chart.title, layout.letters, 2):
        at += layout.title
        parts.append(text((40, at), words, layout.title, more=' font-weight="600"'))
    at += 8
    for words in wrapped(chart.lead, layout.small_letters, 2):
        at += layout.small + 6
        parts.append(text((40, at), words, layout.small, "soft"))
    return parts, at + 2 * layout.small + 14


def _foot(chart: PriceChart, layout: _Layout) -> Iterator[str]:
    bottom = layout.size[1] - 22
    yield text((40, bottom - layout.small - 6), cut(chart.source, layout.small_letters), layout.small, "soft")
    yield text((40, bottom), cut(chart.address, layout.small_letters), layout.small, "soft")


def _ceiling(value: Decimal) -> Decimal:
    """The upper edge of the plot: a round figure a little above the highest price."""
    power = Decimal(10) ** value.adjusted()
    steps = (Decimal(step) / 10 for step in (12, 16, 20, 24, 32, 40, 60, 80, 100, 120))
    return next(step * power for step in steps if step * power >= value * Decimal("1.04"))


def _axes(plot: _Plot, axis: TimeAxis, unit: str, layout: _Layout) -> Iterator[str]:
    small, above = layout.small, plot.top - layout.small + 4
    yield text((40, above), unit.replace("month_730h", "month"), small, "soft")
    for share in (0, 1, 2, 3, 4):
        value = plot.top_value * share / 4
        yield line((plot.left, plot.y(value)), (plot.x(1), plot.y(value)))
        yield text((plot.left - 12, plot.y(value) + 6), figure(value), small, "soft", anchor="end")
    for day in axis.years():
        at = plot.x(axis.share(day))
        yield line((at, plot.top), (at, plot.bottom + 6))
        yield text((at, plot.bottom + small + 10), str(day.year), small, "soft", anchor="middle")
    today = plot.x(axis.share(axis.today))
    yield line((today, plot.top - 8), (today, plot.bottom), "soft")
    words = "today" if layout.narrow else f"today, {short_day(axis.today)}"
    yield text((today, above), words, small, "soft", anchor="middle")


def _drawn(plot: _Plot, one: PriceLine) -> str:
    """A line: dotted where its first day is not known, thin for a tier above the base one."""
    width = 2.5 if one.tier else 4
    paths = {False: "", True: ""}
    last: tuple[float, bool] | None = None
    for step in one.steps:
        y = plot.y(step.value)
        begin = f"V{y:.1f}" if last == (step.start, step.undated) else f"M{plot.x(step.start):.1f} {y:.1f}"
        paths[step.undated] += f"{begin}H{plot.x(step.end):.1f}"
        last = (step.end, step.undated)
    return "".join(_path(path, one.colour, width, dotted=undated) for undated, path in paths.items() if path)


def _path(path: str, colour: str, width: float, *, dotted: bool) -> str:
    dash = ' stroke-dasharray="2 7" stroke-linecap="round"' if dotted else ""
    return f'<path d="{path}" fill="none" stroke="var(--{colour})" stroke-width="{width:g}"{dash}/>'


def _last(one: PriceLine, unit: str, today: date) -> str:
    """The last price of a line: `4.00`, `6.00 until 1 Mar 2026`, `8.00 from 1 Dec 2026`."""
    step = one.steps[-1]
    price = amount(step.value, unit)
    if step.until is not None and step.until <= today:
        return f"{price} until {short_day(step.until)}"
    if step.first is not None and step.first > today:
        return f"{price} from {short_day(step.first)}"
    return price


def _labels(plot: _Plot, lines: Sequence[tuple[PriceLine, str]], layout: _Layout) -> Iterator[str]:
    """The name of each line with its last price: at its end without overlap, on small screens in a list."""
    if layout.narrow:
        for number, (one, price) in enumerate(lines):
            words = f"{price}  {one.label}"
            at = plot.bottom + 2 * layout.small + 24 + 30 * number
            yield text((40, at), cut(words, layout.small_letters), layout.small, one.colour)
        return
    lowest = plot.top - 40.0
    for one, price in sorted(lines, key=lambda pair: -pair[0].steps[-1].value):
        lowest = max(plot.y(one.steps[-1].value) + 6, lowest + 46)
        at = plot.x(1) + _GAP
        yield text((at, lowest), price, 20, one.colour, more=' font-weight="600"')
        yield text((at, lowest + 20), cut(one.label, 34), 16, "soft")
