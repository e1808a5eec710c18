"""Strips of days: a claim's life line, and stacked bars of all verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from api.pages.render.verdict_signs import VERDICTS
from compute.record.life_models import LifeLine, LifeState, LifeTurn
from compute.record.record import moves_text
from compute.reports.report_model import SOURCE_WRONG
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import Run

WIDTH, NARROWEST = 1000, 8
"""The width of a strip in its own units, which the page stretches, and the least of a segment: one day is seen too."""

NIGHTS = 90  # at most so many days, up to the last night, are shown

AHEAD = timedelta(days=90)  # at least so many days after today are shown, if a turn is announced for one of them


class Segment(NamedTuple):
    """Consecutive days with one state, in units of the strip; `ahead`: in the future."""

    css: str
    x: int
    width: int
    ahead: bool = False


class Strip(NamedTuple):
    """The bars from `first` to `last`, what they show in words, and where today ends (`WIDTH`: at the end)."""

    bars: tuple[Segment, ...]
    first: date
    last: date
    words: str
    now: int


def life_strip(life: LifeLine, first: date | None = None, last: date | None = None) -> Strip:
    """The bars of a life line, split at today; from `first` to `last` if several share a scale."""
    first, last, tomorrow = first or life.as_of, last or _end(life), life.today + timedelta(days=1)
    days = max(1, (last - first).days)

    def at(day: date) -> int:
        return round(WIDTH * min(max(0, (day - first).days), days) / days)

    found = []
    for span in life.spans:
        end = min(span.end or last, last)
        css = span.state.value + (" undated" if span.state is LifeState.FAILED and not span.dated else "")
        parts = [(span.start, min(end, tomorrow), False), (max(span.start, tomorrow), end, True)]
        for start, stop, ahead in parts:
            if start < stop:
                width = max(at(stop) - at(start), NARROWEST)
                found.append(Segment(css, min(at(start), WIDTH - width), width, ahead))
    words = (f"{_VERBS[one.state]} from {one.start}" + (f" to {one.end}" if one.end else "") for one in life.spans)
    return Strip(tuple(found), first, last, "; ".join(words), at(tomorrow))


def _end(life: LifeLine) -> date:
    coming = [turn.day for turn in life.turns if turn.day > life.today]
    start = max(life.today + timedelta(days=1), life.as_of)
    if not coming:
        return start if life.today > life.as_of else start + AHEAD
    return coming[-1] + max(AHEAD / 2, (coming[-1] - life.as_of) / 10)


_VERBS = {LifeState.HELD: "holds", LifeState.FAILED: "fails", LifeState.UNKNOWN: "is not known"}


def turn_text(turn: LifeTurn) -> str:
    """What the claim does from a day on, and the inputs that made it."""
    return f"{_VERBS[turn.after]}: {moves_text(turn.moves)}" if turn.moves else _VERBS[turn.after]


class NightCounts(NamedTuple):
    """Counts by night and verdict; `most` is the largest sum."""

    counts: Mapping[date, Counter[str]]
    first: date
    last: date
    most: int


def failing_nights(runs: Sequence[Run], counts: Mapping[int, Mapping[str, int]]) -> NightCounts | None:
    """How many claims fail each night, by its last run; None without runs. What holds is left out."""
    found: dict[date, Counter[str]] = {}
    for run in sorted((run for run in runs if run.of_its_day), key=lambda run: (run.as_of, run.id)):
        failing = (name for name in VERDICTS if name not in {SOURCE_WRONG, VerdictName.HOLDS})
        found[run.as_of] = Counter({name: counts[run.id].get(name, 0) for name in failing})
    return night_counts(found)


def night_counts(found: Mapping[date, Counter[str]]) -> NightCounts | None:
    """Counts by night and verdict, of the last nights; None without any."""
    if not found:
        return None
    last = max(found)
    shown = {day: found[day] for day in sorted(found) if (last - day).days < NIGHTS}
    return NightCounts(shown, min(shown), last, max(1, *(counts.total() for counts in shown.values())))
