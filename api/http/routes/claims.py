"""Claims, verdicts, and evaluation with the caller's own numbers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from api.http.answers import AsOf, Desk, Exact, items
from api.services.standing import State
from graph.claims import Verdict, VerdictName

RESERVED = frozenset({"as_of", "format", "known"})
"""Parameters of `evaluate` that are not numbers of the caller's."""


def router(desk: Desk) -> APIRouter:
    """The routes over an open brain."""
    routes = APIRouter(prefix="/v1/claims", tags=["claims"])
    brain = desk.brain

    @routes.get("")
    def claims(
        verdict: Annotated[VerdictName | None, Query(description="Only claims with this verdict.")] = None,
        node: Annotated[str | None, Query(description="Only claims of this node.")] = None,
        tag: Annotated[str | None, Query(description="Only claims with this tag.")] = None,
    ) -> Response:
        """Claims with their last verdicts."""
        found = brain.standing.states(verdict, node, tag)
        return items(found, total=len(found))

    @routes.get("/{claim}", response_model=Verdict)
    def claim(claim: str, as_of: AsOf = None) -> Response:
        """One claim with its verdict, working, inputs and flips."""
        return Exact({**brain.auditor.explain(claim, desk.day(as_of)).model_dump(), "state": state(claim)})

    @routes.get("/{claim}/history")
    def history(claim: str) -> Response:
        """What every run found about the claim, the latest first."""
        brain.store.claim(claim)
        return items(
            [{"run": run.id, "as_of": run.as_of, **row.model_dump()} for run, row in brain.store.history(claim)]
        )

    @routes.get("/{claim}/evaluate", response_model=Verdict)
    def evaluate(request: Request, claim: str, as_of: AsOf = None) -> Response:
        """The verdict with numbers of the caller's own: `?rate=2.00`, `?price:item/component=…`, `?assume:pue=1.1`."""
        sets = {name: value for name, value in request.query_params.items() if name not in RESERVED}
        return Exact(brain.auditor.explain(claim, desk.day(as_of), sets=sets))

    def state(claim: str) -> State:
        return brain.standing.state(claim)

    return routes
