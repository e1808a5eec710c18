"""Writes: documents and verification. Each needs the token, is atomic, and is recorded in the audit log."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, NamedTuple

from fastapi import Header, Path, Query, Request, Response
from pydantic import StringConstraints
from starlette.concurrency import run_in_threadpool

from api.http.middleware.store_version import revision_mark
from api.http.responses.problem_details import ProblemError
from api.http.responses.problem_types import KINDS
from api.http.responses.request_body import body_of, media_of
from api.http.responses.request_context import WHOLE, AppContext, Ask, Date, ExactJsonResponse
from api.http.route_table import Route
from api.models import api_models, response_models
from api.services.import_report import ImportReport, Removal
from compute.runs.acknowledgements import EndError, NothingRaisedError
from graph.models.alert_models import Acknowledgement
from graph.models.query_models import AuditEntry
from graph.models.verdict_models import Run, is_present
from graph.name_rules import DOCUMENT_PATTERN
from ingest.document_reader import SourceFile
from ingest.format_detection import FORMATS

TAKEN = (
    "text/plain",
    "text/markdown",
    "application/json",
    "application/yaml",
    "application/x-yaml",
    "text/yaml",
    "text/x-yaml",
    "application/octet-stream",
)
"""Media types of documents; the format is found by looking at the text."""

Bearer = Annotated[str | None, Header(alias="Authorization", description="`Bearer` and the token of the service.")]
IfMatch = Annotated[
    str | None, Header(alias="If-Match", description="Write only if the store is as it was for this entity tag.")
]
_REVISION = re.compile(r'(?:W/)?"\d+-\d{8}-([0-9a-f]{16})-[0-9a-f]{12}"')
"""The mark of the store's revision in an entity tag."""


Name = Annotated[
    str,
    Query(
        min_length=1,
        max_length=300,
        pattern=r"^[^\x00-\x1f]+$",
        description="What the document is called.",
        examples=["notes/batch-stack.md"],
    ),
]
"""Of a document that is there already, also one that an older version named."""

NewName = Annotated[
    str,
    Query(
        min_length=1,
        max_length=300,
        pattern=DOCUMENT_PATTERN,
        description="What the document is called, a relative path; the same name again replaces it.",
        examples=["notes/batch-stack.md"],
    ),
]


ClaimName = Annotated[str, Path(description="The id of a claim.", examples=["sonnet-cached-batch-discount"])]
Words = Annotated[
    str, StringConstraints(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f]*[^\x00-\x20][^\x00-\x1f]*$")
]


class Writes:
    """The routes over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._desk, self._brain = desk, desk.brain

    async def ingest(
        self,
        request: Request,
        *,
        name: NewName,
        brain: Annotated[
            str | None, Query(max_length=100, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", description="The brain's name.")
        ] = None,
        format: Annotated[  # noqa: A002  # as on the command line
            str | None,
            Query(description="The format, in place of what is detected.", json_schema_extra={"enum": [*FORMATS]}),
        ] = None,  # as on the command line
        strict: Annotated[bool, Query(description="Any problem refuses the document.")] = False,
        dry_run: Annotated[bool, Query(description="Read and report; write nothing.")] = False,
        authorization: Bearer = None,
        if_match: IfMatch = None,
    ) -> Response:
        """Read one document into the brain, all or nothing; the body is the document."""
        actor = self._allowed(authorization)
        media_of(request, TAKEN)
        found = SourceFile(await body_of(request, self._brain.settings.max_body), name, None)
        if not found.data:
            raise ProblemError("invalid-request", "body: the document is missing")
        asked = _Ingest(found, brain, format, strict, dry_run)
        return await run_in_threadpool(self._ingest, asked, actor, if_match)

    def _ingest(self, asked: _Ingest, actor: str, if_match: str | None) -> Response:
        at = self._desk.clock()
        with self._brain.transaction():
            self._unchanged(if_match)
            report = self._brain.importer.take(
                [asked.found], at=at, brain=asked.brain, form=asked.form, strict=asked.strict, dry_run=asked.dry_run
            )
            entry = report.entries[0]
            if report.stored and entry.outcome != "unchanged":
                self._log(actor, "ingest", f"{asked.found.name}: {entry.outcome}")
        if not report.stored and not asked.dry_run:
            raise _refused(report)
        return ExactJsonResponse(api_models.import_view(report), status_code=201 if entry.outcome == "new" else 200)

    async def remove(
        self,
        name: Name,
        dry_run: Annotated[bool, Query(description="Say what would go; write nothing.")] = False,
        authorization: Bearer = None,
        if_match: IfMatch = None,
    ) -> Response:
        """Remove a document from the brain, with its nodes and claims; its versions stay stored."""
        actor = self._allowed(authorization)
        removed = await run_in_threadpool(self._remove, name, dry_run, actor, if_match)
        return ExactJsonResponse({"removed": removed, "stored": not dry_run})

    def _remove(self, name: str, dry_run: bool, actor: str, if_match: str | None) -> Sequence[Removal]:
        with self._brain.transaction():
            self._unchanged(if_match)
            removed = self._brain.remove([name], at=self._desk.clock(), dry_run=dry_run)
            if not dry_run:
                self._log(actor, "remove", name)
        return removed

    async def verify(
        self,
        ask: Ask,
        as_of: Annotated[Date | None, Query(description="The day to compute for. Default: today.")] = None,
        append: Annotated[
            bool, Query(description="Append a run for a past day too; it never counts as the latest run.")
        ] = False,
        authorization: Bearer = None,
        if_match: IfMatch = None,
    ) -> Response:
        """Evaluate all claims for today and append the run to the ledger; flags and notices follow.

        For another day nothing is appended and the run has the id 0, unless a past day comes with `append`.
        """
        actor, at = self._allowed(authorization), self._desk.clock()
        day = as_of or at.date()
        if append and day > at.date() and not is_present(day, at):
            raise ProblemError("invalid-request", f"append: {day} is in the future")
        if not (append or is_present(day, at)):
            trial = await run_in_threadpool(self._brain.evaluator.trial, day, at=at)
            return ExactJsonResponse(trial.run, headers=ask.headers())
        run = await run_in_threadpool(self._verify, day, at, actor, if_match)
        return ExactJsonResponse(run, status_code=201, headers={**ask.headers(), "Location": f"/v1/runs/{run.id}"})

    def _verify(self, day: date, at: datetime, actor: str, if_match: str | None) -> Run:
        with self._brain.transaction():
            self._unchanged(if_match)
            run = self._brain.verify(day, at=at, clock=self._desk.clock)
            self._log(actor, "verify", f"run {run.id} for {day}")
        return run

    async def acknowledge(
        self,
        *,
        claim: ClaimName,
        until: Annotated[Date, Query(description="The day on which notices come again.", examples=["2026-12-01"])],
        comment: Annotated[Words, Query(description="What is being done about it.", examples=["asked the vendor"])],
        by: Annotated[Words, Query(description="Who acknowledges it.", examples=["alice"])],
        authorization: Bearer = None,
        if_match: IfMatch = None,
    ) -> Response:
        """Acknowledge the raised flag of a claim: no more notices about it until a day, or until it holds again."""
        actor, told = self._allowed(authorization), _Told(until, comment, by)
        return ExactJsonResponse(await run_in_threadpool(self._acknowledge, claim, told, actor, if_match))

    def _acknowledge(self, claim: str, told: _Told, actor: str, if_match: str | None) -> Acknowledgement:
        on = self._desk.clock().date()
        with self._brain.transaction():
            self._unchanged(if_match)
            try:
                found = self._brain.acknowledgements.acknowledge(claim, **told._asdict(), on=on)
            except EndError as error:
                raise ProblemError("invalid-request", str(error)) from error
            except NothingRaisedError as error:
                raise ProblemError("nothing-raised", f"{error}.") from error
            self._log(actor, "acknowledge", f"{claim} until {told.until} by {told.by}")
        return found

    async def unacknowledge(self, claim: ClaimName, authorization: Bearer = None, if_match: IfMatch = None) -> Response:
        """End the acknowledgement of a claim: notices about it come again."""
        actor = self._allowed(authorization)
        ended = await run_in_threadpool(self._unacknowledge, claim, actor, if_match)
        return ExactJsonResponse({"claim": claim, "ended": ended})

    def _unacknowledge(self, claim: str, actor: str, if_match: str | None) -> bool:
        with self._brain.transaction():
            self._unchanged(if_match)
            self._brain.claims.get(claim)
            ended = self._brain.acknowledgements.end(claim)
            if ended:
                self._log(actor, "acknowledge", f"{claim} ended")
        return ended

    def audit(
        self,
        ask: Ask,
        limit: Annotated[int, Query(ge=1, le=1000, description="Maximum number of entries."), WHOLE] = 100,
        authorization: Bearer = None,
    ) -> Response:
        """Who wrote what and when, the latest first."""
        self._allowed(authorization)
        answer = ask.items(self._brain.audit.latest(limit))
        answer.headers["Cache-Control"] = "private, no-store"
        return answer

    def _allowed(self, authorization: str | None) -> str:
        """The name of a caller with the token in the audit log."""
        token = self._brain.settings.token
        if token is None or not token.get_secret_value():
            raise ProblemError("read-only", KINDS["read-only"].example)
        scheme, _, given = (authorization or "").partition(" ")
        right = secrets.compare_digest(given.strip().encode(), token.get_secret_value().encode())
        if scheme.lower() != "bearer" or not right:
            challenge = {"WWW-Authenticate": 'Bearer realm="brain"'}
            raise ProblemError("unauthorized", KINDS["unauthorized"].example, challenge)
        return f"token {hashlib.sha256(given.strip().encode()).hexdigest()[:8]}"

    def _unchanged(self, if_match: str | None) -> None:
        """Inside the transaction: the store is as it was when one of these tags was given."""
        if if_match is None or if_match.strip() == "*":
            return
        if revision_mark(self._brain.revision()) not in _REVISION.findall(if_match):
            raise ProblemError("precondition-failed", KINDS["precondition-failed"].example)

    def _log(self, actor: str, action: str, detail: str) -> None:
        self._brain.audit.append(AuditEntry(at=self._desk.clock(), actor=actor, action=action, detail=detail))


@dataclass(frozen=True)
class _Ingest:
    """A document to read, and how."""

    found: SourceFile
    brain: str | None
    form: str | None
    strict: bool
    dry_run: bool


class _Told(NamedTuple):
    """An acknowledgement as a caller states it."""

    until: date
    comment: str
    by: str


def _refused(report: ImportReport) -> ProblemError:
    problems = report.problems
    shown = problems[0].message if problems else "nothing was read"
    more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
    name = report.entries[0].document.name
    return ProblemError("invalid-document", f"{name}: {shown}{more}; nothing was stored.", problems=problems[:100])


def routes(desk: AppContext) -> Sequence[Route]:
    """The routes in their order."""
    of, guarded = Writes(desk), ("unauthorized", "read-only")
    body = ("precondition-failed", "content-too-large", "unsupported-media-type", "invalid-document", "conflict")
    note = "---\ntitle: A note of one's own\nkind: reading\ntags: [batch]\n---\nA batch costs half.\n"
    takes = tuple((media, note) for media in TAKEN)
    return (
        Route(
            "/v1/documents", of.ingest, response_models.ImportView, wrong=(*guarded, *body, "unavailable"),
            method="POST",
            takes=takes, status=201,
        ),
        Route(
            "/v1/documents", of.remove, response_models.Removed, method="DELETE",
            wrong=(*guarded, "not-found", "precondition-failed", "unavailable"),
        ),
        Route(
            "/v1/runs", of.verify, response_models.Run, wrong=(*guarded, "precondition-failed", "unavailable"),
            method="POST",
            status=201,
        ),
        Route(
            "/v1/claims/{claim}/acknowledgement", of.acknowledge, Acknowledgement, method="POST",
            wrong=(*guarded, "not-found", "nothing-raised", "precondition-failed", "unavailable"),
        ),
        Route(
            "/v1/claims/{claim}/acknowledgement", of.unacknowledge, response_models.AcknowledgementEnded,
            method="DELETE", wrong=(*guarded, "not-found", "precondition-failed", "unavailable"),
        ),
        Route("/v1/audit", of.audit, response_models.Items[AuditEntry], ("json", "csv"), guarded, unstored=True),
    )  # fmt: skip
