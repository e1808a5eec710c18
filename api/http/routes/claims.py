"""Claims, verdicts, and evaluation with the caller's own numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import Path, Query, Response

from api.http import shapes
from api.http.answers import WHOLE, Ask, Date, Day, Desk, Part
from api.http.described import LINKED, Described
from api.http.table import Route
from api.services.standing import ClaimStatus
from graph.claims import Row, Run, Verdict, VerdictName
from graph.rdf.claims import verdict_of
from graph.store.cursors import Cursor

RESERVED = frozenset({"as_of", "format", "known"})
"""Parameters of `evaluate` that are not numbers of the caller's."""

Name = Annotated[str, Path(description="The id of a claim.", examples=["sonnet-cached-batch-discount"])]
Known = Annotated[
    Date | None, Query(description="Only what the service knew on this day: prices and claims as they were then.")
]


class Claims:
    """The routes over an open brain."""

    def __init__(self, desk: Desk) -> None:
        self._brain, self._described = desk.brain, Described(desk)

    def claims(
        self,
        ask: Ask,
        part: Part,
        verdict: Annotated[
            VerdictName | None, Query(description="Only claims with this verdict.", examples=["stale"])
        ] = None,
        node: Annotated[
            str | None, Query(description="Only claims of this node.", examples=["analyst/caching-and-batch-stack"])
        ] = None,
        tag: Annotated[str | None, Query(description="Only claims with this tag.", examples=["batch"])] = None,
    ) -> Response:
        """Claims with their last verdicts, by id."""
        return ask.page(self._brain.standing.states(verdict, node, tag), part, _by_id)

    def claim(self, ask: Ask, claim: Name, day: Day, known: Known = None) -> Response:
        """One claim with its verdict on a day: the working, the inputs with their sources, the flips."""
        verdict = self._brain.auditor.explain(claim, day.day, known=known)
        shown = {
            **verdict.model_dump(),
            "state": self._brain.standing.state(claim),
            "stated": self._brain.store.claim(claim),
        }
        return ask.record(shown, cite=self._described.names.claim(claim).value, **self._described.claim(claim, verdict))

    def history(self, ask: Ask, claim: Name, part: Part) -> Response:
        """What every run found about the claim, the latest first."""
        self._brain.store.claim(claim)
        return ask.page([_finding(run, row) for run, row in self._brain.store.history(claim)], part, _by_run)

    def flags(self, ask: Ask, claim: Name) -> Response:
        """The flags that were raised on the claim, and when they were lowered."""
        self._brain.store.claim(claim)
        return ask.items(self._brain.store.flags(claim))

    def evaluate(self, ask: Ask, claim: Name, day: Day, known: Known = None) -> Response:
        """The verdict with numbers of the caller's own; stores nothing.

        Every further parameter is a number in place of one of the claim's: `?rate=2.00`, `?price:item/component=1.80`
        (a processing behind it: `price:item/component:batch`), `?assume:pue=1.1`. A number without a unit has the unit
        of what it replaces. A name that the claim does not read is refused.
        """
        given = ask.request.query_params.items()
        sets = {name: value for name, value in given if name not in RESERVED}
        return ask.record(self._brain.auditor.explain(claim, day.day, known=known, sets=sets))

    def verdict(
        self,
        ask: Ask,
        run: Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of a run.", examples=[1]), WHOLE],
        claim: Name,
    ) -> Response:
        """What one run found about a claim; TriG is its nanopublication, JSON-LD its ClaimReview."""
        made, row = self._brain.store.run(run), self._brain.store.row(run, claim)
        verdict = self._explained(made, row)
        return ask.record(
            verdict,
            cite=self._described.names.verdict(claim, run, made.as_of).value,
            **self._described.verdict(verdict, made),
        )

    def _explained(self, run: Run, row: Row) -> Verdict:
        """The row of the ledger with the working that belongs to it, computed from what the run was made from."""
        claim = self._brain.store.claim(row.claim)
        kept = verdict_of(row, run, claim)
        again = self._brain.auditor.explain(row.claim, run.as_of, run=run)
        if again.verdict is not row.verdict:
            return kept
        return again.model_copy(update={"run": run.id, "evaluated_at": run.finished_at})


def _by_id(state: ClaimStatus) -> Cursor:
    return Cursor(state.id, state.id)


def _by_run(finding: shapes.Finding) -> Cursor:
    return Cursor(-finding.run, "")


def _finding(run: Run, row: Row) -> shapes.Finding:
    return shapes.Finding(**row.model_dump(), run=run.id, as_of=run.as_of, evaluated_at=run.finished_at)


def routes(desk: Desk) -> Sequence[Route]:
    """The routes in their order: a claim's id may hold a slash, so what stands behind it comes first."""
    of, one, listed, linked = Claims(desk), "/v1/claims/{claim:path}", ("json", "csv"), ("json", *LINKED)
    dated = ("not-found", "invalid-datetime")
    return (
        Route("/v1/claims", of.claims, shapes.Items[shapes.ClaimStatus], listed, ("invalid-cursor",)),
        Route(f"{one}/history", of.history, shapes.Items[shapes.Finding], listed, ("not-found", "invalid-cursor")),
        Route(f"{one}/flags", of.flags, shapes.Items[shapes.Flag], listed, ("not-found",)),
        Route(f"{one}/evaluate", of.evaluate, shapes.Verdict, ("json",), (*dated, "invalid-number", "unknown-input")),
        Route(one, of.claim, shapes.ClaimView, (*linked, "html"), dated),
        Route("/v1/runs/{run}/claims/{claim:path}", of.verdict, shapes.Verdict, (*linked, "trig"), ("not-found",)),
    )
