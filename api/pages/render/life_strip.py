"""A life line as a strip: bars on a line of days, from the claim's own day into the announced future."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from compute.record.life_models import LifeLine, LifeSpan, LifeState

WIDTH = 1000
"""The width of a strip in its own units; the page stretches it."""

AHEAD = timedelta(days=90)
"""At least so many days after today are shown, if a turn is announced for one of them."""


@dataclass(frozen=True, slots=True)
class LifeSegment:
    """One span as a segment of the strip: its state, and its start and width in integer units.

    `ahead`: it is still to come. `undated`: it fails by prices that are not dated for its first day.
    """

    state: str
    x: int
    width: int
    ahead: bool
    undated: bool


@dataclass(frozen=True, slots=True)
class LifeStrip:
    """The bars from `first` to `last`; `today` is where today is, None if it is before the claim's own day."""

    bars: tuple[LifeSegment, ...]
    first: date
    last: date
    today: int | None


def bars(life: LifeLine) -> LifeStrip:
    """The bars of a life line. A span that today divides is two bars, so that what is to come can look different."""
    first, last = life.as_of, _end(life)
    days = max(1, (last - first).days)

    def at(day: date) -> int:
        return round(WIDTH * min(max(0, (day - first).days), days) / days)

    found = []
    for span in life.spans:
        end = min(span.end or last, last)
        parts = [(span.start, min(end, life.today), False), (max(span.start, life.today), end, True)]
        for start, stop, ahead in parts:
            if at(start) < at(stop):
                found.append(LifeSegment(span.state.value, at(start), at(stop) - at(start), ahead, _undated(span)))
    return LifeStrip(tuple(found), first, last, at(life.today) if life.today >= first else None)


def _undated(span: LifeSpan) -> bool:
    return span.state is LifeState.FAILED and not span.dated


def _end(life: LifeLine) -> date:
    """The last day that is shown: today, or some time after the last announced turn."""
    coming = [turn.day for turn in life.turns if turn.day > life.today]
    start = max(life.today, life.as_of)
    if not coming:
        return start if start > life.as_of else start + AHEAD
    return coming[-1] + max(AHEAD / 2, (coming[-1] - life.as_of) / 10)
