"""Evaluates many claims with a mapper: in this process, or in several with the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import tee
from typing import Any, TypeVar

from api.services.task_mapper import HERE, Mapper
from compute.claims.claim_cases import PLAIN, Cases, Terms
from compute.prices.price_models import Book
from compute.record.life_models import LifeLine
from compute.record.replay import Replay
from compute.verify import claim_verifier
from compute.verify.claim_chunks import ClaimTask, ExpectationTask, FindingTask, LifeTask, VerdictTask
from compute.verify.claim_verifier import Verifier
from graph.models.claim_models import Claim
from graph.models.verdict_models import ClaimFinding, Verdict, VerdictRow

Found = TypeVar("Found")


class ClaimComputer:
    """Evaluates claims; each method gives one result for each claim, in their order.

    Other processes compute the claims that need only the book; this one computes those that need the store.
    """

    def __init__(self, mapper: Mapper = HERE) -> None:
        self._mapper = mapper

    def findings(self, claims: Iterable[Claim], book: Book, as_of: date, terms: Terms) -> Iterator[ClaimFinding]:
        """The finding of each claim for a day, as `claim_verifier.findings`."""
        if not self._mapper.remote:
            return claim_verifier.findings(claims, book, as_of, terms)
        own = Verifier(Cases(book, as_of, terms.among(claims)))
        return self._completed(_task(FindingTask, book, as_of, terms), claims, own.finding)

    def rows(self, claims: Iterable[Claim], book: Book, as_of: date, terms: Terms = PLAIN) -> Iterator[VerdictRow]:
        """The row of each claim for a day, as `claim_verifier.verify`."""
        return (one.row for one in self.findings(claims, book, as_of, terms))

    def expectations(self, claims: Sequence[Claim], book: Book, as_of: date, terms: Terms) -> Iterator[str]:
        """The expectation of each claim as text."""
        if not self._mapper.remote:
            return claim_verifier.expectations(claims, book, as_of, terms)
        own = Verifier(Cases(book, as_of, terms.among(claims)))
        return self._completed(_task(ExpectationTask, book, as_of, terms), claims, own.expected)

    def verdicts(self, claims: Sequence[Claim], book: Book, as_of: date, terms: Terms) -> Iterator[Verdict]:
        """The verdict of each claim with its working."""
        task = _task(VerdictTask, book, as_of, terms)
        own: Callable[[Claim], Verdict] = lambda claim: claim_verifier.explain(claim, book, as_of, terms)  # noqa: E731  # typed, and short
        return self._completed(task, claims, own) if self._mapper.remote else map(own, claims)

    def lives(self, claims: Sequence[Claim], book: Book, today: date, terms: Terms, own: Replay) -> Iterator[LifeLine]:
        """The life line of each claim; `own` replays claims in this process."""
        if not self._mapper.remote:
            return map(own.life, claims)
        since = min((claim.as_of for claim in claims), default=today)
        return self._completed(_task(LifeTask, book, today, terms, since=since), claims, own.life)

    def _completed(
        self, task: Callable[[Sequence[Claim]], Sequence[Found | None]], claims: Iterable[Claim],
        own: Callable[[Claim], Found],
    ) -> Iterator[Found]:  # fmt: skip
        """The results of a task; those that it leaves to this process are computed here."""
        asked, kept = tee(claims)
        for claim, found in zip(kept, self._mapper.map(task, asked), strict=True):
            yield own(claim) if found is None else found


Task = TypeVar("Task", bound=ClaimTask)


def _task(kind: type[Task], book: Book, as_of: date, terms: Terms, **more: Any) -> Task:  # noqa: ANN401  # the fields of a kind
    return kind(book, as_of, dict(terms.overrides.stated), terms.method, dict(terms.first_snapshots), **more)
