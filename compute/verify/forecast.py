"""Forecasts verdict changes from prices that have a future date."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal

from compute.claims.claim_cases import PLAIN, Terms
from compute.prices.price_models import Book
from compute.verify.claim_verifier import verify
from graph.models.claim_models import Claim, VerdictName, VerdictRow
from graph.values import Value


class ForecastChange(Value):
    """A verdict that changes on a day; values are in `unit`."""

    claim: str
    on: date
    before: VerdictName
    after: VerdictName
    value_before: Decimal | None
    value_after: Decimal | None
    unit: str
    reason: str


def forecast(
    claims: Sequence[Claim], book: Book, as_of: date, until: date, terms: Terms = PLAIN
) -> Iterator[ForecastChange]:
    """Every verdict change after `as_of` and up to `until`, by day and then in the order of the claims.

    Verdicts change only on borders of the book, so only these days are evaluated.
    """
    terms = terms.among(claims)
    before = list(verify(claims, book, as_of, terms))
    for day in book.borders():
        if as_of < day <= until:
            after = list(verify(claims, book, day, terms))
            yield from _turns(day, before, after)
            before = after


def _turns(day: date, before: Sequence[VerdictRow], after: Sequence[VerdictRow]) -> Iterator[ForecastChange]:
    for old, new in zip(before, after, strict=True):
        if old.verdict is not new.verdict:
            yield ForecastChange(
                claim=new.claim,
                on=day,
                before=old.verdict,
                after=new.verdict,
                value_before=old.value,
                value_after=new.value,
                unit=new.unit,
                reason=new.reason,
            )
