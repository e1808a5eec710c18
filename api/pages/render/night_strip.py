"""Verdicts by night as a strip, and the verdicts of all claims by night as stacked bars, with the same in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from api.pages.render.figure_format import plural, short_day
from api.pages.render.verdict_signs import VERDICTS
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import Run

NIGHTS = 90
"""At most so many days, up to the last night, are shown."""

WIDTH = 1000
"""The width of a strip in its own units; the page stretches it."""

STEP, TALL = 10, 100
"""The width of a night and the height of the tallest column, in their own units."""

FAILING: tuple[VerdictName, ...] = tuple(name for name in VERDICTS if name is not VerdictName.HOLDS)
"""Every verdict but `holds`."""

FEWEST = 21
"""Stacked bars have room for at least so many nights."""


@dataclass(frozen=True, slots=True)
class NightSegment:
    """Nights in a row with the same verdict: `x` and `width` in units of the strip."""

    css: str
    x: int
    width: int


@dataclass(frozen=True, slots=True)
class NightStrip:
    """The bars from `first` to `last`, a gap for each day without a run, and what they show in words."""

    bars: tuple[NightSegment, ...]
    first: date
    last: date
    words: str


def night_strip(found: Iterable[tuple[date, VerdictName]]) -> NightStrip | None:
    """The strip of a claim's verdicts by day, in any order, the first one of a day counts; None without any."""
    by_day: dict[date, VerdictName] = {}
    for day, verdict in found:
        by_day.setdefault(day, verdict)
    if not by_day:
        return None
    last = max(by_day)
    known = {day: by_day[day] for day in sorted(by_day) if (last - day).days < NIGHTS}
    first = min(known)
    days = (last - first).days + 1
    bars = []
    for start, length, verdict in _stretches(known):
        x = round(WIDTH * (start - first).days / days)
        bars.append(NightSegment(VERDICTS[verdict].css, x, round(WIDTH * ((start - first).days + length) / days) - x))
    return NightStrip(tuple(bars), first, last, _words(known, first, last))


def _stretches(known: Mapping[date, VerdictName]) -> Iterable[tuple[date, int, VerdictName]]:
    """Days in a row with the same verdict: the first, how many, and the verdict."""
    start: date | None = None
    length = 0
    for day, verdict in known.items():
        if start is not None and known[start] is verdict and day == start + timedelta(days=length):
            length += 1
            continue
        if start is not None:
            yield start, length, known[start]
        start, length = day, 1
    if start is not None:
        yield start, length, known[start]


def _words(known: Mapping[date, VerdictName], first: date, last: date) -> str:
    """`stale on 30 of 30 nights, 20 Oct 2026 to 21 Nov 2026; since 14 Nov 2026 refuted`."""
    counts = Counter(known.values())
    listed = ", ".join(f"{VERDICTS[name].word} on {counts[name]:,}" for name in VERDICTS if counts[name])
    span = short_day(last) if first == last else f"{short_day(first)} to {short_day(last)}"
    told = f"{listed} of {plural(len(known), 'night')}, {span}"
    verdict = known[last]
    since = max((day for day, one in known.items() if one is not verdict), default=None)
    if since is None:
        return told
    return f"{told}; {VERDICTS[verdict].word} since {short_day(min(day for day in known if day > since))}"


@dataclass(frozen=True, slots=True)
class Column:
    """One night: its counts in words, and the bars from bottom to top as class, `y` and height."""

    words: str
    x: int
    bars: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """Stacked bars by night from `first` to `last`; `most` is the tallest, `verdicts` are those that occur."""

    columns: tuple[Column, ...]
    first: date
    last: date
    most: int
    verdicts: tuple[VerdictName, ...]
    words: str

    @property
    def width(self) -> int:
        """The width in units."""
        return STEP * ((self.last - self.first).days + 1)


def failing(runs: Sequence[Run]) -> Columns | None:
    """How many claims do not hold, by night, of the last run of each day; None without a run.

    What holds is left out: it would hide a change of a few claims among hundreds.
    """
    ordered = sorted((run for run in runs if run.of_its_day), key=lambda run: (run.as_of, run.id))
    found: dict[date, Counter[VerdictName]] = {}
    for run in ordered:
        found[run.as_of] = Counter({name: run.counts.get(name.value, 0) for name in FAILING})
    return _columns(found, "Claims that do not hold, by night")


def changed_columns(found: Mapping[date, Counter[VerdictName]]) -> Columns | None:
    """How many claims changed, by night and by their new verdict; None without any."""
    return _columns(found, "Verdicts that changed, by night")


def _columns(found: Mapping[date, Counter[VerdictName]], what: str) -> Columns | None:
    if not found:
        return None
    last = max(found)
    shown = {day: found[day] for day in sorted(found) if (last - day).days < NIGHTS}
    earliest = min(shown)
    first = min(earliest, last - timedelta(days=FEWEST - 1))
    most = max(1, *(counts.total() for counts in shown.values()))
    columns = tuple(_column(day, (day - first).days * STEP, counts, most) for day, counts in shown.items())
    present = tuple(name for name in VERDICTS if any(counts[name] for counts in shown.values()))
    words = f"{what}: {shown[earliest].total()} on {short_day(earliest)}"
    if last != earliest:
        words += f", {shown[last].total()} on {short_day(last)}, at most {most}"
    return Columns(columns, first, last, most, present, words)


def _column(day: date, x: int, counts: Counter[VerdictName], most: int) -> Column:
    bars, below = [], 0.0
    for name in VERDICTS:
        if counts[name]:
            height = TALL * counts[name] / most
            below += height
            bars.append((VERDICTS[name].css, round(TALL - below, 1), round(height, 1)))
    counted = ", ".join(f"{counts[name]} {VERDICTS[name].word}" for name in VERDICTS if counts[name])
    return Column(f"{short_day(day)}: {counted or 'none'}", x, tuple(bars))
