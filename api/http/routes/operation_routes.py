"""Is the service alive, what is it doing, what is there: for operators, crawlers and agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated
from urllib.parse import quote

from anyio import CapacityLimiter, move_on_after, to_thread
from fastapi import Path, Request, Response

from api.http.api_route import ApiRoute
from api.http.middleware.metrics import Metrics, exposition
from api.http.openapi.discovery import api_catalog, llms, void
from api.http.responses.problem_details import RETRY, ProblemError
from api.http.responses.problem_types import KINDS
from api.http.responses.request_context import AppContext, Ask, OfBrain, Part
from api.models import response_models
from graph.models.query_models import DocumentRecord
from graph.store.cursors import Cursor
from graph.store.database_engine import MOST_CONNECTIONS
from graph.store.store_errors import StoreError
from graph.text.similar_names import near

FLAGS_SECONDS = 0.25
"""Seconds after which /healthz leaves the flags out: it says that the process answers, whatever the store does."""

NO_STORE = {"Cache-Control": "no-store"}


class Operation:
    """The routes over an open brain."""

    def __init__(self, desk: AppContext, meter: Metrics) -> None:
        self._desk, self._brain, self._meter = desk, desk.brain, meter
        self._kept = desk.brain.cache(1)
        self._thread, self._flag_thread = CapacityLimiter(1), CapacityLimiter(1)

    async def alive(self, ask: Ask) -> Response:
        """The process answers; `flags` says how many claims fail, if the store answers too."""
        found: dict[str, object] = {"status": "ok"}
        with move_on_after(FLAGS_SECONDS):
            flags = await to_thread.run_sync(self._flags, limiter=self._flag_thread, abandon_on_cancel=True)
            found["flags"] = flags
        return ask.record(found)

    def _flags(self) -> dict[str, int] | None:
        """The raised and the acknowledged flags; None where the store does not answer."""
        today = self._desk.clock().date()
        try:
            return self._kept.get(today, lambda: self._brain.acknowledgements.counts(today))
        except StoreError:
            return None

    async def ready(self, ask: Ask) -> Response:
        """The store answers, its files are whole, and it has a connection left."""
        used = self._brain.used_connections()
        if used >= MOST_CONNECTIONS:
            raise ProblemError("unavailable", f"All {used} database connections are in use.", RETRY)
        if fault := await to_thread.run_sync(self._brain.store.file_fault, limiter=self._thread):
            raise ProblemError("unavailable", f"{fault[:1].upper()}{fault[1:]}.", RETRY)
        version = await to_thread.run_sync(self._brain.version, limiter=self._thread)
        return ask.record({"status": "ok", "version": version})

    def metrics(self, request: Request) -> Response:
        """Figures of the service, as Prometheus or OpenMetrics reads them."""
        accept = request.headers.get("accept", "")
        body, media = exposition(self._meter, self._brain, self._desk.writable, accept, self._desk.clock())
        return Response(body, headers=NO_STORE, media_type=media)

    def about(self, ask: Ask) -> Response:
        """How much there is."""
        return ask.record({**self._brain.about(), "url": ask.site})

    def documents(self, ask: Ask, part: Part, brain: OfBrain = None) -> Response:
        """The documents as they were read: lines included and left out, and what their authors should look at."""
        listed = (record for record in self._brain.documents.all() if brain is None or record.brain == brain)
        found = [document_view(record) for record in listed]
        return ask.page(found, part, lambda one: Cursor(one.name, ""))

    def kinds(self, ask: Ask) -> Response:
        """Every kind of problem that this API answers with."""
        return ask.items([_kind(name) for name in KINDS])

    def kind(
        self, ask: Ask, kind: Annotated[str, Path(description="The name of a kind.", examples=["not-found"])]
    ) -> Response:
        """One kind of problem, and what a caller can do about it."""
        if kind not in KINDS:
            raise ProblemError("not-found", f"There is no kind of problem {kind}.", near=near(kind, KINDS))
        return ask.record(_kind(kind))

    def catalog(self, request: Request) -> Response:
        """Where the API and its descriptions are, as a link set (RFC 9727)."""
        media = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
        return Response(api_catalog(self._desk.site(request)), media_type=media)

    def void(self, request: Request) -> Response:
        """The dataset described in VoID, as Turtle."""
        return Response(void(self._desk.site(request)), media_type="text/turtle; charset=utf-8")

    def llms(self, request: Request) -> Response:
        """What there is and how to ask for it, for language models (llmstxt.org)."""
        return Response(llms(self._desk.site(request), self._brain.about()), media_type="text/plain; charset=utf-8")


def document_view(record: DocumentRecord) -> response_models.DocumentView:
    """A document in the shape of the contract."""
    return response_models.DocumentView(
        **{name: getattr(record, name) for name in response_models.DocumentView.model_fields}
    )


def _kind(name: str) -> response_models.ProblemKind:
    kind = KINDS[name]
    return response_models.ProblemKind(
        type=f"/problems/{quote(name)}", status=kind.status, title=kind.title, advice=kind.advice
    )


def routes(desk: AppContext, meter: Metrics) -> Sequence[ApiRoute]:
    """The routes in their order."""
    of = Operation(desk, meter)
    documents, kinds = (
        response_models.Items[response_models.DocumentView],
        response_models.Items[response_models.ProblemKind],
    )
    return (
        ApiRoute("/healthz", of.alive, response_models.Ready),
        ApiRoute("/readyz", of.ready, response_models.Ready, wrong=("unavailable",)),
        ApiRoute("/metrics", of.metrics, None, ("metrics",), unstored=True),
        ApiRoute("/v1/about", of.about, response_models.About),
        ApiRoute("/v1/documents", of.documents, documents, ("json", "csv"), ("invalid-cursor",)),
        ApiRoute("/problems", of.kinds, kinds, ("json", "csv")),
        ApiRoute("/problems/{kind}", of.kind, response_models.ProblemKind, wrong=("not-found",)),
        ApiRoute("/.well-known/api-catalog", of.catalog, None, ("linkset",)),
        ApiRoute("/.well-known/void", of.void, None, ("turtle",)),
        ApiRoute("/llms.txt", of.llms, None, ("text",)),
    )
