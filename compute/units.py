"""Units: what a figure is measured in, checked with pint against a registry of our own.

A unit is a product of the atoms below: `USD/Mtok`, `USD/GPU/h`, `W*h`, `token^2`. Every unit reduces to a factor and a
dimension over the base units (token, GPU, hour, watt, dollar, byte …), so `2 USD/Mtok` is `0.000002` of `USD/token`.
Things that are counted (token, GPU, instance, request) are dimensions of their own: a price per instance and a price
per GPU meet only through a stated number of GPUs per instance, and every currency is a stranger to every other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cache, lru_cache

import pint
from pint.util import UnitsContainer
from rapidfuzz import fuzz, process

EXACT = Context(prec=50, Emax=9_999, Emin=-9_999)
"""The precision in which formulas are computed; results are rounded to fewer digits, so 1/3*3 is 1."""

_CODES = "USD EUR GBP CHF JPY CNY KRW INR CAD AUD NZD SEK NOK DKK PLN CZK HUF BRL MXN SGD HKD TWD ILS AED SAR ZAR"
CURRENCIES = tuple(_CODES.split())
"""Three-letter codes (ISO 4217), each a dimension of its own: no rate of exchange is ever assumed."""

_COUNTED = (
    ("token", "tok", "tokens toks"),
    ("parameter", "param", "parameters params"),
    ("request", "", "requests"),
    ("search", "", "searches"),
    ("message", "", "messages"),
    ("image", "", "images"),
    ("pixel", "", "pixels"),
    ("page", "", "pages"),
    ("character", "char", "characters chars"),
    ("word", "", "words"),
    ("user", "", "users"),
    ("GPU", "", "GPUs"),
    ("instance", "", "instances"),
    ("server", "", "servers"),
    ("node", "", "nodes"),
    ("rack", "", "racks"),
    ("chip", "", "chips"),
    ("vCPU", "", "vCPUs"),
    ("byte", "", "bytes"),
    ("FLOP", "", "FLOPs"),
    ("hour", "h hr", "hours hrs"),
    ("watt", "W", "watts"),
    ("gram", "g", "grams"),
    ("litre", "liter", "litres liters"),
)
"""Base units: the name, its other names, and the plurals, which stand directly behind a number only."""

_DERIVED = (
    ("percent", "0.01", "%", ""),
    ("pp", "0.01", "", ""),
    ("bps", "0.0001", "", ""),
    ("times", "1", "", "x"),
    ("ktok", "1e3 token", "ktoken", "ktokens"),
    ("Mtok", "1e6 token", "Mtoken", "Mtokens"),
    ("Gtok", "1e9 token", "Gtoken", "Gtokens"),
    ("Ttok", "1e12 token", "Ttoken", "Ttokens"),
    ("krequest", "1e3 request", "", "krequests"),
    ("Mrequest", "1e6 request", "", "Mrequests"),
    ("Mchar", "1e6 character", "", "Mchars"),
    ("minute", "hour / 60", "", "minutes"),
    ("second", "hour / 3600", "sec s", "seconds"),
    ("ms", "hour / 3.6e6", "millisecond", "milliseconds"),
    ("us", "hour / 3.6e9", "microsecond", "microseconds"),
    ("ns", "hour / 3.6e12", "nanosecond", "nanoseconds"),
    ("day", "24 hour", "", "days"),
    ("week", "168 hour", "", "weeks"),
    ("month_720h", "720 hour", "", ""),
    ("month_730h", "730 hour", "", ""),
    ("year", "8760 hour", "yr", "years yrs"),
    ("mW", "watt / 1e3", "", ""),
    ("kW", "1e3 watt", "kilowatt", "kilowatts"),
    ("MW", "1e6 watt", "megawatt", "megawatts"),
    ("GW", "1e9 watt", "gigawatt", "gigawatts"),
    ("Wh", "watt * hour", "", ""),
    ("kWh", "1e3 watt * hour", "", ""),
    ("MWh", "1e6 watt * hour", "", ""),
    ("GWh", "1e9 watt * hour", "", ""),
    ("TWh", "1e12 watt * hour", "", ""),
    ("joule", "watt * hour / 3600", "J", "joules"),
    ("kJ", "watt * hour / 3.6", "", ""),
    ("MJ", "1e3 watt * hour / 3.6", "", ""),
    ("cent", "USD / 100", "", "cents"),
    ("bit", "0.125 byte", "", "bits"),
    ("kbit", "125 byte", "", ""),
    ("Mbit", "125e3 byte", "", ""),
    ("Gbit", "125e6 byte", "", ""),
    ("Tbit", "125e9 byte", "", ""),
    ("kB", "1e3 byte", "KB", ""),
    ("MB", "1e6 byte", "", ""),
    ("GB", "1e9 byte", "", ""),
    ("TB", "1e12 byte", "", ""),
    ("PB", "1e15 byte", "", ""),
    ("EB", "1e18 byte", "", ""),
    ("KiB", "1024 byte", "", ""),
    ("MiB", "1048576 byte", "", ""),
    ("GiB", "1073741824 byte", "", ""),
    ("TiB", "1099511627776 byte", "", ""),
    ("PiB", "1125899906842624 byte", "", ""),
    ("MFLOP", "1e6 FLOP", "", ""),
    ("GFLOP", "1e9 FLOP", "", ""),
    ("TFLOP", "1e12 FLOP", "", ""),
    ("PFLOP", "1e15 FLOP", "", ""),
    ("EFLOP", "1e18 FLOP", "", ""),
    ("ZFLOP", "1e21 FLOP", "", ""),
    ("YFLOP", "1e24 FLOP", "", ""),
    ("FLOPS", "3600 FLOP / hour", "", ""),
    ("MFLOPS", "3600e6 FLOP / hour", "", ""),
    ("GFLOPS", "3600e9 FLOP / hour", "", ""),
    ("TFLOPS", "3600e12 FLOP / hour", "", ""),
    ("PFLOPS", "3600e15 FLOP / hour", "", ""),
    ("EFLOPS", "3600e18 FLOP / hour", "", ""),
    ("GPUh", "GPU * hour", "GPU_h", ""),
    ("mg", "gram / 1e3", "", ""),
    ("kg", "1e3 gram", "", ""),
    ("tonne", "1e6 gram", "", "tonnes"),
)
"""Units made of others: the name, its meaning, its other names, and the plurals."""

_SHOWN = (
    "USD/Mtok",
    "kWh",
    "GB",
    "FLOP",
    "GPUh",
    "TFLOPS",
    "GB/s",
    "token/s",
    "USD/GPU/h",
    "USD/kWh",
    "USD/GB",
    "W",
    "h",
)
"""The units in which a computed figure of their dimension is shown."""

_REFUSED = {
    "month": "a month is 720 or 730 hours here: write month_720h or month_730h",
    "months": "a month is 720 or 730 hours here: write month_720h or month_730h",
    "mo": "a month is 720 or 730 hours here: write month_720h or month_730h",
    "B": "B stands for billions directly behind a number (70B); for memory write byte or GB",
    "T": "T stands for trillions directly behind a number (2T), without a space",
    "k": "k stands for thousands directly behind a number (30k), without a space",
    "K": "K stands for thousands directly behind a number (30K), without a space",
    "M": "M stands for millions directly behind a number (5M), without a space",
    "min": "min is the function of that name; for time write minute",
    "GPU_hour": "write GPU*h or GPUh",
    "$": "write USD behind the number, or $ before it",
}


class UnitError(ValueError):
    """A unit that cannot be read; `hint` says what to write instead."""

    def __init__(self, found: str, hint: str) -> None:
        super().__init__(f"‘{found}’ is not a unit" + (f": {hint}" if hint else ""))
        self.found, self.hint = found, hint


@dataclass(frozen=True, slots=True, eq=False)
class Dimension:
    """What a figure measures, as powers of the base units; one object for each dimension, compared by identity."""

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


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as written, its size in base units, and what it measures."""

    text: str
    factor: Decimal
    dimension: Dimension

    @property
    def share(self) -> bool:
        """True of percent, percentage points and basis points."""
        return self.text in {"%", "percent", "pp", "bps"}

    @property
    def points(self) -> bool:
        """True of units that measure differences of shares: they are added, and scale nothing."""
        return self.text in {"pp", "bps"}


ONE = Unit("", Decimal(1), PLAIN)
PERCENT = Unit("%", Decimal("0.01"), PLAIN)
TIMES = Unit("x", Decimal(1), PLAIN)


@cache
def _registry() -> pint.UnitRegistry[Decimal]:
    registry: pint.UnitRegistry[Decimal] = pint.UnitRegistry(None, non_int_type=Decimal)
    for name in CURRENCIES:
        registry.define(f"{name} = [currency_{name}]")
    for name, others, plurals in _COUNTED:
        registry.define(" = ".join([name, f"[{name}]", "_", *others.split(), *plurals.split()]))
    for name, meaning, others, plurals in _DERIVED:
        registry.define(" = ".join([name, meaning, "_", *others.split(), *plurals.split()]))
    return registry


@cache
def singulars() -> frozenset[str]:
    """The names that may stand anywhere in a unit, and therefore are no names of anything else in a formula."""
    told = [(name, others) for name, others, _ in _COUNTED] + [(name, others) for name, _, others, _ in _DERIVED]
    every = {word for name, others in told for word in (name, *others.split())} - {"times"}
    return frozenset(every) | frozenset(CURRENCIES)


@cache
def names() -> frozenset[str]:
    """Every name of an atom, plurals too."""
    plurals = [words for *_, words in _COUNTED] + [words for *_, words in _DERIVED]
    return singulars() | {"times"} | frozenset(word for words in plurals for word in words.split())


def known(name: str) -> bool:
    """True where `name` is an atom."""
    return name in names()


def reserved(name: str) -> bool:
    """True where `name` can only be a unit, or is refused as one with an explanation."""
    return name in singulars() or name in _REFUSED


@lru_cache(maxsize=1024)
def atom(name: str) -> Unit:
    """One unit by its name.

    Raises:
        UnitError: there is no such unit; the hint names the nearest, or says why the word is refused.
    """
    if name in _REFUSED or not known(name):
        raise UnitError(name, _REFUSED.get(name) or suggestion(name, names()))
    with localcontext(EXACT):
        factor, root = _registry().get_root_units(name)
    powers = {str(base): round(float(str(power))) for base, power in root._units.items()}  # noqa: SLF001 pint keeps the powers there only
    return Unit(name, Decimal(str(factor)), _dimension(UnitsContainer(powers)))


def suggestion(word: str, known_words: Iterable[str]) -> str:
    """`did you mean …?` for the nearest of the known words, or nothing."""
    choices = sorted(known_words)
    lower = {choice.lower(): choice for choice in choices}
    if word.lower() in lower:
        return f"did you mean {lower[word.lower()]}?"
    best = process.extractOne(word, choices, scorer=fuzz.ratio, score_cutoff=60)
    return f"did you mean {best[0]}?" if best else ""


_PART = re.compile(r"\s*(?P<mark>[/*·]?)\s*(?P<name>%|[A-Za-z_$][A-Za-z0-9_]*)(?:\s*\^\s*(?P<power>-?[0-9]{1,2}))?\s*")
LARGEST_POWER = 6


@lru_cache(maxsize=4096)
def unit(text: str) -> Unit:
    """A unit from its text: atoms joined by `/` and `*`, each with a whole power.

    Raises:
        UnitError: an atom is unknown or refused, or the text is not of this form.
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


def combined(left: Unit, right: Unit, power: int) -> Unit:
    """The product of `left` and a power of `right`, named as one would write it.

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
    return {unit(text).dimension: unit(text) for text in reversed(_SHOWN)}


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
