"""Units of figures.

A unit is a product of atoms joined by `/` or `per`, `*` or `-`, which joins on its side of the slash: `USD/GB-month`,
`USD per 1k tokens`, `token^2`. It reduces to a factor and a dimension of base units: `2 USD/Mtok` is `0.000002` of
`USD/token`. Counted things (token, GPU, request) and currencies are dimensions of their own: they convert only through
a stated number or a price, `1.08 USD/EUR`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache

from compute.units.unit_table import BUILT_IN, CURRENCIES, CURRENCY_SIGNS, MULTIPLES, REFUSED, SHOWN
from graph.text.similar_names import misspelt

EXACT = Context(prec=50, Emax=9_999, Emin=-9_999)
"""The precision of formulas; results are rounded to fewer digits, so 1/3*3 is 1."""
_DIMENSIONS: dict[frozenset[tuple[str, int]], Dimension] = {}
SHARES = frozenset({"%", "percent", "pp", "bps"})
OwnThing = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A thing that the user counts: its name, its other names, and their plurals."""
_INPUTS: ContextVar[Vocabulary | None] = ContextVar("vocabulary", default=None)
"""The vocabulary of the inputs in use, such as those of an earlier run, if it is another one."""
_COUNT = r"(?:1\s?)?(?:[kM]|thousand|million)(?=\s)|1\s?[kM](?=[A-Za-z])|1,?000(?:,?000)?(?![0-9])"
_PART = re.compile(
    rf"\s*+(?:(?P<mark>[/*·×÷-]|per\b)\s*+)?(?:(?P<count>{_COUNT})\s*+)?"
    r"(?P<name>[%×$€£¢]|(?!per\b)[A-Za-z_][A-Za-z0-9_]*+)(?:\s*+\^\s*+(?P<power>-?[0-9]{1,2})(?![0-9.]))?\s*+"
)
_SIGNS = {**CURRENCY_SIGNS, "×": "x"}
LARGEST_POWER = 6
_WRITE = "write units joined by / and *, for example USD/GPU/h"
_SHORT = {"hour": "h", "watt": "W"}


class UnitError(ValueError):
    """A unit that cannot be read; `hint` says what to write, `at` is its offset in the text around it."""

    def __init__(self, found: str, hint: str) -> None:
        super().__init__(f"‘{found}’ is not a unit" + (f": {hint}" if hint else ""))
        self.found, self.hint, self.at = found, hint, 0


@dataclass(frozen=True, slots=True, eq=False)
class Dimension:
    """What a figure measures, as powers of base units; one object per dimension, compared by identity."""

    powers: Mapping[str, int]
    """None is 0; in the order in which the units came."""

    def __mul__(self, other: Dimension) -> Dimension:
        return _product(self, other, 1)

    def __truediv__(self, other: Dimension) -> Dimension:
        return _product(self, other, -1)

    def __pow__(self, exponent: Fraction) -> Dimension:
        powers = {name: Fraction(power) * exponent for name, power in self.powers.items()}
        if any(power.denominator != 1 for power in powers.values()):
            raise ValueError("the power of a unit must be an integer")
        return _dimension({name: int(power) for name, power in powers.items()})

    def __str__(self) -> str:
        return shown(self).text or "a plain number"


def _dimension(powers: Mapping[str, int]) -> Dimension:
    kept = {name: power for name, power in powers.items() if power}
    return _DIMENSIONS.setdefault(frozenset(kept.items()), Dimension(kept))


@lru_cache(maxsize=16_384)
def _product(left: Dimension, right: Dimension, times: int) -> Dimension:
    added = {name: left.powers.get(name, 0) + times * power for name, power in right.powers.items()}
    return _dimension({**left.powers, **added})


@lru_cache(maxsize=8192)
def money(dimension: Dimension) -> str:
    """The currency of an amount or a price; empty if there is none, or several."""
    found = [name for name in currencies(dimension) if dimension.powers[name] == 1]
    return found[0] if len(found) == 1 and len(currencies(dimension)) == 1 else ""


@lru_cache(maxsize=8192)
def currencies(dimension: Dimension) -> frozenset[str]:
    """The currencies in a dimension."""
    return frozenset(CURRENCIES) & frozenset(dimension.powers)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as written, its size in base units, and its dimension."""

    text: str
    factor: Decimal
    dimension: Dimension

    @property
    def share(self) -> bool:
        """True for percent, percentage points and basis points."""
        return self.text in SHARES

    @property
    def points(self) -> bool:
        """True for differences of shares, which can be added and do not scale."""
        return self.text in {"pp", "bps"}


PLAIN = _dimension({})  # the dimension of numbers, ratios and percentages
ONE = Unit("", Decimal(1), PLAIN)
PERCENT = Unit("%", Decimal("0.01"), PLAIN)
TIMES = Unit("x", Decimal(1), PLAIN)


_MEANINGS = {
    word: (name, *meaning)
    for name, *meaning, others, plurals in BUILT_IN
    for word in (name, *others.split(), *plurals.split())
} | {name: (name,) for name in CURRENCIES}
"""Each built-in word with its unit, and its definition unless it is a base unit."""


class Vocabulary:
    """Built-in words for units, and a brain's counted things, also by the thousand and million: `kticket`."""

    def __init__(self, own: tuple[OwnThing, ...] = ()) -> None:
        self._things = own
        self._own: dict[str, tuple[str, Decimal]] = {}
        self.plurals = {plural: name for name, *_, words in BUILT_IN for plural in words.split() if name != "times"}
        singulars = {word for name, *_, others, _ in BUILT_IN for word in (name, *others.split())} - {"times"}
        for name, others, plurals in own:
            for prefix, factor in (("", "1"), *MULTIPLES):
                self._own |= {prefix + word: (name, Decimal(factor)) for word in (name, *others)}
            singulars |= self._own.keys() - self.plurals.keys()
            self._own |= dict.fromkeys(plurals, (name, Decimal(1)))
            self.plurals |= dict.fromkeys(plurals, name)
        self.singulars = frozenset(singulars) | frozenset(CURRENCIES)  # reserved: they may occur anywhere in a unit
        self.names = self.singulars | self.plurals.keys() | self._own.keys() | {"times", "x"}
        self.atom = lru_cache(1024)(self._atom)

    def __reduce__(self) -> tuple[object, ...]:
        return Vocabulary, (self._things,)

    def _atom(self, name: str) -> Unit:
        if name in self._own:
            thing, times = self._own[name]
            return Unit(name, times, _dimension({thing: 1}))
        if name in REFUSED or name not in self.names:
            raise UnitError(name, REFUSED.get(name) or misspelt(name, vocabulary().names))
        base, *meaning = _MEANINGS[name]
        found = ONE if meaning else Unit(base, Decimal(1), _dimension({base: 1}))
        power = 1
        for word in " ".join(meaning).split():  # `watt * hour / 3600`
            if word in "*/":
                power = 1 if word == "*" else -1
            else:
                part = Unit(word, Decimal(word), PLAIN) if word[0].isdigit() else self.atom(word)
                found = combined(found, part, power)
        return Unit(name, found.factor, found.dimension)


_BRAIN = [Vocabulary()]  # the vocabulary of the open brain


def vocabulary() -> Vocabulary:
    """The words for units in use."""
    return _INPUTS.get() or _BRAIN[0]


def set_vocabulary(of_brain: Vocabulary) -> None:
    """Set the vocabulary of the open brain."""
    _BRAIN[0] = of_brain


@contextmanager
def using(inputs: Vocabulary | None) -> Iterator[None]:
    """Read and evaluate with the vocabulary of some inputs, in this thread or task; None keeps the one in use."""
    token = _INPUTS.set(inputs or _INPUTS.get())
    try:
        yield
    finally:
        _INPUTS.reset(token)


def reserved(name: str) -> bool:
    """True if `name` can only be a unit, or is rejected as one with an explanation."""
    return name in vocabulary().singulars or name in REFUSED


def atom(name: str) -> Unit:
    """One unit by its name. Raises UnitError if there is none; the hint has the closest match or the reason."""
    return vocabulary().atom(name)


def unit(text: str) -> Unit:
    """A unit from its text, with `/` and `*` in its name. Raises UnitError for an unknown atom or another form."""
    return _unit(text, vocabulary())


def known(text: str) -> Unit | None:
    """The unit of a text; None if it cannot be read."""
    try:
        return unit(text)
    except UnitError:
        return None


@lru_cache(maxsize=4096)
def _unit(text: str, _vocabulary: Vocabulary) -> Unit:
    found, end = unit_at(text, 0, lambda part: bool(part["mark"] or part.start() == 0))
    if end < len(text) or text.lstrip()[:1] in {"*", "·", "-"}:
        raise UnitError(text, _WRITE)
    return found


def unit_at(text: str, at: int, goes_on: Callable[[re.Match[str]], bool], lead: Unit = ONE) -> tuple[Unit, int]:
    """The unit from `at` on, behind `lead`, while `goes_on` takes parts, and its end. Raises UnitError with `at`."""
    result, side = lead, 1
    while (part := _PART.match(text, at)) and goes_on(part):
        mark = part["mark"] or ""
        side = -1 if mark in {"/", "÷", "per"} else side if mark == "-" else 1
        try:
            result = combined(result, _named(part), int(part["power"] or 1) * side)
        except UnitError as error:
            error.at = part.start("name")
            raise
        at = part.end()
    return result, at


def _named(part: re.Match[str]) -> Unit:
    """The atom of a part; plurals are kept only at the beginning, as in `3 years`."""
    name = _SIGNS.get(part["name"], part["name"])
    if part["count"] is None:
        return atom(vocabulary().plurals.get(name, name) if part["mark"] else name)
    if not part["mark"]:
        raise UnitError(part["count"], _WRITE)
    prefix = "M" if re.search("M|million|000,?000", part["count"]) else "k"
    thing = vocabulary().plurals.get(name, name)
    found = prefix + ("tok" if thing in {"token", "tok"} else thing)
    if found not in vocabulary().names:
        raise UnitError(name, "only counted things have prices per 1k or per 1M: USD per 1k tokens")
    return atom(found)


def combined(left: Unit, right: Unit, power: int) -> Unit:
    """The product of a unit and a power of another. Raises UnitError beyond the largest power."""
    if abs(power) > LARGEST_POWER:
        raise UnitError(f"{right.text}^{power}", f"the largest power of a unit is {LARGEST_POWER}")
    factor = EXACT.multiply(left.factor, EXACT.power(right.factor, power))
    raised = right.text + (f"^{abs(power)}" if abs(power) != 1 else "")
    mark = "/" if power < 0 else ("*" if left.text else "")
    return Unit(f"{left.text}{mark}{raised}", factor, _product(left.dimension, right.dimension, power))


@cache
def _shown_units() -> dict[Dimension, Unit]:
    return {unit(text).dimension: unit(text) for text in reversed(SHOWN)}


@lru_cache(maxsize=4096)
def shown(dimension: Dimension | None) -> Unit:
    """The unit in which a computed figure is shown; none for a plain or unknown dimension."""
    if dimension is None or dimension is PLAIN:
        return ONE
    preferred = _shown_units().get(dimension)
    if preferred is None and (currency := money(dimension)):
        dollars = _shown_units().get(dimension / atom(currency).dimension * atom("USD").dimension)
        preferred = unit(dollars.text.replace("USD", currency)) if dollars else None
    return preferred or _base_unit(dimension)


def _base_unit(dimension: Dimension) -> Unit:
    """A product of base units, the positive powers first."""
    powers = sorted(dimension.powers.items())
    over = "*".join(_raised(name, power) for name, power in powers if power > 0)
    text = over + "".join(f"/{_raised(name, -power)}" for name, power in powers if power < 0)
    return Unit(text, Decimal(1), dimension)


def _raised(name: str, power: int) -> str:
    return _SHORT.get(name, name) + (f"^{power}" if power != 1 else "")
