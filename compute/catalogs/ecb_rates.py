"""The euro reference rates of the European Central Bank as a catalogue, from each of its files.

eurofxref-hist.csv     Date,USD,JPY,…           one row for each working day, the newest first, N/A where there is none
eurofxref-hist.zip     that file, compressed; eurofxref.zip has the row of one day, its date as `21 November 2026`
eurofxref-*.xml        <Cube time='2026-11-20'><Cube currency='USD' rate='1.0876'/>…

A rate is in units of the currency for one euro: the item `fx/usd_per_eur` in USD/EUR. It counts until the next one, for
at most `compute.prices.price_models.RATE_LIFE`.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from itertools import pairwise

from compute.catalogs.import_rows import ImportProblems, csv_rows
from compute.prices.price_models import RATE, RATE_LIFE, Catalog, Price, rate_item, rate_name
from compute.units.unit_table import CURRENCIES
from graph.groups import group_by
from graph.problems import Problem

NAME = "ecb"
LICENCE = "ECB: free reuse, source acknowledged"
SOURCE = "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html"

HISTORY = timedelta(days=3 * 366)  # read before the newest rate, unless the caller names the first day
_LARGEST = 64 * 1024 * 1024
_DAY = re.compile(r"<Cube\s+time=['\"](?P<day>[0-9-]{10})['\"]\s*>")
_RATE = re.compile(r"<Cube\s+currency=['\"](?P<currency>[A-Z]{3})['\"]\s+rate=['\"](?P<rate>[^'\"]+)['\"]")

Rates = Mapping[tuple[date, str], Decimal]  # units of a currency for one euro, by day and currency


def recognised(data: bytes) -> bool:
    """Whether a file is an archive, XML or table of the ECB's rates."""
    start = data[:2000].lstrip(b"\xef\xbb\xbf \r\n\t")
    if start.startswith(b"PK\x03\x04"):
        return b"eurofxref" in data[:200]
    return start.startswith(b"Date,") or (start.startswith(b"<") and b"<Cube" in data[:4000])


def load(document: str, data: bytes, on: date, since: date | None = None) -> tuple[Catalog, tuple[Problem, ...]]:
    """The rates of a file from `since` on as a catalogue, imported on a day, and what is left out."""
    problems = ImportProblems(document, "ecb-import")
    text = _text(data, problems)
    rates: dict[tuple[date, str], Decimal] = {}
    lost: list[tuple[int, str]] = []
    for line, day, currency, figure in _xml(text) if text.lstrip().startswith("<") else _table(text, problems):
        found = _rate(day, figure)
        if found is None:
            lost.append((line, f"{figure!r} of {currency} on {day!r} is not a rate"))
        elif found[0] > on:
            lost.append((line, f"the rate of {currency} is of {found[0]}, a future day"))
        else:
            rates[found[0], currency] = found[1]
    for line, message in lost[:20]:
        problems.add(message, line=line)
    return catalog_of(_chosen(rates, since, problems), on), problems.all()


def _rate(day: str, figure: str) -> tuple[date, Decimal] | None:
    try:
        when = date.fromisoformat(day) if "-" in day else datetime.strptime(day, "%d %B %Y").date()  # noqa: DTZ007  # a day has no zone
        value = Decimal(figure)
    except (ValueError, InvalidOperation):
        return None
    return (when, value) if value.is_finite() and value > 0 and -9 < value.adjusted() < 9 else None


def _chosen(rates: Rates, since: date | None, problems: ImportProblems) -> Rates:
    if not rates:
        return rates
    first = since or max(day for day, _ in rates) - HISTORY
    unknown = sorted({currency for _, currency in rates} - set(CURRENCIES))
    if earlier := len({day for day, _ in rates if day < first}):
        oldest = min(day for day, _ in rates)
        problems.add(f"{earlier} days before {first} are left out; --since {oldest} reads all")
    if unknown:
        problems.add(f"currencies without a unit here are left out: {', '.join(unknown)}")
    return {key: rate for key, rate in rates.items() if key[0] >= first and key[1] not in unknown}


def catalog_of(rates: Rates, on: date) -> Catalog:
    """Rates as a catalogue; each counts until the next of its currency."""
    prices = [
        Price(
            item=rate_item(rate_name(currency, "EUR")), component=RATE, value=rates[day, currency],
            unit=f"{currency}/EUR", currency=currency, valid_from=day, valid_to=min(end, day + RATE_LIFE),
            catalog=NAME, source=SOURCE, checked=day, licence=LICENCE,
        )
        for currency, keys in group_by(sorted(rates), lambda key: key[1]).items()
        for (day, _), (end, _) in pairwise([*keys, (date.max, "")])
    ]  # fmt: skip
    return Catalog(
        name=NAME, prices=tuple(prices), taken=on, version=max((day for day, _ in rates), default=on).isoformat(),
        licence=LICENCE,
    )  # fmt: skip


def joined(earlier: Catalog, later: Catalog) -> Catalog:
    """The rates of both imports; for a day in both the later import counts."""
    on = max((day for day in (earlier.taken, later.taken) if day), default=date.min)
    return catalog_of({**_rates(earlier), **_rates(later)}, on)


def _rates(catalog: Catalog) -> dict[tuple[date, str], Decimal]:
    return {(price.valid_from, price.currency): price.value for price in catalog.prices if price.valid_from}


def _text(data: bytes, problems: ImportProblems) -> str:
    if not data.startswith(b"PK"):
        return data.decode("utf-8-sig", "replace")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        inside = next(one for one in archive.namelist() if one.endswith(".csv"))
        with archive.open(inside) as member:
            found = member.read(_LARGEST + 1)
    if len(found) > _LARGEST:
        problems.add(f"the table in the archive is larger than {_LARGEST} bytes")
        return ""
    return found.decode("utf-8-sig", "replace")


def _table(text: str, problems: ImportProblems) -> Iterator[tuple[int, str, str, str]]:
    """Line, day, currency and figure of each cell with a rate."""
    for line, row in csv_rows(text, ["Date"], problems):
        day, *figures = row.values()
        for currency, figure in zip([*row][1:], figures, strict=True):
            if figure not in {"", "N/A"}:
                yield line, day, currency, figure


def _xml(text: str) -> Iterator[tuple[int, str, str, str]]:
    """The same of the XML, read by its two elements; no entity is expanded."""
    parts: Iterable[re.Match[str]] = re.finditer(rf"{_DAY.pattern}|{_RATE.pattern}", text)
    day = ""
    for part in parts:
        day = part["day"] or day
        if part["currency"] and day:
            yield text.count("\n", 0, part.start()) + 1, day, part["currency"], part["rate"]
