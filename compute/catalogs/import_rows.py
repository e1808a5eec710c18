"""What imports of price lists share: rows of tables, numbers and days in them, and problems."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation

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
