"""Two points of time and a length, of which each may follow from the other two.

leaves at 13:40, takes 2 h 35 min, docks at 16:15              times of day, minutes
from 3 to 24 March, three weeks                                days, weeks
born in 1951, she turned 70 in 2021                            years, the age
joined at 22 and left after 31 years, at 53                    ages, years

A text is read for every three that stand near each other; whether it says that they fit is decided elsewhere.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from compute.mining.calendar_points import CalendarPoint, calendar_points
from compute.mining.clock_points import ClockPoint, clock_points
from compute.mining.mining_models import Passage
from compute.mining.time_lengths import AgePoint, Length, age_points, lengths_of

TIMELINE = "timeline"
"""The name of the rule."""
FARTHEST = 400
"""The most characters from the first to the last of three times that belong together."""
MOST_SENTENCES = 3
Point = ClockPoint | CalendarPoint | AgePoint
UNITS = {
    "clock": frozenset({"second", "minute", "h"}),
    "day": frozenset({"h", "day", "night", "week", "month", "year"}),
    "month": frozenset({"month", "year"}),
    "year": frozenset({"year"}),
    "age": frozenset({"year"}),
    "": frozenset[str](),
}
"""The units of lengths between points of some kind."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Two points of a text and the lengths that may be the time between them; `span` is that of the sentences.

    It is `alone` if those have no other point of the kind, and no other length that may be between the two.
    """

    first: Point
    second: Point
    lengths: tuple[Length, ...]
    span: tuple[int, int]
    alone: bool = True

    @property
    def parts(self) -> tuple[Point | Length, ...]:
        """The points and lengths, in text order."""
        return tuple(sorted((self.first, self.second, *self.lengths), key=_start))

    @property
    def axis(self) -> str:
        """What the points are: `clock`, `age`, or the grain of the less exact one: `day`, `month`, `year`."""
        return axis(self.first, self.second)


def axis(one: Point, two: Point) -> str:
    """What two points are; empty if they cannot be compared."""
    if isinstance(one, CalendarPoint) and isinstance(two, CalendarPoint):
        grains = {one.grain, two.grain}
        return "year" if "year" in grains else "month" if "month" in grains else "day" if one.dated == two.dated else ""
    return "" if type(one) is not type(two) else "clock" if isinstance(one, ClockPoint) else "age"


@lru_cache(maxsize=8)
def timelines(passage: Passage) -> tuple[Timeline, ...]:
    """The possible timelines of a passage, in text order of their points."""
    mask = passage.mask
    if not any(word in mask for word in _LASTING):
        return ()
    dated: list[Point] = [*clock_points(mask), *calendar_points(mask)]
    ages = age_points(mask) if len(dated) > 1 or any(word in mask for word in _YEARS) else ()
    if len(dated) < 2 and len(ages) < 2:
        return ()
    lengths = [one for one in lengths_of(passage) if not _overlap(one, dated)]
    aged = [one for one in ages if not _overlap(one, dated) and not _overlap(one, lengths)]
    if aged and _BIRTH.search(mask):
        since = [Length(one.start, one.end, one.text, Decimal(one.years), "year", age=True) for one in aged]
        lengths = sorted([*lengths, *since], key=_start)
    return tuple(_Text(passage, tuple(sorted([*dated, *aged], key=_start)), tuple(lengths)).timelines())


_YEARS = ("year", "decade", "anniversary", "birthday", "jubilee", "wedding")
_LASTING = (
    *_YEARS, "aged ", "turn", "born ", "Born ", "second", "minute", " min", "-min", "hour", "hrs", " hr", " h ", "h ",
    " h,", " h.", "h0", "h1", "h2", "h3", "h4", "h5", " s ", " s.", " s,", " day", "-day", " night", "week", "month",
    "fortnight", "b. ",
)  # fmt: skip  # a list of words
"""Words of which a text with a length of time has one: a quick look before it is read."""
_BIRTH = re.compile(
    r"\bborn\b|\bbirth\b(?!day)|\bb\. |\(\d{4} ?[-–—]|\bchristened\b|\bbaptised\b|\bold\b|\bage of\b|\bturned\b", re.I
)
"""Words of a birth, or the years of a life in parentheses: an age does not follow from other years."""


def _start(one: Point | Length) -> int:
    return one.start


def _overlap(one: Point | Length, others: Sequence[Point | Length]) -> bool:
    return any(other.start < one.end and one.start < other.end for other in others)


@dataclass(frozen=True, slots=True)
class _Text:
    """A passage with its points and lengths."""

    passage: Passage
    points: tuple[Point, ...]
    lengths: tuple[Length, ...]

    def timelines(self) -> Iterator[Timeline]:
        """All timelines."""
        for first, second in self._pairs():
            for some in self._some(first, second):
                span = self._span(sorted((first, second, *some), key=_start))
                if span is not None:
                    yield Timeline(first, second, some, span, self._alone(first, second, some, span))

    def _pairs(self) -> Iterator[tuple[Point, Point]]:
        """Points of one kind that follow each other in the text, and the first of three with the last."""
        for kind in (ClockPoint, CalendarPoint, AgePoint):
            some = [one for one in self.points if isinstance(one, kind)]
            yield from ((one, two) for one, two in pairwise(some) if axis(one, two))
            if len(some) == 3 and axis(some[0], some[2]):
                yield some[0], some[2]

    def _some(self, first: Point, second: Point) -> Iterator[tuple[Length, ...]]:
        """The lengths that may be the time between two points: each one, and two or three together."""
        units = UNITS[axis(first, second)]
        ages = isinstance(first, AgePoint)
        near = [
            one
            for one in self.lengths
            if one.unit in units and first.start - FARTHEST < one.start < second.end + FARTHEST
        ]
        yield from ((one,) for one in near if not (one.age and ages))
        for count in (2, 3):
            for place in range(len(near) - count + 1):
                some = near[place : place + count]
                if not any(one.age for one in some):
                    yield tuple(some)

    def _span(self, parts: Sequence[Point | Length]) -> tuple[int, int] | None:
        """The sentences from the first to the last of some parts; None if these do not stand together."""
        start, end = parts[0].start, parts[-1].end
        passage, borders = self.passage, self.passage.borders
        if end - start > FARTHEST or "\n\n" in passage.text[start:end] or "|" in passage.mask[start:end]:
            return None
        first, last = bisect_left(borders, start + 1) - 1, bisect_left(borders, end)
        if last - first > MOST_SENTENCES:
            return None
        return borders[first], borders[min(last, len(borders) - 1)]

    def _alone(self, first: Point, second: Point, some: tuple[Length, ...], span: tuple[int, int]) -> bool:
        kinds = (AgePoint, CalendarPoint) if isinstance(first, AgePoint) else (type(first),)
        units, taken = UNITS[axis(first, second)], {one.start for one in (first, second, *some)}
        others = [one for one in self.points if isinstance(one, kinds)]
        further = [one for one in self.lengths if one.unit in units]
        return all(one.start in taken for one in (*others, *further) if span[0] <= one.start and one.end <= span[1])
