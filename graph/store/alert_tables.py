"""Tables for flags and silences; `compute.runs` has the rules."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import bindparam, delete, insert, select

from graph.models.alert_models import Flag, Silence
from graph.store.database import StorePart
from graph.store.schema import flags, silences

_REMOVED = delete(flags).where((flags.c.claim == bindparam("of_claim")) & (flags.c.first_run == bindparam("from_run")))
"""The statement that deletes a flag."""


class AlertTables(StorePart):
    """Flags and silences."""

    def put_flags(self, put: Iterable[Flag]) -> None:
        """Store flags; replaces one with the same claim and first run."""
        rows = {
            (flag.claim, flag.first_run): {
                "claim": flag.claim,
                "first_run": flag.first_run,
                "standing": flag.standing,
                "over": flag.lowered_at is not None,
                "owing": flag.owing,
                "body": flag.model_dump_json(),
            }
            for flag in put
        }
        with self._database.writing() as work:
            work.changes = bool(rows)
            if rows:
                work.sql.execute(_REMOVED, [{"of_claim": claim, "from_run": run} for claim, run in rows])
                work.sql.execute(insert(flags), [*rows.values()])

    def remove_flags(self, gone: Iterable[Flag]) -> None:
        """Delete flags that were never raised."""
        with self._database.writing() as work:
            work.changes = False
            for flag in gone:
                gone_now = work.sql.execute(_REMOVED, {"of_claim": flag.claim, "from_run": flag.first_run}).rowcount
                work.changes = bool(gone_now) or work.changes

    def flags(
        self,
        claim: str | None = None,
        standing: bool | None = None,
        over: bool | None = None,
        owing: bool | None = None,
    ) -> tuple[Flag, ...]:
        """Flags by claim and first run.

        `standing` selects those that are raised, `over` those that are history, `owing` those that are history and
        whose end no notice has reported yet.
        """
        query = select(flags.c.body).order_by(flags.c.claim, flags.c.first_run)
        asked = ((flags.c.claim, claim), (flags.c.standing, standing), (flags.c.over, over), (flags.c.owing, owing))
        for column, wanted in asked:
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
