"""Mined statements as drafts of claims: what each would be in YAML, and what would be found about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from compute.claims.claim_loader import load
from compute.figures.claim_writer import Place, claims
from compute.figures.figure_models import Finding, Statement, StatementKind
from compute.prices.price_book import CatalogBook
from compute.verify.claim_verifier import verify
from graph.models.claim_models import VerdictName
from graph.models.query_models import Card
from graph.problems import Severity
from graph.store.cursors import Cursor

DONE = "~"
"""Sorts after the number of every statement of a node: nothing of it is left."""


class Draft(Statement):
    """A statement with the claim that it could be, as YAML, and the verdict of that claim on the requested day.

    Both are None where no formula can check the statement.
    """

    claim: str | None = None
    today: VerdictName | None = None


@dataclass(frozen=True, slots=True)
class StatementFilter:
    """Which statements of which nodes to return; `sure` is the least confidence, from 0 to 1."""

    brain: str | None = None
    tag: str | None = None
    kind: StatementKind | None = None
    verdict: Finding | None = None
    sure: Decimal = Decimal(0)

    def in_node(self, card: Card) -> bool:
        """Whether a node may have some."""
        return self.brain in {None, card.brain} and (self.tag is None or self.tag in card.tags)

    def takes(self, one: Statement) -> bool:
        """Whether the filter accepts a statement."""
        return self.kind in {None, one.kind} and self.verdict in {None, one.verdict} and one.confidence >= self.sure


class Walked(NamedTuple):
    """A part of a walk; `next` is where it goes on, None at the end."""

    drafts: tuple[Draft, ...]
    next: Cursor | None


class ClaimFile(NamedTuple):
    """Statements as a file of claims that can be ingested as it is; `left` could not be written as claims."""

    text: str
    left: int


def claim_file(
    statements: Iterable[Statement], on: date, place: Place = lambda _: "", ids: Mapping[str, str] | None = None
) -> ClaimFile:
    """The statements that a formula can check, without those whose claim would be refused.

    `place` gives the document and line of a statement, for a comment; `ids` the ids of claims by those of statements.
    """
    wanted = tuple(statements)
    text = claims(wanted, on, place, ids)
    if _sound(text):
        return ClaimFile(text, 0)
    sound = tuple(one for one in wanted if _sound(claims((one,), on)))
    return ClaimFile(claims(sound, on, place, ids), len(wanted) - len(sound))


def _sound(text: str) -> bool:
    return not any(problem.severity is Severity.ERROR for problem in load("mined.yaml", text)[1])


def drafted(statement: Statement, book: CatalogBook, on: date, ids: Mapping[str, str]) -> Draft:
    """A statement with its claim, verified for a day; `ids` are those of the claims of its node."""
    told = dict(statement)
    text = claims((statement,), on, ids=ids)
    loaded, _ = load("mined.yaml", text)
    if not loaded:
        return Draft(**told)
    return Draft(**told, claim=text, today=next(verify(loaded, book, on)).verdict)
