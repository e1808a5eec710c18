"""A term as a fraction linear in one slot: (p + q·x) / (r + s·x). Most claims have this form in each
of their inputs; the input value at which the verdict changes then has a closed form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from compute.formula.compiler import compiled
from compute.formula.formula_terms import Defined, Negated, Operation, Required, Slot, Term, uses

_ZERO, _ONE = Decimal(0), Decimal(1)


class NoFractionError(ArithmeticError):
    """The term is not of this form."""


@dataclass(frozen=True, slots=True)
class Fraction:
    """(p + q·x) / (r + s·x)."""

    p: Decimal
    q: Decimal
    r: Decimal = _ONE
    s: Decimal = _ZERO

    @property
    def constant(self) -> bool:
        """True if the value does not depend on x."""
        return not self.q and not self.s

    def where(self, value: Decimal) -> Decimal | None:
        """The x at which the fraction equals a value, or None."""
        slope = self.q - value * self.s
        return (value * self.r - self.p) / slope if slope else None

    def pole(self) -> Decimal | None:
        """The x at which it has no value, or None."""
        return -self.r / self.s if self.s else None

    def times(self, factor: Decimal) -> Fraction:
        """The fraction, multiplied by a number."""
        return Fraction(self.p * factor, self.q * factor, self.r, self.s)

    def plus(self, other: Fraction) -> Fraction:
        """The sum; both need the same denominator, or one has none."""
        if self.constant or (not self.s and other.s):
            return other.plus(self) if not other.constant else Fraction(self.p / self.r + other.p / other.r, _ZERO)
        if not other.s:
            p, q = other.p / other.r, other.q / other.r
            if q and self.s:
                raise NoFractionError
            return Fraction(self.p + p * self.r, self.q + p * self.s + q * self.r, self.r, self.s)
        if self.r * other.s != self.s * other.r:
            raise NoFractionError
        scale = self.s / other.s
        return Fraction(self.p + other.p * scale, self.q + other.q * scale, self.r, self.s)

    def by(self, other: Fraction) -> Fraction:
        """The product; one factor must not depend on x, or cancel the other."""
        if other.constant:
            return self.times(other.p / other.r)
        if self.constant:
            return other.times(self.p / self.r)
        if not self.s and not other.q:
            return Fraction(self.p * other.p / self.r, self.q * other.p / self.r, other.r, other.s)
        if not other.s and not self.q:
            return other.by(self)
        raise NoFractionError

    def inverse(self) -> Fraction:
        """One over the fraction."""
        return Fraction(self.r, self.s, self.p, self.q)


class Reduction:
    """Reduces terms to fractions in slot `index`; `givens` are the terms of computed slots, `frame` all numbers."""

    def __init__(self, index: int, givens: Mapping[int, Term], frame: Sequence[Decimal]) -> None:
        self._index, self._givens, self._frame = index, givens, list(frame)
        self._known: dict[int, Fraction] = {}

    def of(self, term: Term) -> Fraction:
        """The fraction of a term.

        Raises:
            ArithmeticError: the term is not of this form, or has no value.
        """
        match term:
            case Slot():
                return self._slot(term.index)
            case Negated():
                return self.of(term.of).times(-_ONE)
            case Operation():
                return self._operation(term)
            case Defined(body=below) | Required(of=below):
                return self.of(below)
        if any(uses(term, slot) and not self._slot(slot).constant for slot in (self._index, *self._givens)):
            raise NoFractionError
        return Fraction(compiled(term)(self._frame), _ZERO)

    def _slot(self, index: int) -> Fraction:
        if index == self._index:
            return Fraction(_ZERO, _ONE)
        if index not in self._givens:
            return Fraction(self._frame[index], _ZERO)
        if index not in self._known:
            self._known[index] = self.of(self._givens[index])
        return self._known[index]

    def _operation(self, term: Operation) -> Fraction:
        left, right = self.of(term.left), self.of(term.right)
        match term.operator:
            case "+":
                return left.plus(right)
            case "-":
                return left.plus(right.times(-_ONE))
            case "*":
                return left.by(right)
            case "/":
                return left.by(right.inverse())
        if left.constant and right.constant:
            return Fraction(compiled(term)(self._frame), _ZERO)
        raise NoFractionError
