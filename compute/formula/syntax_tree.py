"""The syntax tree of a formula: the text as parsed, with the offsets of every part."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from compute.units.units import Unit

Operator = Literal["+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!="]
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the formula between two offsets (characters, from 0)."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Number(Part):
    """A number with its unit; the unit is None if none was written."""

    value: Decimal
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Text(Part):
    """A quoted text: the name of an item, a table, a row."""

    text: str


@dataclass(frozen=True, slots=True)
class Day(Part):
    """A date."""

    day: date


@dataclass(frozen=True, slots=True)
class Truth(Part):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Name(Part):
    """A name from `given`, or the unknown of a `solve`."""

    name: str


@dataclass(frozen=True, slots=True)
class Negative(Part):
    """Unary minus."""

    of: Node


@dataclass(frozen=True, slots=True)
class Binary(Part):
    """Two parts and an operator, `mark` is the offset of the operator."""

    operator: Operator
    left: Node
    right: Node
    mark: int


@dataclass(frozen=True, slots=True)
class Range(Part):
    """`low .. high`."""

    low: Node
    high: Node


@dataclass(frozen=True, slots=True)
class Listing(Part):
    """`[a, b, …]`."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Keyword(Part):
    """`name=value` in a call."""

    name: str
    value: Node


@dataclass(frozen=True, slots=True)
class Call(Part):
    """A function with its arguments in order, then the keyword arguments."""

    function: str
    arguments: tuple[Node, ...]
    keywords: tuple[Keyword, ...]


Node = Number | Text | Day | Truth | Name | Negative | Binary | Range | Listing | Call
