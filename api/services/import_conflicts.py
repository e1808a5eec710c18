"""Files of a folder that define what another document defines already: they are left out with an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from api.services.import_report import DocumentReport
from graph.models.claim_models import Claim
from graph.problems import Problem, Severity
from graph.store import Store


def conflicts(
    entries: Sequence[DocumentReport], others: Mapping[str, str], store: Store, gone: frozenset[str]
) -> dict[str, Problem]:
    """The first conflict of each file of a folder with an earlier one, or with a document that stays, by its name.

    `others` are the nodes that this ingest does not touch, with their documents; `gone` the documents that it removes.
    """
    fresh = gone | {entry.document.name for entry in entries}
    ids = [claim.id for entry in entries for claim in entry.claims]
    claims = {claim: owner for claim, owner in store.claims.owners(ids).items() if owner not in fresh}
    nodes = {node.id: others[node.id] for entry in entries for node in entry.document.nodes if node.id in others}
    found: dict[str, Problem] = {}
    for entry in entries:
        problem = _node(entry, nodes) or _claim(entry, claims)
        if problem and entry.in_folder:
            found[entry.document.name] = problem
            continue
        nodes |= {node.id: entry.document.name for node in entry.document.nodes}
        claims |= {claim.id: entry.document.name for claim in entry.claims}
    return found


def _node(entry: DocumentReport, owners: Mapping[str, str]) -> Problem | None:
    name = entry.document.name
    taken = next((node for node in entry.document.nodes if owners.get(node.id, name) != name), None)
    if taken is None:
        return None
    message = f"{owners[taken.id]} has the node {taken.id} already"
    return _problem(entry, taken.provenance.first_line, "node-taken", message)


def _claim(entry: DocumentReport, owners: Mapping[str, str]) -> Problem | None:
    seen: dict[str, Claim] = {}
    for claim in entry.claims:
        line = claim.place.line if claim.place else None
        if claim.id in seen:
            return _problem(entry, line, "claim-twice", f"the claim {claim.id} is stated twice")
        if owners.get(claim.id, entry.document.name) != entry.document.name:
            return _problem(entry, line, "claim-taken", f"{owners[claim.id]} has the claim {claim.id} already")
        seen[claim.id] = claim
    return None


def _problem(entry: DocumentReport, line: int | None, code: str, message: str) -> Problem:
    lines = entry.document.text.split("\n")
    return Problem(
        document=entry.document.name,
        line=line,
        severity=Severity.ERROR,
        code=code,
        message=message,
        text=lines[line - 1] if line and line <= len(lines) else None,
        hint="give one of them another id, or delete it",
    )
