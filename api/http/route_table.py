"""Routes as data: an address, who answers it, in which forms, and what may go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel
from starlette.routing import compile_path

from api.http.responses.problem_details import ProblemError
from graph.text.similar_names import near

EVERYWHERE = (
    "not-acceptable", "uri-too-long", "malformed-request", "host-not-allowed", "headers-too-large", "internal-error",
)  # fmt: skip
"""Problems that every route may answer with."""


@dataclass(frozen=True, eq=False)
class Route:
    """One route. `answer` is the type of its JSON; `wrong` the kinds of problem in addition to those of every route.

    `takes` are the media types of a request body, each with
    an example, and `body` its model where it is JSON; `name` is given where two routes share a
    handler. Answers of an `unstored` route have no entity tag: they are true for the moment only. A
    `free` route reads parameters of any name itself; others refuse a parameter that they do not have.
    """

    path: str
    handler: Callable[..., Any]
    answer: Any = None
    forms: tuple[str, ...] = ("json",)
    wrong: tuple[str, ...] = ()
    method: str = "GET"
    takes: tuple[tuple[str, str], ...] = ()
    body: type[BaseModel] | None = None
    status: int = 200
    name: str = ""
    unstored: bool = False
    free: bool = False

    def matches(self, path: str) -> bool:
        """Whether an address is one of this route's."""
        return compile_path(self.path)[0].match(path) is not None

    @property
    def problems(self) -> tuple[str, ...]:
        """Every kind of problem that it may answer with."""
        return (*self.wrong, *EVERYWHERE)


def mounted(tag: str, routes: Sequence[Route]) -> APIRouter:
    """A router with the routes, tried in their order; the description is made from the same table."""
    made = APIRouter(tags=[tag])
    for route in routes:
        made.add_api_route(
            route.path,
            route.handler,
            methods=[route.method],
            response_model=None,
            response_class=Response,
            status_code=route.status,
            operation_id=operation(route),
            dependencies=[] if route.free or not route.path.startswith("/v1/") else [Depends(known_parameters)],
        )
    return made


ANY_LIST = frozenset({"limit", "cursor", "format"})
"""Parameters that every address takes: a client may walk a short list as it walks a long one."""


def _parameters(dependant: Any) -> Iterator[str]:  # noqa: ANN401  # the class is not public in fastapi
    """The names of the parameters of a handler and of what it depends on."""
    yield from (one.alias for one in dependant.query_params)
    for below in dependant.dependencies:
        yield from _parameters(below)


async def known_parameters(request: Request) -> None:
    """Refuse a parameter that the route does not have: a misspelt one would change nothing, without a word.

    Raises:
        ProblemError: there is such a parameter; `near` holds the names like it.
    """
    if not request.scope["query_string"]:
        return
    route = request.scope["route"]
    known = getattr(route, "parameters", None)
    if known is None:
        known = route.parameters = frozenset(_parameters(route.dependant))
    unknown = [name for name in request.query_params if name not in known and name not in ANY_LIST]
    if not unknown:
        return
    close = near(unknown[0], sorted(known))
    hint = f"; did you mean {' or '.join(close)}?" if close else f". There are: {', '.join(sorted(known)) or 'none'}."
    errors = [{"where": f"query.{name}", "message": "there is no such parameter"} for name in unknown]
    raise ProblemError("invalid-request", f"There is no parameter {unknown[0][:60]}{hint}", errors=errors, near=close)


def operation(route: Route) -> str:
    """The name of a route for programs: its own, or its handler's with the noun of the class."""
    if route.name:
        return route.name
    noun, _, verb = route.handler.__qualname__.rpartition(".")
    return f"{noun.lower()}_{verb}" if noun else verb
