"""The sizes of figures with what they measure, and arithmetic that keeps to it: no customers are taken from an amount.

    £1,750 (money 1) / 50 customers (money 0) = 35 (money 1)        £60 - 50 customers = nothing

The exponent of money is kept, as are the kinds of single figures in sums and differences. A bare number may be of any
kind. Results that mean nothing are NaN, as are those without a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

import numpy as np

from compute.mining.quantities import Quantity, QuantityKind

_KINDS: dict[QuantityKind, int] = {"money": 1, "time": 2, "unit": 3, "count": 4, "share": 5, "points": 5, "ratio": 5}
_ANY, _SHARE = 0, 5


class Sized(NamedTuple):
    """Some sizes in base units; the exponent of money of each, NaN if any; its kind, 0 for one that was computed.

    All three are arrays of one length.
    """

    sizes: np.ndarray
    money: np.ndarray
    kinds: np.ndarray

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, Quantity]]) -> Self:
        """Sizes that are given, each of a figure."""
        found = [(size, money_of(one), 0 if _bare(one) else _KINDS[one.kind]) for size, one in pairs]
        sizes, money, kinds = np.array(found, dtype=float).reshape(-1, 3).T
        return cls(sizes, money, kinds)

    def at(self, places: np.ndarray) -> Self:
        """Those at some places, or those that are marked."""
        return type(self)(self.sizes[places], self.money[places], self.kinds[places])

    def times(self, other: Self) -> Self:
        """The products."""
        return self._made(self.sizes * other.sizes, _either(self.money, other.money, 1))

    def over(self, other: Self) -> Self:
        """The quotients."""
        return self._made(self.sizes / other.sizes, _either(self.money, other.money, -1))

    def plus(self, other: Self) -> Self:
        """The sums, where both are of one kind."""
        return self._alike(self.sizes + other.sizes, other)

    def less(self, other: Self) -> Self:
        """The differences, without a sign, where both are of one kind."""
        return self._alike(abs(self.sizes - other.sizes), other)

    def inverted(self) -> Self:
        """What one is divided by each of them."""
        return self._made(1 / self.sizes, -self.money)

    def scaled(self, factors: np.ndarray) -> Self:
        """Each times each of some numbers, and divided by it."""
        column = self.sizes.reshape(-1, 1)
        sizes = np.concatenate((column * factors, column / factors), axis=1)
        return self._made(sizes.ravel(), np.repeat(self.money, sizes.shape[1]))

    def of_one(self, sign: int) -> Self:
        """What shares leave of one, or one and the shares, each without its sign; of others nothing.

        `sign` is -1 or 1.
        """
        sizes = np.where((self.kinds == _SHARE) | (self.kinds == _ANY), 1 + sign * self.sizes, np.nan)
        return self._made(np.where(_same(self.money, 0.0), sizes, np.nan), np.zeros_like(sizes))

    def fitting(self, target: Quantity) -> np.ndarray:
        """The sizes whose exponent of money is that of a figure, or any."""
        wanted = money_of(target)
        found: np.ndarray = self.sizes if np.isnan(wanted) else self.sizes[_same(self.money, wanted)]
        return found

    def _alike(self, sizes: np.ndarray, other: Self) -> Self:
        kinds = (self.kinds == other.kinds) | (self.kinds == _ANY) | (other.kinds == _ANY)
        money = np.where(np.isnan(self.money), other.money, self.money)
        return self._made(np.where(kinds & _same(self.money, other.money), sizes, np.nan), money)

    def _made(self, sizes: np.ndarray, money: np.ndarray) -> Self:
        return type(self)(sizes, money, np.zeros_like(sizes))


def joined(every: Sequence[Sized]) -> Sized:
    """Several one after the other."""
    return Sized(*(np.concatenate(parts) for parts in zip(*every, strict=True)))


def money_of(one: Quantity) -> float:
    """The exponent of money of a figure; NaN for a bare number, which may be of money."""
    return float("nan") if _bare(one) else float(one.kind == "money")


def _bare(one: Quantity) -> bool:
    return one.kind == "count" and not one.unit


def _either(one: np.ndarray, two: np.ndarray, sign: int) -> np.ndarray:
    """The exponents of products, or with a negative sign of quotients; those of two bare numbers are no money."""
    found: np.ndarray = np.where(np.isnan(one) & np.isnan(two), 0.0, one + sign * two)
    return found


def _same(one: np.ndarray, two: np.ndarray | float) -> np.ndarray:
    found: np.ndarray = (one == two) | np.isnan(one) | np.isnan(two)
    return found
