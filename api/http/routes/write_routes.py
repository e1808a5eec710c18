"""Writes: documents and verification. Each needs the token, is atomic, and is recorded in the audit log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Query, Request, Response
from pydantic import StringConstraints

from api.brain import Brain
from api.http.api_route import ApiRoute
from api.http.middleware.answer_cache import revision_mark
from api.http.responses.problem_details import ProblemError
from api.http.responses.problem_types import KINDS
from api.http.responses.request_body import body_of, media_of
from api.http.responses.request_context import WHOLE, AppContext, Ask, ExactJsonResponse
from api.models import api_models, response_models
from api.models.iso_day import IsoDay
from api.services.access import Access, Authenticator
from api.services.import_report import ImportReport
from api.services.rule_losses import RuleLossError, counted
from api.services.upload_brain import declared_brain, doubt, held_brain, unseen_targets
from compute.runs.acknowledgements import EndError, NothingRaisedError
from graph.models.access_models import Scope
from graph.models.alert_models import Acknowledgement
from graph.models.query_models import AuditEntry
from graph.models.verdict_models import is_present
from graph.name_rules import DOCUMENT_PATTERN
from graph.problems import Problem
from graph.store.store_errors import ConflictError
from ingest.source_files import SourceFile
from ingest.text.decoding import as_brain


def _formats(schema: dict[str, Any]) -> None:
    """Name the formats in the description; the parsers are loaded for it, not when the service starts."""
    from ingest.format_detection import FORMATS  # noqa: PLC0415  # as above

    schema["enum"] = [*FORMATS]


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

WOULD_GO = "that it stated before would go. Nothing was stored; rules_may_go=true lets them go."
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="brain"'}
TAKEN_NAME = (
    "The name of the document, of a node or of a claim in it cannot be used; choose another. Nothing was stored."
)
"""The message if the other one belongs to a private brain that the caller may not read."""

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


def allowed(request: Request, needed: Scope) -> Access:
    """What the sender of a request may do, at least what `needed` allows.

    Raises:
        ProblemError: the request has no token, or one that allows less; or nobody may write here.
    """
    access: Access | None = getattr(request.state, "access", None)
    if access is None:
        desk: AppContext = request.app.state.desk
        fixed = desk.writable.settings.token
        tokens = Authenticator(desk.writable.store, fixed.get_secret_value() if fixed else None)
        if not tokens.exists(desk.clock().date()):
            raise ProblemError("read-only", KINDS["read-only"].example)
        raise ProblemError("unauthorized", KINDS["unauthorized"].example, CHALLENGE)
    if not access.scope.includes(needed):
        raise ProblemError("forbidden", f"This needs a token with the scope {needed}; this one has {access.scope}.")
    return access


def _writer(request: Request) -> Access:
    return allowed(request, Scope.WRITE)


def _admin(request: Request) -> Access:
    return allowed(request, Scope.ADMIN)


Writer = Annotated[Access, Depends(_writer)]
"""Who writes; others are refused."""


async def _document(request: Request, _writer: Writer) -> bytes:
    media_of(request, TAKEN)
    body = await body_of(request, request.app.state.desk.writable.settings.max_body)
    if not body:
        raise ProblemError("invalid-request", "body: the document is missing")
    return body


class Writes:
    """The routes over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._desk, self._seen, self._brain = desk, desk.brain, desk.writable

    def ingest(
        self,
        writer: Writer,
        data: Annotated[bytes, Depends(_document)],
        *,
        name: NewName,
        brain: Annotated[
            str | None,
            Query(
                max_length=100,
                pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$",
                description="The brain's name. Default: that of the token, else of the document of this name.",
            ),
        ] = None,
        format: Annotated[  # noqa: A002  # as on the command line
            str | None,
            Query(description="The format, in place of what is detected.", json_schema_extra=_formats),
        ] = None,  # as on the command line
        strict: Annotated[bool, Query(description="Any problem refuses the document.")] = False,
        dry_run: Annotated[bool, Query(description="Read and report; write nothing.")] = False,
        rules_may_go: Annotated[
            bool, Query(description="The document may take all claims, prices or silences that it stated with it.")
        ] = False,
        if_match: IfMatch = None,
    ) -> Response:
        """Read one document into the brain, all or nothing; the body is the document."""
        asked = _Ingest(SourceFile(data, name, None), brain, format, strict, dry_run, rules_may_go)
        return (self._ingest if writer.brain is None else self._ingest_own)(asked, writer, if_match)

    def _ingest(self, asked: _Ingest, access: Access, if_match: str | None) -> Response:
        with self._unchanged(if_match):
            held = held_brain(self._brain, asked.found.name)
            kept = replace(asked, found=asked.found._replace(brain=held))
            report = self._take(self._brain, kept, access, dry_run=asked.dry_run)
            if asked.brain is None and not report.refused:
                self._refuse_doubtful(report, held)
        if not report.stored and not asked.dry_run:
            raise _refused(report)
        return _stored(report)

    def _refuse_doubtful(self, report: ImportReport, held: str | None) -> None:
        """Refuse a document that may be meant for another brain: its caller has to name the brain."""
        for said in (doubt(self._brain, entry, held) for entry in report.entries):
            if said:
                raise ProblemError("invalid-request", f"query.brain: {said}.")

    def _ingest_own(self, asked: _Ingest, access: Access, if_match: str | None) -> Response:
        """As `_ingest`, for a token of one brain: the answer says only what follows from what the token may see."""
        asked = replace(asked, brain=_own_brain(access, asked))
        seen = self._take(self._seen, asked, access, dry_run=True)
        if any(entry.refused for entry in seen.entries):
            raise _refused(seen)
        self._refuse_other_brains(asked, seen, access)
        if unseen := unseen_targets(self._seen, seen, asked.brain or ""):
            raise _refused(seen, unseen)
        if asked.dry_run:
            return _stored(seen)
        try:
            with self._unchanged(if_match):
                report = self._take(self._brain, asked, access, dry_run=False)
                if not report.stored:
                    raise ProblemError("conflict", TAKEN_NAME)
        except ConflictError:
            raise ProblemError("conflict", TAKEN_NAME) from None
        outcomes = {entry.document.name: entry.outcome for entry in report.entries}
        entries = [
            one.model_copy(update={"outcome": outcomes.get(one.document.name, one.outcome)}) for one in seen.entries
        ]
        return _stored(seen.model_copy(update={"entries": tuple(entries), "stored": True}))

    def _take(self, brain: Brain, asked: _Ingest, access: Access, *, dry_run: bool) -> ImportReport:
        try:
            report = brain.importer.take(
                [asked.found],
                at=self._desk.clock(),
                brain=asked.brain,
                form=asked.form,
                strict=asked.strict,
                dry_run=dry_run,
                losses="let go" if asked.rules_may_go else "refuse",
            )
        except RuleLossError as error:
            raise ProblemError("conflict", f"{asked.found.name}: {counted(error.losses)} {WOULD_GO}") from error
        if report.stored and report.entries[0].outcome != "unchanged":
            self._log(access.actor, "ingest", f"{asked.found.name}: {report.entries[0].outcome}")
        return report

    def _refuse_other_brains(self, asked: _Ingest, seen: ImportReport, access: Access) -> None:
        """A token of one brain writes documents of that brain only, and replaces no document of another."""
        written = {entry.document.brain for entry in seen.entries}
        written |= {node.brain for entry in seen.entries for node in entry.document.nodes}
        if not access.may_write(written):
            others = ", ".join(sorted(written - {access.brain}))
            raise ProblemError("forbidden", f"The token is for the brain {access.brain}, the document is of {others}.")
        names = {asked.found.name, *(entry.document.name for entry in seen.entries)}
        names |= {one.document for one in seen.removed}
        owners = {head.name: head.brain for head in self._brain.documents.heads() if head.name in names}
        for name, owner in owners.items():
            if owner != access.brain and owner in self._seen.store.hidden:
                raise ProblemError("conflict", TAKEN_NAME)
            if owner != access.brain:
                raise ProblemError(
                    "forbidden", f"The token is for the brain {access.brain}, the document {name} is of {owner}."
                )

    def remove(
        self,
        writer: Writer,
        name: Name,
        dry_run: Annotated[bool, Query(description="Say what would go; write nothing.")] = False,
        if_match: IfMatch = None,
    ) -> Response:
        """Remove a document from the brain, with its nodes and claims; its versions stay stored.

        The answer says what follows from what the token may see.
        """
        seen = self._seen.remove([name], at=self._desk.clock(), dry_run=True)
        owner = self._seen.documents.get(name).brain
        if not writer.may_write([owner]):
            raise ProblemError("forbidden", f"The token is for the brain {writer.brain}, the document is of {owner}.")
        with self._unchanged(if_match):
            if not dry_run:
                self._brain.remove([name], at=self._desk.clock())
                self._log(writer.actor, "remove", name)
        return ExactJsonResponse({"removed": seen, "stored": not dry_run})

    def verify(
        self,
        writer: Writer,
        ask: Ask,
        as_of: Annotated[IsoDay | None, Query(description="The day to compute for. Default: today.")] = None,
        append: Annotated[
            bool, Query(description="Append a run for a past day too; it never counts as the latest run.")
        ] = False,
        if_match: IfMatch = None,
    ) -> Response:
        """Evaluate all claims for today and append the run to the ledger; flags and notices follow.

        For another day nothing is appended and the run has the id 0, unless a past day comes with `append`.
        """
        at = self._desk.clock()
        if writer.brain is not None:
            raise ProblemError("forbidden", f"A run is of all brains; the token is for the brain {writer.brain}.")
        day = as_of or at.date()
        if append and day > at.date() and not is_present(day, at):
            raise ProblemError("invalid-request", f"append: {day} is in the future")
        if not (append or is_present(day, at)):
            return ExactJsonResponse(self._brain.reports.trial(day, at=at).run, headers=ask.headers())
        with self._unchanged(if_match):
            run = self._brain.verify(day, at=at, clock=self._desk.clock)
            self._log(writer.actor, "verify", f"run {run.id} for {day}")
        return ExactJsonResponse(run, status_code=201, headers={**ask.headers(), "Location": f"/v1/runs/{run.id}"})

    def acknowledge(
        self,
        writer: Writer,
        *,
        claim: ClaimName,
        until: Annotated[IsoDay, Query(description="The day on which notices come again.", examples=["2026-12-01"])],
        comment: Annotated[Words, Query(description="What is being done about it.", examples=["asked the vendor"])],
        by: Annotated[Words, Query(description="Who acknowledges it.", examples=["alice"])],
        if_match: IfMatch = None,
    ) -> Response:
        """Acknowledge the raised flag of a claim: no more notices about it until a day, or until it holds again."""
        self._refuse_other_claims(claim, writer)
        on, flags = self._desk.clock().date(), self._brain.acknowledgements
        with self._unchanged(if_match):
            try:
                found = flags.acknowledge(claim, until=until, comment=comment, by=by, on=on)
            except EndError as error:
                raise ProblemError("invalid-request", str(error)) from error
            except NothingRaisedError as error:
                raise ProblemError("nothing-raised", f"{error}.") from error
            self._log(writer.actor, "acknowledge", f"{claim} until {until} by {by}")
        return ExactJsonResponse(found)

    def unacknowledge(self, writer: Writer, claim: ClaimName, if_match: IfMatch = None) -> Response:
        """End the acknowledgement of a claim: notices about it come again."""
        self._refuse_other_claims(claim, writer)
        with self._unchanged(if_match):
            ended = self._brain.acknowledgements.end(claim)
            if ended:
                self._log(writer.actor, "acknowledge", f"{claim} ended")
        return ExactJsonResponse({"claim": claim, "ended": ended})

    def _refuse_other_claims(self, claim: str, access: Access) -> None:
        """A token of one brain acknowledges claims on nodes of that brain only; a hidden claim does not exist."""
        owner = self._seen.claims.get(claim).node.partition("/")[0]
        if not access.may_write([owner]):
            raise ProblemError("forbidden", f"The token is for the brain {access.brain}, the claim is of {owner}.")

    def audit(
        self,
        access: Annotated[Access, Depends(_admin)],
        ask: Ask,
        limit: Annotated[int, Query(ge=1, le=1000, description="Maximum number of entries."), WHOLE] = 100,
    ) -> Response:
        """Who wrote what and when, the latest first."""
        if access.brain is not None:
            raise ProblemError("forbidden", f"The audit log is of all brains; the token is for {access.brain}.")
        answer = ask.items(self._brain.audit.latest(limit))
        answer.headers["Cache-Control"] = "private, no-store"
        return answer

    @contextmanager
    def _unchanged(self, if_match: str | None) -> Iterator[None]:
        """One transaction, if the store is as it was when one of these tags was given."""
        with self._brain.transaction():
            wanted = "*" if if_match is None else if_match.strip()
            if wanted != "*" and revision_mark(self._brain.revision()) not in _REVISION.findall(wanted):
                raise ProblemError("precondition-failed", KINDS["precondition-failed"].example)
            yield

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
    rules_may_go: bool


def _own_brain(access: Access, asked: _Ingest) -> str:
    """The brain of the token, which a document does not contradict unless the caller names that brain."""
    own = access.brain or ""
    given = asked.brain and as_brain(asked.brain)
    if given not in {None, own}:
        raise ProblemError("forbidden", f"The token is for the brain {own}, not for {asked.brain}.")
    if given is None and (named := declared_brain(asked.found, asked.form, own)):
        said = f"The token is for the brain {own}, the document says that it is of {named}"
        raise ProblemError("forbidden", f"{said}; add brain={own} to store it in {own} all the same.")
    return own


def _stored(report: ImportReport) -> Response:
    status = 201 if report.stored and report.entries[0].outcome == "new" else 200
    return ExactJsonResponse(api_models.import_view(report), status_code=status)


def _refused(report: ImportReport, because: Sequence[Problem] = ()) -> ProblemError:
    """The answer for a document that is not stored, by its own problems or by those that are given."""
    problems = because or report.problems
    shown = problems[0].message if problems else "nothing was read"
    more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
    name = report.entries[0].document.name
    return ProblemError("invalid-document", f"{name}: {shown}{more}; nothing was stored.", problems=problems[:100])


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The routes in their order."""
    of = Writes(desk)
    body = (
        "quota-exceeded",
        "precondition-failed",
        "content-too-large",
        "unsupported-media-type",
        "invalid-document",
        "conflict",
    )
    note = "---\ntitle: A note of one's own\nkind: reading\ntags: [batch]\n---\nA batch costs half.\n"
    takes = tuple((media, note) for media in TAKEN)
    return (
        ApiRoute(
            "/v1/documents",
            of.ingest,
            response_models.ImportView,
            wrong=(*body, "unavailable"),
            method="POST",
            guard=_writer,
            takes=takes,
            status=201,
        ),
        ApiRoute(
            "/v1/documents",
            of.remove,
            response_models.Removed,
            method="DELETE",
            guard=_writer,
            wrong=("not-found", "precondition-failed", "unavailable"),
        ),
        ApiRoute(
            "/v1/runs",
            of.verify,
            response_models.Run,
            wrong=("precondition-failed", "unavailable"),
            method="POST",
            guard=_writer,
            status=201,
        ),
        ApiRoute(
            "/v1/claims/{claim}/acknowledgement",
            of.acknowledge,
            Acknowledgement,
            method="POST",
            guard=_writer,
            wrong=("not-found", "nothing-raised", "precondition-failed", "unavailable"),
        ),
        ApiRoute(
            "/v1/claims/{claim}/acknowledgement",
            of.unacknowledge,
            response_models.AcknowledgementEnded,
            method="DELETE",
            guard=_writer,
            wrong=("not-found", "precondition-failed", "unavailable"),
        ),
        ApiRoute(
            "/v1/audit", of.audit, response_models.Items[AuditEntry], ("json", "csv"), unstored=True, guard=_admin
        ),
    )
