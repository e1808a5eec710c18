"""Exchange rates: prices of one currency in another, by day. The item `fx/usd_per_eur` has the component `rate`.

A rate counts from its day until the next one, but for at most `LIFE` days: an older rate is not known.
"""

from __future__ import annotations

from datetime import timedelta

from compute.prices.price_models import Question

COMPONENT = "rate"

LIFE = timedelta(days=10)
"""How long a rate counts without a newer one. The longest pause of the ECB's reference rates is five days."""


def rate_name(of: str, per: str) -> str:
    """The name of a rate, also as an assumption: `USD`, `EUR` is `usd_per_eur`, in USD/EUR."""
    return f"{of}_per_{per}".lower()


def rate_item(name: str) -> str:
    """The item of a rate: `usd_per_eur` is `fx/usd_per_eur`."""
    return f"fx/{name}"


def is_rate(item: str) -> bool:
    """Whether an item is an exchange rate."""
    return item.startswith("fx/")


def rate_question(name: str) -> Question:
    """The query for a rate."""
    return Question(item=rate_item(name), component=COMPONENT)
