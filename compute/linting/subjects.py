"""What the rules of the linter read: a claim with its program, its figures and its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from compute.claims.claim_case import Case
from compute.claims.claim_cases import Cases
from compute.claims.claim_program import Program, sound_program
from compute.claims.stated_figures import numbers, stated_bounds
from compute.claims.unknown_inputs import KnownInputs
from compute.figures.figure_models import Figure
from compute.figures.figure_reader import figures
from compute.formula.formula_tree import Number, PriceLeaf
from compute.prices.price_book import CatalogBook
from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.text.plain_text import plain_text


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found, in which field, and what to do."""

    path: tuple[str | int, ...]
    message: str
    hint: str
    offset: int = 0


@dataclass(frozen=True)
class Subject:
    """A claim with what the rules need of it; `program` is None if the claim is broken."""

    context: LintContext
    claim: Claim
    node: Node | None
    program: Program | None
    case: Case | None
    bounds: tuple[Number, ...]

    @property
    def words(self) -> str:
        """The text that states the figure: the quote, or what the claim says."""
        return self.claim.quote or self.claim.says

    @property
    def holds(self) -> bool:
        """Whether the claim holds today."""
        return self.case is not None and self.case.now.reading.holds is True

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The figures of `words`; their first capital is a sentence's, not a name's."""
        return tuple(figures(f". {self.words}"))

    def items(self, *, undated: bool = False) -> list[str]:
        """The items whose prices the claim reads; `undated`: only those without a day of their own."""
        leaves = self.program.leaves if self.program else ()
        read = (leaf for leaf in leaves if isinstance(leaf, PriceLeaf))
        found = (question.item for leaf in read if not (undated and leaf.on) for question in leaf.questions)
        return list(dict.fromkeys(found))

    @cached_property
    def text(self) -> str:
        """The node with its title and tables on one line; empty if there is none."""
        if self.node is None:
            return ""
        cells = (cell for table in self.node.tables for row in (table.header, *table.rows) for cell in row)
        return " ".join([self.node.title, plain_text(self.node.body), *cells])

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        """Every number of the text, in every form."""
        return numbers(self.text)


@dataclass(frozen=True)
class LintContext:
    """Prices, evaluated claims, nodes by id, and every claim that `root` may name."""

    book: CatalogBook
    cases: Cases
    node: Callable[[str], Node | None]
    known: Mapping[str, Claim]

    @cached_property
    def inputs(self) -> KnownInputs:
        """The names that formulas may read."""
        return KnownInputs(self.book, self.known)

    def subject(self, claim: Claim) -> Subject:
        """One claim as a subject."""
        compiled = sound_program(claim)
        case = self.cases.case(claim) if compiled else None
        return Subject(
            context=self,
            claim=claim,
            node=self.node(claim.node),
            program=compiled,
            case=case if isinstance(case, Case) else None,
            bounds=stated_bounds(claim),
        )
