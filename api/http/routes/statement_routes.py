"""Statements in prose that could be claims."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated

from fastapi import Query, Response

from api.http.api_route import ApiRoute
from api.http.responses.request_context import DECIMAL, AppContext, Ask, Day, Part
from api.http.routes.node_routes import Of, Owner, Slug
from api.models import response_models
from api.services.claim_drafts import Draft, StatementFilter
from compute.figures.figure_models import Finding, StatementKind
from graph.store import cursors


class Statements:
    """The routes over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain = desk.brain

    def statements(
        self,
        ask: Ask,
        part: Part,
        day: Day,
        *,
        of: Of = None,
        tag: Annotated[str | None, Query(description="Only of nodes with this tag.", examples=["batching"])] = None,
        kind: Annotated[StatementKind | None, Query(description="Only of this kind.", examples=["arithmetic"])] = None,
        verdict: Annotated[
            Finding | None, Query(description="Only with this finding on the day of the text.", examples=["refuted"])
        ] = None,
        sure: Annotated[
            float, Query(ge=0, le=1, description="Only readings at least as sure as this, from 0 to 1."), DECIMAL
        ] = 0.0,
    ) -> Response:
        """Statements in prose that could be claims, each text by itself, in the order of arrival.

        A part ends after 500 nodes too: it may hold fewer than `limit`, or none, and still have a `next`.
        """
        after = cursors.read(part.cursor, ask.scope, int) if part.cursor else None
        found = self._brain.mining.walk(
            StatementFilter(of, tag, kind, verdict, Decimal(str(sure))), day.day, part.limit, after
        )
        return ask.items(found.drafts, next=found.next.text(ask.scope) if found.next else None)

    def of_node(self, ask: Ask, of: Owner, slug: Slug, day: Day) -> Response:
        """The statements of one text that could be claims, each with its YAML and what would be found on the day."""
        return ask.items(self._brain.mining.drafts(self._brain.nodes.get(f"{of}/{slug}"), day.day))


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The routes in their order."""
    of, listed, drafts = Statements(desk), ("json", "csv"), response_models.Items[Draft]
    return (
        ApiRoute("/v1/statements", of.statements, drafts, listed, ("invalid-cursor", "invalid-datetime")),
        ApiRoute(
            "/v1/nodes/{brain}/{slug}/statements", of.of_node, drafts, listed, ("not-found", "gone", "invalid-datetime")
        ),
    )
