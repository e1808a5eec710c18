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
from compute.prices import market_items
from compute.prices.price_models import Price
from graph.models.claim_models import Cause
from graph.models.verdict_models import MarketPanel

Kind = Literal["source", "family", "price", "correction"]

CAUSES: dict[Kind, Cause | None] = {
    "source": Cause.SOURCE_CHANGED,
    "family": Cause.FAMILY_MOVED,
    "price": Cause.PRICE_MOVED,
    "correction": None,
}
"""The cause of each kind of change; of two that restore a claim alone, the first one counts."""
_ARCHIVES = frozenset({"archive.org", "archive.ph", "archive.is"})


class InputChange(NamedTuple):
    """An input with another figure now; `requested` is the item that the formula names, else empty."""

    slot: int
    label: str
    requested: str
    then: Figure
    now: Figure
    kind: Kind


def input_changes(then: ClaimDay, now: ClaimDay) -> Iterator[InputChange]:
    """Inputs whose figure differs between two days of one program, in the order of the formula."""
    leaves = zip(now.program.labels, now.program.leaves, then.figures, now.figures, strict=True)
    for slot, (label, leaf, before, after) in enumerate(leaves):
        if not (isinstance(before, Figure) and isinstance(after, Figure)):
            continue
        if before.value == after.value and before.dimension is after.dimension:
            continue
        question = leaf.question if isinstance(leaf, PriceLeaf) else None
        kind = _kind(before, after, choice=question is None)
        yield InputChange(slot, label, question.item if question else "", before, after, kind)


def compared_changes(then: ClaimDay, now: ClaimDay) -> Iterator[InputChange]:
    """The same of the claim that both days are compared with."""
    if then.compared is not None and now.compared is not None:
        yield from input_changes(then.compared, now.compared)


class Moved(NamedTuple):
    """What moved between two runs: a family, a price, or only the source; `corrected`: only a price was corrected."""

    cause: Cause | None = None
    corrected: bool = False


def moved(before: ClaimDay, after: ClaimDay) -> Moved:
    """What moved between two runs for a claim.

    It may differ from the cause of the verdict, which compares the claim's own day with today: the price may have moved
    long ago, and now another catalogue answers.
    """
    kinds = {one.kind for one in _between_runs(before, after)}
    cause = next((CAUSES[kind] for kind in _STRONGEST if kind in kinds), None)
    return Moved(cause, corrected=cause is None and "correction" in kinds)


_STRONGEST: tuple[Kind, ...] = ("family", "price", "source")


def moved_inputs(before: ClaimDay, after: ClaimDay) -> str:
    """Moved or corrected prices and assumptions, such as `acme/card on_demand 2 → 3 USD/GPU/h`."""
    return "; ".join(sorted({_move(one) for one in _between_runs(before, after)}))


def _between_runs(before: ClaimDay, after: ClaimDay) -> list[InputChange]:
    """Changed prices and assumptions; none if only one run needed exchange rates."""
    same = before.program.labels == after.program.labels
    changes = input_changes(before, after) if same else ()
    return [one for one in changes if one.then.kind == one.now.kind != "literal"]


def _move(one: InputChange) -> str:
    old, new = one.then.origin, one.now.origin
    if old is None or new is None:
        raise TypeError("a literal does not move")
    if not isinstance(old, Price) or not isinstance(new, Price):
        return f"{one.now.assumption.name if one.now.assumption else ''} {old.value} → {new.value} {new.unit}".strip()
    name = f"{new.item} {new.component}"
    if one.kind == "correction":
        return f"{name} corrected from {old.value} to {new.value} {new.unit}"
    return f"{name} {old.value} → {new.value} {new.unit}{market_items.common_move(old.panel, new.panel)}"


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
    return "correction" if price.corrects(was) and not price.panel else "price"


def source_of(was: Price, price: Price) -> tuple[str, str] | None:
    """The differing sources of two prices of one item, in words; None for the same source."""
    if was.panel and price.panel:
        change = price.value - was.value
        return None if market_items.moved(was.panel, price.panel, change) else (_panel(was.panel), _panel(price.panel))
    if was.catalog != price.catalog:
        return f"the catalogue {was.catalog}", f"the catalogue {price.catalog}"
    if was.item != price.item:
        return was.item, price.item
    if was.region != price.region:
        return _region(was), _region(price)
    if (was.above, was.processing) != (price.above, price.processing):
        return _tier(was), _tier(price)
    hosts = ("", "") if was.source == price.source else (site(was.source), site(price.source))
    return hosts if all(hosts) and hosts[0] != hosts[1] else None


def _panel(panel: MarketPanel) -> str:
    names = sorted(one.provider for one in panel.providers)
    return f"the price of {names[0]}" if len(names) == 1 else f"the median of {', '.join(names)}"


def _region(price: Price) -> str:
    return f"the region {price.region}" if price.region else "a price without a region"


def _tier(price: Price) -> str:
    above = f"above {price.above:,} tokens" if price.above else "of the base tier"
    return f"the {price.processing} price {above}"


def site(address: str | None) -> str:
    """Site of an address, such as `acme.com`; an archived page counts as the page itself."""
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
