"""Prices as values, and the price query of formulas.

Every catalogue becomes `Price` records. A `Book` holds the records of all catalogues, the families, the assumptions and
the decisions. For a query and a day it returns a quote, or the reason why there is none. It never guesses.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Literal, Protocol, runtime_checkable

from graph.models.verdict_models import MarketPanel
from graph.models.written_figures import RangeShape
from graph.values import Value


class Price(Value):
    """One price of one thing over one interval of days.

    `item` is `provider/thing`; `component` is what is paid for (`input`, `output`, `cache_read`, `cache_write`,
    `on_demand`, `reserved_1y`, `spot`, `purchase`, `energy`, `egress` …); `value` in `unit` (`USD/Mtok`, `USD/GPU/h`,
    `USD/kWh`, `USD/GB` …). The interval is `[valid_from, valid_to)`, open if None. `dated` says what `valid_from`
    means: the day on which the price began, or the day the catalogue began to record it. `above` is the number of
    context tokens above which a tier applies (0: the base tier). `derived` says how a figure was computed if the
    source does not state it.

    `first_seen` is the day of the first snapshot with the price, if the catalogue had earlier ones without it. A price
    with `last_seen`, the day of the last snapshot that had it, is past: the catalogue states it no longer. `replaced`
    is the day of the first snapshot without it. `panel` are the providers of a market item.
    """

    item: str
    component: str
    value: Decimal
    unit: str
    currency: str = "USD"
    processing: str = "standard"
    above: int = 0
    region: str | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    dated: Literal["price", "record"] = "price"
    catalog: str
    source: str | None = None
    checked: date | None = None
    licence: str | None = None
    derived: str | None = None
    note: str = ""
    first_seen: date | None = None
    last_seen: date | None = None
    replaced: date | None = None
    panel: MarketPanel | None = None

    def on(self, day: date) -> bool:
        """Whether the price is valid on that day."""
        return (self.valid_from is None or self.valid_from <= day) and (self.valid_to is None or day < self.valid_to)


class Assumption(Value):
    """A named, dated figure without a quoted price, with its range and source."""

    name: str
    value: Decimal
    unit: str
    low: Decimal | None = None
    high: Decimal | None = None
    shape: RangeShape = RangeShape.UNIFORM
    valid_from: date | None = None
    valid_to: date | None = None
    source: str | None = None
    checked: date | None = None
    note: str = ""

    def on(self, day: date) -> bool:
        """Whether the assumption is valid on that day."""
        return (self.valid_from is None or self.valid_from <= day) and (self.valid_to is None or day < self.valid_to)


class Question(Value):
    """A price query: item, component and variant."""

    item: str
    component: str
    processing: str = "standard"
    context: int = 0
    region: str | None = None
    catalog: str | None = None


class Quote(Value):
    """The result: the price to use, the model that a family means that day, and differing prices of other catalogues.

    `rivals` are prices of other catalogues for the same query and day that differ and that no decision settles;
    `decided` is the reason of the decision, if one settled it. `borrowed`: the price is that of the same model at
    another provider. `taken` is the last day on which the content of the catalogue is known to have been current.
    """

    price: Price
    family: str | None = None
    rivals: tuple[Price, ...] = ()
    decided: str | None = None
    borrowed: bool = False
    taken: date | None = None


class Missing(Value):
    """No result, with the reason and what to do about it; `unread` if a value exists but cannot be read."""

    what: str
    reason: str
    unread: bool = False

    @property
    def message(self) -> str:
        """What is missing, and why."""
        return f"{self.what} {'cannot be read' if self.unread else 'is missing'}: {self.reason}"


class Book(Protocol):
    """All values that a formula can look up, for any day."""

    def price(self, question: Question, on: date) -> Quote | Missing:
        """The price on a day."""

    def assumption(self, name: str, on: date) -> Assumption | Missing:
        """The assumption on a day."""

    def borders(self) -> tuple[date, ...]:
        """Every day on which a result may change, ascending; between two of these days all results stay the same."""


@runtime_checkable
class RemembersPrices(Protocol):
    """A book that also knows what its catalogues stated in earlier snapshots."""

    @property
    def remembers(self) -> bool:
        """Whether there are such prices at all."""

    def stated(self, question: Question, on: date) -> Quote | Missing:
        """The price on a day as the catalogues state it now, whatever they stated earlier."""

    def earlier(self, question: Question, on: date) -> tuple[Quote, ...]:
        """The prices that earlier snapshots state for that day and that no catalogue denies by a dated price."""
