"""Which brain an uploaded document goes to if the caller names none, and what a caller for one brain may speak of.

A document never leaves a private brain unasked. A caller for one brain states nothing about notes and claims that it
does not see: they are not there for it, and what it states would be shown to those who see them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from api.services.claim_warnings import claims_without_nodes
from api.services.document_parser import parse
from compute.runs import silence_files
from graph.problems import Problem, Severity
from graph.store.store_errors import UnknownDocumentError
from ingest.text.decoding import as_brain

if TYPE_CHECKING:
    from api.brain import Brain  # which imports the services
    from api.services.import_report import DocumentReport, ImportReport
    from ingest.source_files import SourceFile

UNDECLARED = {"note": None, "terms": "terms"}
"""The formats in which a file can name its brain, and the brain of one that names none; None: that of the caller."""


def held_brain(brain: Brain, name: str) -> str | None:
    """The brain of the document that has this name already."""
    try:
        return brain.documents.get(name).brain
    except UnknownDocumentError:
        return None


def declared_brain(found: SourceFile, form: str | None, own: str) -> str | None:
    """The brain that a file names itself, if it is not `own`."""
    document = parse(found._replace(brain=own), None, form).document
    if document.format not in UNDECLARED or document.brain in {own, UNDECLARED[document.format]}:
        return None
    return document.brain


def doubt(brain: Brain, entry: DocumentReport, held: str | None) -> str | None:
    """Why a document for which no brain was given may be meant for another than it got, in a sentence; None if not.

    `held` is the brain of the document that had the name before.
    """
    name, got = entry.document.name, entry.document.brain
    if held == got:
        return None
    if held is not None and held in brain.brains.private():
        said = f"{name} is a document of the private brain {held}, and this one would be of {got}"
        return f"{said}: add brain={held}, or brain={got} if it is to leave {held}; nothing was stored"
    folder, slash, _ = name.partition("/")
    meant = as_brain(folder) if slash else got
    if meant == got or meant not in brain.brains.private():
        return None
    said = f"{name} begins with the name of the private brain {meant}, and without a brain it would be of {got}"
    return f"{said}: add brain={meant}, or brain={got} if that is meant; nothing was stored"


def unseen_targets(seen: Brain, report: ImportReport, own: str) -> list[Problem]:
    """Why a caller for the brain `own`, who sees only `seen`, may not state what a document of it states.

    A claim may wait for a note of its own brain. On a note of another brain it may be only if that is there to see; and
    a silence may be only of a claim that is.
    """
    found: list[Problem] = []
    for entry in report.entries:
        others = [claim for claim in entry.claims if claim.node and claim.node.partition("/")[0] != own]
        there = {node.id for node in seen.nodes.get_many(claim.node for claim in others)}
        found += claims_without_nodes(others, there)
        found += _unseen_claims(seen, entry)
    return [problem.model_copy(update={"severity": Severity.ERROR}) for problem in found]


def _unseen_claims(seen: Brain, entry: DocumentReport) -> list[Problem]:
    """The silences of a document whose claims are not there."""
    document = entry.document
    if document.format != "silences":
        return []
    named = [silence.claim for silence in silence_files.load(document.name, document.text)[0] if silence.claim]
    known = seen.claims.owners(named)
    return [
        Problem(document=document.name, code="silence-claim", message=f"the claim {name} is not there")
        for name in named
        if name not in known
    ]
