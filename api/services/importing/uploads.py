"""Documents that come over HTTP: what a caller may store, in which brain, and what it sees of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from api.services.access import Access
from api.services.claim_quotes import claims_without_nodes
from api.services.importing.document_importer import ImportOptions
from api.services.importing.documents import DocumentReport, ImportReport, parse
from graph.problems import Problem, Severity
from graph.store.store_errors import ConflictError
from graph.text.counts import many
from ingest.source_files import SourceFile
from ingest.text.decoding import as_brain

if TYPE_CHECKING:
    from api.brain import Brain  # loads every package

UNDECLARED = {"note": None, "terms": "terms"}
"""The formats in which a file can name its brain, and the brain of one that names none; None: that of the caller."""

TAKEN_NAME = (
    "The name of the document, of a node or of a claim in it cannot be used; choose another. Nothing was stored."
)
"""The message if the other one belongs to a private brain that the caller may not read."""


class UploadError(Exception):
    """A document is not stored; the message says why."""

    def __init__(
        self,
        kind: Literal["forbidden", "conflict", "invalid-request", "invalid-document"],
        reason: str,
        problems: Sequence[Problem] = (),
    ) -> None:
        super().__init__(reason)
        self.kind, self.problems = kind, problems


def foreign(access: Access, why: str) -> UploadError:
    """The error of a token that writes to another brain than its own."""
    return UploadError("forbidden", f"The token is for the brain {access.brain}, {why}.")


@dataclass(frozen=True)
class Uploader:
    """Stores documents for a caller with `access` who reads `seen`.

    `take` imports a document into a brain, `unchanged` is the transaction in which it is stored.
    """

    seen: Brain
    access: Access
    take: Callable[[Brain, SourceFile, ImportOptions], ImportReport]
    unchanged: Callable[[], AbstractContextManager[None]]

    def ingest(self, found: SourceFile, options: ImportOptions) -> ImportReport:
        """Store a document; its caller must name the brain if another may be meant. Raises `UploadError`."""
        if self.access.brain is not None:
            return self._ingest_own(found, options)
        with self.unchanged():
            held = next((head.brain for head in self.seen.whole.documents.heads_of([found.name])), None)
            report = self.take(self.seen.whole, found._replace(brain=held), options)
            for entry in report.entries if options.brain is None and not report.refused else ():
                if said := doubt(self.seen.whole, entry, held):
                    raise UploadError("invalid-request", f"query.brain: {said}.")
        if not report.stored and not options.dry_run:
            raise _refused(report)
        return report

    def _ingest_own(self, found: SourceFile, options: ImportOptions) -> ImportReport:
        """As `ingest` for a token of one brain; the report shows only what the token may see."""
        own = self._own_brain(found, options.brain, options.form)
        options = replace(options, brain=own)
        seen = self.take(self.seen, found, replace(options, dry_run=True))
        if any(entry.refused for entry in seen.entries):
            raise _refused(seen)
        self._refuse_other_brains(found.name, seen)
        if unseen := unseen_targets(self.seen, seen, own):
            raise _refused(seen, unseen)
        if options.dry_run:
            return seen
        try:
            with self.unchanged():
                report = self.take(self.seen.whole, found, options)
                if not report.stored:
                    raise UploadError("conflict", TAKEN_NAME)
        except ConflictError:
            raise UploadError("conflict", TAKEN_NAME) from None
        outcomes = {entry.document.name: entry.outcome for entry in report.entries}
        for one in seen.entries:
            one.outcome = outcomes.get(one.document.name, one.outcome)
        seen.stored = True
        return seen

    def _own_brain(self, found: SourceFile, brain: str | None, form: str | None) -> str:
        """The brain of the token; a document names another only if the caller names the token's."""
        own = self.access.brain or ""
        given = brain and as_brain(brain)
        if given not in {None, own}:
            raise UploadError("forbidden", f"The token is for the brain {own}, not for {brain}.")
        if given is None:
            document = parse(found._replace(brain=own), None, form).document
            if document.format in UNDECLARED and document.brain not in {own, UNDECLARED[document.format]}:
                said = f"the document names the brain {document.brain}; add brain={own} to store it in {own} anyway"
                raise foreign(self.access, said)
        return own

    def _refuse_other_brains(self, name: str, seen: ImportReport) -> None:
        """A token of one brain writes and replaces documents of that brain only."""
        own = self.access.brain
        written = {entry.document.brain for entry in seen.entries}
        written |= {node.brain for entry in seen.entries for node in entry.document.nodes}
        if not self.access.may_write(written):
            raise foreign(self.access, f"the document belongs to {', '.join(sorted(written - {own}))}")
        names = {name, *(entry.document.name for entry in seen.entries), *(one.document for one in seen.removed)}
        for head in self.seen.whole.documents.heads_of(names):
            if head.brain != own and head.brain in self.seen.store.hidden:
                raise UploadError("conflict", TAKEN_NAME)
            if not self.access.may_write([head.brain]):
                raise foreign(self.access, f"the document {head.name} belongs to {head.brain}")


def _refused(report: ImportReport, because: Sequence[Problem] = ()) -> UploadError:
    """The error of a document that is not stored, by its own problems or the given ones."""
    problems = because or report.problems
    shown = problems[0].message if problems else "nothing was read"
    more = f"; {many(len(problems) - 1, 'more problem')}" if len(problems) > 1 else ""
    where = problems[0].where() if problems else report.entries[0].document.name
    return UploadError("invalid-document", f"{where}: {shown}{more}; nothing was stored.", problems[:100])


def doubt(brain: Brain, entry: DocumentReport, held: str | None) -> str | None:
    """Why a document may be meant for another brain than it got, such as `held`, its earlier one; None if not."""
    name, got = entry.document.name, entry.document.brain
    if held == got:
        return None
    if held is not None and held in brain.brains.private():
        said = f"{name} is a document of the private brain {held}, and this one would belong to {got}"
        return f"{said}: add brain={held}, or brain={got} if it is to leave {held}; nothing was stored"
    folder, slash, _ = name.partition("/")
    meant = as_brain(folder) if slash else got
    if meant == got or meant not in brain.brains.private():
        return None
    said = f"{name} begins with the name of the private brain {meant}, but without brain= it would belong to {got}"
    return f"{said}: add brain={meant}, or brain={got} if that is meant; nothing was stored"


def unseen_targets(seen: Brain, report: ImportReport, own: str) -> list[Problem]:
    """Why a caller for the brain `own`, who can read only `seen`, may not store a document.

    A claim may wait for a note of its own brain. One on a note of another brain needs a note that the caller can
    read; a silence such a claim.
    """
    found: list[Problem] = []
    for entry in report.entries:
        others = [claim for claim in entry.claims if claim.node and claim.node.partition("/")[0] != own]
        there = {node.id for node in seen.nodes.get_many(claim.node for claim in others)}
        found += claims_without_nodes(others, there)
        name = entry.document.name
        named = [one.claim for one in entry.rules if entry.document.format == "silences" and one.claim]
        known = seen.claims.owners(named)
        lost = (f"the claim {claim} does not exist" for claim in named if claim not in known)
        found += (Problem(document=name, code="silence-claim", message=message) for message in lost)
    return [problem.model_copy(update={"severity": Severity.ERROR}) for problem in found]
