"""Makes the subjects of the linter: claims with their program, literal figures and the text that states them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal

from compute.claims.claim_case import Case
from compute.claims.claim_cases import Cases
from compute.claims.claim_program import Program, program
from compute.claims.expectations import FieldError, split_bounds
from compute.formula import syntax_tree
from compute.formula.formula_errors import FormulaError
from compute.formula.lowering import in_base
from compute.formula.parser import parse
from compute.formula.syntax_tree import Node as Part
from compute.linting.lint_models import Bound, FormulaNumber, Subject
from graph.models.claim_models import Claim
from graph.models.node_models import Node

_LOOKUPS = frozenset({"price", "latest", "cheapest", "dearest", "assume", "table"})


def subjects(claims: Iterable[Claim], cases: Cases, find: Callable[[str], Node | None]) -> Iterator[Subject]:
    """The claims as subjects; `find` gives the node of a claim."""
    for claim in claims:
        yield subject(claim, cases, find(claim.node))


def subject(claim: Claim, cases: Cases, node: Node | None) -> Subject:
    """One claim as a subject."""
    compiled = None if claim.broken else _program(claim)
    case = cases.case(claim) if compiled else None
    bounds = tuple(_bounds(claim))
    return Subject(
        claim=claim,
        node=node,
        program=compiled,
        case=case if isinstance(case, Case) else None,
        bounds=bounds,
        within=_within(claim, bounds),
        literals=tuple(_literals(claim)) if compiled else (),
    )


def _program(claim: Claim) -> Program | None:
    try:
        return program(claim)
    except FieldError:
        return None


def _bounds(claim: Claim) -> Iterator[Bound]:
    """The bounds of an expectation that are numbers, written there or in the given that they name."""
    if claim.expect.form == "same_as":
        return
    for text in split_bounds(claim.expect):
        found = _number(dict(claim.given).get(text or "", text))
        if found is not None:
            yield found


def _number(text: str | None) -> Bound | None:
    tree = _tree(text)
    negative = isinstance(tree, syntax_tree.Negative)
    if isinstance(tree, syntax_tree.Negative):
        tree = tree.of
    if not isinstance(tree, syntax_tree.Number) or text is None:
        return None
    value = -tree.value if negative else tree.value
    return Bound(text, value, in_base(value, tree.unit), tree.unit)


def _within(claim: Claim, bounds: tuple[Bound, ...]) -> Decimal | None:
    """The tolerance in base units; 0 if there is none, None if it is no number or has no meaning."""
    if claim.expect.form not in {"is", "times"} or not bounds:
        return None
    if claim.expect.within is None:
        return Decimal(0)
    found = _number(claim.expect.within)
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
    for name, text in claim.given:
        yield from _within_formula(name, ("given", name), text)
    yield from _within_formula("", ("value",), claim.value)


def _within_formula(name: str, path: tuple[str | int, ...], text: str) -> Iterator[FormulaNumber]:
    tree = _tree(text)
    for number in _numbers(tree) if tree else ():
        base = in_base(number.value, number.unit)
        words = text[number.start : number.end].strip().strip("()")
        yield FormulaNumber(name, path, number.start, words, number.value, base, number.unit, inner=number is not tree)


def _numbers(tree: Part) -> Iterator[syntax_tree.Number]:
    match tree:
        case syntax_tree.Number():
            yield tree
        case syntax_tree.Negative(of=of):
            yield from _numbers(of)
        case syntax_tree.Binary(operator=operator, left=left, right=right):
            yield from _numbers(left)
            if operator != "^":
                yield from _numbers(right)
        case syntax_tree.Call(function=function) if function not in _LOOKUPS:
            for part in (*tree.arguments, *(keyword.value for keyword in tree.keywords)):
                yield from _numbers(part)
        case syntax_tree.Listing(items=items):
            for part in items:
                yield from _numbers(part)
