"""The tree of a formula, with the text and position of every part, and the leaves that it looks up.

The parser makes a tree of names and calls; lowering it for a claim replaces names and lookups by slots, and library
functions by their definitions.

A frame is the list of all numbers of a claim, in base units: its leaves (looked up or given), then computed numbers,
then unknowns. A `Slot` is an index into the frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import ClassVar

from compute.prices.price_models import Question
from compute.units.units import EXACT, Unit

COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a formula: its text on one line, its start and end in characters from 0."""

    text: str
    at: int
    end: int


@dataclass(frozen=True, slots=True)
class Number(Part):
    """A number with its unit; None if no unit was written."""

    value: Decimal
    unit: Unit | None = None

    @property
    def base(self) -> Decimal:
        """The number in base units."""
        return EXACT.multiply(self.value, self.unit.factor) if self.unit else EXACT.plus(self.value)

    @property
    def free(self) -> bool:
        """Whether it is a bare zero, which fits every unit."""
        return self.unit is None and not self.value

    @property
    def percent(self) -> bool:
        """Whether it is written in percent or percentage points."""
        return self.unit is not None and self.unit.text in {"%", "percent", "pp"}


@dataclass(frozen=True, slots=True)
class Text(Part):
    """A quoted text: the name of an item, a table, a row."""

    content: str


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
class Slot(Part):
    """A place in the frame, with the author's name for it."""

    index: int
    name: str


@dataclass(frozen=True, slots=True)
class Negative(Part):
    """Unary minus."""

    of: Node


@dataclass(frozen=True, slots=True)
class Binary(Part):
    """Two parts and an operator; `mark` is the offset of the operator."""

    operator: str
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
class Keyword:
    """`name=value` in a call, from the offset `at`."""

    at: int
    name: str
    value: Node


@dataclass(frozen=True, slots=True)
class Call(Part):
    """A function with its positional and keyword arguments; a numeric function after lowering."""

    function: str
    arguments: tuple[Node, ...]
    keywords: tuple[Keyword, ...] = ()


@dataclass(frozen=True, slots=True)
class Required(Part):
    """A part that must have the dimension of `unit`, checked once its own is known."""

    of: Node
    unit: Unit


@dataclass(frozen=True, slots=True)
class Solve(Part):
    """The unknown in slot `index`, from `low` to `high`, at which `left` equals `right`."""

    index: int
    name: str
    left: Node
    right: Node
    low: Node
    high: Node


Node = Number | Text | Day | Truth | Name | Slot | Negative | Binary | Range | Listing | Call | Required | Solve


def children(node: Node) -> tuple[Node, ...]:
    """The parts directly below, except in ranges and lists, which are only arguments."""
    match node:
        case Negative(of=of) | Required(of=of):
            return (of,)
        case Binary(left=left, right=right):
            return (left, right)
        case Call(arguments=arguments, keywords=keywords):
            return (*arguments, *(keyword.value for keyword in keywords))
        case Solve(left=left, right=right, low=low, high=high):
            return (left, right, low, high)
        case _:
            return ()


def number_of(node: Node | None) -> Number | None:
    """The number that a part consists of, with its sign; None if computed or looked up."""
    if isinstance(node, Negative):
        below = number_of(node.of)
        return replace(below, text=node.text, value=below.value.copy_negate()) if below else None
    return node if isinstance(node, Number) else None


def parts(node: Node) -> Iterator[Node]:
    """A part and all parts below it, from left to right."""
    yield node
    for child in children(node):
        yield from parts(child)


@dataclass(frozen=True, slots=True)
class PriceLeaf:
    """A price to look up, on the evaluation day or `on`, by the lookup function that the formula calls."""

    function: str
    questions: tuple[Question, ...]
    on: date | None = None

    @property
    def question(self) -> Question | None:
        """The one price; None for the lowest or highest of several."""
        return None if self.function in {"cheapest", "dearest"} else self.questions[0]


@dataclass(frozen=True, slots=True)
class AssumptionLeaf:
    """An assumption to look up."""

    name: str
    on: date | None = None


@dataclass(frozen=True, slots=True)
class CellLeaf:
    """A cell of a table."""

    on: ClassVar[None] = None
    node: str
    table: str
    row: str
    column: str
    pick: str | None = None


@dataclass(frozen=True, slots=True)
class LiteralLeaf:
    """A figure that the claim gives under a name, in base units."""

    on: ClassVar[None] = None
    name: str
    value: Decimal
    unit: Unit | None


Leaf = PriceLeaf | AssumptionLeaf | CellLeaf | LiteralLeaf  # looked up, for the day `on` if the formula names one
