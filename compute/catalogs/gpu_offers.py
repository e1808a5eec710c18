"""Offers of instances with GPUs in clouds' catalogues: names of GPUs, and prices of one GPU of several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal, localcontext
from typing import NamedTuple

from compute.prices.price_models import Price
from graph.groups import group_by
from graph.ids import ascii_slug

_FORMS = (
    ("nvl", re.compile(r"nvl|^standard_nc\d+\w*_h100")),
    ("pcie", re.compile(r"pcie|^standard_nc\d+\w*_a100")),
    (
        "sxm",
        re.compile(
            r"sxm|hbm3|^p[456]\w*\.|^a3-(?:high|mega|ultra)gpu|^a4-|^a2-(?:high|ultra)gpu|^standard_nd\d"
            r"|^bm\.gpu\.|^\d+[abh]\d+\.\d+s"
        ),
    ),
)
"""The form of a GPU by the names that vendors and clouds give to it or to its instances."""

_SEVERAL = re.compile(r"(?:a100|h100|h200|b200|b300)\b")  # GPUs that come in several forms


class Offer(NamedTuple):
    """The price of one instance in one region, with no or some accelerators."""

    instance: Price
    accelerator: str
    accelerators: Decimal


def gpu_name(name: str, instance: str) -> str:
    """The name of a GPU with its form, if known: `H100`, `gpu_8x_h100_sxm5` is `h100-sxm`."""
    slug = ascii_slug(re.sub(r"(?i)(?<=\d)(?=nvl$)", "-", name))
    if not _SEVERAL.match(slug):
        return slug
    slug = re.sub(r"-(?:sxm|nvl|pcie)\d?\b", "", slug) if (form := _form(slug)) else slug
    form = form or _form(instance.lower())
    return f"{slug}-{form}" if form else slug


def _form(text: str) -> str:
    return next((form for form, pattern in _FORMS if pattern.search(text)), "")


def gpu_prices(offers: Iterable[Offer], provider: str) -> Iterator[Price]:
    """The price of one GPU, the lowest of the instances in each region."""
    with localcontext(prec=28):
        costs = [(offer.instance.value / offer.accelerators, offer) for offer in offers if offer.accelerators]
    places = group_by(costs, lambda one: (one[1].accelerator, one[1].instance.component, one[1].instance.region))
    for each, offer in (min(found, key=lambda one: one[0]) for found in places.values()):
        name, count = offer.instance.item.partition("/")[2], f"{offer.accelerators.normalize():f}"
        derived = f"{offer.instance.value} USD an hour for {name}, divided by its {count} accelerators"
        found = {"item": f"{provider}/{offer.accelerator}", "value": each, "unit": "USD/GPU/h"}
        yield offer.instance.model_copy(update=found | ({"derived": derived} if offer.accelerators != 1 else {}))


def template(catalog: str, imported: date, licence: str, source: str) -> Price:
    """What the prices of the instances of an undated catalogue share."""
    return Price(
        item="", component="", value=Decimal(0), unit="USD/instance/h", valid_from=imported, dated="record",
        catalog=catalog, checked=imported, licence=licence, source=source,
    )  # fmt: skip
