"""Prices in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from urllib.parse import urlsplit

from rich.console import Group, RenderableType, group
from rich.padding import Padding
from rich.text import Text

from api.services.price_refresh import CatalogFetch, CatalogOnHold
from api.terminal.import_tables import problem
from api.terminal.tables import styled, table
from compute.impact.price_impact import AffectedClaim, Impact
from compute.prices.price_models import Catalog, Price
from compute.prices.price_selection import tier_text
from compute.prices.snapshots import PriceChange
from compute.reports.report_model import figure
from graph.models.verdict_models import MarketPanel
from graph.problems import Problem
from graph.text.counts import many


@group()
def history(found: Iterable[Price], on: date, absent: str | None) -> Iterator[RenderableType]:
    """Prices of items with numbered sources, those of the day in bold; why a median is `absent`."""
    ordered = sorted(found, key=lambda p: (p.item, p.component, p.processing, p.above, p.valid_from or date.min))
    sources = {source: number for number, source in enumerate(dict.fromkeys(p.source for p in ordered if p.source), 1)}
    for item, of_item in groupby(ordered, key=lambda price: price.item):
        prices = list(of_item)
        yield Text(item, style="bold underline")
        rows = (styled("bold" if price.on(on) else "dim", *_price(price, sources)) for price in prices)
        yield table("component~ | value> | from= | to= | catalogue= | source=", rows)
        yield from (_panel(price.panel, price.unit, on) for price in prices if price.panel and price.on(on))
        yield Text("")
    yield from [Text(f"no median on {on}: {absent}")] if absent else ()
    yield from (Text(f"[{number}] {source}", style="dim") for source, number in sources.items())


def _panel(panel: MarketPanel, unit: str, on: date) -> RenderableType:
    rows = (
        (one.provider, one.tier, figure(one.value, unit), f"seen {one.seen}", one.item, one.source)
        for one in panel.providers
    )
    span = f"{figure(panel.low, unit)} to {figure(panel.high, unit)}"
    said = Text(f"on {on} the median of {len(panel.providers)} providers, {span}:")
    return Group(said, Padding(table("provider | tier | price> | seen | item | source~=", rows, header=False), (0, 2)))


def _price(price: Price, sources: Mapping[str, int]) -> Sequence[object]:
    rare = "" if price.processing == "standard" else price.processing
    parts = (price.component, rare, f"above {price.above:,} tokens" if price.above else "", price.region)
    kind = ", ".join(filter(None, parts))
    begin = f"{price.valid_from or '…'}" + (" (record)" if price.dated == "record" and price.valid_from else "")
    number = f"[{sources[price.source]}]" if price.source else "–"
    return kind, figure(price.value, price.unit), begin, price.valid_to or "…", price.catalog, number


def taken(found: Catalog, problems: Sequence[Problem]) -> RenderableType:
    """An imported catalogue and its problems."""
    items = many(len({price.item for price in found.prices}), "item")
    said = Text(f"{found.name}: {many(len(found.prices), 'price')} of {items}")
    return Group(*map(problem, problems), said)


def changes(found: Iterable[PriceChange]) -> RenderableType:
    """Differences of two snapshots."""
    rows = ((one.kind, *_named(one.price), *_moved(one.before, one.after)) for one in found)
    return table("change | item | component | tier | before | → | after", rows, "no price differs", header=False)


def _named(price: Price) -> Sequence[str]:
    return price.item, price.component, ", ".join([price.processing, *([tier_text(price)] if price.above else [])])


def _moved(before: Price | None, after: Price | None) -> Sequence[str]:
    before_text, after_text = (figure(one.value, one.unit) if one else "–" for one in (before, after))
    return before_text, "→", after_text


@group()
def on_hold(found: Sequence[CatalogOnHold], most: int | None = None) -> Iterator[RenderableType]:
    """Catalogues on hold, with the current and the fetched prices."""
    for one in found:
        rows = ((*_named(two.after), two.after.region, *_moved(two.before, two.after)) for two in one.moves[:most])
        yield Text(one.sentence(), style="yellow")
        yield Padding(table("item | component | tier | region | before | → | after", rows, header=False), (0, 2))
        yield from (Text(f"  missing: {item}") for item in one.lost[:most])
        if left := sum(len(listed) - len(listed[:most]) for listed in (one.moves, one.lost)):
            yield Text(f"  and {left} more: brain prices held")


def lists(found: Iterable[CatalogFetch]) -> RenderableType:
    """The lists that are fetched."""
    return table("list | last reached= | failed~= | address~=", map(_list, found), "no price list is fetched")


def _list(one: CatalogFetch) -> Sequence[str]:
    reached = f"{one.reached:%Y-%m-%d %H:%M}" if one.reached else "never"
    failed = f"{one.failed:%Y-%m-%d %H:%M}: {one.why}" if one.failed else "offline" if one.offline else ""
    return one.catalog, reached, failed, _host(one.address) + (" (default)" if one.default else "")


def _host(addresses: str) -> str:
    first, *others = addresses.split()
    return f"{urlsplit(first).hostname}, {many(len(others) + 1, 'file')}" if others else str(urlsplit(first).hostname)


@group()
def impact(found: Impact) -> Iterator[RenderableType]:
    """What depends on a price."""
    if not found.claims:
        yield Text(f"no claim reads a price of {found.item}")
        return
    rows = [
        (Text(claim, style="bold"), node, ", ".join(dict.fromkeys(map(_question, hits))))
        for (claim, node), hits in groupby(found.claims, key=lambda hit: (hit.claim, hit.node))
    ]
    yield Text(found.item, style="bold")
    yield Padding(table("read by the claim | of the node~= | as~=", rows), (0, 2))
    yield from (Text("  " + "  depends on  ".join(path)) for path in found.resting)


def _question(hit: AffectedClaim) -> str:
    """`anthropic/sonnet/input`, `anthropic/sonnet/input (batch)`."""
    return hit.asks if hit.processing == "standard" else f"{hit.asks} ({hit.processing})"
