"""Whether the tense of a claim fits its words and its formula, and whether anything from outside enters it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from compute.formula.formula_terms import AssumptionLeaf, ChoiceLeaf, LiteralLeaf, PriceLeaf
from compute.linting.lint_models import Finding, LintContext, Subject
from graph.models.claim_models import Speaker, Tense

_DAY = re.compile(r"(?<![\d.,$€£])(?:19[89]\d|20[0-3]\d)(?![\d%]|[.,]\d)(?:-\d\d(?:-\d\d)?)?|\bQ[1-4]\b")
_PRICE = re.compile(r"[$€£]\s?\d[\d.,]*|(?<![\d.,\w])\d[\d.,]*+\s?(?:dollars|cents|euros|USD|EUR)\b", re.I)
_NUMBER = re.compile(r"\d[\d_]*+(?:\.\d++)?")
_PAST = re.compile(
    r"\b(?:was|were|had|did|fell|rose|grew|went|took|paid|sold|stood|became|used to|\w+(?:charged|dropped|launched))\b",
    re.I,
)


def standing_words(subject: Subject, context: LintContext) -> Iterator[Finding]:
    """A standing claim whose quote names a day, a price or a version, or is in the past tense."""
    claim = subject.claim
    if claim.tense is Tense.DATED or not claim.quote or not _moves(subject):
        return
    if named := _named(subject, context):
        hint = "write tense: dated, or choose words that a reader takes as true today"
        yield Finding("tense-standing", claim.id, ("tense",), f"the quote {named}, and the claim is standing", hint)


def _named(subject: Subject, context: LintContext) -> str:
    """What in a quote fixes its time; empty if nothing does. The price that the claim is about fixes nothing."""
    text, expect = subject.claim.quote or "", subject.claim.expect
    stated = {Decimal(one.replace("_", "")) for one in _NUMBER.findall(f"{expect.bound} {expect.upper or ''}")}
    for pattern, kind in ((_DAY, "names a day"), (_PRICE, "names a price"), (_PAST, "is in the past tense")):
        for found in pattern.finditer(text):
            if pattern is not _PRICE or not stated & {
                Decimal(one) for one in _NUMBER.findall(found[0].replace(",", ""))
            }:
                return f"{kind} (‘{found[0]}’)"
    version = next((one for one in context.lexicon.mentions(text) if not one.family), None)
    return f"names a version ({version.item})" if version else ""


def _moves(subject: Subject) -> bool:
    """Whether a claim reads something that may be another figure on another day."""
    leaves = subject.program.leaves if subject.program else ()
    return any(isinstance(leaf, PriceLeaf | ChoiceLeaf | AssumptionLeaf) and leaf.on is None for leaf in leaves)


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


def own_numbers(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """A claim that holds, and whose given are all numbers of its own; one that fails shows an error of its source."""
    program, claim, case = subject.program, subject.claim, subject.case
    if program is None or not claim.given or program.bar.target is not None:
        return
    if (
        case is not None
        and case.judged.reading.holds
        and claim.asserted_by is Speaker.SOURCE
        and all(isinstance(leaf, LiteralLeaf) for leaf in program.leaves)
    ):
        message = "every given is a number: the claim restates the arithmetic of its words"
        hint = "use a price, an assumption or a table for one of them, or leave the claim out"
        yield Finding("own-numbers", claim.id, ("given",), message, hint)
