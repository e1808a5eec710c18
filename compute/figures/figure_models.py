"""The values of this package: a figure of a text, the text, and a statement about a figure.

Passage ──figures──▶ Figure ──relations, prices──▶ Statement
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Literal, Self

from graph.values import Value

StatementKind = Literal["arithmetic", "price", "cross-document"]
Finding = Literal["holds", "stale", "refuted", "needs-assumption", "unpriced", "differs"]
Bound = Literal["is", "at most", "at least"]
Dimensions = tuple[tuple[str, int], ...]
"""Powers of base units (`USD`, `token`, `hour`, `watt`, `byte`, `FLOP`, `gram`, `parameter`), sorted by name."""
HOUR: Dimensions = (("hour", 1),)
TOKEN: Dimensions = (("token", 1),)


def combined(one: Dimensions, other: Dimensions, times: int = 1) -> Dimensions:
    """The dimensions of a product; of a quotient with `times` -1."""
    powers = dict(one)
    for name, power in other:
        powers[name] = powers.get(name, 0) + power * times
    return tuple(sorted((name, power) for name, power in powers.items() if power))


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to check: `mask` is the text with non-prose replaced by blanks, of the same length.

    `borders` are the offsets at which sentences begin, 0 first and the length last; `on` is the day of writing, if
    known; `title` is the heading, if it is not part of the text.
    """

    node: str
    text: str
    mask: str
    borders: tuple[int, ...]
    on: date | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """What follows a number in prose, up to `end`.

    `sort` is the type: `money`, `%`, `pp`, `x` (times), `unit`, or `count` for a figure without a unit.
    `unit` is a unit of the formula language; `per` is what money or a quantity is per, `period` the time among that.
    `dimensions` are those of the base units with the `factor` to them; `noun` is what is counted, `of` what it is of
    each (`request`, `each`).
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
        """So much for each of another unit: per Mtok, per hour."""
        return replace(
            self,
            end=end,
            per=f"{self.per}/{per}" if self.per else per,
            dimensions=combined(self.dimensions, dimensions, -1),
            factor=self.factor / size,
            **changes,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure(Measure):
    """A number in prose with its measure, at `start:end` of its text; `low` and `high` differ in a range.

    `half` is half a step of the last written digit, `coarse` of the last digit that is not 0 (2,600: 0.5 and 50).
    `hedge` is `about`, `at most`, `at least`; `label` is `input`, `output` or `cache_read`; `spelled` says that it is
    written in words.
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
    """A checked statement: `quote` is verbatim from the body of `node`.

    `stated` and `computed` are numbers in `unit`. `within` is half a step of the last stated digit, in that unit, of a
    list price how far it may be from the stated one; `bound` says whether the figure is stated as a limit, and `as_of`
    is the day of the computation. The stated figure is at `figure_start:figure_end` of the body.
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
