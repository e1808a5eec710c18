"""The day that stands at the head of a text without front matter.

# What our assistant will cost         at most one heading, and lines such as `Author: A. Holt`, may come first
Date: 20 November 2026                 also As of, Dated, Published, or the day alone on its line

# What our assistant will cost         at most one heading, and lines such as `Author: A. Holt`, may be above it
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

MOST_LINES = 8
"""How many lines with text are looked at."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMES = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
_DAY = re.compile(
    r"(?:(?:date|dated|published|as of)\s*:?\s+)?"
    rf"(?:(?P<iso>\d{{4}}-\d\d-\d\d)|(?P<day>\d{{1,2}})\s+(?P<month>{_NAMES})\.?,?\s+(?P<year>\d{{4}})"
    rf"|(?P<us_month>{_NAMES})\.?\s+(?P<us_day>\d{{1,2}}),?\s+(?P<us_year>\d{{4}}))\.?",
    re.I,
)
_HEADING = re.compile(r"#{1,6}\s+\S")
_FIELD = re.compile(r"[A-Za-z][A-Za-z ]{0,30}:(?:\s|$)")
_MARKS = str.maketrans("", "", "*_")


def head_date(lines: Sequence[str]) -> date | None:
    """The day at the head of these lines, None if there is none."""
    headings = 0
    for line in _first(lines):
        plain = line.translate(_MARKS).strip()
        if found := _DAY.fullmatch(plain):
            return _day(found)
        headings += bool(_HEADING.match(plain))
        if headings > 1 or not (_HEADING.match(plain) or _FIELD.match(plain)):
            return None
    return None


def _first(lines: Iterable[str]) -> Iterable[str]:
    filled = (line for line in lines if line.strip())
    return (line for line, _ in zip(filled, range(MOST_LINES), strict=False))


def _day(found: re.Match[str]) -> date | None:
    try:
        if found["iso"]:
            return date.fromisoformat(found["iso"])
        month = _MONTHS.index((found["month"] or found["us_month"])[:3].lower()) + 1
        return date(int(found["year"] or found["us_year"]), month, int(found["day"] or found["us_day"]))
    except ValueError:
        return None  # the thirtieth of February
