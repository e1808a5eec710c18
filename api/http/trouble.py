"""Errors over HTTP: every one is `application/problem+json` (RFC 9457), decided in one table."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from compute.overrides import OverrideError
from graph.store.errors import CursorError, NotFoundError
from graph.values import dumps

MEDIA = "application/problem+json"


class TroubleError(Exception):
    """What a caller got wrong, or what we cannot do: a status and a sentence that says what to do next.

    `kind` is the last part of the problem's `type`; extra members go into the body as they are.
    """

    def __init__(
        self, status: int, kind: str, detail: str, headers: Mapping[str, str] | None = None, **extra: object
    ) -> None:
        super().__init__(detail)
        self.status, self.kind, self.detail = status, kind, detail
        self.headers, self.extra = dict(headers or {}), extra


def not_found(what: str, name: str, near: tuple[str, ...] = ()) -> TroubleError:
    """There is no such thing; `near` are names that its caller may have meant."""
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    return TroubleError(404, "not-found", f"There is no {what} {name!r}.{hint}", near=list(near))


def problem(request: Request, status: int, kind: str, detail: str, **extra: object) -> dict[str, Any]:
    """The members of a problem document."""
    return {
        "type": f"/problems/{kind}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "instance": request.url.path,
        **{key: value for key, value in extra.items() if value},
    }


def answer(
    request: Request, status: int, kind: str, detail: str, headers: Mapping[str, str] | None = None, **extra: object
) -> Response:
    """A problem as a response; never kept by a cache."""
    body = dumps(problem(request, status, kind, detail, **extra))
    return Response(body, status, {"Cache-Control": "no-store", **(headers or {})}, MEDIA)


async def _trouble(request: Request, error: Exception) -> Response:
    assert isinstance(error, TroubleError)  # noqa: S101  # registered for this class alone
    return answer(request, error.status, error.kind, error.detail, error.headers, **error.extra)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  # registered for this class alone
    kind = HTTPStatus(error.status_code).phrase.lower().replace(" ", "-")
    detail = _SENTENCES.get(error.status_code, str(error.detail))
    return answer(request, error.status_code, kind, detail, error.headers)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101  # registered for this class alone
    errors = [{"where": ".".join(str(part) for part in e["loc"]), "message": e["msg"]} for e in error.errors()]
    detail = "; ".join(f"{e['where']}: {e['message']}" for e in errors)
    return answer(request, 422, "invalid-request", detail, errors=errors)


async def _broken(request: Request, error: Exception) -> Response:  # noqa: ARG001  # what broke is logged, not told
    return answer(request, 500, "internal-error", "Something broke here; it is in the log under the request id.")


async def _missing(request: Request, error: Exception) -> Response:
    return answer(request, 404, "not-found", f"{str(error)[:1].upper()}{str(error)[1:]}.")


async def _refused(request: Request, error: Exception) -> Response:
    return answer(request, 422, "invalid-request", str(error))


_SENTENCES = {
    404: "There is nothing at this address; /docs lists what there is.",
    405: "This address does not take that method; the Allow header lists those it takes.",
}


def install(app: FastAPI) -> None:
    """Register the table."""
    app.add_exception_handler(TroubleError, _trouble)
    app.add_exception_handler(NotFoundError, _missing)
    app.add_exception_handler(CursorError, _refused)
    app.add_exception_handler(OverrideError, _refused)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Exception, _broken)
