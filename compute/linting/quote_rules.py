"""Rules about the quote, and about fields that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator

from compute.linting.figure_match import equivalent, same
from compute.linting.lint_models import Finding, LintContext, Subject
from compute.linting.written_numbers import numbers
from graph.models.claim_models import Claim, ClaimSeverity, Direction, Speaker, Stance


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
    claim = subject.claim
    if not claim.quote or not subject.bounds:
        return
    figures = [found.figure for found in subject.wording.figures]
    stated = numbers(claim.quote)
    if not figures and not stated:
        yield Finding("quote-figure", claim.id, ("quote",), "the quote has no figure", "quote the words that state it")
        return
    if any(same(figure, bound) or equivalent(figure, bound) for figure in figures for bound in subject.bounds):
        return
    forms = {abs(form) for bound in subject.bounds for form in (bound.value, bound.base, bound.base * 100)}
    if forms & stated:
        return
    shown = ", ".join(" ".join(figure.text.split()) for figure in figures[:4]) or "other numbers"
    message = f"the quote states {shown}, and expect is {claim.expect.text()}"
    yield Finding(
        "quote-figure",
        claim.id,
        ("quote",),
        message,
        "quote the words with the figure that expect tests, or test theirs",
    )


def helped(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """`helps` says the opposite of the bound."""
    claim = subject.claim
    good = {"at_least": Direction.HIGHER, "at_most": Direction.LOWER}.get(claim.expect.form)
    if claim.helps is None or good is None or claim.helps is good:
        return
    form = claim.expect.form
    message = f"helps is {claim.helps.value}, and expect is {claim.expect.text()}, which a {good.value} value meets"
    yield Finding("helps-bound", claim.id, ("helps",), message, f"write helps: {good.value}, or turn {form} round")


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
