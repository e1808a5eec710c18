"""Small expressions over the figures around a figure that give it, whatever the text says: readings that may save it.

The relations say what a text seems to claim. A figure that none of them gives may still be right, by a relation that
nobody described. So all sums, differences, products and ratios of two or three figures are tried that have a meaning:
an amount of money follows from one, and customers are not subtracted from it. Many expressions and a coarse rounding
fit any figure, so a fit counts by how many would fit a random figure of about that size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, permutations
from math import log
from typing import NamedTuple

import numpy as np

from compute.mining.claim_scopes import Scope
from compute.mining.noun_reader import TIMES
from compute.mining.quantities import Quantity
from compute.mining.sized_figures import Sized, joined, money_of

MOST = 7
"""The most figures that are combined, the nearest ones."""
CONSTANTS = (2, 3, 4, 5, 7, 8, 10, 12, 24, 30, 52, 60, 100, 365, 720, 730, 1000, 1024, 3600, 8760, 1_000_000)
"""Factors that texts leave out: months, hours, days, bits, percent."""
EARLIER, LONGEST, _FEW = 40, 12, 3
"""The most figures of a text before a figure that are combined, and of a run of them that is summed or subtracted."""
DECADES = log(100.0)
"""The width, as a logarithm, of the sizes that a random figure may have: ten times smaller to ten times larger."""
CHANCE = 0.25
"""How many expressions over the figures of a text may give a random figure where one that gives the figure saves it."""


_BEGIN = r"(?<![a-z'’])"
"""No letter and no apostrophe before a word: the *s* of *firm's* is no second."""
_SECONDS, _MINUTES, _HOURS = r"s|secs?|seconds?", r"min|mins?|minutes?|[rt]pm", r"h|hrs?|hours?|hourly|clock|[kMG]?Wh"
_DAYS, _WEEKS = r"days?|daily|nights?|nightly|clock|overnight", r"weeks?|weekly"
_MONTHS, _YEARS = r"months?|monthly", r"years?|yearly|annual\w*"


def _with_any(one: str, *others: str) -> str:
    """A pattern of texts that have a word of one kind and one of another."""
    other = "|".join(others)
    ends = _BEGIN, r"(?![a-z])"
    first, second = (f"{ends[0]}(?:{words}){ends[1]}" for words in (one, other))
    return f"(?:{one}){ends[1]}.*{second}|(?:{other}){ends[1]}.*{first}"


_WORDS_OF = {
    2: r"both|either|each way|twice|doubl\w+|half|halves|halved|pairs?|couples?|return|round[- ]trip",
    3: rf"thirds?|tripl\w+|{_with_any('quarter[a-z]*', _MONTHS)}",
    4: r"quarter\w*|four\w*",
    5: rf"fifths?|weekdays?|working|{_with_any(_DAYS, _WEEKS)}",
    7: r"weeks?|weekly",
    8: r"bits?|bytes?",
    10: r"tenths?|decades?",
    12: rf"dozens?|inch\w*|f(?:oo|ee)t|{_with_any(_MONTHS, _YEARS)}",
    24: _with_any(_HOURS, _DAYS, _WEEKS, _MONTHS, _YEARS),
    30: _with_any(_MONTHS, _DAYS),
    52: _with_any(_WEEKS, _YEARS),
    60: rf"{_with_any(_MINUTES, _SECONDS, _HOURS, _DAYS)}|{_with_any(_SECONDS, _HOURS)}",
    100: r"cents?|pence|percent|hundred|per cent|shares?|rates?|[cp]|cm|centimet\w+",
    365: _with_any(_DAYS, _YEARS),
    720: _with_any(_MONTHS, _HOURS),
    730: _with_any(_MONTHS, _HOURS),
    1000: r"thousands?|kilo\w*|k(?:g|m|b|hz|wh?)?|[mµn]?[gmls]|t|wh?|[gt]b|grams?|ton(?:ne)?s?|lit[er]+s?",
    1024: r"[kmgtp]i?b|bytes?|[kmgt]ib?|kilo\w+|mega\w+|giga\w+|tera\w+",
    3600: _with_any(_SECONDS, _HOURS),
    8760: _with_any(_YEARS, _HOURS),
    1_000_000: r"millions?|mega\w*|m(?:n|b|wh?|hz)|bn|b|billions?|trillions?|tokens?|ppm",
}
"""The words of a text beside which a factor goes without saying: both units, where it leads from one to another."""


def named_factors(within: Scope, target: Quantity, among: Sequence[Quantity]) -> np.ndarray:
    """The factors of `CONSTANTS` that the words around some figures of a scope name: *quarter* names 4.

    One that leads from a unit of time to another needs both, *a day* and *an hour* for 24, where the target is a share
    or a multiple, or says for how long it is; an amount that does not may be of any time: 5 editors at $80 a month cost
    $4,800.
    """
    timed = bool(set(TIMES) & {*target.pers}) or target.kind in {"share", "ratio", "points"}
    return _factors_in(_words_around(within, target, among), timed)


def spoken_factors(within: Scope, target: Quantity, among: Sequence[Quantity]) -> np.ndarray:
    """Those factors of `CONSTANTS` that the words say outright: *round trip* 2, *a minute* and *every hour* 60."""
    return _spoken_in(_words_around(within, target, among))


def _words_around(within: Scope, target: Quantity, among: Sequence[Quantity]) -> str:
    """The words around a figure and some others."""
    some = sorted({one.index: one for one in (target, *among)}.values(), key=lambda one: one.index)
    return " ".join(word for one in some for word in _around(within, one))


@lru_cache(maxsize=256)
def _factors_in(words: str, timed: bool) -> np.ndarray:
    """The factors that some words name; `timed` ones need both units."""
    names = _NAMES if timed else _NAMES | _LOOSE
    return np.array([one for one in CONSTANTS if one not in names or names[one].search(words)], dtype=float)


@lru_cache(maxsize=256)
def _spoken_in(words: str) -> np.ndarray:
    """The factors that some words say outright."""
    return np.array([one for one, said in _SPOKEN.items() if said.search(words)], dtype=float)


def _around(within: Scope, one: Quantity) -> Iterator[str]:
    """A figure and the words of its sentence up to the figures beside it."""
    yield from within.before(one)
    yield one.figure.text
    yield from within.after(one)


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"{_BEGIN}(?:{words})(?![a-z])", re.I | re.S)


_NAMES = {factor: _pattern(words) for factor, words in _WORDS_OF.items()}
_LOOSE = {
    factor: _pattern(words)
    for factor, words in {
        12: rf"{_WORDS_OF[12]}|{_MONTHS}|{_YEARS}",
        24: rf"{_HOURS}|{_DAYS}",
        30: rf"{_DAYS}|{_MONTHS}",
        52: rf"{_WEEKS}|{_YEARS}",
        60: rf"{_SECONDS}|{_MINUTES}|{_HOURS}",
        365: rf"{_DAYS}|{_YEARS}",
        720: rf"{_MONTHS}|{_HOURS}",
        730: rf"{_MONTHS}|{_HOURS}",
        3600: rf"{_SECONDS}|{_HOURS}",
        8760: rf"{_YEARS}|{_HOURS}",
    }.items()
}
"""The words of one unit, beside which such a factor may be meant where nothing says for how long an amount is."""


_SPOKEN = {2: _pattern(r"each way|both ways|either way|there and back|return|round[- ]trips?|pairs?|couples?")} | {
    factor: _NAMES[factor] for factor in (12, 24, 30, 52, 60, 365, 720, 730, 3600, 8760)
}
"""The words that say a factor outright: those of a way there and back, of a dozen, and of two units of time."""


CLASSES = ("two", "constant", "named", "three")
"""Two figures, one or two with a factor that texts leave out, those whose words name the factor, three figures."""


WORDED = 0.03
"""The least width of a figure in words: a half, two, double."""


def width(target: Quantity) -> float:
    """The probability that a random figure of about the size of a target is within its rounding."""
    figure = target.figure
    if not figure.low:
        return 1.0
    found = float(2 * figure.half / abs(figure.low)) / DECADES
    return found if any(sign.isdigit() for sign in figure.text) else max(found, WORDED)


class Fits(NamedTuple):
    """For one class of expressions: whether one gives the figure, and how many would give a random one."""

    given: bool
    expected: float


_quietly = np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore")
"""Figures of any size: what has no finite value is no fit."""


def small_expressions(within: Scope, target: Quantity, *, among: tuple[Quantity, ...] = ()) -> Mapping[str, Fits]:
    """The fits of a figure, by class of expressions, over the figures of a scope, or over those `among` them.

    Factors that texts leave out are those of `CONSTANTS`. Several readings and measures of one figure ask for the same.
    """
    return _expressions(within, target, tuple([one.index for one in among or within.quantities]))


@lru_cache(maxsize=16)
@_quietly
def _expressions(within: Scope, target: Quantity, places: tuple[int, ...]) -> Mapping[str, Fits]:
    """The same over the figures at some places of a scope."""
    figures = [within.quantities[place] for place in places]
    values = _values(figures, target)
    twos = _twos(values)
    found = (twos, joined((values, twos)).scaled(_FACTORS), _named(within, target, figures), _threes(values))
    return {name: _fits(target, given) for name, given in zip(CLASSES, found, strict=True)}


@_quietly
def spoken_expressions(within: Scope, target: Quantity, *, among: tuple[Quantity, ...] = ()) -> Fits:
    """The fits of a figure by one or two figures and a factor that the words around them say; of three each way."""
    figures = among or within.quantities
    values, factors = _values(figures, target), spoken_factors(within, target, figures)
    found = joined((values, _twos(values))).scaled(factors)
    ways = _threes(values).scaled(factors[factors == 2])
    return _fits(target, joined((found, ways)))


def _named(within: Scope, target: Quantity, figures: Sequence[Quantity]) -> Sized:
    """What one or two figures of the target's sentence and another one give with a factor that their words name.

    The day of another sentence makes no year of 365 days of figures that are all of this one.
    """
    own = [one for one in figures if within.home(one) == within.home(target)]
    values = _values(own, target)
    found = [joined((values, _twos(values))).scaled(named_factors(within, target, own))]
    for home in sorted({*map(within.home, figures)} - {within.home(target)}):
        others = [one for one in figures if within.home(one) == home]
        if (factors := named_factors(within, target, [*own, *others])).size:
            further = _values(others, target)
            both = _twos(joined((values, further)), own=len(values.sizes))
            found.append(joined((further, both)).scaled(factors))
    return joined(found)


@_quietly
def earlier_expressions(target: Quantity, earlier: Sequence[Quantity]) -> Fits:
    """The fits of a figure by two figures that a text states earlier, near or far, and by the sums of runs of them."""
    others = [one for one in earlier if one.figure.start != target.figure.start][-EARLIER:]
    values = _distinct([(size, one) for one in others if one.base > 0 for size in _sizes(one, target)])
    runs = _runs([one for one in others if one.kind == target.kind])
    return _fits(target, joined((_two_of_text(values), runs)))


def _sizes(one: Quantity, target: Quantity) -> Iterator[float]:
    """The size of a figure; of a bare number also in thousands and millions, as texts shorten: of the €36m, 24."""
    yield float(one.base)
    if one.kind == "count" and not one.unit and one.factor == 1 and one.base < _SHORT and target.kind != "count":
        yield from (float(one.base) * 1e3, float(one.base) * 1e6)


_SHORT = 1000
"""The size from which a bare number is written out."""


def _distinct(pairs: Sequence[tuple[float, Quantity]]) -> Sized:
    """Some sizes, those of one size and one kind once."""
    return Sized.of({(size, one.kind, bool(one.unit)): (size, one) for size, one in pairs}.values())


@lru_cache(maxsize=256)
def _chosen(count: int, size: int, *, ordered: bool) -> tuple[np.ndarray, ...]:
    """The places of all choices of a few of some values, an array for each place of a choice."""
    every = (permutations if ordered else combinations)(range(count), size)
    return tuple(np.array([*every], dtype=np.intp).reshape(-1, size).T)


def _two_of_text(values: Sized) -> Sized:
    one, two = (values.at(places) for places in _chosen(len(values.sizes), 2, ordered=True))
    ratio = one.over(two)
    first, second = (values.at(places) for places in _chosen(len(values.sizes), 2, ordered=False))
    return joined((ratio, ratio.of_one(-1), first.times(second), first.plus(second), first.less(second)))


def _runs(figures: Sequence[Quantity]) -> Sized:
    """The sums of figures that follow each other, and what another one leaves of them: a list and its total."""
    values, totals, short = Sized.of((float(one.base), one) for one in figures), [], []
    for first in range(len(figures)):
        total = values.sizes[first]
        for last in range(first + 1, min(first + LONGEST, len(figures))):
            total += values.sizes[last]
            totals.append(total)
            if last - first < _FEW:
                short.append(total)
    sizes = np.concatenate((totals, abs(values.sizes - np.array(short).reshape(-1, 1)).ravel()))
    money = money_of(figures[0]) if figures else 0.0
    return Sized(sizes, np.full_like(sizes, money), np.zeros_like(sizes))


def _values(figures: Sequence[Quantity], target: Quantity) -> Sized:
    """The sizes of the figures nearest to a target, each once; both ends of a range. Bare numbers have its unit.

    Beside an amount of cents they are of cents too: 11 cents a minute, and we pay 16. One of kWh is also the number of
    them, as a price per kWh is.
    """
    others = (one for one in figures if one.index != target.index)
    ranked = sorted(others, key=lambda one: abs(one.index - target.index))
    scaled = target.kind in {"unit", "count"}
    sized = (
        (one, target.factor if scaled and one.kind == "count" and not one.unit and one.factor == 1 else one.factor)
        for one in ranked
    )
    coins = target.kind == "money" and any(one.kind == "money" and one.figure.high < 1 for one in figures)
    ends = (
        (float(end * factor / (100 if coins and one.kind == "count" and not one.unit else 1)), one)
        for one, factor in sized
        for end in (one.figure.low, one.figure.high)
        for factor in (
            (factor, Decimal(1)) if one.kind == "unit" and factor != 1 and target.kind == "money" else (factor,)
        )
    )
    found = _distinct([end for end in ends if end[0] > 0])
    return found.at(np.arange(min(MOST, len(found.sizes))))


def _twos(values: Sized, own: int = 0) -> Sized:
    """What two figures give, just one of them of the first `own`, if any are; one that is not gives its complement."""
    one, two = (values.at(places) for places in _pairs(len(values.sizes), own, ordered=True))
    ratio, alone = one.over(two), values.at(np.arange(own, len(values.sizes)))
    found = [alone, alone.of_one(-1), alone.inverted(), ratio, ratio.of_one(-1), one.over(one.plus(two))]
    found += [one.times(two.of_one(-1)), one.over(two.of_one(1)), one.over(two.of_one(-1)), one.times(two.of_one(1))]
    one, two = (values.at(places) for places in _pairs(len(values.sizes), own, ordered=False))
    total = one.plus(two)
    return joined((*found, total, one.less(two), one.times(two), total.plus(one.times(two)), _parted(total, 2)))


def _pairs(count: int, own: int, *, ordered: bool) -> tuple[np.ndarray, ...]:
    """The places of pairs of some values; of those of which just one is among the first `own`, if any are."""
    one, two = _chosen(count, 2, ordered=ordered)
    apart = (one < own) != (two < own) if own else np.ones_like(one, dtype=bool)
    return one[apart], two[apart]


def _parted(total: Sized, count: int) -> Sized:
    """Each of some sums divided by how many there are."""
    return total._replace(sizes=total.sizes / count)


_FACTORS = np.array(CONSTANTS, dtype=float)


def _threes(values: Sized) -> Sized:
    """What three figures give."""
    one, two, three = (values.at(places) for places in _chosen(len(values.sizes), 3, ordered=False))
    total = one.plus(two).plus(three)
    found = [total, one.times(two).times(three), _parted(total, 3)]
    one, two, three = (values.at(places) for places in _chosen(len(values.sizes), 3, ordered=True))
    gap, both, ratio, total = one.less(two), one.times(two), one.over(two), one.plus(two)
    found += [both.over(three), one.over(two.times(three)), gap.times(three), gap.over(three)]
    found += [total.times(three), total.over(three), gap.less(three), one.less(two.plus(three))]
    found += [both.plus(three), both.less(three), ratio.plus(three), ratio.less(three)]
    found += [one.over(two.times(three)).of_one(-1), gap.over(one).times(three), one.over(total.plus(three))]
    found += [both.times(three.of_one(-1)), both.times(three.of_one(1)), one.over(two.less(three))]
    return joined((*found, one.times(two.of_one(-1)).times(three.of_one(-1))))


def _fits(target: Quantity, values: Sized) -> Fits:
    size = float(abs(target.base))
    half = float(target.figure.half * target.factor) * 1.02
    if not size:
        return Fits(False, 0.0)
    sizes = abs(values.fitting(target))
    near = np.unique(sizes[(size / 10 <= sizes) & (sizes <= size * 10)])
    given = bool((abs(near - size) <= half).any())
    return Fits(given, len(near) * width(target))
