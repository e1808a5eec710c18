"""Amounts as people write them in cards and tables: a number, then a unit, such as `2.50 USD/GPU/h` or `60%`.

    amount   = number [unit]
    number   = ["-"] digits ["." digits] [("e"|"E") ["-"] digits]      digits may be grouped by "_"
    unit     = see `compute.units`

What a component of a price may be counted in stands in `COUNTED_IN`; a component that is not listed there may be
counted in anything.
"""

from __future__ import annotations

import re
from decimal import Decimal

from compute.measures import CURRENCIES
from compute.prices import Price
from compute.units import UnitError, unit
from compute.yamls import Fields
from graph.values import Value

_AMOUNT = re.compile(
    r"(?P<number>[+-]?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d{1,2})?)\s*(?P<unit>\S(?:.*\S)?)?", re.ASCII
)
_LONGEST = 80

_RENT = ("GPU/h", "instance/h", "vCPU/h", "server/h")
_BUY = ("", "GPU", "server", "rack", "node", "instance")

COUNTED_IN: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("input", ("Mtok",)),
    ("output", ("Mtok",)),
    ("cache_read", ("Mtok",)),
    ("cache_write", ("Mtok",)),
    ("cache_write_5m", ("Mtok",)),
    ("cache_write_1h", ("Mtok",)),
    ("on_demand", _RENT),
    ("reserved_1y", _RENT),
    ("reserved_3y", _RENT),
    ("committed", _RENT),
    ("spot", _RENT),
    ("purchase", _BUY),
    ("energy", ("kWh",)),
    ("egress", ("GB",)),
    ("transfer", ("GB",)),
    ("network", (*_BUY, "GPU/year")),
    ("facility", ("GPU/year", "server/year", "rack/year", "kW/year")),
)
"""For each component what one pays for: its price is money for one of these, or for a multiple of it."""


class Amount(Value):
    """A number and its unit as written; `unit` is empty where none was written."""

    value: Decimal
    unit: str


def parse(text: str) -> Amount | None:
    """The amount that `text` writes, its unit unchecked, or None where it is none."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None or len(text) > _LONGEST:
        return None
    return Amount(value=Decimal(match["number"].replace("_", "")), unit="".join((match["unit"] or "").split()))


def amount(fields: Fields, name: str, *, need: bool = True) -> Amount | None:
    """A field that is an amount; a wrong number or unit becomes a problem with the caret under it."""
    text = fields.text(name, need=need)
    if text is None:
        return None
    found = parse(text)
    mark = fields.at(name)
    if found is None:
        hint = "write a number and its unit: 2.50 USD/GPU/h"
        fields.fail(mark, f"{text!r} is no amount", code="bad-amount", hint=hint)
        return None
    try:
        unit(found.unit)
    except UnitError as error:
        message = f"{error.found!r} is no unit"
        offset = max(0, text.find(error.found))
        fields.fail(mark, message, code="unknown-unit", hint=error.hint or None, offset=offset)
        return None
    return found


def price_unit_problem(component: str, text: str) -> str | None:
    """Why `text` cannot be the unit of a price of `component`, or None where it can. `text` is a readable unit."""
    currency, _, counted = text.partition("/")
    if not text:
        return "a price needs its unit behind the number, such as 0.09 USD/GB"
    if currency not in CURRENCIES:
        return f"a price starts with its currency, such as USD; {text!r} does not"
    allowed = dict(COUNTED_IN).get(component)
    if allowed is None or unit(counted.replace("/", "*")).dimension in {
        unit(each.replace("/", "*")).dimension for each in allowed
    }:
        return None
    units = ", ".join(f"{currency}/{each}" if each else currency for each in allowed)
    return f"a price of {component!r} is stated in {units} or a multiple; not in {text!r}"


def same(one: Price, two: Price) -> bool:
    """Whether two prices say the same amount, in whatever multiple of one unit. Different kinds are never the same."""
    if one.unit == two.unit:
        return one.value == two.value
    try:
        first, second = unit(one.unit), unit(two.unit)
    except UnitError:
        return False
    return first.dimension is second.dimension and one.value * first.factor == two.value * second.factor
