"""Tables for flags and silences; `compute.runs` has the rules."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import bindparam, delete, insert, select

from graph.models.alert_models import Flag, Silence
from graph.store.schema import flags, silences
from graph.store.store_part import StorePart

_REMOVE = delete(flags).where(flags.c.claim == bindparam("of_claim"), flags.c.first_run == bindparam("from_run"))


class AlertTables(StorePart):
    """Flags and silences."""

    def put_flags(self, put: Iterable[Flag]) -> None:
        """Store flags; replaces one with the same claim and first run."""
        fresh = {(flag.claim, flag.first_run): flag for flag in put}
        with self._database.writing() as work:
            work.changes = bool(fresh)
            if fresh:
                work.sql.execute(_REMOVE, [{"of_claim": claim, "from_run": run} for claim, run in fresh])
                work.sql.execute(insert(flags), [_flag_row(flag) for flag in fresh.values()])

    def remove_flags(self, gone: Iterable[Flag]) -> None:
        """Delete flags that were never raised."""
        with self._database.writing() as work:
            removed = [
                work.sql.execute(_REMOVE, {"of_claim": flag.claim, "from_run": flag.first_run}).rowcount
                for flag in gone
            ]
            work.changes = any(removed)

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
        wanted = {"claim": claim, "standing": standing, "over": over, "owing": owing}
        query = select(flags.c.body).order_by(flags.c.claim, flags.c.first_run)
        query = query.where(*(flags.c[name] == value for name, value in wanted.items() if value is not None))
        return tuple(map(Flag.model_validate_json, self._values(query)))

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
        return tuple(map(Silence.model_validate_json, self._values(select(silences.c.body).order_by(silences.c.id))))


def _flag_row(flag: Flag) -> dict[str, object]:
    own = {"claim": flag.claim, "first_run": flag.first_run, "standing": flag.standing, "owing": flag.owing}
    return {**own, "over": flag.lowered_at is not None, "body": flag.model_dump_json()}
