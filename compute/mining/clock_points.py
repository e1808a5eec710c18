"""Times of day in prose: 07:40, 7.40 am, 1930 hours, half past nine, ten to six, noon, eight in the evening.

A time that does not say morning or evening is `halved`: at half past seven, from eight to five.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from compute.mining.cue_search import found_near
from compute.mining.spelled_numbers import ONES, numeral_value

DAY, HALF_DAY = 1440, 720
"""Minutes."""
_HOUR = "|".join(ONES[:12])
_PARTS = {"quarter": 15, "a quarter": 15, "half": 30, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25,
          "twenty five": 25}  # fmt: skip
_SIDE = r" ?[ap]\.?m\b\.?| (?:in the (?:morning|afternoon|evening)|at night)\b"
_NO_START = r"(?<![\w:.,/$€£¥+−])"
_AT = r"\b(?:at|from|until|till|to|by|before|after|since|and|about|around|shortly|past|is|just)(?: (?:about|around))? "
_CLOCK = re.compile(
    rf"{_NO_START}(?P<hour>[01]?\d|2[0-4])(?::(?P<minute>[0-5]\d))(?!\d|:\d|[.,]\d|%|\w)(?P<half>{_SIDE})?"
    rf"|{_NO_START}(?P<hour2>[01]?\d)(?:[.:](?P<minute2>[0-5]\d))?(?P<half2>{_SIDE})"
    rf"|\b(?:(?P<part>(?:a )?quarter|half|five|ten|twenty(?:[- ]five)?)(?: minutes)? (?P<side>past|to) )"
    rf"(?P<of>{_HOUR}|noon|midnight|1[0-2]|[1-9])\b(?![-\d:.]\d|[- ](?:hours?|minutes?|years?|per ?cent))"
    rf"(?P<half3>{_SIDE})?"
    rf"|\b(?P<sharp>{_HOUR}|\d{{1,2}}) ?o['’]clock\b(?P<half4>{_SIDE})?"
    rf"|\b(?P<spoken>{_HOUR})(?P<half5> (?:in the (?:morning|afternoon|evening)|at night)\b)"
    r"|\b(?P<named>noon|midnight|midday)\b"
    r"|(?<![\d.,$€£¥:-])(?P<army>[01]\d[0-5]\d|2[0-3][0-5]\d)(?: hours\b| ?hrs\b|h\b)",
    re.I,
)
_BARE = re.compile(
    rf"{_AT}(?P<hour>{_HOUR}|1[0-2]|[1-9])"
    r"(?=[.,;:)]?(?:\s|$)(?! ?(?:%|percent|of|years?|hours?|minutes?|days?|people)))"
    r"(?=[,;.)]|$| (?:and|on|to|until|till|when|but|the|with|for|sharp|or|in)\b|–)",
    re.I,
)
_DOTTED = re.compile(rf"{_NO_START}(?P<hour>[01]?\d|2[0-3])\.(?P<minute>[0-5]\d)(?!\d|:\d|[.,]\d|%|\w)")
_CUE = re.compile(
    rf"[\dPpTtOoNnMmAa](?:(?<=\d)|(?i:(?<=p)ast |(?<=t)o (?:{_HOUR}|noon|midnight)|(?<=o)['’]clock|(?<=n)oon"
    r"|(?<=m)id(?:night|day)|(?<=n) the (?:morning|afternoon|evening)|(?<=a)t night))"
)
"""What every time of day has: a digit, or one of these words."""
_POINT = re.compile(r"(?<=\d)\.\d")


@dataclass(frozen=True, slots=True)
class ClockPoint:
    """A time of day at `start:end` of a text, in minutes since midnight; `firm` if it cannot be read otherwise."""

    start: int
    end: int
    text: str
    minute: int
    halved: bool = False
    firm: bool = True


@lru_cache(maxsize=16)
def clock_points(mask: str) -> tuple[ClockPoint, ...]:
    """The times of day of a masked text, in order; none overlap."""
    return tuple(_points(mask))


@lru_cache(maxsize=16)
def spoken_times(mask: str) -> frozenset[int]:
    """The offsets within times of day that are said with a word: the *nine* of half past nine counts nothing."""
    spoken = (one for one in clock_points(mask) if one.firm and any(sign.isalpha() for sign in one.text))
    return frozenset(place for one in spoken for place in range(one.start, one.end))


def with_changed_clocks(mask: str, end: int) -> bool:
    """Whether the text soon after an offset says that clocks were changed, or differ: *the clocks went back*."""
    return _CLOCKS.search(mask, end, end + _CLOCKS_AFTER) is not None


_CLOCKS = re.compile(r"\bclocks\b|\btime[- ]zones?\b|\b(?:daylight saving|summer time|local time)\b", re.I)
_CLOCKS_AFTER = 120
"""How many characters after a statement the text may say why its times do not fit."""


def _points(mask: str) -> Iterator[ClockPoint]:
    firm = [point for match in found_near(_CUE, _CLOCK, mask) if (point := _point(match)) is not None]
    loose = [*_loose(_BARE.finditer(mask)), *_loose(found_near(_POINT, _DOTTED, mask))]
    taken = [(point.start, point.end) for point in firm]
    free = [one for one in loose if not any(first < one.end and one.start < last for first, last in taken)]
    yield from sorted([*firm, *free], key=lambda one: one.start)


def _loose(matches: Iterable[re.Match[str]]) -> Iterator[ClockPoint]:
    for match in matches:
        start, end = match.span("hour")
        minute = match.groupdict().get("minute")
        end = match.end("minute") if minute else end
        hour, text = numeral_value(match["hour"]), match.string[start:end]
        yield ClockPoint(start, end, text, hour * 60 + int(minute or 0), halved=hour <= 12, firm=False)


_SIDES = ("half", "half2", "half3", "half4", "half5")
"""The groups for whether it is morning or evening."""


def _point(match: re.Match[str]) -> ClockPoint | None:
    minute, halved = _minute(match)
    half = next((match[name] for name in _SIDES if match[name]), "").strip().lower()
    if half:
        evening = half[0] == "p" or "evening" in half or "afternoon" in half or ("night" in half and minute >= 360)
        minute, halved = minute % HALF_DAY + HALF_DAY * evening, False
    return ClockPoint(*match.span(), match[0], minute % DAY, halved) if minute <= DAY else None


def _minute(match: re.Match[str]) -> tuple[int, bool]:
    """The minutes since midnight, and whether it may as well be twelve hours later."""
    if match["named"]:
        return (0 if match["named"].lower() == "midnight" else HALF_DAY), False
    if match["army"]:
        return int(match["army"][:2]) * 60 + int(match["army"][2:]), False
    if match["hour"]:
        hour = match["hour"]
        return int(hour) * 60 + int(match["minute"]), len(hour) == 1 and hour != "0"
    if match["hour2"]:
        return int(match["hour2"]) * 60 + int(match["minute2"] or 0), False
    if match["of"]:
        word, part = match["of"].lower(), _PARTS[match["part"].lower()]
        named = word in {"noon", "midnight"}
        hour = (12 if word == "noon" else 0) if named else numeral_value(word)
        return (hour * 60 + (part if match["side"].lower() == "past" else -part)) % DAY, not named
    return numeral_value(match["sharp"] or match["spoken"]) * 60, True
