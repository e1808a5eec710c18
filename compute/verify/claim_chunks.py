"""The pure part of verifying and replaying claims, as functions that other processes can compute.

    JSON of claims, book, day ─▶ packed rows, previews, verdicts or life lines, one for each claim

Claims arrive as the JSON that the store has, so that the caller need not read them. A claim that reads the text or the
tables of a node, or another claim, is left to the caller, who has the store: its result is None. All others need only
the claim and the book.
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
from compute.verify.forecast import Forecaster, Preview
from graph.models.claim_models import Claim
from graph.models.node_models import Table
from graph.models.packed_verdicts import PackedRow, RowPacker
from graph.models.verdict_models import Verdict

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
    first_snapshots: Mapping[str, date] = field(default_factory=dict)
    units: tuple[OwnUnit, ...] = field(default_factory=unit_vocabulary.used)

    @cached_property
    def terms(self) -> Terms:
        """The terms of an evaluation without a store."""
        nothing = NoStore()
        return Terms(nothing, overrides(self.sets), nothing.find, self.first_snapshots, unsaid=nothing.unsaid)

    @cached_property
    def verifier(self) -> Verifier:
        """Verifies claims; it keeps what claims share."""
        return Verifier(Cases(self.book, self.as_of, self.terms))

    def each(self, compute: Callable[[Claim], Found], bodies: Sequence[str]) -> tuple[Found | None, ...]:
        """The result of each claim, or None where it needs the store."""
        unit_vocabulary.use(self.units)
        return tuple(_or_none(compute, Claim.model_validate_json(body)) for body in bodies)


def _or_none(compute: Callable[[Claim], Found], claim: Claim) -> Found | None:
    try:
        return compute(claim)
    except NeedsStoreError:
        return None


class FindingTask(ClaimTask):
    """The finding of each claim, packed for the ledger."""

    @cached_property
    def pack(self) -> RowPacker:
        """Packs findings; it keeps what they share."""
        return RowPacker()

    def __call__(self, bodies: Sequence[str]) -> tuple[PackedRow | None, ...]:
        """One for each claim."""
        return self.each(lambda claim: self.pack(self.verifier.finding(claim)), bodies)


@dataclass(frozen=True)
class PreviewTask(ClaimTask):
    """The expectation of each claim as text, and its coming changes up to the day `until`."""

    until: date = date.max

    @cached_property
    def forecaster(self) -> Forecaster:
        """Looks ahead; it keeps what claims share."""
        return Forecaster(self.book, self.as_of, self.until, self.terms)

    def __call__(self, bodies: Sequence[str]) -> tuple[Preview | None, ...]:
        """One for each claim."""
        return self.each(self.forecaster.preview, bodies)


class VerdictTask(ClaimTask):
    """The verdict of each claim with its working."""

    def __call__(self, bodies: Sequence[str]) -> tuple[Verdict | None, ...]:
        """One for each claim."""
        return self.each(self._explain, bodies)

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

    def __call__(self, bodies: Sequence[str]) -> tuple[LifeLine | None, ...]:
        """One for each claim."""
        return self.each(self.replay.life, bodies)
