"""Observations of a price list from the versions of its file: the days on which the list had each price.

    version of each day ─▶ prices per million tokens ─▶ rows of a CSV file that `price_observations` reads

A version counts from its day until the day before the next one, the last one until the newest commit of the repository.
After a deletion the list has no price until the file is back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta

from compute.catalogs import genai_prices_catalog, litellm_map
from compute.catalogs.git_files import Version
from compute.catalogs.price_observations import COLUMNS, COMPONENT, UNIT
from compute.prices.price_models import Price
from graph.text.csv_text import exact_rows

Key = tuple[str, str, str]  # provider, model and component
Row = tuple[str, str, str, str, date, date]  # key and value of a price, and the first and last day of it
_DAY = timedelta(days=1)


def observations(file: str, versions: Iterable[Version], last: date, step: Callable[[int], None]) -> list[Row]:
    """The prices of all readable versions until the `last` day; `step` gets the number of versions read."""
    current: dict[Key, tuple[str, date]] = {}
    rows: list[Row] = []
    for day, found in _states(file, versions, last, step):
        for key in [key for key, (value, _) in current.items() if found.get(key) != value]:
            value, first = current.pop(key)
            rows.append((*key, value, first, day - _DAY))
        current = {key: (value, current.get(key, ("", day))[1]) for key, value in found.items()}
    rows += ((*key, value, first, last) for key, (value, first) in current.items())
    return sorted(rows)


def _states(
    file: str, versions: Iterable[Version], last: date, step: Callable[[int], None]
) -> Iterator[tuple[date, dict[Key, str]]]:
    """What the list states from each day on which a version, or a price in it, begins or ends."""
    before: tuple[date, list[Price]] | None = None
    for number, version in enumerate(versions, 1):
        found = _prices(file, version)
        states = bool(found) or version.data is None
        if before and states:
            yield from _days(*before, version.day)
        before = (version.day, found) if states else before
        step(number)
    if before:
        yield from _days(*before, last + _DAY)


def _days(first: date, prices: list[Price], end: date) -> Iterator[tuple[date, dict[Key, str]]]:
    borders = {day for price in prices for day in (price.valid_from, price.valid_to) if day and first < day < end}
    for day in (first, *sorted(borders)):
        yield day, dict(_observed(price) for price in prices if price.on(day))


def csv_text(rows: Iterable[Row]) -> str:
    """The rows as a CSV file."""
    return exact_rows([COLUMNS, *(map(str, row) for row in rows)])


def _prices(file: str, version: Version) -> list[Price]:
    """The prices per million tokens in a version; none if it is no list."""
    text = (version.data or b"").decode("utf-8", "replace")
    is_genai = file.endswith((".yml", ".yaml")) or text.lstrip().startswith("[")
    catalog, _ = (genai_prices_catalog.read if is_genai else litellm_map.load)(file, text, version.day)
    return [price for price in catalog.prices if _observable(price)]


def _observable(price: Price) -> bool:
    known = price.unit == UNIT and price.value > 0 and price.processing in {"standard", "batch"}
    return known and price.above % 1000 == 0 and COMPONENT.fullmatch(price.component) is not None


def _observed(price: Price) -> tuple[Key, str]:
    provider, _, model = price.item.partition("/")
    tier = f", above {price.above // 1000}k" if price.above else ""
    batch = ", batch" if price.processing == "batch" else ""
    where = f"{price.region}/{model}" if price.region else model
    return (provider, where, f"{price.component}{tier}{batch}"), f"{price.value.normalize():f}"
