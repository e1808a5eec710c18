"""The units of a figure as powers of base units, also of those that are read as nouns or written behind it.

412 GWh, 0.4 terawatt-hours         W s
0.9 Mt, 2,450 kilotonnes            g
3.1 million A100-hours              GPU s
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal

from compute.mining.contradiction_measures import SECONDS
from compute.mining.number_words import COINS
from compute.mining.quantities import Quantity
from compute.mining.unit_dimensions import dimensions, magnitude

_SECONDS = {**SECONDS, "decade": 10 * SECONDS["year"]}
_MONEY = {*filter(str.isupper, COINS.values()), "CHF", "SEK", "NOK", "DKK", "INR", "CNY", "AUD", "CAD", "SGD"}
_KEPT = frozenset({"m", "g", "W", "byte", "FLOPS", "amp", "n", *_MONEY})
"""Units that are compared; others are nouns, which two texts may say in other words."""
_BITS = re.compile(r"\d\s?(?:[KMGT]b(?:/s|ps)?|[kmgt]bit\S*|(?:kilo|mega|giga|tera)bits?)(?![A-Za-z])")

Units = tuple[Decimal, Mapping[str, int]]
"""How much of its base units a unit is, and these with their powers."""


def _names() -> Iterator[tuple[str, Units]]:
    """The names of units with their prefixes, in the singular."""
    prefixes = {"": 0, "kilo": 3, "mega": 6, "giga": 9, "tera": 12, "peta": 15, "exa": 18}
    bases: dict[str, Units] = {
        "watt": (Decimal(1), {"W": 1}),
        "joule": (Decimal(1), {"W": 1, "s": 1}),
        "tonne": (Decimal(10) ** 6, {"g": 1}),
        "litre": (Decimal("0.001"), {"m": 3}),
        "flop": (Decimal(1), {"FLOPS": 1}),
    }
    for prefix, power in prefixes.items():
        yield from ((f"{prefix}{name}", (scale * 10**power, powers)) for name, (scale, powers) in bases.items())
    for power, prefix in enumerate(("kibi", "mebi", "gibi", "tebi"), 1):
        yield f"{prefix}byte", (Decimal(1024) ** power, {"byte": 1})
    yield "quintal", (Decimal(10) ** 5, {"g": 1})
    yield "nmi", (Decimal(1852), {"m": 1})


_NAMED = dict(_names())
_BEHIND: tuple[tuple[re.Pattern[str], Units], ...] = (
    (re.compile(r"\s?kt\b"), (Decimal(10) ** 9, {"g": 1})),
    (re.compile(r"\s?Mt\b"), (Decimal(10) ** 12, {"g": 1})),
    (re.compile(r"\s?Gt\b"), (Decimal(10) ** 15, {"g": 1})),
    (re.compile(r"\s?m3\b"), (Decimal(1), {"m": 3})),
    (re.compile(r"\s?(?:°\s?C\b|degrees? C\w*)"), (Decimal(1), {"°C": 1})),
    (
        re.compile(r"(?:\s[A-Z]+\d+\w*(?:\sGPUs?)?|\s?(?:GPU|card|accelerator)s?)[- ]hours?\b"),
        (SECONDS["h"], {"GPU": 1, "s": 1}),
    ),
)
"""Units behind a number that was read without them."""
_HOURS = re.compile(r"[- ]hours?\b")


def based(one: Quantity, behind: str) -> tuple[Decimal, Counter[str]]:
    """How much of its base units one of a quantity is, and these units with their powers; what it counts is none.

    `behind` is the text after its figure.
    """
    factor = magnitude(one) / one.figure.low
    if one.unit == "byte" and "bit" not in one.figure.unit and _BITS.search(one.figure.text):
        factor /= 8
    powers: Counter[str] = Counter({"token": 0, "s": 0, "W": 0})
    for unit, power in dimensions(one).items():
        scale, bases = _of(unit, power)
        factor *= scale**power
        powers.update({base: power * raised for base, raised in bases.items()})
    scale, bases = _written(one, behind)
    powers.update(bases)
    return factor * scale, powers


def _of(unit: str, power: int) -> Units:
    if unit in _SECONDS:
        return _SECONDS[unit], {"s": 1}
    kept = unit in _KEPT or (unit == "token" and power < 0)
    return _NAMED.get(unit, (Decimal(1), {unit: 1} if kept else {}))


def _written(one: Quantity, behind: str) -> Units:
    """The unit behind a figure, which was read without it."""
    if one.unit == "GPU-hour":
        return Decimal(1), {"GPU": 1}
    if one.unit in {"W", "GPU"} and not one.pers and _HOURS.match(behind):
        return SECONDS["h"], {"s": 1} if one.unit == "W" else {"GPU": 1, "s": 1}
    known = one.kind != "count" or one.unit in {"m", "g"} or one.unit in _NAMED
    return next((units for pattern, units in _BEHIND if not known and pattern.match(behind)), (Decimal(1), {}))
