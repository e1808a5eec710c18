"""Pages over HTTP: the table of addresses, the endpoint for all of them, and the sign-in page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

from api.brain import Brain
from api.http.responses.problem_details import ProblemError
from api.http.responses.request_context import AppContext, body_of, media_of, site_of
from api.pages.charts import cards, claim_charts
from api.pages.page_request import (
    Option,
    PageRequest,
    PageRequestError,
    RawResponse,
    TemplateResponse,
    TooManyValuesError,
    page_of,
    path_of,
)
from api.pages.render.figure_format import capitalize
from api.pages.render.template_renderer import HEADERS, PICTURE_POLICY, TemplateRenderer
from api.pages.views import (
    brain_pages,
    claim_pages,
    graph_page,
    ledger_pages,
    node_page,
    price_pages,
    price_table,
    record_page,
    search_page,
    source_pages,
    text_pages,
    vocabulary_pages,
)
from api.pages.views.claim_table import PageContext
from api.services.access import COOKIE, SESSION_SECONDS, InvalidTokenError
from api.services.claim_status import UnknownPriceError
from compute.claims.overrides import OverrideError, UnknownInputError
from graph.store.store_errors import CursorError, NotFoundError, UnknownClaimError, UnknownNodeError, UnknownTagError

Page = Callable[[PageContext, PageRequest], TemplateResponse | RawResponse]
Endpoint = Callable[[Request], Awaitable[Response]]

LARGEST_FORM = 1_000_000  # the most bytes of a form

PAGES: tuple[tuple[str, Page], ...] = (
    ("/", ledger_pages.home),
    ("/search", search_page.page),
    ("/suggest.json", search_page.suggestions),
    ("/nodes/{brain}/{slug}", node_page.page),
    ("/nodes/{brain}/{slug}/statements", text_pages.statements),
    ("/claim-previews/{claim:path}", claim_pages.preview),
    ("/previews/{brain}/{slug}", node_page.preview),
    ("/brains/{brain}", brain_pages.brain),
    ("/documents/{document:path}", brain_pages.document),
    ("/assumptions/{name}", brain_pages.assumption),
    ("/claims", claim_pages.index),
    ("/errata", text_pages.errata),
    ("/record", record_page.page),
    ("/claims/{claim:path}/on/{day}", brain_pages.claim_on),
    ("/claims/{claim:path}", claim_pages.page),
    ("/charts/record.{form}", record_page.record_image),
    ("/charts/nodes/{brain}/{slug}/card.{form}", cards.note_card),
    ("/charts/claims/{claim:path}/card.{form}", cards.claim_card),
    ("/charts/claims/{claim:path}/history.{form}", claim_charts.claim_history),
    ("/charts/prices/{item:path}/card.{form}", cards.price_card),
    ("/charts/prices/{item:path}.{form}", price_table.price_image),
    ("/prices", price_pages.index),
    ("/prices/{item:path}", brain_pages.price),
    ("/tags", vocabulary_pages.tags),
    ("/tags/{tag:path}", vocabulary_pages.tag),
    ("/sources", source_pages.sources),
    ("/sources/{work:path}", source_pages.source),
    ("/terms", vocabulary_pages.terms),
    ("/terms/{brain}/{slug}", vocabulary_pages.term),
    ("/runs", ledger_pages.runs),
    ("/runs/{run}", ledger_pages.run),
    ("/changes", ledger_pages.changes),
    ("/graph", graph_page.page),
    ("/graph.json", graph_page.data),
    ("/proof", text_pages.form),
    ("/about", brain_pages.about),
)
"""Every page by its address, tried from top to bottom."""


def router(context: PageContext, *, clock: Callable[[], datetime] | None = None, name: str = "Brain") -> APIRouter:
    """The pages of a brain; `clock` gives the time, `name` the site's name."""
    renderer, now = TemplateRenderer(name), clock or (lambda: datetime.now(UTC))
    made, endpoints = APIRouter(include_in_schema=False), Endpoints(context, renderer, now)
    for path, page in PAGES:
        made.add_route(path, endpoints.of(page), methods=["GET"], include_in_schema=False)
    made.routes += _sign_in(renderer, now)
    made.add_route("/proof", endpoints.proof, methods=["POST"], include_in_schema=False)
    for path, endpoint in (
        ("/static/{edition}/{name}", endpoints.file),
        ("/favicon.ico", endpoints.icon),
        ("/robots.txt", endpoints.robots),
    ):
        made.add_route(path, endpoint, methods=["GET"], include_in_schema=False)
    made.routes.append(_OtherAddresses("/{rest:path}", endpoints.missing, methods=["GET"], include_in_schema=False))
    return made


class _OtherAddresses(Route):
    """Every address that no page has, but those of the API, which answers for itself."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """No match for an address of the API."""
        return (Match.NONE, {}) if scope["path"].startswith(("/v1/", "/sparql")) else super().matches(scope)


class Endpoints:
    """The page endpoints, each with the brain as its reader may see it."""

    def __init__(self, context: PageContext, renderer: TemplateRenderer, clock: Callable[[], datetime]) -> None:
        self._context, self._renderer, self._clock = context, renderer, clock

    def of(self, page: Page) -> Endpoint:
        """The endpoint of a page."""

        async def endpoint(request: Request) -> Response:
            return await run_in_threadpool(self._answer, page, request)

        return endpoint

    def _answer(self, page: Page, request: Request) -> Response:
        app: AppContext = request.state.app_context
        context = self._context if app.brain is self._context.brain else app.part(PageContext)
        given = PageRequest(
            path=request.url.path,
            today=self._clock().date(),
            parts={name: str(value) for name, value in request.path_params.items()},
            query=tuple(request.query_params.multi_items()),
            site=site_of(request),
            sign_in=app.tokens.exists(),
        )
        return answer(page, context, self._renderer, given)

    async def proof(self, request: Request) -> Response:
        """The proof of the text in a form."""
        most = min(self._context.brain.settings.max_body, LARGEST_FORM)
        try:
            body = await body_of(request, most)
        except ProblemError as error:
            refused = self._answer(
                lambda _, given: text_pages.proof_page(given, "", "too long", 413, most=most), request
            )
            refused.headers.update(error.headers)
            return refused
        fields = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
        text, day = fields.get("text"), [("as_of", fields["as_of"])] if fields.get("as_of") else []
        if text is None:
            return self._answer(lambda _, given: text_pages.proof_page(given, "", "no text", 400), request)
        return await run_in_threadpool(
            self._answer,
            lambda context, given: text_pages.proof(context, replace(given, query=(*given.query, *day)), text),
            request,
        )

    async def file(self, request: Request) -> Response:
        """A style, script or font, which may be kept for ever: its address has the hash of all files."""
        found = self._renderer.assets.get(request.path_params["name"])
        if found is None:
            return await self.missing(request)
        kept = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(found.body, media_type=found.media, headers=kept)

    async def icon(self, _request: Request) -> Response:
        """The icon, for programs that ask for it by its old address."""
        found = self._renderer.assets.get("icon.svg")
        return Response(found.body if found else b"", media_type="image/svg+xml", headers=dict(HEADERS))

    async def robots(self, _request: Request) -> Response:
        """What crawlers may read: the pages."""
        return PlainTextResponse("User-agent: *\nDisallow: /v1/\n", headers=dict(HEADERS))

    async def missing(self, request: Request) -> Response:
        """A page for browsers; for programs the problem document of the API."""
        if "text/html" not in request.headers.get("accept", ""):
            raise HTTPException(404)
        return self._answer(lambda *_: page_of("missing.html", 404, why="there is no such page", near=()), request)


def answer(page: Page, context: PageContext, renderer: TemplateRenderer, request: PageRequest) -> Response:
    """A page as a response; a caller's mistake becomes an error page."""
    try:
        made = page(context, request)
    except NotFoundError as error:
        if address := _new_address(error, request):
            return RedirectResponse(address, 307, {**HEADERS, "Cache-Control": "no-store"})
        made = page_of("missing.html", 404, why=str(error), near=_near(context.brain, error))
    except (PageRequestError, CursorError, OverrideError) as error:
        made = page_of("wrong.html", 400, why=str(error))
    except (UnknownInputError, TooManyValuesError) as error:
        made = page_of("wrong.html", 422, why=str(error))
    if isinstance(made, RawResponse):
        policy = {"Content-Security-Policy": PICTURE_POLICY} if made.media == "image/svg+xml" else {}
        return Response(made.body, media_type=made.media, headers={**HEADERS, **policy})
    return HTMLResponse(renderer.page(made, request), made.status, headers=dict(HEADERS))


def _new_address(error: NotFoundError, request: PageRequest) -> str:
    """The page of a node under its new id; empty for other errors."""
    if not isinstance(error, UnknownNodeError) or not error.renamed or not request.path.startswith("/nodes/"):
        return ""
    end = "/statements" if request.path.endswith("/statements") else ""
    query = f"?{urlencode(request.query)}" if request.query else ""
    return f"{path_of('nodes', error.renamed)}{end}{query}"


PLACES = {UnknownNodeError: "nodes", UnknownClaimError: "claims", UnknownTagError: "tags"}
"""The list page for each kind of thing that was not found."""


def _near(brain: Brain, error: NotFoundError) -> tuple[Option, ...]:
    if isinstance(error, UnknownPriceError):
        return price_table.similar(brain, str(error.name))
    place = next((place for kind, place in PLACES.items() if isinstance(error, kind)), "")
    names = brain.names.meant(error) if place else []
    titles = brain.nodes.refs(names if place == "nodes" else ())
    return tuple(Option(titles[name].title if name in titles else name, path_of(place, name)) for name in names)


SIGN_IN, SIGN_OUT = "/sign-in", "/sign-out"
LARGEST_TOKEN = 4096  # the most bytes of the form with a token
NO_STORE = {**HEADERS, "Cache-Control": "no-store"}


def _sign_in(renderer: TemplateRenderer, clock: Callable[[], datetime]) -> list[Route]:

    def page(request: Request, refused: str = "", status: int = 200) -> Response:
        app: AppContext = request.state.app_context
        access, has_tokens = getattr(request.state, "access", None), app.tokens.exists()
        given = PageRequest(SIGN_IN, clock().date(), site=site_of(request), sign_in=has_tokens)
        days = SESSION_SECONDS // (24 * 3600)
        made = page_of("sign_in.html", status, access=access, has_tokens=has_tokens, days=days, refused=refused)
        return HTMLResponse(renderer.page(made, given), status, headers=NO_STORE)

    async def show(request: Request) -> Response:
        return await run_in_threadpool(page, request)

    async def sign_in(request: Request) -> Response:
        media_of(request, ("application/x-www-form-urlencoded",))
        form = parse_qs((await body_of(request, LARGEST_TOKEN)).decode("utf-8", "replace"))
        try:
            session = await run_in_threadpool(request.state.app_context.tokens.session, form.get("token", [""])[-1])
        except InvalidTokenError as error:
            return await run_in_threadpool(page, request, capitalize(f"{error}."), 403)
        answer = RedirectResponse("/", 303, NO_STORE)
        secure = _is_secure(request)  # no script reads the cookie, no page of another site sends it
        answer.set_cookie(COOKIE, session, SESSION_SECONDS, secure=secure, httponly=True, samesite="strict")
        return answer

    async def sign_out(request: Request) -> Response:
        answer = RedirectResponse(SIGN_IN, 303, NO_STORE)
        answer.delete_cookie(COOKIE, secure=_is_secure(request), httponly=True, samesite="strict")
        return answer

    return [
        Route(SIGN_IN, show, methods=["GET"], include_in_schema=False),
        Route(SIGN_IN, sign_in, methods=["POST"], include_in_schema=False),
        Route(SIGN_OUT, sign_out, methods=["POST"], include_in_schema=False),
    ]


def _is_secure(request: Request) -> bool:
    return urlsplit(site_of(request)).scheme == "https"
