"""Observed prices as a catalogue, from a CSV file of one of two forms, by the rules of docs/prices.md.

    provider,model,component,usd_per_mtok,first_seen,last_seen
    acme,acme-1,"input, above 200k",2.5,2025-03-01,2025-06-30

    provider,gpu,tier,usd_per_gpu_hour,observed_on,source,note
    acme,H9 SXM,"on_demand, secure",3.29,2026-08-19,https://acme.example/pricing,

The first and the last day of a list are those of the file. The last price of a list or of a GPU may go on, so it has no
end. Tiers and indices of different panels are different items.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from compute.catalogs import litellm_map
from compute.catalogs.import_rows import Cells, ImportProblems, RowError, csv_rows, day, number
from compute.prices.amounts import price_unit_problem
from compute.prices.price_models import OBSERVED, Catalog, Price
from compute.units.number_format import said
from graph.ids import ascii_slug
from graph.problems import Problem

CORRECTED_WITHIN = timedelta(days=7)  # a list that replaces a price within this time corrects it
UNIT = "USD/Mtok"

COLUMNS = ("provider", "model", "component", "usd_per_mtok", "first_seen", "last_seen")
_GPU_COLUMNS = ("provider", "gpu", "tier", "usd_per_gpu_hour", "observed_on", "source", "note")
_GPU_HEADER = {"gpu", "tier", "usd_per_gpu_hour"}
_GENAI, _LITELLM, _OTHER, _GPU = OBSERVED
_LISTS = {"genai": _GENAI, "litellm": _LITELLM}
_SOURCES = {_GENAI: "https://github.com/pydantic/genai-prices", _LITELLM: "https://github.com/BerriAI/litellm"}
COMPONENT = re.compile(r"(?P<name>[a-z][a-z0-9_]*)(?:, above (?P<size>\d{1,6})k)?(?P<batch>, batch)?")
_ONE_DAY = timedelta(days=1)


class Slot(NamedTuple):
    """What a row prices."""

    item: str
    component: str
    region: str | None = None
    processing: str = "standard"
    above: int = 0


class Seen(NamedTuple):
    """A price with its first and last day; `corrected` says what it replaced, `source` and `note` are the row's."""

    first: date
    last: date
    value: Decimal
    line: int
    corrected: str = ""
    source: str | None = None
    note: str = ""


def recognised(text: str) -> bool:
    """Whether a text has the columns of observations."""
    return {"component", "first_seen", "last_seen"} <= _header(text) or _header(text) >= _GPU_HEADER


def _header(text: str) -> set[str]:
    return set(next(csv.reader(text.removeprefix("\ufeff").splitlines()[:1]), []))


def load(document: str, text: str, imported: date) -> tuple[Catalog, tuple[Problem, ...]]:
    """The observed prices of a file, named after its list (`…-litellm.csv`), and its problems."""
    problems = ImportProblems(document, "observations-import")
    if _header(text) >= _GPU_HEADER:
        series = _series(text, _GPU_COLUMNS, lambda cells, line: _gpu_row(cells, line, imported), problems)
        name, prices = _GPU, [price for slot, seen in series.items() for price in _gpu_prices(slot, seen)]
        last = max((price.checked for price in prices if price.checked), default=imported)
    else:
        series = _series(text, COLUMNS, lambda cells, line: _row(cells, line, imported), problems)
        name = next((name for word, name in _LISTS.items() if word in document.lower()), _OTHER)
        days = [end for seen in series.values() for one in seen for end in (one.first, one.last)]
        first, last = min(days, default=imported), max(days, default=imported)
        prices = [
            _price(name, UNIT, slot, one, _notes(one, first, last), last=one.last == last)
            for slot, seen in series.items()
            for one in _corrected(seen, first)
        ]
    return Catalog(name=name, prices=tuple(prices), taken=last, version=last.isoformat()), problems.all()


def _series(
    text: str, columns: Sequence[str], read: Callable[[Cells, int], tuple[Slot, Seen]], problems: ImportProblems
) -> dict[Slot, list[Seen]]:  # fmt: skip
    """What `read` makes of each row (its cells and line), by series; rows with a RowError are reported."""
    series: dict[Slot, list[Seen]] = {}
    for line, cells in csv_rows(text, columns, problems):
        try:
            slot, seen = read(cells, line)
        except RowError as error:
            problems.add(f"row left out: {error}", line=line)
        else:
            series.setdefault(slot, []).append(seen)
    return {slot: _joined(seen, problems) for slot, seen in series.items()}


def _price(catalog: str, unit: str, slot: Slot, seen: Seen, notes: Iterable[str], *, last: bool) -> Price:
    return Price(
        **slot._asdict(), value=seen.value, unit=unit, valid_from=seen.first,
        valid_to=None if last else seen.last + _ONE_DAY, catalog=catalog, source=seen.source or _SOURCES.get(catalog),
        checked=seen.last, note="; ".join(notes),
    )  # fmt: skip


def _amount(cells: Cells, column: str) -> Decimal:
    """The price in a cell, above zero; raises RowError."""
    value = number(cells[column])
    if value is None or value <= 0:
        raise RowError(f"{column} is {cells[column]!r}, which is not a price above zero")
    return value


def _joined(seen: Iterable[Seen], problems: ImportProblems) -> list[Seen]:
    """The rows of one series by day: equal neighbours joined, days with two prices left out."""
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


# ---- lists of token prices


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
    slot = Slot(item, component["name"], region, processing, int(component["size"] or 0) * 1000)
    return slot, Seen(first, last, _amount(cells, "usd_per_mtok"), line)


def _corrected(seen: Sequence[Seen], first: date) -> list[Seen]:
    """The prices of one series in order, without those that the list corrected after its `first` day."""
    found: list[Seen] = []
    later: Seen | None = None
    for one in reversed(seen):
        wrong = later is not None and one.first > first and later.first - one.first <= CORRECTED_WITHIN
        if wrong and found and one.value != found[-1].value:
            before = f"the list had {said(one.value, UNIT)} from {one.first} to {one.last} and corrected it"
            found[-1] = found[-1]._replace(first=one.first, corrected=found[-1].corrected or before)
        elif found and found[-1].corrected and one.value == found[-1].value:
            found[-1] = found[-1]._replace(first=one.first)  # the list changed back
        else:
            found.append(one)
        later = one
    return found[::-1]


def _notes(seen: Seen, first: date, last: date) -> Iterator[str]:
    yield f"listed from {seen.first} to {seen.last}"
    if seen.first == first:
        yield "it may be older: the list begins on that day"
    if seen.last == last:
        yield "it may still apply: the list ends on that day"
    if seen.corrected:
        yield seen.corrected


# ---- prices of GPU-hours


def _gpu_row(cells: Cells, line: int, imported: date) -> tuple[Slot, Seen]:
    component, _, rest = cells["tier"].partition(",")
    if not cells["provider"] or not cells["gpu"] or component not in {"on_demand", "spot"}:
        raise RowError("it names no provider, GPU and tier that begins with on_demand or spot")
    seen = day(cells, "observed_on")
    if seen > imported:
        raise RowError(f"observed_on {seen} is after the day of the import, {imported}")
    thing = ascii_slug(f"{cells['gpu']} {rest}".strip())
    value, source = _amount(cells, "usd_per_gpu_hour"), cells["source"] or None
    slot = Slot(f"{ascii_slug(cells['provider'])}/{thing}", component)
    return slot, Seen(seen, seen, value, line, source=source, note=cells["note"])


def _gpu_prices(slot: Slot, seen: Sequence[Seen]) -> Iterator[Price]:
    """Prices by day; of equal neighbours the last one's source and note count."""
    spans: list[Seen] = []
    for one in seen:
        if spans and spans[-1].value == one.value:
            spans[-1] = one._replace(first=spans[-1].first)
        else:
            spans.append(one)
    for one in spans:
        last = one is spans[-1]
        notes = [f"seen on {one.first}" + (f" and up to {one.last}" if one.last > one.first else "")]
        notes += ["it may still apply: no later observation"] if last else []
        yield _price(_GPU, "USD/GPU/h", slot, one, [*notes, *([one.note] if one.note else [])], last=last)
