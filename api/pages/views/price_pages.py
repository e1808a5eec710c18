"""The list of prices on a day, and one item: components, chart, dependents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from decimal import Decimal
from urllib.parse import urlencode

from api.pages.charts.chart import MEDIUM, plots
from api.pages.page_request import Narrowing, PageRequest, Side, TemplateResponse, page_of, part_of
from api.pages.views import price_table as prices
from api.pages.views.claim_table import ClaimRow, PageContext
from compute.impact.price_impact import AffectedClaim
from compute.prices.market_items import NAME as MARKET
from compute.prices.price_overview import KIND_TITLES, RANK, YEAR, PriceRow, model_key, rows_of
from graph.models.node_models import Kind

LISTED, RESTING = 30, 20

Key = Callable[[prices.PriceTable, PriceRow], tuple[object, ...]]

Reader = tuple[ClaimRow, tuple[str, ...]]
"""A claim that reads the item, and everything that it reads of it."""


def _comparable(row: PriceRow) -> tuple[bool, int, str]:
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

UNIT_TITLES = {"USD/month_730h": "USD/month"}
SIDES: tuple[Side[PriceRow], ...] = (
    Side("kind", "Kind", lambda row: (row.kind,), KIND_TITLES, rest="/v1/prices"),
    Side("provider", "Provider", lambda row: (row.provider,), rest="/v1/prices"),
    Side("unit", "Unit", lambda row: (row.unit,), UNIT_TITLES, rest="/v1/prices"),
    Side("catalog", "Catalogue", lambda row: {price.catalog for price in row.prices}, rest="/v1/prices"),
)


def index(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The list. Raises PageRequestError for an unknown order, page or day."""
    table, day, words = prices.price_table(context, request.day), request.day, spelled(request.text("q")).split()
    order, book = request.one_of("sort", list(SORTS)) or "claims", context.brain.prices.book()
    named = [row for row in table.rows if all(word in spelled(row.item) for word in words)]
    found = Narrowing(request, named, SIDES, lambda row: row.item)
    passing = sorted(first_rows(found.passing()), key=lambda row: SORTS[order][1](table, row))
    families = [] if found.filters else _families(context, day, words)
    named_above = {book.meant(row.item, day) for row, *_ in families} if order == "claims" else set()
    part = part_of(request, [row for row in passing if row.item not in named_above], LISTED)
    plain = part.number == 1 and not found.filters
    every = (*table.rows, *(row for family, *_ in families for row in rows_of(book, family.item, day)))
    assumed = (one for each in book.assumptions.values() for one in each if plain)
    return page_of(
        "prices.html",
        chosen=found.filters,
        part=part,
        matching=len(passing),
        table=table,
        outputs={row.item: row for row in every if prices.row_name(row) == "output" and row.value is not None},
        facets=found.facets(),
        sorts=SORTS,
        order=order,
        families=families if plain else (),
        assumptions=[one for one in assumed if one.on(day) and all(word in spelled(one.name) for word in words)],
        lists=context.brain.price_refresher.lists() if plain else (),
        axis=prices.TimeAxis.around(day),
    )


def spelled(name: str) -> str:
    """A name as it is searched: `Sonnet 4.5` finds `claude-sonnet-4-5`."""
    return name.lower().replace(".", "-")


def first_rows(rows: Iterable[PriceRow]) -> Iterable[PriceRow]:
    """The first row of each item: rows are in the order of kinds."""
    return [*{row.item: row for row in reversed([*rows])}.values()][::-1]


def _families(context: PageContext, day: date, words: Iterable[str]) -> list[tuple[PriceRow, int, str]]:
    """Each family's first row, claims and current model; most claims first."""
    book, readers, found = context.brain.prices.book(), prices.price_table(context, day).readers, []
    for row in first_rows(row for name in book.families for row in rows_of(book, name, day)):
        member = book.families[row.item].on(day)
        if member and all(word in spelled(row.item) for word in words):
            reading = readers.get(row.item, set()) | readers.get(book.meant(row.item, day), set())
            found.append((row, len(reading), member.model))
    return sorted(found, key=lambda family: -family[1])


def item(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One item on a day. Raises UnknownPriceError, PageRequestError without a price as in `chart` or for no day."""
    name, day, book = request.parts["item"], request.day, context.brain.prices.book()
    rows, family = prices.item_rows(context, name, day), book.families.get(name)
    member, then = (family.on(day), family.on(day - YEAR)) if family else (None, None)
    table, model = prices.price_table(context, day), model_key(member.model if member else name)
    impact, lines = context.brain.status.impact(name, day, RESTING), context.claim_table().lines
    readers = _readers(impact.claims, lines)
    moves = context.causes((row for row, _ in readers), request.today)
    called = {name, *(one.model for one in (family.members if family else ()))}
    chart = prices.chosen_row(request, rows)
    nodes = [*(row.claim.node for row, _ in readers), *(path[0] for path in impact.resting)]
    titles = context.brain.nodes.refs([*nodes, *(step for path in impact.resting for step in path)])
    theses = [titles[one] for one in dict.fromkeys(nodes) if one in titles and titles[one].kind is Kind.THESIS]
    history = sorted(
        (price for row in rows for price in row.prices),
        key=lambda one: (-(one.valid_from or date.min).toordinal(), one.component, one.processing, one.catalog),
    )
    return page_of(
        "price.html",
        item=name,
        family=family,
        means=member.model if member else "",
        meant=then.model if then and then != member else "",
        rows=rows,
        chart=chart,
        offers={prices.row_name(row): _offers(table, row, model) for row in rows},
        plots=plots(lambda size: prices.price_chart(chart, day, table, size, family), MEDIUM),
        readers=readers,
        moves=moves,
        by_it=[claim for claim, found in moves.items() if any(move.item in called for move in found)],
        theses=theses,
        titles=titles,
        mark=context.mark,
        health=context.health,
        lines=lines,
        taken=table.taken,
        resting=[path for path in impact.resting if titles.get(path[0]) not in theses],
        resting_left=impact.left,
        history=history,
        panel=next((one.panel for row in rows for one in row.prices if one.panel and one.on(day)), None),
        absent=book.market.reason(name, day),
        axis=prices.TimeAxis.around(day),
        picture=f"?{urlencode({'chart': f'{chart.component}/{chart.processing}'}, safe='/')}",
    )


def _offers(table: prices.PriceTable, row: PriceRow, model: str) -> list[PriceRow]:
    """Offers of the same by all providers, cheapest first; empty for one provider or a median."""
    if row.catalog == MARKET:
        return []  # its page shows the providers of the panel
    name = prices.row_name(row), row.unit
    same = (one for one in table.by_model.get(model, ()) if (prices.row_name(one), one.unit) == name)
    found = [one for one in same if one.value is not None]
    providers = {one.provider for one in found}
    return sorted(found, key=lambda one: (one.value, one.item)) if len(providers) > 1 else []


def _readers(hits: Iterable[AffectedClaim], lines: Mapping[str, ClaimRow]) -> list[Reader]:
    """Each claim once, most severe first, with what it reads."""
    found: dict[str, list[str]] = {}
    for hit in hits:
        if hit.claim in lines:
            words = hit.asks if hit.processing == "standard" else f"{hit.asks} ({hit.processing})"
            found.setdefault(hit.claim, []).append(words)
    readers = [(lines[claim], tuple(dict.fromkeys(asks))) for claim, asks in found.items()]
    return sorted(readers, key=lambda one: one[0].gravity)
