"""Routes as data: an address, who answers it, in which forms, and what may go wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Response
from starlette.routing import compile_path

EVERYWHERE = (
    "not-acceptable", "uri-too-long", "malformed-request", "host-not-allowed", "headers-too-large", "internal-error",
)  # fmt: skip
"""Problems that every route may answer with."""


@dataclass(frozen=True)
class Route:
    """One route. `answer` is the type of its JSON; `wrong` the kinds of problem in addition to those of every route.

    `takes` are the media types of a request body, each with an example; `name` is given where two routes share a
    handler. Answers of an `unstored` route have no entity tag: they are true for the moment only.
    """

    path: str
    handler: Callable[..., Any]
    answer: Any = None
    forms: tuple[str, ...] = ("json",)
    wrong: tuple[str, ...] = ()
    method: str = "GET"
    takes: tuple[tuple[str, str], ...] = ()
    status: int = 200
    name: str = ""
    unstored: bool = False

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
        )
    return made


def operation(route: Route) -> str:
    """The name of a route for programs: its own, or its handler's with the noun of the class."""
    if route.name:
        return route.name
    noun, _, verb = route.handler.__qualname__.rpartition(".")
    return f"{noun.lower()}_{verb}" if noun else verb
