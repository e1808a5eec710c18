"""What will turn: claims evaluated on every day to come on which something that they read is known to change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from compute.lookups import Tables
from compute.prices import Book
from compute.reports.report import Change
from compute.verify import verify
from graph.claims import Claim, Row


def forecast(
    claims: Sequence[Claim],
    book: Book,
    as_of: date,
    until: date,
    *,
    tables: Tables | None = None,
    find: Callable[[str], Claim | None] | None = None,
) -> tuple[Change, ...]:
    """The verdicts that turn after `as_of` and until `until` (inclusive) by what the book knows, in their order."""

    def rows(on: date) -> dict[str, Row]:
        return {row.claim: row for row in verify(claims, book, on, tables=tables, find=find)}

    days = [day for day in book.borders() if as_of < day <= until]
    found, before = [], rows(as_of) if days else {}
    for day in days:
        after = rows(day)
        found += [_change(claim, before[claim.id], after[claim.id], day) for claim in claims if claim.id in after]
        before = after
    return tuple(change for change in found if change.before is not change.after)


def _change(claim: Claim, before: Row, after: Row, on: date) -> Change:
    return Change(
        claim=claim.id, says=claim.says, before=before.verdict, after=after.verdict, reason=after.reason, on=on
    )
