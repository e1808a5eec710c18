"""Evaluates claims in other processes, without the store: the JSON of claims, a book and a day to a result per claim.

A claim that reads the text or tables of a node, or another claim, needs the store: its result is None, and the caller
evaluates it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Generic, NoReturn, TypeVar

from compute.claims.claim_cases import Terms
from compute.claims.overrides import overrides
from compute.prices.price_models import Book
from compute.record.life_models import LifeLine
from compute.record.replay import Replay
from compute.verify.claim_verifier import Forecaster, Preview, Verifier
from graph.models.claim_models import Claim
from graph.models.verdict_models import Verdict, VerdictRow

Found = TypeVar("Found")

Start = Callable[[Book, date, Terms], Callable[[Claim], Found]]
"""What is computed of each claim, from the book, the day and the terms; the functions below, or `partial` of them."""


def find(book: Book, as_of: date, terms: Terms) -> Callable[[Claim], VerdictRow]:
    """The row of each claim."""
    return Verifier(book, as_of, terms).row


def explained(book: Book, as_of: date, terms: Terms) -> Callable[[Claim], Verdict]:
    """The verdict of each claim with its working."""
    return Verifier(book, as_of, terms).explain


def preview(book: Book, as_of: date, terms: Terms, until: date) -> Callable[[Claim], Preview]:
    """The expectation of each claim as text, and its coming changes until `until`."""
    return Forecaster(book, as_of, until, terms).preview


def live(book: Book, as_of: date, terms: Terms) -> Callable[[Claim], LifeLine]:
    """The life line of each claim."""
    return Replay(book, as_of, terms).life


class NeedsStoreError(Exception):
    """A claim reads something that only the store has."""


def _needed(_what: object) -> NoReturn:
    raise NeedsStoreError


@dataclass(frozen=True)
class ClaimTask(Generic[Found]):
    """What claims are evaluated with, except the store; `sets` are the caller's overrides, as text."""

    start: Start[Found]
    book: Book
    as_of: date
    sets: Mapping[str, str] = field(default_factory=dict)
    first_snapshots: Mapping[str, date] = field(default_factory=dict)

    @cached_property
    def compute(self) -> Callable[[Claim], Found]:
        """Evaluates claims without a store, reusing what claims share."""
        terms = Terms(_needed, overrides(self.sets), _needed, self.first_snapshots, _needed)
        return self.start(self.book, self.as_of, terms)

    def __call__(self, body: str) -> Found | None:
        """The result of a claim; None if it needs the store."""
        try:
            return self.compute(Claim.model_validate_json(body))
        except NeedsStoreError:
            return None
