"""The price table: what every item costs on a day and who reads it, computed once and kept until the store changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from statistics import median

from api.brain import Brain
from api.pages.render.figure_format import amount, figure, plural, short_day
from api.pages.request.listing import Option
from api.pages.request.page_request import PageRequest, path_of
from api.pages.views.claim_table import PageContext
from api.services.claim_status import UnknownPriceError
from compute.impact.price_impact import ASSUMED, price_readers
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price
from compute.prices.price_overview import PriceRow, price_rows, rows_of


@dataclass(frozen=True, slots=True)
class PriceTable:
    """All rows of a day, the same by item and by model, and how many claims rest on each item."""

    rows: tuple[PriceRow, ...]
    by_item: Mapping[str, list[PriceRow]]
    by_model: Mapping[str, list[PriceRow]]
    claims: Mapping[str, int]
    readers: Mapping[str, set[str]]
    catalogs: tuple[str, ...]


def price_table(context: PageContext, day: date) -> PriceTable:
    """The table of a day."""
    return context.recall(("price table", day), lambda: _price_table(context, day))


def _price_table(context: PageContext, day: date) -> PriceTable:
    book = context.brain.prices.book()
    rows = price_rows(book, day)
    by_item: dict[str, list[PriceRow]] = {}
    by_model: dict[str, list[PriceRow]] = {}
    for row in rows:
        by_item.setdefault(row.item, []).append(row)
        by_model.setdefault(row.model, []).append(row)
    readers = price_readers(context.brain.status.readers(), book, day)
    claims = {item: len(readers.get(item, ())) for item in by_item}
    return PriceTable(rows, by_item, by_model, claims, readers, tuple(dict.fromkeys(one.name for one in book.catalogs)))


def family_rows(context: PageContext, day: date) -> tuple[PriceRow, ...]:
    """The rows of every family."""

    def make() -> tuple[PriceRow, ...]:
        book = context.brain.prices.book()
        return tuple(row for name in book.families for row in rows_of(book, name, known_of(book, name), day))

    return context.recall(("family rows", day), make)


def claims_of(context: PageContext, item: str, day: date) -> int:
    """How many claims rest on a price of an item or a family on a day."""
    readers, meant = price_table(context, day).readers, context.brain.prices.book().meant(item, day)
    return len(readers.get(item, set()) | readers.get(meant, set()))


def item_rows(context: PageContext, item: str, day: date) -> tuple[PriceRow, ...]:
    """The rows of an item, a family, or another spelling of an item.

    Raises:
        UnknownPriceError: no catalogue knows it.
    """

    def make() -> tuple[PriceRow, ...]:
        book = context.brain.prices.book()
        return rows_of(book, item, known_of(book, item), day)

    found = context.recall(("item rows", item, day), make)
    if not found:
        raise UnknownPriceError(item, context.brain.prices.book().market.reason(item, day))
    return found


def chosen_row(request: PageRequest, rows: Sequence[PriceRow]) -> PriceRow:
    """The row that `chart` names as `COMPONENT/PROCESSING`, else the first.

    Raises:
        PageRequestError: there is no such row.
    """
    named = {f"{row.component}/{row.processing}": row for row in reversed(rows)}
    return named[request.one_of("chart", list(named)[::-1]) or next(reversed(named))]


def known_of(book: CatalogBook, item: str) -> tuple[Price, ...]:
    """All prices of an item; of a family those of its models, each for as long as the family meant it."""
    family = book.families.get(item)
    if family is None:
        return book.prices(item)
    ends = [*(member.begins for member in family.members[1:]), None]
    return tuple(
        clipped
        for member, end in zip(family.members, ends, strict=True)
        for price in book.prices(member.model)
        if member.model not in book.families or price.item == member.model  # a model may have the name of a family
        if (clipped := _clipped(price, member.begins, end)) is not None
    )


def _clipped(price: Price, begin: date, end: date | None) -> Price | None:
    start = max(price.valid_from or begin, begin)
    stop = min((day for day in (price.valid_to, end) if day is not None), default=None)
    if stop is not None and stop <= start:
        return None
    return price.model_copy(
        update={"valid_from": start, "valid_to": stop, "dated": price.dated if start != begin else "price"}
    )


def similar(brain: Brain, name: str) -> tuple[Option, ...]:
    """What may have been meant by a name without a price: similar names, and the list of its provider."""
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
    """The price of the day: `2.00 USD/Mtok`, `1.00 to 2.00 USD/Mtok`, or that there is none."""
    if row.value is not None:
        return figure(row.value, row.unit)
    if row.low is not None:
        return f"{amount(row.low, row.unit)} to {figure(row.high, row.unit)}"
    return "no price"


def since_text(row: PriceRow) -> str:
    """`since 28 Sep 2026`, `recorded since 28 Sep 2026`, or that no catalogue dates it; empty without a price."""
    if row.value is None:
        return ""
    if row.since is None:
        return "first day not dated"
    return f"{'recorded since' if row.recorded else 'since'} {short_day(row.since)}"


def change_text(row: PriceRow) -> str:
    """The change over a year: `33% lower than a year ago (3.00)`, `the same as a year ago`; empty if not known."""
    change = row.change
    if change is None or row.before is None:
        return ""
    if not change:
        return "the same as a year ago"
    percent = abs(round(100 * change))
    size = f"{percent or '<1'}%" if abs(change) < 2 else f"{figure(1 + change)} times: "
    word = "lower" if change < 0 else "higher"
    return f"{size} {word} than a year ago ({amount(row.before, row.unit)})"


def spread_text(offers: Sequence[PriceRow]) -> str:
    """The cheapest and the most expensive provider of some priced rows in one unit, cheapest first, and their ratio."""
    low, high, unit = offers[0], offers[-1], offers[0].unit
    values = [row.value or Decimal(0) for row in offers]
    if values[0] == values[-1]:
        return f"All cost {figure(low.value, unit)}."
    ratio = f", {figure(round(values[-1] / values[0], 1))} times as much" if values[0] else ""
    middle = f" The median is {figure(median(values), unit)}." if len(values) > 2 else ""
    cheapest = f"{low.provider} is the cheapest with {figure(low.value, unit)}"
    return f"{cheapest}; {high.provider} charges {figure(high.value, unit)}{ratio}.{middle}"
