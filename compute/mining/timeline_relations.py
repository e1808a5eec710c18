"""Readings of timelines: two points of time and the lengths between them, where the words claim that they fit.

leaves at 13:40, takes 2 h 35 min, docks at 16:15        start + length
from 9:20 to 17:05, 45 minutes off, seven hours          end - start - off
born in 1951, she turned 70 in 2021                      last - first

What fits exactly holds. What does not is refuted only if the text has no other time beside the three, its words claim
the relation, and none of them says why it need not fit: a flight, a stop, working days, a term that ended early.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from compute.mining.calendar_points import NO_YEAR, CalendarPoint
from compute.mining.clock_points import ClockPoint, with_changed_clocks
from compute.mining.mining_models import Figure, MinedInput, Passage, Reading
from compute.mining.time_lengths import AgePoint, Length
from compute.mining.timeline_claims import probability
from compute.mining.timeline_fits import days_between, days_of, fit, is_inclusive, minutes, turn
from compute.mining.timelines import TIMELINE, Timeline, timelines
from compute.units.number_format import CLOCK

HOLDS, REFUTED = 0.25, 0.7
"""The probability of a claim from which a timeline is reported: where it fits, and where it does not."""
SUREST = 0.95


class Lasting(NamedTuple):
    """The reading of a timeline, and the spans of its points and lengths in the text."""

    reading: Reading
    spans: tuple[tuple[int, int], ...]


@lru_cache(maxsize=8)
def lasting(passage: Passage) -> tuple[Lasting, ...]:
    """The readings of the timelines of a passage."""
    return tuple(_lasting(passage))


def _lasting(passage: Passage) -> Iterator[Lasting]:
    every = [(one, fit(one)) for one in timelines(passage) if not _BOTH_ENDS.search(passage.mask, *one.span)]
    every = [(one, found) for one, found in every if found != "exact" or not _backwards(one, passage.mask)]
    exact = [one for one, found in every if found == "exact"]
    fitting = [one for one, found in every if found != "off"]
    for one, found in every:
        missed = found == "off" and not _saved(one, fitting) and _of_its_size(one) and not _otherwise(one, passage)
        if missed or (found == "exact" and not _shorter(one, exact)):
            chance = probability(one, passage.mask)
            if chance >= (REFUTED if missed else HOLDS):
                spans = tuple((part.start, part.end) for part in one.parts)
                yield Lasting(_reading(one, chance, missed=missed), spans)


def excused(passage: Passage) -> frozenset[int]:
    """Where lengths of a passage begin that words save from being refuted."""
    return frozenset(
        length.start
        for one in timelines(passage)
        if fit(one) == "off" and (_elsewhere(one, passage.mask) or _ABROAD.search(passage.mask, *one.span))
        for length in one.lengths
    )


def _backwards(one: Timeline, mask: str) -> bool:
    """Whether a length leads from a time of day to an earlier one, and no word says so."""
    first, second = one.first, one.second
    if not (isinstance(first, ClockPoint) and isinstance(second, ClockPoint)):
        return False
    between = one.parts[0] is first and one.parts[-1] is second
    later = _later(first, second, sum(map(minutes, one.lengths), Decimal(0)))
    return between and not later and _BACK.search(mask, *one.span) is None


_BACK = re.compile(
    r"\b(?:before|earlier|ago|early|behind|back|prior|previous\w*|after|since|from|left|began|started)\b", re.I
)
"""Words by which the second of two times may be the earlier one."""


def _shorter(one: Timeline, exact: Sequence[Timeline]) -> bool:
    """Whether the same points have a fitting timeline of more lengths."""
    return any(
        other.first is one.first and other.second is one.second and len(other.lengths) > len(one.lengths)
        for other in exact
    )


# ---- fair readings


def _saved(one: Timeline, fitting: Sequence[Timeline]) -> bool:
    """Whether another time stands beside a timeline, or a part of it fits elsewhere, and so is of something else."""
    starts = {part.start for part in one.parts}
    return not one.alone or any(starts & {part.start for part in other.parts} for other in fitting)


def _of_its_size(one: Timeline) -> bool:
    """Whether the lengths are about as long as the time between the points: else they are likely of something else."""
    long = sum(map(days_of, one.lengths), Decimal(0))
    return any(part / MOST_TIMES <= long <= part * MOST_TIMES for part in days_between(one))


MOST_TIMES = Decimal("2.5")
"""How many times as long as stated a time is at most, to be the same."""


def _otherwise(one: Timeline, passage: Passage) -> bool:
    """Whether words of the text say why the times need not fit."""
    start, end = one.span
    text = passage.mask[start:end]
    if any(part.age for part in one.lengths) and not _BORN.search(text):
        return True
    if isinstance(one.first, ClockPoint) and _of_other_days(text, end, passage.mask):
        return True
    text = _NOTHING_BETWEEN.sub("", _FLIGHT.sub("", text) if _SAME_ZONE.search(text) else text)
    return _OTHERWISE.search(text) is not None or _elsewhere(one, passage.mask)


def _of_other_days(text: str, end: int, mask: str) -> bool:
    """Whether times of day are of two weekdays, or the clocks were changed between them."""
    days = {match[0].lower() for match in _WEEKDAY.finditer(text)}
    return len(days) > 1 or with_changed_clocks(mask, end)


_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.I)


def _elsewhere(one: Timeline, mask: str) -> bool:
    """Whether the lengths of a timeline are of something else, whatever its other words say."""
    others = any(_of_others(part, mask) for part in one.lengths)
    return others or _from_elsewhere(one, mask) or _of_a_life(one, mask)


def _of_others(one: Length, mask: str) -> bool:
    """Whether a length is a limit, that of each of several things, or a part of itself."""
    limit = one.hedge in {"at most", "at least"} or ":" in one.text
    before = mask[max(0, one.start - 30) : one.start]
    return limit or _MANY.search(before) is not None


def _from_elsewhere(one: Timeline, mask: str) -> bool:
    """Whether the last part is a length that is counted from something else: nine years after his death."""
    last = one.parts[-1]
    return isinstance(last, Length) and _FROM_ELSEWHERE.match(mask, last.end) is not None


_MANY = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+) (?:(?!an? )[a-z]+ ){0,2}of (?:about )?$"
    r"|\bof (?:her|his|their|its|the|those|my|our) $",
    re.I,
)
"""A number of things of some length, or a part of it: two terms of four years; six of her nine years."""
_FROM_ELSEWHERE = re.compile(
    r" (?:after|before|into|from|since|prior to) (?!(?:that|then|it|they|he|she|we|you)\b)", re.I
)
"""Words after a length that say from what it is counted."""


def _of_a_life(one: Timeline, mask: str) -> bool:
    """Whether the points are the years of a life, and the length is that of something in it."""
    around = mask[max(0, one.first.start - 1) : one.second.end + 1]
    return _LIFE.fullmatch(around) is not None and not any(part.age for part in one.lengths)


_BORN = re.compile(
    r"\b(?:born|birth(?!days?\b)|b\.|christened|baptised|founded|opened|opens|established|planted|launched"
    r"|built|set up)(?=[\s,.])|\(\d{4}",
    re.I,
)
"""Words of a beginning, since when an age is counted."""
_LIFE = re.compile(r"\(\d{4} ?[-–—] ?\d{4}[,);]")
_SAME_ZONE = re.compile(r"\bsame time|\b(?:no|without)(?: an?y?)?(?: time)?[- ]?chang|\bone time zone\b", re.I)
_AIR = r"flights?|flew|fly|flies|flying|lands?|landed|landing|touch(?:es|ed)? down"
_FLIGHT = re.compile(rf"\b(?:{_AIR}|time[- ]zones?)\b", re.I)
_NOTHING_BETWEEN = re.compile(
    r"\b(?:in the )?same time[- ]zone\b"
    r"|\b(?:no|without)(?: an?y?)?(?: time)?[- ]?chang\w+(?: of time(?:[- ]zone)?| (?:of )?time[- ]zones?)?"
    r"|\b(?:no|without a) (?:break|stop|pause)s?\b|\bnon-?stop\b|\bif you will\b",
    re.I,
)
"""Words that say that nothing lies between."""
_ABROAD = re.compile(rf"\b(?:{_AIR}|local time|time[- ]zones?|clocks|hours? (?:ahead|behind))\b", re.I)
"""Words of other time zones."""
_BOTH_ENDS = re.compile(r"\binclusive\b|\bboth\b|\bfirst and (?:the )?last\b|\bincluded\b", re.I)
"""Words by which both ends may count, which the solver reads."""
_OTHERWISE = re.compile(
    rf"\b(?:{_AIR}|local|zones?|clocks|hours? (?:ahead|behind)|hours? (?:earlier|later) there"
    r"|(?:working|business|trading) days?|each|every|per|apiece|although|though|yet|however|despite|except|interrupt\w*"
    r"|adjourn\w*|paus\w+|intervals?|breaks?|lunch|stops?|stopp\w+|wait\w*|logged|supposed|scheduled|timetable|usually"
    r"|often|net|planned|estimated|promised|announced|deadline|early|ahead of|in advance|short of|at most|at least"
    r"|up to|half of|times|extra|paid|unpaid|postponed|rescheduled|brought forward|vacancy|re-?elected"
    r"|rejoin\w*|one (?:of|for|was|had|took|ran|[a-z]+ed)|(?:the|of|most) others?|spent|missed"
    r"|needed another|laps?|for ten|for five|older|younger"
    r"|(?:twice|half|thrice) as long as)\b",
    re.I,
)
"""Words by which the time between two points need not be the length that a text states beside them."""


# ---- the working


def _reading(one: Timeline, chance: float, *, missed: bool) -> Reading:
    """The reading; one that fits is reported only if it holds."""
    target, expression, inputs, note = _working(one)
    start, end = one.span
    sure = Decimal(str(round(min(SUREST, chance), 2)))
    return Reading(
        start, end, TIMELINE, inputs, expression, target, target.unit, sure, note=note, cautious=not missed
    )  # fmt: skip  # one line is more readable


_Working = tuple[Figure, str, tuple[MinedInput, ...], str]
"""The stated figure, the expression with its inputs, and a note."""


def _working(one: Timeline) -> _Working:
    first, second, lengths = one.first, one.second, one.lengths
    if isinstance(first, ClockPoint) and isinstance(second, ClockPoint):
        if one.parts[-1] is second:
            return _clock_after(first, second, lengths)
        return _clock_between(first, second, lengths)
    others = tuple(_length_input(part, place) for place, part in enumerate(lengths[:-1]))
    if isinstance(first, CalendarPoint) and isinstance(second, CalendarPoint):
        return _calendar_between(*_in_order(first, second), lengths[-1], others)
    ages = sorted((point for point in (first, second) if isinstance(point, AgePoint)), key=lambda point: point.years)
    inputs = [_year_input(name, point.text, point.years) for name, point in zip(("first", "last"), ages, strict=True)]
    return _length_figure(lengths[-1]), "last - first", (*inputs[::-1], *others), ""


def _clock_after(start: ClockPoint, end: ClockPoint, lengths: Sequence[Length]) -> _Working:
    """The later of two times of day, from the earlier one and the lengths."""
    total = sum(map(minutes, lengths), Decimal(0))
    sign = "+" if _later(start, end, total) else "-"
    named = [_length_input(part, place) for place, part in enumerate(lengths)]
    value = start.minute + (total if sign == "+" else -total)
    expression = "start" + "".join(f" {sign} {part.name}" for part in named)
    expression += _day_shift(value, Decimal(end.minute), turn(start, end))
    return _clock_figure(end), expression, (_clock_input("start", start), *named), ""


def _clock_between(first: ClockPoint, second: ClockPoint, lengths: Sequence[Length]) -> _Working:
    """The last length, from two times of day and the other lengths."""
    size, total = turn(first, second), sum(map(minutes, lengths), Decimal(0))
    start, end = (first, second) if _later(first, second, total) else (second, first)
    wanted = Decimal((end.minute - start.minute) % size)
    wanted += max(0, round((total - wanted) / size)) * size  # from Friday to Monday
    named = [_length_input(part, place) for place, part in enumerate(lengths[:-1])]
    expression = "end - start" + _day_shift(Decimal(end.minute - start.minute), wanted, size)
    expression += "".join(f" - {part.name}" for part in named)
    note = f"from {start.text.strip()} to {end.text.strip()}"
    return (
        _length_figure(lengths[-1]),
        expression,
        (_clock_input("end", end), _clock_input("start", start), *named),
        note,
    )


def _later(first: ClockPoint, second: ClockPoint, total: Decimal) -> bool:
    """Whether the second of two times of day is the later one, by how long something takes."""
    size = turn(first, second)
    gap, long = (second.minute - first.minute) % size, total % size
    return abs(gap - long) <= abs(size - gap - long)


def _day_shift(value: Decimal, wanted: Decimal, size: int) -> str:
    """The hours to add to a time, so that it is the nearest to another one of those that are the same time of day."""
    turns = round((wanted - value) / size)
    return "" if not turns else f" {'+' if turns > 0 else '-'} {abs(turns) * size // 60} h"


def _in_order(first: CalendarPoint, second: CalendarPoint) -> tuple[CalendarPoint, CalendarPoint]:
    """Two points, the earlier one first; days without a year in the order of the text: from 1 November to 1 March."""
    if first.day <= second.day:
        return first, second
    return (second, first) if first.dated else (first, replace(second, day=second.day.replace(year=NO_YEAR + 1)))


def _calendar_between(
    first: CalendarPoint, second: CalendarPoint, length: Length, others: tuple[MinedInput, ...]
) -> _Working:
    """The last length, from two days, months or years, and the other lengths."""
    note = f"from {first.text} to {second.text}"
    less = "".join(f" - {part.name}" for part in others)
    days = first.grain == second.grain == "day"
    if length.age or "year" in {first.grain, second.grain}:
        early = days and (second.day.month, second.day.day) < (first.day.month, first.day.day)
        last, begin = (
            _year_input(name, point.text, point.day.year) for name, point in (("last", second), ("first", first))
        )
        expression = f"last - first{' - 1 year' if early else ''}{less}"
        return _length_figure(length, "year"), expression, (last, begin, *others), note
    if length.unit in {"month", "year"}:  # months are counted: in a formula their length would have to be stated
        inclusive = days and is_inclusive(first, second)
        end, start = (f"{day.year} * 12 + {day.month}" for day in (second.day + timedelta(1) * inclusive, first.day))
        scale = " / 12" if length.unit == "year" else ""
        return _length_figure(length, ""), f"({end} - ({start})){scale}", (), note
    unit = "day" if length.unit == "night" else length.unit
    return _length_figure(length, unit), f"elapsed({first.day}, {second.day}){less}", others, note


# ---- figures and inputs


def _clock_input(name: str, one: ClockPoint) -> MinedInput:
    hours, rest = divmod(one.minute, 60)
    formula = f"{hours} h + {rest} minute" if rest else f"{hours} h"
    return MinedInput(name=name, formula=formula, text=one.text.strip(), value=Decimal(one.minute), unit="minute")


def _length_input(one: Length, place: int) -> MinedInput:
    unit = "day" if one.unit == "night" else one.unit
    name = f"length_{place + 1}" if place else "length"
    return MinedInput(name=name, formula=f"{one.amount:f} {unit}", text=one.text, value=one.amount, unit=unit)


def _year_input(name: str, text: str, year: int) -> MinedInput:
    return MinedInput(name=name, formula=f"{year} year", text=text, value=Decimal(year), unit="year")


def _clock_figure(one: ClockPoint) -> Figure:
    value, text = Decimal(one.minute), one.text.rstrip()
    return Figure(one.start, one.start + len(text), text, value, value, Decimal("0.5"), "unit", CLOCK)


def _length_figure(one: Length, unit: str | None = None) -> Figure:
    half = Decimal(5).scaleb(int(one.amount.as_tuple().exponent) - 1)
    told = one.unit if unit is None else unit
    return Figure(one.start, one.end, one.text, one.amount, one.amount, half, "unit", told, "", "", one.hedge, half)
