"""What imports of price lists share: rows of tables, numbers and days in them, problems, and offers of GPUs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation, localcontext
from typing import NamedTuple

from compute.prices.price_models import Price
from graph.groups import group_by
from graph.ids import ascii_slug
from graph.problems import Problem, Severity
from graph.values import dumps

Cells = Mapping[str, str]  # the text of a row by column
_LONGEST = 60
_LARGEST_EXPONENT = 30
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class RowError(ValueError):
    """A row of another shape, and what is wrong with it."""


class ImportProblems:
    """The problems of one file, all with one `code`."""

    def __init__(self, document: str, code: str) -> None:
        self._document, self._code = document, code
        self._found: list[Problem] = []

    def add(self, message: str, severity: Severity = Severity.WARNING, line: int | None = None) -> None:
        """Report an entry, or the row on a line."""
        self._found.append(Problem.of(self._document, self._code, message, severity=severity, line=line))

    def all(self) -> tuple[Problem, ...]:
        """The problems so far."""
        return tuple(self._found)


def csv_rows(text: str, columns: Iterable[str], problems: ImportProblems) -> Iterator[tuple[int, Cells]]:
    """The line and the stripped cells of each row; none if a column is missing."""
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), skipinitialspace=True)
    absent = [column for column in columns if column not in (reader.fieldnames or ())]
    if absent:
        problems.add(f"the header lacks {', '.join(absent)}", line=1)
        return
    try:
        for row in reader:
            yield reader.line_num, {column: (cell or "").strip() for column, cell in row.items() if column}
    except csv.Error as error:
        problems.add(f"not readable as CSV: {error}", line=reader.line_num)


def number(value: object) -> Decimal | None:
    """The number in a cell or a JSON value; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        return None
    try:
        found = Decimal(value)
    except InvalidOperation:
        return None
    return found if found.is_finite() and abs(found.adjusted()) < _LARGEST_EXPONENT else None


def day(cells: Mapping[str, object], column: str) -> date:
    """The day in a cell. Raises RowError if it is none."""
    value = cells[column]
    try:
        if isinstance(value, str) and _DAY.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:
        pass  # such as 2026-02-30
    raise RowError(f"{column} is {as_written(value)}, which is not a date such as 2026-02-28")


def as_written(value: object) -> str:
    """A value of a JSON file as it stands there, cut if long: `-1.0`, `null`, a text in quotes."""
    text = repr(value) if isinstance(value, str) else str(value) if isinstance(value, Decimal) else dumps(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


# ---- offers of instances with GPUs in clouds' catalogues

_FORMS = (
    ("nvl", re.compile(r"nvl|^standard_nc\d+\w*_h100")),
    ("pcie", re.compile(r"pcie|^standard_nc\d+\w*_a100")),
    (
        "sxm",
        re.compile(
            r"sxm|hbm3|^p[456]\w*\.|^a3-(?:high|mega|ultra)gpu|^a4-|^a2-(?:high|ultra)gpu|^standard_nd\d"
            r"|^bm\.gpu\.|^\d+[abh]\d+\.\d+s"
        ),
    ),
)
"""The form of a GPU by the names that vendors and clouds give to it or to its instances."""

_SEVERAL = re.compile(r"(?:a100|h100|h200|b200|b300)\b")  # GPUs that come in several forms


class Offer(NamedTuple):
    """The price of one instance in one region, with no or some accelerators."""

    instance: Price
    accelerator: str
    accelerators: Decimal


def gpu_name(name: str, instance: str) -> str:
    """The name of a GPU with its form, if known: `H100`, `gpu_8x_h100_sxm5` is `h100-sxm`."""
    slug = ascii_slug(re.sub(r"(?i)(?<=\d)(?=nvl$)", "-", name))
    if not _SEVERAL.match(slug):
        return slug
    slug = re.sub(r"-(?:sxm|nvl|pcie)\d?\b", "", slug) if (form := _form(slug)) else slug
    form = form or _form(instance.lower())
    return f"{slug}-{form}" if form else slug


def _form(text: str) -> str:
    return next((form for form, pattern in _FORMS if pattern.search(text)), "")


def gpu_prices(offers: Iterable[Offer], provider: str) -> Iterator[Price]:
    """The price of one GPU, the lowest of the instances in each region."""
    with localcontext(prec=28):
        costs = [(offer.instance.value / offer.accelerators, offer) for offer in offers if offer.accelerators]
    places = group_by(costs, lambda one: (one[1].accelerator, one[1].instance.component, one[1].instance.region))
    for each, offer in (min(found, key=lambda one: one[0]) for found in places.values()):
        name, count = offer.instance.item.partition("/")[2], f"{offer.accelerators.normalize():f}"
        derived = f"{offer.instance.value} USD an hour for {name}, divided by its {count} accelerators"
        found = {"item": f"{provider}/{offer.accelerator}", "value": each, "unit": "USD/GPU/h"}
        yield offer.instance.model_copy(update=found | ({"derived": derived} if offer.accelerators != 1 else {}))


def template(catalog: str, imported: date, licence: str, source: str) -> Price:
    """What the prices of the instances of an undated catalogue share."""
    return Price(
        item="", component="", value=Decimal(0), unit="USD/instance/h", valid_from=imported, dated="record",
        catalog=catalog, checked=imported, licence=licence, source=source,
    )  # fmt: skip
