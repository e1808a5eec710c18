"""The pages over HTTP: a table of addresses, and one endpoint that serves all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from api.brain import Brain
from api.http.responses.problem_details import ProblemError
from api.http.responses.request_context import AppContext
from api.http.responses.request_parts import body_of, site_of
from api.pages import sign_in
from api.pages.charts import claim_images, price_images, record_images
from api.pages.charts.picture import SVG
from api.pages.render.template_renderer import HEADERS, PICTURE_POLICY, TemplateRenderer
from api.pages.request.page_request import (
    Option,
    PageRequest,
    PageRequestError,
    RawResponse,
    TemplateResponse,
    TooManyValuesError,
    path_of,
)
from api.pages.views import (
    about_page,
    brain_page,
    browse_pages,
    claim_page,
    claims_page,
    errata_page,
    graph_page,
    home_page,
    ledger_pages,
    node_page,
    price_pages,
    price_table,
    proof_page,
    record_page,
    search_page,
    source_pages,
    statements_page,
    suggestions,
    term_pages,
    thing_page,
)
from api.pages.views.claim_table import PageContext
from api.services.name_lookup import UnknownPriceError, meant
from compute.claims.overrides import OverrideError, UnknownInputError
from graph.store.store_errors import CursorError, NotFoundError, UnknownClaimError, UnknownNodeError, UnknownTagError

Page = Callable[[PageContext, PageRequest], TemplateResponse | RawResponse]
Door = Callable[[Request], Awaitable[Response]]

LARGEST_FORM = 1_000_000
"""The most bytes of a form."""

PAGES: tuple[tuple[str, Page], ...] = (
    ("/", home_page.page),
    ("/search", search_page.page),
    ("/suggest.json", suggestions.page),
    ("/random.json", suggestions.random_node),
    ("/nodes/{brain}/{slug}", node_page.page),
    ("/nodes/{brain}/{slug}/statements", statements_page.page),
    ("/claim-previews/{claim:path}", claim_page.preview),
    ("/previews/{brain}/{slug}", node_page.preview),
    ("/brains/{brain}", brain_page.page),
    ("/documents/{document:path}", thing_page.document),
    ("/snapshots/{snapshot}", thing_page.snapshot),
    ("/assumptions/{name}", thing_page.assumption),
    ("/vocabulary", thing_page.vocabulary),
    ("/claims", claims_page.page),
    ("/errata", errata_page.page),
    ("/record", record_page.page),
    ("/claims/{claim:path}/on/{day}", thing_page.claim_on),
    ("/claims/{claim:path}", claim_page.page),
    ("/charts/record.svg", record_images.record_svg),
    ("/charts/record.png", record_images.record_png),
    ("/charts/claims/{claim:path}/card.svg", record_images.card_svg),
    ("/charts/claims/{claim:path}/card.png", record_images.card_png),
    ("/charts/claims/{claim:path}/history.{form}", claim_images.claim_history),
    ("/charts/claims/{claim:path}/flip/{number}.{form}", claim_images.claim_flip),
    ("/charts/claims/{claim:path}/tornado.{form}", claim_images.claim_tornado),
    ("/charts/claims/{claim:path}/life.{form}", claim_images.claim_life),
    ("/charts/prices/{name:path}.svg", price_images.price_svg),
    ("/charts/prices/{name:path}.png", price_images.price_png),
    ("/charts/prices/{name:path}.csv", price_images.price_csv),
    ("/prices", price_pages.index),
    ("/prices/{item:path}", thing_page.price),
    ("/tags", browse_pages.tags),
    ("/tags/{tag:path}", browse_pages.tag),
    ("/sources", source_pages.sources),
    ("/sources/{work:path}", source_pages.source),
    ("/terms", term_pages.index),
    ("/terms/{brain}/{slug}", term_pages.page),
    ("/runs", ledger_pages.runs),
    ("/runs/{run}", ledger_pages.run),
    ("/runs/{run}/claims/{claim:path}/nanopub", thing_page.nanopublication),
    ("/runs/{run}/claims/{claim:path}", thing_page.verdict),
    ("/changes", ledger_pages.changes),
    ("/graph", graph_page.page),
    ("/graph.json", graph_page.data),
    ("/proof", proof_page.form),
    ("/about", about_page.page),
)
"""Every page by its address, tried from top to bottom."""


def router(desk: PageContext, *, clock: Callable[[], datetime] | None = None, name: str = "Brain") -> APIRouter:
    """The pages of a brain; `clock` gives the current time, `name` is the site's name on the pages."""
    press, tell = TemplateRenderer(name), clock or (lambda: datetime.now(UTC))
    made = APIRouter(include_in_schema=False)

    def seen(request: Request) -> PageContext:
        """What the pages remember of the brain that the sender of a request sees."""
        app: AppContext = request.state.desk
        return desk if app.brain is desk.brain else app.part(PageContext)

    for path, page in PAGES:
        made.add_route(path, _route(page, seen, press, tell), methods=["GET"], include_in_schema=False)
    made.routes += sign_in.routes(press, tell)
    made.add_route("/proof", _proof(seen, press, tell), methods=["POST"], include_in_schema=False)
    made.add_route("/static/{edition}/{name}", _file_route(press), methods=["GET"], include_in_schema=False)
    return made


def _proof(seen: Callable[[Request], PageContext], press: TemplateRenderer, clock: Callable[[], datetime]) -> Door:
    """The proof of the text in a form."""

    async def proof(request: Request) -> Response:
        desk = seen(request)
        most, asked = min(desk.brain.settings.max_body, LARGEST_FORM), _page_request(request, desk, clock)
        try:
            body = await body_of(request, most)
        except ProblemError as error:
            refused = answer(lambda _, asked: proof_page.unread(asked, most), desk, press, asked)
            refused.headers.update(error.headers)
            return refused
        text = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)).get("text")
        if text is None:
            return answer(lambda _, asked: proof_page.unread(asked, None), desk, press, asked)
        return await run_in_threadpool(
            answer, lambda desk, asked: proof_page.page(desk, asked, text), desk, press, asked
        )

    return proof


def _page_request(request: Request, desk: PageContext, clock: Callable[[], datetime]) -> PageRequest:
    return PageRequest(
        path=request.url.path,
        today=clock().date(),
        parts={name: str(value) for name, value in request.path_params.items()},
        query=tuple(request.query_params.multi_items()),
        site=site_of(desk.brain, request),
        sign_in=request.state.desk.tokens.exists(),
    )


def _route(
    page: Page, seen: Callable[[Request], PageContext], press: TemplateRenderer, clock: Callable[[], datetime]
) -> Door:
    async def route(request: Request) -> Response:
        desk = seen(request)
        return await run_in_threadpool(answer, page, desk, press, _page_request(request, desk, clock))

    return route


def answer(page: Page, desk: PageContext, press: TemplateRenderer, asked: PageRequest) -> Response:
    """What a page answers; what the caller got wrong becomes a page that says so."""
    try:
        made = page(desk, asked)
    except NotFoundError as error:
        if address := _new_address(error, asked):
            return RedirectResponse(address, 307, {**HEADERS, "Cache-Control": "no-store"})
        made = TemplateResponse(
            "missing.html", Missing(str(error), _words(asked), _near(desk.brain, error)), status=404
        )
    except (PageRequestError, CursorError, OverrideError) as error:
        made = TemplateResponse("wrong.html", str(error), status=400)
    except (UnknownInputError, TooManyValuesError) as error:
        made = TemplateResponse("wrong.html", str(error), status=422)
    if isinstance(made, RawResponse):
        policy = {"Content-Security-Policy": PICTURE_POLICY} if made.media == SVG else {}
        return Response(made.body, media_type=made.media, headers={**HEADERS, **policy})
    return HTMLResponse(press.page(made, asked), made.status, headers=dict(HEADERS))


def _new_address(error: NotFoundError, asked: PageRequest) -> str:
    """The same page of a node that has another id now; empty for other errors. It may get its old id back."""
    if not isinstance(error, UnknownNodeError) or not error.renamed or not asked.path.startswith("/nodes/"):
        return ""
    end = "/statements" if asked.path.endswith("/statements") else ""
    query = f"?{urlencode(asked.query)}" if asked.query else ""
    return f"{path_of('nodes', error.renamed)}{end}{query}"


PLACES: tuple[tuple[type[NotFoundError], str], ...] = (
    (UnknownNodeError, "nodes"),
    (UnknownClaimError, "claims"),
    (UnknownTagError, "tags"),
)
"""The list page for each kind of thing that was not found."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A page that is not there: why, the words of its address, and pages with names like it."""

    why: str
    words: str = ""
    near: tuple[Option, ...] = ()


def _near(brain: Brain, error: NotFoundError) -> tuple[Option, ...]:
    if isinstance(error, UnknownPriceError):
        return price_table.similar(brain, str(error.name))
    place = next((place for kind, place in PLACES if isinstance(error, kind)), "")
    names = meant(brain, error) if place else []
    return tuple(Option(name, path_of(place, name)) for name in names)


def _words(asked: PageRequest) -> str:
    """The requested address, as words for a search."""
    return " ".join(asked.path.rpartition("/")[2].replace("-", " ").split())


def _file_route(press: TemplateRenderer) -> Door:
    async def route(request: Request) -> Response:
        found = press.assets.get(request.path_params["name"])
        if found is None:
            sheet = TemplateResponse("missing.html", Missing("there is no such file"), status=404)
            today = datetime.now(UTC).date()
            return HTMLResponse(press.page(sheet, PageRequest(request.url.path, today)), 404, headers=dict(HEADERS))
        kept = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(found.body, media_type=found.media, headers=kept)

    return route


def addresses() -> Sequence[str]:
    """Every address of a page, for the docs and their test."""
    return [path for path, _ in PAGES]
