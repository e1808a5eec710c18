"""Observed prices as a catalogue: the days on which a public price list had a price, from a CSV file.

    provider,model,component,usd_per_mtok,first_seen,last_seen
    acme,acme-1,"input, above 200k",2.5,2025-03-01,2025-06-30

- A row says what the list had on each day from `first_seen` to `last_seen`: the price is dated for these days, and only
  for them. The first and the last day of the list are those of the file. A price on the last day may go on, so it has
  no end; one on the first day may be older, which its note says.
- A price that the list replaced within seven days was wrong, unless it is on the list's first day: the price after it
  counts from its first day on, and the note names the corrected figure.
- Where two rows of one price differ for the same days, nobody knows which is right: neither counts then, and the later
  row is reported.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple, TypeVar

from compute.catalogs import litellm_map
from compute.catalogs.import_rows import Cells, ImportProblems, RowError, csv_rows, day, number
from compute.prices.amounts import price_unit_problem
from compute.prices.price_models import OBSERVED, Catalog, Price
from compute.units.number_format import said
from graph.problems import Problem

CORRECTED_WITHIN = timedelta(days=7)
"""A list that replaces a price within this time corrects it."""

UNIT = "USD/Mtok"

CODE = "observations-import"

COLUMNS = ("provider", "model", "component", "usd_per_mtok", "first_seen", "last_seen")
_GENAI, _LITELLM, _OTHER = OBSERVED[:3]
_SOURCES = {_GENAI: "https://github.com/pydantic/genai-prices", _LITELLM: "https://github.com/BerriAI/litellm"}
COMPONENT = re.compile(r"(?P<name>[a-z][a-z0-9_]*)(?:, above (?P<size>\d{1,6})k)?(?P<batch>, batch)?")
_ONE_DAY = timedelta(days=1)


class Slot(NamedTuple):
    """What a row prices."""

    item: str
    region: str | None
    component: str
    processing: str
    above: int


class Seen(NamedTuple):
    """A price and the days on which a list had it, both inclusive; `corrected` says what it replaced.

    `source` and `note` are those of the row, where a file has them for each row.
    """

    first: date
    last: date
    value: Decimal
    line: int
    corrected: str = ""
    source: str | None = None
    note: str = ""


def recognised(text: str) -> bool:
    """Whether a text has the columns of observations."""
    header = next(csv.reader(text.removeprefix("\ufeff").splitlines()[:1]), [])
    return {"component", "first_seen", "last_seen"} <= set(header)


def catalog_name(document: str) -> str:
    """The catalogue of a file, by the list in its name: `token-price-observations-litellm.csv`."""
    lists = {"genai": _GENAI, "litellm": _LITELLM}
    return next((name for word, name in lists.items() if word in document.lower()), _OTHER)


def load(document: str, text: str, imported: date) -> tuple[Catalog, tuple[Problem, ...]]:
    """The observed prices of a file; invalid rows are left out and reported with their line."""
    name, problems = catalog_name(document), ImportProblems(document, CODE)
    series = read_series(text, COLUMNS, lambda cells, line: _row(cells, line, imported), problems)
    days = [end for seen in series.values() for one in seen for end in (one.first, one.last)]
    first, last = min(days, default=imported), max(days, default=imported)
    prices = [
        _price(name, slot, one, first, last)
        for slot, seen in series.items()
        for one in corrected(joined(seen, problems), first)
    ]
    return Catalog(name=name, prices=tuple(prices), taken=last, version=last.isoformat()), problems.all()


Key = TypeVar("Key", bound=Hashable)


def read_series(
    text: str, columns: Sequence[str], read: Callable[[Cells, int], tuple[Key, Seen]], problems: ImportProblems
) -> dict[Key, list[Seen]]:  # fmt: skip
    """What `read` makes of the cells and the line of each row, by series; rows for which it raises RowError go out."""
    series: dict[Key, list[Seen]] = {}
    for line, cells in csv_rows(text, columns, problems):
        try:
            key, seen = read(cells, line)
        except RowError as error:
            problems.add(f"row left out: {error}", line=line)
        else:
            series.setdefault(key, []).append(seen)
    return series


def corrected(seen: Sequence[Seen], first: date) -> list[Seen]:
    """The prices of one series in order, without those that the list corrected; `first` is the list's first day."""
    kept: list[Seen] = []
    later: Seen | None = None
    for one in reversed(seen):
        wrong = later is not None and one.first > first and later.first - one.first <= CORRECTED_WITHIN
        if wrong and kept and one.value != kept[-1].value:
            before = f"the list had {said(one.value, UNIT)} from {one.first} to {one.last} and corrected it"
            kept[-1] = kept[-1]._replace(first=one.first, corrected=kept[-1].corrected or before)
        elif kept and kept[-1].corrected and one.value == kept[-1].value:
            kept[-1] = kept[-1]._replace(first=one.first)  # the list changed back
        else:
            kept.append(one)
        later = one
    return kept[::-1]


def _row(cells: Cells, line: int, imported: date) -> tuple[Slot, Seen]:
    provider, model = cells["provider"], cells["model"]
    if not provider or not model:
        raise RowError("it names no provider and model")
    component = COMPONENT.fullmatch(cells["component"])
    if component is None or price_unit_problem(component["name"], UNIT) is not None:
        raise RowError(f"{cells['component']!r} is not a component with a price in {UNIT}")
    first, last = (day(cells, column) for column in ("first_seen", "last_seen"))
    if last < first:
        raise RowError(f"last_seen {last} is before first_seen {first}")
    if last > imported:
        raise RowError(f"last_seen {last} is after the day of the import, {imported}")
    item, region = litellm_map.item(model, provider)
    processing = "batch" if component["batch"] else "standard"
    slot = Slot(item, region, component["name"], processing, int(component["size"] or 0) * 1000)
    return slot, Seen(first, last, amount(cells, "usd_per_mtok"), line)


def amount(cells: Cells, column: str) -> Decimal:
    """The price in a cell, above zero; raises RowError."""
    value = number(cells[column])
    if value is None or value <= 0:
        raise RowError(f"{column} is {cells[column]!r}, which is not a price above zero")
    return value


def joined(seen: Iterable[Seen], problems: ImportProblems) -> list[Seen]:
    """The rows of one series by day; equal ones that meet are joined, and days with two prices have none."""
    found: list[Seen] = []
    contested, line = date.min, 0
    for one in sorted(seen):
        before = found[-1] if found else None
        if before is not None and one.first <= before.last and one.value == before.value:
            found[-1] = before._replace(last=max(before.last, one.last))
            continue
        if before is not None and one.first <= before.last:
            contested, line = max(before.last, one.last), before.line
            found[-1] = before._replace(last=one.first - _ONE_DAY)
        if one.first > contested:
            found.append(one)
            continue
        problems.add(f"row left out: line {line} has another price for the same days, so neither counts", line=one.line)
        contested = max(contested, one.last)
    return [one for one in found if one.first <= one.last]


def _price(catalog: str, slot: Slot, seen: Seen, first: date, last: date) -> Price:
    end = None if seen.last == last else seen.last + _ONE_DAY
    return Price(
        item=slot.item, component=slot.component, value=seen.value, unit=UNIT, processing=slot.processing,
        above=slot.above, region=slot.region, valid_from=seen.first, valid_to=end, catalog=catalog,
        source=_SOURCES.get(catalog), checked=seen.last, note="; ".join(_notes(seen, first, last)),
    )  # fmt: skip


def _notes(seen: Seen, first: date, last: date) -> Iterator[str]:
    yield f"seen in the list from {seen.first} to {seen.last}"
    if seen.first == first:
        yield "it may be older: the list begins on that day"
    if seen.last == last:
        yield "it may go on: the list ends on that day"
    if seen.corrected:
        yield seen.corrected
