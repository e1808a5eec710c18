"""CSV (RFC 4180) that is safe to open in a spreadsheet.

A spreadsheet reads a cell as a formula if it begins with `=`, `+`, `-`, `@`, a tab or a line break, or with the
full-width forms of these. Such a cell gets a leading single quote, which marks it as text. Numbers stay numbers: `-0.5`
is written unchanged. https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The first characters of a formula."""

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_QUOTED = re.compile(r"[,;\t\r\n\"]|^[ ']|[ ]$")
"""Includes the separators of other locales: semicolon and tab."""


def text_cell(value: str) -> str:
    """A cell that no spreadsheet reads as a formula."""
    return f"'{value}" if value.startswith(FORMULA) and not _NUMBER.fullmatch(value) else value


def csv_row(cells: Iterable[object]) -> str:
    """One record, ended by CR LF: texts escaped, numbers with every digit, None as an empty cell."""
    return _record([text_cell("" if cell is None else str(cell)) for cell in cells]) + "\r\n"


def exact_rows(rows: Iterable[Iterable[str]]) -> str:
    """Records with every cell unchanged, ended by LF: for programs, never for a download."""
    return "".join(_record(list(row)) + "\n" for row in rows)


def _record(cells: Sequence[str]) -> str:
    """The cells of one record; a single empty cell is quoted, otherwise it would be an empty line."""
    return ",".join(map(_written, cells)) if list(cells) != [""] else '""'


def _written(cell: str) -> str:
    """A cell, quoted if it needs quotes."""
    return '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell
