"""Prices, catalogues and assumptions as values, and the price query of formulas."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol

from graph.models.verdict_models import MarketPanel
from graph.models.written_figures import RangeShape
from graph.values import Value

OBSERVED = ("observed-genai-prices", "observed-litellm", "observed-prices", "observed-gpu-hours")
"""Catalogues of what public lists had on past days; see `compute.catalogs.price_observations`."""

IMPORTED = ("genai-prices", "ecb", "litellm", "skypilot", "gpuhunt", *OBSERVED)
"""Catalogues that others publish, in order of precedence; every other one is written by hand, as price cards.

The cards of the name `cards` come after the first of these, other cards last.
"""


Slot = tuple[str, str, str, str, int, str]  # catalogue, item, component, processing, tier, region


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

    @property
    def explicit(self) -> bool:
        """Whether the source states the first day of the price."""
        return self.dated == "price" and self.valid_from is not None

    @property
    def slot(self) -> Slot:
        """What the price is for, without amount and days; no region is an empty text."""
        return self.catalog, self.item, self.component, self.processing, self.above, self.region or ""

    def corrects(self, past: Price) -> bool:
        """Whether this price states another amount for the first day of a past one.

        The day of a record counts too on a card, whose author wrote it; a published list keeps it for a new price.
        """
        own = self.catalog not in IMPORTED and self.dated == past.dated
        same_day = self.valid_from is not None and self.valid_from == past.valid_from
        return same_day and (own or (self.explicit and past.explicit))


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


Span = tuple[date, date]
"""The days `[from, to)`; without a first or a last one, the first or the last day that there is."""


def span(one: Price | Assumption) -> Span:
    """The days on which a price or an assumption is valid."""
    return one.valid_from or date.min, one.valid_to or date.max


def meet(one: Span, two: Span) -> bool:
    """Whether two spans have a day in common."""
    return max(one[0], two[0]) < min(one[1], two[1])


def during(price: Price, days: Span, **more: str) -> Price:
    """A price with other days."""
    begin, end = days
    dates = {"valid_from": None if begin == date.min else begin, "valid_to": None if end == date.max else end}
    return price.model_copy(update={**dates, **more})


class Question(NamedTuple):
    """A price query: item, component and variant."""

    item: str
    component: str
    processing: str = "standard"
    context: int = 0
    region: str | None = None
    catalog: str | None = None


class Quote(Value):
    """The result of a query: the price, and the model that a family means that day.

    `rivals` are differing prices of other catalogues that no decision settles; `decided` is the reason of the decision.
    `borrowed`: the price is that of the same model at another provider. `taken` is the last day on which the content of
    the catalogue is known to have been current.
    """

    price: Price
    family: str | None = None
    rivals: tuple[Price, ...] = ()
    decided: str | None = None
    borrowed: bool = False
    taken: date | None = None


class Missing(Value):
    """No result, and why; `unread` if a value exists but cannot be read."""

    what: str
    reason: str
    unread: bool = False

    @property
    def message(self) -> str:
        """What is missing, and why."""
        return f"{self.what} {'cannot be read' if self.unread else 'is missing'}: {self.reason}"


class Book(Protocol):
    """The values that formulas look up, for any day."""

    def price(self, question: Question, on: date) -> Quote | Missing:
        """The price on a day."""

    def assumption(self, name: str, on: date) -> Assumption | Missing:
        """The assumption on a day."""

    def borders(self) -> tuple[date, ...]:
        """The days on which a result may change, ascending."""


@lru_cache(maxsize=10_000)
def _pattern(text: str) -> re.Pattern[str] | None:
    """A compiled pattern; None, which matches nothing, if Python cannot compile it."""
    try:
        return re.compile(text)
    except re.error:
        return None


RuleTest = Literal["equals", "starts_with", "ends_with", "contains", "regex"]
RULE_TESTS: dict[RuleTest, Callable[[str, str], object]] = {
    "equals": str.__eq__,
    "starts_with": str.startswith,
    "ends_with": str.endswith,
    "contains": str.__contains__,
    "regex": lambda name, text: (pattern := _pattern(text)) and pattern.search(name),
}
"""What a rule tests of a name, by a text."""


class Rule(Value):
    """A test of a name: a text match, or a combination (`or`, `and`) of rules."""

    op: RuleTest | Literal["or", "and"]
    text: str = ""
    rules: tuple[Rule, ...] = ()

    def matches(self, name: str) -> bool:
        """Whether `name`, in lower case, passes."""
        if self.op == "or":
            return any(rule.matches(name) for rule in self.rules)
        if self.op == "and":
            return all(rule.matches(name) for rule in self.rules)
        return bool(RULE_TESTS[self.op](name, self.text if self.op == "regex" else self.text.lower()))


class Name(Value):
    """The rule by which a catalogue recognises an item, `provider/thing`."""

    item: str
    rule: Rule


class Catalog(Value):
    """The prices of one catalogue at one time; of `names` the first match wins.

    `elsewhere` lists `(provider, (provider, …))`: whose names are tried after the provider's own. `taken` is the last
    day on which the content is known to have been current; `version` is the version that the catalogue gives itself.
    """

    name: str
    prices: tuple[Price, ...]
    names: tuple[Name, ...] = ()
    elsewhere: tuple[tuple[str, tuple[str, ...]], ...] = ()
    taken: date | None = None
    version: str = ""
    licence: str | None = None


# ---- exchange rates: prices of one currency in another, such as `fx/usd_per_eur`

RATE = "rate"
RATE_LIFE = timedelta(days=10)
"""How long a rate counts without a newer one. The longest pause of the ECB's reference rates is five days."""


def rate_name(of: str, per: str) -> str:
    """The name of a rate, also as an assumption: `USD`, `EUR` is `usd_per_eur`, in USD/EUR."""
    return f"{of}_per_{per}".lower()


def rate_item(name: str) -> str:
    """The item of a rate: `usd_per_eur` is `fx/usd_per_eur`."""
    return f"fx/{name}"


def is_rate(item: str) -> bool:
    """Whether an item is an exchange rate."""
    return item.startswith("fx/")
