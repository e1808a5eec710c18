"""Rules about the words of a claim, and about fields that contradict each other or the formula."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from compute.formula.formula_terms import ChoiceLeaf, LiteralLeaf, PriceLeaf, Slot
from compute.linting.figure_match import equivalent, expected_figures, rounding, same
from compute.linting.lint_models import Bound, Finding, LintContext, Subject
from compute.linting.written_numbers import numbers
from graph.models.claim_models import Claim, ClaimSeverity, Speaker, Stance, Tense


def severity(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """A claim above info without a quote."""
    claim = subject.claim
    if claim.severity is ClaimSeverity.INFO or claim.quote or claim.asserted_by is Speaker.NOBODY:
        return
    message = f"severity is {claim.severity.value}, and no quote says who states the figure in which words"
    hint = "quote the words of the node, or say asserted_by: nobody, or lower it to severity: info"
    yield Finding("severity-quote", claim.id, ("severity",), message, hint)


def quoted_figure(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """A quote without a figure, or with other figures than the expectation."""
    claim, figures = subject.claim, subject.figures
    if not claim.quote or not subject.bounds:
        return
    stated = numbers(claim.quote)
    if not figures and not stated:
        yield Finding("quote-figure", claim.id, ("quote",), "the quote has no figure", "quote the words that state it")
        return
    forms = {abs(form) for bound in subject.bounds for form in (bound.value, bound.base, bound.base * 100)}
    if forms & stated or any(same(one, bound) or equivalent(one, bound) for one in figures for bound in subject.bounds):
        return
    shown = ", ".join(" ".join(figure.text.split()) for figure in figures[:4]) or "other numbers"
    message = f"the quote states {shown}, and expect is {claim.expect.text()}"
    hint = "quote the words with the figure that expect tests, or test theirs"
    yield Finding("quote-figure", claim.id, ("quote",), message, hint)


def disputed(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """The node disputes a figure that holds."""
    claim, case = subject.claim, subject.case
    if claim.stance is Stance.DISPUTES and case is not None and case.now.reading.holds is True:
        message = "stance is disputes, and the figure holds"
        hint = "write stance: endorses or reports, or test the figure that the node disputes"
        yield Finding("stance-holds", claim.id, ("stance",), message, hint)


def roots(subject: Subject, context: LintContext) -> Iterator[Finding]:
    """`root` names a claim that does not exist, or a circle of claims."""
    claim = subject.claim
    if not claim.root:
        return
    if claim.root not in context.known:
        message = f"root is {claim.root}, and there is no such claim"
        yield Finding("root", claim.id, ("root",), message, "name the claim that reports the error first")
    elif _in_circle(claim, context):
        message = f"root makes a circle: following it from {claim.id} ends at {claim.id}"
        yield Finding("root", claim.id, ("root",), message, "leave root out of the claim that reports the error first")


def _in_circle(claim: Claim, context: LintContext) -> bool:
    seen: set[str] = set()
    here: Claim | None = claim
    while here is not None and here.root and here.id not in seen:
        seen.add(here.id)
        here = context.known.get(here.root)
    return here is not None and here.id == claim.id and bool(here.root)


# ---- tolerance


def tolerances(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """The tolerance is narrower than the rounding of the stated figure."""
    if subject.within is None or _exact(subject):
        return
    for figure, bound in expected_figures(subject):
        if figure.ranged:
            continue
        fine, coarse = rounding(figure, bound)
        if coarse and subject.within < fine * Decimal("0.99") and figure.unit != "word" and not _given(subject, bound):
            within, field = subject.claim.expect.within, "within" if subject.claim.expect.within else None
            path = ("expect", field or subject.claim.expect.form)
            message = f"‘{figure.text.strip()}’ is rounded to ± {_shown(fine, bound)}"
            message += f", and the tolerance is {within or 'no tolerance'}"
            hint = f"write within: {_shown(fine, bound)} or more"
            yield Finding("tolerance-narrow", subject.claim.id, path, message, hint)
        return


def _exact(subject: Subject) -> bool:
    """Whether the value is a list price or a cell, which are stated exactly, or only numbers enter it and it holds."""
    program, case = subject.program, subject.case
    if program is None or (isinstance(program.term, Slot) and 0 <= program.term.index < len(program.leaves)):
        return True
    holds = case is not None and case.now.reading.holds is True
    return holds and all(isinstance(leaf, LiteralLeaf) for leaf in program.leaves)


def _given(subject: Subject, bound: Bound) -> bool:
    """Whether the formula gives the figure exactly on its day or today, so that it is not rounded."""
    values = [day.reading.value for day in (subject.case.then, subject.case.now)] if subject.case else []
    return any(value is not None and abs(value - bound.base) <= abs(bound.base) / 10_000 for value in values)


def _shown(base: Decimal, bound: Bound) -> str:
    """A distance in base units as an author writes it, in the unit of a bound."""
    if bound.percent:
        return f"{_plain(base * 100)}pp"
    factor = bound.base / bound.value if bound.value else Decimal(1)
    return f"{_plain(base / factor)} {bound.unit.text}" if bound.unit else _plain(base)


def _plain(value: Decimal) -> str:
    """A number with at most four significant digits, without an exponent: 500_000, 0.005."""
    return f"{Decimal(f'{value:.4g}').normalize():,f}".replace(",", "_")


# ---- tense


def dated_families(subject: Subject, context: LintContext) -> Iterator[Finding]:
    """A dated claim that follows a family."""
    if subject.claim.tense is Tense.STANDING:
        return
    family = next((item for item in _items(subject) if item in context.book.families), None)
    if family is not None:
        message = f"the claim is dated, and the formula follows the family {family}"
        hint = "read the price of the model that the words mean, or write tense: standing"
        yield Finding("tense-family", subject.claim.id, ("tense",), message, hint)


def superseded(subject: Subject, context: LintContext) -> Iterator[Finding]:
    """A standing claim on a model whose family has a later one."""
    if subject.claim.tense is Tense.DATED or subject.case is None:
        return
    for item in (one for one in _items(subject) if one not in context.book.families):
        for family in context.book.families.values():
            member = family.on(subject.case.now.on)
            if member is None or member.model == item or item not in {one.model for one in family.members}:
                continue
            message = f"the claim is standing, and {item} is superseded: {family.name} means {member.model}"
            hint = f"write tense: dated, or read the family {family.name}"
            yield Finding("tense-superseded", subject.claim.id, ("tense",), message, hint)
            return


def _items(subject: Subject) -> Iterator[str]:
    """The items whose prices the claim reads for a day that is not named."""
    for leaf in subject.program.leaves if subject.program else ():
        if isinstance(leaf, PriceLeaf) and leaf.on is None:
            yield leaf.question.item
        elif isinstance(leaf, ChoiceLeaf) and leaf.on is None:
            yield from (question.item for question in leaf.questions)
