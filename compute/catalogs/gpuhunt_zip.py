"""gpuhunt's catalogue: a zip archive with a CSV file for each provider, US dollars per **instance**-hour, no dates.

    instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,…

Only instances with GPUs are read, each as the price of one GPU: the lowest of the instances in a location. RunPod's
secure cloud has data centres as locations, its community cloud countries: these are two items. Prices of clusters are
left out. A row that cannot be read is counted, not reported: thousands of rows of a file have the same mistake.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import PurePosixPath

from compute.catalogs.gpu_offers import Offer, gpu_name, gpu_prices, number, template
from compute.prices.price_models import Catalog, Price
from graph.ids import ascii_slug
from graph.problems import Problem, Severity

NAME = "gpuhunt"
LICENCE = "MPL-2.0"

LARGEST = 128 * 1024 * 1024
"""The most bytes of all tables of an archive."""

_COLUMNS = frozenset({"instance_name", "location", "price", "gpu_count", "gpu_name", "spot"})
_PROVIDERS = {"lambdalabs": "lambda", "vastai": "vast", "datacrunch": "verda"}
_MEMORY = {"A100": ("40", "80")}
"""GPUs that are sold with several sizes of memory, in GB."""


def recognised(data: bytes) -> bool:
    """Whether a file is an archive."""
    return data.startswith(b"PK\x03\x04")


def load(data: bytes, imported: date) -> tuple[Catalog, tuple[Problem, ...]]:
    """The prices of an archive, known from the day `imported` on; what is left out is reported for each table.

    Raises:
        Exception: the archive is damaged, or too large.
    """
    problems: list[Problem] = []
    prices: list[Price] = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        tables = [one for one in archive.infolist() if one.filename.endswith(".csv")]
        if sum(one.file_size for one in tables) > LARGEST:
            raise zipfile.BadZipFile(f"its tables are larger than {LARGEST} bytes")
        for one in tables:
            with archive.open(one) as member:
                text = io.TextIOWrapper(member, "utf-8", "replace", newline="")
                prices += _prices(one.filename, text, imported, problems)
    return Catalog(name=NAME, prices=tuple(prices), taken=imported, licence=LICENCE), tuple(problems)


def _prices(name: str, text: io.TextIOWrapper, imported: date, problems: list[Problem]) -> Iterator[Price]:
    reader = csv.DictReader(text)
    if absent := sorted(_COLUMNS - set(reader.fieldnames or ())):
        problems.append(_problem(name, f"left out: the header lacks {', '.join(absent)}"))
        return
    provider = ascii_slug(PurePosixPath(name).stem)
    provider, lost, offers = _PROVIDERS.get(provider, provider), 0, list[Offer]()
    for row in reader:
        if row["gpu_name"] and "cluster" not in (row.get("flags") or ""):
            offer = _offer(row, provider)
            offers += [offer] if offer else []
            lost += offer is None
    if lost:
        problems.append(_problem(name, f"{lost} rows left out: no instance with a number of GPUs and a price"))
    yield from gpu_prices(offers, provider, template(NAME, imported, LICENCE, "https://github.com/dstackai/gpuhunt"))


def _offer(row: dict[str, str], provider: str) -> Offer | None:
    instance, location, gpu = (row[column] or "" for column in ("instance_name", "location", "gpu_name"))
    count, price = (number(row[column] or "") for column in ("gpu_count", "price"))
    if not instance or count is None or count <= 0 or price is None or price <= 0:
        return None
    memory = (row.get("gpu_memory") or "").partition(".")[0]
    thing = gpu_name(f"{gpu} {memory}GB" if memory in _MEMORY.get(gpu, ()) else gpu, instance)
    if provider == "runpod":
        thing += "-secure" if "-" in location else "-community"
    component = "spot" if (row["spot"] or "").lower() == "true" else "on_demand"
    return Offer(instance, thing, count, component, price, location)


def _problem(document: str, message: str) -> Problem:
    return Problem(document=document, severity=Severity.WARNING, code="gpuhunt-import", message=message)
