"""Small arithmetic expressions over named inputs: their value, their text, and how far rounding can move them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow
from fractions import Fraction
from functools import lru_cache, reduce
from typing import NamedTuple


class Op(NamedTuple):
    """`left sign right`, with a sign of + - * / ^; a term is an operation, the name of an input, or a number."""

    sign: str
    left: Op | str | Decimal
    right: Op | str | Decimal


Term = Op | str | Decimal
"""An operation, the name of an input, or a number."""
_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}


def value(term: Term, inputs: Mapping[str, Decimal]) -> Decimal | None:
    """The value of a term; None for a division by zero."""
    try:
        return _value(term, inputs)
    except (DivisionByZero, InvalidOperation, Overflow, ZeroDivisionError):
        return None


def _value(term: Term, inputs: Mapping[str, Decimal]) -> Decimal:
    if isinstance(term, str):
        return inputs[term]
    if isinstance(term, Decimal):
        return term
    sign, one, two = term
    left = inputs[one] if isinstance(one, str) else _value(one, inputs)
    right = inputs[two] if isinstance(two, str) else _value(two, inputs)
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "^":
        return left**right
    return left * right if sign == "*" else left / right


def written(term: Term) -> str:
    """A term in the formula language, with the parentheses that it needs."""
    if isinstance(term, Decimal):
        rounded = len(term.normalize().as_tuple().digits) > _WRITTEN  # 1 / (1 / 60) is 59.99…
        return f"{(_SHOWN.plus(term) if rounded else term).normalize():f}"
    if isinstance(term, str):
        return term
    if isinstance(term.right, Decimal) and term.sign in "*/" and (whole := _inverse(term.right)):
        term = Op("/" if term.sign == "*" else "*", term.left, whole)
    elif isinstance(term.right, Decimal) and term.sign == "*" and (parts := _fraction(term.right)):
        term = Op("/", Op("*", term.left, Decimal(parts.numerator)), Decimal(parts.denominator))
    left, right = written(term.left), written(term.right)
    if isinstance(term.left, Op) and (_RANK[term.left.sign] < _RANK[term.sign] or term.sign == "^"):
        left = f"({left})"
    tight = isinstance(term.right, Op) and (
        _RANK[term.right.sign] < _RANK[term.sign] or (term.sign in "-/^" and _RANK[term.right.sign] == _RANK[term.sign])
    )
    return f"{left} {term.sign} {f'({right})' if tight else right}"


def spread(term: Term, inputs: Mapping[str, Decimal], halves: Mapping[str, Decimal], middle: Decimal) -> Decimal:
    """How far the value `middle` can move within the rounding of the inputs: the sum over all inputs."""
    total = Decimal(0)
    for name, half in halves.items():
        if half:
            moved = [value(term, {**inputs, name: inputs[name] + step}) for step in (-half, half)]
            total += max((abs(one - middle) for one in moved if one is not None), default=Decimal(0))
    return total


@lru_cache(maxsize=4000)
def product(*terms: Term) -> Term:
    """The product of some terms."""
    found = terms[0]
    for term in terms[1:]:
        found = Op("*", found, term)
    return found


@lru_cache(maxsize=4000)
def total(*terms: Term) -> Term:
    """The sum of some terms."""
    found = terms[0]
    for term in terms[1:]:
        found = Op("+", found, term)
    return found


def denominator(tree: Term) -> set[str]:
    """The names below the line of a product."""
    if not isinstance(tree, Op) or tree.sign != "/":
        return set()
    below, found = [tree.right], set()
    while below:
        term = below.pop()
        below += [term.left, term.right] if isinstance(term, Op) else []
        found |= {term} if isinstance(term, str) else set()
    return found


@lru_cache(maxsize=4000)
def less(whole: Term, parts: tuple[str, ...]) -> Term:
    """A term without some parts."""
    return reduce(lambda tree, name: Op("-", tree, name), parts, whole)


@lru_cache(maxsize=500)
def numbered(name: str, count: int) -> tuple[str, ...]:
    """Names for some inputs: x1, x2, x3."""
    return tuple(f"{name}{number}" for number in range(1, count + 1))


def times(tree: Term, scale: Decimal) -> Term:
    """A term multiplied by a constant; a third is written as divided by 3, and 59.999… minutes as 60."""
    if len(scale.normalize().as_tuple().digits) > _WRITTEN:
        whole = round(scale)
        if whole and abs(scale - whole) < scale.scaleb(-_WRITTEN):
            scale = Decimal(whole)
        elif (parts := _inverse(scale)) is not None:
            return Op("/", tree, parts)
    return tree if scale == 1 else Op("*", tree, scale)


def _inverse(number: Decimal) -> Decimal | None:
    """The whole number of which a rounded constant is the inverse: 60 for 0.01666…"""
    if not number or (len(number.normalize().as_tuple().digits) <= _WRITTEN and number >= _TINY):
        return None
    whole = round(1 / number)
    return Decimal(whole) if whole > 1 and abs(1 / number - whole) < Decimal(whole).scaleb(-_WRITTEN) else None


def _fraction(number: Decimal) -> Fraction | None:
    """The small fraction of which a rounded constant is the value: 365 / 12 for 30.41666…"""
    if len(number.normalize().as_tuple().digits) <= _WRITTEN:
        return None
    near = Fraction(number).limit_denominator(_PARTS)
    return near if near.denominator > 1 and abs(Fraction(number) - near) < abs(near) / 10**_WRITTEN else None


_TINY, _PARTS = Decimal("1e-6"), 1000
"""The number below which its inverse is easier to read, and the largest denominator of a fraction that is."""
_WRITTEN = 20
"""The digits from which a constant is a rounded one: 60 / 3600, multiplied by 3600."""
_SHOWN = Context(prec=15)
"""What is shown of such a constant."""
