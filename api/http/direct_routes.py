"""Answers GET requests of the API's routes without FastAPI's work for each request.

    request ─▶ route of its group ─▶ parameters, by the fields that FastAPI made ─▶ handler in a thread ─▶ response
                  └─ unknown route, other method, a parameter that is not valid, a body ─▶ FastAPI

FastAPI walks the parameters of a route and of what it depends on at every request and finds out again what they are.
Here that is done once, when the service starts. Whatever is not plain goes to FastAPI, which answers it as ever: so
errors are described in one place.

Handlers of `quick` routes are tried on the event loop first, without a thread (`DirectRoutes.at_once`). What they would
have to wait for, or what may take long, raises there (`Database.at_once`): then the handler runs in a thread, with the
arguments that were validated for the first try. A plain request is answered without arguments, request and response
(`api.http.plain_requests`), if the route knows how: on the event loop, or in a thread where that takes long.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import NoneType
from typing import Any, NamedTuple, TypeVar, get_args, get_origin

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.convertors import Convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from api.http.handler_threads import HandlerThreads
from api.http.middleware.store_version import REVISION
from api.http.plain_requests import WrittenAnswer, plain_request
from api.http.responses.content_negotiation import media_type, preferred
from api.http.responses.problem_details import ProblemError, response_to
from api.http.responses.request_context import AppContext, alternates, link_header, offered_formats
from api.http.responses.site_address import site_at
from api.http.route_table import Route as QuickRoute
from graph.store.store_errors import WouldWaitError

Result = TypeVar("Result")

PLAIN_DEFAULTS = (NoneType, str, int, float)
"""Types of defaults that need no copy."""


_JSON = (b"content-type", media_type("json").encode())

TRIED = "tried"
"""Where `at_once` leaves the call of a request that may take long, in the state of the request."""


class _NotPlainError(Exception):
    """Left to FastAPI: the parameters of this route, or this value of one."""


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter of a function; `field` is FastAPI's, with its validation."""

    name: str
    alias: str
    listed: bool
    required: bool
    default: Any
    field: Any

    def value(self, given: Any) -> Any:  # noqa: ANN401  # what the function takes
        """The validated value."""
        found, errors = self.field.validate(given)
        if errors:
            raise _NotPlainError
        return found


@dataclass(frozen=True, slots=True)
class _Call:
    """A function with what it takes: a handler, or something that handlers depend on."""

    function: Callable[..., Any]
    name: str | None
    waits: bool
    path: tuple[_Parameter, ...]
    query: tuple[_Parameter, ...]
    headers: tuple[_Parameter, ...]
    request: str | None
    needs: tuple[_Call, ...]

    async def arguments(self, request: Request, known: dict[Any, Any]) -> dict[str, Any]:
        """The arguments for a request; `known` are the results of what was called for it already."""
        found: dict[str, Any] = {}
        for one in self.needs:
            if one.function not in known:
                known[one.function] = await one.function(**await one.arguments(request, known))
            if one.name is not None:
                found[one.name] = known[one.function]
        given = request.path_params
        for parameter in self.path:
            found[parameter.name] = parameter.value(given[parameter.alias])
        asked = bool(request.scope["query_string"])
        for parameter in self.query:
            found[parameter.name] = _queried(parameter, request) if asked else _default(parameter)
        for parameter in self.headers:
            value = request.headers.get(parameter.alias)
            found[parameter.name] = _default(parameter) if value is None else parameter.value(value)
        if self.request is not None:
            found[self.request] = request
        return found


def _queried(parameter: _Parameter, request: Request) -> Any:  # noqa: ANN401  # what the function takes
    given = request.query_params
    value = given.getlist(parameter.alias) if parameter.listed else given.get(parameter.alias)
    return _default(parameter) if value is None or value == [] else parameter.value(value)


def _default(parameter: _Parameter) -> Any:  # noqa: ANN401  # what the function takes
    if parameter.required:
        raise _NotPlainError
    return parameter.default


@dataclass(frozen=True, slots=True)
class _Bound:
    """A route that is answered here; `call` is None where FastAPI has to."""

    route: Route
    call: _Call | None
    literal: bool
    quick: QuickRoute | None

    def match(self, path: str) -> dict[str, Any] | None:
        """The parts of an address, if it is one of this route."""
        if self.literal:
            return {} if path == self.route.path else None
        found = self.route.path_regex.match(path)
        if found is None:
            return None
        convertors: Mapping[str, Convertor[Any]] = self.route.param_convertors
        return {name: convertors[name].convert(value) for name, value in found.groupdict().items()}


class _Found(NamedTuple):
    """The route of an address, what to call, and the parts of the address."""

    route: Route
    call: _Call
    parts: dict[str, Any]
    quick: QuickRoute | None


class _Tried(NamedTuple):
    """A call that may take long; `path` is the address that it is for."""

    path: str
    found: _Found
    call: _Call
    arguments: dict[str, Any]


class DirectRoutes:
    """ASGI application over `app`; `routers` are those of `app` in their order."""

    def __init__(self, app: FastAPI, routers: Sequence[APIRouter], threads: HandlerThreads) -> None:
        self._app, self._threads = app, threads
        self._desk: AppContext = app.state.desk
        self._store = self._desk.brain.store
        quick = {name: route for name, route in app.state.routes.items() if route.quick}
        self._groups: dict[str, list[_Bound]] = {}
        for route in _routes(routers):
            self._groups.setdefault(_group(route.path), []).append(_bound(route, quick))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let FastAPI answer."""
        if scope["type"] == "http" and scope["method"] == "GET" and not _has_body(scope):
            tried = scope.get("state", {}).pop(TRIED, None)
            if tried is not None and tried.path == scope["path"]:
                request = Request(self._scope(scope, tried.found), receive, send)
                await self._answer(tried.call, tried.arguments, request, send)
                return
            found = self._found(scope["path"])
            if found is not None:
                request = Request(self._scope(scope, found), receive, send)
                arguments = await _arguments(found.call, request)
                if arguments is not None:
                    await self._answer(found.call, arguments, request, send)
                    return
        await self._app(scope, receive, send)

    def at_once(self, scope: Scope) -> WrittenAnswer | None:
        """The answer to a GET request, or None where it has to be made in a thread, or is an error."""
        found = self._found(scope["path"])
        state = scope.setdefault("state", {})
        if found is None or found.quick is None or _has_body(scope) or TRIED in state:
            return None
        arguments = None
        try:
            with self._store.at_once():
                if (written := self._plain(scope, found.quick, found.parts)) is not None:
                    return written
                arguments = _without_waiting(found.call.arguments(Request(self._scope(scope, found)), {}))
                response: Response = found.call.function(**arguments)
        except WouldWaitError:
            call = (
                found.call if arguments is not None else replace(found.call, function=partial(self._made, scope, found))
            )
            state[TRIED] = _Tried(scope["path"], found, call, arguments or {})
            return None
        except Exception:  # noqa: BLE001  # whatever it is, the usual way describes it
            return None
        revision = state.pop(REVISION, None)
        if revision is None or response.status_code != 200:
            return None
        return WrittenAnswer(response.raw_headers, bytes(response.body), revision)

    def _made(self, scope: Scope, found: _Found) -> Response:
        """The response in a thread, to a request that was not answered on the event loop; raises as the handler."""
        written = None if found.quick is None else self._plain(scope, found.quick, found.parts)
        if written is None:
            request = Request(self._scope(scope, found))
            response: Response = found.call.function(**_without_waiting(found.call.arguments(request, {})))
            return response
        scope["state"][REVISION] = written.revision
        response = Response(written.body)
        response.raw_headers = [*written.headers, (b"content-length", str(len(written.body)).encode())]
        return response

    def _plain(self, scope: Scope, route: QuickRoute, parts: dict[str, Any]) -> WrittenAnswer | None:
        """The answer to a plain request; None where it is not one."""
        if route.plain is None:
            return None
        given = dict(scope["headers"])
        accept = given.get(b"accept", b"*/*").decode("latin-1")
        if preferred(accept, offered_formats(route, self._desk)) != "json":
            return None
        site = site_at(self._desk.brain, scope, given.get(b"host", b"").decode("latin-1"))
        asked = plain_request(scope, parts, site)
        answer = None if asked is None else route.plain(asked)
        if asked is None or answer is None:
            return None
        start = asked.address()
        links = [] if answer.cite is None else [f'<{answer.cite}>; rel="cite-as"']
        links += [] if answer.next is None else [f'<{start}cursor={answer.next}>; rel="next"']
        told = link_header(links, f"{start}format=", alternates(route, "json", pages=self._desk.pages))
        headers = [(b"link", told.encode("latin-1")), _JSON]
        return WrittenAnswer(headers, answer.text.encode("utf-8", "replace"), answer.revision)

    def _scope(self, scope: Scope, found: _Found) -> Scope:
        """The scope of a request as the handler sees it."""
        parts, handler = found.parts, found.call.function
        return {**scope, "app": self._app, "route": found.route, "path_params": parts, "endpoint": handler}

    def _found(self, path: str) -> _Found | None:
        for bound in self._groups.get(_group(path), ()):
            parts = bound.match(path)
            if parts is not None:
                return None if bound.call is None else _Found(bound.route, bound.call, parts, bound.quick)
        return None

    async def _answer(self, call: _Call, arguments: dict[str, Any], request: Request, send: Send) -> None:
        """Run the handler and send its response; an exception with a problem of its own becomes that."""
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            if call.waits:
                response: Response = await call.function(**arguments)
            else:
                response = await self._threads.run(partial(call.function, **arguments))
            await response(request.scope, request.receive, sent)
        except Exception as error:
            if begun:
                raise
            told = await self._threads.run(partial(response_to, request, error))
            if told is None:
                raise
            await told(request.scope, request.receive, send)


def _without_waiting(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as done:
        result: Result = done.value
        return result
    raise RuntimeError("what handlers depend on waits for nothing")


async def _arguments(call: _Call, request: Request) -> dict[str, Any] | None:
    """The arguments of a handler; None where FastAPI has to say what is wrong."""
    try:
        return await call.arguments(request, {})
    except (_NotPlainError, ProblemError):
        return None


def _routes(routers: Sequence[APIRouter]) -> Iterator[Route]:
    """The routes that take GET, in the order in which they are tried."""
    for router in routers:
        for route in router.routes:
            if isinstance(route, Route) and "GET" in (route.methods or ()):
                yield route


def _group(path: str) -> str:
    """The first part of an address that is not `v1`: only routes with the same are tried."""
    parts = path.split("/", 3)
    return parts[2] if len(parts) > 2 and parts[1] == "v1" else parts[1] if len(parts) > 1 else ""


def _has_body(scope: MutableMapping[str, Any]) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in scope["headers"]
    )


def _bound(route: Route, quick: Mapping[str, QuickRoute]) -> _Bound:
    """A route with its call, if everything that it takes is plain; `quick` are the quick routes by operation."""
    if "{" in _group(route.path):
        raise ValueError(f"{route.path} begins with a parameter: it cannot be found by its group")
    call = None
    if isinstance(route, APIRoute):
        try:
            call = _call(route.dependant)
        except _NotPlainError:
            call = None
    return _Bound(route, call, "{" not in route.path, quick.get(getattr(route, "operation_id", None) or ""))


def _call(dependant: Any) -> _Call:  # noqa: ANN401  # the class is not public in fastapi
    """What FastAPI found out about a function.

    Raises:
        _NotPlainError: it takes something that is not plain, or is not called plainly.
    """
    others = ("cookie_params", "body_params", "background_tasks_param_name", "response_param_name",
              "http_connection_param_name", "websocket_param_name", "security_scopes_param_name")  # fmt: skip
    if any(getattr(dependant, name) for name in others):
        raise _NotPlainError
    function = dependant.call
    needs = tuple(_call(one) for one in dependant.dependencies)
    if not all(one.waits for one in needs):
        raise _NotPlainError  # generators, and functions that need a thread of their own
    return _Call(
        function=function,
        name=dependant.name,
        waits=inspect.iscoroutinefunction(function),
        path=tuple(map(_parameter, dependant.path_params)),
        query=tuple(map(_parameter, dependant.query_params)),
        headers=tuple(map(_parameter, dependant.header_params)),
        request=dependant.request_param_name,
        needs=needs,
    )


def _parameter(field: Any) -> _Parameter:  # noqa: ANN401  # the class is not public in fastapi
    info = field.field_info
    annotation, required = info.annotation, info.is_required()
    default = None if required else field.default
    shapes = {get_origin(one) or one for one in (annotation, *get_args(annotation))}
    models = any(isinstance(one, type) and issubclass(one, BaseModel) for one in shapes)
    if models or info.validate_default or not isinstance(default, PLAIN_DEFAULTS):
        raise _NotPlainError
    alias = field.validation_alias or field.alias
    return _Parameter(field.name, alias, bool(shapes & {list, tuple, set}), required, default, field)
