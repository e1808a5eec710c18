"""Verdicts on ratios of prices, on a day."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from compute.mining.mining_models import Passage, Reading, Statement
from compute.mining.price_days import Days, unsure_price
from compute.mining.statement_judge import JudgeInputs, Outcome, figure_text, judged, statement
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Missing, Question

MOST_CHANGES = 12
_LOOKUP = re.compile(
    r'price\("(?P<item>[^"]+)", "(?P<component>[^"]+)"'
    r'(?:, processing="(?P<processing>\w+)")?(?:, context=(?P<context>\d+))?(?:, \w+=[^,()]+)*\)'
)
"""A lookup as `compute.mining.price_ratios` and claims write it."""


def judged_price(
    reading: Reading, passage: Passage, inputs: JudgeInputs, book: CatalogBook, today: date
) -> Statement | None:
    """The statement of a reading of prices; `unpriced` if the book lacks one of them for the day.

    Without a stated day nothing is refuted, because the prices may have been others on the day of the text; nor is
    anything by a price that is not known to have applied on the day.
    """
    gone = _unknown(reading, inputs, book)
    if gone is not None:
        note = f"{gone.what}: {gone.reason}"
        return (
            None if reading.cautious else statement(reading, passage, Outcome("unpriced", None, note, Decimal("0.8")))
        )
    found = judged(replace(reading, missing=""), passage, inputs)
    if found is None or found.verdict == "holds":
        return found
    if reading.missing:
        return statement(reading, passage, Outcome("needs-assumption", None, reading.missing, Decimal("0.7")))
    mixed = _mixed(reading, passage, found, inputs)
    doubt = _doubt(reading, inputs, book, today) if mixed.verdict == "refuted" else ""
    if not doubt:
        return mixed
    note = mixed.note if doubt in mixed.note else f"{doubt}; {mixed.note}"
    return statement(reading, passage, Outcome("needs-assumption", None, note, Decimal("0.7")))


def _doubt(reading: Reading, inputs: JudgeInputs, book: CatalogBook, today: date) -> str:
    """Why the prices of a reading deny nothing: no day is stated, or one of them is not known for that day."""
    if _NO_DAY in reading.note:
        return _NO_DAY
    asked = [one for form in (reading.expression, *reading.alternatives) for one in questions(form)]
    return unsure_price(asked, Days(inputs.on, inputs.on, stated=False, known=True), book, today)


_NO_DAY = "no day is stated"


def changes(reading: Reading, book: CatalogBook, today: date) -> list[date]:
    """The days before `today` on which a price of a reading began or applied last, the latest first."""
    days: set[date] = set()
    for question in (one for form in (reading.expression, *reading.alternatives) for one in questions(form)):
        family = book.families.get(question.item)
        days |= {member.begins - timedelta(days=1) for member in family.members if member.begins} if family else set()
        for price in book.prices(question.item):
            if (price.component, price.processing) == (question.component, question.processing):
                days |= {price.valid_from} if price.valid_from else set()
                days |= {price.valid_to - timedelta(days=1)} if price.valid_to else set()
    return sorted((day for day in days if day < today), reverse=True)[:MOST_CHANGES]


def questions(expression: str) -> list[Question]:
    """The lookups of a formula, in order."""
    return [
        Question(
            item=match["item"], component=match["component"], processing=match["processing"] or "standard",
            context=int(match["context"] or 0),
        )
        for match in _LOOKUP.finditer(expression)
    ]  # fmt: skip


def _unknown(reading: Reading, inputs: JudgeInputs, book: CatalogBook) -> Missing | None:
    for question in questions(reading.expression):
        answer = book.price(question, inputs.on)
        if isinstance(answer, Missing):
            return answer
    return None


def _mixed(reading: Reading, passage: Passage, found: Statement, inputs: JudgeInputs) -> Statement:
    """A ratio of prices: a figure between the input ratio and the output ratio may be of a mix."""
    values = [inputs.value(way, (), reading.unit) for way in (reading.expression, *reading.alternatives)]
    known = [value for value in values if value is not None]
    if len(known) < 2 or reading.rule == "bill":
        return found.model_copy(update={"note": f"{found.note}, as of {inputs.on}"})
    first, second = (figure_text(one, reading.unit) for one in known[:2])
    both = f"{first} for input, {second} for output, as of {inputs.on}"
    if min(known) <= reading.stated.low <= max(known):
        return statement(reading, passage, Outcome("needs-assumption", None, f"it depends on the mix: {both}"))
    return found.model_copy(update={"note": f"computed {both}"})
