"""A claim that cannot fail: nothing from outside enters it, its bound covers every value, or the value is the bound."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from compute.claims.claim_program import Program
from compute.formula.formula_terms import (
    Applied,
    Constant,
    Defined,
    LiteralLeaf,
    Negated,
    Operation,
    Required,
    Slot,
    Term,
)
from compute.linting.lint_models import Finding, LintContext, Subject
from graph.models.claim_models import Speaker

Span = tuple[Decimal | None, Decimal | None]

_ALL: Span = (None, None)
_NOT_NEGATIVE: Span = (Decimal(0), None)
_KEEPING_SIGN = frozenset({"min", "max", "sum", "avg", "mean", "abs", "round", "ceil", "floor", "sqrt", "median"})


def unfailing(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """A claim that cannot fail, with the reason."""
    program = subject.program
    if program is None:
        return
    if same := _same(subject, program):
        hint = "compute the value from other figures of the text, or from a price"
        yield Finding("cannot-fail", subject.claim.id, ("value",), same, hint)
    elif covered := _covered(subject, program):
        hint = "write the bound that the text states, or leave the claim out"
        yield Finding("cannot-fail", subject.claim.id, ("expect", subject.claim.expect.form), covered, hint)
    elif _closed(subject, program):
        author = ", and its author states the figure" if subject.claim.asserted_by is Speaker.AUTHOR else ""
        message = f"no price, assumption or table enters the claim{author}: it holds for ever"
        hint = (
            "use a price or an assumption; or say asserted_by: source and quote the source whose arithmetic it checks"
        )
        yield Finding("cannot-fail", subject.claim.id, ("value",), message, hint)


def _same(subject: Subject, program: Program) -> str:
    """Why the value is the expected figure itself; empty if it is computed."""
    claim, bar = subject.claim, program.bar
    target = bar.bound.term if bar.bound is not None else None
    if isinstance(program.term, Slot) and isinstance(target, Slot) and program.term.index == target.index:
        return f"the value is the bound: both are {program.term.name}"
    if " ".join(claim.value.split()) == " ".join(claim.expect.bound.split()) and claim.expect.form != "same_as":
        return "the value and the bound are the same formula"
    number = _number(program.term, program)
    if number is not None and subject.bounds and number == subject.bounds[0].base:
        return f"the value is the number {subject.bounds[0].text}, which is the expected figure"
    return ""


def _number(term: Term, program: Program) -> Decimal | None:
    """The number that a value consists of; None if it is computed or looked up."""
    if isinstance(term, Constant):
        return term.value
    if isinstance(term, Slot) and 0 <= term.index < len(program.leaves):
        leaf = program.leaves[term.index]
        if isinstance(leaf, LiteralLeaf) and _written(program, leaf.name):
            return leaf.value
    return None


def _written(program: Program, name: str) -> bool:
    return any(given.name == name and isinstance(given.term, Constant) for given in program.givens)


def _covered(subject: Subject, program: Program) -> str:
    """Why every possible value meets the expectation; empty if one does not."""
    form = subject.claim.expect.form
    outside = any(not isinstance(leaf, LiteralLeaf) for leaf in program.leaves)
    if form not in {"at_least", "at_most"} or not subject.bounds or not outside:
        return ""
    low, high = _span(program.term, program)
    bound = subject.bounds[0]
    if form == "at_least" and low is not None and low >= bound.base:
        return f"the value is never below {bound.text}: prices and quantities are not negative"
    if form == "at_most" and high is not None and high <= bound.base:
        return f"the value is never above {bound.text}: prices and quantities are not negative"
    return ""


def _span(term: Term, program: Program) -> Span:  # noqa: PLR0911  # one answer for each kind of term
    """The values that a term can take, with prices, assumptions and cells anywhere from 0 upwards."""
    match term:
        case Constant(value=value):
            return value, value
        case Slot(index=index):
            return _slot(index, program)
        case Negated(of=of):
            low, high = _span(of, program)
            return (None if high is None else -high), (None if low is None else -low)
        case Operation():
            return _operation(term, program)
        case Applied(function=function, arguments=arguments) if function in _KEEPING_SIGN:
            lows = [_span(argument, program)[0] for argument in arguments]
            return _NOT_NEGATIVE if all(low is not None and low >= 0 for low in lows) or function == "abs" else _ALL
        case Required(of=of):
            return _span(of, program)
        case Defined(body=body):
            return _span(body, program)
        case _:
            return _ALL


def _slot(index: int, program: Program) -> Span:
    if 0 <= index < len(program.leaves):
        leaf = program.leaves[index]
        return (leaf.value, leaf.value) if isinstance(leaf, LiteralLeaf) else _NOT_NEGATIVE
    size = len(program.sorts)
    given = next((one for one in program.givens if not one.leaf and one.slot % size == index % size), None)
    return _span(given.term, program) if given else _ALL


def _operation(term: Operation, program: Program) -> Span:
    (low, high), (least, most) = _span(term.left, program), _span(term.right, program)
    signs = low is not None and low >= 0 and least is not None and least >= 0
    match term.operator:
        case "+":
            return _add(low, least), _add(high, most)
        case "-":
            return _add(low, None if most is None else -most), _add(high, None if least is None else -least)
        case "*" | "/" | "^" if signs:
            return _NOT_NEGATIVE
    return _ALL


def _add(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    return None if one is None or other is None else one + other


def _closed(subject: Subject, program: Program) -> bool:
    """Whether a claim of its author reads nothing from outside and holds: its own arithmetic."""
    claim = subject.claim
    inside = all(isinstance(leaf, LiteralLeaf) for leaf in program.leaves) and program.bar.target is None
    holds = subject.case is not None and subject.case.now.reading.holds is True
    return inside and holds and claim.asserted_by is not Speaker.SOURCE and not claim.source
