"""Verdicts on ratios of prices, on a day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from compute.mining.date_text import Period, day_of, periods
from compute.mining.mining_models import Passage, Reading, Statement
from compute.mining.price_days import ASSUMED, EARLIER, Days, unsure_price
from compute.mining.statement_judge import JudgeInputs, Outcome, figure_text, judged, statement
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Missing, Question

MOST_CHANGES = 12
_LOOKUP = re.compile(r'price\("(?P<item>[^"]+)", "(?P<component>[^"]+)"(?P<rest>[^()]*)\)')
_PROCESSING = re.compile(r'processing="(\w+)"')
_CONTEXT = re.compile(r"context=([\d_.]+) ?([kKM]?)")
_SCALES = {"": 1, "k": 1_000, "K": 1_000, "M": 1_000_000}
"""A lookup as `compute.mining.price_ratios` and claims write it."""


def judged_price(
    reading: Reading, passage: Passage, inputs: JudgeInputs, book: CatalogBook, today: date
) -> Statement | None:
    """The statement of a reading of prices; `unpriced` if the book lacks one of them for the day.

    Without a stated day nothing is refuted, because the prices may have been others on the day of the text; nor is
    anything by a price that is not known to have applied on the day. Two models whose list prices the catalogues know
    without a change are compared, but the verdict is a question.
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
    return mixed if mixed.verdict != "refuted" else _denied(reading, passage, mixed, inputs.on, (book, today))


def _denied(
    reading: Reading, passage: Passage, found: Statement, on: date, known: tuple[CatalogBook, date]
) -> Statement:
    """A refutation by the prices of a day, or why they deny nothing."""
    if _NO_DAY in reading.note:
        return statement(reading, passage, Outcome("needs-assumption", None, found.note, _LESS))
    asked = [one for form in (reading.expression, *reading.alternatives) for one in questions(form)]
    doubt, unchanged = unsure_price(asked, Days(on, on, stated=False, known=True), *known)
    if not doubt:
        return found
    note = f"{doubt}; {found.note}"
    if unchanged and reading.rule == "comparison":
        return found.model_copy(update={"note": note, "confidence": round(found.confidence * ASSUMED, 2)})
    return statement(reading, passage, Outcome("needs-assumption", None, note, _LESS))


_NO_DAY = "no day is stated"
_LESS = Decimal("0.7")
"""The factor of confidence of a verdict on a day that its sentence does not state."""


@dataclass(frozen=True, slots=True)
class RatioDays:
    """The days of a ratio: `on`, the last of a period since `first`; `known` if a text states them.

    `present` says that the sentence states no day; `earlier` is then the day of an earlier sentence, which may
    be meant.
    """

    on: date
    known: bool = True
    present: bool = False
    first: date | None = None
    earlier: Period | None = None


@dataclass(frozen=True, slots=True)
class RatioJudge:
    """Judges ratios of prices and bills on the days of their texts."""

    book: CatalogBook
    inputs: JudgeInputs

    def days(self, passage: Passage, sentence: str, earlier: Period | None) -> RatioDays:
        """The days of a sentence; `earlier` is that of an earlier one of its paragraph."""
        today, spans = self.inputs.on, periods(sentence)
        last = spans[-1] if spans else None
        stated = day_of(sentence) or (last.last if last else None)
        return RatioDays(
            on=min(stated or passage.on or today, today),
            known=stated is not None or passage.on is not None,
            present=stated is None,
            first=last.first if last and last.last else None,
            earlier=earlier if stated is None else None,
        )

    def judged(self, reading: Reading, passage: Passage, days: RatioDays) -> Iterator[tuple[Reading, Statement]]:
        """The statement of a reading on its day, or on that of an earlier sentence; wrong on both is a question."""
        own = self._in_period(reading, passage, days)
        if days.earlier is not None and days.earlier.last and (own is None or own.verdict != "holds"):
            own = self._on_earlier(reading, passage, own, days.earlier)
        if own is not None:
            yield reading, own

    def _on_earlier(
        self, reading: Reading, passage: Passage, own: Statement | None, period: Period
    ) -> Statement | None:
        """The statement of a reading that does not hold on its own day, with the day of an earlier sentence."""
        plain = replace(reading, note=_dated(reading.note), missing=_dated(reading.missing))
        then = min(period.last or self.inputs.on, self.inputs.on)
        found = self._in_period(plain, passage, RatioDays(then, first=period.first))
        if found is None or found.verdict == "holds" or own is None or own.verdict == "stale":
            return found if found is not None and found.verdict == "holds" else own
        if found.verdict == "refuted":
            sure = min(found.confidence, round(reading.confidence * ASSUMED, 2))
            return found.model_copy(update={"note": f"{EARLIER}; {found.note}", "confidence": sure})
        if own.verdict == "refuted":
            return statement(reading, passage, Outcome("needs-assumption", None, f"{EARLIER}; {own.note}", _LESS))
        return own

    def on_day(self, reading: Reading, passage: Passage, day: date) -> Statement | None:
        """The statement of a reading on a day, whatever its text says of days."""
        return judged_price(reading, passage, replace(self.inputs, on=day), self.book, self.inputs.on)

    def _in_period(self, reading: Reading, passage: Passage, days: RatioDays) -> Statement | None:
        """The statement of a ratio on a day, the last of a stated period; where it fails, on other days of it."""
        day, first = days.on, days.first
        found = self.on_day(reading, passage, day)
        if first and first < day and (found is None or found.verdict in {"unpriced", "refuted"}):
            for then in (first, *(one for one in changes(reading, self.book, day) if one > first)):
                begun = self.on_day(reading, passage, then)
                if begun and begun.verdict == "holds":
                    found, day = begun, then
                    break
        if found is None:
            return None
        vague = any(f'"{name}"' in reading.expression for name in self.book.families)
        if found.verdict in {"refuted", "needs-assumption"} and (_NO_DAY in reading.note or vague):
            earlier = self._once(reading, passage)
            if earlier is not None:
                return earlier
        if found.verdict == "holds" and days.present and day < self.inputs.on and not reading.note:
            now = self.on_day(reading, passage, self.inputs.on)
            if now is not None and now.verdict == "refuted":
                found = found.model_copy(update={"verdict": "stale", "note": f"it was right on {day}; {now.note}"})
        return found.model_copy(update={"as_of": day})

    def _once(self, reading: Reading, passage: Passage) -> Statement | None:
        """The statement for the last day of a change of its prices on which it was right; None if there is none."""
        for day in changes(reading, self.book, self.inputs.on):
            then = self.on_day(reading, passage, day)
            if then is not None and then.verdict == "holds":
                value = self.inputs.value(reading.expression, (), reading.unit)
                now = f"; now it is {figure_text(round(value, 4), reading.unit)}" if value is not None else ""
                note = f"it was right on {day}{now}" + (f"; {_NO_DAY}" if "no day" in reading.note else "")
                return then.model_copy(update={"verdict": "stale", "note": note, "as_of": day})
        return None


def _dated(note: str) -> str:
    """A note without the words that no day is stated."""
    return "" if note.startswith(_NO_DAY) else note


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
            item=match["item"], component=match["component"],
            processing=found[1] if (found := _PROCESSING.search(match["rest"])) else "standard",
            context=_tokens(match["rest"]),
        )
        for match in _LOOKUP.finditer(expression)
    ]  # fmt: skip


def _tokens(arguments: str) -> int:
    """The context that a lookup asks for: 200_001, 250k; 0 if it names none."""
    found = _CONTEXT.search(arguments)
    return int(Decimal(found[1].replace("_", "").rstrip(".")) * _SCALES[found[2]]) if found else 0


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
