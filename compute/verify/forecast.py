"""Forecasts verdict changes from prices that have a future date, and on the days that forecasts are made for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from compute.claims.claim_cases import PLAIN, Terms
from compute.claims.claim_program import program
from compute.claims.expectations import FieldError
from compute.prices.price_models import Book
from compute.verify.claim_verifier import Verifier
from graph.models.claim_models import Claim, ClaimSeverity, VerdictName
from graph.models.verdict_models import VerdictChange


class Preview(NamedTuple):
    """What a claim is expected to be, as text, its coming changes by day, and its severity."""

    expected: str
    changes: tuple[VerdictChange, ...]
    severity: ClaimSeverity


class Forecaster:
    """Evaluates claims on a day and on each later day, up to `until`, on which a price changes or that the claim names.

    Each claim is evaluated on all days before the next claim, so no more than one claim is in memory.
    """

    def __init__(self, book: Book, as_of: date, until: date, terms: Terms = PLAIN) -> None:
        self._book, self._as_of, self._until, self._terms = book, as_of, until, terms
        self._days = {as_of, *(day for day in book.borders() if as_of < day <= until)}
        self._verifiers: dict[date, Verifier] = {}

    def changes(self, claim: Claim) -> Iterator[VerdictChange]:
        """Every change of the verdict of a claim after the first day, by day.

        That nobody has looked at a price since is no change: a day on which the claim is unverifiable is passed over.
        """
        try:
            named = frozenset[date]() if claim.broken else program(claim).named_days
        except FieldError:
            return
        days = sorted(self._days.union(day for day in named if self._as_of < day <= self._until))
        if len(days) == 1:
            return
        found = [(day, self._on(day).row(claim)) for day in days]
        known = [one for one in found[1:] if one[1].verdict is not VerdictName.UNVERIFIABLE]
        for (_, before), (day, after) in pairwise([found[0], *known]):
            if before.verdict is not after.verdict:
                yield VerdictChange.of(claim.id, claim, before, after, day)

    def _on(self, day: date) -> Verifier:
        if day not in self._verifiers:
            self._verifiers[day] = Verifier(self._book, day, self._terms)
        return self._verifiers[day]

    def preview(self, claim: Claim) -> Preview:
        """The expectation of a claim on the first day, and its changes."""
        return Preview(self._on(self._as_of).expected(claim), tuple(self.changes(claim)), claim.severity)


def by_day(changes: Iterable[VerdictChange]) -> Iterator[VerdictChange]:
    """Changes by day; those of one day stay in their order."""
    return iter(sorted(changes, key=lambda change: change.on or date.min))
