"""Observed prices of a GPU-hour as a catalogue, from a CSV file with a row for each look at a price.

    provider,gpu,tier,usd_per_gpu_hour,observed_on,source,note
    acme,H9 SXM,"on_demand, secure",3.29,2026-08-19,https://acme.example/pricing,

- The item is the provider and the GPU with the rest of the tier, `acme/h9-sxm-secure`: tiers and indices of different
  panels are different items, so a price is compared with itself only.
- A price that was seen on two days, with no other between them, applied on the days between. Between two different
  prices nothing is known. The last price may go on, so it has no end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from compute.catalogs.import_rows import Cells, ImportProblems, RowError, day
from compute.catalogs.price_observations import CODE, Seen, amount, joined, read_series
from compute.prices.price_models import OBSERVED, Catalog, Price
from graph.ids import ascii_slug
from graph.problems import Problem

NAME = OBSERVED[3]

_COLUMNS = ("provider", "gpu", "tier", "usd_per_gpu_hour", "observed_on", "source", "note")


class Slot(NamedTuple):
    """What a row prices."""

    item: str
    component: str


def recognised(text: str) -> bool:
    """Whether a text has the columns of GPU-hours."""
    return {"gpu", "tier", "usd_per_gpu_hour"} <= set(text.removeprefix("\ufeff").partition("\n")[0].strip().split(","))


def load(document: str, text: str, imported: date) -> tuple[Catalog, tuple[Problem, ...]]:
    """The observed prices of a file; invalid rows are left out and reported with their line."""
    problems = ImportProblems(document, CODE)
    series = read_series(text, _COLUMNS, lambda cells, line: _row(cells, line, imported), problems)
    prices = [
        _price(slot, one, last=one.last == seen[-1].last)
        for slot, unsorted in series.items()
        for seen in (_spans(joined(unsorted, problems)),)
        for one in seen
    ]
    taken = max((price.checked for price in prices if price.checked), default=imported)
    return Catalog(name=NAME, prices=tuple(prices), taken=taken, version=taken.isoformat()), problems.all()


def _row(cells: Cells, line: int, imported: date) -> tuple[Slot, Seen]:
    component, _, rest = cells["tier"].partition(",")
    if not cells["provider"] or not cells["gpu"] or component not in {"on_demand", "spot"}:
        raise RowError("it names no provider, GPU and tier that begins with on_demand or spot")
    seen = day(cells, "observed_on")
    if seen > imported:
        raise RowError(f"observed_on {seen} is after the day of the import, {imported}")
    thing = ascii_slug(f"{cells['gpu']} {rest}".strip())
    value, source = amount(cells, "usd_per_gpu_hour"), cells["source"] or None
    return (
        Slot(f"{ascii_slug(cells['provider'])}/{thing}", component),
        Seen(seen, seen, value, line, source=source, note=cells["note"]),
    )


def _spans(seen: Sequence[Seen]) -> list[Seen]:
    """Prices by day, in which equal neighbours are one, with the source and the note of the last."""
    found: list[Seen] = []
    for one in seen:
        if found and found[-1].value == one.value:
            found[-1] = one._replace(first=found[-1].first)
        else:
            found.append(one)
    return found


def _price(slot: Slot, seen: Seen, *, last: bool) -> Price:
    return Price(
        item=slot.item, component=slot.component, value=seen.value, unit="USD/GPU/h", valid_from=seen.first,
        valid_to=None if last else seen.last + timedelta(days=1), catalog=NAME, source=seen.source,
        checked=seen.last, note="; ".join(_notes(seen, last=last)),
    )  # fmt: skip


def _notes(seen: Seen, *, last: bool) -> Iterator[str]:
    yield f"seen on {seen.first}" + (f" and up to {seen.last}" if seen.last > seen.first else "")
    if last:
        yield "it may go on: nobody looked later"
    if seen.note:
        yield seen.note
