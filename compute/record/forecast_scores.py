"""Forecasts scored: what runs said will turn, and the shares of ranges, against what later runs found.

    announced until the day came, and the first run from that day on finds it        came true
    announced until the day came, and that run finds something else                  missed
    no longer announced by the last run before the day, or the claim is gone         withdrawn
    announced by the latest run, and no run for that day or a later one yet          open

A stated share of ranges is a probability that the figure holds. It is scored against whether the latest run finds that
it holds, with the Brier score (the mean squared difference; Brier 1950) and by bins of a tenth.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from compute.record.fates import Sightings
from compute.record.life_models import LifeState
from compute.record.survival import share
from graph.models.claim_models import VerdictName
from graph.values import Value

BINS = 10


class Announced(NamedTuple):
    """A turn that a run announced: the state of a claim from a day on."""

    day: date
    claim: str
    after: LifeState


class ForecastOutcome(StrEnum):
    """What became of an announced turn."""

    CAME_TRUE = "came_true"
    MISSED = "missed"
    WITHDRAWN = "withdrawn"
    OPEN = "open"


class Forecast(Value):
    """An announced turn, the days of the first and the last run that announced it, and what became of it."""

    claim: str
    day: date
    after: LifeState
    first_said: date
    last_said: date
    outcome: ForecastOutcome


class CalibrationBin(Value):
    """Claims whose stated share is from `low` up to `high`: the mean of the shares, and the part that holds."""

    low: Decimal
    high: Decimal
    claims: int
    stated: Decimal
    held: Decimal


class ForecastScores(Value):
    """The announced changes by day with their counts; the Brier score of `scored` shares, None if there are none."""

    came_true: int
    missed: int
    withdrawn: int
    open: int
    items: tuple[Forecast, ...]
    scored: int
    brier: Decimal | None
    bins: tuple[CalibrationBin, ...]


Said = Mapping[date, frozenset[Announced]]
"""By day of a run, the earliest first, what it announced; every run is there, also one that announced nothing."""


def forecast_scores(said: Said, sightings: Sightings) -> ForecastScores:
    """The scores of runs; `sightings` is what they found."""
    items = tuple(_items(said, sightings))
    counts = Counter(one.outcome for one in items)
    pairs = list(_pairs(sightings, max(said, default=date.min)))
    return ForecastScores(
        came_true=counts[ForecastOutcome.CAME_TRUE],
        missed=counts[ForecastOutcome.MISSED],
        withdrawn=counts[ForecastOutcome.WITHDRAWN],
        open=counts[ForecastOutcome.OPEN],
        items=items,
        scored=len(pairs),
        brier=share(sum((float(stated) - held) ** 2 for stated, held in pairs) / len(pairs)) if pairs else None,
        bins=tuple(_bins(pairs)),
    )


def _items(said: Said, seen: Sightings) -> Iterable[Forecast]:
    days = sorted(said)
    by_turn: dict[Announced, list[date]] = defaultdict(list)
    for day in days:
        for one in said[day]:
            by_turn[one].append(day)
    for turn, told in sorted(by_turn.items()):
        outcome = _outcome(turn, told[-1], days, seen)
        yield Forecast(
            claim=turn.claim, day=turn.day, after=turn.after, first_said=told[0], last_said=told[-1], outcome=outcome
        )


def _outcome(turn: Announced, last_said: date, days: Sequence[date], seen: Sightings) -> ForecastOutcome:
    before = [day for day in days if day < turn.day]
    if last_said < before[-1]:
        return ForecastOutcome.WITHDRAWN
    judged = next((day for day in days if day >= turn.day), None)
    if judged is None:
        return ForecastOutcome.OPEN
    found = [one for one in seen.get(turn.claim, ()) if one.day <= judged]
    if not found or found[-1].verdict is None:
        return ForecastOutcome.WITHDRAWN
    came = state_of(found[-1].verdict) is turn.after
    return ForecastOutcome.CAME_TRUE if came else ForecastOutcome.MISSED


def state_of(verdict: VerdictName) -> LifeState:
    """The state of a claim with a verdict."""
    if verdict is VerdictName.HOLDS:
        return LifeState.HELD
    return LifeState.FAILED if verdict in {VerdictName.STALE, VerdictName.REFUTED} else LifeState.UNKNOWN


def _pairs(seen: Sightings, latest: date) -> Iterable[tuple[Decimal, bool]]:
    """The share that the first run stated for each claim, and whether the latest run, a later one, finds it to hold."""
    for _, found in sorted(seen.items()):
        first, last = found[0], found[-1]
        known = last.verdict is not None and state_of(last.verdict) is not LifeState.UNKNOWN
        if first.share is not None and first.day < latest and (known or last.verdict is VerdictName.DEPENDS):
            yield first.share, last.verdict is VerdictName.HOLDS


def _bins(pairs: Sequence[tuple[Decimal, bool]]) -> Iterable[CalibrationBin]:
    found: dict[int, list[tuple[Decimal, bool]]] = defaultdict(list)
    for stated, held in pairs:
        found[min(BINS - 1, int(stated * BINS))].append((stated, held))
    for number, members in sorted(found.items()):
        yield CalibrationBin(
            low=Decimal(number) / BINS,
            high=Decimal(number + 1) / BINS,
            claims=len(members),
            stated=share(sum(float(stated) for stated, _ in members) / len(members)),
            held=share(sum(held for _, held in members) / len(members)),
        )
