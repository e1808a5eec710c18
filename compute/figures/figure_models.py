"""Values: a text to check, its figures, and the statements about them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Literal, Self

from compute.figures.number_words import ATOMS
from graph.values import Value

StatementKind = Literal["arithmetic", "price", "cross-document"]
Finding = Literal["holds", "stale", "refuted", "needs-assumption", "unpriced", "differs"]
Bound = Literal["is", "at most", "at least"]
Dimensions = tuple[tuple[str, int], ...]
"""Powers of base units (`USD`, `token`, `hour`, `watt`, `byte`, `FLOP`, `gram`, `parameter`), sorted by name."""
HOUR: Dimensions = (("hour", 1),)
TOKEN: Dimensions = (("token", 1),)


def combined(one: Dimensions, other: Dimensions, times: int = 1) -> Dimensions:
    """The dimensions of a product, or of a quotient if `times` is -1."""
    powers = dict(one)
    for name, power in other:
        powers[name] = powers.get(name, 0) + power * times
    return tuple(sorted((name, power) for name, power in powers.items() if power))


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to check; `mask` is as long, with blanks for what is no prose.

    `borders` are the offsets of sentences, 0 first and the length last; `title` is the heading if the text has none.
    """

    node: str
    text: str
    mask: str
    borders: tuple[int, ...]
    on: date | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """What a number measures, by the words up to `end`; `unit`, `per` and `period` are in the formula language.

    `sort` is `money`, `%`, `pp`, `x` (times), `unit` or `count` (no unit). `factor` converts to the base units of
    `dimensions`. `noun` is what is counted, `of` the thing that it is for each of (`request`, `each`).
    """

    end: int
    sort: str
    unit: str = ""
    per: str = ""
    dimensions: Dimensions = ()
    factor: Fraction = Fraction(1)
    noun: str = ""
    of: str = ""
    period: str = ""

    def over(self, end: int, per: str, dimensions: Dimensions, size: Fraction, **changes: str) -> Self:
        """A rate per another unit: per Mtok, per hour."""
        per, dimensions = f"{self.per}/{per}".strip("/"), combined(self.dimensions, dimensions, -1)
        return replace(self, end=end, per=per, dimensions=dimensions, factor=self.factor / size, **changes)

    def per_time(self, name: str, end: int) -> Self:
        """A rate per a time of the formula language."""
        return self.over(end, name, HOUR, ATOMS[name][2], period=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure(Measure):
    """A number in prose, at `start:end`; `low` and `high` differ in a range.

    `half` is half a step of the last written digit, `coarse` of the last nonzero one (2,600: 0.5 and 50). `hedge` is
    `about`, `at most` or `at least`, `label` is `input`, `output` or `cache_read`; `spelled` means in words.
    """

    start: int
    text: str
    low: Decimal
    high: Decimal
    half: Decimal
    coarse: Decimal = Decimal(0)
    label: str = ""
    hedge: str = ""
    spelled: bool = False

    @property
    def ranged(self) -> bool:
        """Whether it is a range."""
        return self.low != self.high

    @property
    def value(self) -> Fraction:
        """The number in base units."""
        return Fraction(self.low) * self.factor

    @property
    def full_unit(self) -> str:
        """The unit with what it is per: `USD/Mtok`."""
        return f"{self.unit}/{self.per}" if self.per else self.unit


class MinedInput(Value):
    """An input of a computation: the name in the expression, its formula, and the words of the source.

    `value` and `unit` are those of the figure; for a price, those in the catalogue.
    """

    name: str
    formula: str
    text: str
    value: Decimal | None = None
    unit: str = ""
    half: Decimal = Decimal(0)
    hedged: bool = False


class Statement(Value):
    """What a check says of a figure, at `figure_start:figure_end` of the body of `node`; numbers are in `unit`.

    `within` is half a step of the last stated digit, or how far a list price may be off; `bound` is how the figure is
    stated, `as_of` the day of the computation.
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
    figure_start: int = 0
    figure_end: int = 0
    within: Decimal = Decimal(0)
    bound: Bound = "is"
    as_of: date | None = None
