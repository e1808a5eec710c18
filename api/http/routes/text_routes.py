"""The figures of a text: drafts of claims, the proof of a text that is not stored, statements in the notes."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from fastapi import Depends, Request, Response
from pydantic import Field, ValidationError

from api.http.api_route import ApiRoutes
from api.http.parameters import DECIMAL, OfBrain, query
from api.http.responses.problem_details import ProblemError
from api.http.responses.request_context import Ask, Day, Part, body_of, media_of
from api.http.routes.node_routes import LISTED, ONE, Node
from api.models.response_models import Items
from api.services.claim_drafts import Draft, StatementFilter
from api.services.draft_checker import CheckedClaim
from api.services.progress_steps import WorkLimitError
from api.services.proof_models import LONGEST, ProofDocument, ProofItem
from compute.figures.figure_models import Finding, StatementKind
from graph.problems import Problem, Severity
from graph.values import Value, dumps

TEXTS = ApiRoutes("claims")
MOST = 400_000
"""The size of a request in bytes."""
TEXT, CLAIMS = (
    "The price fell from $8 to $2, a 75% cut.",
    "- quote: a 75% cut\n  value: change(8, 2)\n  expect: {is: -75%}\n",
)
SUFFIXES = {"text/markdown": "draft.md", "text/plain": "draft.txt", "text/html": "draft.html"}
"""The media types of a text, each with the name of a document without one."""
_SMALLER = "Send it in parts, or check the file with the command brain proof, which has no limit."
_LINE = r"^[^\x00-\x1f]+$"


class DraftRequest(Value):
    """Claims in YAML, and the text that they quote; without a text they quote the notes that they name."""

    claims: Annotated[str, Field(min_length=1, max_length=100_000)]
    text: Annotated[str, Field(max_length=200_000)] | None = None
    name: Annotated[str, Field(max_length=300, pattern=_LINE)] = "draft.md"


class DraftAnswer(Items[CheckedClaim]):
    """The checked claims; `problems` are those of the file of claims and of the text."""

    problems: tuple[Problem, ...] = ()


class ProofAnswer(Items[ProofItem]):
    """The checked figures of a text; `documents` says how many figures it has and how many were checked."""

    documents: tuple[ProofDocument, ...] = ()


async def _drafts(request: Request) -> DraftRequest:
    media_of(request, ("application/json",))
    data = await body_of(request, min(request.state.desk.brain.settings.max_body, MOST))
    try:
        return DraftRequest.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(("body", *map(str, first["loc"])))
        raise ProblemError("invalid-request", f"{where}: {first['msg']}") from error


@TEXTS(
    "/v1/claims/check",
    DraftAnswer,
    method="POST",
    takes=(("application/json", dumps({"text": TEXT, "claims": CLAIMS})),),
    body=DraftRequest,
)
def drafts_check(wanted: Annotated[DraftRequest, Depends(_drafts)], ask: Ask, day: Day) -> Response:
    """Check drafts of claims for a text. Nothing is stored, no token is needed.

    Each item says whether the quote is in the text, which prices were read, the verdict with its working, and what
    to change.
    """
    text = None if wanted.text is None else wanted.text.encode()
    found = ask.brain.draft_checker.check(wanted.claims, day, text=text, name=wanted.name)
    return ask.listed(found.items, problems=found.problems)


async def _text(request: Request) -> tuple[str, bytes]:
    """The name of a text without one, by its media type, and the text."""
    media = media_of(request, tuple(SUFFIXES))
    settings = request.state.desk.brain.settings
    data = await body_of(request, min(settings.max_body, LONGEST), _SMALLER)
    if not data.strip():
        raise ProblemError("invalid-request", "body: the text is missing")
    return SUFFIXES[media], data


@TEXTS("/v1/proof", ProofAnswer, LISTED, method="POST", takes=tuple((media, TEXT) for media in SUFFIXES))
def proofs_proof(
    text: Annotated[tuple[str, bytes], Depends(_text)],
    ask: Ask,
    day: Day,
    *,
    name: Annotated[str | None, query("What the text is called.", "draft.md", max_length=300, pattern=_LINE)] = None,
) -> Response:
    """Check the figures of a text: Markdown, plain text or a web page. Nothing is stored, no token is needed.

    Each item is a figure with its line and column, what it should be, and the claim of this brain that has it.
    """
    unnamed, data = text
    try:
        found = ask.brain.proofreader.proof_within(data, name or unnamed, day, ask.brain.settings.proof_seconds)
    except WorkLimitError as error:
        raise ProblemError("content-too-large", f"The text has too many figures: {error}. {_SMALLER}") from error
    if not found.read:
        errors = [one.message for one in found.problems if one.severity is Severity.ERROR]
        raise ProblemError("invalid-request", f"body: {'; '.join(errors[:3]) or 'the text cannot be read'}")
    return ask.listed(found.items, documents=[found.summary])


@TEXTS("/v1/statements", Items[Draft], LISTED)
def statements_statements(
    ask: Ask,
    part: Part,
    day: Day,
    *,
    brain: OfBrain = None,
    tag: Annotated[str | None, query("Only of nodes with this tag.", "batching")] = None,
    kind: Annotated[StatementKind | None, query("Only of this kind.", "arithmetic")] = None,
    verdict: Annotated[Finding | None, query("Only with this finding on the day of the text.", "refuted")] = None,
    sure: Annotated[float, query("Only readings at least as sure as this, from 0 to 1.", ge=0, le=1), DECIMAL] = 0.0,
) -> Response:
    """Statements in prose that could be claims, each text by itself, in the order of arrival.

    A part ends after 500 nodes too: it may hold fewer than `limit`, or none, and still have a `next`.
    """
    asked = StatementFilter(brain, tag, kind, verdict, Decimal(str(sure)))
    found = ask.brain.mining.walk(asked, day, part.limit, ask.after(part, int))
    return ask.listed(found.drafts, next=found.next.text(ask.listing) if found.next else None)


@TEXTS(f"{ONE}/statements", Items[Draft], LISTED)
def statements_of_node(ask: Ask, node: Node, day: Day) -> Response:
    """The statements of one text that could be claims, each with its YAML and what would be found on the day."""
    return ask.listed(ask.brain.mining.drafts(ask.brain.nodes.get(node), day))
