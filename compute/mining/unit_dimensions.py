"""The units of a quantity with their exponents, and its size in base units: 15 USD per seat per month."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache

from compute.mining.noun_reader import scaled
from compute.mining.number_words import COINS
from compute.mining.quantities import Quantity


def dimensions(one: Quantity) -> Mapping[str, int]:
    """The exponent of each unit of a quantity; a share has none."""
    return {} if one.kind in {"share", "ratio", "points"} else dimensions_of(one.unit, one.pers)


@lru_cache(maxsize=4000)
def dimensions_of(unit: str, pers: tuple[str, ...]) -> Mapping[str, int]:
    """The exponent of each unit in one unit per others."""
    found: Counter[str] = Counter()
    if unit:
        _raise(found, unit, 1)
    for per in pers:
        _raise(found, base_of(per)[0], -1)
    return dict(found)


def _raise(found: Counter[str], unit: str, by: int) -> None:
    if unit == "Wh":
        found.update({"W": by, "h": by})
    elif "-" in unit and unit.rpartition("-")[2] in _JOINED:
        for part in unit.split("-"):
            found[_HYPHENED.get(part, part)] += by
    elif unit in _DERIVED:
        found.update({part: by * power for part, power in _DERIVED[unit].items()})
    elif unit == "night":
        found["day"] += by
    elif unit:
        unit = _PERSONAL.get(unit, unit)
        power = {"²": 2, "³": 3}.get(unit[-1], 1)
        found[unit.rstrip("²³")] += by * power


_BASES = {
    "Mtok": ("token", Decimal(10) ** 6),
    "ktok": ("token", Decimal(1000)),
    "hundred": ("", Decimal(100)),
    "hundred-thousand": ("", Decimal(100_000)),
    "thousand": ("", Decimal(1000)),
    "million": ("", Decimal(10) ** 6),
}
_DERIVED = {
    "v": {"W": 1, "amp": -1},
    "ω": {"W": 1, "amp": -2},
    "pa": {"n": 1, "m": -2},
    "hz": {"second": -1},
    "J": {"W": 1, "second": 1},
}
"""Units of physics in those of which they are made; `hz` is one in a second."""
_PERSONAL = {"hour": "h"}
_JOINED = frozenset({"hour", "day", "week", "month", "year", "minute", "second", "kilometre", "km", "mile", "h"})
"""What a unit with a hyphen ends with that is a product: a person-day; a sign-up is one thing."""
_HYPHENED = {"gpu": "GPU", "hour": "h", "kilometre": "m", "km": "m"}


@lru_cache(maxsize=2000)
def base_of(per: str) -> tuple[str, Decimal]:
    """The unit in which a unit is counted, and how many of those it has: a thousand tokens, 1,000."""
    if per in COINS and COINS[per].isupper():
        return COINS[per], Decimal(1)  # tokens per dollar
    return _BASES.get(per) or scaled(per)


def magnitude(one: Quantity) -> Decimal:
    """The value of a quantity with what it is per, in base units: $1.20 per GB is 1.2e-9 dollars per byte."""
    found = one.base
    for per in one.pers:
        found /= base_of(per)[1]
    return found


def factor_of(one: Quantity) -> Decimal:
    """What one of a quantity, as it is written, is in base units; a share has none."""
    found = Decimal(1) if one.kind == "share" else one.factor
    for per in one.pers:
        found /= base_of(per)[1]
    return found
