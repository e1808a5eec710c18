"""`as_of` does not fit the text, or is before the model or price existed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from compute.claims.claim_dependencies import dependencies
from compute.figures.text_days import MONTHS
from compute.formula.formula_terms import ChoiceLeaf, PriceLeaf
from compute.linting.lint_models import Finding, LintContext, Subject
from compute.prices.price_models import Missing, Question

_DATE = re.compile(rf"\b(?:(?P<month>{'|'.join(MONTHS)})\s+(?:\d{{1,2}},?\s+)?)?(?P<year>19[89]\d|20[0-4]\d)\b", re.I)
_TO = re.compile(
    r"\b(?:by|until|before|since|from|after|between|through|to|till)\s+(?:the\s+\w+\s+of\s+|mid-?|early\s+|late\s+|end\s+of\s+)?$",
    re.I,
)


def dates(subject: Subject, context: LintContext) -> Iterator[Finding]:
    """The first way in which `as_of` does not fit."""
    found = _published(subject) or _quoted(subject) or _too_early(subject, context)
    if found:
        message, hint = found
        yield Finding("as-of", subject.claim.id, ("as_of",), message, hint)


def _published(subject: Subject) -> tuple[str, str] | None:
    day = subject.node.published if subject.node else None
    claimed = subject.claim.as_of
    if day is None or claimed == day or (claimed < day and subject.claim.asserted_by == "source"):
        return None
    return f"as_of is {claimed}, and {subject.claim.node} was published on {day}", f"write as_of: {day}"


def _quoted(subject: Subject) -> tuple[str, str] | None:
    """The words name one time, and `as_of` is in another year or month."""
    if subject.wording.origin != "quote" or not _reads_today(subject):
        return None
    found = list(_DATE.finditer(subject.wording.text))
    if len({(match["year"], (match["month"] or "").lower()) for match in found}) != 1:
        return None
    match, day = found[0], subject.claim.as_of
    if _TO.search(subject.wording.text[: match.start()]):
        return None
    month = MONTHS.index(match["month"].lower()) + 1 if match["month"] else day.month
    if (int(match["year"]), month) == (day.year, day.month):
        return None
    return (
        f"as_of is {day}, and the quote is of {match[0].strip()}",
        "write the day for which the words state the figure",
    )


def _reads_today(subject: Subject) -> bool:
    """Whether a claim reads a price of the day on which it is evaluated."""
    leaves = subject.program.leaves if subject.program else ()
    return any(isinstance(leaf, PriceLeaf | ChoiceLeaf) and leaf.on is None for leaf in leaves)


def _too_early(subject: Subject, context: LintContext) -> tuple[str, str] | None:
    """A price that did not exist on the day of the claim and does now."""
    for one in dependencies(subject.claim):
        if one.kind != "price" or one.question is None or subject.case is None:
            continue
        if not isinstance(context.book.price(one.question, subject.claim.as_of), Missing):
            continue
        first = _first(one.question, subject.claim.as_of, context)
        if first is not None and not _dated(subject, one.question):
            message = f"as_of is {subject.claim.as_of}, and {one.name} has no price before {first}"
            return message, f"write an as_of from {first} on, or read the price of what was sold on that day"
    return None


def _dated(subject: Subject, question: Question) -> bool:
    """Whether the formula asks for the price of a fixed day, so that `as_of` does not matter."""
    leaves = subject.program.leaves if subject.program else ()
    return any(
        getattr(leaf, "question", None) == question and (getattr(leaf, "on", None) or getattr(leaf, "latest", False))
        for leaf in leaves
    )


def _first(question: Question, after: date, context: LintContext) -> date | None:
    """The first day after another on which a dated price begins."""
    later = sorted(
        price.valid_from
        for price in context.book.prices(question.item)
        if price.component == question.component and price.valid_from is not None and price.valid_from > after
    )
    return next((day for day in later if not isinstance(context.book.price(question, day), Missing)), None)
