"""Prices as lines over one axis of time: small drawings in pages, and the chart of one component of an item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from api.pages.charts.chart import (
    NARROW,
    WIDE,
    Chart,
    Frame,
    Line,
    Scheme,
    days_axis,
    draw,
    image,
    short_address,
    size_of,
)
from api.pages.render.figure_format import amount, figure, short_day
from api.pages.request.page_request import PageRequest, RawResponse, path_of
from api.pages.views.claim_table import PageContext
from api.pages.views.price_table import change_text, chosen_row, item_rows, price_text, row_name, since_text
from compute.prices.price_models import Price
from compute.prices.price_overview import PriceRow
from graph.models.node_models import host_of

PAST, AHEAD = timedelta(days=3 * 365), timedelta(days=90)
"""What a drawing of a price shows before and after today."""

CATALOG_COLOURS: Mapping[str, str] = {
    "genai-prices": "genai",
    "cards": "cards",
    "litellm": "litellm",
    "ecb": "ecb",
    "skypilot": "skypilot",
}
"""The colour of each catalogue in every drawing, by its name in the palette and in the stylesheet."""

OTHER_CATALOG = "imported"
"""The colour of all other catalogues."""

COLUMNS = ("item", "component", "processing", "above", "region", "value", "unit", "valid_from", "valid_to", "dated",
           "catalog", "source", "checked", "licence", "derived", "note")  # fmt: skip
"""The columns of the CSV: the fields of a price."""

WIDTH, HEIGHT, TOP = 300, 60, 4
"""The size of a small drawing in its own units, and the room above its highest price."""


def catalog_colour(catalog: str) -> str:
    """The name of the colour of a catalogue."""
    return CATALOG_COLOURS.get(catalog, OTHER_CATALOG)


class TimeAxis(NamedTuple):
    """The days that a drawing shows."""

    first: date
    today: date
    last: date

    @classmethod
    def around(cls, today: date) -> TimeAxis:
        """The axis of all drawings of a day."""
        return cls(today - PAST, today, today + AHEAD)

    def share(self, day: date) -> float:
        """Where a day is, from 0 at the first day to 1 at the last."""
        return (day - self.first).days / (self.last - self.first).days

    def marks(self) -> list[int]:
        """Where each year begins, and today, in units of `WIDTH`."""
        years = (date(year, 1, 1) for year in range(self.first.year + 1, self.last.year + 1))
        return [round(WIDTH * self.share(day)) for day in (*years, self.today)]


class Step(NamedTuple):
    """A price from one day to another of the axis."""

    start: date
    end: date
    price: Price

    @property
    def dated(self) -> bool:
        """Whether its first day is known."""
        return self.price.valid_from is not None


@dataclass(frozen=True, slots=True)
class PriceLine:
    """The prices of one catalogue, tier and region in their order; `label` says what distinguishes it."""

    colour: str
    tier: int
    label: str
    steps: tuple[Step, ...]


def price_lines(prices: Iterable[Price], axis: TimeAxis, released: date | None = None) -> tuple[PriceLine, ...]:
    """A line for each catalogue, tier and region that has a price on the axis; base tiers first.

    A price without a first day is drawn from the day `released`, or from the beginning of the axis; one without an
    end to today, or if it begins later to the end.
    """
    found: dict[tuple[int, str, str], list[Step]] = {}
    for price in sorted(prices, key=lambda one: one.valid_from or date.min):
        start = price.valid_from or released or axis.first
        end = price.valid_to or (axis.last if start > axis.today else axis.today)
        if end > axis.first and start < axis.last and end > start:
            step = Step(max(start, axis.first), min(end, axis.last), price)
            found.setdefault((price.above, price.catalog, price.region or ""), []).append(step)
    lines = []
    for (above, catalog, region), steps in sorted(found.items()):
        parts = (catalog, f"above {above:,} tokens" if above else "", region)
        lines.append(PriceLine(catalog_colour(catalog), above, ", ".join(part for part in parts if part), tuple(steps)))
    return tuple(lines)


def highest(lines: Sequence[PriceLine]) -> Decimal:
    """The greatest price of some lines; 1 if all are free."""
    return max((step.price.value for line in lines for step in line.steps), default=Decimal(0)) or Decimal(1)


SmallDrawing = tuple[tuple[str, str, str], ...]
"""A drawing without text: each line as its colour and the SVG paths of what is dated and what is not."""


def small_drawing(row: PriceRow, axis: TimeAxis) -> SmallDrawing:
    """A price from zero to its highest value, of the base tier where there is one; the page stretches it."""
    lines = price_lines([one for one in row.prices if not one.above] or row.prices, axis, row.released)
    top = highest(lines)
    return tuple((line.colour, *_paths(line, top, axis)) for line in lines)


def _paths(line: PriceLine, top: Decimal, axis: TimeAxis) -> tuple[str, str]:
    """The paths of a line; steps without a gap between them are joined."""
    paths, last = {True: "", False: ""}, None
    for step in line.steps:
        x, end = round(WIDTH * axis.share(step.start)), round(WIDTH * axis.share(step.end))
        y = round(HEIGHT - 1 - (HEIGHT - 1 - TOP) * float(step.price.value / top))
        paths[step.dated] += f"V{y}H{end}" if last == (x, step.dated) else f"M{x} {y}H{end}"
        last = (end, step.dated)
    return paths[True], paths[False]


def price_chart(row: PriceRow, today: date, size: tuple[int, int] = WIDE) -> Chart:
    """One line for each catalogue, tier and region, with a tooltip at each price; dotted where no day is known."""
    axis = TimeAxis.around(today)
    lines, found = list[Line](), price_lines(row.prices, axis, row.released)
    for one in found:
        before: Step | None = None
        for step in one.steps:
            value, start = float(step.price.value), float(step.start.toordinal())
            joint = [(start, float(before.price.value))] if before and before.end == step.start else []
            last = step is one.steps[-1]
            lines.append(
                Line(
                    [*joint, (start, value), (float(step.end.toordinal()), value)],
                    one.colour,
                    2 if one.tier else 3,
                    "" if step.dated else "2 6",
                    name=one.label if last else "",
                    figure=_last(step, row.unit, today) if last else "",
                    hover=_hover(step, one.label) if size != NARROW else "",
                )
            )
            before = step
    return Chart(
        x=(axis.first.toordinal(), axis.last.toordinal()),
        y=(0.0, _ceiling(highest(found))),
        across=days_axis(axis.first, axis.last, 3 if size == NARROW else 8),
        lines=lines,
        rules=[(today.toordinal(), "today" if size == NARROW else f"today, {short_day(today)}")],
        unit=row.unit.replace("month_730h", "month"),
    )


def _ceiling(value: Decimal) -> float:
    """The upper edge of the plot: a round figure a little above the highest price."""
    power = Decimal(10) ** value.adjusted()
    steps = (Decimal(step) / 10 for step in (12, 16, 20, 24, 32, 40, 60, 80, 100, 120))
    return float(next(step * power for step in steps if step * power >= value * Decimal("1.04")))


def _last(step: Step, unit: str, today: date) -> str:
    """The last price of a line: `4.00`, `6.00 until 1 Mar 2026`, `8.00 from 1 Dec 2026`."""
    price, value = step.price, amount(step.price.value, unit)
    if price.valid_to is not None and price.valid_to <= today:
        return f"{value} until {short_day(price.valid_to)}"
    if price.valid_from is not None and price.valid_from > today:
        return f"{value} from {short_day(price.valid_from)}"
    return value


def _hover(step: Step, label: str) -> str:
    price = step.price
    begins = f"from {short_day(price.valid_from)}" if price.valid_from else "first day not known"
    ends = f" until {short_day(price.valid_to)}" if price.valid_to else ""
    return f"{figure(price.value, price.unit)}, {begins}{ends} ({label})"


def price_image(context: PageContext, request: PageRequest) -> RawResponse:
    """The picture of one component of an item, of the first one if the address names none; the prices as CSV.

    Raises:
        UnknownPriceError: no catalogue knows the item.
        PageRequestError: a parameter cannot be read.
    """
    rows = item_rows(context, request.parts["item"], request.day)
    row, size = chosen_row(request, rows), size_of(request)
    lead = "; ".join(part for part in (f"{price_text(row)} {since_text(row)}".strip(), change_text(row)) if part)
    address = short_address(request.site) + path_of("prices", row.item)
    frame = Frame(f"{row.item}: {row_name(row)}", lead, price_source(row), request.day, address)

    def prices() -> Iterable[Iterable[object]]:
        listed = (row,) if request.text("chart") else rows
        return [COLUMNS, *([getattr(one, name) for name in COLUMNS] for each in listed for one in each.prices)]

    def drawn(scheme: Scheme) -> bytes:
        return draw(price_chart(row, request.day, size), frame, frame.subtitle, size, scheme)

    return image(context, request, drawn, prices)


def price_source(row: PriceRow) -> str:
    """The catalogues of a row, with the hosts that they name."""
    catalogs = ", ".join(dict.fromkeys(price.catalog for price in row.prices))
    hosts = ", ".join(dict.fromkeys(host_of(price.source) for price in row.prices if price.source))
    return f"{catalogs} ({hosts})" if hosts else catalogs
