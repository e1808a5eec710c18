"""The product-limit estimate (Kaplan–Meier) of how long figures live, with its intervals.

    S(t) = ∏ (1 − dᵢ/nᵢ) over the days tᵢ ≤ t with deaths      dᵢ deaths of nᵢ at risk

The variance is Greenwood's, the 95% interval that of log(−log S) ("exponential Greenwood"), which stays within 0 and 1.
Source: Kaplan and Meier 1958; Kalbfleisch and Prentice, The Statistical Analysis of Failure Time Data, 2nd ed., 1.4.
Where none has died yet both ends equal the estimate, as this variance is zero there.
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
    """One figure under observation, in days after its own day: from `entry` on, until `days`.

    `died`: it failed on the last of these days. Else it is censored: it holds until then, and is not known further.
    """

    days: int
    died: bool
    entry: int = 0


def share(figure: float | Decimal) -> Decimal:
    """A share with twelve digits behind the point: the same text on every machine."""
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
    """An estimate: its points on day `first`, on each day with deaths, and on day `last`, the end of observation.

    Observation ends where no figure is left at risk, even if others were observed at a later age.

    `first` is above zero where no figure was under observation on its own day; the estimate is then the share of those
    that were alive on that day.
    """

    points: tuple[CurvePoint, ...]
    first: int
    last: int

    def at(self, day: int) -> CurvePoint | None:
        """The point that counts on a day; None if no figure was under observation for so long, or not yet."""
        if not self.points or day < self.first or (day > self.last and self.points[-1].alive > 0):
            return None
        return [one for one in self.points if one.day <= day][-1]

    def half_life(self, name: Literal["alive", "low", "high"]) -> int | None:
        """The first day on which the share, or an end of its interval, is at most half; None if none was reached."""
        return next((one.day for one in self.points if getattr(one, name) <= _HALF), None)


def survival(followed: Iterable[Followed]) -> Survival:
    """The estimate for figures in any order. One that enters later than the first is at risk from the day after."""
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
    """The figures from the first age on at which at least so many are under observation; none if there is no such age.

    Figures that are observed late make early ages a matter of one or two: a single death would set the curve to zero.
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
    """A point with its interval; where none or all have died, both ends are the estimate."""
    low = high = alive
    if alive not in {0.0, 1.0}:
        scale = log(alive)
        width = _Z * sqrt(spread) / scale
        low, high = exp(-exp(log(-scale) - width)), exp(-exp(log(-scale) + width))
    return CurvePoint.model_validate(
        {"day": day, "alive": alive, "low": low, "high": high, "at_risk": at_risk, "died": died}
    )
