"""Numbers for people, as the reasons say them."""

from __future__ import annotations

from decimal import Decimal

from compute.units.number_format import said


def figure(value: Decimal | None, unit: str = "") -> str:
    """A value in its unit: `97.5, "%"` → `97.5%`; `39935.1, "USD"` → `39,935.10 USD`; `60, "x"` → `60×`; None → `–`."""
    return "–" if value is None else said(value, unit)


def many(count: int, noun: str) -> str:
    """A number with its noun: `1 file`, `2 files`, `1,200 files`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
