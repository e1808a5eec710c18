"""A route of the API: FastAPI's, with the forms of its answer and what may go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from fastapi import Depends, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel

from api.http.responses.problem_details import ProblemError
from graph.text.similar_names import near

Handler = TypeVar("Handler", bound=Callable[..., Any])
EVERYWHERE = "not-acceptable uri-too-long malformed-request host-not-allowed headers-too-large internal-error"
"""Problems that every route may answer with."""
REFUSED = "unauthorized read-only forbidden"
"""Problems of a guarded route."""
ANY_LIST = frozenset({"limit", "cursor", "format"})
"""Parameters that every address takes: a client may walk a short list as it walks a long one."""


class ApiRoute(APIRoute):
    """One route. `answer` is the type of its JSON; `wrong` the kinds of problem in addition to those of every route.

    `forms` and `wrong` are names with spaces between. `takes` are the media types of a request body, each with an
    example, and `body` its model where it is JSON. Answers of an `unstored` route have no entity tag: they are true for
    the moment only. A `free` route reads parameters of any name itself; others refuse a parameter that they do not
    have. The `guard` of a route refuses callers first.
    """

    def __init__(
        self,
        path: str,
        handler: Callable[..., Any],
        answer: Any = None,  # noqa: ANN401  # any type that pydantic knows
        forms: str = "json",
        wrong: str = "",
        *,
        tag: str,
        method: str = "GET",
        takes: tuple[tuple[str, str], ...] = (),
        body: type[BaseModel] | None = None,
        status: int = 200,
        operation: str | None = None,
        unstored: bool = False,
        free: bool = False,
        guard: Callable[..., Any] | None = None,
    ) -> None:
        strict = None if free or not path.startswith("/v1/") else known_parameters
        super().__init__(
            path,
            handler,
            methods=[method],
            response_model=None,
            response_class=Response,
            status_code=status,
            operation_id=operation or handler.__name__,
            dependencies=[Depends(one) for one in (guard, strict) if one],
            tags=[tag],
        )
        self.method, self.answer, self.forms = method, answer, tuple(forms.split())
        self.takes, self.body, self.unstored, self.guarded = takes, body, unstored, guard is not None
        self.problems = f"{REFUSED if guard else ''} {wrong} {EVERYWHERE}".split()
        self.parameters = frozenset(_parameters(self.dependant))


class ApiRoutes(list[ApiRoute]):
    """The routes of one subject in the order in which they are tried; the name of a handler is its operation's."""

    def __init__(self, subject: str) -> None:
        super().__init__()
        self.subject = subject

    def __call__(self, path: str, *told: Any, **more: Any) -> Callable[[Handler], Handler]:  # noqa: ANN401  # what `ApiRoute` takes
        """Add the decorated handler at a path."""

        def add(handler: Handler) -> Handler:
            self.append(ApiRoute(path, handler, *told, tag=self.subject, **more))
            return handler

        return add


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
    known: frozenset[str] = request.scope["route"].parameters
    unknown = [name for name in request.query_params if name not in known and name not in ANY_LIST]
    if not unknown:
        return
    close = near(unknown[0], sorted(known))
    hint = f"; did you mean {' or '.join(close)}?" if close else f". There are: {', '.join(sorted(known)) or 'none'}."
    errors = [{"where": f"query.{name}", "message": "there is no such parameter"} for name in unknown]
    raise ProblemError("invalid-request", f"There is no parameter {unknown[0][:60]}{hint}", errors=errors, near=close)
