"""Prices as values, and the one question that formulas ask of them.

Every catalogue is reduced to `Price` records. A `Book` holds the records of all catalogues, the families, the
assumptions and the decisions, and answers for a day: a quote, or the reason why there is none. It never guesses.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Literal, Protocol

from graph.values import Value


class Price(Value):
    """One price of one thing over one interval of days.

    `item` is `provider/thing`; `component` what is paid for (`input`, `output`, `cache_read`, `cache_write`,
    `on_demand`, `reserved_1y`, `spot`, `purchase`, `energy`, `egress` …); `value` in `unit` (`USD/Mtok`, `USD/GPU/h`,
    `USD/kWh`, `USD/GB` …). The interval is `[valid_from, valid_to)`, open where None. `dated` says what `valid_from`
    means: the day the price began, or only the day on which the catalogue began to record it. `above` is the number of
    context tokens above which a tier applies (0: the base tier). `derived` says how a figure was computed where the
    source does not state it.
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

    def on(self, day: date) -> bool:
        """Whether it is the price of that day."""
        return (self.valid_from is None or self.valid_from <= day) and (self.valid_to is None or day < self.valid_to)


class Assumption(Value):
    """A named, dated figure that nobody quotes a price for, with its range and source."""

    name: str
    value: Decimal
    unit: str
    low: Decimal | None = None
    high: Decimal | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    source: str | None = None
    checked: date | None = None
    note: str = ""


class Question(Value):
    """What a formula asks: the price of a component of an item, and of which variant of it."""

    item: str
    component: str
    processing: str = "standard"
    context: int = 0
    region: str | None = None
    catalog: str | None = None


class Quote(Value):
    """The answer: the price to use, the model that a family meant that day, and what other catalogues say otherwise.

    `rivals` are prices of other catalogues for the same question and day whose value differs and which no decision
    has settled; `decided` is the reason of the decision that settled it.
    """

    price: Price
    family: str | None = None
    rivals: tuple[Price, ...] = ()
    decided: str | None = None


class Missing(Value):
    """There is no answer, and why, in words that a person can act on; `unread` where something is there."""

    what: str
    reason: str
    unread: bool = False

    @property
    def told(self) -> str:
        """What is not known, and why."""
        return f"{self.what} {'cannot be read' if self.unread else 'is missing'}: {self.reason}"


class Book(Protocol):
    """Everything that a formula can look up, for any day."""

    def price(self, question: Question, on: date) -> Quote | Missing:
        """The price on a day."""

    def assumption(self, name: str, on: date) -> Assumption | Missing:
        """The assumption on a day."""

    def borders(self) -> tuple[date, ...]:
        """Every day on which some answer may become another one, ascending; between two of them all stay the same."""
