"""Prices in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from api.services.price_refresh import CatalogOnHold
from api.terminal.figure_text import figure
from api.terminal.fitted_table import Column, FittedTable
from api.terminal.import_tables import problem
from compute.impact.price_impact import AffectedClaim, Impact
from compute.prices.catalog_model import Catalog
from compute.prices.price_models import Price, Question
from compute.prices.price_overview import Conflict
from compute.prices.price_selection import tier_text
from compute.prices.snapshots import PriceChange
from graph.problems import Problem


def history(found: Iterable[Price], on: date) -> RenderableType:
    """Every price, item by item; those of the day in bold; the sources numbered below."""
    ordered = sorted(found, key=lambda p: (p.item, p.component, p.processing, p.above, p.valid_from or date.min))
    sources = {source: number for number, source in enumerate(dict.fromkeys(p.source for p in ordered if p.source), 1)}
    parts: list[RenderableType] = []
    for item, prices in groupby(ordered, key=lambda price: price.item):
        parts += [Text(item, style="bold underline"), _prices(prices, on, sources), Text("")]
    parts += [Text(f"[{number}] {source}", style="dim") for source, number in sources.items()]
    return Group(*parts)


def _prices(prices: Iterable[Price], on: date, sources: Mapping[str, int]) -> FittedTable:
    told = tuple(Column(title, said=True) for title in ("from", "to", "catalogue", "source"))
    table = FittedTable((Column("component", prose=True), Column("value", "right"), *told))
    for price in prices:
        said = _kind(price.component, price.processing, price.above, price.region)
        begin = f"{price.valid_from or '…'}" + (" (record)" if price.dated == "record" and price.valid_from else "")
        number = f"[{sources[price.source]}]" if price.source else "–"
        cells = (said, figure(price.value, price.unit), begin, str(price.valid_to or "…"), price.catalog, Text(number))
        table.add_row(*cells, style="bold" if price.on(on) else "dim")
    return table


def taken(found: Catalog, problems: Sequence[Problem]) -> RenderableType:
    """An imported catalogue, and what was left out of it."""
    said = Text(f"{found.name}: {len(found.prices)} prices of {len({price.item for price in found.prices})} items")
    return Group(*(problem(one) for one in problems), said)


def changes(found: Iterable[PriceChange]) -> RenderableType:
    """Differences of two snapshots."""
    names = (Column("change"), Column("item"), Column("component"), Column("tier"))
    table = FittedTable((*names, Column("before"), Column("→"), Column("after")), header=False)
    for change in found:
        price = change.price
        before, after = (figure(one.value, one.unit) if one else "–" for one in (change.before, change.after))
        table.add_row(change.kind, price.item, price.component, _tier(price), Text(before), Text("→"), Text(after))
    return table if table.row_count else Text("no price differs")


def _tier(price: Price) -> str:
    return ", ".join([price.processing, *([tier_text(price)] if price.above else [])])


def on_hold(found: Sequence[CatalogOnHold], most: int | None = None) -> RenderableType:
    """Catalogues that wait for a decision: per price the figure in use and the one that was fetched."""
    parts: list[RenderableType] = []
    for one in found:
        names = (Column("item"), Column("component"), Column("tier"), Column("region"))
        table = FittedTable((*names, Column("before"), Column("→"), Column("after")), header=False)
        for move in one.moves[:most]:
            price, before = move.after, move.before
            table.add_row(
                price.item, price.component, _tier(price), price.region or "",
                Text(figure(before.value, before.unit)), Text("→"), Text(figure(price.value, price.unit)),
            )  # fmt: skip
        parts += [Text(one.sentence(), style="yellow"), Padding(table, (0, 2))]
        parts += [Text(f"  missing: {item}") for item in one.lost[:most]]
        left = sum(len(listed) - len(listed[:most]) for listed in (one.moves, one.lost))
        parts += [Text(f"  and {left} more: brain prices held")] if left else []
    return Group(*parts)


def disputes(found: Sequence[Conflict]) -> RenderableType:
    """Catalogues that disagree: the price that is used, what the others say, and why."""
    told = tuple(Column(title, prose=True, said=True) for title in ("used", "others", "decided"))
    table = FittedTable((Column("item"), Column("component"), *told))
    for one in found:
        question, used = one.question, one.price
        others = "; ".join(_stated(rival, question) for rival in one.rivals) or "–"
        above = max(question.context - 1, 0)
        said = _kind(question.component, question.processing, above, question.region)
        table.add_row(question.item, said, _stated(used, question), others, one.decided or "open")
    return table if found else Text("no catalogues disagree")


def _stated(price: Price, question: Question) -> str:
    """A price with its catalogue, and its tier and region where these are not the ones that are asked for."""
    tier = f" {tier_text(price)}" if price.above != max(question.context - 1, 0) else ""
    region = f", {price.region}" if price.region != question.region and price.region else ""
    return f"{figure(price.value, price.unit)}{tier} ({price.catalog}{region})"


def _kind(component: str, processing: str, above: int, region: str | None) -> str:
    """What is paid for: `input, batch, above 200,000 tokens`."""
    told = (
        component,
        "" if processing == "standard" else processing,
        f"above {above:,} tokens" if above else "",
        region,
    )
    return ", ".join(part for part in told if part)


def impact(found: Impact) -> RenderableType:
    """What depends on a price."""
    if not found.claims:
        return Text(f"no claim reads a price of {found.item}")
    of, what = Column("of the node", prose=True, said=True), Column("as", prose=True, said=True)
    table = FittedTable((Column("read by the claim"), of, what))
    for (claim, node), hits in groupby(found.claims, key=lambda hit: (hit.claim, hit.node)):
        table.add_row(Text(claim, style="bold"), node, ", ".join(dict.fromkeys(_question(hit) for hit in hits)))
    parts: list[RenderableType] = [Text(found.item, style="bold"), Padding(table, (0, 2))]
    parts += [Text("  " + "  depends on  ".join(path)) for path in found.resting]
    return Group(*parts)


def _question(hit: AffectedClaim) -> str:
    """What a claim reads: `anthropic/sonnet/input`, `anthropic/sonnet/input, batch`."""
    return hit.asks if hit.processing == "standard" else f"{hit.asks} ({hit.processing})"
