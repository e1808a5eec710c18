"""What everything costs on a day: a row for each component of each item, of kinds that can be compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price, Question, Quote, during, span
from graph.groups import group_by

YEAR = timedelta(days=365)  # how far back a change of price is computed
Slot = tuple[str, str, str]  # component, processing, and unit


class PriceKind(NamedTuple):
    """A kind of price and its name in addresses; an empty field fits any price, `per` is a part of the unit."""

    name: str
    title: str
    components: tuple[str, ...] = ()
    processing: str = "standard"
    per: str = ""

    def has(self, price: Price) -> bool:
        """Whether a price is of this kind."""
        return (
            (not self.components or price.component in self.components)
            and self.processing in {"", price.processing}
            and self.per in price.unit
        )


KINDS = (
    PriceKind("input", "input tokens", ("input",), per="tok"),
    PriceKind("output", "output tokens", ("output",), per="tok"),
    PriceKind("cached", "cached input tokens", ("cache_read",), per="tok"),
    PriceKind("cache-write", "cache writes", ("cache_write",), per="tok"),
    PriceKind("batch-input", "batch input tokens", ("input",), "batch", "tok"),
    PriceKind("batch-output", "batch output tokens", ("output",), "batch", "tok"),
    PriceKind("gpu-hour", "GPU-hour, on demand", ("on_demand",), per="GPU/h"),
    PriceKind("gpu-spot", "GPU-hour, spot", ("spot",), per="GPU/h"),
    PriceKind("gpu-reserved", "GPU-hour, reserved a year", ("reserved_1y",), per="GPU/h"),
    PriceKind("gpu-committed", "GPU-hour, other commitments", ("committed", "reserved_3y"), per="GPU/h"),
    PriceKind(
        "instance-hour", "machine-hour", per="/h", components=("on_demand", "reserved_1y", "reserved_3y", "spot")
    ),
    PriceKind("purchase", "hardware", ("purchase", "purchase_and_operation_3y", "network", "facility"), processing=""),
    PriceKind("power", "power", ("energy",), processing=""),
    PriceKind("egress", "egress and transfer", ("egress", "transfer", "link"), processing=""),
    PriceKind("rate", "exchange rates", ("rate",), processing=""),
    PriceKind("tokens", "other tokens", processing="", per="tok"),
    PriceKind("requests", "requests and searches", processing="", per="request"),
    PriceKind("other", "other", processing=""),
)
"""Every kind; a price is of the first that has it. What a list shows first of an item comes first."""

RANK = {kind.name: place for place, kind in enumerate(KINDS)}
KIND_TITLES = {kind.name: kind.title for kind in KINDS}


def kind_of(price: Price) -> PriceKind:
    """The kind of a price; the last kind has all that no other has."""
    return next(kind for kind in KINDS if kind.has(price))


# ---- names
#
#   aws/global.anthropic.claude-sonnet-4-5-20250929-v1:0 ─▶ claude-sonnet-4-5 ◀─ openrouter/anthropic/claude-sonnet-4.5
#
# What is another product keeps another name: `:batch`, `:free`, `-mini`, `-turbo`.

_RULES = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r"^(?:global|regional|us|eu|apac)\.", ""),  # how AWS routes a request
        (r"^[a-z]+\.(?=[a-z])", ""),  # the maker, as AWS writes it
        (r"-v\d+:\d+$", ""),  # the revision, as AWS writes it
        (r"[-@]20\d\d-?[01]\d-?[0-3]\d(?=$|:)", ""),  # the day of the release
        (r"-latest(?=$|:)", ""),
        (r"^meta-(?=llama)", ""),
        (r"(?<=\d)p(?=\d)", "-"),  # Fireworks writes k2p5 for K2.5
        (r"-fp8(?=$|:)", ""),  # the precision in which it is served
        (r"-instruct(?:-turbo)?(?=$|:)", ""),
        (r"-(?:low|high)$", ""),  # both ends of a range of offers
        (r"[._]", "-"),
    )
)
"""What is taken off a name, or written in one way, in this order."""


@lru_cache(maxsize=1 << 14)
def model_key(item: str) -> str:
    """The last part of an item's name in one spelling, to compare models."""
    name = item.rpartition("/")[2].lower()
    for pattern, by in _RULES:
        name = pattern.sub(by, name)
    return name


@dataclass(frozen=True, slots=True)
class PriceRow:
    """One component of an item on a day; `value` is None if nothing is known for the day.

    `low` and `high` are the range of the day if there is no single price, for example a price in each region. `since`
    is the first day of the value, None if no catalogue dates it; `recorded`: it is only the first day of the record.
    `before` is the price a year earlier, if known. `prices` are those of all times, none before the day `released`.
    """

    item: str
    component: str
    processing: str
    unit: str
    kind: str
    model: str
    prices: tuple[Price, ...]
    released: date | None = None
    value: Decimal | None = None
    catalog: str = ""
    since: date | None = None
    recorded: bool = False
    low: Decimal | None = None
    high: Decimal | None = None
    before: Decimal | None = None
    rivals: tuple[Price, ...] = ()

    @property
    def provider(self) -> str:
        """The first part of the item."""
        return self.item.partition("/")[0]

    @property
    def change(self) -> Decimal | None:
        """The change over a year as a share of the old price; None if unknown or it was free."""
        if self.value is None or not self.before:
            return None
        return (self.value - self.before) / self.before


def price_rows(book: CatalogBook, day: date) -> tuple[PriceRow, ...]:
    """The rows of all items by item and kind; an item named like a family has none, as in formulas."""
    items = (item for item in book.items() if item not in book.families)
    return tuple(row for item in items for row in rows_of(book, item, day))


def rows_of(book: CatalogBook, item: str, day: date) -> tuple[PriceRow, ...]:
    """The rows of one item or family."""
    slots = group_by(_known(book, item), lambda price: (price.component, price.processing, price.unit))
    found = (_row(book, item, slot, prices, day) for slot, prices in slots.items())
    return tuple(sorted(found, key=_place))


def _known(book: CatalogBook, item: str) -> tuple[Price, ...]:
    """All prices of an item; of a family those of its models while it meant them."""
    family = book.families.get(item)
    if family is None:
        return book.prices(item)
    ends = [*(member.begins for member in family.members[1:]), date.max]
    found = []
    for member, end in zip(family.members, ends, strict=True):
        for price in book.prices(member.model):
            begin, stop = max(span(price)[0], member.begins), min(span(price)[1], end)
            own = member.model not in book.families or price.item == member.model  # a model may be named as a family
            if own and begin < stop:
                found.append(during(price, (begin, stop), dated="price" if begin == member.begins else price.dated))
    return tuple(found)


def _place(row: PriceRow) -> tuple[int, bool, str, str, str]:
    return (RANK[row.kind], row.processing != "standard", row.processing, row.component, row.unit)


def _row(book: CatalogBook, item: str, slot: Slot, prices: Sequence[Price], day: date) -> PriceRow:
    component, processing, unit = slot
    kind, released = kind_of(prices[0]).name, book.released(prices[0].item)
    row = PriceRow(item, component, processing, unit, kind, model_key(item), tuple(prices), released)
    now = _quote(book, row, day)
    if now is None:  # a range, where there is not one price for all
        values = {price.value for price in prices if not price.above and price.on(day)}
        return replace(row, low=min(values), high=max(values)) if len(values) > 1 else row
    first = _first(_own(now.price, prices, day), prices)
    return replace(
        row,
        value=now.price.value,
        catalog=now.price.catalog,
        since=first.valid_from,
        recorded=first.dated == "record",
        before=_before(book, row, first, day),
        rivals=now.rivals,
    )


def _before(book: CatalogBook, row: PriceRow, first: Price, day: date) -> Decimal | None:
    """The price a year before; None if unknown: an undated price may be younger."""
    if first.valid_from is not None and first.valid_from <= day - YEAR:
        return first.value
    edges = (edge for price in row.prices for edge in (price.valid_from, price.valid_to))
    changed = any(edge is not None and day - YEAR < edge <= day for edge in edges)
    found = _quote(book, row, day - YEAR) if changed else None
    return found.price.value if found else None


def _quote(book: CatalogBook, row: PriceRow, day: date) -> Quote | None:
    """What formulas read on a day; None without a price in the row's unit."""
    found = book.price(Question(item=row.item, component=row.component, processing=row.processing), day)
    return found if isinstance(found, Quote) and found.price.unit == row.unit else None


def _first(price: Price, prices: Sequence[Price]) -> Price:
    """The price from which on its catalogue states this value without interruption."""
    stated = price.catalog, price.above, price.region, price.value
    same = [one for one in prices if (one.catalog, one.above, one.region, one.value) == stated]
    while before := next(
        (one for one in same if one.valid_to and one.valid_to == price.valid_from != one.valid_from), None
    ):
        price = before
    return price


def _own(price: Price, prices: Sequence[Price], day: date) -> Price:
    """The price as it is in a row, where a family clips the prices of its models."""
    days = {"valid_from": price.valid_from, "valid_to": price.valid_to, "dated": price.dated}
    return next((one for one in prices if one.model_copy(update=days) == price and one.on(day)), price)
