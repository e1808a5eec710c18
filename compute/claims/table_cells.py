"""Cells of tables as figures: `~$3.50/hr`, `175B`, `50-65%`, `2x`.

    cell   = [ "~" | "≈" | "<" | ">" ] figure [ ("-" | "–" | "to") figure ] [ "+" ] [ "(" note ")" ]
    figure = [ currency ] number [ scale ] [ unit ]

A range is a figure only if the formula picks one of its ends or the middle. A note in parentheses is ignored.
The header completes the unit of a cell: `$1.50` below `Input ($/M tokens)` is in USD/Mtok. If the two contradict each
other, or the header cannot be parsed, there is no figure.

    unit  = part { ("/" | "per") part }
    part  = [ scale ] [ word { ("-" | " " | "*") word } ]      `$/M` alone is per million tokens
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from compute.formula.lexer import SCALES
from compute.prices.price_models import Missing
from compute.units import units
from compute.units.unit_table import CURRENCIES, CURRENCY_SIGNS
from compute.units.units import EXACT, Unit
from graph.models.node_models import Table

_FIGURE = (
    r"(?P<sign{0}>[$€£]?)\s*(?P<number{0}>(?:[1-9]\d{{0,2}}(?:,\d{{3}})+|\d[\d_]*)(?:\.\d+)?)"
    r"\s*(?P<scale{0}>[kKMBT](?![A-Za-z]))?"
)
_CELL = re.compile(
    r"[~≈<>≤≥\s]*+"
    + _FIGURE.format(1)
    + r"(?:\s*(?:-|–|—|to)\s*"
    + _FIGURE.format(2)
    + r")?\s*(?P<open>\+)?\s*(?P<unit>%|x|×|[A-Za-z/][A-Za-z0-9/*_ ]*?)?\s*(?P<more>\+)?"
    + r"\s*(?:\((?P<remark>[^)]*)\))?\s*"
)


class Cell(NamedTuple):
    """A figure of a table in base units, its unit and the text of the cell."""

    value: Decimal
    unit: Unit
    text: str


def cell(table: Table, row: str, column: str, pick: str | None) -> Cell | Missing:
    """The figure of a cell; rows are found by their first cell, columns by their header, both case-insensitive."""
    where = f"the cell {row!r}, {column!r} of the table {table.name!r}"
    places = [place for place, name in enumerate(table.header) if _folded(name) == _folded(column)]
    cells = [cells for cells in table.rows if cells and _folded(cells[0]) == _folded(row)]
    if len(places) != 1:
        return Missing(what=where, reason=f"there is no such column; there are {', '.join(table.header)}")
    place = places[0]
    if len(cells) != 1 or place >= len(cells[0]):
        found = "no such row" if not cells else f"{len(cells)} such rows"
        return Missing(what=where, reason=f"there is {found}")
    stated = table.units[place] if place < len(table.units) else None
    return _figure(cells[0][place], pick, where, table.header[place], _unit_words(stated or ""))


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[*_`]", "", text).split()).casefold()


def _figure(text: str, pick: str | None, where: str, header: str, stated: str) -> Cell | Missing:
    """The figure of a cell; `stated` is the unit of its header, or empty."""
    match = _CELL.fullmatch(" ".join(text.replace("**", "").split()))
    if match is None:
        return Missing(what=where, reason=f"‘{text}’ is not a figure", unread=True)
    low, high = _number(match, 1, match["scale2"]), _number(match, 2, None)
    ends = {"low": low, "high": high, "middle": None if low is None or high is None else (low + high) / 2}
    chosen = low if high is None and not (match["open"] or match["more"]) else ends.get(pick or "")
    if chosen is None:
        return Missing(
            what=where, reason=f'‘{text}’ is a range: choose its end with pick="low", "middle" or "high"', unread=True
        )
    try:
        unit = units.unit(_cell_unit(match, header, stated))
    except (units.UnitError, _ContradictionError) as error:
        return Missing(what=where, reason=f"‘{text}’ below ‘{header}’: {error}", unread=True)
    return Cell(EXACT.multiply(chosen, unit.factor), unit, text)


def _number(match: re.Match[str], place: int, scale_behind: str | None) -> Decimal | None:
    written = match[f"number{place}"]
    if written is None or len(written) > 30:
        return None
    scale = match[f"scale{place}"] or scale_behind
    return Decimal(written.replace(",", "").replace("_", "")).scaleb(SCALES[scale] if scale else 0)


class _ContradictionError(ValueError):
    """A cell and its header are in different units."""


def _cell_unit(match: re.Match[str], header: str, stated: str) -> str:
    """A cell's own unit, completed by its header; raises _ContradictionError."""
    currency = CURRENCY_SIGNS.get(match["sign1"] or match["sign2"] or "", "")
    counted = _unit_words(match["unit"] or "")
    if counted and (currency or not counted.startswith("/")):
        return currency + counted
    if currency:
        return _of_money(currency, header, stated)
    if not counted and stated in CURRENCIES:
        return stated + _counted(header)
    if not counted or stated.endswith(counted):
        return stated
    if stated in CURRENCIES:
        return stated + counted
    raise _ContradictionError(f"the cell is in ‘{counted}’, its column in ‘{stated or 'no unit'}’")


def _of_money(currency: str, header: str, stated: str) -> str:
    """Unit of a cell with only a currency; raises _ContradictionError if its header has another one."""
    if not stated:
        return currency + _counted(header)
    money, _, counted = stated.partition("/")
    if money in {"", currency}:
        return currency + (f"/{counted}" if counted else _counted(header))
    units.unit(stated)  # raises its own error if this is not a unit
    raise _ContradictionError(f"the cell is in {currency}, its column in {stated}")


def _counted(header: str) -> str:
    """What money is paid per in a header without a readable unit: `/GPU/h` of `Cost per GPU-hour`; else "".

    A slash between words may also mean "or"; only `per` and a slash after a currency are certain.
    """
    for found in reversed(list(re.finditer(r"(?:[$€£¥]|(?<![\s$€£¥]))\s*+(?:/|\bper\b)", header))):
        if match := _PAID_PER.fullmatch(header, found.start()):
            paid_per = _unit_words("/" + match["what"])
            return paid_per if units.known(paid_per) or match["mark"].strip() != "/" else ""
    return ""


# ---- units as written in headers and cells: `$/M tokens` is `USD/Mtok`, `$/GPU-hr` is `USD/GPU/h`

_COUNTS = {"k": "k", "thousand": "k", "1000": "k", "m": "M", "mm": "M", "million": "M", "b": "G", "billion": "G"}
_COUNT = re.compile(r"(?:1\s?)?(?P<scale>k|mm?|b|thousand|million|billion)\b|(?P<thousand>1,?000)\b", re.IGNORECASE)
_KINDS_OF_TOKENS = frozenset({"input", "output", "cached", "prompt", "completion", "blended"})
_SPELLINGS = {
    "h": "h hr hrs hour hours",
    "year": "yr yrs years",
    "minute": "min mins",
    "day": "d",
    "GPU": "gpu gpus",
    "kWh": "kwh",
    "MWh": "mwh",
    "token": "tok toks tokens",
    "ktok": "ktok",
    "Mtok": "mtok mtoken mtokens",
    "x": "×",
    "request": "requests",
}
_WORDS = {word: unit for unit, words in _SPELLINGS.items() for word in words.split()}
_PER = re.compile(r"(?<!\s)\s*+(?:/|\bper\b)\s*")
_PAID_PER = re.compile(
    r"(?P<mark>[$€£¥]?\s*(?:/|\bper\b))\s*(?P<what>[^()\[\],/]+(?:/[^()\[\],/]+)*?)\s*(?:[()\[\],].*)?"
)


def _unit_words(written: str) -> str:
    """A unit in the words of `compute.units.units`; unknown words are unchanged."""
    for sign, code in CURRENCY_SIGNS.items():
        written = written.replace(sign, code)
    first, *counted = _PER.split(" ".join(written.split()))
    return "".join(["*".join(_words(first)), *(f"/{word}" for part in counted for word in _paid_for(part))])


def _paid_for(part: str) -> Iterator[str]:
    """What a price is paid for: `M tokens`, `1K requests`, `GPU-hr`, `M` alone."""
    scale = _COUNT.match(part)
    if scale is None:
        yield from _words(part) or [part]
        return
    words = [word for word in _words(part[scale.end() :]) if word.casefold() not in _KINDS_OF_TOKENS]
    name = _COUNTS[(scale["scale"] or "1000").casefold()]
    yield name + ("tok" if not words or words == ["token"] else "*".join(words))


def _words(part: str) -> list[str]:
    found = [word for word in re.split(r"[\s*·-]+", part) if word and word != "faster"]
    return [
        _WORDS.get(word, _WORDS.get(word.casefold(), word)) if len(word) > 1 else _WORDS.get(word, word)
        for word in found
    ]
