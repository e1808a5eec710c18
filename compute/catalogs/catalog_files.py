"""Catalogue files: where lists are published, how files are recognised, and joined with earlier ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import lru_cache, partial
from urllib.parse import urlsplit

from compute.catalogs import ecb_rates, gpuhunt_zip, litellm_map, price_observations, skypilot_csv
from compute.catalogs.catalog_download import SECONDS, Download, RefreshError, Validators, download
from compute.prices.price_models import Catalog
from graph.problems import Problem, Severity

_GITHUB = "https://raw.githubusercontent.com"
_SKYPILOT = f"{_GITHUB}/skypilot-org/skypilot-catalog/master/catalogs/v8"
_CLOUDS = ("lambda", "nebius", "runpod", "hyperbolic", "verda")

ADDRESSES: Mapping[str, str] = {
    "litellm": f"{_GITHUB}/BerriAI/litellm/main/model_prices_and_context_window.json",
    "skypilot": " ".join(f"{_SKYPILOT}/{cloud}/vms.csv" for cloud in _CLOUDS),
    "gpuhunt": "https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v2/{version}/catalog.zip",
    "ecb": "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml",
}
"""Where the lists besides genai-prices are published, with a space between the addresses of several files.

`{version}` is the text of the file `version`.
"""

DEFAULT_SECONDS = 3.0  # until the server of a default list answers; a complete file may take 20 times as long
_VERSION = re.compile(r"[0-9A-Za-z.-]{1,40}")

JOINED: Mapping[str, Callable[[Catalog, Catalog], Catalog]] = {
    ecb_rates.NAME: ecb_rates.joined,
    skypilot_csv.NAME: skypilot_csv.joined,
}
"""Catalogues whose files each hold a part: how an earlier import is joined with a later one."""

Read = tuple[Catalog, tuple[Problem, ...]]


def _genai_prices(name: str, text: str, on: date) -> Read:
    from compute.catalogs import genai_prices_catalog  # noqa: PLC0415  # takes 0.1 s of a start

    return genai_prices_catalog.read(name, text, on)


_TEXTS: tuple[tuple[str, Callable[[str], bool], Callable[[str, str, date], Read]], ...] = (
    ("a list of genai-prices", lambda text: text.lstrip().startswith("["), _genai_prices),
    ("LiteLLM's map", lambda text: text.lstrip().startswith("{"), litellm_map.load),
    ("observations of a list or of GPU-hours (CSV)", price_observations.recognised, price_observations.load),
    ("SkyPilot's vms.csv", lambda text: "InstanceType" in text.partition("\n")[0], skypilot_csv.load),
)
"""What messages call a file that is text, whether a text is one, and its reader."""

FORMS = ", ".join(("the ECB's eurofxref (CSV, ZIP, XML)", "gpuhunt's catalog.zip", *(form for form, *_ in _TEXTS)))
"""Every file that can be imported, in words."""


class CatalogFileError(Exception):
    """A file without readable prices."""

    def __init__(self, name: str, problems: Sequence[Problem]) -> None:
        causes = "\n".join(problem.render() for problem in problems[:5])
        super().__init__(f"{name} contains no prices; expected one of: {FORMS}\n{causes}".rstrip())


def imported(name: str, data: bytes, on: date, since: date | None = None) -> Read:
    """A catalogue file, recognised by its content, and its problems; one that breaks its reader has an error."""
    try:
        return _imported(name, data, on, since)
    except Exception as error:  # noqa: BLE001  # readers of archives, JSON and CSV have dozens of errors
        problem = Problem(document=name, severity=Severity.ERROR, code="import", message=f"not readable: {error}")
        return Catalog(name="", prices=()), (problem,)


def _imported(name: str, data: bytes, on: date, since: date | None) -> Read:
    if ecb_rates.recognised(data):
        return ecb_rates.load(name, data, on, since)
    if gpuhunt_zip.recognised(data):
        return gpuhunt_zip.load(data, on)
    text = data.decode("utf-8", "replace")
    load = next((load for _, recognised, load in _TEXTS if recognised(text)), None)
    return load(name, text, on) if load else (Catalog(name="", prices=()), ())


@lru_cache(maxsize=1)
def packaged() -> Catalog:
    """The catalogue in the installed package of genai-prices."""
    from compute.catalogs import genai_prices_catalog  # noqa: PLC0415  # as above

    return genai_prices_catalog.load()


def file_name(address: str) -> str:
    """The path of an address, which messages name and which says the cloud."""
    return urlsplit(address).path.lstrip("/") or address


def fetch(addresses: str, known: Validators, *, public: bool) -> tuple[list[tuple[str, bytes]], Validators]:
    """The files at addresses with a space between, none if unchanged, and their validators. Raises RefreshError."""
    limited = partial(download, public=public, seconds=DEFAULT_SECONDS if public else SECONDS)
    files = [_of_version(address, limited) for address in addresses.split()]
    tags, days = known.etag.split("\n"), known.modified.split("\n")
    if not len(tags) == len(days) == len(files):  # of other addresses
        tags = days = [""] * len(files)
    each = zip(files, tags, days, strict=True)
    found = [limited(file, Validators(etag=tag, modified=day)) for file, tag, day in each]
    joined = Validators(
        etag="\n".join(one.validators.etag for one in found),
        modified="\n".join(one.validators.modified for one in found),
    )
    if all(one.data is None for one in found):
        return [], joined
    data = [limited(file).data if one.data is None else one.data for file, one in zip(files, found, strict=True)]
    return [(file, one or b"") for file, one in zip(files, data, strict=True)], joined


def _of_version(address: str, limited: Callable[..., Download]) -> str:
    """An address with the newest `{version}`, which the file `version` in the folder above names."""
    folder, found, _ = address.partition("{version}")
    if not found:
        return address
    version = (limited(f"{folder}version", largest=100).data or b"").decode("utf-8", "replace").strip()
    if not _VERSION.fullmatch(version):
        raise RefreshError(address, f"{folder}version names no version")
    return address.replace("{version}", version)
