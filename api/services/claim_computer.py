"""Evaluates many claims with a mapper: in this process, or in several with the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import tee
from typing import Any, TypeVar

from api.services.task_mapper import HERE, Mapper
from compute.claims.claim_cases import PLAIN, Cases, Terms
from compute.prices.price_models import Book
from compute.record.life_models import LifeLine
from compute.record.replay import Replay
from compute.verify import claim_verifier
from compute.verify.claim_chunks import ClaimTask, FindingTask, LifeTask, PreviewTask, VerdictTask
from compute.verify.claim_verifier import Verifier
from compute.verify.forecast import Forecaster, Preview
from graph.models.claim_models import Claim
from graph.models.packed_verdicts import PackedRow
from graph.models.verdict_models import ClaimFinding, Verdict, VerdictRow

Found = TypeVar("Found")


@dataclass(frozen=True)
class StoredClaims:
    """Claims in a store, read while iterating; `bodies` are the same claims as JSON, in the same order."""

    claims: Callable[[], Iterator[Claim]]
    bodies: Callable[[], Iterator[str]]


class ClaimComputer:
    """Evaluates claims; each method gives one result for each claim, in their order.

    Other processes compute the claims that need only the book; this one computes those that need the store.
    """

    def __init__(self, mapper: Mapper = HERE) -> None:
        self._mapper = mapper

    def findings(
        self, stored: StoredClaims, book: Book, as_of: date, terms: Terms
    ) -> Iterator[ClaimFinding] | Iterator[PackedRow | ClaimFinding]:
        """The finding of each claim for a day, as `claim_verifier.findings`; packed by other processes."""
        if not self._mapper.remote:
            return claim_verifier.findings(stored.claims(), book, as_of, terms)
        return self._packed(stored.bodies(), book, as_of, terms)

    def rows(self, claims: Iterable[Claim], book: Book, as_of: date, terms: Terms = PLAIN) -> Iterator[VerdictRow]:
        """The row of each claim for a day, as `claim_verifier.verify`."""
        if not self._mapper.remote:
            return claim_verifier.verify(claims, book, as_of, terms)
        return (one.row for one in self._packed(_bodies(claims), book, as_of, terms))

    def _packed(
        self, bodies: Iterable[str], book: Book, as_of: date, terms: Terms
    ) -> Iterator[PackedRow | ClaimFinding]:
        own = Verifier(Cases(book, as_of, terms))
        return self._completed(_task(FindingTask, book, as_of, terms), bodies, own.finding)

    def previews(
        self, claims: Iterable[Claim], book: Book, as_of: date, until: date, terms: Terms
    ) -> Iterator[Preview]:
        """The expectation of each claim as text, and the changes of its verdict that are to come."""
        own = Forecaster(book, as_of, until, terms)
        if not self._mapper.remote:
            return map(own.preview, claims)
        return self._completed(_task(PreviewTask, book, as_of, terms, until=until), _bodies(claims), own.preview)

    def verdicts(self, claims: Iterable[Claim], book: Book, as_of: date, terms: Terms) -> Iterator[Verdict]:
        """The verdict of each claim with its working."""
        own: Callable[[Claim], Verdict] = lambda claim: claim_verifier.explain(claim, book, as_of, terms)  # noqa: E731  # typed, and short
        if not self._mapper.remote:
            return map(own, claims)
        return self._completed(_task(VerdictTask, book, as_of, terms), _bodies(claims), own)

    def lives(self, claims: Sequence[Claim], book: Book, today: date, terms: Terms, own: Replay) -> Iterator[LifeLine]:
        """The life line of each claim; `own` replays claims in this process."""
        if not self._mapper.remote:
            return map(own.life, claims)
        since = min((claim.as_of for claim in claims), default=today)
        return self._completed(_task(LifeTask, book, today, terms, since=since), _bodies(claims), own.life)

    def _completed(
        self, task: Callable[[Sequence[str]], Sequence[Found | None]], bodies: Iterable[str],
        own: Callable[[Claim], Found],
    ) -> Iterator[Found]:  # fmt: skip
        """The results of a task; those that it leaves to this process are computed here."""
        asked, kept = tee(bodies)
        for body, found in zip(kept, self._mapper.map(task, asked), strict=True):
            yield own(Claim.model_validate_json(body)) if found is None else found


def _bodies(claims: Iterable[Claim]) -> Iterator[str]:
    return (claim.model_dump_json() for claim in claims)


Task = TypeVar("Task", bound=ClaimTask)


def _task(kind: type[Task], book: Book, as_of: date, terms: Terms, **more: Any) -> Task:  # noqa: ANN401  # the fields of a kind
    return kind(book, as_of, dict(terms.overrides.stated), dict(terms.first_snapshots), **more)
