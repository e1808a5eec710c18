"""Evaluates many claims with a mapper: in this process, or in several with the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import tee
from typing import TypeVar

from api.services.task_mapper import HERE, Mapper
from compute.claims.claim_cases import PLAIN, Terms
from compute.prices.price_models import Book
from compute.record.life_models import LifeLine
from compute.record.replay import Replay
from compute.units.units import vocabulary
from compute.verify.claim_chunks import ClaimTask, Start, explained, find, live, preview
from compute.verify.forecast import Preview
from graph.models.claim_models import Claim
from graph.models.verdict_models import ClaimFinding, Verdict, VerdictRow

Found = TypeVar("Found")


@dataclass(frozen=True)
class StoredClaims:
    """Claims in a store, read while iterating; `bodies` are the same claims as JSON, in the same order."""

    claims: Callable[[], Iterator[Claim]]
    bodies: Callable[[], Iterator[str]]

    def until(self, day: date) -> StoredClaims:
        """Those that had been made by a day."""

        def claims() -> Iterator[Claim]:
            return (claim for claim in self.claims() if claim.as_of <= day)

        return StoredClaims(claims, lambda: (claim.model_dump_json() for claim in claims()))


class ClaimComputer:
    """Evaluates claims; each method gives one result for each claim, in their order.

    Other processes compute the claims that need only the book; this one computes those that need the store.
    """

    def __init__(self, mapper: Mapper = HERE) -> None:
        self._mapper = mapper

    def findings(self, stored: StoredClaims, book: Book, as_of: date, terms: Terms) -> Iterator[ClaimFinding]:
        """The finding of each claim for a day, as `claim_verifier.findings`."""
        if not self._mapper.remote:
            return map(find(book, as_of, terms), stored.claims())
        return self._remote(find, stored.bodies(), book, as_of, terms)

    def rows(self, claims: Iterable[Claim], book: Book, as_of: date, terms: Terms = PLAIN) -> Iterator[VerdictRow]:
        """The row of each claim for a day, as `claim_verifier.verify`."""
        return (one.row for one in self._each(find, claims, book, as_of, terms))

    def previews(
        self, claims: Iterable[Claim], book: Book, as_of: date, until: date, terms: Terms
    ) -> Iterator[Preview]:
        """The expectation of each claim as text, and the changes of its verdict that are to come."""
        return self._each(partial(preview, until=until), claims, book, as_of, terms)

    def verdicts(self, claims: Iterable[Claim], book: Book, as_of: date, terms: Terms) -> Iterator[Verdict]:
        """The verdict of each claim with its working."""
        return self._each(explained, claims, book, as_of, terms)

    def lives(self, claims: Sequence[Claim], book: Book, today: date, terms: Terms, own: Replay) -> Iterator[LifeLine]:
        """The life line of each claim; `own` replays claims in this process."""
        since = min((claim.as_of for claim in claims), default=today)
        return self._each(partial(live, since=since), claims, book, today, terms, own=own.life)

    def _each(
        self, start: Start[Found], claims: Iterable[Claim], book: Book, as_of: date, terms: Terms,
        *, own: Callable[[Claim], Found] | None = None,
    ) -> Iterator[Found]:  # fmt: skip
        if not self._mapper.remote:
            return map(own or start(book, as_of, terms), claims)
        bodies = (claim.model_dump_json() for claim in claims)
        return self._remote(start, bodies, book, as_of, terms, own=own)

    def _remote(
        self, start: Start[Found], bodies: Iterable[str], book: Book, as_of: date, terms: Terms,
        *, own: Callable[[Claim], Found] | None = None,
    ) -> Iterator[Found]:  # fmt: skip
        """The results of other processes; the claims that these leave are computed here."""
        units = terms.units or vocabulary()
        task = ClaimTask(start, book, as_of, dict(terms.overrides.stated), dict(terms.first_snapshots), units)
        own, (sent, kept) = own or start(book, as_of, terms), tee(bodies)
        for body, found in zip(kept, self._mapper.map(task, sent), strict=True):
            yield own(Claim.model_validate_json(body)) if found is None else found
