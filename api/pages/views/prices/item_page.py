"""The page of a priced item on a day: a table of its components, one chart with tooltips, what depends on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from urllib.parse import urlencode

from api.pages.charts.chart import NARROW, WIDE, inline
from api.pages.charts.price_charts import TimeAxis, price_chart
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of, path_of
from api.pages.views.claim_table import ClaimRow, PageContext, counted
from api.pages.views.prices.price_table import PriceTable, chosen_row, item_rows, price_table, row_name
from compute.impact.price_impact import AffectedClaim
from compute.prices.market_items import NAME as MARKET
from compute.prices.price_kinds import model_key
from compute.prices.price_overview import PriceRow
from graph.models.node_models import Kind
from graph.models.query_models import NodeRef

COMPONENTS = 12
CLAIMS, CLAIMS_FOLDED = 8, 12
RESTING, HISTORY = 20, 16


Reader = tuple[ClaimRow, tuple[str, ...]]
"""A claim that reads the item, and everything that it reads of it."""


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
    chart = chosen_row(request, rows)
    table, model = price_table(context, day), model_key(member.model if member else item)
    impact, lines = context.brain.status.impact(item, day, RESTING), context.claim_table().lines
    readers = _readers(impact.claims, lines)
    shown = readers[: CLAIMS + CLAIMS_FOLDED]
    titles = context.brain.nodes.refs(
        [*(row.claim.node for row, _ in readers), *(step for path in impact.resting for step in path)]
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
        components=rows[:COMPONENTS],
        more_components=rows[COMPONENTS:],
        lead=rows[0],
        chart=chart,
        offers={row_name(row): _offers(table, row, model) for row in rows},
        claims=table.claims,
        plots=[
            (size, inline(price_chart(chart, day, size), size, 0, 4)[0], css)
            for size, css in ((WIDE, "on-wide"), (NARROW, "on-narrow"))
        ],
        counts=counted(row.state for row, _ in readers),
        readers=shown[:CLAIMS],
        more_readers=shown[CLAIMS:],
        readers_left=len(readers) - len(shown),
        theses=_theses([*(row.claim.node for row, _ in readers), *(path[0] for path in impact.resting)], titles),
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
        picture=f"?{urlencode({'chart': f'{chart.component}/{chart.processing}'}, safe='/')}",
        other_formats=(
            ("history as JSON", path_of("v1/prices", item) + "/history"),
            ("impact as JSON", path_of("v1/prices", item) + "/impact"),
        ),
    )


def _offers(table: PriceTable, row: PriceRow, model: str) -> list[PriceRow]:
    """The rows of all providers that sell the same, cheapest first; none for one provider, or for a median."""
    if row.catalog == MARKET:
        return []  # its page shows the providers of the panel
    same = (row.component, row.processing, row.unit)
    found = [
        one
        for one in table.by_model.get(model, ())
        if (one.component, one.processing, one.unit) == same and one.value is not None
    ]
    providers = {one.provider for one in found}
    return sorted(found, key=lambda one: (one.value, one.item)) if len(providers) > 1 else []


def _readers(hits: Iterable[AffectedClaim], lines: Mapping[str, ClaimRow]) -> list[Reader]:
    """Each claim once, the most severe first, with all that it reads."""
    found: dict[str, list[str]] = {}
    for hit in hits:
        if hit.claim in lines:
            words = hit.asks if hit.processing == "standard" else f"{hit.asks} ({hit.processing})"
            found.setdefault(hit.claim, []).append(words)
    readers = [(lines[claim], tuple(dict.fromkeys(asks))) for claim, asks in found.items()]
    return sorted(readers, key=lambda one: one[0].gravity)


def _theses(nodes: Iterable[str], titles: Mapping[str, NodeRef]) -> list[NodeRef]:
    found = (titles[name] for name in dict.fromkeys(nodes) if name in titles)
    return [one for one in found if one.kind is Kind.THESIS]
