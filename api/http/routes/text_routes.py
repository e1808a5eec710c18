"""The figures of a text: drafts of claims, the proof of a text that is not stored, statements in the notes."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated

from fastapi import Depends, Query, Request, Response
from pydantic import Field, ValidationError

from api.http.api_route import ApiRoute
from api.http.responses.problem_details import ProblemError
from api.http.responses.request_body import body_of, media_of
from api.http.responses.request_context import DECIMAL, AppContext, Ask, Day, Part
from api.http.routes.node_routes import Of, Owner, Slug
from api.models import response_models
from api.services.claim_drafts import Draft, StatementFilter
from api.services.draft_checker import CheckedClaim, TooManyClaimsError
from api.services.progress_steps import WorkLimitError
from api.services.proof_models import LONGEST, Proof, ProofDocument, ProofItem
from compute.figures.figure_models import Finding, StatementKind
from graph.problems import Problem, Severity
from graph.store import cursors
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


async def _text(request: Request) -> tuple[str, bytes]:
    """The name of a text without one, by its media type, and the text."""
    media = media_of(request, tuple(SUFFIXES))
    settings = request.app.state.desk.brain.settings
    data = await body_of(request, min(settings.max_body, LONGEST), _SMALLER)
    if not data.strip():
        raise ProblemError("invalid-request", "body: the text is missing")
    return SUFFIXES[media], data


class Proofs:
    """The route over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain = desk.brain

    def proof(
        self, text: Annotated[tuple[str, bytes], Depends(_text)], ask: Ask, day: Day, *, name: Name = None
    ) -> Response:
        """Check the figures of a text: Markdown, plain text or a web page. Nothing is stored, no token is needed.

        Each item is a figure with its line and column, what it should be, and the claim of this brain that has it.
        """
        unnamed, data = text
        try:
            found = self._brain.proofreader.proof_within(
                data, name or unnamed, day.day, self._brain.settings.proof_seconds
            )
        except WorkLimitError as error:
            raise ProblemError("content-too-large", f"The text has too many figures: {error}. {_SMALLER}") from error
        if not found.read:
            raise ProblemError("invalid-request", _reason(found))
        return ask.items(found.items, documents=[found.summary])


def _reason(found: Proof) -> str:
    errors = [one.message for one in found.problems if one.severity is Severity.ERROR]
    return f"body: {'; '.join(errors[:3]) or 'the text cannot be read'}"


class Statements:
    """The routes over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain = desk.brain

    def statements(
        self,
        ask: Ask,
        part: Part,
        day: Day,
        *,
        of: Of = None,
        tag: Annotated[str | None, Query(description="Only of nodes with this tag.", examples=["batching"])] = None,
        kind: Annotated[StatementKind | None, Query(description="Only of this kind.", examples=["arithmetic"])] = None,
        verdict: Annotated[
            Finding | None, Query(description="Only with this finding on the day of the text.", examples=["refuted"])
        ] = None,
        sure: Annotated[
            float, Query(ge=0, le=1, description="Only readings at least as sure as this, from 0 to 1."), DECIMAL
        ] = 0.0,
    ) -> Response:
        """Statements in prose that could be claims, each text by itself, in the order of arrival.

        A part ends after 500 nodes too: it may hold fewer than `limit`, or none, and still have a `next`.
        """
        after = cursors.read(part.cursor, ask.scope, int) if part.cursor else None
        found = self._brain.mining.walk(
            StatementFilter(of, tag, kind, verdict, Decimal(str(sure))), day.day, part.limit, after
        )
        return ask.items(found.drafts, next=found.next.text(ask.scope) if found.next else None)

    def of_node(self, ask: Ask, of: Owner, slug: Slug, day: Day) -> Response:
        """The statements of one text that could be claims, each with its YAML and what would be found on the day."""
        return ask.items(self._brain.mining.drafts(self._brain.nodes.get(f"{of}/{slug}"), day.day))


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The routes in their order."""
    text = "The price fell from $8 to $2, a 75% cut."
    claims = "- quote: a 75% cut\n  value: change(8, 2)\n  expect: {is: -75%}\n"
    sent = ("unsupported-media-type", "content-too-large", "invalid-request", "invalid-datetime")
    of, listed, drafts = Statements(desk), ("json", "csv"), response_models.Items[Draft]
    return (
        ApiRoute(
            "/v1/claims/check",
            Drafts(desk).check,
            DraftAnswer,
            wrong=sent,
            method="POST",
            takes=(("application/json", dumps({"text": text, "claims": claims})),),
            body=DraftRequest,
        ),
        ApiRoute(
            "/v1/proof",
            Proofs(desk).proof,
            ProofAnswer,
            listed,
            sent,
            method="POST",
            takes=tuple((media, text) for media in SUFFIXES),
        ),
        ApiRoute("/v1/statements", of.statements, drafts, listed, ("invalid-cursor", "invalid-datetime")),
        ApiRoute(
            "/v1/nodes/{brain}/{slug}/statements", of.of_node, drafts, listed, ("not-found", "gone", "invalid-datetime")
        ),
    )
