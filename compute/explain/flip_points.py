"""The value of each input at which the verdict changes, and the share of the value that depends on assumptions."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context, Decimal, localcontext

from compute.claims.claim_day import ClaimDay
from compute.claims.claim_program import Trial
from compute.prices.price_models import Assumption
from compute.ranges.change_search import first_change
from compute.units.number_format import in_unit, said, trimmed
from compute.units.units import EXACT
from graph.models.verdict_models import Flip

# an input is varied by these factors in both directions, and down to 0
_FACTORS = (*(Decimal("1.25") ** step for step in range(1, 21)), *(Decimal(4) ** power for power in range(4, 16)))
_PIECES, _TINY = 16, Decimal("1e-6")
_CHANGE = Decimal("1e-12")
_SHARE = Decimal("0.0001")
_DIGITS = Context(prec=18)  # of a flip point: fewer than the 28 of the value, because a search approximates it


def flips(day: ClaimDay) -> tuple[Flip, ...]:
    """For each input, the nearest value at which the claim starts or stops holding, with all others unchanged.

    An input keeps its sign, and a share from 0 to 100% stays in that range. `at` is None if no possible value changes
    the verdict, or, as the note says, any other value does. A claim without a value has no flips.
    """
    if day.known is None or day.reading.holds is None:
        return ()
    trial = day.trial(day.known)
    with localcontext(EXACT):
        return tuple(_flip(trial, index, label) for index, label in enumerate(day.program.labels))


def _flip(trial: Trial, index: int, label: str) -> Flip:
    figure = trial.figures[index]
    here, unit = figure.value, figure.unit
    share = unit.share and not unit.points and 0 <= here <= 1
    ways = (_up(here, Decimal(1) if share else None), _down(here))
    found = [one for way in ways if (one := first_change(lambda value: trial.at({index: value}), way)) is not None]
    if not found:
        exact = trial.at({}).holds and not _holds_above(trial, index)  # it holds at this very value only
        note = "any other value" if exact else "within 0–100%" if share else ""
        return Flip(input=label, at=None, unit=unit.text, note=note)
    nearest = min(found, key=lambda one: (_DIGITS.plus(abs(one.at - here)), not one.under))  # of two, the lower bound
    near_zero = abs(nearest.at) <= abs(here) * _CHANGE * _CHANGE
    at = Decimal(0) if near_zero else trimmed(_DIGITS.plus(in_unit(nearest.at, unit)))
    beyond = nearest.at > here if nearest.at != here else _holds_above(trial, index) != trial.at({}).holds
    note = _beyond(figure.assumption, at)
    return Flip(input=label, at=at, unit=unit.text, side="above" if beyond else "below", note=note)


def _holds_above(trial: Trial, index: int) -> bool | None:
    """Whether the claim holds just above the value of an input."""
    here = trial.figures[index].value
    return trial.at({index: here + (abs(here) or 1) * _CHANGE}).holds


def _beyond(held: Assumption | None, at: Decimal) -> str:
    """A note if a value is outside the range of an assumption."""
    if held is None or held.low is None or held.high is None or held.low <= at <= held.high:
        return ""
    low, high = said(held.low, held.unit), said(held.high, held.unit)
    return f"outside the range of the assumption, {low} to {high}"


def _up(here: Decimal, most: Decimal | None) -> Iterator[Decimal]:
    """Values further from 0; in equal steps if there is a maximum."""
    yield here
    if most is not None:
        yield from (here + (most - here) * piece / _PIECES for piece in range(1, _PIECES + 1 if here < most else 0))
        return
    yield from ((here or _TINY) * factor for factor in _FACTORS)


def _down(here: Decimal) -> Iterator[Decimal]:
    """Values nearer to 0, and 0."""
    yield here
    if here:
        yield from (here / factor for factor in _FACTORS)
        yield Decimal(0)


def assumed(day: ClaimDay) -> Decimal | None:
    """The share of the value that depends on assumptions, from 0 to 1; None if no input affects it.

    The weight of an input x is |x · dV/dx|, its elasticity times the value. The share is the weight of the assumptions
    over that of all inputs.
    """
    if day.reading.value is None or day.known is None:
        return None
    trial = day.trial(day.known)
    with localcontext(EXACT):
        weights = [_weight(trial, index) for index in range(len(day.known))]
        total = sum(weights, Decimal(0))
        if not total:
            return None
        resting = (weight for weight, one in zip(weights, day.known, strict=True) if one.kind == "assumption")
        return trimmed((sum(resting, Decimal(0)) / total).quantize(_SHARE))


def _weight(trial: Trial, index: int) -> Decimal:
    here = trial.figures[index].value
    low, high = (trial.at({index: here * factor}).value for factor in (1 - _CHANGE, 1 + _CHANGE))
    return Decimal(0) if low is None or high is None else abs(high - low)
