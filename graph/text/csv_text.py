"""CSV (RFC 4180), written in one place, and safe to open in a spreadsheet.

A spreadsheet takes a cell for a formula where it begins with `=`, `+`, `-`, `@`, a tab or a line break, also with the
wide forms of East Asian keyboards. Such a cell gets a single quote before it, which says that it is text. Numbers stay
numbers: `-0.5` is written as it is. https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a formula begins with."""

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_QUOTED = re.compile(r"[,;\t\r\n\"]|^[ ']|[ ]$")
"""Also what splits cells where the separator is a semicolon or a tab."""


def text_cell(value: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{value}" if value.startswith(FORMULA) and not _NUMBER.fullmatch(value) else value


def csv_row(cells: Iterable[object]) -> str:
    """One record, ended by CR LF: texts made safe, numbers with every digit, None as an empty cell."""
    return _record([text_cell("" if cell is None else str(cell)) for cell in cells]) + "\r\n"


def exact_rows(rows: Iterable[Iterable[str]]) -> str:
    """Records with every cell as it is, ended by LF: for programs, never for a download."""
    return "".join(_record(list(row)) + "\n" for row in rows)


def _record(cells: Sequence[str]) -> str:
    """The cells of one record; a lone empty cell is in quotes, or it would be an empty line."""
    return ",".join(map(_written, cells)) if list(cells) != [""] else '""'


def _written(cell: str) -> str:
    """A cell in quotes where it needs them."""
    return '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell
