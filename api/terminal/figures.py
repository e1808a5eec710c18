"""Numbers for people: few digits, the unit beside them, percentages as percentages."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal

from compute.shown import behind

_FIVE = Context(prec=5, rounding=ROUND_HALF_EVEN)


def figure(value: Decimal | None, unit: str = "") -> str:
    """A value in its unit: `97.5, "%"` → `97.5%`; `39935.1, "USD"` → `39,935 USD`; `60, "x"` → `60×`; None → `–`."""
    if value is None:
        return "–"
    return _digits(value) + behind(value, unit)


def _digits(value: Decimal) -> str:
    """Five significant digits, more where they stand before the point; no trailing zeros, thousands apart."""
    if value == 0:
        return "0"
    if abs(value) >= 10_000:
        return f"{value.quantize(Decimal(1)):,}" if value.adjusted() < 25 else f"{value:.4E}"
    short = _FIVE.plus(value).normalize()
    return f"{short:,f}" if short.adjusted() >= -7 else f"{short:E}"
