"""What an ingest would do to each document, for a dry run: the same outcomes and changes, and nothing is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from api.services.import_report import DocumentReport, Move, Outcome
from api.services.rule_documents import RULES
from graph.models.document_models import Changes
from graph.store import Store


def forecast(
    entries: Sequence[DocumentReport], moves: Iterable[Move], known: Mapping[str, str], store: Store, at: datetime
) -> tuple[DocumentReport, ...]:
    """The entries with the changes and outcomes that storing them would have; those left out stay as they are.

    `known` are the hashes of the documents of the store. Claims count as changed where their document did.
    """
    taken = [entry for entry in entries if entry.outcome != "left out"]
    changes = store.documents.compared([entry.document for entry in taken], at)
    done = {
        entry.document.name: entry.model_copy(update={"changes": one, "outcome": outcome_of(entry, one, known)})
        for entry, one in zip(taken, changes, strict=True)
    }
    return with_moves((done.get(entry.document.name, entry) for entry in entries), moves)


def outcome_of(
    entry: DocumentReport, changes: Changes, known: Mapping[str, str], rules: Changes | None = None
) -> Outcome:
    """What becomes of a document, by the changes of its nodes and of its claims."""
    document = entry.document
    if document.name not in known:
        return "new"
    edited = document.format in RULES and known[document.name] != document.sha256
    same = changes.nothing and (rules is None or rules.nothing) and not edited
    return "unchanged" if same else "changed"


def with_moves(entries: Iterable[DocumentReport], moves: Iterable[Move]) -> tuple[DocumentReport, ...]:
    """The entries, those of files that were moved or renamed with that outcome."""
    how = {move.document: move.how for move in moves}
    return tuple(
        entry.model_copy(update={"outcome": how[entry.document.name]})
        if entry.outcome == "new" and entry.document.name in how
        else entry
        for entry in entries
    )
