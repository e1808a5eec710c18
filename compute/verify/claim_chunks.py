"""The pure part of verifying and replaying claims, as functions that other processes can compute.

    claims, book, day ─▶ findings, expectations, verdicts or life lines, one for each claim

A claim that reads the text or the tables of a node, or another claim, is left to the caller, who has the store: its
result is None. All others need only the claim and the book.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import NoReturn, TypeVar

from compute.claims import unit_vocabulary
from compute.claims.claim_cases import Cases, Terms
from compute.claims.overrides import overrides
from compute.prices.own_units import OwnUnit
from compute.prices.price_models import Book
from compute.record.life_models import LifeLine
from compute.record.replay import Replay
from compute.verify.claim_verifier import Verifier
from graph.models.claim_models import Claim
from graph.models.node_models import Table
from graph.models.verdict_models import METHOD, ClaimFinding, Verdict

Found = TypeVar("Found")


class NeedsStoreError(Exception):
    """A claim reads something that only the store has."""


class NoStore:
    """In place of the nodes and claims of a store: says that they are needed."""

    def tables(self, node: str) -> tuple[Table, ...] | None:
        """Never returns the tables of a node.

        Raises:
            NeedsStoreError: always.
        """
        self._needed(node)

    def unsaid(self, claim: Claim) -> bool:
        """False for a claim without a quote.

        Raises:
            NeedsStoreError: the claim has a quote.
        """
        return self._needed(claim) if claim.quote else False

    def find(self, claim: str) -> Claim | None:
        """Never returns another claim.

        Raises:
            NeedsStoreError: always.
        """
        self._needed(claim)

    @staticmethod
    def _needed(_what: object) -> NoReturn:
        raise NeedsStoreError


@dataclass(frozen=True)
class ClaimTask:
    """What claims are evaluated with, except the store. `sets` are the caller's own numbers, as text."""

    book: Book
    as_of: date
    sets: Mapping[str, str] = field(default_factory=dict)
    method: int = METHOD
    first_snapshots: Mapping[str, date] = field(default_factory=dict)
    units: tuple[OwnUnit, ...] = field(default_factory=unit_vocabulary.used)

    @cached_property
    def terms(self) -> Terms:
        """The terms of an evaluation without a store."""
        nothing = NoStore()
        return Terms(
            nothing, overrides(self.sets), nothing.find, self.method, self.first_snapshots, unsaid=nothing.unsaid
        )

    @cached_property
    def verifier(self) -> Verifier:
        """Verifies claims; it keeps what claims share."""
        return Verifier(Cases(self.book, self.as_of, self.terms))

    def each(self, compute: Callable[[Claim], Found], claims: Sequence[Claim]) -> tuple[Found | None, ...]:
        """The result of each claim, or None where it needs the store."""
        unit_vocabulary.use(self.units)
        return tuple(_or_none(compute, claim) for claim in claims)


def _or_none(compute: Callable[[Claim], Found], claim: Claim) -> Found | None:
    try:
        return compute(claim)
    except NeedsStoreError:
        return None


class FindingTask(ClaimTask):
    """The compact finding of each claim, for the ledger."""

    def __call__(self, claims: Sequence[Claim]) -> tuple[ClaimFinding | None, ...]:
        """One for each claim."""
        return self.each(self.verifier.finding, claims)


class ExpectationTask(ClaimTask):
    """The expectation of each claim as text."""

    def __call__(self, claims: Sequence[Claim]) -> tuple[str | None, ...]:
        """One for each claim."""
        return self.each(self.verifier.expected, claims)


class VerdictTask(ClaimTask):
    """The verdict of each claim with its working."""

    def __call__(self, claims: Sequence[Claim]) -> tuple[Verdict | None, ...]:
        """One for each claim."""
        return self.each(self._explain, claims)

    def _explain(self, claim: Claim) -> Verdict:
        return Verifier(Cases(self.book, self.as_of, self.terms)).explain(claim)


@dataclass(frozen=True)
class LifeTask(ClaimTask):
    """The life line of each claim; `since` is the earliest day of all of them."""

    since: date = date.min

    @cached_property
    def replay(self) -> Replay:
        """Replays claims; it keeps what claims share."""
        return Replay(self.book, self.since, self.as_of, self.terms)

    def __call__(self, claims: Sequence[Claim]) -> tuple[LifeLine | None, ...]:
        """One for each claim."""
        return self.each(self.replay.life, claims)
