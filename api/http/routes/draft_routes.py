"""Drafts of claims, checked and not stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends, Request, Response
from pydantic import Field, ValidationError

from api.http.api_route import ApiRoute
from api.http.responses.problem_details import ProblemError
from api.http.responses.request_body import body_of, media_of
from api.http.responses.request_context import AppContext, Ask, Day
from api.models import response_models
from api.services.draft_checker import CheckedClaim, TooManyClaimsError
from graph.problems import Problem
from graph.values import Value, dumps

MOST = 400_000
"""The size of a request in bytes."""


class DraftRequest(Value):
    """Claims in YAML, and the text that they quote; without a text they quote the notes that they name."""

    claims: Annotated[str, Field(min_length=1, max_length=100_000)]
    text: Annotated[str, Field(max_length=200_000)] | None = None
    name: Annotated[str, Field(max_length=300, pattern=r"^[^\x00-\x1f]+$")] = "draft.md"


class DraftAnswer(response_models.Items[CheckedClaim]):
    """The checked claims; `problems` are those of the file of claims and of the text."""

    problems: tuple[Problem, ...] = ()


async def _request(request: Request) -> DraftRequest:
    media_of(request, ("application/json",))
    data = await body_of(request, min(request.app.state.desk.brain.settings.max_body, MOST))
    try:
        return DraftRequest.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(("body", *(str(part) for part in first["loc"])))
        raise ProblemError("invalid-request", f"{where}: {first['msg']}") from error


class Drafts:
    """The route over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain = desk.brain

    def check(self, wanted: Annotated[DraftRequest, Depends(_request)], ask: Ask, day: Day) -> Response:
        """Check drafts of claims for a text. Nothing is stored, no token is needed.

        Each item says whether the quote is in the text, which prices were read, the verdict with its working, and what
        to change.
        """
        text = None if wanted.text is None else wanted.text.encode()
        try:
            found = self._brain.draft_checker.check(wanted.claims, day.day, text=text, name=wanted.name)
        except TooManyClaimsError as error:
            raise ProblemError("content-too-large", str(error)) from error
        return ask.items(found.items, problems=found.problems)


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The routes in their order."""
    example = dumps(
        {
            "text": "The price fell from $8 to $2, a 75% cut.",
            "claims": "- quote: a 75% cut\n  value: change(8, 2)\n  expect: {is: -75%}\n",
        }
    )
    wrong = ("unsupported-media-type", "content-too-large", "invalid-request", "invalid-datetime")
    return (
        ApiRoute(
            "/v1/claims/check",
            Drafts(desk).check,
            DraftAnswer,
            ("json",),
            wrong,
            method="POST",
            takes=(("application/json", example),),
            body=DraftRequest,
        ),
    )
