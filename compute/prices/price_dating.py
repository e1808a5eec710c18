"""Whether a price is dated for a day: its source states that it applied then, or a snapshot of our own had it then.

its source states the first day, and an end or a later check      dated
a snapshot had it on the day, or before and after it              dated
anything else                                                     undated: the price of that day is not known
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, NamedTuple

from compute.prices.price_models import Price, Quote

Why = Literal["no date", "recorded", "checked before", "borrowed", "earlier day"]


class Undated(NamedTuple):
    """A price that is not dated for a day; `day` is the last day for which it is known, if there is one."""

    price: Price
    why: Why
    day: date | None = None


@dataclass(frozen=True, slots=True)
class SnapshotDays:
    """The days of our own snapshots: the first one of each catalogue, and the last day that counts.

    A price that a catalogue states now, and that it stated in its first snapshot, was stated on the days between.
    """

    until: date = date.max
    first: Mapping[str, date] = field(default_factory=dict)


def undated(quote: Quote, on: date, seen: SnapshotDays) -> Undated | None:
    """Why the price of a quote is not dated for the day `on`; None if it is."""
    price = quote.price
    if quote.borrowed:
        return Undated(price, "borrowed")
    if _in_snapshot(price, on, seen):
        return None
    if price.dated == "record":
        return Undated(price, "recorded", price.valid_from)
    if price.valid_from is None or price.valid_from > on:
        return Undated(price, "no date")
    known = price.checked or quote.taken
    if price.valid_to is None and known is not None and known < on:
        return Undated(price, "checked before", known)
    return None


def _in_snapshot(price: Price, on: date, seen: SnapshotDays) -> bool:
    """Whether snapshots had the price on the day, or before and after it."""
    if price.last_seen is not None:
        return price.first_seen is not None and price.first_seen <= on <= price.last_seen
    if price.first_seen is not None:
        return price.first_seen <= on <= seen.until
    first = seen.first.get(price.catalog)
    return first is not None and first < on <= seen.until  # not on the first day: the first run does not know it yet
