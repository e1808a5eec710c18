"""Amounts in cards and tables: a number, then a unit, such as `2.50 USD/GPU/h` or `60%`.

amount   = number [unit]
number   = ["-"] digits ["." digits] [("e"|"E") ["-"] digits] ["billion" | …]      digits in groups by "_" or ","
                                                                                   0,125 is no group but a mistake
unit     = see `compute.units.units`
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated

from compute.prices.price_models import Price
from compute.units.units import Unit, UnitError, currencies, known, money, unit
from graph.models.written_figures import FIGURE
from graph.values import Value
from graph.yaml.validation import FromText, mistake

_AMOUNT = re.compile(
    r"(?P<sign>[$€£]?)\s*(?P<number>[+−-]?(?:[1-9]\d{0,2}(?:,\d{3})+|\d[\d_]*)(?:\.\d[\d_]*)?(?:[eE][+-]?\d{1,2})?)"
    r"(?:\s?(?P<scale>thousand|million|billion|trillion)\b)?\s*(?P<unit>\S(?:.*\S)?)?",
    re.ASCII,
)
_COMMA = re.compile(r"(?<!\d)\d+,\d+")
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_GROUPS = str.maketrans({"_": None, ",": None, "−": "-"})
_LONGEST = 80
_WRITE = "write a number and its unit: 2.50 USD/GPU/h"

_BUY = ("", "GPU", "server", "rack", "node", "instance")

_PRICED_PER = (
    ("input output cache_read cache_write cache_write_5m cache_write_1h", ("Mtok",)),
    ("on_demand reserved_1y reserved_3y committed spot", ("GPU/h", "instance/h", "vCPU/h", "server/h")),
    ("purchase", _BUY),
    ("energy", ("kWh",)),
    ("egress transfer", ("GB",)),
    ("network", (*_BUY, "GPU/year")),
    ("facility", ("GPU/year", "server/year", "rack/year", "kW/year")),
)
COUNTED_IN = tuple((component, units) for components, units in _PRICED_PER for component in components.split())
"""The units that each component is priced per: its price is money per one of these, or per a multiple of it."""


class Amount(Value):
    """A number and its unit as written; without one `unit` is empty."""

    value: Decimal
    unit: str


def parse(text: str) -> Amount | None:
    """The amount of a text, its unit unchecked; None if it is none."""
    match = _AMOUNT.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None:
        return None
    value = Decimal(match["number"].translate(_GROUPS)).scaleb(_SCALES.get(match["scale"] or "", 0))
    written = match["sign"] + (match["unit"] or "")
    found = known(written)
    return Amount(value=value, unit=found.text if found else "".join(written.split()))


def _amount(value: object) -> object:
    """The amount of a field; an error points at the wrong number or unit."""
    if isinstance(value, dict | list):
        raise mistake("yaml-shape", "expected an amount; found a list or a mapping", hint=_WRITE)
    if not isinstance(value, str):
        return value
    found = parse(value)
    if found is None:
        raise mistake("bad-amount", f"{value!r} is not an amount", hint=_WRITE)
    if found.unit.lstrip("$€£").startswith(",") and (comma := _COMMA.search(value)):
        hint = f"write it with a point: {comma[0].replace(',', '.')}"
        raise mistake("bad-amount", f"{comma[0]} has a decimal comma", hint=hint, offset=comma.start())
    try:
        unit(found.unit)
    except UnitError as error:
        offset = max(0, value.find(error.found))
        raise mistake(
            "unknown-unit", f"{error.found!r} is not a unit", hint=error.hint or None, offset=offset
        ) from None  # fmt: skip
    return found


AmountField = Annotated[Amount, FromText(_amount, FIGURE)]


def price_unit_problem(component: str, text: str) -> str | None:
    """Why this readable unit cannot be that of a price of `component`, or None."""
    if not text:
        return "a price needs its unit after the number, such as 0.09 USD/GB"
    found, allowed = unit(text), dict(COUNTED_IN).get(component)
    if found.share and allowed is None:
        return None
    currency = _currency(found)
    if not currency:
        return f"a price starts with its currency, such as USD, or is a percentage; {text!r} is neither"
    units = [f"{currency}/{each}" if each else currency for each in allowed or ()]
    if allowed is None or found.dimension in {unit(each).dimension for each in units}:
        return None
    return f"a price of {component!r} is stated in {', '.join(units)} or a multiple; not in {text!r}"


def currency_of(text: str) -> str:
    """The currency of a readable price unit: USD for `USD/EUR`; empty for a percentage."""
    return _currency(unit(text))


def _currency(found: Unit) -> str:
    powers = found.dimension.powers
    if sorted(powers.values()) == [-1, 1] and currencies(found.dimension) == frozenset(powers):  # an exchange rate
        return next(name for name, power in powers.items() if power == 1)
    return money(found.dimension)


def same(one: Price, two: Price) -> bool:
    """Whether two prices are the same amount, in any multiple of one unit."""
    if one.unit == two.unit:
        return one.value == two.value
    first, second = known(one.unit), known(two.unit)
    if first is None or second is None or first.dimension is not second.dimension:
        return False
    return one.value * first.factor == two.value * second.factor
