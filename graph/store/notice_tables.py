"""Flags, silences, notices and their deliveries; `compute.runs` has the rules.

    notices      a log that does not depend on receivers
    receivers    each with its cursor: the last notice of the log that was queued for it
    deliveries   one row for a notice and a receiver: pending, delivered or abandoned

A new receiver gets the notices of flags that are still raised, then every later notice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, or_, select, update

from graph.models.alert_models import REMINDER, Flag, Notice, NoticeDelivery, Silence
from graph.store.schema import deliveries, flags, notices, receivers, silences
from graph.store.store_part import StorePart
from graph.values import loads


class Undelivered(NamedTuple):
    """Numbers of deliveries: waiting for the next attempt, and abandoned."""

    queued: int
    given_up: int


class NoticeTables(StorePart):
    """Notices and their deliveries."""

    def put(self, put: Iterable[Notice]) -> None:
        """Append notices to the log, except those with a known id."""
        with self._database.writing() as work:
            work.changes = False
            for notice in put:
                if work.sql.execute(select(notices.c.id).where(notices.c.id == notice.id)).first() is None:
                    work.sql.execute(insert(notices).values(id=notice.id, body=notice.model_dump_json()))
                    work.changes = True

    def latest(self, limit: int = 100) -> tuple[Notice, ...]:
        """The latest notices, newest first."""
        query = select(notices.c.body).order_by(notices.c.serial.desc()).limit(limit)
        return tuple(map(_notice, self._values(query)))

    def queue(self, receiver: str, at: datetime, wanted: Callable[[Notice], bool] | None = None) -> None:
        """Queue new notices, or those of them in `wanted`, for a receiver; `at` is when they are due.

        The first call registers the receiver. Only the newest reminder stays pending.
        """
        with self._database.writing() as work:
            cursor = work.sql.execute(select(receivers.c.cursor).where(receivers.c.id == receiver)).scalar()
            if cursor is None:
                raised = work.sql.execute(select(flags.c.body).where(flags.c.standing)).scalars()
                new = notices.c.id.in_({Flag.model_validate_json(body).notice for body in raised} - {None})
                last = work.sql.execute(select(func.coalesce(func.max(notices.c.serial), 0))).scalar_one()
                work.sql.execute(insert(receivers).values(id=receiver, cursor=last))
            else:
                new = notices.c.serial > cursor
            query = select(notices.c.serial, notices.c.body).where(new).order_by(notices.c.serial)
            owed = [(serial, _notice(body)) for serial, body in work.sql.execute(query)]
            self._queue(work.sql, receiver, [one for one in owed if wanted is None or wanted(one[1])], at)
            if owed:
                last = update(receivers).where(receivers.c.id == receiver, receivers.c.cursor < owed[-1][0])
                work.sql.execute(last.values(cursor=owed[-1][0]))
            work.changes = cursor is None or bool(owed)

    def _queue(self, sql: Connection, receiver: str, owed: list[tuple[int, Notice]], at: datetime) -> None:
        """Add deliveries; the last reminder replaces the pending ones."""
        reminders = [serial for serial, notice in owed if notice.kind == REMINDER]
        for waiting in self.pending(receiver) if reminders else ():
            if waiting.notice.kind == REMINDER:
                sql.execute(delete(deliveries).where(_is(waiting)))
        for serial, notice in owed:
            if notice.kind != REMINDER or serial == reminders[-1]:
                body = _body(NoticeDelivery(receiver=receiver, notice=notice, next_try=at))
                sql.execute(insert(deliveries).values(receiver=receiver, serial=serial, pending=True, body=body))

    def pending(self, receiver: str) -> tuple[NoticeDelivery, ...]:
        """Deliveries to a receiver that are neither done nor abandoned, in the order of the log."""
        return self.deliveries(receiver, pending=True)

    def deliveries(self, receiver: str | None = None, pending: bool | None = None) -> tuple[NoticeDelivery, ...]:
        """Deliveries in the order of the log, of a receiver or all."""
        query = select(deliveries.c.body, notices.c.body).join(notices, notices.c.serial == deliveries.c.serial)
        for column, wanted in ((deliveries.c.receiver, receiver), (deliveries.c.pending, pending)):
            if wanted is not None:
                query = query.where(column == wanted)
        found = self._rows(query.order_by(deliveries.c.serial, deliveries.c.receiver))
        return tuple(NoticeDelivery.model_validate({**loads(own), "notice": _notice(body)}) for own, body in found)

    def undelivered(self) -> Undelivered:
        """Numbers of deliveries queued and given up."""
        lost = or_(*(deliveries.c.body.like(f'%"delivered_at":{gap}null%') for gap in ("", " ")))
        counted = select(deliveries.c.pending, func.count()).where(lost).group_by(deliveries.c.pending)
        found = {bool(pending): int(count) for pending, count in self._rows(counted)}
        return Undelivered(queued=found.get(True, 0), given_up=found.get(False, 0))

    def save(self, *saved: NoticeDelivery) -> None:
        """Store the state of deliveries, all or none."""
        saving = (update(deliveries).where(_is(one)).values(pending=one.pending, body=_body(one)) for one in saved)
        self._change(*saving)


def _notice(body: str) -> Notice:
    return Notice.model_validate_json(body)


def _body(delivery: NoticeDelivery) -> str:
    return delivery.model_dump_json(exclude={"notice"})


def _is(delivery: NoticeDelivery) -> ColumnElement[bool]:
    serial = select(notices.c.serial).where(notices.c.id == delivery.notice.id).scalar_subquery()
    return (deliveries.c.receiver == delivery.receiver) & (deliveries.c.serial == serial)


_REMOVE = delete(flags).where(flags.c.claim == bindparam("of_claim"), flags.c.first_run == bindparam("from_run"))


class AlertTables(StorePart):
    """Flags and silences."""

    def put_flags(self, put: Iterable[Flag]) -> None:
        """Store flags by claim and first run, replacing earlier versions."""
        fresh = {(flag.claim, flag.first_run): flag for flag in put}
        with self._database.writing() as work:
            work.changes = bool(fresh)
            if fresh:
                work.sql.execute(_REMOVE, [{"of_claim": claim, "from_run": run} for claim, run in fresh])
                work.sql.execute(insert(flags), [_flag_row(flag) for flag in fresh.values()])

    def remove_flags(self, gone: Iterable[Flag]) -> None:
        """Delete flags."""
        with self._database.writing() as work:
            keys = [{"of_claim": flag.claim, "from_run": flag.first_run} for flag in gone]
            work.changes = bool(keys) and work.sql.execute(_REMOVE, keys).rowcount > 0

    def flags(
        self,
        claim: str | None = None,
        standing: bool | None = None,
        over: bool | None = None,
        owing: bool | None = None,
    ) -> tuple[Flag, ...]:
        """Flags by claim and first run.

        `standing` ones are raised, `over` ones are history, `owing` ones too, but no notice has reported their end yet.
        """
        wanted = {"claim": claim, "standing": standing, "over": over, "owing": owing}
        query = select(flags.c.body).order_by(flags.c.claim, flags.c.first_run)
        query = query.where(*(flags.c[name] == value for name, value in wanted.items() if value is not None))
        return tuple(map(Flag.model_validate_json, self._values(query)))

    def put_silence(self, silence: Silence) -> None:
        """Store a silence, replacing one with the same id."""
        with self._database.writing() as work:
            work.sql.execute(delete(silences).where(silences.c.id == silence.id))
            work.sql.execute(insert(silences).values(id=silence.id, body=silence.model_dump_json()))

    def remove_silence(self, silence_id: str) -> bool:
        """Delete a silence; False if there is none."""
        return self._change(delete(silences).where(silences.c.id == silence_id))

    def silences(self) -> tuple[Silence, ...]:
        """All silences by id, expired ones too."""
        return tuple(map(Silence.model_validate_json, self._values(select(silences.c.body).order_by(silences.c.id))))


def _flag_row(flag: Flag) -> dict[str, object]:
    own = {"claim": flag.claim, "first_run": flag.first_run, "standing": flag.standing, "owing": flag.owing}
    return {**own, "over": flag.lowered_at is not None, "body": flag.model_dump_json()}
