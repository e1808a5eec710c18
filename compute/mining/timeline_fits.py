"""Whether the lengths of a timeline are the time between its points: exactly, as roughly as they are stated, or not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Literal

from compute.mining.calendar_points import CalendarPoint
from compute.mining.claim_scopes import HOURS
from compute.mining.clock_points import DAY, HALF_DAY, ClockPoint
from compute.mining.time_lengths import AgePoint, Length
from compute.mining.timelines import UNITS, Timeline

Fit = Literal["exact", "near", "off"]
_DAYS = {
    "h": Decimal(1) / 24, "day": Decimal(1), "night": Decimal(1), "week": Decimal(7), "month": Decimal("30.44"),
    "year": Decimal("365.25"),
}  # fmt: skip  # one line per group is more readable
_NO = Decimal(0)


def fit(one: Timeline) -> Fit:
    """Whether a timeline fits."""
    first, second = one.first, one.second
    if isinstance(first, ClockPoint) and isinstance(second, ClockPoint):
        return _clock_fit(first, second, one.lengths)
    if isinstance(first, CalendarPoint) and isinstance(second, CalendarPoint):
        early, late = sorted((first, second), key=lambda point: point.day)
        return _calendar_fit(one.axis, early, late, one.lengths)
    if isinstance(first, AgePoint) and isinstance(second, AgePoint):
        return _of_miss(abs(abs(second.years - first.years) - one.lengths[0].amount))
    return "off"


def _of_miss(off: Decimal, near: Decimal = _NO, exact: Decimal = _NO) -> Fit:
    return "exact" if off <= exact else "near" if off <= near else "off"


# ---- times of day


def minutes(one: Length) -> Decimal:
    """A length of seconds, minutes or hours in minutes."""
    return one.amount * HOURS[one.unit] * 60


def turn(first: ClockPoint, second: ClockPoint) -> int:
    """After how many minutes two times of day are the same again: half a day if one may be morning or evening."""
    return HALF_DAY if first.halved or second.halved else DAY


def _clock_fit(first: ClockPoint, second: ClockPoint, lengths: Sequence[Length]) -> Fit:
    gap, total = second.minute - first.minute, sum(map(minutes, lengths), _NO)
    if all(part.unit == "second" for part in lengths):  # 13:41 and 14:08 are minutes and seconds: 27 seconds apart
        return _of_miss(abs(abs(gap) - total * 60))
    size = turn(first, second)
    remainders = [(gap - sign * total + DAY * 100) % size for sign in (1, -1)]  # a remainder of Decimal has its sign
    off = min(min(one, size - one) for one in remainders)
    return _of_miss(off, sum(map(_room, lengths), _NO), Decimal("0.5") if total % 1 else _NO)


def _room(one: Length) -> Decimal:
    """By how many minutes a length that is rounded may differ from what is meant."""
    long = minutes(one)
    if one.hedge:
        return max(long / 10, Decimal(10))
    step = next((size for size in (60, 30, 15, 10, 5) if long % size == 0), 1)
    return Decimal(step) / 2


# ---- days, months, years


def _calendar_fit(axis: str, first: CalendarPoint, second: CalendarPoint, lengths: Sequence[Length]) -> Fit:
    if axis == "day":
        whole = all(part.unit in {"year", "month"} for part in lengths)
        return _months_fit(first, second, lengths) if whole else _days_fit(first, second, lengths)
    hedged = any(part.hedge for part in lengths)
    if axis == "month":
        stated = _months(lengths)
        years = 12 if all(part.unit == "year" for part in lengths) else 0  # 63 years and a half are 63 years
        return _of_miss(
            abs(_months_between(first, second) - stated), max(Decimal(1 + years), stated / 10 if hedged else _NO)
        )
    stated = sum((part.amount for part in lengths), _NO)
    rounded = stated / 4 if stated % 100 == 0 else max(map(_decades, lengths))
    off = abs(second.day.year - first.day.year - stated)
    return _of_miss(off, max(Decimal(1), rounded, stated / 10 if hedged else _NO))


def _decades(one: Length) -> Decimal:
    """By how many years decades and centuries may differ from what is meant."""
    return one.amount / 2 if re.search(r"decade|centur", one.text, re.I) else _NO


def _months(lengths: Sequence[Length]) -> Decimal:
    return sum((part.amount * (12 if part.unit == "year" else 1) for part in lengths), _NO)


def _months_between(first: CalendarPoint, second: CalendarPoint) -> int:
    """The months between the months of two points."""
    return (second.day.year - first.day.year) * 12 + second.day.month - first.day.month


def is_inclusive(first: CalendarPoint, second: CalendarPoint) -> bool:
    """Whether whole months end with the second day, which counts: from 1 October to 31 March, six months."""
    return (second.day + timedelta(1)).day == first.day.day


def _months_fit(first: CalendarPoint, second: CalendarPoint, lengths: Sequence[Length]) -> Fit:
    """The fit of months and years between two days: to the same day of the month, or the one before it."""
    stated, full, days = _months(lengths), _months_between(first, second), Decimal((second.day - first.day).days)
    if any(part.age for part in lengths):
        completed = (full - (second.day.day < first.day.day)) // 12
        return _of_miss(abs(completed - stated / 12))
    exact = (second.day.day == first.day.day and full == stated) or (
        is_inclusive(first, second) and _months_between(first, replace(second, day=second.day + timedelta(1))) == stated
    )
    off = abs(days - stated * _DAYS["month"])
    if not first.dated and days + stated < 366:  # from 1 November to 1 March
        exact = exact or (second.day.day == first.day.day and 12 - full == stated)
        off = min(off, abs(365 - days - stated * _DAYS["month"]))
    room = max(Decimal(16), days / 10 if any(part.hedge for part in lengths) else _NO)
    return "exact" if exact else _of_miss(max(off, Decimal(1)), room)


def _days_fit(first: CalendarPoint, second: CalendarPoint, lengths: Sequence[Length]) -> Fit:
    gap = (second.day - first.day).days
    stated = sum((part.amount * _DAYS[part.unit] for part in lengths), _NO)
    off = min(abs(stated - days) for days in ([gap] if first.dated else [gap, 365 - gap, 366 - gap]))
    if all(part.unit in {"night", "h"} for part in lengths):
        return _of_miss(off)
    rough = Decimal(3) if any(part.unit in {"week", "month", "year"} for part in lengths) else Decimal(1)
    return _of_miss(off, max(rough, stated / 10 if any(part.hedge for part in lengths) else _NO))


# ---- sizes


def days_of(one: Length) -> Decimal:
    """A length in days, a month as 30.44 of them."""
    return minutes(one) / DAY if one.unit in UNITS["clock"] else one.amount * _DAYS[one.unit]


def days_between(one: Timeline) -> tuple[Decimal, ...]:
    """The days between the points of a timeline; of times of day those in both directions."""
    first, second = one.first, one.second
    if isinstance(first, ClockPoint) and isinstance(second, ClockPoint):
        size = turn(first, second)
        gap = (second.minute - first.minute) % size
        return Decimal(gap) / DAY, Decimal(size - gap) / DAY
    if isinstance(first, CalendarPoint) and isinstance(second, CalendarPoint):
        return (Decimal(abs((second.day - first.day).days)),)
    if isinstance(first, AgePoint) and isinstance(second, AgePoint):
        return (abs(second.years - first.years) * _DAYS["year"],)
    return ()
