"""The product-limit estimate (Kaplan–Meier) of how long figures live, with its intervals.

    S(t) = ∏ (1 − dᵢ/nᵢ) over the days tᵢ ≤ t with deaths      dᵢ deaths of nᵢ at risk

The variance is Greenwood's, the 95% interval that of log(−log S) ("exponential Greenwood"), which stays within 0 and 1.
Source: Kaplan and Meier 1958; Kalbfleisch and Prentice, The Statistical Analysis of Failure Time Data, 2nd ed., 1.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator

from graph.values import Value

ALPHA = 0.05
"""One minus the coverage of the intervals."""

_Z = NormalDist().inv_cdf(1 - ALPHA / 2)
_DIGITS = 12
_HALF = Decimal("0.5")


class Followed(NamedTuple):
    """A figure that held from day `entry` until `days` after its own, when it `died` or was censored."""

    days: int
    died: bool
    entry: int = 0


def share(figure: float | Decimal) -> Decimal:
    """A share of twelve decimals: the same text on every machine."""
    return Decimal(f"{figure:.{_DIGITS}f}").normalize() if figure else Decimal(0)


Share = Annotated[Decimal, BeforeValidator(share)]
"""A share as an exact number of twelve digits."""


class CurvePoint(Value):
    """The share that is alive from a day on (days after the day of each figure), with its 95% interval.

    `at_risk` figures were under observation on the day, `died` of them broke on it.
    """

    day: int
    alive: Share
    low: Share
    high: Share
    at_risk: int
    died: int


@dataclass(frozen=True, slots=True)
class Survival:
    """Points on day `first`, on days with deaths, and on day `last`, where no figure is left at risk.

    `first` is above zero where no figure was under observation on its own day; shares are then of those alive on that
    day.
    """

    points: tuple[CurvePoint, ...]
    first: int
    last: int

    def at(self, day: int) -> CurvePoint | None:
        """The point that counts on a day; None if no figure was under observation."""
        if not self.points or day < self.first or (day > self.last and self.points[-1].alive > 0):
            return None
        return [one for one in self.points if one.day <= day][-1]

    def half_life(self, name: Literal["alive", "low", "high"]) -> int | None:
        """The first day with at most half of the share or interval end; None if not reached."""
        return next((one.day for one in self.points if getattr(one, name) <= _HALF), None)


def survival(followed: Iterable[Followed]) -> Survival:
    """The estimate for figures in any order; one that enters late is at risk from the day after."""
    told = list(followed)
    if not told:
        return Survival((), 0, 0)
    deaths, exits = Counter(one.days for one in told if one.died), Counter(one.days for one in told)
    entries = Counter(one.entry for one in told)
    first, last = min(entries), max(exits)
    alive, spread = 1.0, 0.0
    points = [_point(first, 1.0, 0.0, entries[first], 0)]
    at_risk = 0
    for day in sorted({*deaths, *exits, *entries}):
        at_risk += entries[day] if day == first else 0
        if died := deaths[day]:
            alive *= (at_risk - died) / at_risk
            spread += died / (at_risk * (at_risk - died)) if at_risk > died else 0.0
            points.append(_point(day, alive, spread, at_risk, died))
        elif first < day == last:
            points.append(_point(day, alive, spread, at_risk, 0))
        at_risk += (0 if day == first else entries[day]) - exits[day]
        if not at_risk:
            return Survival(tuple(points), first, day)
    return Survival(tuple(points), first, last)


def steady(followed: Iterable[Followed], least: int) -> list[Followed]:
    """The figures from the first age with at least `least` under observation; none without such an age.

    Figures observed late leave one or two at early ages: a single death would set the curve to zero.
    """
    told = list(followed)
    entries, exits = Counter(one.entry for one in told), Counter(one.days for one in told)
    at_risk = 0
    for day in sorted({*entries, *exits}):
        at_risk += entries[day]
        if at_risk >= least:
            return [one._replace(entry=max(one.entry, day)) for one in told if one.days >= day]
        at_risk -= exits[day]
    return []


def _point(day: int, alive: float, spread: float, at_risk: int, died: int) -> CurvePoint:
    """A point with its interval; without deaths, or survivors, both ends are the estimate."""
    low = high = alive
    if alive not in {0.0, 1.0}:
        scale = log(alive)
        width = _Z * sqrt(spread) / scale
        low, high = exp(-exp(log(-scale) - width)), exp(-exp(log(-scale) + width))
    return CurvePoint.model_validate(
        {"day": day, "alive": alive, "low": low, "high": high, "at_risk": at_risk, "died": died}
    )
