"""The kinds of prices: what is paid for, in words that make prices of several providers comparable."""

from __future__ import annotations

from typing import NamedTuple

from compute.prices.price_models import Price


class PriceKind(NamedTuple):
    """A kind of price: its name in addresses, its title, and which prices are of it.

    `components` are what is paid for; empty: any. `processing` is the only processing of the kind; empty: any.
    `per` is a part of the unit that all prices of the kind have; empty: any unit.
    """

    name: str
    title: str
    components: tuple[str, ...] = ()
    processing: str = "standard"
    per: str = ""

    def has(self, price: Price) -> bool:
        """Whether a price is of this kind."""
        return (
            (not self.components or price.component in self.components)
            and self.processing in {"", price.processing}
            and self.per in price.unit
        )


KINDS = (
    PriceKind("input", "input tokens", ("input",), per="tok"),
    PriceKind("output", "output tokens", ("output",), per="tok"),
    PriceKind("cached", "cached input tokens", ("cache_read",), per="tok"),
    PriceKind("cache-write", "cache writes", ("cache_write",), per="tok"),
    PriceKind("batch-input", "batch input tokens", ("input",), "batch", "tok"),
    PriceKind("batch-output", "batch output tokens", ("output",), "batch", "tok"),
    PriceKind("gpu-hour", "GPU-hour, on demand", ("on_demand",), per="GPU/h"),
    PriceKind("gpu-spot", "GPU-hour, spot", ("spot",), per="GPU/h"),
    PriceKind("gpu-reserved", "GPU-hour, reserved a year", ("reserved_1y",), per="GPU/h"),
    PriceKind("gpu-committed", "GPU-hour, other commitments", ("committed", "reserved_3y"), per="GPU/h"),
    PriceKind(
        "instance-hour", "machine-hour", per="/h", components=("on_demand", "reserved_1y", "reserved_3y", "spot")
    ),
    PriceKind("purchase", "hardware", ("purchase", "purchase_and_operation_3y", "network", "facility"), processing=""),
    PriceKind("power", "power", ("energy",), processing=""),
    PriceKind("egress", "egress and transfer", ("egress", "transfer", "link"), processing=""),
    PriceKind("rate", "exchange rates", ("rate",), processing=""),
    PriceKind("tokens", "other tokens", processing="", per="tok"),
    PriceKind("requests", "requests and searches", processing="", per="request"),
    PriceKind("other", "other", processing=""),
)
"""Every kind; a price is of the first that has it. What a list shows first of an item comes first."""

RANK = {kind.name: place for place, kind in enumerate(KINDS)}
"""The place of each kind in `KINDS`."""

KIND_TITLES = {kind.name: kind.title for kind in KINDS}
"""The title of each kind by its name."""


def kind_of(price: Price) -> PriceKind:
    """The kind of a price: the last one has all that no other has."""
    return next(kind for kind in KINDS if kind.has(price))
