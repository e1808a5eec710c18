"""Forecasts verdict changes from prices that have a future date."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date

from compute.claims.claim_cases import PLAIN, Terms
from compute.prices.price_models import Book
from compute.verify.claim_verifier import verify
from graph.models.claim_models import Claim
from graph.models.verdict_change import VerdictChange
from graph.models.verdict_models import VerdictRow

Rows = Callable[[Sequence[Claim], Book, date, Terms], Iterator[VerdictRow]]
"""Evaluates claims for a day: `verify`, or the same in other processes."""


def forecast(
    claims: Sequence[Claim], book: Book, as_of: date, until: date, terms: Terms = PLAIN, *, rows: Rows = verify
) -> Iterator[VerdictChange]:
    """Every verdict change after `as_of` and up to `until`, by day and then in the order of the claims.

    Verdicts change only on borders of the book, so only these days are evaluated.
    """
    terms = terms.among(claims)
    before = list(rows(claims, book, as_of, terms))
    for day in book.borders():
        if as_of < day <= until:
            after = list(rows(claims, book, day, terms))
            yield from _changes(claims, day, before, after)
            before = after


def _changes(
    claims: Sequence[Claim], day: date, before: Sequence[VerdictRow], after: Sequence[VerdictRow]
) -> Iterator[VerdictChange]:
    for claim, old, new in zip(claims, before, after, strict=True):
        if old.verdict is not new.verdict:
            yield VerdictChange.of(claim.id, claim, old, new, day)
