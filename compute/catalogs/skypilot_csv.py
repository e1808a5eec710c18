"""SkyPilot's `vms.csv` as a catalogue: instances of one cloud by region, US dollars per **instance**-hour.

Every instance is an item, priced per instance-hour. An accelerator is also an item: its price per GPU-hour is the price
of an instance divided by its number of accelerators, the lowest of the instances in the region; `derived` says so.
Memory columns are not read: some clouds state the total, some one card.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import PurePath

from compute.catalogs.import_rows import Cells, ImportProblems, Offer, csv_rows, gpu_name, gpu_prices, number, template
from compute.prices.price_models import Catalog, Price
from graph.ids import ascii_slug
from graph.problems import Problem

NAME = "skypilot"
LICENCE = "Apache-2.0"

_COLUMNS = ("InstanceType", "AcceleratorName", "AcceleratorCount", "Price", "Region")
_PRICES = (("on_demand", "Price"), ("spot", "SpotPrice"))


def cloud_of(path: str) -> str:
    """The cloud of a file by its folder (`nebius/vms.csv`), else `skypilot`."""
    parent = PurePath(path).parent.name
    return ascii_slug(parent) if PurePath(path).name == "vms.csv" and parent else NAME


def load(document: str, text: str, imported: date) -> tuple[Catalog, tuple[Problem, ...]]:
    """The prices of a `vms.csv` from the day `imported` on, and its problems."""
    cloud = cloud_of(document)
    problems = ImportProblems(document, "skypilot-import")
    rows = csv_rows(text, _COLUMNS, problems)
    like = template(NAME, imported, LICENCE, "https://github.com/skypilot-org/skypilot-catalog")
    offers = [offer for line, cells in rows for offer in _row(cells, line, problems, cloud, like)]
    prices = [*dict.fromkeys(offer.instance for offer in offers), *gpu_prices(offers, cloud)]
    return Catalog(name=NAME, prices=tuple(prices), taken=imported, licence=LICENCE), problems.all()


def joined(earlier: Catalog, later: Catalog) -> Catalog:
    """The clouds of both imports; of a cloud in both the later import counts."""
    clouds = {price.item.partition("/")[0] for price in later.prices}
    others = (price for price in earlier.prices if price.item.partition("/")[0] not in clouds)
    return later.model_copy(update={"prices": (*others, *later.prices)})


def _row(row: Cells, line: int, problems: ImportProblems, cloud: str, like: Price) -> Iterator[Offer]:
    instance, accelerator = row["InstanceType"], row["AcceleratorName"]
    count = number(row["AcceleratorCount"]) if accelerator else Decimal(0)
    if not instance or count is None or (accelerator and count <= 0):
        problems.add(f"the row of {instance or 'no instance'} has no number of accelerators", line=line)
        return
    for component, column in _PRICES:
        written = row.get(column)
        if not written:
            continue
        price = number(written)
        if price is None or price <= 0:
            problems.add(f"{column} of {instance} is {written!r}, which is not a price", line=line)
            continue
        found = {"item": f"{cloud}/{instance}", "component": component, "value": price, "region": row["Region"] or None}
        yield Offer(like.model_copy(update=found), gpu_name(accelerator, instance), count)
