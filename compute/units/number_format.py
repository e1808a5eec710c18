"""Formats figures for reading: `39,935.03 USD`, `97.5%`, `2.00 USD/Mtok`, `8.4e23 FLOP`."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Context, Decimal

from compute.units.unit_table import CURRENCIES, IN_WORDS
from compute.units.units import EXACT, SHARES, Unit

KEPT = Context(prec=28, rounding=ROUND_HALF_EVEN, Emax=9_999, Emin=-9_999)
"""The precision in which results are stored and compared; `EXACT` has more digits, so that 1/3*3 is 1."""

_READ = Context(prec=6, rounding=ROUND_HALF_EVEN)
_READ_SHARE = Context(prec=4, rounding=ROUND_HALF_EVEN)
_ALL = Decimal(100)
_LARGE = (("trillion", Decimal(10) ** 12), ("billion", Decimal(10) ** 9))
_GLUED = frozenset({"%", "pp", "bps"})
_RATIOS = frozenset({"x", "×", "times"})
_MONTH = re.compile(r"\bmonth(?:_730h)?\b")
_FIRST = re.compile(r"[A-Za-z]+(?=[/*]|$)")


def trimmed(value: Decimal) -> Decimal:
    """A result in its stored precision, without trailing zeros: 97.50 is 97.5, 3E+4 is 30000."""
    rounded = KEPT.plus(value).normalize(KEPT)
    exponent = rounded.as_tuple().exponent
    return rounded.quantize(Decimal(1), context=EXACT) if isinstance(exponent, int) and 0 < exponent <= 20 else rounded


def in_unit(value: Decimal, unit: Unit) -> Decimal:
    """A value in base units as a number of `unit`."""
    return trimmed(EXACT.divide(value, unit.factor))


def number(value: Decimal, *, money: bool = False, share: bool = False) -> str:
    """A number for reading: six digits, four for a share, all if it is short; money from a thousand keeps its cents."""
    digits = value.normalize(KEPT).as_tuple().digits
    if len(digits) <= (9 if money and abs(value) >= 1000 else 6):
        short = value
    else:
        short = nines(value, _rounded(value, _READ_SHARE)) if share else _rounded(value, _READ)
    if short and not -7 <= short.adjusted() < 15:
        return f"{short.normalize(KEPT):e}".replace("e+", "e")
    for word, size in _LARGE:
        if abs(short) >= size:
            return f"{_READ.divide(short, size).normalize():f} {word}"
    text = f"{short:,f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return _with_cents(text, value) if money else text


def _rounded(value: Decimal, context: Context) -> Decimal:
    """Rounds to the digits of the context; integers stay exact."""
    if context.prec <= value.adjusted() + 1 <= 15:
        return value.quantize(Decimal(1), context=EXACT)
    return context.plus(value)


def nines(share: Decimal, rounded: Decimal) -> Decimal:
    """A rounded percentage; above 99 with two digits of the gap to 100, as 99.99998 is not 100."""
    if not _ALL - 1 <= share < _ALL:
        return rounded
    return share.quantize(Decimal(1).scaleb((_ALL - share).adjusted() - 1), context=EXACT)


def _with_cents(text: str, value: Decimal) -> str:
    whole, _, cents = text.partition(".")
    if abs(value) >= 1000 and len(cents) > 2:
        return f"{value.quantize(Decimal('0.01'), context=EXACT):,f}"
    return f"{whole}.{cents.ljust(2, '0')}" if cents or abs(value) < 1000 else text


def said(value: Decimal, unit_text: str) -> str:
    """A number with its unit: `97.5%`, `60×`."""
    text = number(value, money=unit_text[:3] in CURRENCIES, share=unit_text in SHARES)
    return text + behind(value, unit_text)


def behind(value: Decimal, unit_text: str) -> str:
    """A unit for display, which `unit` reads again: `%`, `×`, ` USD/Mtok`, ` tokens/month`; `month_720h` stays."""
    if unit_text in _RATIOS:
        return "×"
    spoken = _MONTH.sub("month", unit_text)
    if (first := _FIRST.match(spoken)) and first[0] in IN_WORDS and abs(value) != 1:
        spoken = f"{first[0]}s{spoken[first.end() :]}"
    return spoken if not spoken or spoken in _GLUED else f" {spoken}"


def amount(value: Decimal, unit: Unit) -> str:
    """A value in base units, shown in `unit`."""
    return said(in_unit(value, unit), unit.text)
