"""What mining works on and what it finds.

Passage ──figures──▶ Figure ──rules──▶ Reading ──judge──▶ Statement
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from graph.values import Value

StatementKind = Literal["arithmetic", "price", "cross-document"]
Finding = Literal["holds", "refuted", "needs-assumption", "unpriced"]
Bound = Literal["is", "at most", "at least"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to mine: `mask` is the text with what is not prose blanked, as long as the text itself.

    `borders` are the offsets at which sentences begin, 0 first and the length last; `document` is where the text
    was written, `on` the day on which it was, where that is known.
    """

    node: str
    text: str
    mask: str
    borders: tuple[int, ...]
    document: str = ""
    on: date | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in prose, at `start:end` of its text; `low` and `high` differ in a range.

    `sort` is what is measured: `money`, `%`, `pp`, `x` (times), `unit`, or `count` where no unit stands behind it.
    `unit` is a unit of the formula language, else the words as written; `per` what money or a quantity is paid or
    counted for. `half` is half a step of the last digit that was written, `coarse` of the last one that is not a zero
    (2,600: 0.5 and 50). `hedge` is `about`, `at most`, `at least`.
    """

    start: int
    end: int
    text: str
    low: Decimal
    high: Decimal
    half: Decimal
    sort: str
    unit: str = ""
    per: str = ""
    label: str = ""
    hedge: str = ""
    coarse: Decimal = Decimal(0)

    @property
    def ranged(self) -> bool:
        """Whether it is a range."""
        return self.low != self.high

    @property
    def whole_unit(self) -> str:
        """The unit with what it is for: `USD/Mtok`."""
        return f"{self.unit}/{self.per}" if self.per else self.unit


class MinedInput(Value):
    """A figure that goes into a computation: the name in the expression, its formula, and the words it was read from.

    `value` and `unit` are those of the figure; of a price they are what the catalogue says.
    """

    name: str
    formula: str
    text: str
    value: Decimal | None = None
    unit: str = ""
    half: Decimal = Decimal(0)
    hedged: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a statement: `expression` over the `inputs` should give the `stated` figure.

    `unit` is the unit in which stated and computed are told; `slack` widens the tolerance as a share of the figure;
    `cautious` readings are only told where they hold: a miss more likely means that the reading is wrong.
    """

    start: int
    end: int
    rule: str
    inputs: tuple[MinedInput, ...]
    expression: str
    stated: Figure
    unit: str
    confidence: Decimal
    note: str = ""
    bound: Bound = "is"
    slack: Decimal = Decimal(0)
    cautious: bool = False
    kind: StatementKind = "arithmetic"
    missing: str = ""
    alternatives: tuple[str, ...] = ()


class Statement(Value):
    """A checkable statement: `quote` stands word for word in the body of `node`.

    `stated` and `computed` are numbers of `unit`; `computed` is None where something is missing. `within` is half a
    step of the last digit that is stated, in that unit, `bound` whether the figure is stated as a limit, and `as_of`
    the day for which it was computed. `confidence` in 0..1 says how sure the reading is, not how far figures differ.
    """

    id: str
    node: str
    quote: str
    kind: StatementKind
    inputs: tuple[MinedInput, ...]
    expression: str
    stated: Decimal
    computed: Decimal | None
    unit: str
    verdict: Finding
    confidence: Decimal
    note: str
    start: int = 0
    within: Decimal = Decimal(0)
    bound: Bound = "is"
    as_of: date | None = None
