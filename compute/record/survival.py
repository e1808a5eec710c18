"""The product-limit estimate (Kaplan–Meier) of how long figures live, with its intervals.

    S(t) = ∏ (1 − dᵢ/nᵢ) over the days tᵢ ≤ t with deaths      dᵢ deaths of nᵢ at risk

The variance is Greenwood's, the 95% interval that of log(−log S) ("exponential Greenwood"), which stays within 0 and 1.
Source: Kaplan and Meier 1958; Kalbfleisch and Prentice, The Statistical Analysis of Failure Time Data, 2nd ed., 1.4.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Literal, NamedTuple

from graph.values import Value

_Z = NormalDist().inv_cdf(0.975)  # of a 95% interval
_HALF = Decimal("0.5")


class Followed(NamedTuple):
    """A figure that held from day `entry` until `days` after its own, when it `died` or was censored."""

    days: int
    died: bool
    entry: int = 0


class CurvePoint(Value):
    """The share that is alive from a day on (days after the day of each figure), with its 95% interval.

    `at_risk` figures were under observation on the day, `died` of them broke on it.
    """

    day: int
    alive: Decimal
    low: Decimal
    high: Decimal
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
    figures = list(followed)
    if not figures:
        return Survival((), 0, 0)
    first, last = min(one.entry for one in figures), max(one.days for one in figures)
    alive, spread = 1.0, 0.0
    points = [_point(first, 1.0, 0.0, sum(one.entry == first for one in figures), 0)]
    for day in sorted({one.days for one in figures}):
        at_risk = sum(one.days >= day and (one.entry < day or one.entry == first) for one in figures)
        died = sum(one.days == day and one.died for one in figures)
        if died:
            alive *= (at_risk - died) / at_risk
            spread += died / (at_risk * (at_risk - died)) if at_risk > died else 0.0
        if died or first < day == last:
            points.append(_point(day, alive, spread, at_risk, died))
        if not any(one.entry <= day < one.days for one in figures):
            break
    return Survival(tuple(points), first, day)


def steady(followed: Iterable[Followed], least: int) -> list[Followed]:
    """The figures from the first age with `least` under observation; before, one death could set the curve to zero."""
    figures = list(followed)
    for day in sorted({one.entry for one in figures}):
        left = [one for one in figures if one.days >= day]
        if sum(one.entry <= day for one in left) >= least:
            return [one._replace(entry=max(one.entry, day)) for one in left]
    return []


def _point(day: int, alive: float, spread: float, at_risk: int, died: int) -> CurvePoint:
    """A point with its interval; without deaths, or survivors, both ends are the estimate."""
    low = high = alive
    if alive not in {0.0, 1.0}:
        scale = log(alive)
        width = _Z * sqrt(spread) / scale
        low, high = exp(-exp(log(-scale) - width)), exp(-exp(log(-scale) + width))
    return CurvePoint(day=day, alive=_share(alive), low=_share(low), high=_share(high), at_risk=at_risk, died=died)


def _share(figure: float) -> Decimal:
    """A share of twelve decimals: the same text on every machine."""
    return Decimal(f"{figure:.12f}").normalize() if figure else Decimal(0)
