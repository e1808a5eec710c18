"""Days, months and years in prose as points of a calendar: 14 March 2022, March 14, 2022-03-14, August 1958, 1989.

A day without a year has that of the nearest one that has a year before it, or none: then only days between are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Literal

from compute.mining.cue_search import found_near
from compute.mining.date_text import MONTH_PATTERN, month_number

Grain = Literal["day", "month", "year"]
NO_YEAR = 2023
"""The year of a day whose year a text does not say; it has no 29 February."""
_CENTURY = r"1[5-9]\d\d|20\d\d"
_NO_ORDINAL = (
    r"(?! (?:of|century|floor|place|anniversary|birthday|hole|minute|time|day|edition)\b"
    r"|[- ][a-z]+(?: [a-z]+)? (?:street|floor))"
)
"""What does not follow a day of which only the number is stated: the 14th of his goals, the 3rd floor."""
_DATE = re.compile(
    rf"\b(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH_PATTERN})\b(?:\.(?= \d))?"
    rf"(?:,? (?P<year>{_CENTURY})\b)?"
    rf"|\b(?P<month2>{MONTH_PATTERN})\.? (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d)(?:,? (?P<year2>{_CENTURY})\b)?"
    r"|\b(?P<iso>(?:1[5-9]|20)\d\d-\d\d-\d\d)\b"
    rf"|\b(?P<month3>{MONTH_PATTERN})\.?,? (?:of )?(?P<year3>{_CENTURY})\b(?![-\d]|[.,]\d)"
    r"|\b(?:on|until|till|by|from|to|before|after|since) the (?P<only>\d{1,2})(?:st|nd|rd|th)\b"
    rf"{_NO_ORDINAL}"
    rf"|(?<![\w.,$€£¥/:#+−-])(?P<year4>{_CENTURY}|(?<=(?: in| of|rom|nce|een|and| to|til) )1[0-4]\d\d"
    r"|(?<=\()1[0-4]\d\d)(?![\w%/]|[.,:]\d|-\d)",
    re.I,
)
_DIGIT = re.compile(r"\d")
_COUNTED = re.compile(
    r" (?:more |new |of the )?(?!was\b|is\b|has\b|as\b|its\b|his\b|this\b|does\b|plus\b)[a-z]{2,}s\b"
    r"| (?:people|children|men|women|hours|tokens?)\b",
    re.I,
)
"""What follows a number of things, which is no year: 1800 seats."""


@dataclass(frozen=True, slots=True)
class CalendarPoint:
    """A day, a month or a year at `start:end` of a text; `day` is the first one; `dated` says that it has its year."""

    start: int
    end: int
    text: str
    grain: Grain
    day: date
    dated: bool = True


@lru_cache(maxsize=16)
def calendar_points(mask: str) -> tuple[CalendarPoint, ...]:
    """The days, months and years of a masked text, in order; none overlap."""
    return tuple(_with_years([*_points(mask)]))


def _points(mask: str) -> Iterator[CalendarPoint]:
    for match in found_near(_DIGIT, _DATE, mask):
        if match["year4"] and _COUNTED.match(mask, match.end()):
            continue
        found = _point(match)
        if found is not None:
            yield found


def _point(match: re.Match[str]) -> CalendarPoint | None:
    (start, end), text = match.span(), match[0]
    try:
        if match["only"]:
            start = end - len(match["only"]) - 2
            day = date(1, 1, int(match["only"]))
            return CalendarPoint(start, end, text[start - match.start() :], "day", day, dated=False)
        grain, day = _stated(match)
    except ValueError:
        return None  # 31 June
    name = match["month"] or match["month2"]
    if name in {"may", "march"}:
        return None  # may 20 people
    return CalendarPoint(start, end, text, grain, day, dated=not name or bool(match["year"] or match["year2"]))


def _stated(match: re.Match[str]) -> tuple[Grain, date]:
    """What a match states, and its first day; raises ValueError for a day that is none."""
    if match["iso"]:
        return "day", date.fromisoformat(match["iso"])
    if match["year4"]:
        return "year", date(int(match["year4"]), 1, 1)
    if match["month3"]:
        return "month", date(int(match["year3"]), month_number(match["month3"]), 1)
    year, number = match["year"] or match["year2"] or NO_YEAR, match["day"] or match["day2"]
    return "day", date(int(year), month_number(match["month"] or match["month2"]), int(number))


def _with_years(found: list[CalendarPoint]) -> Iterator[CalendarPoint]:
    """The points; a day without a year has that of a day beside it which has one: 29 November 2021 to 9 March."""
    last: CalendarPoint | None = None
    dated: CalendarPoint | None = None
    for place, one in enumerate(found):
        whole = _in_month(one, last) if one.day.year == 1 else one
        if not whole.dated:
            after = next(
                (other for other in found[place + 1 : place + 2] if other.dated and other.grain == "day"), None
            )
            whole = _in_year(whole, dated, after)
        if whole.grain == "day":
            last, dated = whole, whole if whole.dated else dated
        yield whole


def _in_month(one: CalendarPoint, last: CalendarPoint | None) -> CalendarPoint:
    """A day of which only the number is stated, in the month of the day before it in the text, or in the next month."""
    base = last.day if last is not None and one.start - last.end < NEAR else date(NO_YEAR, 1, 1)
    months = base.year * 12 + base.month - 1 + (one.day.day < base.day)
    try:
        day = date(months // 12, months % 12 + 1, one.day.day)
    except ValueError:
        day = date(NO_YEAR, 1, one.day.day)
    return replace(one, day=day, dated=last is not None and last.dated)


NEAR = 300
"""How many characters before a day another one may stand that says its month."""


def _in_year(one: CalendarPoint, before: CalendarPoint | None, after: CalendarPoint | None) -> CalendarPoint:
    try:
        if before is not None:
            day = one.day.replace(year=before.day.year)
            return replace(one, day=day if day >= before.day else day.replace(year=day.year + 1), dated=True)
        if after is not None:
            day = one.day.replace(year=after.day.year)
            return replace(one, day=day if day <= after.day else day.replace(year=day.year - 1), dated=True)
    except ValueError:
        return one  # 29 February
    return one
