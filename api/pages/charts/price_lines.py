"""Prices as lines over one axis of time, which every drawing of a price shares: small ones in pages, and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from compute.prices.price_models import Price

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


def catalog_colour(catalog: str) -> str:
    """The name of the colour of a catalogue."""
    return CATALOG_COLOURS.get(catalog, OTHER_CATALOG)


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """The days that a drawing shows."""

    first: date
    today: date
    last: date

    @classmethod
    def around(cls, today: date) -> TimeAxis:
        """The axis of all drawings of a day."""
        return cls(today - PAST, today, today + AHEAD)

    def share(self, day: date) -> float:
        """Where a day is, from 0 at the first day to 1 at the last; what is outside is at the nearer end."""
        return (min(max(day, self.first), self.last) - self.first).days / (self.last - self.first).days

    def years(self) -> tuple[date, ...]:
        """The first day of each year on the axis."""
        return tuple(date(year, 1, 1) for year in range(self.first.year + 1, self.last.year + 1))


@dataclass(frozen=True, slots=True)
class Step:
    """A price from one share of the axis to another, and its days: `first` and `until` are None if not known."""

    start: float
    end: float
    value: Decimal
    first: date | None = None
    until: date | None = None

    @property
    def undated(self) -> bool:
        """Whether its first day is not known."""
        return self.first is None


@dataclass(frozen=True, slots=True)
class PriceLine:
    """The prices of one catalogue, tier and region: `steps` in their order, `label` what distinguishes it.

    `tier` is the number of tokens above which the tier applies; 0 for the base one.
    """

    catalog: str
    tier: int
    label: str
    steps: tuple[Step, ...]

    @property
    def colour(self) -> str:
        """The name of its colour."""
        return catalog_colour(self.catalog)


def price_lines(prices: Iterable[Price], axis: TimeAxis, released: date | None = None) -> tuple[PriceLine, ...]:
    """A line for each catalogue, tier and region that has a price on the axis; base tiers first.

    A price without a first day is drawn from the day `released`, or from the beginning of the axis.
    """
    found: dict[tuple[int, str, str], list[Step]] = {}
    for price in sorted(prices, key=lambda one: one.valid_from or date.min):
        step = _step(price, axis, released)
        if step is not None:
            found.setdefault((price.above, price.catalog, price.region or ""), []).append(step)
    return tuple(
        PriceLine(catalog, above, _label(catalog, above, region), tuple(found[above, catalog, region]))
        for above, catalog, region in sorted(found)
    )


def _step(price: Price, axis: TimeAxis, released: date | None) -> Step | None:
    """What an interval covers of the axis. One without an end is drawn to today, or if it begins later to the end."""
    start = price.valid_from or released or axis.first
    end = price.valid_to or (axis.last if start > axis.today else axis.today)
    if end <= axis.first or start >= axis.last or end <= start:
        return None
    return Step(axis.share(start), axis.share(end), price.value, price.valid_from, price.valid_to)


def _label(catalog: str, above: int, region: str) -> str:
    tier = f"above {above:,} tokens" if above else ""
    return ", ".join(part for part in (catalog, tier, region) if part)


def highest(lines: Sequence[PriceLine]) -> Decimal:
    """The greatest price of some lines; 1 if all are free."""
    return max((step.value for line in lines for step in line.steps), default=Decimal(0)) or Decimal(1)


WIDTH, HEIGHT, TOP = 300, 60, 4
"""The size of a small drawing in its own units, and the room above its highest price."""


@dataclass(frozen=True, slots=True)
class SmallLine:
    """One line of a small drawing: SVG paths of what is dated and of what is not."""

    colour: str
    dated: str
    undated: str


@dataclass(frozen=True, slots=True)
class SmallDrawing:
    """A small drawing: its lines, where each year begins, and where today is, in units of `WIDTH` by `HEIGHT`."""

    lines: tuple[SmallLine, ...]
    years: tuple[int, ...]
    today: int


def small_drawing(prices: Iterable[Price], axis: TimeAxis, released: date | None = None) -> SmallDrawing:
    """A drawing of a price without text, from zero to its highest value; the page stretches it."""
    lines = price_lines(prices, axis, released)
    top = highest(lines)
    return SmallDrawing(
        tuple(SmallLine(line.colour, *_paths(line, top)) for line in lines),
        tuple(round(WIDTH * axis.share(day)) for day in axis.years()),
        round(WIDTH * axis.share(axis.today)),
    )


def _paths(line: PriceLine, top: Decimal) -> tuple[str, str]:
    """The paths of a line; steps without a gap between them are joined."""
    paths, last = {False: "", True: ""}, None
    for step in line.steps:
        x, end = round(WIDTH * step.start), round(WIDTH * step.end)
        y = round(HEIGHT - 1 - (HEIGHT - 1 - TOP) * float(step.value / top))
        joined = last == (x, step.undated)
        paths[step.undated] += f"V{y}H{end}" if joined else f"M{x} {y}H{end}"
        last = (end, step.undated)
    return paths[False], paths[True]
