"""Tables for flags, silences and the outbox of notices; `compute.runs` has the rules."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import delete, insert, select

from graph.models.alert_models import Flag, Notice, Silence
from graph.store.database import StorePart
from graph.store.schema import flags, outbox, silences
from graph.store.store_errors import UnknownNoticeError


class AlertTables(StorePart):
    """Flags, silences and notices."""

    def put_flags(self, put: Iterable[Flag]) -> None:
        """Store flags; replaces one with the same claim and first run."""
        rows = [
            {
                "claim": flag.claim,
                "first_run": flag.first_run,
                "standing": flag.standing,
                "over": flag.lowered_at is not None,
                "body": flag.model_dump_json(),
            }
            for flag in put
        ]
        with self._database.writing() as work:
            work.changes = bool(rows)
            for row in rows:
                same = (flags.c.claim == row["claim"]) & (flags.c.first_run == row["first_run"])
                work.sql.execute(delete(flags).where(same))
                work.sql.execute(insert(flags).values(**row))

    def remove_flags(self, gone: Iterable[Flag]) -> None:
        """Delete flags that were never raised."""
        with self._database.writing() as work:
            work.changes = False
            for flag in gone:
                same = (flags.c.claim == flag.claim) & (flags.c.first_run == flag.first_run)
                work.changes = bool(work.sql.execute(delete(flags).where(same)).rowcount) or work.changes

    def flags(
        self, claim: str | None = None, standing: bool | None = None, over: bool | None = None
    ) -> tuple[Flag, ...]:
        """Flags by claim and first run: those that are raised (`standing`), those that are history (`over`)."""
        query = select(flags.c.body).order_by(flags.c.claim, flags.c.first_run)
        for column, wanted in ((flags.c.claim, claim), (flags.c.standing, standing), (flags.c.over, over)):
            if wanted is not None:
                query = query.where(column == wanted)
        with self._database.reading() as sql:
            return tuple(Flag.model_validate_json(body) for body in sql.execute(query).scalars())

    def put_silence(self, silence: Silence) -> None:
        """Store a silence; replaces one with the same id."""
        with self._database.writing() as work:
            work.sql.execute(delete(silences).where(silences.c.id == silence.id))
            work.sql.execute(insert(silences).values(id=silence.id, body=silence.model_dump_json()))

    def remove_silence(self, silence_id: str) -> bool:
        """Delete a silence; False if there is none with that id."""
        with self._database.writing() as work:
            work.changes = bool(work.sql.execute(delete(silences).where(silences.c.id == silence_id)).rowcount)
        return work.changes

    def silences(self) -> tuple[Silence, ...]:
        """All silences by id, also expired ones."""
        with self._database.reading() as sql:
            bodies = sql.execute(select(silences.c.body).order_by(silences.c.id)).scalars()
            return tuple(Silence.model_validate_json(body) for body in bodies)

    def put_notices(self, notices: Iterable[Notice]) -> None:
        """Store notices; replaces one with the same id."""
        rows = [
            {
                "id": notice.id,
                "created_at": notice.created_at,
                "next_try": notice.next_try,
                "delivered_at": notice.delivered_at,
                "body": notice.model_dump_json(),
            }
            for notice in notices
        ]
        with self._database.writing() as work:
            work.changes = bool(rows)
            for row in rows:
                work.sql.execute(delete(outbox).where(outbox.c.id == row["id"]))
                work.sql.execute(insert(outbox).values(**row))

    def due_notices(self, now: datetime) -> tuple[Notice, ...]:
        """The notices that are due for delivery, in the order of creation."""
        query = select(outbox.c.body).where(outbox.c.delivered_at.is_(None), outbox.c.next_try <= now)
        with self._database.reading() as sql:
            bodies = sql.execute(query.order_by(outbox.c.created_at, outbox.c.id)).scalars()
            return tuple(Notice.model_validate_json(body) for body in bodies)

    def notices(self, limit: int = 100, delivered: bool | None = None) -> tuple[Notice, ...]:
        """The notices, the latest first."""
        query = select(outbox.c.body).order_by(outbox.c.created_at.desc(), outbox.c.id.desc()).limit(limit)
        if delivered is not None:
            column = outbox.c.delivered_at
            query = query.where(column.is_not(None) if delivered else column.is_(None))
        with self._database.reading() as sql:
            return tuple(Notice.model_validate_json(body) for body in sql.execute(query).scalars())

    def notice(self, notice_id: str) -> Notice:
        """One notice.

        Raises:
            UnknownNoticeError: no such notice.
        """
        with self._database.reading() as sql:
            body = sql.execute(select(outbox.c.body).where(outbox.c.id == notice_id)).scalar()
        if body is None:
            raise UnknownNoticeError(notice_id)
        return Notice.model_validate_json(body)
