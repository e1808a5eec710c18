"""The pages over HTTP: a table of addresses, and one thin door through which all of them are asked and answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from api.brain import Brain
from api.http.site import site_of
from api.named import UnknownPriceError, meant
from api.pages import (
    about,
    browse,
    claim,
    claims,
    graph,
    home,
    node,
    pictures,
    prices,
    records,
    search,
    statements,
    terms,
    thing,
)
from api.pages.asked import Asked, AskedWronglyError, Option, Raw, Sheet, path_of
from api.pages.board import Desk
from api.pages.press import HEADERS, PICTURE_POLICY, Press
from compute.impact import ASSUMED
from compute.overrides import OverrideError, UnknownInputError
from graph.search import SearchError, SearchNotReadyError
from graph.store import CursorError, NotFoundError, UnknownClaimError, UnknownNodeError, UnknownTagError

Page = Callable[[Desk, Asked], Sheet | Raw]
Door = Callable[[Request], Awaitable[Response]]

PAGES: tuple[tuple[str, Page], ...] = (
    ("/", home.page),
    ("/search", search.page),
    ("/suggest.json", search.suggestions),
    ("/nodes/{brain}/{slug}", node.page),
    ("/nodes/{brain}/{slug}/statements", statements.page),
    ("/claim-previews/{claim:path}", claim.preview),
    ("/previews/{brain}/{slug}", node.preview),
    ("/brains/{brain}", thing.brain),
    ("/documents/{document:path}", thing.document),
    ("/snapshots/{snapshot}", thing.snapshot),
    ("/assumptions/{name}", thing.assumption),
    ("/vocabulary", thing.vocabulary),
    ("/claims", claims.page),
    ("/claims/{claim:path}/on/{day}", thing.claim_on),
    ("/claims/{claim:path}", claim.page),
    ("/charts/claims/{claim:path}/history.svg", pictures.claim_history),
    ("/charts/claims/{claim:path}/flip/{number}.svg", pictures.claim_flip),
    ("/charts/prices/{item:path}/{component}/{processing}.svg", pictures.price),
    ("/prices", prices.index),
    ("/prices/{item:path}", thing.price),
    ("/tags", browse.tags),
    ("/tags/{tag:path}", browse.tag),
    ("/sources", browse.sources),
    ("/sources/{work:path}", browse.source),
    ("/terms", terms.index),
    ("/terms/{brain}/{slug}", terms.page),
    ("/runs", records.runs),
    ("/runs/{run}", records.run),
    ("/runs/{run}/claims/{claim:path}/nanopub", thing.nanopublication),
    ("/runs/{run}/claims/{claim:path}", thing.verdict),
    ("/changes", records.changes),
    ("/graph", graph.page),
    ("/graph.json", graph.data),
    ("/about", about.page),
)
"""Every page by its address, tried from top to bottom."""


def router(desk: Desk, *, clock: Callable[[], datetime] | None = None, name: str = "Brain") -> APIRouter:
    """The pages of a brain; `clock` tells what today is, `name` is what the pages call the site."""
    press = Press(name)
    tell = clock or (lambda: datetime.now(UTC))
    made = APIRouter(include_in_schema=False)
    for path, page in PAGES:
        made.add_route(path, _door(page, desk, press, tell), methods=["GET"], include_in_schema=False)
    made.add_route("/static/{edition}/{name}", _file_door(press), methods=["GET"], include_in_schema=False)
    return made


def _door(page: Page, desk: Desk, press: Press, clock: Callable[[], datetime]) -> Door:
    async def door(request: Request) -> Response:
        asked = Asked(
            path=request.url.path,
            today=clock().date(),
            parts={name: str(value) for name, value in request.path_params.items()},
            query=tuple(request.query_params.multi_items()),
            site=site_of(desk.brain, request),
        )
        return await run_in_threadpool(answer, page, desk, press, asked)

    return door


def answer(page: Page, desk: Desk, press: Press, asked: Asked) -> Response:
    """What a page answers; what the caller got wrong becomes a page that says so."""
    try:
        made = page(desk, asked)
    except NotFoundError as error:
        made = Sheet("missing.html", Missing(str(error), _words(asked), _near(desk.brain, error)), status=404)
    except (AskedWronglyError, CursorError, OverrideError) as error:
        made = Sheet("wrong.html", str(error), status=400)
    except UnknownInputError as error:
        made = Sheet("wrong.html", str(error), status=422)
    except SearchError as error:
        if asked.path.endswith(".json"):
            raise  # programs get problem+json
        page_of_it = press.page(Sheet("busy.html", str(error), status=503), asked)
        return HTMLResponse(page_of_it, 503, {**HEADERS, **_again(error)})
    if isinstance(made, Raw):
        policy = {"Content-Security-Policy": PICTURE_POLICY} if made.media == pictures.SVG else {}
        return Response(made.body, media_type=made.media, headers={**HEADERS, **policy})
    return HTMLResponse(press.page(made, asked), made.status, headers=dict(HEADERS))


def _again(error: SearchError) -> dict[str, str]:
    """When to ask again; no cache keeps the answer."""
    seconds = error.seconds if isinstance(error, SearchNotReadyError) else 1
    return {"Retry-After": str(seconds), "Cache-Control": "no-store"}


PLACES: tuple[tuple[type[NotFoundError], str], ...] = (
    (UnknownNodeError, "nodes"),
    (UnknownClaimError, "claims"),
    (UnknownTagError, "tags"),
    (UnknownPriceError, "prices"),
)
"""Where what was not found would stand."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A page that is not there: why, the words of its address, and pages with names like it."""

    why: str
    words: str = ""
    near: tuple[Option, ...] = ()


def _near(brain: Brain, error: NotFoundError) -> tuple[Option, ...]:
    place = next((place for kind, place in PLACES if isinstance(error, kind)), "")
    names = meant(brain, error) if place else []
    return tuple(Option(name, path_of(place, name)) for name in names if not name.startswith(ASSUMED))


def _words(asked: Asked) -> str:
    """What was asked for, as words for a search."""
    return " ".join(asked.path.rpartition("/")[2].replace("-", " ").split())


def _file_door(press: Press) -> Door:
    async def door(request: Request) -> Response:
        found = press.assets.get(request.path_params["name"])
        if found is None:
            sheet = Sheet("missing.html", Missing("there is no such file"), status=404)
            today = datetime.now(UTC).date()
            return HTMLResponse(press.page(sheet, Asked(request.url.path, today)), 404, headers=dict(HEADERS))
        kept = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(found.body, media_type=found.media, headers=kept)

    return door


def addresses() -> Sequence[str]:
    """Every address of a page, for the docs and their test."""
    return [path for path, _ in PAGES]
