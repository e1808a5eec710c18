"""Cells of tables as figures: `~$3.50/hr`, `175B`, `50-65%`, `2x`.

    cell   = [ "~" | "≈" | "<" | ">" ] figure [ ("-" | "–" | "to") figure ] [ "+" ] [ "(" remark ")" ]
    figure = [ currency ] number [ scale ] [ unit ]

A range is a figure only where one of its ends, or the middle, is asked for. A remark in brackets is not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from compute import units
from compute.formula.lexer import SCALES
from compute.prices import Missing
from compute.units import EXACT, Unit
from graph.nodes import Table

_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP"}
_FIGURE = r"(?P<sign{0}>[$€£]?)\s*(?P<number{0}>\d[\d,_]*(?:\.\d+)?)\s*(?P<scale{0}>[kKMBT](?![A-Za-z]))?"
_CELL = re.compile(
    r"[~≈<>≤≥\s]*"
    + _FIGURE.format(1)
    + r"(?:\s*(?:-|–|—|to)\s*"
    + _FIGURE.format(2)
    + r")?\s*(?P<open>\+)?\s*(?P<unit>%|x|×|[A-Za-z/][A-Za-z0-9/*_ ]*?)?\s*(?P<more>\+)?"
    + r"\s*(?:\((?P<remark>[^)]*)\))?\s*"
)
_PLURALS = {"hr": "h", "hrs": "h", "yr": "year", "M tokens": "Mtok", "×": "x"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure read from a table, in base units, with its unit and the text of the cell."""

    value: Decimal
    unit: Unit
    text: str


def cell(table: Table, row: str, column: str, pick: str | None) -> Cell | Missing:
    """The figure in a cell; rows go by their first cell, columns by their header, both without regard to case."""
    where = f"the cell {row!r}, {column!r} of the table {table.name!r}"
    place = _column(table, column)
    cells = [cells for cells in table.rows if cells and _same(cells[0], row)]
    if place is None:
        return Missing(what=where, reason=f"there is no such column; there are {', '.join(table.header)}")
    if len(cells) != 1 or place >= len(cells[0]):
        found = "no such row" if not cells else f"{len(cells)} such rows"
        return Missing(what=where, reason=f"there is {found}")
    return _figure(cells[0][place], table.units[place] if place < len(table.units) else None, pick, where)


def _column(table: Table, column: str) -> int | None:
    found = [place for place, name in enumerate(table.header) if _same(name, column)]
    return found[0] if len(found) == 1 else None


def _same(cell_text: str, wanted: str) -> bool:
    return _folded(cell_text) == _folded(wanted)


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[*_`]", "", text).split()).casefold()


def _figure(text: str, unit: str | None, pick: str | None, where: str) -> Cell | Missing:
    match = _CELL.fullmatch(text.replace("**", "").strip())
    if match is None:
        return Missing(what=where, reason=f"‘{text}’ is not a figure")
    low, high = _number(match, 1, match["scale2"]), _number(match, 2, None)
    ends = {"low": low, "high": high, "middle": None if low is None or high is None else (low + high) / 2}
    chosen = low if high is None and not (match["open"] or match["more"]) else ends.get(pick or "")
    if chosen is None:
        return Missing(what=where, reason=f'‘{text}’ is a range: choose its end with pick="low", "middle" or "high"')
    return _measured(chosen, _unit_text(match, unit), text, where)


def _number(match: re.Match[str], place: int, scale_behind: str | None) -> Decimal | None:
    written = match[f"number{place}"]
    if written is None or len(written) > 30:
        return None
    scale = match[f"scale{place}"] or scale_behind
    return Decimal(written.replace(",", "").replace("_", "")).scaleb(SCALES[scale] if scale else 0)


def _unit_text(match: re.Match[str], stated: str | None) -> str:
    currency = _CURRENCIES.get(match["sign1"] or match["sign2"] or "", "")
    written = (match["unit"] or "").strip()
    parts = [_PLURALS.get(part.strip(), part.strip()) for part in written.split("/")]
    own = currency + "/".join(parts)
    return stated if stated and not parts[0] and not currency else own or (stated or "")


def _measured(value: Decimal, unit_text: str, text: str, where: str) -> Cell | Missing:
    try:
        unit = units.unit(unit_text)
    except units.UnitError as error:
        return Missing(what=where, reason=f"‘{text}’: {error}")
    return Cell(EXACT.multiply(value, unit.factor), unit, text)
