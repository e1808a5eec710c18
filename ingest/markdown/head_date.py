"""The date at the top of a text without front matter.

# What our assistant will cost         at most one heading, and lines such as `Author: A. Holt`, may come first
Date: 20 November 2026                 also As of, Dated, Published, or the day alone on its line
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import islice

MOST_LINES = 8

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMES = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
_LABEL = re.compile(r"(?:date|dated|published|as of)(?:\s*+:\s++|\s++)", re.I)
_HEADING = re.compile(r"#{1,6}\s+\S")
_FIELD = re.compile(r"[A-Za-z][A-Za-z ]{0,30}:(?:\s|$)")
_MARKS = str.maketrans("", "", "*_")


def head_date(lines: Sequence[str]) -> date | None:
    """The day at the head of these lines, or None."""
    headings = 0
    for line in islice(filter(str.strip, lines), MOST_LINES):
        plain = line.translate(_MARKS).strip()
        stated = _LABEL.sub("", plain, count=1) if _LABEL.match(plain) else plain
        if (found := _STATED.fullmatch(stated.removesuffix("."))) and not (found["y"] or found["first"]):
            return _day(found)
        headings += bool(_HEADING.match(plain))
        if headings > 1 or not (_HEADING.match(plain) or _FIELD.match(plain)):
            return None
    return None


def written_day(written: str) -> date | None:
    """The day in a field, such as `5 Jan 2026 10:00`; None if unclear."""
    try:
        return date.fromisoformat(written[:10])
    except ValueError:
        found = _STATED.match(written.strip("[] \t\"'"))
    if found is None:
        return None
    if found["y"]:
        return _valid(found["y"], found["m"] or found["mm"], found["d"] or found["dd"])
    if not found["first"]:
        return _day(found)
    first, second = int(found["first"]), int(found["second"])
    if found["sign"] != "." and first <= 12 and second <= 12 and first != second:
        return None  # day and month may be exchanged
    return _valid(found["last"], *((first, second) if second > 12 else (second, first)))


def _valid(year: str, month: int | str, day: int | str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None  # the thirtieth of February


_STATED = re.compile(
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
    r"(?:(?P<iso>\d{4}-\d\d-\d\d)"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\.?[\s-]+(?P<month>{_NAMES})\.?,?[\s-]+(?P<year>\d{{4}})"
    rf"|(?P<us_month>{_NAMES})\.?\s+(?P<us_day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<us_year>\d{{4}})"
    r"|(?P<y>\d{4})(?:[-/._年]\s?(?P<m>\d{1,2})[-/._月]\s?(?P<d>\d{1,2})日?|(?P<mm>\d\d)(?P<dd>\d\d)(?:\d{4}|\d{6})?)"
    r"|(?P<first>\d{1,2})(?P<sign>[./-])\s?(?P<second>\d{1,2})(?P=sign)\s?(?P<last>\d{4}))"
    r"(?=$|[T\s,])",
    re.I,
)
"""A day in a field; dots, as in `5.1.2026`, mean that the day is first."""


def _day(found: re.Match[str]) -> date | None:
    if found["iso"]:
        return _valid(*found["iso"].split("-"))
    month = _MONTHS.index((found["month"] or found["us_month"])[:3].lower()) + 1
    return _valid(found["year"] or found["us_year"], month, found["day"] or found["us_day"])
