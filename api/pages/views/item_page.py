"""The page of a priced item: a summary, a small drawing of each component, one large chart, what depends on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from api.pages.charts.price_lines import SmallDrawing, TimeAxis, small_drawing
from api.pages.request.page_request import PageRequest, TemplateResponse, path_of
from api.pages.views.claim_table import ClaimRow, PageContext, verdict_order
from api.pages.views.price_comparison import spread_text
from api.pages.views.price_table import PriceTable, base_tier, item_rows, price_table
from compute.impact.price_impact import AffectedClaim
from compute.prices.families import Family
from compute.prices.model_names import model_key
from compute.prices.price_models import Price
from compute.prices.price_overview import PriceRow
from graph.models.claim_models import VerdictName
from graph.models.query_models import NodeRef

CARDS = 12
CLAIMS, CLAIMS_FOLDED = 8, 40
RESTING = 20
HISTORY = 40


@dataclass(frozen=True, slots=True)
class PriceCard:
    """One component of the item: its row, its drawing, the address of its chart, and its price at other providers."""

    row: PriceRow
    drawing: SmallDrawing
    link: str
    chosen: bool
    offers: int = 0
    spread: str = ""
    compare: str = ""


@dataclass(frozen=True, slots=True)
class Reads:
    """A claim that reads the item, and everything that it reads of it."""

    claim: str
    node: str
    asks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemPage:
    """One item, or one family. `chart` is the row of the large chart, `charts` the address of its pictures."""

    item: str
    family: Family | None
    means: str
    cards: tuple[PriceCard, ...]
    more_cards: tuple[PriceCard, ...]
    lead: PriceCard
    chart: PriceRow
    charts: str
    counts: tuple[tuple[VerdictName, int], ...]
    claims: int
    hits: tuple[Reads, ...]
    more_hits: tuple[Reads, ...]
    lines: Mapping[str, ClaimRow]
    titles: Mapping[str, NodeRef]
    resting: tuple[tuple[str, ...], ...]
    resting_left: int
    history: tuple[Price, ...]
    history_left: int
    catalogs: tuple[str, ...]
    axis: TimeAxis
    files: str
    other_formats: tuple[tuple[str, str], ...]


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One item.

    Raises:
        UnknownPriceError: no catalogue knows it.
        PageRequestError: it has no price as in `chart`.
    """
    item = request.parts["item"]
    key = ("item page", item, request.today, request.text("chart"))
    return TemplateResponse("price.html", context.recall(key, lambda: _page(context, request, item)))


def _page(context: PageContext, request: PageRequest, item: str) -> ItemPage:
    rows = item_rows(context, item, request.today)
    family = context.brain.prices.book().families.get(item)
    member = family.on(request.today) if family else None
    chart = _chosen(rows, request)
    cards = tuple(_cards(context, request, rows, chart, member.model if member else item))
    lines = context.claim_table().lines
    impact = context.brain.status.impact(item, request.today, RESTING)
    hits = tuple(_together(impact.claims, lines))
    shown = hits[: CLAIMS + CLAIMS_FOLDED]
    steps = [*(one.node for one in shown), *(step for path in impact.resting for step in path)]
    history = sorted((price for row in rows for price in row.prices), key=_latest_first)
    return ItemPage(
        item=item,
        family=family,
        means=member.model if member else "",
        cards=cards[:CARDS],
        more_cards=cards[CARDS:],
        lead=cards[0],
        chart=chart,
        charts=path_of("charts/prices", f"{item}/{chart.component}/{chart.processing}"),
        counts=_counts(hits, lines),
        claims=len(hits),
        hits=shown[:CLAIMS],
        more_hits=shown[CLAIMS:],
        lines={one.claim: lines[one.claim] for one in shown if one.claim in lines},
        titles=context.brain.nodes.refs(steps),
        resting=impact.resting,
        resting_left=impact.left,
        history=tuple(history[:HISTORY]),
        history_left=max(0, len(history) - HISTORY),
        catalogs=tuple(dict.fromkeys(price.catalog for row in rows for price in row.prices)),
        axis=TimeAxis.around(request.today),
        files=path_of("charts/prices", item),
        other_formats=(
            ("history as JSON", path_of("v1/prices", item) + "/history"),
            ("impact as JSON", path_of("v1/prices", item) + "/impact"),
        ),
    )


def _chosen(rows: Iterable[PriceRow], request: PageRequest) -> PriceRow:
    """The row of the large chart: the one in the address, else the first."""
    named = {f"{row.component}/{row.processing}": row for row in reversed(tuple(rows))}
    return named[request.one_of("chart", list(named)[::-1]) or next(reversed(named))]


def _cards(
    context: PageContext, request: PageRequest, rows: Iterable[PriceRow], chart: PriceRow, meaning: str
) -> Iterable[PriceCard]:
    table, axis, model = price_table(context, request.today), TimeAxis.around(request.today), model_key(meaning)
    for row in rows:
        link = f"{request.path}?{urlencode({'chart': f'{row.component}/{row.processing}'})}#chart"
        offers, spread = _offers(table, row, model)
        compare = f"/prices?{urlencode({'compare': model, 'kind': row.kind})}" if offers else ""
        yield PriceCard(
            row, small_drawing(base_tier(row), axis, row.released), link, row is chart, offers, spread, compare
        )


def _offers(table: PriceTable, row: PriceRow, model: str) -> tuple[int, str]:
    """How many providers sell the same, and who is the cheapest and the most expensive; nothing for one provider."""
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


def _together(hits: Iterable[AffectedClaim], lines: Mapping[str, ClaimRow]) -> Iterable[Reads]:
    """Each claim once, the most severe verdict first."""
    found: dict[str, list[AffectedClaim]] = {}
    for hit in sorted(hits, key=lambda one: verdict_order(lines[one.claim].verdict if one.claim in lines else None)):
        found.setdefault(hit.claim, []).append(hit)
    for claim, group in found.items():
        asks = (one.asks if one.processing == "standard" else f"{one.asks} ({one.processing})" for one in group)
        yield Reads(claim, group[0].node, tuple(dict.fromkeys(asks)))


def _counts(hits: Iterable[Reads], lines: Mapping[str, ClaimRow]) -> tuple[tuple[VerdictName, int], ...]:
    """How many of the claims have each verdict, most severe first."""
    found = Counter(lines[hit.claim].verdict for hit in hits if hit.claim in lines)
    named = ((verdict, count) for verdict, count in found.items() if verdict is not None)
    return tuple(sorted(named, key=lambda pair: verdict_order(pair[0])))


def _latest_first(price: Price) -> tuple[int, str, str, str]:
    return (
        -(price.valid_from.toordinal() if price.valid_from else 0),
        price.component,
        price.processing,
        price.catalog,
    )
