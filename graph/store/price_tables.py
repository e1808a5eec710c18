"""Price snapshots by hash, and observed prices: the differences between successive snapshots."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from datetime import date, datetime

from sqlalchemy import delete, insert, select, update

from graph.models.query_models import SnapshotRecord
from graph.store.schema import seen_prices, snapshot_brains, snapshots, stated_cards
from graph.store.store_errors import SnapshotMismatchError, UnknownSnapshotError
from graph.store.store_part import StorePart
from graph.values import Value


class SnapshotTables(StorePart):
    """The price snapshots of the runs."""

    def put(self, digest: str, catalog: str, payload: bytes, at: datetime) -> bool:
        """Store a payload; False if it is there. Raises `SnapshotMismatchError` if `digest` is not its SHA-256."""
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
        """Store that documents of these brains are in a snapshot."""
        self._put_rows(snapshot_brains.c.hash, [digest], ((digest, brain) for brain in brains), keep=True)

    def assign(self, digest: str, catalog: str, instead_of: str) -> None:
        """Move a snapshot from the catalogue `instead_of` to another."""
        same = (snapshots.c.hash == digest) & (snapshots.c.catalog == instead_of)
        self._change(update(snapshots).where(same).values(catalog=catalog))

    def remove(self, digest: str, catalog: str) -> None:
        """Remove a snapshot of a catalogue."""
        self._change(delete(snapshots).where(snapshots.c.hash == digest, snapshots.c.catalog == catalog))

    def get(self, digest: str) -> bytes:
        """The payload of a snapshot. Raises `UnknownSnapshotError` if there is none."""
        packed = self._value(select(snapshots.c.payload).where(snapshots.c.hash == digest))
        if packed is None:
            raise UnknownSnapshotError(digest)
        return zlib.decompress(packed)

    def all(self, *catalogs: str) -> tuple[SnapshotRecord, ...]:
        """Snapshots of these catalogues or all, the latest first."""
        query = select(snapshots.c.hash, snapshots.c.catalog, snapshots.c.created_at, snapshots.c.size)
        if catalogs:
            query = query.where(snapshots.c.catalog.in_(catalogs))
        return self._models(SnapshotRecord, query.order_by(snapshots.c.created_at.desc(), snapshots.c.hash))


class ObservedPrice(Value):
    """A price that a catalogue stated from `first_seen` to `last_seen`, both included.

    `statement` identifies what is stated, `body` is the price as JSON, `replaced` is the first day without it. Without
    `last_seen` the catalogue still states it, but did not from the beginning.
    """

    catalog: str
    statement: str
    first_seen: date
    last_seen: date | None = None
    replaced: date | None = None
    body: str

    def until(self, today: date) -> ObservedPrice:
        """The same with no day after today, as if the clock had not been ahead."""
        days = {"first_seen": self.first_seen, "last_seen": self.last_seen, "replaced": self.replaced}
        late = {name: today for name, day in days.items() if day is not None and day > today}
        return self.model_copy(update=late) if late else self


_STATED = select(*(seen_prices.c[name] for name in ObservedPrice.model_fields)).order_by(
    seen_prices.c.first_seen, seen_prices.c.id
)


class ObservedPriceTables(StorePart):
    """Prices that were added to catalogues or removed from them."""

    def past(self) -> tuple[ObservedPrice, ...]:
        """Prices that their catalogue no longer states, the earliest first."""
        return self._models(ObservedPrice, _STATED.where(seen_prices.c.last_seen.is_not(None)))

    def current(self, catalog: str | None = None) -> tuple[ObservedPrice, ...]:
        """Prices that a catalogue, or any, states and did not from the beginning."""
        query = _STATED.where(seen_prices.c.last_seen.is_(None))
        return self._models(ObservedPrice, query if catalog is None else query.where(seen_prices.c.catalog == catalog))

    def add(self, rows: Iterable[ObservedPrice]) -> None:
        """Add rows."""
        with self._database.writing() as work:
            listed = [row.model_dump() for row in rows]
            work.changes = bool(listed)
            if listed:
                work.sql.execute(insert(seen_prices), listed)

    def clear(self) -> None:
        """Remove all rows; they can be derived from the snapshots."""
        self._change(delete(seen_prices))

    def put_cards(self, brain: str, stated: Iterable[tuple[str, str]]) -> None:
        """Add prices (catalogue, statement) that documents of a brain state."""
        self._put_rows(stated_cards.c.brain, [brain], ((*statement, brain) for statement in stated), keep=True)

    def correct(self, catalog: str, wrong: date, right: date) -> None:
        """Correct a day on which a catalogue was observed, in all rows."""
        days = (seen_prices.c.first_seen, seen_prices.c.last_seen, seen_prices.c.replaced)
        correcting = update(seen_prices).where(seen_prices.c.catalog == catalog)
        self._change(*(correcting.where(day == wrong).values({day: right}) for day in days))

    def close(self, row: ObservedPrice) -> None:
        """End the row of a price that is no longer stated, or add one if there is none."""
        with self._database.writing() as work:
            same = (seen_prices.c.catalog == row.catalog) & (seen_prices.c.statement == row.statement)
            ending = update(seen_prices).where(same, seen_prices.c.last_seen.is_(None))
            if not work.sql.execute(ending.values(last_seen=row.last_seen, replaced=row.replaced)).rowcount:
                work.sql.execute(insert(seen_prices).values(**row.model_dump()))
