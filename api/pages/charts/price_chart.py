"""The picture of a price: one step line for each catalogue, tier and region, with gaps where none is known.

Title, source, day and address are in the picture, so that it can be posted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from api.pages.charts.picture import Scheme, cut, line, picture, text
from api.pages.charts.price_lines import PriceLine, TimeAxis, highest, price_lines
from api.pages.render.figure_format import amount, figure, short_day
from compute.prices.price_models import Price

WIDE, NARROW = (1200, 675), (680, 760)
"""The size in pixels: for a post and a wide page, and for a small screen, which shows it at half of that."""

MOST_LABELS = 7
"""How many lines have a label; more lines are drawn without one."""

_LEFT, _GAP = 118, 16


@dataclass(frozen=True, slots=True)
class PriceChart:
    """What a picture shows: the prices with their unit, a title, a sentence below it, and the source at its foot."""

    prices: tuple[Price, ...]
    unit: str
    title: str
    lead: str
    source: str


@dataclass(frozen=True, slots=True)
class _Plot:
    """The area of the lines in pixels; `top_value` is the price at its upper edge."""

    top: float
    width: float
    height: float
    top_value: Decimal

    def x(self, share: float) -> float:
        return _LEFT + self.width * share

    def y(self, value: Decimal) -> float:
        return self.top + self.height * (1 - float(value / self.top_value))

    @property
    def bottom(self) -> float:
        return self.top + self.height


def price_picture(chart: PriceChart, today: date, *, narrow: bool = False, scheme: Scheme = Scheme.AUTO) -> bytes:
    """The picture as SVG."""
    axis, size = TimeAxis.around(today), NARROW if narrow else WIDE
    lines = price_lines(chart.prices, axis)
    labelled = lines[:MOST_LABELS]
    below = 34 + 28 * len(labelled) if narrow else 0
    plot = _Plot(138, size[0] - (158 if narrow else 440), size[1] - 246 - below, _ceiling(highest(lines)))
    parts = [
        text((40, 56), cut(chart.title, 40 if narrow else 64), 28 if narrow else 33, more=' font-weight="600"'),
        text((40, 90), cut(chart.lead, 66 if narrow else 118), 18, "soft"),
        *_axes(plot, axis, chart.unit, narrow=narrow),
        *(_drawn(plot, one) for one in lines),
        *_labels(plot, labelled, chart.unit, narrow=narrow),
        text((40, size[1] - 26), cut(chart.source, 66 if narrow else 120), 17, "soft"),
    ]
    return picture(size, chart.title, chart.lead, parts, scheme)


def _ceiling(value: Decimal) -> Decimal:
    """The upper edge of the plot: a round figure a little above the highest price."""
    power = Decimal(10) ** value.adjusted()
    steps = (Decimal(step) / 10 for step in (12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120))
    return next(step * power for step in steps if step * power >= value * Decimal("1.04"))


def _axes(plot: _Plot, axis: TimeAxis, unit: str, *, narrow: bool) -> Iterator[str]:
    yield text((40, plot.top - 16), unit.replace("month_730h", "month"), 17, "soft")
    for share in (0, 1, 2, 3, 4):
        value = plot.top_value * share / 4
        yield line((_LEFT, plot.y(value)), (_LEFT + plot.width, plot.y(value)))
        yield text((_LEFT - 12, plot.y(value) + 6), figure(value), 17, "soft", anchor="end")
    for day in axis.years():
        at = plot.x(axis.share(day))
        yield line((at, plot.top), (at, plot.bottom + 6))
        yield text((at, plot.bottom + 28), str(day.year), 17, "soft", anchor="middle")
    today = plot.x(axis.share(axis.today))
    yield line((today, plot.top - 8), (today, plot.bottom), "soft")
    yield text((today, plot.top - 16), "today" if narrow else f"today, {short_day(axis.today)}", 17, "soft", anchor="middle")


def _drawn(plot: _Plot, one: PriceLine) -> str:
    """A line: dotted where its first day is not known, thin for a tier above the base one."""
    width = 2.5 if "above" in one.label else 4
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


def _labels(plot: _Plot, lines: Sequence[PriceLine], unit: str, *, narrow: bool) -> Iterator[str]:
    """The name of each line with its last price: at its end without overlap, on small screens in a list."""
    if narrow:
        for number, one in enumerate(lines):
            words = f"{amount(one.steps[-1].value, unit)}  {one.label}"
            yield text((40, plot.bottom + 66 + 28 * number), cut(words, 58), 19, one.colour)
        return
    last = plot.top - 40.0
    for one in sorted(lines, key=lambda one: -one.steps[-1].value):
        step = one.steps[-1]
        last = max(plot.y(step.value) + 6, last + 46)
        at = plot.x(1) + _GAP
        yield text((at, last), amount(step.value, unit), 20, one.colour, more=' font-weight="600"')
        yield text((at, last + 20), cut(one.label, 34), 16, "soft")
