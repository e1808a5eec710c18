"""The data types of the linter.

Claim, node, book ──subjects──▶ Subject ──rules──▶ Finding ──lint──▶ Problem at line and column
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from compute.claims.claim_case import Case
from compute.claims.claim_program import Program
from compute.claims.unknown_inputs import KnownInputs
from compute.figures.figure_models import Figure
from compute.figures.figure_reader import figures
from compute.figures.model_names import Lexicon
from compute.linting.written_numbers import numbers
from compute.prices.price_book import CatalogBook
from compute.units.units import Unit
from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.problems import Severity
from graph.text.plain_text import plain_text


@dataclass(frozen=True, slots=True)
class LintRule:
    """A rule: `id` without the prefix `claims/`, what it finds, how to mend it, with a claim before and after."""

    id: str
    title: str
    help: str
    severity: Severity = Severity.WARNING

    @property
    def code(self) -> str:
        """The id in reports, SARIF and JSON."""
        return f"claims/{self.id}"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found in a claim: in which field, what was found and expected, and what to do."""

    rule: str
    claim: str
    path: tuple[str | int, ...]
    message: str
    hint: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Bound:
    """A literal figure of an expectation: as written, as a number of its unit, and in base units."""

    text: str
    value: Decimal
    base: Decimal
    unit: Unit | None

    @property
    def percent(self) -> bool:
        """Whether it is written in percent or percentage points."""
        return self.unit is not None and self.unit.text in {"%", "percent", "pp"}


@dataclass(frozen=True, slots=True)
class FormulaNumber:
    """A number that a formula contains, with the field that contains it and its offset in the formula.

    `inner` is true if the formula has more than this number.
    """

    name: str
    path: tuple[str | int, ...]
    offset: int
    text: str
    value: Decimal
    base: Decimal
    unit: Unit | None
    inner: bool


@dataclass(frozen=True)
class Subject:
    """A claim with what the rules need to know of it; `program` is None if the claim is broken."""

    claim: Claim
    node: Node | None
    program: Program | None
    case: Case | None
    bounds: tuple[Bound, ...]
    within: Decimal | None
    literals: tuple[FormulaNumber, ...]

    @property
    def words(self) -> str:
        """The text that states the figure: the quote; without one, what the claim says."""
        return self.claim.quote or self.claim.says

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The figures of these words; a capital at their start is that of a sentence, not of a name."""
        return tuple(figures(f". {self.words}"))

    @cached_property
    def text(self) -> str:
        """The text of the node with its title and tables, on one line; empty if there is no node."""
        if self.node is None:
            return ""
        cells = (cell for table in self.node.tables for row in (table.header, *table.rows) for cell in row)
        return " ".join([self.node.title, plain_text(self.node.body), *cells])

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        """Every number of the text, in every form that it may be read in."""
        return numbers(self.text)


@dataclass(frozen=True)
class LintContext:
    """The subjects of one run of the linter, and what the rules look up."""

    subjects: Sequence[Subject]
    book: CatalogBook
    lexicon: Lexicon
    known: Mapping[str, Claim] = field(default_factory=dict)

    @cached_property
    def inputs(self) -> KnownInputs:
        """The names that formulas may read."""
        return KnownInputs(self.book)
