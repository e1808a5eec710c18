"""A route of the API: FastAPI's, with the forms of its answer."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from inspect import signature
from typing import Any, TypeVar, get_args, get_origin

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Query
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.datastructures import QueryParams

from api.http.responses.problem_details import ProblemError
from api.http.responses.request_context import PAGING, RequestContext
from graph.text.similar_names import near

Handler = TypeVar("Handler", bound=Callable[..., Any])
LISTED, THING = "json csv", "json turtle jsonld ntriples html"  # the formats of a list, and of a thing of the graph


class ApiRoute(APIRoute):
    """One route; `answer` is the type of its JSON, `forms` its formats, separated by spaces.

    `takes` lists the media types of a body, each with an example; `body` is its model if it is JSON. A `free` route
    takes parameters of any name, others refuse unknown ones. Of a repeated one, only lists have all values; any other
    is refused. `guard` refuses callers first.
    """

    def __init__(
        self,
        path: str,
        handler: Callable[..., Any],
        answer: Any = None,  # noqa: ANN401  # any type that pydantic knows
        forms: str = "json",
        *,
        tag: str,
        method: str = "GET",
        takes: Mapping[str, str] | None = None,
        body: type[BaseModel] | None = None,
        status: int = 200,
        operation: str | None = None,
        free: bool = False,
        guard: Callable[..., Any] | None = None,
    ) -> None:
        self.guard, self.strict = guard, not free and path.startswith("/v1/")
        self.asks = "ask" in signature(handler).parameters
        self.method, self.answer, self.forms = method, answer, tuple(forms.split())
        self.takes, self.body = takes or {}, body
        super().__init__(
            path,
            handler,
            methods=[method],
            response_model=None,
            response_class=Response,
            status_code=status,
            operation_id=operation or handler.__name__,
            tags=[tag],
        )
        named = {
            one.alias: any(get_origin(kind) is list for kind in get_args(one.field_info.annotation))
            for one in get_flat_params(self.dependant)
            if isinstance(one.field_info, Query)
        }
        self.parameters = sorted(named.keys() | ({"format"} if self.asks else set()))
        self.lists = {name for name, several in named.items() if several}

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Check caller and parameters first; a handler with `ask` gets a `RequestContext`."""
        handle = super().get_route_handler()

        async def checked(request: Request) -> Response:
            if self.guard is not None:
                await run_in_threadpool(self.guard, request)
            if self.asks:
                request = RequestContext(request.scope, request.receive, self.forms, self.answer)
            if self.asks or self.strict:
                self._check(request.query_params)
            return await handle(request)

        return checked

    def _check(self, given: QueryParams) -> None:
        """Refuse what would silently change nothing: a second value of what takes one, and unknown parameters."""
        twice = [name for name in given if len(given.getlist(name)) > 1 and name not in self.lists]
        if twice:
            errors = [{"where": f"query.{name}", "message": "takes one value"} for name in twice]
            raise ProblemError("invalid-request", f"query.{twice[0][:60]}: takes one value, got several", errors=errors)
        unknown = [name for name in given if name not in self.parameters and name not in PAGING]
        if not self.strict or not unknown:
            return
        close, all_of_them = near(unknown[0], self.parameters), ", ".join(self.parameters) or "none"
        hint = f"; did you mean {' or '.join(close)}?" if close else f". There are: {all_of_them}."
        errors = [{"where": f"query.{name}", "message": "there is no such parameter"} for name in unknown]
        raise ProblemError(
            "invalid-request", f"There is no parameter {unknown[0][:60]}{hint}", errors=errors, near=close
        )


class ApiRoutes(list[ApiRoute]):
    """The routes of one subject, in the order in which they are tried; a handler's name is its operation's."""

    def __init__(self, subject: str) -> None:
        super().__init__()
        self.subject = subject

    def __call__(self, path: str, *told: Any, **more: Any) -> Callable[[Handler], Handler]:  # noqa: ANN401  # what `ApiRoute` takes
        """Add the decorated handler at a path."""

        def add(handler: Handler) -> Handler:
            self.append(ApiRoute(path, handler, *told, tag=self.subject, **more))
            return handler

        return add
