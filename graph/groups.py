"""Grouping by a key."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

K = TypeVar("K")
T = TypeVar("T")


def group_by(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Things by key, in the order of the first things."""
    found: dict[K, list[T]] = {}
    for one in things:
        found.setdefault(key(one), []).append(one)
    return found
