"""The list of prices: every priced item with its price, narrowed down by facets, searched and sorted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from api.pages.charts.price_lines import SmallDrawing, TimeAxis, small_drawing
from api.pages.request.page_request import FOLDED, Facet, Option, PageRequest, TemplateResponse, facet
from api.pages.views import price_comparison
from api.pages.views.claim_table import PageContext
from api.pages.views.price_table import PriceTable, base_tier, claims_of, family_rows, price_table
from compute.prices.price_kinds import KIND_TITLES, RANK
from compute.prices.price_models import Assumption
from compute.prices.price_overview import PriceRow

LISTED = 30
SHOWN = 12
"""How many choices a facet has before its fold."""

Key = Callable[[PriceTable, PriceRow], tuple[object, ...]]


def _comparable(row: PriceRow) -> tuple[bool, int, str]:
    """Prices of one kind in one unit are next to each other; what has no price comes last."""
    return (row.value is None, RANK[row.kind], row.unit)


def _value(row: PriceRow) -> Decimal:
    return row.value or Decimal(0)


SORTS: Mapping[str, tuple[str, Key]] = {
    "claims": ("most claims first", lambda table, row: (-table.claims[row.item], RANK[row.kind], row.item)),
    "name": ("by name", lambda _, row: (row.item,)),
    "cheap": ("cheapest first", lambda _, row: (*_comparable(row), _value(row), row.item)),
    "dear": ("most expensive first", lambda _, row: (*_comparable(row), -_value(row), row.item)),
    "new": ("latest price first", lambda _, row: (-(row.since or date.min).toordinal(), row.item)),
    "change": ("largest change in a year first", lambda _, row: (-abs(row.change or Decimal(0)), row.item)),
}
"""The orders of the list, by the word in the address: what it says, and by what it sorts."""


class Side(NamedTuple):
    """One way to narrow the list down: the word in the address, the title, and what a row has of it."""

    name: str
    title: str
    values: Callable[[PriceRow], tuple[str, ...]]


SIDES = (
    Side("kind", "Kind", lambda row: (row.kind,)),
    Side("provider", "Provider", lambda row: (row.provider,)),
    Side("unit", "Unit", lambda row: (row.unit,)),
    Side("catalog", "Catalogue", lambda row: tuple({price.catalog for price in row.prices})),
)


@dataclass(frozen=True, slots=True)
class ListedPrice:
    """A line of the list: the row shown for an item, its drawing, and the claims that rest on the item."""

    row: PriceRow
    drawing: SmallDrawing
    claims: int
    model: str = ""


@dataclass(frozen=True, slots=True)
class PriceList:
    """The page. `families` and `assumptions` are on the first page; `compare` is what can be compared."""

    q: str
    chosen: tuple[tuple[str, str], ...]
    lines: tuple[ListedPrice, ...]
    number: int
    pages: int
    previous: str | None
    following: str | None
    cleared: str | None
    total: int
    everything: int
    facets: tuple[Facet, ...]
    sorts: tuple[Option, ...]
    compare: Facet
    families: tuple[ListedPrice, ...]
    assumptions: tuple[Assumption, ...]
    catalogs: tuple[str, ...]
    axis: TimeAxis


def index(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The list, or with `compare` one thing over all its providers.

    Raises:
        PageRequestError: an order that there is not, or the number of a page that is none.
        UnknownPriceError: there is nothing of that name to compare.
    """
    if request.text("compare"):
        return price_comparison.page(context, request)
    key = ("prices", request.today, tuple(request.query))
    return context.recall(key, lambda: TemplateResponse("prices.html", _list(context, request)))


def _list(context: PageContext, request: PageRequest) -> PriceList:
    table = price_table(context, request.today)
    words = spelled(request.text("q")).split()
    chosen = {side.name: request.text(side.name) for side in SIDES}
    order = request.one_of("sort", list(SORTS)) or "claims"
    named = [row for row in table.rows if all(word in spelled(row.item) for word in words)]
    passing = sorted(_first_of_items(_passing(named, chosen)), key=lambda row: SORTS[order][1](table, row))
    pages = max(1, -(-len(passing) // LISTED))
    number = min(request.number("page"), pages)
    plain = number == 1 and not any(chosen.values())
    book, axis = context.brain.prices.book(), TimeAxis.around(request.today)
    return PriceList(
        q=request.text("q"),
        chosen=tuple((name, value) for name, value in chosen.items() if value),
        lines=tuple(
            _line(row, table.claims[row.item], axis) for row in passing[(number - 1) * LISTED : number * LISTED]
        ),
        number=number,
        pages=pages,
        previous=request.link(page=str(number - 1)) if number > 1 else None,
        following=request.link(page=str(number + 1)) if number < pages else None,
        cleared=request.path if any(chosen.values()) or words else None,
        total=len(passing),
        everything=len(table.by_item),
        facets=tuple(_facet(request, named, chosen, side) for side in SIDES),
        sorts=tuple(Option(title, request.link(sort=name), chosen=name == order) for name, (title, _) in SORTS.items()),
        compare=price_comparison.compared(table),
        families=_families(context, request, words) if plain else (),
        assumptions=tuple(_assumptions(book.assumptions, words, request.today)) if plain else (),
        catalogs=table.catalogs,
        axis=axis,
    )


def spelled(name: str) -> str:
    """A name as it is searched: `Sonnet 4.5` finds `claude-sonnet-4-5`."""
    return name.lower().replace(".", "-")


def _passing(rows: Iterable[PriceRow], chosen: Mapping[str, str]) -> list[PriceRow]:
    expected = [(side.values, chosen[side.name]) for side in SIDES if chosen[side.name]]
    return [row for row in rows if all(value in values(row) for values, value in expected)]


def _first_of_items(rows: Iterable[PriceRow]) -> Iterable[PriceRow]:
    """The first row of each item: rows are in the order of kinds."""
    found: dict[str, PriceRow] = {}
    for row in rows:
        found.setdefault(row.item, row)
    return found.values()


def _line(row: PriceRow, claims: int, axis: TimeAxis, model: str = "") -> ListedPrice:
    return ListedPrice(row, small_drawing(base_tier(row), axis, row.released), claims, model)


def _facet(request: PageRequest, rows: Sequence[PriceRow], chosen: Mapping[str, str], side: Side) -> Facet:
    """The choices of a side with the number of their items, counted over what passes the others."""
    given = chosen[side.name]
    items: dict[str, set[str]] = {given: set()} if given else {}
    for row in _passing(rows, {**chosen, side.name: ""}):
        for value in side.values(row):
            items.setdefault(value, set()).add(row.item)
    ordered = sorted(items, key=lambda value: (RANK.get(value, 0), -len(items[value]), value))
    options = (
        Option(
            KIND_TITLES.get(value, value).replace("month_730h", "month"),
            request.link(**{side.name: None if value == given else value}),
            len(items[value]),
            value == given,
        )
        for value in ordered[: SHOWN + FOLDED]
    )
    return facet(side.title, list(options), SHOWN, len(ordered), "/v1/prices")


def _families(context: PageContext, request: PageRequest, words: Sequence[str]) -> tuple[ListedPrice, ...]:
    """The first row of each family, with the model that it means today."""
    families, axis = context.brain.prices.book().families, TimeAxis.around(request.today)
    found = []
    for row in _first_of_items(family_rows(context, request.today)):
        member = families[row.item].on(request.today)
        if member and all(word in spelled(row.item) for word in words):
            claims = claims_of(context, row.item, request.today)
            found.append(_line(row, claims, axis, member.model))
    return tuple(found)


def _assumptions(known: Mapping[str, Iterable[Assumption]], words: Sequence[str], today: date) -> Iterable[Assumption]:
    for name, each in known.items():
        if all(word in spelled(name) for word in words):
            yield from (one for one in each if one.on(today))
