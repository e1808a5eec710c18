"""The list of prices: every priced item with its price on a day, narrowed down by facets, searched and sorted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from decimal import Decimal

from api.pages.charts.price_charts import TimeAxis
from api.pages.request.listing import Narrowing, Side, choices, part_of
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of
from api.pages.views.claim_table import PageContext
from api.pages.views.prices.price_table import PriceTable, claims_of, family_rows, price_table
from compute.prices.price_kinds import KIND_TITLES, RANK
from compute.prices.price_models import Assumption
from compute.prices.price_overview import PriceRow

LISTED = 30

Key = Callable[[PriceTable, PriceRow], tuple[object, ...]]


def _comparable(row: PriceRow) -> tuple[bool, int, str]:
    """Prices of one kind in one unit are next to each other; what has no price comes last."""
    return (row.value is None, RANK[row.kind], row.unit)


SORTS: Mapping[str, tuple[str, Key]] = {
    "claims": ("most claims first", lambda table, row: (-table.claims[row.item], RANK[row.kind], row.item)),
    "name": ("by name", lambda _, row: (row.item,)),
    "cheap": ("cheapest first", lambda _, row: (*_comparable(row), row.value or Decimal(0), row.item)),
    "dear": ("most expensive first", lambda _, row: (*_comparable(row), -(row.value or Decimal(0)), row.item)),
    "new": ("latest price first", lambda _, row: (-(row.since or date.min).toordinal(), row.item)),
    "change": ("largest change in a year first", lambda _, row: (-abs(row.change or Decimal(0)), row.item)),
}
"""The orders of the list, by the word in the address: what it says, and by what it sorts."""

SIDES: tuple[Side[PriceRow], ...] = (
    Side("kind", "Kind", lambda row: (row.kind,), KIND_TITLES, rest="/v1/prices"),
    Side("provider", "Provider", lambda row: (row.provider,), rest="/v1/prices"),
    Side("unit", "Unit", lambda row: (row.unit,), rest="/v1/prices"),
    Side("catalog", "Catalogue", lambda row: {price.catalog for price in row.prices}, rest="/v1/prices"),
)


def index(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The list.

    Raises:
        PageRequestError: an order that there is not, the number of a page that is none, or a day that is none.
    """
    return context.recall(("prices", request.day, tuple(request.query)), lambda: _list(context, request))


def _list(context: PageContext, request: PageRequest) -> TemplateResponse:
    table, day, words = price_table(context, request.day), request.day, spelled(request.text("q")).split()
    order = request.one_of("sort", list(SORTS)) or "claims"
    named = [row for row in table.rows if all(word in spelled(row.item) for word in words)]
    found = Narrowing(request, named, SIDES, lambda row: row.item)
    passing = sorted(first_rows(found.passing()), key=lambda row: SORTS[order][1](table, row))
    part = part_of(request, passing, LISTED)
    plain = part.number == 1 and not found.filters
    return page_of(
        "prices.html",
        q=request.text("q"),
        day=day,
        today=request.today,
        chosen=found.filters,
        part=part,
        claims=table.claims,
        cleared=request.path if found.filters or words else None,
        everything=len(table.by_item),
        facets=found.facets(),
        sorts=choices(request, "sort", {name: title for name, (title, _) in SORTS.items()}, order),
        families=_families(context, day, words) if plain else (),
        assumptions=list(_assumptions(context, words, day)) if plain else (),
        catalogs=table.catalogs,
        lists=context.brain.price_refresher.lists() if plain else (),
        axis=TimeAxis.around(day),
    )


def spelled(name: str) -> str:
    """A name as it is searched: `Sonnet 4.5` finds `claude-sonnet-4-5`."""
    return name.lower().replace(".", "-")


def first_rows(rows: Iterable[PriceRow]) -> Iterable[PriceRow]:
    """The first row of each item: rows are in the order of kinds."""
    found: dict[str, PriceRow] = {}
    for row in rows:
        found.setdefault(row.item, row)
    return found.values()


def _families(context: PageContext, day: date, words: Iterable[str]) -> list[tuple[PriceRow, int, str]]:
    """The first row of each family, its number of claims, and the model that it means on the day."""
    families, found = context.brain.prices.book().families, []
    for row in first_rows(family_rows(context, day)):
        member = families[row.item].on(day)
        if member and all(word in spelled(row.item) for word in words):
            found.append((row, claims_of(context, row.item, day), member.model))
    return found


def _assumptions(context: PageContext, words: Iterable[str], day: date) -> Iterable[Assumption]:
    wanted = list(words)
    for name, each in context.brain.prices.book().assumptions.items():
        if all(word in spelled(name) for word in wanted):
            yield from (one for one in each if one.on(day))
