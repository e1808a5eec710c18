"""Linked data other than nodes, claims and prices: brains, document versions, snapshots, the publisher."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import Path, Response

from api.http.api_route import ApiRoute
from api.http.middleware.concurrency_limits import Limit
from api.http.responses.content_negotiation import media_type
from api.http.responses.rdf_responses import LINKED, written
from api.http.responses.request_context import AppContext, Ask
from api.http.responses.streaming import Stream
from api.http.routes.operation_routes import document_view
from api.models import api_models, response_models
from api.services.brain_overview import overview
from api.services.linked_data import LATEST, LinkedData, document, documents_of, snapshot, snapshot_hash
from graph.models.query_models import NodeQuery
from graph.rdf.claim_triples import NAME


class Things:
    """The routes over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain, self._linked = desk.brain, LinkedData(desk.brain)

    def brain(
        self, ask: Ask, brain: Annotated[str, Path(description="The name of a brain.", examples=["analyst"])]
    ) -> Response:
        """One brain: its documents, and how many nodes of each kind it has."""
        documents = documents_of(self._brain, brain)
        page, told = self._brain.nodes.page(NodeQuery(brain=brain, limit=1)), self._linked.at(ask.site)
        kinds = tuple(api_models.Facet(value=one.value, count=one.count) for one in page.facets.kind)
        found = overview(self._brain, brain)
        shown = response_models.BrainView(
            id=brain,
            nodes=page.total,
            kinds=kinds,
            documents=documents,
            private=found.private,
            claims=found.claims,
            verdicts={name.value if name else "unchecked": count for name, count in found.verdicts},
            health={state.value: count for state, count in found.health},
            theses=tuple(
                response_models.ThesisView(id=one.node.id, title=one.node.title, health=one.health)
                for one in found.theses
            ),
            tags=found.own,
            shared_tags=found.shared,
            cited_by=found.read_by,
            cites=found.reads,
            run=found.run,
        )
        cite = told.names.brain(brain).value
        return ask.record(shown, written(told, lambda: told.of_brain(brain)), cite=cite)

    def document(
        self,
        ask: Ask,
        document_: Annotated[
            str,
            Path(
                alias="document",
                description="The name of a document, or `NAME/SHA256` for one version of it.",
                examples=["assumptions.yaml"],
            ),
        ],
    ) -> Response:
        """One version of a document as it was read, the current one by its name alone."""
        found, told = document(self._brain, document_), self._linked.at(ask.site)
        cite = told.names.document(found.name, found.sha256).value
        return ask.record(document_view(found), written(told, lambda: told.document(found)), cite=cite)

    def snapshot(
        self,
        ask: Ask,
        snapshot_: Annotated[
            str, Path(alias="snapshot", description="The SHA-256 of a snapshot, or `latest`.", examples=[LATEST])
        ],
    ) -> Response:
        """One catalogue snapshot, and the runs that used it."""
        digest = snapshot_hash(self._brain, snapshot_)
        record, runs = snapshot(self._brain, digest)
        shown = response_models.SnapshotView(
            sha256=digest,
            catalog=record.catalog if record else None,
            created_at=record.created_at if record else None,
            bytes=record.size if record else None,
            runs=tuple(run.id for run in runs),
        )
        told = self._linked.at(ask.site)
        cite = told.names.snapshot(digest).value
        return ask.record(shown, written(told, lambda: told.snapshot(digest)), cite=cite)

    def publisher(self, ask: Ask) -> Response:
        """Who runs the service."""
        told = self._linked.at(ask.site)
        shown = response_models.Publisher(name=NAME, url=told.names.base)
        return ask.record(shown, written(told, told.publisher), cite=told.names.publisher.value, page="/")


FORMS = ("turtle", "trig", "jsonld", "ntriples", "graphml", "csv", "json")
ENDINGS = {"turtle": "ttl", "ntriples": "nt"}
AT_ONCE = 2
"""How many exports are sent at the same time: each takes time from all readers, and holds database connections."""


class Exports:
    """The route over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._exporter = desk.brain.exporter
        self._limit = Limit(AT_ONCE, 0, f"{AT_ONCE} exports are running")

    def export(self, ask: Ask) -> Response:
        """Everything: as RDF, GraphML, CSV, or as JSON that another brain takes in."""
        name = f"brain.{ENDINGS.get(ask.form, ask.form)}"
        headers = {**ask.headers(), "Content-Disposition": f'attachment; filename="{name}"'}
        pieces = self._exporter.at(ask.site).forms[ask.form]
        return Stream(pieces, self._limit, headers=headers, media_type=media_type(ask.form))


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The routes."""
    of, forms = Things(desk), ("json", *LINKED, "html")
    return (
        ApiRoute("/v1/brains/{brain}", of.brain, response_models.BrainView, forms, ("not-found",)),
        ApiRoute("/v1/documents/{document:path}", of.document, response_models.DocumentView, forms, ("not-found",)),
        ApiRoute("/v1/snapshots/{snapshot}", of.snapshot, response_models.SnapshotView, forms, ("not-found",)),
        ApiRoute("/v1/publisher", of.publisher, response_models.Publisher, forms),
        ApiRoute("/v1/export", Exports(desk).export, None, FORMS, ("unavailable",)),
    )
