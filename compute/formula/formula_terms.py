"""Terms: a formula with its names, functions and units resolved. Terms are computed, checked and shown.

A frame is the list of all numbers of a claim: first its leaves (looked up or given), then the numbers computed from
them, then the unknowns. A `Slot` is an index into the frame. All numbers of a frame are in base units.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from compute.formula.syntax_tree import Operator
from compute.prices.price_models import Question
from compute.units.units import Unit


@dataclass(frozen=True, slots=True)
class Written:
    """Common to all terms: the text as written and its offset in the formula."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Constant(Written):
    """A number in base units, with the unit it was written in."""

    value: Decimal
    unit: Unit | None = None

    @property
    def free(self) -> bool:
        """True for a bare zero, which fits every unit."""
        return self.unit is None and not self.value


@dataclass(frozen=True, slots=True)
class Verity(Written):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Slot(Written):
    """A place in the frame, with the author's name for it."""

    index: int
    name: str


@dataclass(frozen=True, slots=True)
class Negated(Written):
    """Unary minus."""

    of: Term


@dataclass(frozen=True, slots=True)
class Operation(Written):
    """Two terms and an operator; `mark` is the offset of the operator."""

    operator: Operator
    left: Term
    right: Term
    mark: int


@dataclass(frozen=True, slots=True)
class Applied(Written):
    """A numeric function."""

    function: str
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Required(Written):
    """A term that must have the dimension of `unit`; checked once its own unit is known."""

    of: Term
    unit: Unit


@dataclass(frozen=True, slots=True)
class Solved(Written):
    """The unknown in slot `index`, from `low` to `high`, at which `left` equals `right`."""

    index: int
    name: str
    left: Term
    right: Term
    low: Term
    high: Term


Term = Constant | Verity | Slot | Negated | Operation | Applied | Required | Solved


@dataclass(frozen=True, slots=True)
class PriceLeaf:
    """A price to look up on the evaluation day or a fixed day; with `latest`, or the last price before it."""

    question: Question
    on: date | None = None
    latest: bool = False

    @property
    def questions(self) -> tuple[Question]:
        """The price, as a choice has several."""
        return (self.question,)

    def __hash__(self) -> int:
        return hash((self.question.item, self.question.component, self.question.processing, self.on))


@dataclass(frozen=True, slots=True)
class ChoiceLeaf:
    """The lowest or highest of several prices."""

    questions: tuple[Question, ...]
    highest: bool
    on: date | None = None


@dataclass(frozen=True, slots=True)
class AssumptionLeaf:
    """An assumption to look up."""

    name: str
    on: date | None = None


@dataclass(frozen=True, slots=True)
class CellLeaf:
    """A cell of a table."""

    node: str
    table: str
    row: str
    column: str
    pick: str | None = None


@dataclass(frozen=True, slots=True)
class LiteralLeaf:
    """A figure that the claim gives under a name, in base units."""

    name: str
    value: Decimal
    unit: Unit | None


Leaf = PriceLeaf | ChoiceLeaf | AssumptionLeaf | CellLeaf | LiteralLeaf


def children(term: Term) -> tuple[Term, ...]:
    """The terms directly below."""
    match term:
        case Negated(of=of) | Required(of=of):
            return (of,)
        case Operation(left=left, right=right):
            return (left, right)
        case Applied(arguments=arguments):
            return arguments
        case Solved(left=left, right=right, low=low, high=high):
            return (left, right, low, high)
        case _:
            return ()
