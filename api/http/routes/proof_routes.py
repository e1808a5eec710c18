"""Proof of a text that is not stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends, Query, Request, Response

from api.http.api_route import ApiRoute
from api.http.responses.problem_details import ProblemError
from api.http.responses.request_body import body_of, media_of
from api.http.responses.request_context import AppContext, Ask, Day
from api.models import response_models
from api.services.progress_steps import WorkLimitError
from api.services.proof_models import Proof, ProofDocument, ProofItem
from graph.problems import Severity

SUFFIXES = {"text/markdown": "draft.md", "text/plain": "draft.txt", "text/html": "draft.html"}
"""The media types of a text, each with the name of a document without one."""
_SMALLER = "Send it in parts, or check the file with the command brain proof, which has no limit."

Name = Annotated[
    str | None,
    Query(max_length=300, pattern=r"^[^\x00-\x1f]+$", description="What the text is called.", examples=["draft.md"]),
]


class ProofAnswer(response_models.Items[ProofItem]):
    """The checked figures of a text; `documents` says how many figures it has and how many were checked."""

    documents: tuple[ProofDocument, ...] = ()


async def _text(request: Request) -> bytes:
    media_of(request, tuple(SUFFIXES))
    settings = request.app.state.desk.brain.settings
    data = await body_of(request, min(settings.max_body, settings.proof_bytes), _SMALLER)
    if not data.strip():
        raise ProblemError("invalid-request", "body: the text is missing")
    return data


class Proofs:
    """The route over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain = desk.brain

    def proof(self, text: Annotated[bytes, Depends(_text)], ask: Ask, day: Day, *, name: Name = None) -> Response:
        """Check the figures of a text: Markdown, plain text or a web page. Nothing is stored, no token is needed.

        Each item is a figure with its line and column, what it should be, and the claim of this brain that has it.
        """
        named = name or SUFFIXES[media_of(ask.request, tuple(SUFFIXES))]
        try:
            found = self._brain.proofreader.proof_within(text, named, day.day, self._brain.settings)
        except WorkLimitError as error:
            raise ProblemError("content-too-large", f"The text has too many figures: {error}. {_SMALLER}") from error
        if not found.read:
            raise ProblemError("invalid-request", _reason(found))
        return ask.items(found.items, documents=[found.summary])


def _reason(found: Proof) -> str:
    errors = [one.message for one in found.problems if one.severity is Severity.ERROR]
    return f"body: {'; '.join(errors[:3]) or 'the text cannot be read'}"


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The routes in their order."""
    example = "The price fell from $8 to $2, a 75% cut."
    wrong = ("unsupported-media-type", "content-too-large", "invalid-request", "invalid-datetime")
    return (
        ApiRoute(
            "/v1/proof",
            Proofs(desk).proof,
            ProofAnswer,
            ("json", "csv"),
            wrong,
            method="POST",
            takes=tuple((media, example) for media in SUFFIXES),
        ),
    )
