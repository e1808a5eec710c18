"""Writes, each atomic, with a token, and recorded in the audit log: documents, runs, acknowledgements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Header, Request, Response
from pydantic import StringConstraints

from api.brain import Brain
from api.http.api_route import LISTED, ApiRoutes
from api.http.middleware.http_cache import revision_mark
from api.http.parameters import WHOLE, Ask, Claim, DryRun, query
from api.http.responses.problem_details import ProblemError
from api.http.responses.request_context import AppContext, ExactJsonResponse, body_of, media_of
from api.models import response_models as answers
from api.models.api_models import IsoDay
from api.services.access import Access
from api.services.importing.document_importer import ImportOptions
from api.services.importing.documents import ImportReport, RuleLossError, counted
from api.services.importing.uploads import Uploader, UploadError, foreign
from graph.models.access_models import Scope
from graph.models.alert_models import Acknowledgement
from graph.models.query_models import AuditEntry
from graph.models.verdict_models import Run, is_present
from graph.name_rules import DOCUMENT_PATTERN
from ingest.source_files import SourceFile

WRITING = ApiRoutes("writing")
NOTE = "---\ntitle: A note of one's own\nkind: reading\ntags: [batch]\n---\nA batch costs half.\n"
MEDIA = "text/plain text/markdown application/json application/yaml application/x-yaml text/yaml text/x-yaml text/html"
MEDIA += " application/xhtml+xml text/csv application/x-ipynb+json application/octet-stream"
TAKEN = dict.fromkeys(MEDIA.split(), NOTE)
"""Media types of documents, with an example; the format is detected from the text."""
WOULD_GO = "that it stated before would be removed. Nothing was stored; rules_may_go=true removes them."
READ_ONLY = "This service is read-only: no BRAIN_TOKEN is set, and no token was created."
_REVISION = re.compile(r'(?:W/)?"\d+-\d{8}-([0-9a-f]{16})-[0-9a-f]{12}"')
"""The mark of the store's revision in an entity tag."""


def _formats(schema: dict[str, Any]) -> None:
    """Name the formats in the description: the parsers are loaded for that, not at the start."""
    from ingest.format_detection import FORMATS  # noqa: PLC0415  # as above

    schema["enum"] = [*FORMATS]


Named = partial(query, min_length=1, max_length=300)
Name = Annotated[str, Named("Name of the document.", "notes/batch-stack.md", pattern=r"^[^\x00-\x1f]+$")]
"""The name of a stored document, which an older version may have accepted."""
REPLACES = "Name of the document, a relative path; the same name again replaces it."
NewName = Annotated[str, Named(REPLACES, "notes/batch-stack.md", pattern=DOCUMENT_PATTERN)]
OWNER = "The brain's name. Default: that of the token, else of the document of this name."
Target = Annotated[str | None, query(OWNER, max_length=100, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
Format = Annotated[str | None, query("The format, in place of what is detected.", json_schema_extra=_formats)]
Strict = Annotated[bool, query("Any problem refuses the document.")]
Rehearsal = Annotated[bool, query("Read and report; write nothing.")]
LOSES = "The document may take all claims, prices or silences that it stated with it."
MayLose = Annotated[bool, query(LOSES)]
AsOf = Annotated[IsoDay | None, query("The day to compute for. Default: today.")]
Append = Annotated[bool, query("Append a run for a past day too; it never counts as the latest run.")]
UNCHANGED = "Write only if the store is as it was for this entity tag."
Condition = Annotated[str | None, Header(alias="If-Match", description=UNCHANGED)]
LINE = r"^[^\x00-\x1f]*[^\x00-\x20][^\x00-\x1f]*$"
Words = Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=LINE)]
Until = Annotated[IsoDay, query("The day on which notices come again.", "2026-12-01")]
Comment = Annotated[Words, query("What is being done about it.", "asked the vendor")]
By = Annotated[Words, query("Who acknowledges it.", "alice")]
Most = Annotated[int, query("Maximum number of entries.", ge=1, le=1000), WHOLE]


def _writer(request: Request, scope: Scope = Scope.WRITE) -> None:
    """Refuse senders without the scope."""
    access: Access | None = getattr(request.state, "access", None)
    if access is None:
        if not request.state.app_context.tokens.exists():
            raise ProblemError("read-only", READ_ONLY)
        detail = "This needs a token of this service, in the header Authorization: Bearer TOKEN."
        raise ProblemError("unauthorized", detail, {"WWW-Authenticate": 'Bearer realm="brain"'})
    if not access.scope.includes(scope):
        raise ProblemError("forbidden", f"This needs a token with the scope {scope}; this one has {access.scope}.")


_admin = partial(_writer, scope=Scope.ADMIN)


class Write:
    """A write to the `brain`; `seen` is the caller's view of it, `access` what the caller may do."""

    def __init__(self, request: Request, if_match: Condition = None) -> None:
        app_context: AppContext = request.state.app_context
        self.brain, self.seen, self.clock = app_context.brain.whole, app_context.brain, app_context.clock
        self.access, self._if_match = request.state.access, if_match

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """A transaction, if the store is still that of one of the entity tags. Raises ProblemError if it is not."""
        with self.brain.transaction():
            wanted = "*" if self._if_match is None else self._if_match.strip()
            if wanted != "*" and revision_mark(self.brain.revision()) not in _REVISION.findall(wanted):
                raise ProblemError("precondition-failed", "The store has changed since that entity tag was given.")
            yield

    def log(self, action: str, detail: str) -> None:
        """Add an entry to the audit log."""
        self.brain.audit.append(AuditEntry(at=self.clock(), actor=self.access.actor, action=action, detail=detail))

    def refuse_others(self, owner: str, what: str) -> None:
        """Refuse a token of another brain than the owner. Raises ProblemError."""
        if not self.access.may_write([owner]):
            raise ProblemError("forbidden", str(foreign(self.access, f"the {what} is of {owner}")))


Writing = Annotated[Write, Depends()]


async def _document(request: Request) -> bytes:
    media_of(request, tuple(TAKEN))
    body = await body_of(request, request.state.app_context.brain.whole.settings.max_body)
    if not body:
        raise ProblemError("invalid-request", "body: the document is missing")
    return body


@WRITING("/v1/documents", answers.ImportView, method="POST", guard=_writer, takes=TAKEN, status=201)
def writes_ingest(
    write: Writing,
    data: Annotated[bytes, Depends(_document)],
    *,
    name: NewName,
    brain: Target = None,
    format: Format = None,  # noqa: A002  # as on the command line
    strict: Strict = False,
    dry_run: Rehearsal = False,
    rules_may_go: MayLose = False,
) -> Response:
    """Read one document into the brain, all or nothing; the body is the document."""
    options = ImportOptions(
        brain=brain, form=format, strict=strict, dry_run=dry_run, losses="let go" if rules_may_go else "refuse"
    )

    def take(target: Brain, found: SourceFile, options: ImportOptions) -> ImportReport:
        report = target.importer.take([found], at=write.clock(), options=options)
        if report.stored and report.entries[0].outcome != "unchanged":
            write.log("ingest", f"{name}: {report.entries[0].outcome}")
        return report

    found = SourceFile(data, name, None)
    uploads = Uploader(write.seen, write.access, take, write.unchanged)
    try:
        report = uploads.ingest(found, options)
    except RuleLossError as error:
        raise ProblemError("conflict", f"{name}: {counted(error.losses)} {WOULD_GO}") from error
    except UploadError as error:
        raise ProblemError(error.kind, str(error), problems=error.problems) from error
    status = 201 if report.stored and report.entries[0].outcome == "new" else 200
    view = answers.ImportView.model_validate(report, from_attributes=True)
    return ExactJsonResponse(view, status_code=status)


@WRITING("/v1/documents", answers.Removed, method="DELETE", guard=_writer)
def writes_remove(write: Writing, name: Name, dry_run: DryRun = False) -> Response:
    """Remove a document from the brain, with its nodes and claims; its versions stay stored.

    The answer says what follows from what the token may see.
    """
    seen = write.seen.importer.remove([name], at=write.clock(), dry_run=True)
    write.refuse_others(write.seen.documents.get(name).brain, "document")
    with write.unchanged():
        if not dry_run:
            write.brain.importer.remove([name], at=write.clock())
            write.log("remove", name)
    return ExactJsonResponse({"removed": seen, "stored": not dry_run})


@WRITING("/v1/runs", Run, method="POST", guard=_writer, status=201)
def writes_verify(write: Writing, ask: Ask, as_of: AsOf = None, append: Append = False) -> Response:
    """Evaluate all claims for today and append the run to the ledger; flags and notices follow.

    For another day nothing is appended and the run has the id 0, unless a past day comes with `append`.
    """
    if ask.headers.get("content-length", "0") != "0":  # its fields would be ignored
        raise ProblemError("invalid-request", "This takes no body; fields go into the query, as ?as_of=2026-11-28.")
    at = write.clock()
    day = as_of or at.date()
    if write.access.brain is not None:
        raise ProblemError("forbidden", f"A run is of all brains; the token is for the brain {write.access.brain}.")
    if append and day > at.date() and not is_present(day, at):
        raise ProblemError("invalid-request", f"append: {day} is in the future")
    if not (append or is_present(day, at)):
        return ExactJsonResponse(write.brain.reports.trial(day, at=at).run, headers=ask.answer_headers())
    with write.unchanged():
        run = write.brain.verify(day, at=at, clock=write.clock)
        write.log("verify", f"run {run.id} for {day}")
    return ExactJsonResponse(run, status_code=201, headers={**ask.answer_headers(), "Location": f"/v1/runs/{run.id}"})


ACKNOWLEDGEMENT = "/v1/claims/{claim}/acknowledgement"


@WRITING(ACKNOWLEDGEMENT, Acknowledgement, method="POST", guard=_writer)
def writes_acknowledge(write: Writing, claim: Claim, until: Until, comment: Comment, by: By) -> Response:
    """Acknowledge the raised flag of a claim: no more notices about it until a day, or until it holds again."""
    write.refuse_others(write.seen.claims.get(claim).node.partition("/")[0], "claim")
    on, flags = write.clock().date(), write.brain.status.acknowledgements
    with write.unchanged():
        found = flags.acknowledge(claim, until=until, comment=comment, by=by, on=on)
        write.log("acknowledge", f"{claim} until {until} by {by}")
    return ExactJsonResponse(found)


@WRITING(ACKNOWLEDGEMENT, answers.AcknowledgementEnded, method="DELETE", guard=_writer)
def writes_unacknowledge(write: Writing, claim: Claim) -> Response:
    """End the acknowledgement of a claim: notices about it come again."""
    write.refuse_others(write.seen.claims.get(claim).node.partition("/")[0], "claim")
    with write.unchanged():
        ended = write.brain.status.acknowledgements.end(claim)
        if ended:
            write.log("acknowledge", f"{claim} ended")
    return ExactJsonResponse({"claim": claim, "ended": ended})


@WRITING("/v1/audit", answers.Items[AuditEntry], LISTED, guard=_admin)
def writes_audit(ask: Ask, limit: Most = 100) -> Response:
    """Who wrote what and when, the latest first."""
    if (own := ask.state.access.brain) is not None:
        raise ProblemError("forbidden", f"The audit log is of all brains; the token is for {own}.")
    answer = ask.listed(ask.app_context.brain.whole.audit.latest(limit))
    answer.headers["Cache-Control"] = "private, no-store"
    return answer
