"""Measures of an accusation: how likely it is claimed, how far off a figure is, and what else its sentence says.

They are numbers for the trees of `accusation_trees`, which weigh them together: a figure in words that is far off is
likely of something else, one of four digits that differs in the second is likely wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from math import log, log1p
from typing import NamedTuple

from compute.mining.accusations import Opinion, far, figures_of, is_year, spanned
from compute.mining.claim_judging import Result, rooms_off
from compute.mining.claim_traits import GROUPS
from compute.mining.mining_models import Figure, Passage
from compute.mining.outright_claims import is_clear, is_outright
from compute.mining.outright_figures import alone
from compute.mining.quantities import Quantity
from compute.mining.small_expressions import Fits, earlier_expressions, small_expressions, width

Measures = Mapping[str, float]
"""The measures of an accusation, by name; one that is missing is 0."""

FARTHEST = 6.0
"""The largest logarithm of how far off a figure is."""
_DIGITS = 4
"""The digits of a measure: more of them depend on the machine."""
LEAST_CHANCE = 0.02
"""The probability from which another relation is counted."""


def measures(
    passage: Passage,
    view: Opinion,
    best: Result,
    around: Sequence[Opinion],
    *,
    supposed: bool,
    other_readings: Iterable[str],
) -> Measures:
    """The measures of an accusation by the relation `best`.

    `around` are the opinions on the figures of the same sentence and of its neighbours; `supposed` says that the
    sentence has words of a condition or a plan; `other_readings` names other readings.
    """
    case = _case(view, best, around)
    found = {
        f"relation {best.candidate.rule}": 1.0,
        "supposed": float(supposed),
        **dict.fromkeys((f"reading {name}" for name in other_readings), 1.0),
        **dict.fromkeys(_shaped(passage, case), 1.0),
        **_claimed(case),
        **_sizes(case),
        **_places(case),
        **_rivals(case),
        **_neighbours(case),
        **_readings(case),
        **_loose_inputs(case),
    }
    return {name: round(size, _DIGITS) for name, size in found.items()}


class _Case(NamedTuple):
    """An accusation: what is said of a figure, the relation that accuses it, and what surrounds it."""

    view: Opinion
    best: Result
    key: frozenset[int]
    """The offsets of all figures of the relation."""
    spanned: tuple[Quantity, ...]
    """The figures of the sentences that it spans."""
    others: Sequence[Opinion]
    """The opinions on the other figures of the sentence and of its neighbours."""
    here: Sequence[Opinion]
    """Those of the same sentence."""


def _case(view: Opinion, best: Result, around: Sequence[Opinion]) -> _Case:
    others = [other for other in around if other.target.figure.start != view.target.figure.start]
    here = [other for other in others if other.within is view.within]
    return _Case(view, best, figures_of(best.candidate), spanned(view.within, best.candidate), others, here)


def _logit(chance: float) -> float:
    return log((chance + 1e-4) / (1 - min(chance, 1.0) + 1e-4))


def _shaped(passage: Passage, case: _Case) -> Iterator[str]:
    """What figures look like that seldom take part in a relation: years, section numbers, parts of names."""
    target, used = case.view.target, case.best.candidate.used
    if any(map(is_year, used)):
        yield "years"
    if is_year(target):
        yield "year"
    for one in (target, *used):
        role = "target" if one is target else "input"
        named = bool(_NAME_AFTER.match(passage.mask, one.figure.end))
        opens = not passage.mask[max(0, one.figure.start - 200) : one.figure.start].rpartition("\n")[2].strip(_OPENING)
        shapes = {
            "name after": named,
            "name before": bool(_NAME_BEFORE.search(passage.mask[max(0, one.figure.start - 30) : one.figure.start])),
            "opens": opens,
            "numbers": opens and named,
        }
        yield from (f"{name} {role}" for name, found in shapes.items() if found)


_NAME_AFTER = re.compile(r"[-–’']?s?\s+[A-Z]")
_NAME_BEFORE = re.compile(r"[a-z,]\s+[A-Z][\w'’]*\s+$")
_OPENING = ' \n\t-*>#([“"'


def _claimed(case: _Case) -> dict[str, float]:
    view, key = case.view, case.key
    none = 1 - view.claimed
    for other in case.here:
        if not other.fits:
            none *= 1 - sum(chance for one, chance in other.wrong if figures_of(one.candidate) == key)
    holding = [figures_of(other.best.candidate) for other in case.others if other.holds]
    return {
        "claimed": _logit(view.claimed),
        "claimed by any": _logit(1 - none),
        "best": _logit(view.rival),
        "near": log(view.near + 1e-5),
        "likely": log(view.likely + 1e-5),
        "others": max((other.claimed for other in case.here), default=0.0),
        "used": float(any(one & key for one in holding)),
        "target used": float(any(view.target.figure.start in one for one in holding)),
        "figures": log1p(view.within.last - view.within.first),
        "sentences": float(min(len({view.within.home(one) for one in case.spanned}), 3)),
        "likely here": log(_likely_here(case) + 1e-5),
        **_cued(case),
        "plain": float(_is_plain(case)),
    }


def _cued(case: _Case) -> dict[str, float]:
    """How likely the cues alone make any relation, and those of the same figures as the accusation."""
    cued = case.view.cued
    return {
        "cued": _logit(_total(chance for _, chance in cued)),
        "cued same figures": _logit(_total(chance for one, chance in cued if figures_of(one) == case.key)),
    }


def _likely_here(case: _Case) -> float:
    """The probability of the relations that fit and are of the figures of the sentences that the accusation spans."""
    here = {one.index for one in case.spanned}
    return sum(chance for one, chance in case.view.fits if here.issuperset(part.index for part in one.candidate.used))


def _is_plain(case: _Case) -> bool:
    """Whether a sentence likely says just this: its figures are those of the relation, which is 10% to half off."""
    view, best = case.view, case.best
    figure, computed = view.target.figure, abs(best.computed)
    own = {one.figure.start for one in view.within.targets}
    if view.claimed <= PLAIN or case.key != own or not figure.low or not computed:
        return False
    if "=" in view.within.sentence.text:
        return False  # an equation, perhaps of functions
    if best.candidate.rule in {"fall", "rise"} and "and" in view.within.left(view.target):
        return False  # from 40 people to 30, and saved 18%
    return PLAIN_OFF[0] < abs(log(abs(figure.low) / computed)) < PLAIN_OFF[1]


PLAIN, PLAIN_OFF = 0.5, (0.095, 0.7)
"""The probability of a claim from which it is plain, and how far off its figure is then, as a logarithm."""


def _sizes(case: _Case) -> dict[str, float]:
    view, best = case.view, case.best
    figure, computed = view.target.figure, best.computed
    off = _log(abs(figure.low)) - _log(abs(computed))
    turn = off / log(10)
    inputs = [used.figure for used in best.candidate.used if used.figure.low]
    return {
        "off by 3": float(far(best, 3)),
        "off by 8": float(far(best, 8)),
        "off": max(-FARTHEST, min(FARTHEST, off)),
        "off size": min(FARTHEST, abs(off)),
        "off beside a power of ten": abs(turn - round(turn)) if round(turn) else 1.0,
        "same first digit": float(_first_digit(figure.low) == _first_digit(computed)),
        "width": log(width(view.target) + 1e-6),
        "input width": max((float(one.half / abs(one.low)) for one in inputs), default=0.0),
        "figure size": max(-9.0, min(18.0, _log(abs(view.target.base)))),
        "sign": float((figure.low < 0) != (computed < 0)),
        "digits": float(sum(sign.isdigit() for sign in figure.text)),
        "in words": float(_in_words(figure)),
        f"kind {view.target.kind}": 1.0,
        "hedged": float(bool(figure.hedge)),
        "bare": float(view.target.kind == "count" and not view.target.unit),
        "bare inputs": float(sum(one.kind == "count" and not one.unit for one in best.candidate.used)),
        "inputs in words": float(sum(map(_in_words, inputs))),
        **_roundness(best),
    }


def _in_words(figure: Figure) -> bool:
    return not any(sign.isdigit() for sign in figure.text)


def _roundness(best: Result) -> dict[str, float]:
    """How round a result is: figures that belong together give 25%, others 17.391%."""
    figure, computed = best.candidate.target.figure, abs(best.computed)
    step = 2 * figure.half
    steps = computed / step if step else Decimal(0)
    return {
        "computed digits": float(len(_plain_digits(computed))),
        "input digits": float(max((len(_plain_digits(one.figure.low)) for one in best.candidate.used), default=0)),
        "of its step": float(bool(step) and abs(steps - round(steps)) <= _ALMOST * max(Decimal(1), steps)),
        "rooms off": rooms_off(best),
        "steps off": min(FARTHEST, log1p(float(abs(computed - abs(figure.low)) / step))) if step else 0.0,
    }


def _plain_digits(value: Decimal) -> str:
    """The digits of a number without zeros at either end; at most `_MOST_DIGITS` of them."""
    return f"{abs(value):.{_MOST_DIGITS - 1}e}".partition("e")[0].replace(".", "").strip("0")


_MOST_DIGITS = 7
_ALMOST = Decimal("1e-6")
"""What a result may be off a whole number of steps, since conversions such as a sixtieth have no exact decimal."""


def _log(value: Decimal) -> float:
    return float(value.ln()) if value > 0 else -20.0


def _first_digit(value: Decimal) -> int:
    return next((digit for digit in value.as_tuple().digits if digit), 0)


def _places(case: _Case) -> dict[str, float]:
    within, target, used = case.view.within, case.view.target, case.best.candidate.used
    taken = {target.index, *(one.index for one in used)}
    unused = [one for one in case.spanned if one.index not in taken]
    alike = {(one.kind, one.unit) for one in (target, *used)}
    first, last = min(taken), max(taken)
    gaps = [abs(target.figure.start - one.figure.start) for one in used]
    return {
        "from the end": float(within.last - 1 - target.index),
        "from the start": float(target.index - within.first),
        "inputs": float(len(used)),
        "inputs before": float(sum(one.index < target.index for one in used)),
        "inputs outside": float(sum(not within.first <= one.index < within.last for one in used)),
        "nearest input": log1p(min(gaps, default=0)),
        "farthest input": log1p(max(gaps, default=0)),
        "unused": float(len(unused)),
        "unused alike": float(sum((one.kind, one.unit) in alike for one in unused)),
        "unused between": float(sum(first < one.index < last for one in unused)),
        "unused like the target": float(sum(one.kind == target.kind and one.unit == target.unit for one in unused)),
        "words": log1p(sum(map(len, within.sentence.gaps))),
        "outright": float(is_outright(within, case.best.candidate)),
        "clear": float(is_clear(within, case.best.candidate)),
        "whole scope": float(len(within.quantities)),
        "alone": float(alone(within, case.best.candidate)),
    }


def _rivals(case: _Case) -> dict[str, float]:
    view, best, key = case.view, case.best, case.key
    group = GROUPS[best.candidate.rule]
    others = [(one.candidate, chance) for one, chance in view.wrong if one is not best]
    chances = [chance for one, chance in view.wrong if one is best]
    return {
        "own chance": _logit(sum(chances)),
        "same figures": _logit(_total(chance for one, chance in others if figures_of(one) == key)),
        "same group": _logit(_total(chance for one, chance in others if GROUPS[one.rule] == group)),
        "second": _logit(max((chance for one, chance in others if figures_of(one) != key), default=0.0)),
        "ways": float(sum(chance > LEAST_CHANCE for _, chance in others)),
        "best fit": _logit(max((chance for _, chance in view.fits), default=0.0)),
        "exact fits": float(sum(one.exact for one, _ in view.fits)),
    }


def _loose_inputs(case: _Case) -> dict[str, float]:
    """Whether inputs may be something else than they are read as: numbers of other things, or of other sentences."""
    within, one = case.view.within, case.best.candidate
    if not one.used:
        return {}
    completed = [part for part in one.used if part is not within.quantities[part.index]]
    first, last = min(part.index for part in one.used), max(part.index for part in one.used)
    taken = {one.target.index, *(part.index for part in one.used)}
    between = [part for part in within.quantities[first : last + 1] if part.index not in taken]
    alike = (part for part in between if (part.kind, part.unit) == (one.used[0].kind, one.used[0].unit))
    return {
        "completed": float(len(completed)),
        "completed words": float(any(_in_words(part.figure) for part in completed)),
        "units": float(len({part.unit for part in one.used if part.unit})),
        "alike between": float(any(alike)),
    }


def _total(chances: Iterable[float]) -> float:
    return min(1.0, sum(chances))


def _neighbours(case: _Case) -> dict[str, float]:
    view, others, here = case.view, case.others, case.here
    used = {one.figure.start for one in case.best.candidate.used}
    inputs = [other for other in others if other.target.figure.start in used]
    return {
        "input claims": max((other.claimed + other.likely for other in inputs), default=0.0),
        "input holds": float(any(other.holds for other in inputs)),
        "likelier inputs": float(len(view.likelier & used)),
        "hold here": float(sum(other.holds for other in here)),
        "hold nearby": float(sum(other.holds for other in others)),
        "wrong here": float(sum(not other.holds and other.claimed > view.claimed for other in here)),
        "wrong nearby": float(sum(not other.holds and other.claimed > 0.5 for other in others)),
    }


def _readings(case: _Case) -> dict[str, float]:
    """Whether small expressions give the figure, and how many would give a random one, by class.

    Those *here* are over the sentences that the relation spans.
    """
    within, target = case.view.within, case.view.target
    here = small_expressions(within, target, among=case.spanned)
    found = {
        **small_expressions(within, target),
        **{f"{name} here": fits for name, fits in here.items()},
        "earlier": earlier_expressions(target, case.view.earlier),
    }
    return {key: size for name, fits in found.items() for key, size in _of_fits(name, fits).items()}


def _of_fits(name: str, fits: Fits) -> Measures:
    return {f"given by {name}": float(fits.given), f"expected by {name}": min(fits.expected, 3.0)}
