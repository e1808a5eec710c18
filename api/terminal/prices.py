"""Prices in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from api.terminal.figures import figure
from api.terminal.intake import problem
from compute.catalog import Catalog
from compute.impact import Impact
from compute.prices import Price
from compute.snapshots import PriceChange
from graph.problems import Problem


def history(found: Iterable[Price], on: date) -> RenderableType:
    """Every price of an item; those of the day in bold."""
    table = Table(box=None, pad_edge=False, header_style="bold dim")
    for title in ("item", "component", "processing", "value", "from", "to", "catalogue", "source"):
        table.add_column(title, justify="right" if title == "value" else "left", overflow="fold")
    ordered = sorted(found, key=lambda p: (p.item, p.component, p.processing, p.above, p.valid_from or date.min))
    for price in ordered:
        held = (price.valid_from is None or price.valid_from <= on) and (price.valid_to is None or on < price.valid_to)
        above = f" above {price.above:,} tokens" if price.above else ""
        begin = f"{price.valid_from or '…'}" + (" (record)" if price.dated == "record" else "")
        table.add_row(
            price.item,
            price.component + above,
            price.processing,
            figure(price.value, price.unit),
            begin,
            str(price.valid_to or "…"),
            price.catalog,
            price.source or "–",
            style="bold" if held else "dim",
        )
    return table if table.row_count else Text("nothing of that name has a price; see: brain prices list TEXT")


def taken(found: Catalog, problems: Sequence[Problem]) -> RenderableType:
    """An imported catalogue, and what was left out of it."""
    said = Text(f"{found.name}: {len(found.prices)} prices of {len({price.item for price in found.prices})} items")
    return Group(*(problem(one) for one in problems), said)


def changes(found: Iterable[PriceChange]) -> RenderableType:
    """Differences of two snapshots."""
    table = Table.grid(padding=(0, 2))
    for change in found:
        price = change.price
        before, after = (figure(one.value, one.unit) if one else "–" for one in (change.before, change.after))
        table.add_row(change.kind, price.item, price.component, price.processing, Text(before), Text("→"), Text(after))
    return table if table.row_count else Text("no price differs")


def impact(found: Impact) -> RenderableType:
    """What rests on a price."""
    if not found.claims:
        return Text(f"no claim reads a price of {found.item}; see: brain prices list TEXT")
    parts: list[RenderableType] = [Text(found.item, style="bold")]
    parts += [Text.assemble("  read by the claim ", (hit.claim, "bold"), f" on {hit.node}") for hit in found.claims]
    parts += [Text("    " + "  rests on  ".join(path)) for path in found.resting]
    return Group(*parts)
