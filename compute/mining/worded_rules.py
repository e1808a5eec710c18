"""What the rules have in common that the words of a sentence name: their type, and tests of their inputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from compute.mining.claim_scopes import HOURS, Scope
from compute.mining.expressions import Term
from compute.mining.quantities import Quantity, in_scale

ONE = Decimal(1)
Near = Sequence[Quantity]
Found = tuple[tuple[Quantity, ...], Term]
"""The inputs and the expression over their names."""
NAMES = ("x", "y", "z", "w", "v", "u")
"""The names of the inputs."""
Worked = Callable[[Scope, Quantity, Near], Iterator[Found]]
"""What a rule gives for a target, from the figures near it."""
Rule = tuple[re.Pattern[str], Worked]
"""The words that name a rule, and the rule."""


def worded(words: str, rule: Worked) -> Rule:
    """A rule for texts that have some words, in upper or lower case."""
    return re.compile(words, re.I | re.S), rule


def bare(one: Quantity) -> bool:
    """Whether a figure is a number in digits without a unit."""
    return one.kind == "count" and not one.unit and any(sign.isdigit() for sign in one.figure.text)


def integral(one: Quantity) -> bool:
    """Whether a figure is a number of things."""
    return one.kind == "count" and one.factor == 1 and one.figure.is_integer


def amounts(near: Near, like: Quantity) -> list[Quantity]:
    """The figures of the kind and unit of another, and the bare numbers as such, in its scale; at most five."""
    found = []
    for one in near:
        if one.kind == like.kind and one.unit == like.unit:
            found.append(one)
        elif bare(one):
            found.append(filled(one, like))
    return found[:5]


def filled(one: Quantity, other: Quantity) -> Quantity:
    """A bare number with the unit and the scale of another figure: the 24 beside $36m is $24m."""
    figure = replace(in_scale(one.figure, other.figure), sort=other.figure.sort, unit=other.figure.unit)
    return replace(one, kind=other.kind, unit=other.unit, factor=other.factor, figure=figure)


def timed(one: Quantity) -> bool:
    """Whether a figure is a time of a known length."""
    return one.kind == "time" and one.unit in HOURS
