"""Price snapshots: what a catalogue contained at a time, stored under its hash."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import delete, insert, select, update

from graph.models.query_models import SnapshotRecord
from graph.store.schema import snapshot_brains, snapshots
from graph.store.store_errors import SnapshotMismatchError, UnknownSnapshotError
from graph.store.store_part import StorePart


class SnapshotTables(StorePart):
    """The price snapshots that the runs used."""

    def put(self, digest: str, catalog: str, payload: bytes, at: datetime) -> bool:
        """Store a payload under its SHA-256; False if it is already stored.

        Raises:
            SnapshotMismatchError: the payload has another hash.
        """
        found = hashlib.sha256(payload).hexdigest()
        if found != digest:
            raise SnapshotMismatchError(digest, found)
        with self._database.writing() as work:
            known = work.sql.execute(select(snapshots.c.hash).where(snapshots.c.hash == digest)).first()
            work.changes = known is None
            if work.changes:
                packed = zlib.compress(payload, 6)
                row = {"hash": digest, "catalog": catalog, "created_at": at, "size": len(payload), "payload": packed}
                work.sql.execute(insert(snapshots).values(**row))
        return work.changes

    def put_brains(self, digest: str, brains: Iterable[str]) -> None:
        """Store that a snapshot contains what documents of these brains say."""
        with self._database.writing() as work:
            query = select(snapshot_brains.c.brain).where(snapshot_brains.c.hash == digest)
            new = sorted(set(brains) - set(work.sql.execute(query).scalars()))
            work.changes = bool(new)
            if new:
                work.sql.execute(insert(snapshot_brains), [{"hash": digest, "brain": brain} for brain in new])

    def assign(self, digest: str, catalog: str, instead_of: str) -> None:
        """Give a snapshot of the catalogue `instead_of` to another catalogue."""
        same = (snapshots.c.hash == digest) & (snapshots.c.catalog == instead_of)
        with self._database.writing() as work:
            found = work.sql.execute(update(snapshots).where(same).values(catalog=catalog))
            work.changes = bool(found.rowcount)

    def remove(self, digest: str, catalog: str) -> None:
        """Remove a snapshot of a catalogue."""
        same = (snapshots.c.hash == digest) & (snapshots.c.catalog == catalog)
        with self._database.writing() as work:
            work.changes = bool(work.sql.execute(delete(snapshots).where(same)).rowcount)

    def get(self, digest: str) -> bytes:
        """The payload of a snapshot.

        Raises:
            UnknownSnapshotError: no such snapshot.
        """
        packed = self._value(select(snapshots.c.payload).where(snapshots.c.hash == digest))
        if packed is None:
            raise UnknownSnapshotError(digest)
        return zlib.decompress(packed)

    def all(self, *catalogs: str) -> tuple[SnapshotRecord, ...]:
        """The snapshots of these catalogues, or of all, the latest first."""
        query = select(snapshots.c.hash, snapshots.c.catalog, snapshots.c.created_at, snapshots.c.size)
        if catalogs:
            query = query.where(snapshots.c.catalog.in_(catalogs))
        return self._models(SnapshotRecord, query.order_by(snapshots.c.created_at.desc(), snapshots.c.hash))
