"""llm-prices as a catalogue: token prices by vendor and model, US dollars per **million** tokens.

    {"prices": [row …], "updated_at"?}                                   current or historical list
    {"vendor": …, "models": [{"id", "name", "price_history": [row …]}]}  the file of one vendor
    row    id, vendor, name · input, output, input_cached · from_date, to_date (both optional)

- `from_date` is the first day of a price, `to_date` the first day without it. A row with one of the two dates a price;
  a row without both is a record that is known from the import day on.
- A model with a context tier has a row of its own (`acme-1-200k`, named `Acme 1 >200k`): it is a tier of `acme-1`.
- A zero means "free" or "unknown", and is left out. A row of another shape is left out completely, and reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal

from compute.catalogs.import_rows import ImportProblems, RowError, as_written, day, number
from compute.prices.price_models import Catalog, Price
from graph.problems import Problem, Severity
from graph.values import loads

NAME = "llm-prices"
SOURCE = "https://www.llm-prices.com/"

_COMPONENTS: Mapping[str, str] = {"input": "input", "output": "output", "input_cached": "cache_read"}
"""The figures of a row, and the components that they price."""

_VENDORS: Mapping[str, str] = {
    "amazon": "aws",
    "xai": "x-ai",
    "moonshot-ai": "moonshotai",
    "meta-ai": "meta",
    "z.ai": "zai",
}
"""Vendors with another name in other catalogues; the rest keep the name from the list."""

_FIELDS = frozenset({*_COMPONENTS, "id", "vendor", "name", "from_date", "to_date"})
_NAME = re.compile(r"[a-z0-9][a-z0-9._:@/-]{0,199}", re.IGNORECASE)
_TIER = re.compile(r"(?P<model>.+)-(?P<size>\d{1,6})k", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def recognised(text: str) -> bool:
    """Whether a JSON text has the shape of a file of llm-prices."""
    try:
        return _listed(loads(text)) is not None
    except ValueError:
        return False


def load(document: str, text: str, imported: date) -> tuple[Catalog, tuple[Problem, ...]]:
    """The prices of a list; those without dates are known from the day `imported` on. Invalid rows are reported."""
    problems = ImportProblems(document, "llm-prices-import")
    try:
        data = loads(text)
    except ValueError as error:
        data, shape = None, f"not readable as JSON: {error}"
    else:
        shape = "expected an object with a list 'prices', or with 'vendor' and a list 'models'"
    rows = _listed(data)
    if rows is None:
        problems.add(shape, Severity.ERROR)
        return Catalog(name=NAME, prices=(), taken=imported), problems.all()
    prices: list[Price] = []
    for place, row in enumerate(rows, 1):
        try:
            prices += _prices(row, imported, problems)
        except RowError as error:
            listed = row.get("id") if isinstance(row, dict) else None
            problems.add(f"row {place}{f' ({as_written(listed)})' if listed else ''} left out: {error}")
    version = data.get("updated_at")
    named = version if isinstance(version, str) and _DAY.fullmatch(version) else ""
    catalog = Catalog(name=NAME, prices=tuple(prices), taken=imported, version=named)
    return catalog, problems.all("list", "fields")


def _listed(data: object) -> list[object] | None:
    """The rows of a file; None if it has another shape."""
    if not isinstance(data, dict):
        return None
    if isinstance(data.get("prices"), list):
        return list(data["prices"])
    if isinstance(data.get("vendor"), str) and isinstance(data.get("models"), list):
        return [row for model in data["models"] for row in _history(data["vendor"], model)]
    return None


def _history(vendor: str, model: object) -> Iterator[object]:
    """The rows of a model in the file of a vendor."""
    if not isinstance(model, dict) or not isinstance(model.get("price_history"), list):
        yield model
        return
    named = {"vendor": vendor, "id": model.get("id"), "name": model.get("name")}
    yield from ({**row, **named} if isinstance(row, dict) else row for row in model["price_history"])


def _prices(row: object, imported: date, problems: ImportProblems) -> Iterator[Price]:
    """The prices of a row; raises RowError before the first if it has another shape, or a figure that is no price."""
    if not isinstance(row, dict):
        raise RowError("it is no object")
    listed, vendor = _word(row, "id"), _word(row, "vendor").lower()
    begin, end = (None if row.get(key) is None else day(row, key) for key in ("from_date", "to_date"))
    if begin is not None and end is not None and end <= begin:
        raise RowError(f"to_date {end} is not after from_date {begin}")
    figures = {name: _figure(row, key) for key, name in _COMPONENTS.items() if row.get(key) is not None}
    if not figures:
        raise RowError(f"it has none of {', '.join(_COMPONENTS)}")
    model, above = _tier(listed, row.get("name"))
    problems.unknown.update(key for key in row if key not in _FIELDS)
    dated = begin is not None or end is not None
    for component, value in figures.items():
        if value == 0:
            problems.zeros += 1
            continue
        yield Price(
            item=f"{_VENDORS.get(vendor, vendor)}/{model}",
            component=component,
            value=Decimal(f"{value.normalize():f}"),
            unit="USD/Mtok",
            above=above,
            valid_from=begin if dated else imported,
            valid_to=end,
            dated="price" if dated else "record",
            catalog=NAME,
            source=SOURCE,
            checked=imported,
            note=f"listed as {listed}" if above else "",
        )


def _tier(listed: str, name: object) -> tuple[str, int]:
    """The model and the tokens above which its row applies: only if the id and the name say so."""
    found = _TIER.fullmatch(listed)
    if found and isinstance(name, str) and re.search(rf">\s?{found['size']}k", name, re.IGNORECASE):
        return found["model"], int(found["size"]) * 1_000
    return listed, 0


def _word(row: Mapping[str, object], key: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise RowError(f"{key} is {as_written(value)}, which is no name")
    return value


def _figure(row: Mapping[str, object], key: str) -> Decimal:
    value = row[key]
    found = None if isinstance(value, str) else number(value)
    if found is None or found < 0:
        raise RowError(f"{key} is {as_written(value)}, which is not a price")
    return found
