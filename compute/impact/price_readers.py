"""How many claims rest on the price of each item, for all items at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from compute.impact.price_impact import Readers
from compute.prices.price_book import CatalogBook


@dataclass(frozen=True, slots=True)
class PriceReaders:
    """The claims that read a price, by the name in their formulas and by the item that this name means on a day."""

    named: Mapping[str, frozenset[str]]
    meant: Mapping[str, frozenset[str]]

    def of(self, item: str, meaning: str) -> frozenset[str]:
        """The claims that read an item whose prices are those of `meaning`, as `price_impact.impact` finds them."""
        return self.named.get(item, frozenset()) | self.meant.get(meaning, frozenset())


def price_readers(reading: Readers, book: CatalogBook, day: date) -> PriceReaders:
    """The claims that read each price on a day."""
    named: dict[str, set[str]] = defaultdict(set)
    meant: dict[str, set[str]] = defaultdict(set)
    for one, claims in reading.items():
        if one.question is not None:
            ids = {claim.id for claim in claims}
            named[one.question.item] |= ids
            meant[book.meant(one.question.item, day)] |= ids
    return PriceReaders(
        {name: frozenset(ids) for name, ids in named.items()}, {name: frozenset(ids) for name, ids in meant.items()}
    )
