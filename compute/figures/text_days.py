"""Days and periods in texts: 13 May 2024, Q3 2024, early 2025, until April 2026."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from compute.figures.number_words import word_list

MONTHS = word_list("january february march april may june july august september october november december")
MONTH_PATTERN = "Sept|" + "|".join(f"{name[:3].title()}(?:{name[3:]})?" for name in MONTHS)
_DAY = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})\s+)?(?P<month>{MONTH_PATTERN})\.?\s+"
    rf"(?:(?P<after>\d{{1,2}})(?:st|nd|rd|th)?,\s*)?(?P<year>20\d\d)\b",
    re.I,
)
_PERIOD = re.compile(
    rf"(?i){_DAY.pattern}|\b(?P<first>{MONTH_PATTERN})(?=\.?(?:\s(?:and|to|through)\s|[-–])"
    rf"(?:{MONTH_PATTERN})\.?\s+(?P<same>20\d\d)\b)"
    r"|\b(?P<iso>20\d\d-\d\d-\d\d)\b|\bQ(?P<quarter>[1-4])\s+(?P<qyear>20\d\d)\b"
    r"|\b(?P<part>early|mid|late|spring|summer|autumn|fall|winter)[ -]?(?:of )?(?P<pyear>20\d\d)\b"
    r"|(?:\b(?:in|during|of|since|until|till|by|from|end of|start of|through|before|after|for|and)\s"
    r"|[(—–]\s?)(?P<alone>20\d\d)\b(?![-.,]?\d)"
)
_UNTIL = re.compile(r"\b(?:until|till|through|before|up to|by the end of)\s(?:the\s)?$", re.I)
_SINCE = re.compile(r"\b(?:since|after|from|as from|effective|beginning)\s(?:the\s)?$", re.I)
_PARTS = {"early": (1, 4), "mid": (5, 8), "late": (9, 12), "spring": (3, 6), "summer": (6, 9), "winter": (1, 12)}
_PARTS |= dict.fromkeys(("autumn", "fall"), (9, 12))


class Period(NamedTuple):
    """The days from `first` to `last`, both included; None if open."""

    first: date | None
    last: date | None


@lru_cache(maxsize=64)
def periods(text: str) -> tuple[Period, ...]:
    """The periods of this century in a text, in order."""
    found = []
    for match in _PERIOD.finditer(text) if "20" in text else ():
        span = _span(match)
        if span is None:
            continue
        start = match.start("alone") if match["alone"] else match.start()
        before = text[max(0, match.start() - 16) : start]
        until, since = _UNTIL.search(before), _SINCE.search(before)
        found.append(Period(None if until else span[0], None if since and not until else span[1]))
    return tuple(found)


def _span(match: re.Match[str]) -> tuple[date, date] | None:
    if match["month"] or match["first"]:
        return _days(match)
    if match["quarter"]:
        begin = int(match["quarter"]) * 3 - 2
        return _months(int(match["qyear"]), begin, begin + 2)
    if match["part"]:
        return _months(int(match["pyear"]), *_PARTS[match["part"].lower()])
    if match["alone"]:
        return _months(int(match["alone"]), 1, 12)
    try:
        day = date.fromisoformat(match["iso"])
    except ValueError:
        return None
    return day, day


def _months(year: int, begin: int, end: int) -> tuple[date, date]:
    return date(year, begin, 1), date(year, end, monthrange(year, end)[1])


def _days(match: re.Match[str]) -> tuple[date, date]:
    """The first and last day of a month, or the one day stated."""
    name, year = match["month"] or match["first"], int(match["year"] or match["same"])
    month = [one[:3] for one in MONTHS].index(name[:3].lower()) + 1
    day = int(match["day"] or match["after"] or 0)
    first, last = _months(year, month, month)
    return (date(year, month, day), date(year, month, day)) if 1 <= day <= last.day else (first, last)
