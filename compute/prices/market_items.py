"""Market items: the price of a GPU-hour on a day as the median of named providers, by the rules of docs/prices.md.

    prices of providers ─▶ one offer for each provider and day ─▶ at least three ─▶ median, with its panel

The newest look of a panel is at most `COUNTS` before the day, the oldest at most `COUNTS` before the newest: a panel
without new looks keeps its median, and then has none; it never shrinks to other providers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from compute.prices.price_models import OBSERVED, Catalog, Price
from compute.units.number_format import said
from graph.groups import group_by
from graph.models.verdict_models import MarketPanel, ProviderOffer

NAME = "market"
COMPONENT, UNIT = "on_demand", "USD/GPU/h"

COUNTS = timedelta(days=60)  # how long a look at a price counts
FEWEST = 3  # the providers that a median needs
GPUS = {
    "h100-sxm": ("h100-sxm",),
    "h100-pcie": ("h100-pcie",),
    "h100-nvl": ("h100-nvl",),
    "h200-sxm": ("h200-sxm", "h200"),
    "a100-sxm-80gb": ("a100-sxm-80gb", "a100-80gb-sxm"),
    "a100-pcie-80gb": ("a100-pcie-80gb", "a100-80gb-pcie"),
    "b200-sxm": ("b200-sxm", "b200"),
    "b300-sxm": ("b300-sxm", "b300"),
    "mi300x": ("mi300x",),
}
"""The GPUs with a market item, and the names that providers' items begin with."""

TIERS = ("", "1 GPU", "marketplace")
"""The tiers of offers, the widest first: a data centre's price per GPU of eight has no name."""

_GPU_NAMES = {name: gpu for gpu, names in GPUS.items() for name in names}
_DAY = timedelta(days=1)
_NEVER = frozenset({"community", "low", "high", "nvl", "pcie", "spot"})
_RESELLERS = frozenset({NAME, "shadeform", "primeintellect", "skypilot"})
_MARKETPLACES = frozenset({"vast"})  # their cheapest host is no price of a provider: only a median of theirs counts


class Look(NamedTuple):
    """A provider's price, observed from `begin` to `last`, unused from `end` on."""

    begin: date
    last: date
    end: date
    tier: int
    offer: ProviderOffer


class MarketItems:
    """The market items of some catalogues."""

    def __init__(self, catalogs: Iterable[Catalog]) -> None:
        self._looks: dict[str, list[Look]] = defaultdict(list)
        for price in (price for one in catalogs for price in one.prices if price.component == COMPONENT):
            gpu, tier = _place(price)
            look = _look(price, tier) if gpu else None
            if look is not None:
                self._looks[gpu].append(look)
        prices = tuple(price for gpu in sorted(self._looks) for price in self._medians(gpu))
        self.catalog = Catalog(name=NAME, prices=prices)

    def reason(self, item: str, on: date) -> str | None:
        """Why a market item has no price on a day; None if it has one or is no market item."""
        market, _, gpu = item.partition("/")
        if market != NAME or gpu not in GPUS:
            return None
        offers = _offers(self._looks.get(gpu, ()), on)
        if len(offers) >= FEWEST:
            return None
        seen = ", ".join(f"{one.offer.provider} on {min(one.last, on)}" for one in offers) or "nobody"
        return f"a median needs {FEWEST} providers seen within {COUNTS.days} days; seen were: {seen}"

    def _medians(self, gpu: str) -> Iterator[Price]:
        """The median of each interval of days with one panel."""
        looks = self._looks[gpu]
        days = ((one.begin, one.last + _DAY, one.last + COUNTS + _DAY, one.end) for one in looks)
        borders = sorted({day for four in days for day in four})
        starts = group_by(looks, lambda look: look.begin)
        current, before, same = list[Look](), None, list[Look]()
        for begin, end in pairwise(borders):
            current = [look for look in current if look.end > begin] + starts.get(begin, [])
            offers = _offers(current, begin)
            if before and offers == same:
                before = before.model_copy(update={"valid_to": end})
                continue
            if before:
                yield before
            before, same = _median(gpu, offers, begin, end) if len(offers) >= FEWEST else None, offers
        if before:
            yield before


def like_for_like(was: MarketPanel, now: MarketPanel) -> tuple[Decimal, Decimal, int] | None:
    """The medians of the providers in both panels, and their number; None if too few."""
    old, new = ({(one.provider, one.tier): one.value for one in panel.providers} for panel in (was, now))
    both = old.keys() & new.keys()
    if len(both) < FEWEST:
        return None
    return median(old[one] for one in both), median(new[one] for one in both), len(both)


def moved(was: MarketPanel, now: MarketPanel, change: Decimal) -> bool:
    """Whether the providers in both panels moved the median in the direction of `change`."""
    same = like_for_like(was, now)
    return same is not None and (same[1] - same[0]) * change > 0


def common_move(was: MarketPanel | None, now: MarketPanel | None) -> str:
    """How the providers in both panels moved, as text; empty for one panel."""
    if not was or not now or _members(was) == _members(now):
        return ""
    same = like_for_like(was, now)
    if same is None:
        return f" (by other providers: fewer than {FEWEST} are the same)"
    return f" (the same {same[2]} providers: {said(same[0], UNIT)} → {said(same[1], UNIT)})"


def _members(panel: MarketPanel) -> set[tuple[str, str]]:
    return {(one.provider, one.tier) for one in panel.providers}


def _place(price: Price) -> tuple[str, int]:
    """The GPU that a price counts for, and its tier; no name if it counts for none."""
    provider, _, thing = price.item.partition("/")
    if price.unit != UNIT or price.processing != "standard" or provider in _RESELLERS or provider.startswith("index"):
        return "", 0
    name = next((name for name in _GPU_NAMES if f"{thing}-".startswith(f"{name}-")), "")
    words = thing[len(name) :].split("-")
    if not name or _NEVER & {*words} or (provider in _MARKETPLACES and "marketplace" not in words):
        return "", 0
    return _GPU_NAMES[name], 2 if "marketplace" in words else int(words[1:] == ["1", "gpu"])


def _look(price: Price, tier: int) -> Look | None:
    """The days of a price and until when it counts; None if the source gives no day."""
    last: date | None
    if price.last_seen is not None:
        begin, last, ends = price.first_seen or price.valid_from, price.last_seen, price.replaced
    else:
        begin, ends = price.valid_from or price.checked, price.valid_to
        closed = ends - _DAY if ends and price.dated == "price" else None
        seen = max(price.checked, begin) if price.checked and begin else closed or begin
        last = min(filter(None, (seen, closed)), default=None)  # no one has observed an end to come
    if begin is None or last is None:
        return None
    end = last + 2 * (COUNTS + _DAY)
    if ends is not None and price.catalog not in OBSERVED:
        end = min(end, ends)
    offer = ProviderOffer(
        provider=price.item.partition("/")[0], item=price.item, value=price.value, seen=last, tier=TIERS[tier],
        catalog=price.catalog, source=price.source,
    )  # fmt: skip
    return Look(begin, last, end, tier, offer) if begin < end else None


def _offers(looks: Iterable[Look], on: date) -> list[Look]:
    """One look for each provider on a day, the lowest price first."""
    known = [look for look in looks if look.begin <= on < look.end]
    newest = max((min(look.last, on) for look in known), default=date.min)
    best: dict[str, tuple[tuple[int, int, Decimal], Look]] = {}
    for look in known if on - newest <= COUNTS else ():
        if newest - look.last <= COUNTS:
            choice = look.tier, -min(look.last, on).toordinal(), look.offer.value  # a later look is not known yet
            provider = look.offer.provider
            if provider not in best or choice <= best[provider][0]:
                best[provider] = choice, look
    return sorted((look for _, look in best.values()), key=lambda look: (look.offer.value, look.offer.provider))


def _median(gpu: str, offers: Sequence[Look], begin: date, end: date) -> Price:
    providers = tuple(look.offer for look in offers)
    panel = MarketPanel(low=providers[0].value, high=providers[-1].value, providers=providers)
    figures = ", ".join(f"{one.provider} {one.value} ({one.seen})" for one in providers)
    return Price(
        item=f"{NAME}/{gpu}", component=COMPONENT, value=median(one.value for one in providers), unit=UNIT,
        valid_from=begin, valid_to=end, catalog=NAME, checked=max(one.seen for one in providers), panel=panel,
        derived=f"median of {len(providers)} providers from {panel.low} to {panel.high}: {figures}",
    )  # fmt: skip
