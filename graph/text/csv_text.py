"""CSV (RFC 4180) for spreadsheets: a text that looks like a formula gets a leading single quote; numbers get none.

https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import re
from collections.abc import Iterable

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The first characters of a formula, also full-width."""

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_QUOTED = re.compile(r"[,;\t\r\n\"]|^[ ']|[ ]$")  # quotes also for the separators of other locales: semicolon and tab


def text_cell(value: str) -> str:
    """A cell that no spreadsheet reads as a formula."""
    return f"'{value}" if value.startswith(FORMULA) and not _NUMBER.fullmatch(value) else value


def csv_row(cells: Iterable[object]) -> str:
    """A record for spreadsheets, with CR LF; None is an empty cell."""
    return _record([text_cell("" if cell is None else str(cell)) for cell in cells]) + "\r\n"


def exact_rows(rows: Iterable[Iterable[str]]) -> str:
    """Unchanged records with LF: for programs, never for downloads."""
    return "".join(_record(list(row)) + "\n" for row in rows)


def _record(cells: list[str]) -> str:
    """One record; a single empty cell is quoted, else it would be an empty line."""
    if cells == [""]:
        return '""'
    return ",".join('"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell for cell in cells)
