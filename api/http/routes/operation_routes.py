"""Health, metrics and contents of the service, for operators, crawlers and agents."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated

from fastapi import Request, Response

from api.http.api_route import LISTED, ApiRoutes
from api.http.openapi.api_reference import reference
from api.http.parameters import Ask, OfBrain, Part, path
from api.http.responses.problem_details import KINDS, ProblemError, ProblemKind
from api.http.responses.request_context import AppContext, site_of
from api.metrics import exposition
from api.models import response_models as answers
from api.models.response_models import Items
from graph.store.cursors import Cursor
from graph.store.database_engine import MOST_CONNECTIONS
from graph.store.store_errors import StoreError
from graph.text.similar_names import near

OPERATION = ApiRoutes("operation")
FLAGS_SECONDS = 0.25  # seconds after which /healthz leaves the flags out: it must answer even if the store does not
CATALOG = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'


@OPERATION("/healthz", answers.Ready)
async def operation_alive(ask: Ask) -> Response:
    """The process answers; `flags` says how many claims fail, if the store answers too."""
    found: dict[str, object] = {"status": "ok"}
    with suppress(TimeoutError):
        async with asyncio.timeout(FLAGS_SECONDS):
            loop = asyncio.get_running_loop()
            found["flags"] = await loop.run_in_executor(ask.app_context.flags_thread, _flags, ask.app_context)
    return ask.record(found)


def _flags(app_context: AppContext) -> dict[str, int] | None:
    """The numbers of raised and acknowledged flags; None if the store fails."""
    today = app_context.clock().date()
    try:
        return app_context.days.get(("flags", today), lambda: app_context.brain.status.acknowledgements.counts(today))
    except StoreError:
        return None


@OPERATION("/readyz", answers.Ready)
async def operation_ready(ask: Ask) -> Response:
    """The store answers, its files are whole, and it has a connection left."""
    brain, thread, loop = ask.brain, ask.app_context.store_thread, asyncio.get_running_loop()
    used = brain.used_connections()
    if used >= MOST_CONNECTIONS:
        raise ProblemError("unavailable", f"All {used} database connections are in use.")
    if fault := await loop.run_in_executor(thread, brain.store.file_fault):
        raise ProblemError("unavailable", f"{fault[:1].upper()}{fault[1:]}.")
    version = await loop.run_in_executor(thread, brain.version)
    return ask.record({"status": "ok", "version": version})


@OPERATION("/metrics", None, "metrics")
def operation_metrics(request: Request) -> Response:
    """Figures of the service, as Prometheus or OpenMetrics reads them."""
    app_context: AppContext = request.state.app_context
    accept, now = request.headers.get("accept", ""), app_context.clock()
    body, media = exposition(app_context.meter, app_context.brain, accept, now)
    return Response(body, headers={"Cache-Control": "no-store"}, media_type=media)


@OPERATION("/v1/documents", Items[answers.DocumentView], LISTED)
def operation_documents(ask: Ask, part: Part, brain: OfBrain = None) -> Response:
    """The documents as they were read: lines included and left out, and what their authors should look at."""
    listed = (record for record in ask.brain.documents.all() if brain is None or record.brain == brain)
    found = [answers.DocumentView.model_validate(record, from_attributes=True) for record in listed]
    return ask.page(found, part, lambda one: Cursor(one.name, ""))


@OPERATION("/problems", Items[ProblemKind], LISTED)
def operation_kinds(ask: Ask, part: Part) -> Response:
    """Every kind of problem that this API answers with."""
    return ask.slice([*KINDS.values()], part)


@OPERATION("/problems/{kind}", ProblemKind)
def operation_kind(ask: Ask, kind: Annotated[str, path("The name of a kind.", "not-found")]) -> Response:
    """One kind of problem, and what a caller can do about it."""
    if kind not in KINDS:
        raise ProblemError("not-found", f"There is no kind of problem {kind}.", near=near(kind, KINDS))
    return ask.record(KINDS[kind])


@OPERATION("/.well-known/api-catalog", None, "linkset")
def operation_catalog(request: Request) -> Response:
    """Where the API and its descriptions are, as a link set (RFC 9727)."""
    return Response(reference("api_catalog.json", site=site_of(request)), media_type=CATALOG)


@OPERATION("/.well-known/void", None, "turtle")
def operation_void(request: Request) -> Response:
    """The dataset described in VoID, as Turtle."""
    return Response(reference("void.ttl", site=site_of(request)), media_type="text/turtle")


@OPERATION("/llms.txt", None, "text")
def operation_llms(request: Request) -> Response:
    """What there is and how to ask for it, for language models (llmstxt.org)."""
    about = request.state.app_context.brain.about()
    page = reference("llms.txt", site=site_of(request), nodes=about["nodes"], claims=about["claims"])
    return Response(page, media_type="text/plain")
