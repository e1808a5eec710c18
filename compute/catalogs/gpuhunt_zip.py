"""gpuhunt's catalogue: a zip archive with a CSV file for each provider, US dollars per **instance**-hour, no dates.

    instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,…

Only instances with GPUs are read, each as the price of one GPU: the lowest of the instances in a location. RunPod's
secure cloud has data centres as locations, its community cloud countries: these are two items. Prices of clusters are
left out. Unreadable rows are counted, not reported: thousands of rows of a file have the same mistake.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import PurePosixPath

from compute.catalogs.import_rows import Cells, ImportProblems, Offer, csv_rows, gpu_name, gpu_prices, number, template
from compute.prices.price_models import Catalog, Price
from graph.ids import ascii_slug
from graph.problems import Problem

NAME = "gpuhunt"
LICENCE = "MPL-2.0"

LARGEST = 128 * 1024 * 1024  # bytes of all tables of an archive
_COLUMNS = ("instance_name", "location", "price", "gpu_count", "gpu_name", "spot")
_PROVIDERS = {"lambdalabs": "lambda", "vastai": "vast", "datacrunch": "verda"}
_MEMORY = {"A100": ("40", "80")}  # GPUs that are sold with several sizes of memory, in GB


def recognised(data: bytes) -> bool:
    """Whether a file is an archive."""
    return data.startswith(b"PK\x03\x04")


def load(data: bytes, imported: date) -> tuple[Catalog, tuple[Problem, ...]]:
    """The prices of an archive from the day `imported` on, and what is left out. Raises any error of a bad archive."""
    problems: list[Problem] = []
    prices: list[Price] = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        tables = [one for one in archive.infolist() if one.filename.endswith(".csv")]
        if sum(one.file_size for one in tables) > LARGEST:
            raise zipfile.BadZipFile(f"its tables are larger than {LARGEST} bytes")
        for one in tables:
            found = ImportProblems(one.filename, "gpuhunt-import")
            prices += _prices(one.filename, archive.read(one).decode("utf-8", "replace"), imported, found)
            problems += found.all()
    return Catalog(name=NAME, prices=tuple(prices), taken=imported, licence=LICENCE), tuple(problems)


def _prices(name: str, text: str, imported: date, problems: ImportProblems) -> Iterator[Price]:
    provider = ascii_slug(PurePosixPath(name).stem)
    provider, lost, offers = _PROVIDERS.get(provider, provider), 0, list[Offer]()
    like = template(NAME, imported, LICENCE, "https://github.com/dstackai/gpuhunt")
    for _, row in csv_rows(text, _COLUMNS, problems):
        if row["gpu_name"] and "cluster" not in row.get("flags", ""):
            offer = _offer(row, provider, like)
            offers += [offer] if offer else []
            lost += offer is None
    if lost:
        problems.add(f"{lost} rows left out: no instance with a number of GPUs and a price")
    yield from gpu_prices(offers, provider)


def _offer(row: Cells, provider: str, like: Price) -> Offer | None:
    instance, location, gpu = row["instance_name"], row["location"], row["gpu_name"]
    count, price = number(row["gpu_count"]), number(row["price"])
    if not instance or count is None or count <= 0 or price is None or price <= 0:
        return None
    memory = row.get("gpu_memory", "").partition(".")[0]
    thing = gpu_name(f"{gpu} {memory}GB" if memory in _MEMORY.get(gpu, ()) else gpu, instance)
    if provider == "runpod":
        thing += "-secure" if "-" in location else "-community"
    component = "spot" if row["spot"].lower() == "true" else "on_demand"
    found = {"item": f"{provider}/{instance}", "component": component, "value": price, "region": location or None}
    return Offer(like.model_copy(update=found), thing, count)
