"""How far a fetched catalogue may be from the one in use: figures, and items that are missing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from compute.prices.catalog_model import Catalog
from compute.prices.price_history import slot
from compute.prices.price_models import Price
from graph.values import Value

FACTOR = 10
"""A figure that becomes so many times as large, or as small, waits for a decision."""

LARGEST_LOSS = Decimal("0.5")
"""A catalogue that loses a larger share of its items waits for a decision."""


class PriceMove(Value):
    """A price that moved too far: the figure in use, and the one that was fetched."""

    before: Price
    after: Price


class OutOfBounds(NamedTuple):
    """What is too far from the catalogue in use; `lost` are items that the fetched catalogue lacks, of `items`.

    `lost` is empty unless they are too many.
    """

    moves: tuple[PriceMove, ...]
    lost: tuple[str, ...]
    items: int


def out_of_bounds(before: Iterable[Catalog], after: Catalog) -> OutOfBounds:
    """What of a fetched catalogue is too far from the one of its name in use; nothing if there was none."""
    old = [price for one in before if one.name == after.name for price in one.prices if not price.last_seen]
    moves = {}
    for stated, fetched in ((_dated(old), _dated(after.prices)), (_latest(old), _latest(after.prices))):
        for key in stated.keys() & fetched.keys():
            if _too_far(stated[key], fetched[key]):
                moves[slot(fetched[key]), fetched[key].valid_from] = PriceMove(before=stated[key], after=fetched[key])
    items = {price.item for price in old}
    lost = items - {price.item for price in after.prices}
    many = bool(items) and len(lost) > LARGEST_LOSS * len(items)
    ordered = sorted(moves.values(), key=lambda move: (move.after.item, move.after.component, repr(slot(move.after))))
    return OutOfBounds(tuple(ordered), tuple(sorted(lost)) if many else (), len(items))


def _dated(prices: Iterable[Price]) -> dict[object, Price]:
    return {(slot(price), price.valid_from): price for price in prices}


def _latest(prices: Iterable[Price]) -> dict[object, Price]:
    """The figure of each price with the latest first day."""
    found: dict[object, Price] = {}
    for price in prices:
        key = slot(price)
        if key not in found or (found[key].valid_from or date.min) < (price.valid_from or date.min):
            found[key] = price
    return found


def _too_far(before: Price, after: Price) -> bool:
    """Whether a figure became `FACTOR` times as large or as small, zero from another figure, or of another unit."""
    if before.unit != after.unit:
        return True
    low, high = sorted((abs(before.value), abs(after.value)))
    return high > 0 and (high >= FACTOR * low or (before.value < 0) != (after.value < 0))


def moved(move: PriceMove) -> str:
    """A move as text: the price, the figure in use, and the one that was fetched."""
    price = move.after
    kind = " ".join(
        [price.item, price.component]
        + [price.processing] * (price.processing != "standard")
        + [f"above {price.above}"] * bool(price.above)
        + [price.region or ""] * bool(price.region)
    )
    return f"{kind} {move.before.value} {move.before.unit} → {price.value} {price.unit}"
