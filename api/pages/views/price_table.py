"""Prices of all items on a day and who reads them, with texts, drawings and charts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from api.brain import Brain
from api.pages.charts import chart
from api.pages.page_request import Option, PageRequest, RawResponse, path_of
from api.pages.render.figure_format import amount, figure, plural, short_day
from api.pages.views.claim_table import PageContext
from api.services.claim_status import UnknownPriceError
from compute.impact.price_impact import ASSUMED, price_readers
from compute.prices.families import Family
from compute.prices.price_models import Price
from compute.prices.price_overview import PriceRow, price_rows, rows_of
from graph.groups import group_by
from graph.models.node_models import host_of


class PriceTable(NamedTuple):
    """Rows of a day, by model too, how many claims rest on each item, and when each list was `taken`."""

    rows: tuple[PriceRow, ...]
    by_model: Mapping[str, list[PriceRow]]
    claims: Mapping[str, int]
    readers: Mapping[str, set[str]]
    catalogs: tuple[str, ...]
    taken: Mapping[str, date | None]


def price_table(context: PageContext, day: date) -> PriceTable:
    """The table of a day."""

    def make() -> PriceTable:
        book = context.brain.prices.book()
        rows, readers = price_rows(book, day), price_readers(context.brain.status.readers(), book, day)
        claims = {row.item: len(readers.get(row.item, ())) for row in rows}
        catalogs = tuple(dict.fromkeys(price.catalog for row in rows for price in row.prices))
        taken = {one.name: one.taken for one in book.catalogs}
        return PriceTable(rows, group_by(rows, lambda row: row.model), claims, readers, catalogs, taken)

    return context.recall(("price table", day), make)


def item_rows(context: PageContext, item: str, day: date) -> tuple[PriceRow, ...]:
    """Rows of an item, family or alias. Raises UnknownPriceError."""
    book = context.brain.prices.book()
    found = rows_of(book, item, day)
    if not found:
        raise UnknownPriceError(item, book.market.reason(item, day))
    return found


def chosen_row(request: PageRequest, rows: Sequence[PriceRow]) -> PriceRow:
    """The row named by `chart` (`COMPONENT/PROCESSING`), else the first. Raises PageRequestError."""
    named = {f"{row.component}/{row.processing}": row for row in reversed(rows)}
    chosen = request.one_of("chart", list(named)[::-1])
    return named[chosen] if chosen else rows[0]


def similar(brain: Brain, name: str) -> tuple[Option, ...]:
    """Suggestions for an unknown item: similar names, and its provider's list."""
    near = [one for one in brain.names.meant(UnknownPriceError(name)) if not one.startswith(ASSUMED)]
    options = [Option(one, path_of("prices", one)) for one in near]
    provider = name.partition("/")[0]
    if count := sum(item.startswith(f"{provider}/") for item in brain.prices.book().items()):
        link = PageRequest("/prices", date.min).link(provider=provider)
        options.append(Option(f"all {plural(count, 'item')} of {provider}", link))
    return tuple(options)


def row_name(row: PriceRow) -> str:
    """What a row is paid for: `input`, `cache read, batch`."""
    name = row.component.replace("_", " ")
    return name if row.processing == "standard" else f"{name}, {row.processing}"


def price_text(row: PriceRow) -> str:
    """The price of the day, a range, or `no price`."""
    if row.value is not None:
        return figure(row.value, row.unit)
    if row.low is not None:
        return f"{amount(row.low, row.unit)} to {figure(row.high, row.unit)}"
    return "no price"


def since_text(row: PriceRow) -> str:
    """`since 28 Sep 2026`, `recorded since …`, `first day not known; model out …`; empty without a price."""
    if row.value is None:
        return ""
    if row.since is None:
        return "first day not known" + (f"; model out {short_day(row.released)}" if row.released else "")
    return f"{'recorded since' if row.recorded else 'since'} {short_day(row.since)}"


def change_text(row: PriceRow) -> str:
    """The change over a year: `33% lower than a year ago (3.00)`; empty if unknown."""
    change = row.change
    if not change:
        return "" if change is None else "the same as a year ago"
    size = f"{abs(round(100 * change)) or '<1'}%" if abs(change) < 2 else f"{figure(1 + change)} times: "
    word = "lower" if change < 0 else "higher"
    return f"{size} {word} than a year ago ({amount(row.before, row.unit)})"


PAST, AHEAD = timedelta(days=3 * 365), timedelta(days=90)  # what a drawing of a price shows before and after today
BRIEF = timedelta(days=30)  # a line that ended sooner is a dot: its label would seem to belong to the line above

CATALOG_COLOURS = {"genai-prices": "genai", **{name: name for name in ("cards", "litellm", "ecb", "skypilot")}}
"""The colour of each catalogue in every drawing, by its name in the palette and in the stylesheet."""

COLUMNS = ("item", "component", "processing", "above", "region", "value", "unit", "valid_from", "valid_to", "dated",
           "catalog", "source", "checked", "licence", "derived", "note")  # fmt: skip
"""The columns of the CSV: the fields of a price."""

Turn = tuple[float, chart.Corner, float, str]

WIDTH, HEIGHT, TOP = 300, 60, 4  # the size of a small drawing in its own units, and the room above its highest price


def catalog_colour(catalog: str) -> str:
    """The name of the colour of a catalogue; all others share one."""
    return CATALOG_COLOURS.get(catalog, "imported")


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
        """The position of a day, 0 to 1."""
        return (day - self.first).days / (self.last - self.first).days

    def mark(self) -> int:
        """Where today is, in units of `WIDTH`."""
        return round(WIDTH * self.share(self.today))


class Step(NamedTuple):
    """A price between two days of the axis; `dated` if its first day is known."""

    start: date
    end: date
    price: Price
    dated: bool

    def covered_by(self, other: Step) -> bool:
        """Whether another price is the same on some of the same days."""
        return self.price.value == other.price.value and self.start < other.end and other.start < self.end


class PriceLine(NamedTuple):
    """Prices of one catalogue, tier and region; `label` names what differs."""

    colour: str
    tier: int
    label: str
    steps: tuple[Step, ...]


def price_lines(prices: Iterable[Price], axis: TimeAxis, released: date | None = None) -> tuple[PriceLine, ...]:
    """Lines by catalogue, tier and region, base tiers first.

    An undated price starts on the day `released` or at the edge; one without an end runs to today, or if it starts
    later to the edge.
    """
    found: dict[tuple[int, str, str], list[Step]] = {}
    for price in sorted(prices, key=lambda one: one.valid_from or date.min):
        start = price.valid_from or released or axis.first
        end = price.valid_to or (axis.last if start >= axis.today else axis.today)
        if end > axis.first and start < axis.last and end > start:
            step = Step(max(start, axis.first), min(end, axis.last), price, price.valid_from is not None)
            found.setdefault((price.above, price.catalog, price.region or ""), []).append(step)
    lines = []
    for (above, catalog, region), steps in sorted(found.items()):
        parts = (catalog, re.sub(r",000$", "k", f"above {above:,}") if above else "", region)
        lines.append(PriceLine(catalog_colour(catalog), above, ", ".join(part for part in parts if part), tuple(steps)))
    return tuple(lines)


def highest(lines: Sequence[PriceLine]) -> Decimal:
    """The greatest price of some lines; 1 if all are free."""
    return max((step.price.value for line in lines for step in line.steps), default=Decimal(0)) or Decimal(1)


def small_drawing(row: PriceRow, axis: TimeAxis) -> Iterator[tuple[str, str, str]]:
    """SVG paths of the base tier (dated, undated) with their colour, from zero to the highest price."""
    lines = price_lines([one for one in row.prices if not one.above] or row.prices, axis, row.released)
    top = highest(lines)
    return ((line.colour, *_paths(line, top, axis)) for line in lines)


def _paths(line: PriceLine, top: Decimal, axis: TimeAxis) -> tuple[str, str]:
    """The paths of a line; adjacent steps are joined."""
    paths, last = {True: "", False: ""}, None
    for step in line.steps:
        x, end = round(WIDTH * axis.share(step.start)), round(WIDTH * axis.share(step.end))
        y = round(HEIGHT - 1 - (HEIGHT - 1 - TOP) * float(step.price.value / top))
        paths[step.dated] += f"V{y}H{end}" if last == (x, step.dated) else f"M{x} {y}H{end}"
        last = (end, step.dated)
    return paths[True], paths[False]


def price_chart(
    row: PriceRow, today: date, table: PriceTable, size: chart.Size = chart.WIDE, family: Family | None = None
) -> chart.Chart:
    """A line for each catalogue, tier and region, dotted if undated; marks where the family went to another model.

    Ended tiers are left out next to a base tier; the legend names a brief line, and a covered one, which is a band.
    What is open is dotted from the day of its list.
    """
    axis = TimeAxis.around(today)
    lines, found = list[chart.Line](), price_lines(row.prices, axis, row.released)
    keys = dict[tuple[str, str], None]()
    based = any(not one.tier for one in found)
    found = tuple(one for one in found if not (based and one.tier and one.steps[-1].end < today))
    for number, one in enumerate(found):
        before: Step | None = None
        brief = one.steps[-1].end < min(today, one.steps[0].start + BRIEF)
        above = [step for other in found[number + 1 :] for step in other.steps]
        covers = [any(step.covered_by(other) for other in above) for step in one.steps]
        hidden = all(covers)
        if brief and not hidden:
            keys[one.colour, f"{_last(one.steps[-1], row.unit, today)}, {one.label}"] = None
        if hidden:
            keys[one.colour, f"band: the list “{one.steps[0].price.catalog}” has the same price"] = None
        for step, covered in zip(one.steps, covers, strict=True):
            value, start = float(step.price.value), float(step.start.toordinal())
            joint = [(start, float(before.price.value))] if before and before.end == step.start else []
            last, read = step is one.steps[-1] and not hidden and not brief, table.taken.get(step.price.catalog)
            unread = read if read and step.price.valid_to is None and step.start < read < step.end else None
            lines.append(
                chart.Line(
                    [*joint, (start, value), (float((unread or step.end).toordinal()), value)],
                    one.colour,
                    8 if covered else 2 if one.tier else 3,
                    "" if step.dated else "2 6",
                    0.7 if covered else 1,
                    name=f"{one.label}{f', read {short_day(unread)[:-5]}' if unread else ''}" if last else "",
                    figure=_last(step, row.unit, today) if last else "",
                    hover=_hover(step, one.label) if size != chart.NARROW else "",
                )
            )
            before = step
            if unread:
                after = [(float(day.toordinal()), value) for day in (unread, step.end)]
                lines.append(lines[-1]._replace(corners=after, dash="2 2", hover=""))
    ceiling = _ceiling(highest(found))
    turns = list(_turns(family, found, axis, ceiling)) if family else []
    marks = [chart.Line([(day, end) for end in mark], "soft", 1, "1 3") for day, mark, *_ in turns]
    return chart.Chart(
        x=(axis.first.toordinal(), axis.last.toordinal()),
        y=(0.0, ceiling),
        across=chart.days_axis(axis.first, axis.last, 4 if size == chart.NARROW else 8),
        lines=[*marks, *lines],
        rules=[(today.toordinal(), short_day(today))],
        unit=row.unit.replace("month_730h", "month"),
        keys=(*keys, *([("soft", "the name went to another model")] if marks else [])),
        steps=[((day, middle), name) for day, _, middle, name in turns],
    )


def _turns(family: Family, lines: Sequence[PriceLine], axis: TimeAxis, ceiling: float) -> Iterator[Turn]:
    """When the name went to another model and the price moved, and the latest: its day, mark, middle and words."""
    members = [one for one in family.members[1:] if axis.first < one.begins < axis.last]
    for one in members:
        at = [[float(x.price.value) for x in line.steps if x.start <= one.begins <= x.end] for line in lines]
        ends = [(min(values), max(values)) for values in at if values]
        low, high = max(ends, key=lambda pair: pair[1] - pair[0], default=(0.0, 0.0))
        if (moved := high - low > ceiling / 8) or one is members[-1]:
            below = not moved and high > ceiling / 2  # under the line, and under its label
            mark = (0.0, high - ceiling / 6) if below else (high, ceiling)
            middle = (low + high) / 2 if moved else sum(mark) / 2
            yield one.begins.toordinal(), mark, middle, f"{one.model.partition('/')[2]} →"


def _ceiling(value: Decimal) -> float:
    """A round figure a little above the highest price."""
    power = Decimal(10) ** value.adjusted()
    steps = (Decimal(step) / 10 for step in (12, 16, 20, 24, 32, 40, 60, 80, 100, 120))
    return float(next(step * power for step in steps if step * power >= value * Decimal("1.04")))


def _last(step: Step, unit: str, today: date) -> str:
    """`4.00`, `6.00 until 1 Mar 2026`, `8.00 from 1 Dec 2026`."""
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

    Raises UnknownPriceError for an unknown item, PageRequestError for a parameter that cannot be read.
    """
    rows = item_rows(context, request.parts["item"], request.day)
    row = chosen_row(request, rows)
    lead = "; ".join(part for part in (f"{price_text(row)} {since_text(row)}".strip(), change_text(row)) if part)
    address = request.address_of(path_of("prices", row.item))
    frame = chart.Frame(f"{row.item}: {row_name(row)}", lead, price_source(row), request.day, address)

    def prices() -> Iterable[Iterable[object]]:
        listed = (row,) if request.text("chart") else rows
        return [COLUMNS, *([getattr(one, name) for name in COLUMNS] for each in listed for one in each.prices)]

    family = context.brain.prices.book().families.get(request.parts["item"])
    drawn = price_chart(row, request.day, price_table(context, request.day), family=family)
    return chart.framed_image(request, drawn, frame, frame.subtitle, prices)


def price_source(row: PriceRow) -> str:
    """The catalogues of a row, with the hosts that they name."""
    catalogs = ", ".join(dict.fromkeys(price.catalog for price in row.prices))
    hosts = ", ".join(dict.fromkeys(host_of(price.source) for price in row.prices if price.source))
    return f"{catalogs} ({hosts})" if hosts else catalogs
