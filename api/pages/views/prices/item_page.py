"""The page of a priced item on a day: a table of its components, one chart with tooltips, what depends on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from api.pages.charts.chart import NARROW, WIDE, inline
from api.pages.charts.price_charts import SmallDrawing, TimeAxis, price_chart, small_drawing
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of, path_of
from api.pages.views.claim_table import ClaimRow, PageContext, counted
from api.pages.views.prices.price_comparison import spread_text
from api.pages.views.prices.price_table import PriceTable, item_rows, price_table
from compute.impact.price_impact import AffectedClaim
from compute.prices.market_items import NAME as MARKET
from compute.prices.price_kinds import model_key
from compute.prices.price_overview import PriceRow
from graph.models.node_models import Kind
from graph.models.query_models import NodeRef

COMPONENTS = 12
CLAIMS, CLAIMS_FOLDED = 8, 12
RESTING, HISTORY = 20, 20


@dataclass(frozen=True, slots=True)
class PricedComponent:
    """One component of the item: its row, its drawing, the address of its chart, and its price at other providers."""

    row: PriceRow
    drawing: SmallDrawing
    link: str
    chosen: bool
    offers: int
    spread: str
    compare: str


@dataclass(frozen=True, slots=True)
class Reader:
    """A claim that reads the item, and everything that it reads of it."""

    row: ClaimRow
    asks: tuple[str, ...]


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One item.

    Raises:
        UnknownPriceError: no catalogue knows it.
        PageRequestError: it has no price as in `chart`, or the day is none.
    """
    key = ("item page", request.parts["item"], request.today, tuple(request.query))
    return context.recall(key, lambda: _page(context, request, request.parts["item"]))


def _page(context: PageContext, request: PageRequest, item: str) -> TemplateResponse:
    day, rows = request.day, item_rows(context, item, request.day)
    family = context.brain.prices.book().families.get(item)
    member = family.on(day) if family else None
    named = {f"{row.component}/{row.processing}": row for row in reversed(rows)}
    chart = named[request.one_of("chart", list(named)[::-1]) or next(reversed(named))]
    components = list(_components(context, request, rows, chart, member.model if member else item))
    impact, lines = context.brain.status.impact(item, day, RESTING), context.claim_table().lines
    readers = _readers(impact.claims, lines)
    shown = readers[: CLAIMS + CLAIMS_FOLDED]
    titles = context.brain.nodes.refs(
        [*(one.row.claim.node for one in readers), *(step for path in impact.resting for step in path)]
    )
    history = sorted(
        (price for row in rows for price in row.prices),
        key=lambda one: (-(one.valid_from or date.min).toordinal(), one.component, one.processing, one.catalog),
    )
    return page_of(
        "price.html",
        item=item,
        day=day,
        today=request.today,
        family=family,
        means=member.model if member else "",
        components=components[:COMPONENTS],
        more_components=components[COMPONENTS:],
        lead=components[0],
        chart=chart,
        plots=[
            (size, inline(price_chart(chart, day, size), size, 0, 4)[0], css)
            for size, css in ((WIDE, "on-wide"), (NARROW, "on-narrow"))
        ],
        charts=path_of("charts/prices", f"{item}/{chart.component}/{chart.processing}"),
        counts=counted(one.row for one in readers),
        readers=shown[:CLAIMS],
        more_readers=shown[CLAIMS:],
        readers_left=len(readers) - len(shown),
        theses=_theses([*(one.row.claim.node for one in readers), *(path[0] for path in impact.resting)], titles),
        titles=titles,
        resting=[
            path for path in impact.resting if titles.get(path[0]) is None or titles[path[0]].kind is not Kind.THESIS
        ],
        resting_left=impact.left,
        history=history[:HISTORY],
        history_left=max(0, len(history) - HISTORY),
        panel=next((one.panel for row in rows for one in row.prices if one.panel and one.on(day)), None),
        absent=context.brain.prices.book().market.reason(item, day),
        catalogs=list(dict.fromkeys(price.catalog for row in rows for price in row.prices)),
        axis=TimeAxis.around(day),
        files=path_of("charts/prices", item),
        other_formats=(
            ("history as JSON", path_of("v1/prices", item) + "/history"),
            ("impact as JSON", path_of("v1/prices", item) + "/impact"),
        ),
    )


def _components(
    context: PageContext, request: PageRequest, rows: Iterable[PriceRow], chart: PriceRow, meaning: str
) -> Iterable[PricedComponent]:
    table, axis, model = price_table(context, request.day), TimeAxis.around(request.day), model_key(meaning)
    for row in rows:
        link = request.link(chart=f"{row.component}/{row.processing}") + "#chart"
        offers, spread = _offers(table, row, model)
        compare = f"/prices?{urlencode({'compare': model, 'kind': row.kind})}" if offers else ""
        yield PricedComponent(row, small_drawing(row, axis), link, row is chart, offers, spread, compare)


def _offers(table: PriceTable, row: PriceRow, model: str) -> tuple[int, str]:
    """How many providers sell the same, and the cheapest and the most expensive; nothing for one, or a median."""
    if row.catalog == MARKET:
        return 0, ""  # its page shows the providers of the panel
    same = (row.component, row.processing, row.unit)
    found = [
        one
        for one in table.by_model.get(model, ())
        if (one.component, one.processing, one.unit) == same and one.value is not None
    ]
    providers = len({one.provider for one in found})
    if providers < 2:
        return 0, ""
    return providers, spread_text(sorted(found, key=lambda one: (one.value or 0, one.item)))


def _readers(hits: Iterable[AffectedClaim], lines: Mapping[str, ClaimRow]) -> list[Reader]:
    """Each claim once, the most severe first, with all that it reads."""
    found: dict[str, list[str]] = {}
    for hit in hits:
        if hit.claim in lines:
            words = hit.asks if hit.processing == "standard" else f"{hit.asks} ({hit.processing})"
            found.setdefault(hit.claim, []).append(words)
    readers = [Reader(lines[claim], tuple(dict.fromkeys(asks))) for claim, asks in found.items()]
    return sorted(readers, key=lambda one: one.row.gravity)


def _theses(nodes: Iterable[str], titles: Mapping[str, NodeRef]) -> list[NodeRef]:
    """The theses among notes, each once."""
    found = (titles[name] for name in dict.fromkeys(nodes) if name in titles)
    return [one for one in found if one.kind is Kind.THESIS]
