"""Numbers with a decimal comma, rewritten as English ones of the same length, so that one reader reads both.

25,0 %                                   25.0 %
1.234,56 €                               1,234.56 €
8.000 €, and elsewhere 2,5 %             8,000 €
1,250 €, and elsewhere 2,5 %             blank: one and a quarter, or a slip for 1250

A comma is certainly a decimal one if one or two digits follow it, and a percent sign or a currency is beside: the
numbers of a list have a space between them. What can be read in two ways is blank: no figure, so it accuses none.
"""

from __future__ import annotations

import re
from functools import lru_cache

BLANK = "\x00"
"""What hides a number that can be read in two ways, as masks hide what is not prose."""

_BEGIN, _END = r"(?<![\w.,])", r"(?![.,]?\d)"
_SIGN = r"(?P<sign>(?:US\$|[€£$¥])\s?)"
_UNIT = r"\s?(?:%|[€£$]|(?:EUR|USD|GBP|CHF|PLN|DKK|SEK|NOK|kr|zł)\b|(?i:euros?|dollars?|prozent|franken)\b)"
_POINTED = r"[1-9]\d{0,2}(?:\.\d{3})+"
_WHOLE = rf"(?:{_POINTED}|[1-9]\d{{0,2}}(?:[ \u00a0\u202f]\d{{3}})+|0|[1-9]\d{{0,14}})"
_COMMA = re.compile(rf"{_BEGIN}{_SIGN}?{_WHOLE},\d{{1,2}}{_END}(?(sign)|(?=(?:\s?[–-]\s?{_WHOLE},\d{{1,2}})?{_UNIT}))")
"""A decimal comma beyond doubt: 25,0 %, € 2,50, 1.234,56 EUR, 5,5–6,5 %."""
_POINT = re.compile(
    rf"[$€£]\s?(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,15}})\.\d{{1,2}}{_END}|(?<![\d.,])\d{{1,15}}\.\d{{1,2}}{_UNIT}"
    r"|(?<![\d.,])\d{1,3}(?:,\d{3}){2}(?![\d,])|(?<![\d.,])\d{1,3},\d{3}\.\d"
)
"""A decimal point beyond doubt, or several commas between thousands: $2.50, 97.5%, 1,250,000."""
_OTHER = re.compile(
    rf"{_BEGIN}(?<!\[)(?:(?P<clear>{_WHOLE},\d{{1,2}}|0,\d{{3,9}}|[1-9]\d{{0,14}},\d{{4,9}}|{_POINTED})"
    rf"|[1-9]\d{{0,2}},\d{{3}}){_END}(?!\])"
)
"""Other numbers of a text with decimal commas; all are `clear` but 1,250."""
_EUROS = re.compile(rf"{_BEGIN}(?:€\s?{_POINTED}{_END}|{_POINTED}{_END}(?=\s?€))")
"""Thousands, or three decimals: 8.000 €."""
_POINTS_MORE = 2
"""How many decimal points to a comma make the comma a slip of an English text."""
_ENGLISH = str.maketrans(".,\u00a0\u202f", ",.,,")


@lru_cache(maxsize=16)
def english_numbers(text: str) -> str:
    """A text in which decimal commas are points, and points between thousands commas; its length is the same."""
    commas = len(_COMMA.findall(text))
    if not commas:
        return _EUROS.sub(_blank, text) if "€" in text and not _POINT.search(text) else text
    points = len(_POINT.findall(text))
    text = _COMMA.sub(_swapped, text)
    if points > _POINTS_MORE * commas:
        return text
    return _OTHER.sub(_blank if points else _read, text)


def _read(match: re.Match[str]) -> str:
    return _swapped(match) if match["clear"] else _blank(match)


def _swapped(match: re.Match[str]) -> str:
    """A number in English; blank if a space in it may be one between two numbers."""
    number = match[0].translate(_ENGLISH)
    return _blank(match) if re.search(r"\d \d", number) else number


def _blank(match: re.Match[str]) -> str:
    return BLANK * len(match[0])
