"""How the inputs of a claim differ between its own day and the day of evaluation, and what kind of change each is.

source      another catalogue, source, region, tier or name answers than then; of a market item, other providers
family      a family means another model than then
price       the same source states another price; an assumption with another value; a figure of the caller
correction  the same source states another price for the same first day: the price did not change
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from compute.claims.claim_day import ClaimDay
from compute.claims.input_lookups import Figure
from compute.claims.overrides import SET
from compute.formula.formula_tree import PriceLeaf
from compute.prices.market_items import moved
from compute.prices.price_models import Price
from graph.models.verdict_models import MarketPanel

Kind = Literal["source", "family", "price", "correction"]
_ARCHIVES = frozenset({"archive.org", "archive.ph", "archive.is"})


class InputChange(NamedTuple):
    """One input with another figure now; `requested` is the item that the formula names, empty for other inputs."""

    slot: int
    label: str
    requested: str
    then: Figure
    now: Figure
    kind: Kind


def input_changes(then: ClaimDay, now: ClaimDay) -> Iterator[InputChange]:
    """The inputs whose figure differs between two days of one program, in the order of the formula."""
    leaves = zip(now.program.labels, now.program.leaves, then.figures, now.figures, strict=True)
    for slot, (label, leaf, before, after) in enumerate(leaves):
        if not (isinstance(before, Figure) and isinstance(after, Figure)):
            continue
        if before.value == after.value and before.dimension is after.dimension:
            continue
        question = leaf.question if isinstance(leaf, PriceLeaf) else None
        kind = _kind(before, after, choice=question is None)
        yield InputChange(slot, label, question.item if question else "", before, after, kind)


def _kind(then: Figure, now: Figure, *, choice: bool) -> Kind:
    was, price = then.price, now.price
    if was is None or price is None or price.note == SET:
        return "price"
    if was.item != price.item:
        if choice:
            return "price"  # another one of the same prices is the lowest or highest now
        return "family" if now.family else "source"
    if source_of(was, price):
        return "source"
    return "correction" if price.corrects(was) else "price"


def source_of(was: Price, price: Price) -> tuple[str, str] | None:
    """The sources of two prices of one item, where these differ, in words; None for one and the same source."""
    if was.panel and price.panel:
        change = price.value - was.value
        return None if moved(was.panel, price.panel, change) else (_panel(was.panel), _panel(price.panel))
    if was.catalog != price.catalog:
        return f"the catalogue {was.catalog}", f"the catalogue {price.catalog}"
    if was.item != price.item:
        return was.item, price.item
    if was.region != price.region:
        return _region(was), _region(price)
    if (was.above, was.processing) != (price.above, price.processing):
        return _tier(was), _tier(price)
    hosts = site(was.source), site(price.source)
    return hosts if all(hosts) and hosts[0] != hosts[1] else None


def _panel(panel: MarketPanel) -> str:
    return f"the median of {', '.join(sorted(one.provider for one in panel.providers))}"


def _region(price: Price) -> str:
    return f"the region {price.region}" if price.region else "a price without a region"


def _tier(price: Price) -> str:
    above = f"above {price.above:,} tokens" if price.above else "of the base tier"
    return f"the {price.processing} price {above}"


def site(address: str | None) -> str:
    """The site of an address, such as `acme.com`; an archived page counts as the page itself."""
    if not address or not address.startswith(("http://", "https://")):
        return ""
    host = _domain(address)
    inner = address.rfind("http", 8)
    return _domain(address[inner:]) or host if host in _ARCHIVES and inner > 0 else host


def _domain(address: str) -> str:
    try:
        labels = (urlsplit(address).hostname or "").split(".")
    except ValueError:
        return ""
    short = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    return ".".join(labels[-3 if short else -2 :])
