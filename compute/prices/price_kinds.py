"""Kinds of prices, and names of models without their seller: what makes providers comparable."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from compute.prices.price_models import Price


class PriceKind(NamedTuple):
    """A kind of price: its name in addresses, its title, and the prices that it has.

    Empty `components`, `processing` and `per` fit any price; `per` is a part of the unit.
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
KIND_TITLES = {kind.name: kind.title for kind in KINDS}


def kind_of(price: Price) -> PriceKind:
    """The kind of a price; the last kind has all that no other has."""
    return next(kind for kind in KINDS if kind.has(price))


# ---- names
#
#   aws/global.anthropic.claude-sonnet-4-5-20250929-v1:0 ─▶ claude-sonnet-4-5 ◀─ openrouter/anthropic/claude-sonnet-4.5
#
# What is another product keeps another name: `:batch`, `:free`, `-mini`, `-turbo`.

_RULES = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r"^(?:global|regional|us|eu|apac)\.", ""),  # how AWS routes a request
        (r"^[a-z]+\.(?=[a-z])", ""),  # the maker, as AWS writes it
        (r"-v\d+:\d+$", ""),  # the revision, as AWS writes it
        (r"[-@]20\d\d-?[01]\d-?[0-3]\d(?=$|:)", ""),  # the day of the release
        (r"-latest(?=$|:)", ""),
        (r"^meta-(?=llama)", ""),
        (r"(?<=\d)p(?=\d)", "-"),  # Fireworks writes k2p5 for K2.5
        (r"-fp8(?=$|:)", ""),  # the precision in which it is served
        (r"-instruct(?:-turbo)?(?=$|:)", ""),
        (r"-(?:low|high)$", ""),  # both ends of a range of offers
        (r"[._]", "-"),
    )
)
"""What is taken off a name, or written in one way, in this order."""


@lru_cache(maxsize=1 << 14)
def model_key(item: str) -> str:
    """The last part of an item's name in one spelling, to compare models."""
    name = item.rpartition("/")[2].lower()
    for pattern, by in _RULES:
        name = pattern.sub(by, name)
    return name
