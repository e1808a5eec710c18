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
from typing import NamedTuple

from compute.catalogs.left_out import ImportProblems, as_written
from compute.prices.price_models import Catalog, Price
from graph.problems import Problem, Severity
from graph.values import loads

NAME = "llm-prices"
SOURCE = "https://www.llm-prices.com/"

COMPONENTS: Mapping[str, str] = {"input": "input", "output": "output", "input_cached": "cache_read"}
"""The figures of a row, and the components that they price."""

_VENDORS: Mapping[str, str] = {
    "amazon": "aws",
    "xai": "x-ai",
    "moonshot-ai": "moonshotai",
    "meta-ai": "meta",
    "z.ai": "zai",
}
"""Vendors with another name in other catalogues; the rest keep the name from the list."""

_OTHER_FIELDS = frozenset({"id", "vendor", "name", "from_date", "to_date"})
_NAME = re.compile(r"[a-z0-9][a-z0-9._:@/-]{0,199}", re.IGNORECASE)
_TIER = re.compile(r"(?P<model>.+)-(?P<size>\d{1,6})k", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_LARGEST_EXPONENT = 30


class Row(NamedTuple):
    """One row: the item, its tier, its figures by component, its days, and the id under which it is listed."""

    item: str
    above: int
    figures: tuple[tuple[str, Decimal], ...]
    begin: date | None
    end: date | None
    listed: str


class RowError(ValueError):
    """A row of another shape; the message says what is wrong with it."""


def recognised(text: str) -> bool:
    """Whether a JSON text has the shape of a file of llm-prices."""
    try:
        return _listed(loads(text)) is not None
    except ValueError:
        return False


def load(document: str, text: str, imported: date) -> tuple[Catalog, tuple[Problem, ...]]:
    """The prices of a list; those without dates are known from the day `imported` on. Invalid rows are reported."""
    problems = ImportProblems(document, "llm-prices-import")
    catalog = Catalog(name=NAME, prices=(), taken=imported)
    try:
        data = loads(text)
    except ValueError as error:
        problems.add(f"not readable as JSON: {error}", Severity.ERROR)
        return catalog, problems.all()
    rows = _listed(data)
    if rows is None:
        problems.add("expected an object with a list 'prices', or with 'vendor' and a list 'models'", Severity.ERROR)
        return catalog, problems.all()
    prices = tuple(price for number, row in enumerate(rows, 1) for price in _prices(number, row, imported, problems))
    version = data.get("updated_at") if isinstance(data, dict) else None
    named = version if isinstance(version, str) and _DAY.fullmatch(version) else ""
    return catalog.model_copy(update={"prices": prices, "version": named}), problems.all("list", "fields")


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


def parse(row: object) -> Row:
    """A row as written.

    Raises:
        RowError: it has another shape, or a figure that is no price.
    """
    if not isinstance(row, dict):
        raise RowError("it is no object")
    listed, vendor = _word(row, "id"), _word(row, "vendor")
    begin, end = _day(row, "from_date"), _day(row, "to_date")
    if begin is not None and end is not None and end <= begin:
        raise RowError(f"to_date {end} is not after from_date {begin}")
    figures = tuple((name, value) for key, name in COMPONENTS.items() if (value := _figure(row, key)) is not None)
    if not figures:
        raise RowError(f"it has none of {', '.join(COMPONENTS)}")
    model, above = _tier(listed, row.get("name"))
    return Row(f"{_VENDORS.get(vendor.lower(), vendor.lower())}/{model}", above, figures, begin, end, listed)


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


def _day(row: Mapping[str, object], key: str) -> date | None:
    value = row.get(key)
    if value is None:
        return None
    try:
        if isinstance(value, str) and _DAY.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:
        pass  # such as 2026-02-30
    raise RowError(f"{key} is {as_written(value)}, which is no day such as 2026-02-28")


def _figure(row: Mapping[str, object], key: str) -> Decimal | None:
    value = row.get(key)
    if value is None:
        return None
    number = Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if (
        isinstance(number, Decimal)
        and number.is_finite()
        and number >= 0
        and abs(number.adjusted()) <= _LARGEST_EXPONENT
    ):
        return number
    raise RowError(f"{key} is {as_written(value)}, which is not a price")


def _prices(number: int, row: object, imported: date, problems: ImportProblems) -> Iterator[Price]:
    """The prices of one row."""
    try:
        found = parse(row)
    except RowError as error:
        listed = row.get("id") if isinstance(row, dict) else None
        where = f"row {number} ({as_written(listed)})" if listed else f"row {number}"
        problems.add(f"{where} left out: {error}")
        return
    if isinstance(row, dict):
        problems.unknown.update(key for key in row if key not in COMPONENTS and key not in _OTHER_FIELDS)
    dated = found.begin is not None or found.end is not None
    for component, value in found.figures:
        if value == 0:
            problems.zeros += 1
            continue
        yield Price(
            item=found.item,
            component=component,
            value=Decimal(f"{value.normalize():f}"),
            unit="USD/Mtok",
            above=found.above,
            valid_from=found.begin if dated else imported,
            valid_to=found.end,
            dated="price" if dated else "record",
            catalog=NAME,
            source=SOURCE,
            checked=imported,
            note=f"listed as {found.listed}" if found.above else "",
        )
