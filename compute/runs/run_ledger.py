"""Stores the snapshot and the documents that runs are computed from, so that they can be recomputed.

    catalogues ─▶ snapshot (by hash)  ┐
    documents  ─▶ manifest (by hash)  ├─▶ one transaction ─▶ run
    rows, one by one                  ┘

Snapshots and manifests are stored once, however many runs refer to them. Recomputing a run from them gives the same
rows byte for byte; `compare` lists differences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime

from compute.prices.snapshots import Snapshot
from graph.models.query_models import DocumentHead, DocumentRecord
from graph.models.verdict_models import RunPart, VerdictRow
from graph.store import Store
from graph.values import Value, dumps, loads

MANIFESTS, BOOKS = "manifest", "book"  # kinds of snapshots in the store: a run's documents and catalogues


class ManifestError(Exception):
    """A manifest cannot be read, or lists a document that the store no longer has."""

    def __init__(self, digest: str, cause: str) -> None:
        super().__init__(f"the documents of the run (manifest {digest[:12]}) cannot be read: {cause}")


class RunDifference(Value):
    """A recomputed row that differs from the stored one; None if one side lacks the claim."""

    claim: str
    kept: VerdictRow | None
    again: VerdictRow | None


def manifest(documents: Iterable[DocumentHead | DocumentRecord]) -> Snapshot:
    """The manifest of the documents of a run, independent of their order."""
    return Snapshot.of({"documents": sorted([one.name, one.format, one.sha256] for one in documents)})


def documents_of(store: Store, digest: str) -> Iterator[DocumentRecord]:
    """The documents of a manifest with their texts at that time.

    Raises:
        ManifestError: it cannot be read.
        UnknownSnapshotError: the store has no such manifest.
        UnknownDocumentError: a document is gone from the store.
    """
    text = store.snapshots.get(digest)
    if not Snapshot(digest=digest, text=text).sound:
        raise ManifestError(digest, "its content has changed")
    try:
        listed = [(name, sha256) for name, _, sha256 in loads(text)["documents"]]
    except (ValueError, KeyError, TypeError) as error:
        raise ManifestError(digest, str(error)) from error
    for name, sha256 in listed:
        yield store.documents.get(name, sha256)


def store_inputs(
    store: Store,
    inputs: Iterable[tuple[str, Snapshot, Snapshot]],
    at: datetime,
    brains: Mapping[str, Collection[str]] | None = None,
) -> list[RunPart]:
    """Stores the snapshot and the manifest of the claims of each brain, and returns what a run names of them.

    `brains` maps the hash of a snapshot or manifest to the brains whose documents are in it.
    """
    parts = []
    with store.transaction():
        for brain, book, documents in inputs:
            store.snapshots.put(book.digest, BOOKS, book.text, at)
            store.snapshots.put(documents.digest, MANIFESTS, documents.text, at)
            parts.append(RunPart(brain=brain, snapshot=book.digest, rules=documents.digest))
        for digest, names in (brains or {}).items():
            store.snapshots.put_brains(digest, names)
    return parts


def compare(kept: Iterable[VerdictRow], again: Iterable[VerdictRow]) -> tuple[RunDifference, ...]:
    """The byte-for-byte differences between two versions of a run, in claim order: 2 and 2.0 differ."""
    old, new = ({row.claim: row for row in rows} for rows in (kept, again))
    return tuple(
        RunDifference(claim=claim, kept=old.get(claim), again=new.get(claim))
        for claim in sorted(old.keys() | new.keys())
        if dumps(old.get(claim)) != dumps(new.get(claim))
    )
