"""The figures of a small table, with the units of its headers, so that the sentence after it can use them.

| Build | Time (s) |
|---|---|
| old   | 480      |      480 s, with the word `old` before it
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from compute.mining.figure_reader import unit_of
from compute.mining.mining_models import Figure
from compute.mining.noun_reader import SCALED, stem
from compute.mining.number_words import COINS, CURRENCIES, SCALES

MOST = 14
"""The most figures of a table that a sentence may use."""
ROW = re.compile(r"^[^\n|]*\|[^\n]*$", re.M)
RULE = re.compile(r"[\s|:-]+$")
_SIGN = re.compile(r"US\$|[$€£¥]|\b(?:USD|EUR|GBP|CHF|JPY)\b")
_WORD = re.compile(r"(?<!\w)[A-Za-z%]+(?:/[a-z]+)?(?!\w)")
_SCALE = re.compile(r"\b(?:((?-i:M|k|bn)|million|thousand|billion)s?)\b", re.I)
_SIGNED = re.compile(r"(?:[$€£¥] ?|\b[A-Z]{3} ?)(?:(k|m|bn|thousand|million|billion)s?\b|(000)\b)", re.I)
_SHORT = re.compile(r"[(,/] ?([A-Za-z])\b(?!/)")
_MILLION = re.compile(r"(?:/|\bper )\s?(?:1?M|million)\b")


def table_figures(mask: str, start: int, end: int, inside: Sequence[Figure]) -> list[Figure]:
    """The figures of the cells of a table at `start:end`, without its first column; none if it is no small table."""
    rows = [match.span() for match in ROW.finditer(mask, start, end)]
    rows = [span for span in rows if not RULE.fullmatch(mask, *span)]
    if len(rows) < 2:
        return []
    headed, starts = _cells(mask, *rows[0]), [figure.start for figure in inside]
    found: list[Figure] = []
    for first, last in rows[1:]:
        outer = mask[first:last].lstrip().startswith("|")
        for figure in inside[bisect_left(starts, first) : bisect_left(starts, last)]:
            column = mask.count("|", first, figure.start) - outer
            if figure.end <= last and column > 0 and not figure.ranged:
                found.append(_headed(figure, headed[column]) if column < len(headed) else figure)
        if len(found) > MOST:
            return []
    return found if len(found) > 1 else []


def _cells(mask: str, start: int, end: int) -> list[str]:
    """The texts of the cells of a row."""
    row = mask[start:end].strip()
    return [cell.strip() for cell in row.removeprefix("|").removesuffix("|").split("|")]


def _headed(figure: Figure, header: str) -> Figure:
    """A figure with the unit and the scale of its column, if it has none of its own."""
    if figure.sort != "count":
        return figure
    per = "Mtok" if _MILLION.search(header) else ""
    if sign := _SIGN.search(header):
        scale = None if per else _SIGNED.search(header)
        if scale:
            figure = _times(figure, Decimal(1000) if scale[2] else SCALES[scale[1].lower()])
        return replace(figure, sort="money", unit=CURRENCIES[sign[0].upper()], per=per)
    words = [word.lower() for word in _WORD.findall(header)]
    coin = next((COINS[word.removesuffix("s")] for word in words if word.removesuffix("s") in COINS), "")
    if coin and coin not in {"cent", "pence"}:
        return replace(figure, sort="money", unit=coin, per=per)
    if "%" in header:
        return replace(figure, sort="%")
    scale = _SCALE.search(header)
    if scale and not per:
        figure = _times(figure, SCALES[scale[1].lower()])
    unit = next((unit for word in _WORD.findall(header)[::-1] if (unit := unit_of(word)) and len(word) > 1), "")
    if unit:
        return replace(figure, sort="unit", unit=unit)
    named = next((noun for word in words if (noun := stem(word)) in SCALED and len(noun) > 1), "")
    short = _SHORT.search(header)
    named = named or (short[1].lower() if short and short[1].lower() in SCALED else "")
    return replace(figure, unit=named) if named else figure


def _times(figure: Figure, factor: Decimal) -> Figure:
    return replace(
        figure,
        low=figure.low * factor,
        high=figure.high * factor,
        half=figure.half * factor,
        coarse=figure.coarse * factor,
    )
