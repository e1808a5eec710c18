"""Amounts as written in cards and tables: a number, then a unit, such as `2.50 USD/GPU/h` or `60%`.

    amount   = number [unit]
    number   = ["-"] digits ["." digits] [("e"|"E") ["-"] digits]      digits may be grouped by "_"
    unit     = see `compute.units.units`

`COUNTED_IN` lists the units that each price component may be per; an unlisted component may be per any unit.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated

from compute.prices.price_models import Price
from compute.units.unit_table import CURRENCIES
from compute.units.units import UnitError, unit
from graph.models.claim_models import FIGURE
from graph.values import Value
from graph.yaml import FromText, mistake

_AMOUNT = re.compile(
    r"(?P<number>[+-]?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d{1,2})?)\s*(?P<unit>\S(?:.*\S)?)?", re.ASCII
)
_LONGEST = 80
_WRITE = "write a number and its unit: 2.50 USD/GPU/h"

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
"""The units that each component is priced per: its price is money per one of these, or per a multiple of it."""


class Amount(Value):
    """A number and its unit as written; `unit` is empty if none was written."""

    value: Decimal
    unit: str


def parse(text: str) -> Amount | None:
    """The amount in `text`, its unit unchecked, or None if `text` is not an amount."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None or len(text) > _LONGEST:
        return None
    return Amount(value=Decimal(match["number"].replace("_", "")), unit="".join((match["unit"] or "").split()))


def _amount(value: object) -> object:
    """The amount of a field; errors have the caret under the wrong number or unit."""
    if isinstance(value, dict | list):
        raise mistake("yaml-shape", "expected an amount; found a list or a mapping", hint=_WRITE)
    if not isinstance(value, str):
        return value
    found = parse(value)
    if found is None:
        raise mistake("bad-amount", f"{value!r} is not an amount", hint=_WRITE)
    try:
        unit(found.unit)
    except UnitError as error:
        offset = max(0, value.find(error.found))
        raise mistake(
            "unknown-unit", f"{error.found!r} is not a unit", hint=error.hint or None, offset=offset
        ) from None  # fmt: skip
    return found


AmountField = Annotated[Amount, FromText(_amount, FIGURE)]
"""A field of a file that is an amount."""


def price_unit_problem(component: str, text: str) -> str | None:
    """Why `text` cannot be the unit of a price of `component`, or None if it can. `text` is a readable unit."""
    currency, _, counted = text.partition("/")
    if not text:
        return "a price needs its unit after the number, such as 0.09 USD/GB"
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
    """Whether two prices are the same amount, in any multiple of one unit. Different kinds of unit never match."""
    if one.unit == two.unit:
        return one.value == two.value
    try:
        first, second = unit(one.unit), unit(two.unit)
    except UnitError:
        return False
    return first.dimension is second.dimension and one.value * first.factor == two.value * second.factor
