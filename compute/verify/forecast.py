"""Forecasts verdict changes from prices that have a future date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from compute.claims.claim_cases import PLAIN, Cases, Terms
from compute.prices.price_models import Book
from compute.verify.claim_verifier import Verifier
from graph.models.claim_models import Claim
from graph.models.verdict_change import VerdictChange


class Preview(NamedTuple):
    """What a claim is expected to be, as text, and its coming changes by day."""

    expected: str
    changes: tuple[VerdictChange, ...]


class Forecaster:
    """Evaluates claims on a day and on each later day, up to `until`, on which a price changes.

    Each claim is evaluated on all days before the next claim, so its formulas are compiled once, and no more than one
    claim is in memory.
    """

    def __init__(self, book: Book, as_of: date, until: date, terms: Terms = PLAIN) -> None:
        days = (as_of, *(day for day in book.borders() if as_of < day <= until))
        self._days = tuple((day, Verifier(Cases(book, day, terms))) for day in days)

    def changes(self, claim: Claim) -> Iterator[VerdictChange]:
        """Every change of the verdict of a claim after the first day, by day."""
        if len(self._days) == 1:
            return
        found = ((day, verifier.finding(claim)) for day, verifier in self._days)
        for (_, before), (day, after) in pairwise(found):
            if before.shared.verdict is not after.shared.verdict:
                yield VerdictChange.of(claim.id, claim, before.row, after.row, day)

    def preview(self, claim: Claim) -> Preview:
        """The expectation of a claim on the first day, and its changes."""
        return Preview(self._days[0][1].expected(claim), tuple(self.changes(claim)))


def forecast(
    claims: Iterable[Claim], book: Book, as_of: date, until: date, terms: Terms = PLAIN
) -> Iterator[VerdictChange]:
    """Every verdict change after `as_of` and up to `until`, by day and then in the order of the claims.

    Verdicts change only on borders of the book, so only these days are evaluated.
    """
    forecaster = Forecaster(book, as_of, until, terms.among(claims))
    return by_day(change for claim in claims for change in forecaster.changes(claim))


def by_day(changes: Iterable[VerdictChange]) -> Iterator[VerdictChange]:
    """Changes by day; those of one day stay in their order."""
    return iter(sorted(changes, key=lambda change: change.on or date.min))
