"""The page on which a reader gives a token for a session in a cookie, and ends the session."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal, TypedDict
from urllib.parse import parse_qs, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from api.http.responses.request_context import AppContext, body_of, media_of, site_of
from api.pages.render.figure_format import capitalize
from api.pages.render.template_renderer import HEADERS, TemplateRenderer
from api.pages.request.page_request import PageRequest, page_of
from api.services.access import COOKIE, SESSION_SECONDS, InvalidTokenError

SIGN_IN, SIGN_OUT = "/sign-in", "/sign-out"
LARGEST_FORM = 4096
"""The most bytes of the form."""
NO_STORE = {**HEADERS, "Cache-Control": "no-store"}


def routes(renderer: TemplateRenderer, clock: Callable[[], datetime]) -> list[Route]:
    """The routes of the page. Forms that a page of another site sends are refused before (`RequestChecks`)."""

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
        form = parse_qs((await body_of(request, LARGEST_FORM)).decode("utf-8", "replace"))
        try:
            session = await run_in_threadpool(request.state.app_context.tokens.session, form.get("token", [""])[-1])
        except InvalidTokenError as error:
            return await run_in_threadpool(page, request, capitalize(f"{error}."), 403)
        answer = RedirectResponse("/", 303, NO_STORE)
        answer.set_cookie(COOKIE, session, SESSION_SECONDS, **_flags(request))
        return answer

    async def sign_out(request: Request) -> Response:
        answer = RedirectResponse(SIGN_IN, 303, NO_STORE)
        answer.delete_cookie(COOKIE, **_flags(request))
        return answer

    return [
        Route(SIGN_IN, show, methods=["GET"], include_in_schema=False),
        Route(SIGN_IN, sign_in, methods=["POST"], include_in_schema=False),
        Route(SIGN_OUT, sign_out, methods=["POST"], include_in_schema=False),
    ]


class _Flags(TypedDict):
    secure: bool
    httponly: bool
    samesite: Literal["strict"]


def _flags(request: Request) -> _Flags:
    """No script reads the cookie, no page of another site sends it; where the service has TLS, only over TLS."""
    secure = urlsplit(site_of(request)).scheme == "https"
    return {"secure": secure, "httponly": True, "samesite": "strict"}
