"""Errors over HTTP: every one is `application/problem+json` (RFC 9457), decided in one table."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Route

from api.http.responses.problem_types import KINDS
from api.http.responses.store_problems import FAILURES, UNAVAILABLE, describe
from api.services.name_lookup import meant
from compute.claims.currency_conversion import CurrencyError
from compute.claims.overrides import OverrideError, UnknownInputError
from compute.prices.snapshots import NothingKnownError
from graph.rdf.sparql import sparql_errors as sparql
from graph.store.store_errors import (
    ConflictError,
    CursorError,
    NotFoundError,
    QuotaError,
    UnknownNodeError,
    UnstorableError,
)
from graph.values import dumps

MEDIA = "application/problem+json"
RETRY = {"Retry-After": "1"}
LOG = structlog.get_logger("http")


class ProblemError(Exception):
    """What a caller got wrong, or what we cannot do: a kind and a sentence that says what was found.

    `extra` members go into the body unchanged.
    """

    def __init__(self, kind: str, detail: str, headers: Mapping[str, str] | None = None, **extra: object) -> None:
        super().__init__(detail)
        self.kind, self.detail = kind, detail
        self.headers, self.extra = dict(headers or {}), extra


def problem(kind: str, detail: str, instance: str, **extra: object) -> dict[str, Any]:
    """The members of a problem document."""
    known = KINDS[kind]
    told = {"type": f"/problems/{kind}", "title": known.title, "status": known.status, "detail": detail}
    return {**told, "instance": instance, **{key: value for key, value in extra.items() if value}}


def answer(request: Request, trouble: ProblemError) -> Response:
    """A problem as a response; never cached."""
    body = dumps(problem(trouble.kind, trouble.detail, request.url.path, **trouble.extra))
    headers = {"Cache-Control": "no-store", **trouble.headers}
    return Response(body.encode("utf-8", "replace"), KINDS[trouble.kind].status, headers, MEDIA)


def _missing(request: Request, error: Any) -> ProblemError:  # noqa: ANN401  # the table checks its class
    if isinstance(error, UnknownNodeError) and (error.tombstone or error.renamed):
        now = f"has another id now: {error.renamed}" if error.renamed else "was removed"
        stone = error.tombstone.model_dump() if error.tombstone else None
        return ProblemError("gone", f"The node {error.name} {now}.", renamed=error.renamed, tombstone=stone)
    return ProblemError("not-found", _sentence(error), near=meant(request.app.state.desk.brain, error))


def _http(request: Request, error: Any) -> ProblemError:  # noqa: ANN401  # the table checks its class
    if error.status_code == 404:
        return ProblemError("not-found", "There is nothing at this address; /docs lists what there is.")
    if error.status_code == 405:
        allowed = ", ".join(methods(request, error.headers))
        return ProblemError("method-not-allowed", f"This address takes {allowed}.", {"Allow": allowed})
    kind = next((name for name, kind in KINDS.items() if kind.status == error.status_code), "malformed-request")
    return ProblemError(kind, str(error.detail), error.headers)


def methods(request: Request, given: Mapping[str, str] | None) -> list[str]:
    """Every method that the address of a request takes; `given` are the headers of the router's own refusal."""
    found = {word.strip() for word in (given or {}).get("Allow", "").split(",") if word.strip()}
    path = request.url.path
    routes = [one for one in request.app.routes if isinstance(one, Route) and one.path_regex.match(path)]
    own = {method for one in routes if one.path == path for method in one.methods or ()}
    found = own or found | {method for one in routes for method in one.methods or ()}
    return sorted(found | ({"HEAD"} if "GET" in found else set()))


def _invalid(_request: Request, error: Any) -> ProblemError:  # noqa: ANN401  # the table checks its class
    errors = [{"where": ".".join(str(part) for part in e["loc"]), "message": e["msg"]} for e in error.errors()]
    detail = "; ".join(f"{e['where']}: {e['message']}" for e in errors)
    return ProblemError("invalid-request", detail, errors=errors)


def _syntax(_request: Request, error: Any) -> ProblemError:  # noqa: ANN401  # the table checks its class
    return ProblemError("query-syntax", str(error), line=error.line, column=error.column)


def _unaccepted(_request: Request, error: Any) -> ProblemError:  # noqa: ANN401  # the table checks its class
    return ProblemError("not-acceptable", _sentence(error), available=list(error.offered))


def _unknown_input(_request: Request, error: Any) -> ProblemError:  # noqa: ANN401  # the table checks its class
    return ProblemError("unknown-input", _sentence(error), near=error.near, names=error.names)


def _over_quota(_request: Request, error: Any) -> ProblemError:  # noqa: ANN401  # the table checks its class
    detail = f"The brain {error.brain} would hold {error.held:,} {error.what}, its quota is {error.most:,}."
    return ProblemError("quota-exceeded", f"{detail} Nothing was written.")


def _plainly(kind: str, headers: Mapping[str, str] | None = None) -> Callable[[Request, Any], ProblemError]:
    """The error's own sentence, as a problem of one kind."""
    return lambda _request, error: ProblemError(kind, _sentence(error), headers)


def _failed(error: Exception) -> ProblemError:
    kind, detail = describe(error)
    return ProblemError(kind, detail, RETRY if kind == UNAVAILABLE else None)


def _store_failed(_request: Request, error: Any) -> ProblemError:  # noqa: ANN401  # the table checks its class
    return _failed(error)


def _broken(_request: Request, _error: Any) -> ProblemError:  # noqa: ANN401  # the table checks its class
    """Not logged here: the exception goes on to the cache layer, which logs it once."""
    return ProblemError("internal-error", KINDS["internal-error"].example)


def log(error: BaseException, path: str, request: str) -> None:
    """Say what broke; the values of variables stay out of it, since a token may be among them."""
    trace = "".join(traceback.format_exception(error))
    LOG.error("request failed", path=path, request_id=request, failed=str(error), traceback=trace)


def _sentence(error: Exception) -> str:
    text = str(error).strip()
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "^")) else ".")


TABLE: tuple[tuple[type[Exception], Callable[[Request, Any], ProblemError]], ...] = (
    (ProblemError, lambda _request, error: error),
    (RequestValidationError, _invalid),
    (HTTPException, _http),
    (NotFoundError, _missing),
    (NothingKnownError, _plainly("not-found")),
    (CursorError, _plainly("invalid-cursor")),
    (OverrideError, _plainly("invalid-number")),
    (UnknownInputError, _unknown_input),
    (CurrencyError, _plainly("invalid-currency")),
    (ConflictError, _plainly("conflict")),
    (UnstorableError, _plainly("invalid-document")),
    *((kind, _store_failed) for kind in FAILURES),
    (QuotaError, _over_quota),
    (sparql.QuerySyntaxError, _syntax),
    (sparql.GraphNameError, _plainly("query-request")),
    (sparql.RefusedError, _plainly("query-refused")),
    (sparql.NotAcceptableError, _unaccepted),
    (sparql.QueryTooLongError, _plainly("content-too-large")),
    (sparql.BusyError, _plainly("unavailable", RETRY)),
    (sparql.SparqlError, _plainly("query-limit")),
    (Exception, _broken),
)
"""An exception, and the problem that it becomes."""


def install(app: FastAPI) -> None:
    """Register the table."""
    for kind, tell in TABLE:
        app.add_exception_handler(kind, _handler(tell))


def unavailable(error: Exception) -> ProblemError | None:
    """What to answer where the cache layer itself cannot read the store or has no turn left; None for other errors."""
    if isinstance(error, ProblemError):
        return error
    return _failed(error) if isinstance(error, FAILURES) else None


def _handler(tell: Callable[[Request, Any], ProblemError]) -> Callable[[Request, Exception], Response]:
    """A handler that runs in a thread: names that are near are looked up in the store."""

    def handle(request: Request, error: Exception) -> Response:
        return answer(request, tell(request, error))

    return handle
