"""Counts and short lists in words."""

from __future__ import annotations

from collections.abc import Sequence


def many(count: int, noun: str) -> str:
    """A number with its noun: `1 file`, `2 files`, `1,200 files`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def few(names: Sequence[str], most: int, apart: str = ", ", last: str = " and") -> str:
    """Up to `most` names, then how many more."""
    return apart.join(names[:most]) + (f"{last} {len(names) - most} more" if len(names) > most else "")
