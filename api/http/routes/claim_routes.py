"""Claims and their verdicts, figures of texts, the record; runs and changes."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Literal

from fastapi import Depends, Request, Response
from pydantic import Field, ValidationError

from api import feeds
from api.http.api_route import LISTED, THING, ApiRoutes
from api.http.parameters import WHOLE, Ask, Claim, Currency, Day, Known, Node, OfBrain, OfTag, Part, Run, path, query
from api.http.responses.content_negotiation import MEDIA
from api.http.responses.problem_details import WORDS, ProblemError
from api.http.responses.request_context import ExactJsonResponse, body_of, media_of, site_of
from api.http.routes.node_routes import ONE as NODE
from api.models import response_models as answers
from api.models.api_models import IsoDay
from api.models.response_models import Items
from api.services import linked_data
from api.services.claim_status import ClaimStatus, RunChanges
from api.services.texts.claim_drafts import CheckedClaim, Draft
from api.services.texts.proofreader import LONGEST, ProofDocument, ProofItem
from compute.figures.figure_models import Finding, StatementKind
from compute.record.record import Basis, GroupField, Record
from graph.models.alert_models import Acknowledgement
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import Run as RunOfLedger
from graph.models.verdict_models import Verdict
from graph.problems import Problem, Severity
from graph.progress_steps import WorkLimitError, work_limit
from graph.rdf.claim_triples import claim_review, nanopublication
from graph.rdf.rdf_formats import write
from graph.rdf.triples import once
from graph.store.cursors import Cursor
from graph.values import Value, dumps

CLAIMS, LEDGER = ApiRoutes("claims"), ApiRoutes("ledger")
ONE, FOUND = "/v1/claims/{claim:path}", "/v1/runs/{run}/claims/{claim:path}"
RESERVED = frozenset({"as_of", "format", "known", "currency"})  # parameters of `evaluate` that are not values of inputs
MOST = 400_000  # the most bytes of a request with drafts
TEXT = "The price fell from $8 to $2, a 75% cut."
DRAFTS = "- quote: a 75% cut\n  value: change(8, 2)\n  expect: {is: -75%}\n"
SUFFIXES = {"text/markdown": "draft.md", "text/plain": "draft.txt", "text/html": "draft.html"}
"""The media types of a text, each with the default name of its document."""
_SMALLER = "Send it in parts, or check the file with the command brain proof, which has no limit."
_LINE = r"^[^\x00-\x1f]+$"

GroupName = Literal["tag", "kind", "brain", "model", "input", "asserted_by"]
By = Annotated[GroupName | None, query("The field by which claims are grouped.", "kind")]
Seen = Annotated[Basis, query("Replayed over the prices as known now, or only what the runs saw.", "ledger")]
OfNode = Annotated[str | None, query("Only claims of this node.", "analyst/caching-and-batch-stack")]
OfVerdict = Annotated[VerdictName | None, query("Only claims with this verdict.", "stale")]
OnDay = Annotated[IsoDay, path("A day.", "2026-11-21")]
Since = Annotated[IsoDay | None, query("First day.", "2025-02-01")]
FeedTag = Annotated[str | None, query("Only claims with this tag, or of nodes with it.", "batch")]
FeedClaim = Annotated[str | None, query("Only this claim.", "sonnet-cached-batch-discount")]
Entries = Annotated[int, query("Maximum number of entries, latest first; 256 KB at most.", ge=1, le=1000), WHOLE]
TextName = Annotated[str | None, query("Name of the text.", "draft.md", max_length=300, pattern=_LINE)]
NodeTag = Annotated[str | None, query("Only of nodes with this tag.", "batching")]
OfKind = Annotated[StatementKind | None, query("Only of this kind.", "arithmetic")]
Found = Annotated[Finding | None, query("Only with this finding on the day of the text.", "refuted")]


@CLAIMS("/v1/errata", answers.Errata, LISTED)
def claims_errata(ask: Ask, part: Part, brain: OfBrain = None) -> Response:
    """Figures of sources that do not add up, after the last run: each error once, the most severe first.

    `contradictions` are figures on which two texts differ, as many as `limit`; which text is right is not known.
    """
    found, own = ask.brain.reports.errata(), f"{brain}/" if brain is not None else ""
    items = [one for one in found.items if one.node.startswith(own)]
    differ = [one for one in found.contradictions if one.node.startswith(own)]
    more = {"contradictions": differ[: part.limit], "differing": len(differ), "run": found.run}
    return ask.page(items, part, lambda one: Cursor(*one.order), **more)


@CLAIMS("/v1/claims", Items[ClaimStatus], LISTED)
def claims_claims(  # noqa: PLR0917  # the filters of an address
    ask: Ask, part: Part, verdict: OfVerdict = None, node: OfNode = None, tag: OfTag = None, brain: OfBrain = None
) -> Response:
    """Claims with their last verdicts, by id."""
    found = ask.brain.status.states(verdict, node and ask.brain.nodes.current(node), tag, brain)
    return ask.page(found, part, lambda one: Cursor(one.id, one.id))


@CLAIMS(f"{ONE}/history", Items[answers.Finding], LISTED)
def claims_history(ask: Ask, claim: Claim, part: Part) -> Response:
    """What every run found about the claim, the latest first."""
    ask.brain.claims.get(claim)
    found = [
        answers.Finding(**row.model_dump(), run=run.id, as_of=run.as_of, evaluated_at=run.finished_at)
        for run, row in ask.brain.ledger.history(claim)
    ]
    return ask.page(found, part, lambda one: Cursor(-one.run, ""))


@CLAIMS("/v1/acknowledgements", Items[Acknowledgement], LISTED)
def claims_acknowledgements(ask: Ask, part: Part) -> Response:
    """The acknowledgements of failing claims, with their state today: active, expired or ended."""
    return ask.page(ask.brain.status.acknowledgements.all(ask.today), part, lambda one: Cursor(one.claim, ""))


@CLAIMS(f"{ONE}/acknowledgement", answers.ClaimAcknowledgement)
def claims_acknowledgement(ask: Ask, claim: Claim) -> Response:
    """The acknowledgement of the claim, with its state today; null if it has none."""
    ask.brain.claims.get(claim)
    found = ask.brain.status.acknowledgements.get(claim, ask.today)
    return ExactJsonResponse(answers.ClaimAcknowledgement(claim=claim, acknowledgement=found))


@CLAIMS(f"{ONE}/evaluate", Verdict, free=True)
def claims_evaluate(ask: Ask, claim: Claim, day: Day, known: Known = None, currency: Currency = None) -> Response:
    """The verdict with numbers of the caller's own; stores nothing.

    Every further parameter is a number in place of one of the claim's: `?rate=2.00`, `?price:item/component=1.80`
    (a processing behind it: `price:item/component:batch`), `?assume:pue=1.1`. A number without a unit has the unit
    of what it replaces. A name that the claim does not read is refused.
    """
    sets = {name: value for name, value in ask.query_params.items() if name not in RESERVED}
    return ask.record(ask.brain.evaluator.explain(claim, day, known=known, sets=sets, currency=currency))


@CLAIMS(f"{ONE}/on/{{day}}", answers.ClaimView, THING)
def claims_on_day(ask: Ask, claim: Claim, day: OnDay) -> Response:
    """One claim with its verdict on a day, which needs no stored run."""
    return claims_claim(ask, claim, day)


@CLAIMS(ONE, answers.ClaimView, THING)
def claims_claim(ask: Ask, claim: Claim, day: Day, known: Known = None, currency: Currency = None) -> Response:
    """One claim with its verdict on a day: the working, the inputs with their sources, the flips."""
    verdict, told = ask.brain.evaluator.explain(claim, day, known=known, currency=currency), ask.linked
    shown = {
        **verdict.model_dump(),
        "state": ask.brain.status.state(claim),
        "stated": ask.brain.claims.get(claim),
        "life": ask.brain.record.life(claim, ask.today),
    }
    return ask.thing(shown, told.names.claim(claim), lambda: told.claim(claim, verdict))


@CLAIMS("/v1/record", Record, "json html")
def records_record(ask: Ask, day: Day, by: By = None, basis: Seen = Basis.HINDSIGHT) -> Response:
    """Of the figures that were true when written, the share that still holds after 30, 90 and 365 days.

    By group, with 95% intervals, the half-life, the curve, and a list of the figures that broke, each with the
    inputs that broke it.
    """
    return ask.record(ask.brain.record.record(day, basis, GroupField(by) if by else None))


@CLAIMS(f"{FOUND}/nanopub", None, "trig turtle jsonld ntriples")
def claims_nanopub(ask: Ask, run: Run, claim: Claim) -> Response:
    """What one run found about a claim as a nanopublication; only TriG keeps its four graphs separate."""
    verdict, made = linked_data.verdict(ask.brain, run, claim)
    merged = ask.rdf(lambda: once(quad.triple for quad in nanopublication(verdict, made, ask.linked.names)))
    return ask.record(None, {**merged, "trig": lambda: _trig(ask, verdict, made)})


@CLAIMS(FOUND, Verdict, "json turtle jsonld ntriples trig")
def claims_verdict(ask: Ask, run: Run, claim: Claim) -> Response:
    """What one run found about a claim; TriG is its nanopublication, JSON-LD its ClaimReview."""
    verdict, made = linked_data.verdict(ask.brain, run, claim)
    told, stated = ask.linked, ask.brain.claims.get(claim)
    place = ask.brain.quotes.place(stated)
    return ask.thing(
        verdict,
        told.names.verdict(claim, run, made.as_of),
        lambda: told.claim(claim, verdict),
        jsonld=lambda: dumps(claim_review(verdict, stated, told.names, place)).encode(),
        trig=lambda: _trig(ask, verdict, made),
    )


def _trig(ask: Ask, verdict: Verdict, made: RunOfLedger) -> bytes:
    names = ask.linked.names
    return b"".join(write(nanopublication(verdict, made, names), "trig", names))


@LEDGER("/v1/runs", Items[RunOfLedger], LISTED)
def ledger_runs(ask: Ask, part: Part) -> Response:
    """The runs, the latest first."""
    last = ask.after(part, int)
    found = ask.brain.ledger.runs(part.limit + 1, None if last is None else -int(last.key))
    return ask.listed(ask.cut(found, part, lambda one: Cursor(-one.id, "")))


@LEDGER("/v1/runs/{run}", answers.RunView, THING)
def ledger_run(ask: Ask, run: Run, part: Part) -> Response:
    """One run with its verdicts, by claim."""
    found, last, told = ask.brain.ledger.run(run), ask.after(part, str), ask.linked
    rows = list(islice(ask.brain.ledger.rows(run, after=None if last is None else str(last.key)), part.limit + 1))
    verdicts = tuple(ask.brain.status.worded(ask.cut(rows, part, lambda one: Cursor(one.claim, ""))))
    view = answers.RunView(**found.model_dump(), verdicts=verdicts, next=ask.next)
    return ask.thing(view, told.names.run(run), lambda: told.run(found))


@LEDGER("/v1/changes", Items[RunChanges], LISTED)
def ledger_changes(ask: Ask, part: Part, since: Since = None, brain: OfBrain = None) -> Response:
    """The verdicts that changed from one run to the next, latest first; runs without changes are left out."""
    last = ask.after(part, int)
    found = ask.brain.reports.changed_runs(since, before=None if last is None else int(last.key))
    if brain is not None:
        own = {state.id for state in ask.brain.status.states(brain=brain)}
        kept = ((one, tuple(each for each in one.changes if each.claim in own)) for one in found)
        found = (one.model_copy(update={"changes": changes}) for one, changes in kept if changes)
    return ask.listed(ask.cut([*islice(found, part.limit + 1)], part, lambda one: Cursor(one.run, "")))


@LEDGER("/feed.json", feeds.FeedView, "feed", operation="feed_json")
@LEDGER("/feed.atom", None, "atom", operation="feed_atom")
def feed(
    ask: Ask, tag: FeedTag = None, claim: FeedClaim = None, limit: Entries = 50, brain: OfBrain = None
) -> Response:
    """The verdicts that changed, for feed readers: all, for a tag, for a brain, or for one claim."""
    found = feeds.feed(ask.brain, site_of(ask), ask.address(), limit, tag=tag, claim=claim, owner=brain)
    body = (feeds.atom(found) if ask.format == "atom" else dumps(found)).encode("utf-8", "replace")
    return Response(body, headers=ask.answer_headers(), media_type=MEDIA[ask.format])


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
    data = await body_of(request, min(request.state.app_context.brain.settings.max_body, MOST))
    try:
        return DraftRequest.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(("body", *map(str, first["loc"])))
        raise ProblemError("invalid-request", f"{where}: {WORDS.get(first['type'], first['msg'])}") from error


@CLAIMS(
    "/v1/claims/check",
    DraftAnswer,
    method="POST",
    takes={"application/json": dumps({"text": TEXT, "claims": DRAFTS})},
    body=DraftRequest,
)
def drafts_check(wanted: Annotated[DraftRequest, Depends(_drafts)], ask: Ask, day: Day) -> Response:
    """Check drafts of claims for a text. Nothing is stored, no token is needed.

    Each item says whether the quote is in the text, which prices were read, the verdict with its working, and what
    to change.
    """
    text = None if wanted.text is None else wanted.text.encode()
    found = ask.brain.mining.check_drafts(wanted.claims, day, text=text, name=wanted.name)
    return ask.listed(found.items, problems=found.problems)


async def _text(request: Request) -> tuple[str, bytes]:
    """The default name of a text, by its media type, and the text."""
    media = media_of(request, tuple(SUFFIXES))
    settings = request.state.app_context.brain.settings
    data = await body_of(request, min(settings.max_body, LONGEST), _SMALLER)
    if not data.strip():
        raise ProblemError("invalid-request", "body: the text is missing")
    return SUFFIXES[media], data


@CLAIMS("/v1/proof", ProofAnswer, LISTED, method="POST", takes=dict.fromkeys(SUFFIXES, TEXT))
def proofs_proof(
    text: Annotated[tuple[str, bytes], Depends(_text)], ask: Ask, day: Day, name: TextName = None
) -> Response:
    """Check the figures of a text: Markdown, plain text or a web page. Nothing is stored, no token is needed.

    Each item is a figure with its line and column, what it should be, and the claim of this brain that has it.
    """
    unnamed, data = text
    limit = work_limit(ask.brain.settings.proof_seconds)
    try:
        found = ask.brain.proofreader.proof(data, name or unnamed, day, step=limit)
    except WorkLimitError as error:
        raise ProblemError("content-too-large", f"The text has too many figures: {error}. {_SMALLER}") from error
    if not found.read:
        errors = [one.message for one in found.problems if one.severity is Severity.ERROR]
        raise ProblemError("invalid-request", f"body: {'; '.join(errors[:3]) or 'the text cannot be read'}")
    return ask.listed(found.items, documents=[found.summary])


@CLAIMS("/v1/statements", Items[Draft], LISTED)
def statements_statements(
    ask: Ask,
    part: Part,
    day: Day,
    *,
    brain: OfBrain = None,
    tag: NodeTag = None,
    kind: OfKind = None,
    verdict: Found = None,
) -> Response:
    """Statements in prose that could be claims, each text by itself, in the order of arrival.

    A part ends after 500 nodes too: it may hold fewer than `limit`, or none, and still have a `next`.
    """
    after = ask.after(part, int)
    drafts, following = ask.brain.mining.walk(day, part.limit, after, brain=brain, tag=tag, kind=kind, verdict=verdict)
    ask.next = following.text(ask.listing) if following else None
    return ask.listed(drafts)


@CLAIMS(f"{NODE}/statements", Items[Draft], LISTED)
def statements_of_node(ask: Ask, node: Node, part: Part, day: Day) -> Response:
    """The statements of one text that could be claims, each with its YAML and what would be found on the day."""
    return ask.slice(ask.brain.mining.drafts(ask.brain.nodes.get(node), day), part)
