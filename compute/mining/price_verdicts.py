"""Verdicts on prices: on the day, in any tier or processing of that day, or on another day."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from compute.mining.mining_models import Passage, Reading, Statement
from compute.mining.statement_judge import JudgeInputs, Outcome, judged, statement, told
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Missing, Price, Question, Quote
from compute.units.units import UnitError, unit

_LOOKUP = re.compile(
    r'price\("(?P<item>[^"]+)", "(?P<component>[^"]+)"'
    r'(?:, processing="(?P<processing>\w+)")?(?:, context=(?P<context>\d+))?\)'
)
"""A lookup as `compute.mining.price_statements` writes it."""


TIMELESS = Decimal("0.6")
"""The confidence factor of a refutation without a stated day, because prices change."""


def judged_price(reading: Reading, passage: Passage, bench: JudgeInputs, book: CatalogBook) -> Statement | None:
    """The statement of a reading of prices; `unpriced` if the book lacks one of them for the day."""
    gone = _unknown(reading, bench, book)
    if gone is not None:
        note = f"{gone.what}: {gone.reason}"
        return statement(reading, passage, Outcome("unpriced", None, note, Decimal("0.8")))
    found = _judged(reading, passage, bench, book)
    if found is not None and found.verdict == "refuted" and reading.missing:
        member = _member(reading, bench, book)
        if member:
            return statement(reading, passage, Outcome("holds", reading.stated.low, f"as the price of {member}"))
        return statement(reading, passage, Outcome("needs-assumption", None, reading.missing, Decimal("0.7")))
    return found


def _member(reading: Reading, bench: JudgeInputs, book: CatalogBook) -> str:
    """The last model of a family with that price; empty if there is none."""
    question = _questions(reading.expression)[0]
    family = book.families.get(question.item)
    for member in reversed(family.members if family and reading.rule == "list price" else ()):
        expression = reading.expression.replace(f'"{question.item}"', f'"{member.model}"')
        value = bench.value(expression, (), reading.unit)
        if value is not None and abs(value - reading.stated.low) <= reading.stated.half:
            return member.model
    return ""


def _judged(reading: Reading, passage: Passage, bench: JudgeInputs, book: CatalogBook) -> Statement | None:
    found = judged(replace(reading, missing=""), passage, bench)
    if found is None or found.verdict == "holds":
        return found
    if reading.rule == "list price":
        return _elsewhere(reading, passage, found, bench, book)
    return _mixed(reading, passage, found, bench)


def _questions(expression: str) -> list[Question]:
    return [
        Question(
            item=match["item"], component=match["component"], processing=match["processing"] or "standard",
            context=int(match["context"] or 0),
        )
        for match in _LOOKUP.finditer(expression)
    ]  # fmt: skip


def _unknown(reading: Reading, bench: JudgeInputs, book: CatalogBook) -> Missing | None:
    for question in _questions(reading.expression):
        answer = book.price(question, bench.on)
        if isinstance(answer, Missing):
            return answer
    return None


def _mixed(reading: Reading, passage: Passage, found: Statement, bench: JudgeInputs) -> Statement:
    """A ratio of prices: a figure between the input ratio and the output ratio may be of a mix."""
    values = [bench.value(way, (), reading.unit) for way in (reading.expression, *reading.alternatives)]
    known = [value for value in values if value is not None]
    sure = TIMELESS if "no day is stated" in reading.note else Decimal(1)
    told_by = {"confidence": round(found.confidence * sure, 2)}
    if len(known) < 2:
        return found.model_copy(update={"note": f"{found.note}, as of {bench.on}", **told_by})
    both = f"{told(known[0], reading.unit)} for input, {told(known[1], reading.unit)} for output, as of {bench.on}"
    if min(known) <= reading.stated.low <= max(known):
        return statement(reading, passage, Outcome("needs-assumption", None, f"it depends on the mix: {both}"))
    return found.model_copy(update={"note": f"computed {both}", **told_by})


def _elsewhere(
    reading: Reading, passage: Passage, found: Statement, bench: JudgeInputs, book: CatalogBook
) -> Statement:
    """A price that differs from that of the day: it may be of another tier, a rival, or another day."""
    question = _questions(reading.expression)[0]
    same = [price for price in _known(question, bench, book) if _is(price, reading)]
    now = [
        price
        for price in same
        if price.on(bench.on) and (_another(price, question) or _rival(price, question, bench, book))
    ]
    if now:
        note = f"as the price for {_tier(now[0])}, in {now[0].catalog}"
        return statement(reading, passage, Outcome("holds", reading.stated.low, note, Decimal("0.6")))
    if same and "no day is stated" in reading.note:
        note = f"it was the price from {same[-1].valid_from or '…'} to {same[-1].valid_to or '…'}; no day is stated"
        return statement(reading, passage, Outcome("holds", reading.stated.low, note, Decimal("0.7")))
    note = f"{found.note}, as of {bench.on}" + ("; it was the price on other days" if same else "")
    sure = Decimal("0.7") if same else TIMELESS if "no day is stated" in reading.note else Decimal(1)
    return found.model_copy(update={"note": note, "confidence": round(found.confidence * sure, 2)})


def _tier(price: Price) -> str:
    return f"above {price.above:,} tokens" if price.above else f"{price.processing} processing"


def _another(price: Price, question: Question) -> bool:
    """Whether it is the price of a tier above the queried one."""
    return price.processing == question.processing and price.above > question.context


def _rival(price: Price, question: Question, bench: JudgeInputs, book: CatalogBook) -> bool:
    answer = book.price(question, bench.on)
    return isinstance(answer, Quote) and price in answer.rivals


def _known(question: Question, bench: JudgeInputs, book: CatalogBook) -> list[Price]:
    family = book.families.get(question.item)
    member = family.on(bench.on) if family else None
    item = member.model if member else question.item
    return [
        price
        for price in book.prices(item)
        if (price.component, price.processing) == (question.component, question.processing)
    ]


def _is(price: Price, reading: Reading) -> bool:
    try:
        factor = unit(price.unit).factor / unit(reading.unit).factor
    except UnitError:
        return False
    half = reading.stated.half if reading.stated.half < reading.stated.low / 4 else Decimal(0)
    return abs(price.value * factor - reading.stated.low) <= half
