"""The history of an export into a home: the ledger, flags, silences, notices, snapshots and earlier versions."""

from __future__ import annotations

from collections.abc import Sequence

from graph.store import Store
from graph.values import dumps
from ingest.source_files import ExportedHistory


def import_histories(store: Store, histories: Sequence[ExportedHistory]) -> tuple[str, ...]:
    """Import histories within a write transaction; a sentence for each that was left out.

    A ledger is append-only and its runs are numbered, so two ledgers cannot be merged: a history is imported only into
    a home without one. The same history again changes nothing.

    Raises:
        HistoryRowError: a row does not fit its table.
    """
    left = []
    for one in histories:
        if store.history.empty():
            store.history.put(one.sections)
        elif not _same_ledger(store, one):
            runs = len(one.sections.get("runs", ()))
            left.append(
                f"{one.name}: its history ({runs} runs) was not imported, because this home has a history of its own; "
                "ingest it into an empty home"
            )
    return tuple(left)


def _same_ledger(store: Store, history: ExportedHistory) -> bool:
    """Whether the store has every run of a history."""
    held = {dumps(row) for name, rows in store.history.sections() if name == "runs" for row in rows}
    return all(dumps(row) in held for row in history.sections.get("runs", ()))
