"""Times of runs and laps as one figure, in seconds: 50:00, 2:06:00, a pace of 5:00 min/km.

Only beside a pace, a distance or a word of sport: elsewhere 10:30 is a time of day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from compute.mining.cue_search import found_near
from compute.mining.figure_reader import hedged
from compute.mining.mining_models import Figure

_CLOCK = re.compile(
    r"(?<![\d:.,/])(?:(?P<hours>\d{1,2}):)?(?P<minutes>\d{1,3}):(?P<seconds>[0-5]\d)(?!\d|:\d|[.,]\d|%| ?[ap]\.?m\b)"
    r"(?: (?:min(?:utes?)?(?=/| per | a )|h\b))?"
)
_TENTHS = re.compile(
    r"(?<![\d:.,/])(?:(?P<hours>\d):)?(?P<minutes>\d{1,2}):(?P<seconds>[0-5]\d\.\d{1,3})(?!\d|[:.,]\d|%)"
)
"""A time with tenths of a second, which is no time of day."""
_MINUTES = re.compile(r":[0-5]\d")
_SPORT = re.compile(
    r"\b(?:pace|laps?|splits?|PB|personal best|marathon|min/km|min/mile|min per|per (?:km|kilomet\w+|mile)|\d+ ?km|\d+k"
    r"|rowed|swam|ran|jog\w*|miles? in|m in)\b"
)
_OF_DAY = re.compile(r"\b(?:at|from|until|till|since|by|before|after|between|around|left|start\w*|open\w*|clos\w+) $")
_NEAR = 120


def clock_times(mask: str) -> Iterator[Figure]:
    """The times of runs and laps of a masked text, in seconds."""
    yield from _with_tenths(mask)
    for match in found_near(_MINUTES, _CLOCK, mask):
        start, end = match.span()
        before = mask[max(0, start - _NEAR) : start]
        if _OF_DAY.search(before) or not _SPORT.search(before + mask[start : end + _NEAR]):
            continue
        value = Decimal(int(match["hours"] or 0) * 3600 + int(match["minutes"]) * 60 + int(match["seconds"]))
        half = Decimal("0.5")
        yield Figure(start, end, match[0], value, value, half, "unit", "second", "", "", hedged(mask, start), half)


def _with_tenths(mask: str) -> Iterator[Figure]:
    for match in found_near(_MINUTES, _TENTHS, mask):
        value = int(match["hours"] or 0) * 3600 + int(match["minutes"]) * 60 + Decimal(match["seconds"])
        half = Decimal(5).scaleb(-1 - len(match["seconds"].partition(".")[2]))
        hedge = hedged(mask, match.start())
        yield Figure(*match.span(), match[0], value, value, half, "unit", "second", "", "", hedge, half)
