"""Errors over HTTP, all as `application/problem+json` (RFC 9457): the kinds, and the kind of each exception."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.routing import Route

from api.services.claim_status import EndError, NothingRaisedError
from api.services.texts.claim_drafts import TooManyClaimsError
from compute.claims.currency_conversion import CurrencyError
from compute.claims.overrides import OverrideError, UnknownInputError
from compute.prices.snapshots import NothingKnownError
from graph.log_lines import log
from graph.rdf.sparql import sparql_errors as sparql
from graph.store import store_errors as store
from graph.values import Value, dumps


class ProblemKind(Value):
    """A kind of problem, and what a caller can do about it."""

    type: str
    status: int
    title: str
    advice: str


KINDS = {
    name: ProblemKind(type=f"/problems/{name}", status=int(status), title=title, advice=advice)
    for status, name, title, advice in re.findall(
        r"^(\d+) (\S+): (.+)\n    (.+)$", Path(__file__).with_name("problem_types.txt").read_text("utf-8"), re.MULTILINE
    )
}
"""The kinds by name, in the order of their status."""

WORDS = {"missing": "it is missing", "string_pattern_mismatch": "it is not in the form that /docs shows"}
QUIET = 60.0
"""Seconds for which a failure of the same class is not logged again: every request fails while a database is away."""
LOGGED: dict[type[Exception], float] = {}  # the time at which each class of failures was last logged

BROKEN = "Internal error; see the log for this request id."
MISTAKES: dict[type[Exception], str] = {
    store.NotFoundError: "not-found",
    NothingKnownError: "not-found",
    store.CursorError: "invalid-cursor",
    OverrideError: "invalid-number",
    UnknownInputError: "unknown-input",
    CurrencyError: "invalid-currency",
    TooManyClaimsError: "content-too-large",
    EndError: "invalid-request",
    NothingRaisedError: "nothing-raised",
    store.ConflictError: "conflict",
    store.UnstorableError: "invalid-document",
    store.QuotaError: "quota-exceeded",
    sparql.QuerySyntaxError: "query-syntax",
    sparql.GraphNameError: "query-request",
    sparql.RefusedError: "query-refused",
    sparql.NotAcceptableError: "not-acceptable",
    sparql.QueryTooLongError: "content-too-large",
    sparql.BusyError: "unavailable",
    sparql.SparqlError: "query-limit",
}
"""Errors of callers with their kind of problem; callers read the error's own text."""
FAILURES: dict[type[Exception], tuple[str, str]] = {
    store.BusyStoreError: ("unavailable", "The store is being written by another process; try again."),
    store.PoolExhaustedError: ("unavailable", "All connections to the store are in use; try again."),
    store.UnknownCommitError: (
        "unavailable",
        "The connection to the store was lost during the commit: the transaction was stored completely or not at all; "
        "check which before you repeat it.",
    ),
    store.LostConnectionError: (
        "unavailable",
        "The connection to the store was lost: nothing of this transaction was stored; try again.",
    ),
    store.FullDiskError: ("insufficient-storage", "The disk is full: this transaction was not written."),
    store.CorruptStoreError: ("internal-error", BROKEN),
    store.OpeningError: ("unavailable", "The store cannot be reached."),
}
"""Failures of the service, which are logged, with kind and detail: callers learn no address, role or folder."""
KNOWN = {error: (kind, "") for error, kind in MISTAKES.items()} | FAILURES

MEMBERS = {"near": "near", "names": "names", "line": "line", "column": "column", "offered": "available"}
"""Attributes of those errors that become members of the problem."""


class ProblemError(Exception):
    """A problem of a kind, with a sentence that says what was found; `extra` members go into the body."""

    def __init__(self, kind: str, detail: str, headers: Mapping[str, str] | None = None, **extra: object) -> None:
        self.kind, self.detail, self.headers, self.extra = kind, detail, dict(headers or {}), extra
        if kind == "unavailable":
            self.headers.setdefault("Retry-After", "1")
        super().__init__(self.detail)


def answer(path: str, trouble: ProblemError) -> Response:
    """A problem as a response that is never cached."""
    kind = KINDS[trouble.kind]
    told = {"type": kind.type, "title": kind.title, "status": kind.status, "detail": trouble.detail, "instance": path}
    told |= {key: value for key, value in trouble.extra.items() if value}
    body = dumps(told).encode("utf-8", "replace")
    return Response(body, kind.status, {"Cache-Control": "no-store", **trouble.headers}, "application/problem+json")


def install(app: FastAPI) -> None:
    """Register the handler of all errors; it runs in a thread, since it looks up similar names in the store."""
    for kind in (ProblemError, RequestValidationError, HTTPException, *KNOWN, Exception):
        app.add_exception_handler(kind, _handle)


def _handle(request: Request, error: Exception) -> Response:
    if isinstance(error, store.UnknownNodeError) and error.older and request.method in {"GET", "HEAD"}:
        old, new = f"/nodes/{error.name}", f"/nodes/{quote(error.renamed or '')}"
        if f"{old}/" in f"{request.url.path}/":  # the node of the address had this id while all ids were ASCII
            moved = request.url.replace(path=request.url.path.replace(old, new, 1), scheme="", netloc="")
            return RedirectResponse(str(moved), 307, {"Cache-Control": "no-store"})
    return answer(request.url.path, problem_of(error, request))


def problem_of(error: Exception, request: Request | None = None) -> ProblemError:
    """The problem of an error; similar names are looked up only with a request."""
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, RequestValidationError):
        told = ((each, WORDS.get(each["type"], each["msg"]).removeprefix("Value error, ")) for each in error.errors())
        errors = [{"where": ".".join(map(str, each["loc"])), "message": message} for each, message in told]
        said = "; ".join(f"{each['where']}: {each['message']}" for each in errors)
        return ProblemError("invalid-request", said, errors=errors)
    if isinstance(error, HTTPException):
        return _refused(request, error)
    if isinstance(error, store.UnknownNodeError) and (error.tombstone or error.renamed):
        now = f"has another id now: {error.renamed}" if error.renamed else "was removed"
        stone = error.tombstone.model_dump() if error.tombstone else None
        return ProblemError("gone", f"The node {error.name} {now}.", renamed=error.renamed, tombstone=stone)
    kind, said = next((KNOWN[base] for base in type(error).__mro__ if base in KNOWN), ("internal-error", BROKEN))
    if said:
        moment = time.monotonic()
        if isinstance(error, tuple(FAILURES)) and moment - LOGGED.get(type(error), -QUIET) >= QUIET:
            LOGGED[type(error)] = moment
            log("warning", "store", failed=str(error).strip(), kind=type(error).__name__)
        return ProblemError(kind, said)
    extra = {name: getattr(error, own) for own, name in MEMBERS.items() if hasattr(error, own)}
    if isinstance(error, store.NotFoundError) and request is not None:
        extra["near"] = request.state.app_context.brain.names.meant(error)
    return ProblemError(kind, _sentence(error), **extra)


def _sentence(error: Exception) -> str:
    if isinstance(error, store.QuotaError):
        detail = f"The brain {error.brain} would hold {error.held:,} {error.what}, its quota is {error.most:,}."
        return f"{detail} Nothing was written."
    text = str(error).strip()
    if isinstance(error, sparql.QuerySyntaxError):
        return text
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "^")) else ".")


def _refused(request: Request | None, error: HTTPException) -> ProblemError:
    if error.status_code == 404:
        return ProblemError("not-found", "Unknown address; /docs lists all.")
    if error.status_code == 405 and request is not None:
        allowed = ", ".join(_methods(request, (error.headers or {}).get("Allow", "")))
        return ProblemError("method-not-allowed", f"This address takes {allowed}.", {"Allow": allowed})
    kind = next((name for name, kind in KINDS.items() if kind.status == error.status_code), "malformed-request")
    return ProblemError(kind, str(error.detail), error.headers)


def _methods(request: Request, given: str) -> list[str]:
    """Every method that the address takes; `given` are those that the router names."""
    path = request.url.path
    routes = [one for one in request.app.routes if isinstance(one, Route) and one.path_regex.match(path)]
    found = {method for one in routes if one.path == path for method in one.methods or ()}
    found = found or {method for one in routes for method in one.methods or ()} | set(filter(None, given.split(", ")))
    return sorted(found | ({"HEAD"} if "GET" in found else set()))
