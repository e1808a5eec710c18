"""Units of figures, checked with pint against a custom registry.

A unit is a product of the atoms below: `USD/Mtok`, `USD/GPU/h`, `W*h`, `token^2`. Every unit reduces to a factor and a
dimension over the base units (token, GPU, hour, watt, dollar, byte …), so `2 USD/Mtok` is `0.000002` of `USD/token`.
Things that are counted (token, GPU, instance, request) are dimensions of their own: a price per instance and a price
per GPU convert only through a stated number of GPUs per instance, and currencies do not convert to each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cache, lru_cache

import pint
from pint.util import UnitsContainer

from compute.units.unit_table import COUNTED, CURRENCIES, DERIVED, REFUSED, SHOWN
from graph.text.similar_names import near

EXACT = Context(prec=50, Emax=9_999, Emin=-9_999)
"""The precision of formulas; results are rounded to fewer digits, so 1/3*3 is 1."""


class UnitError(ValueError):
    """A unit that cannot be read; `hint` says what to write instead."""

    def __init__(self, found: str, hint: str) -> None:
        super().__init__(f"‘{found}’ is not a unit" + (f": {hint}" if hint else ""))
        self.found, self.hint = found, hint


@dataclass(frozen=True, slots=True, eq=False)
class Dimension:
    """What a figure measures, as powers of the base units; one object per dimension, compared by identity."""

    powers: UnitsContainer

    def whole(self) -> dict[str, int]:
        """The power of each base unit."""
        return {str(name): int(str(power)) for name, power in self.powers.items()}

    def __mul__(self, other: Dimension) -> Dimension:
        return _product(self, other)

    def __truediv__(self, other: Dimension) -> Dimension:
        return _quotient(self, other)

    def __pow__(self, exponent: Fraction) -> Dimension:
        powers = {name: Fraction(power) * exponent for name, power in self.whole().items()}
        if any(power.denominator != 1 for power in powers.values()):
            raise ValueError("the power of a unit must be whole")
        return _dimension(UnitsContainer({name: int(power) for name, power in powers.items()}))

    def __str__(self) -> str:
        return shown(self).text or "a plain number"


_DIMENSIONS: dict[UnitsContainer, Dimension] = {}


def _dimension(powers: UnitsContainer) -> Dimension:
    return _DIMENSIONS.setdefault(powers, Dimension(powers))


@lru_cache(maxsize=8192)
def _product(left: Dimension, right: Dimension) -> Dimension:
    return _dimension(left.powers * right.powers)


@lru_cache(maxsize=8192)
def _quotient(left: Dimension, right: Dimension) -> Dimension:
    return _dimension(left.powers / right.powers)


@lru_cache(maxsize=8192)
def currencies(dimension: Dimension) -> frozenset[str]:
    """The currencies in a dimension."""
    return frozenset(CURRENCIES) & frozenset(dimension.whole())


PLAIN = _dimension(UnitsContainer())
"""The dimension of numbers, ratios and percentages."""


SHARES = frozenset({"%", "percent", "pp", "bps"})
"""Percent, percentage points and basis points."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as written, its size in base units, and what it measures."""

    text: str
    factor: Decimal
    dimension: Dimension

    @property
    def share(self) -> bool:
        """True for percent, percentage points and basis points."""
        return self.text in SHARES

    @property
    def points(self) -> bool:
        """True for units that measure differences of shares: they can be added, and do not scale."""
        return self.text in {"pp", "bps"}


ONE = Unit("", Decimal(1), PLAIN)
PERCENT = Unit("%", Decimal("0.01"), PLAIN)
TIMES = Unit("x", Decimal(1), PLAIN)


def _definitions() -> Iterator[str]:
    for name in CURRENCIES:
        yield f"{name} = [currency_{name}]"
    for name, others, plurals in COUNTED:
        yield " = ".join([name, f"[{name}]", "_", *others.split(), *plurals.split()])
    for name, meaning, others, plurals in DERIVED:
        yield " = ".join([name, meaning, "_", *others.split(), *plurals.split()])


_REGISTRY: pint.UnitRegistry[Decimal] = pint.UnitRegistry(None, non_int_type=Decimal)
with localcontext(EXACT):  # pint divides while it parses
    _REGISTRY.load_definitions(list(_definitions()))


@cache
def singulars() -> frozenset[str]:
    """The names that may occur anywhere in a unit, and so cannot be used for anything else in a formula."""
    told = [(name, others) for name, others, _ in COUNTED] + [(name, others) for name, _, others, _ in DERIVED]
    every = {word for name, others in told for word in (name, *others.split())} - {"times"}
    return frozenset(every) | frozenset(CURRENCIES)


@cache
def names() -> frozenset[str]:
    """Every name of an atom, including plurals."""
    plurals = [words for *_, words in COUNTED] + [words for *_, words in DERIVED]
    return singulars() | {"times"} | frozenset(word for words in plurals for word in words.split())


def known(name: str) -> bool:
    """True if `name` is an atom."""
    return name in names()


def reserved(name: str) -> bool:
    """True if `name` can only be a unit, or is rejected as a unit with an explanation."""
    return name in singulars() or name in REFUSED


@lru_cache(maxsize=1024)
def atom(name: str) -> Unit:
    """One unit by its name.

    Raises:
        UnitError: there is no such unit; the hint names the closest match, or says why the word is rejected.
    """
    if name in REFUSED or not known(name):
        raise UnitError(name, REFUSED.get(name) or suggestion(name, names()))
    with localcontext(EXACT):
        factor, root = _REGISTRY.get_root_units(name)
    powers = {str(base): round(float(str(power))) for base, power in root._units.items()}  # noqa: SLF001 pint keeps the powers there only
    return Unit(name, Decimal(str(factor)), _dimension(UnitsContainer(powers)))


def suggestion(word: str, known_words: Iterable[str]) -> str:
    """`did you mean …?` for the closest known word, or an empty text."""
    choices = sorted(known_words)
    letters = sorted(word.lower())
    swapped = [choice for choice in choices if sorted(choice.lower()) == letters]  # the same letters: case, or a swap
    best = swapped or near(word, choices, 1)
    return f"did you mean {best[0]}?" if best else ""


_PART = re.compile(r"\s*(?P<mark>[/*·]?)\s*(?P<name>%|[A-Za-z_$][A-Za-z0-9_]*)(?:\s*\^\s*(?P<power>-?[0-9]{1,2}))?\s*")
LARGEST_POWER = 6


@lru_cache(maxsize=4096)
def unit(text: str) -> Unit:
    """A unit from its text: atoms joined by `/` and `*`, each with a whole power.

    Raises:
        UnitError: an atom is unknown or rejected, or the text is not of this form.
    """
    at, result = 0, ONE
    while at < len(text):
        part = _PART.match(text, at)
        if part is None or (at > 0 and not part["mark"]) or (at == 0 and part["mark"] in {"*", "·"}):
            raise UnitError(text, "write units joined by / and *, for example USD/GPU/h")
        power = int(part["power"] or 1) * (-1 if part["mark"] == "/" else 1)
        result = combined(result, atom(part["name"]), power)
        at = part.end()
    return Unit(text.strip(), result.factor, result.dimension)


def behind_number(text: str) -> str:
    """A unit as written after a number in a formula; one that begins with `/` becomes a power, `/h` is `h^-1`."""
    if not text.startswith("/"):
        return text
    parts = (part.strip().partition("^") for part in text[1:].split("/"))
    return "*".join(f"{name.strip()}^-{power.strip() or 1}" for name, _, power in parts)


def combined(left: Unit, right: Unit, power: int) -> Unit:
    """The product of `left` and a power of `right`, with a readable name.

    Raises:
        UnitError: the power is beyond `LARGEST_POWER`.
    """
    if abs(power) > LARGEST_POWER:
        raise UnitError(f"{right.text}^{power}", f"the largest power of a unit is {LARGEST_POWER}")
    with localcontext(EXACT):
        factor = left.factor * right.factor**power
    raised = right.text + (f"^{abs(power)}" if abs(power) != 1 else "")
    mark = "/" if power < 0 else ("*" if left.text else "")
    return Unit(f"{left.text}{mark}{raised}", factor, left.dimension * right.dimension ** Fraction(power))


@cache
def _shown_units() -> dict[Dimension, Unit]:
    return {unit(text).dimension: unit(text) for text in reversed(SHOWN)}


@lru_cache(maxsize=4096)
def shown(dimension: Dimension) -> Unit:
    """The unit in which a computed figure of `dimension` is shown."""
    if dimension is PLAIN:
        return ONE
    preferred = _shown_units().get(dimension)
    return preferred or unit(_spelled(dimension))


_SHORT = {"hour": "h", "watt": "W"}


def _spelled(dimension: Dimension) -> str:
    powers = sorted(dimension.whole().items())
    over = [_raised(name, power) for name, power in powers if power > 0]
    under = [_raised(name, -power) for name, power in powers if power < 0]
    return "*".join(over) + "".join(f"/{part}" for part in under)


def _raised(name: str, power: int) -> str:
    return _SHORT.get(name, name) + (f"^{power}" if power != 1 else "")
