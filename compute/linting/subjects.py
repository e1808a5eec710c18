"""What the rules of the linter see: claims with their program, literal figures and the text that states them.

Claim, node, book ──subject──▶ Subject ──rules──▶ Finding ──lint──▶ Problem at line and column
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from compute.claims.claim_case import Case
from compute.claims.claim_cases import Cases
from compute.claims.claim_program import Program, sound_program
from compute.claims.expectations import split_bounds
from compute.claims.unknown_inputs import KnownInputs
from compute.figures.figure_models import Figure
from compute.figures.figure_reader import figures
from compute.figures.price_subjects import Lexicon, lexicon
from compute.formula import formula_tree, function_table
from compute.formula.formula_errors import FormulaError
from compute.formula.formula_tree import Node as Part
from compute.formula.formula_tree import Number, PriceLeaf, number_of
from compute.formula.parser import parse
from compute.linting.written_numbers import numbers
from compute.prices.price_book import CatalogBook
from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.text.plain_text import plain_text

_LOOKUPS = frozenset(function.name for function in function_table.LOOKUPS)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found in a claim: in which field, what was found and expected, and what to do."""

    path: tuple[str | int, ...]
    message: str
    hint: str
    offset: int = 0


FormulaNumber = tuple[Number, tuple[str | int, ...], bool]
"""A number in the formula of a field, the path of the field, and whether the formula has more than this number."""


@dataclass(frozen=True)
class Subject:
    """A claim with what the rules need to know of it; `program` is None if the claim is broken."""

    context: LintContext
    claim: Claim
    node: Node | None
    program: Program | None
    case: Case | None
    bounds: tuple[Number, ...]
    within: Decimal | None
    literals: tuple[FormulaNumber, ...]

    @property
    def words(self) -> str:
        """The text that states the figure: the quote; without one, what the claim says."""
        return self.claim.quote or self.claim.says

    @property
    def holds(self) -> bool:
        """Whether the claim holds today."""
        return self.case is not None and self.case.now.reading.holds is True

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The figures of these words; a capital at their start is that of a sentence, not of a name."""
        return tuple(figures(f". {self.words}"))

    def items(self, *, undated: bool = False) -> list[str]:
        """The items whose prices the claim reads; `undated`: only those for a day that is not named."""
        leaves = self.program.leaves if self.program else ()
        read = (leaf for leaf in leaves if isinstance(leaf, PriceLeaf))
        found = (question.item for leaf in read if not (undated and leaf.on) for question in leaf.questions)
        return list(dict.fromkeys(found))

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
    """What the rules look up: prices, the evaluation of claims, nodes by id, and every claim that `root` may name."""

    book: CatalogBook
    cases: Cases
    node: Callable[[str], Node | None]
    known: Mapping[str, Claim]

    @cached_property
    def lexicon(self) -> Lexicon:
        """The names of models in texts."""
        return lexicon(self.book)

    @cached_property
    def inputs(self) -> KnownInputs:
        """The names that formulas may read."""
        return KnownInputs(self.book)

    def subject(self, claim: Claim) -> Subject:
        """One claim as a subject."""
        compiled = sound_program(claim)
        case = self.cases.case(claim) if compiled else None
        texts = split_bounds(claim.expect) if claim.expect.form != "same_as" else ()
        figures = (number_of(_tree(dict(claim.given).get(text or "", text))) for text in texts)  # there or named
        bounds = tuple(one for one in figures if one is not None)
        return Subject(
            context=self,
            claim=claim,
            node=self.node(claim.node),
            program=compiled,
            case=case if isinstance(case, Case) else None,
            bounds=bounds,
            within=_within(claim, bounds),
            literals=tuple(_literals(claim)) if compiled else (),
        )


def _within(claim: Claim, bounds: tuple[Number, ...]) -> Decimal | None:
    """The tolerance in base units; 0 if there is none, None if it is no number or has no meaning."""
    if claim.expect.form not in {"is", "times"} or not bounds:
        return None
    if claim.expect.within is None:
        return Decimal(0)
    found = number_of(_tree(claim.expect.within))
    if found is None:
        return None
    share = found.unit is not None and found.unit.text in {"%", "percent"}
    return abs(found.base * bounds[0].base) if share else abs(found.base)


def _tree(text: str | None) -> Part | None:
    try:
        return parse(text) if text else None
    except FormulaError:
        return None


def _literals(claim: Claim) -> Iterator[FormulaNumber]:
    """The numbers of the formulas, without those that only choose a price, an exponent or a range to search."""
    formulas = [*((("given", name), text) for name, text in claim.given), (("value",), claim.value)]
    for path, text in formulas:
        tree = _tree(text)
        yield from ((number, path, number is not tree) for number in (_numbers(tree) if tree else ()))


def _numbers(tree: Part) -> Iterator[Number]:
    match tree:
        case Number():
            yield tree
        case formula_tree.Negative(of=of):
            yield from _numbers(of)
        case formula_tree.Binary(operator=operator, left=left, right=right):
            yield from _numbers(left)
            if operator != "^":
                yield from _numbers(right)
        case formula_tree.Call(function=function) if function not in _LOOKUPS:
            for part in (*tree.arguments, *(keyword.value for keyword in tree.keywords)):
                yield from _numbers(part)
        case formula_tree.Listing(items=items):
            for part in items:
                yield from _numbers(part)
