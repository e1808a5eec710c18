"""Delivers notices to receivers, at least once to each; a subclass sends them by one kind of channel.

    due ─▶ sent ─▶ accepted: delivered
               ├─▶ no answer, or not now: retried a few times at once, then at later runs, without end
               ├─▶ gone: abandoned
               └─▶ rejected: the same retries, abandoned after `GIVEN_UP_AFTER` attempts

Each receiver has its own deliveries. A notice waits while an earlier one about one of its claims is pending, so a
return never arrives before its break. If no connection can be made, the other notices wait for the next run.
"""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from time import sleep

from graph.models.alert_models import Notice, NoticeDelivery
from graph.store.notice_tables import NoticeTables
from graph.values import Value

GIVEN_UP_AFTER = 30  # attempts at a notice that the receiver rejects
FIRST_RETRY, LONGEST_RETRY = 1.0, 30.0  # seconds between two attempts of one round
LONGEST_ERROR = 300  # characters of an error that are stored

_LONGEST_PAUSE = timedelta(hours=12)  # shorter than a day, so that every night makes an attempt
_FIRST_PAUSE = timedelta(minutes=5)

Check = Callable[[], None]  # raises if this process must stop sending, as another one may be sending
Wanted = Callable[[Notice], bool]  # whether a receiver gets a notice


class Delivery(Value):
    """The result of one delivery round, in notices.

    `failed` and `given_up` were not accepted in this round; `waiting` were not sent, because they failed earlier and
    are not due, or follow a pending one. `next_try` is when the next pending notice is due.
    """

    delivered: int = 0
    failed: int = 0
    given_up: int = 0
    waiting: int = 0
    next_try: datetime | None = None
    errors: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the receivers have every notice that they should get."""
        return not (self.failed or self.given_up or self.waiting)


class RefusedError(Exception):
    """The receiver did not accept a message.

    `away`: no connection, so nothing else can be sent either. `rejected`: it works and rejects this message. `final`: a
    retry is pointless. `unknown`: the connection was lost after sending, so the message may have arrived.
    """

    def __init__(
        self, said: str, *, away: bool = False, rejected: bool = False, final: bool = False, unknown: bool = False
    ) -> None:
        super().__init__(said[:LONGEST_ERROR])
        self.away, self.rejected, self.final, self.unknown = away, rejected, final, unknown


class Receiver(ABC):
    """A receiver; a round makes `tries` attempts with a growing pause.

    `address` identifies it in the store, hashed because it may contain a secret. `wanted` selects its notices. With
    `in_order` nothing is sent after a message that waits for its next attempt.
    """

    tries = 3
    in_order = False

    def __init__(self, address: str, wanted: Wanted | None) -> None:
        self.receiver = hashlib.sha256(address.encode()).hexdigest()[:32]
        self._wanted = wanted

    @abstractmethod
    def post(self, message: Sequence[NoticeDelivery], now: datetime) -> None:
        """Send one of the messages. Raises `RefusedError`."""

    def deliver(self, outbox: NoticeTables, clock: Callable[[], datetime], check: Check = lambda: None) -> Delivery:
        """Send all due notices, saving each result immediately. Never raises if the receiver fails.

        `check` is called before each attempt, and before a failure is saved; what it raises ends the round.
        """
        check()
        outbox.queue(self.receiver, clock(), self._wanted)
        done: list[NoticeDelivery] = []
        held: set[str] = set()
        pending = outbox.pending(self.receiver)
        for message in self._messages(pending):
            found, error = message, None
            claims = {claim for one in message for claim in one.notice.claims}
            if all(is_due(one, clock()) for one in message) and held.isdisjoint(claims):
                found, error = self._send(message, outbox, clock, check)
                done += found
            waits = any(one.pending for one in found)
            if (error is not None and error.away) or (waits and self.in_order):
                break
            held |= claims if waits else set()
        return summary(done, pending, clock())

    def _messages(self, pending: Sequence[NoticeDelivery]) -> list[list[NoticeDelivery]]:
        """The messages to send, in order: one for each notice."""
        return [[one] for one in pending]

    def _under_way(self, message: list[NoticeDelivery]) -> list[NoticeDelivery]:
        """A message as it is stored before it is sent."""
        return message

    def _send(
        self, message: list[NoticeDelivery], outbox: NoticeTables, clock: Callable[[], datetime], check: Check
    ) -> tuple[list[NoticeDelivery], RefusedError | None]:
        """The deliveries of one message after a round of attempts, and the error if it failed.

        Each state is stored before the next one begins. A digest that certainly did not arrive is forgotten.
        """
        check()  # before the message is stored as under way: another process may have sent it
        under_way = self._under_way(message)
        if under_way != message:
            outbox.save(*under_way)
        errors, error = self._attempts(lambda: self.post(under_way, clock()), check)
        arrived = error is None or any(one.unknown for one in errors) or message[0].digest
        kept = {} if arrived else {"digest": None}
        found = [settled(one, errors, clock(), error).model_copy(update=kept) for one in under_way]
        outbox.save(*found)
        return found, error

    def _attempts(self, send: Callable[[], None], check: Check) -> tuple[list[RefusedError], RefusedError | None]:
        """Make a round of attempts: all errors, and the last one unless it succeeded."""
        errors: list[RefusedError] = []
        while True:
            check()
            try:
                send()
            except RefusedError as error:
                errors.append(error)
                if error.final or len(errors) == self.tries:
                    check()  # another process may have sent it meanwhile: this failure must not replace its success
                    return errors, error
            else:
                return errors, None
            jitter = random.uniform(0, FIRST_RETRY / 2)  # noqa: S311  # receivers should not get requests all at once
            sleep(min(FIRST_RETRY * 2 ** (len(errors) - 1) + jitter, LONGEST_RETRY))


def is_due(waiting: NoticeDelivery, now: datetime) -> bool:
    """Whether to try a pending delivery now, also if a clock that was ahead postponed it."""
    return waiting.next_try is not None and not now < waiting.next_try <= now + _LONGEST_PAUSE


def settled(
    waiting: NoticeDelivery, errors: Sequence[RefusedError], now: datetime, error: RefusedError | None
) -> NoticeDelivery:
    """A delivery after a round: delivered, postponed or given up.

    The pause doubles every three attempts.
    """
    if error is None:
        done = {"attempts": waiting.attempts + len(errors) + 1, "delivered_at": now, "next_try": None}
        return waiting.model_copy(update={**done, "last_error": str(errors[-1]) if errors else waiting.last_error})
    attempts = waiting.attempts + len(errors)
    pause = min(_FIRST_PAUSE * 2 ** min(attempts // 3, 10), _LONGEST_PAUSE)
    given_up = error.final or (error.rejected and attempts >= GIVEN_UP_AFTER)
    return waiting.model_copy(
        update={"attempts": attempts, "next_try": None if given_up else now + pause, "last_error": str(error)}
    )


def summary(done: Iterable[NoticeDelivery], pending: Iterable[NoticeDelivery], now: datetime) -> Delivery:
    """The result of a round: the deliveries `done`, of those `pending` when it began."""
    tried = {one.notice.id: one for one in done}
    left = [one for one in pending if one.notice.id not in tried]
    failed = [one for one in tried.values() if one.delivered_at is None]
    later = [one.next_try for one in (*failed, *left) if one.next_try is not None and one.next_try > now]
    return Delivery(
        delivered=len(tried) - len(failed),
        failed=sum(one.pending for one in failed),
        given_up=sum(not one.pending for one in failed),
        waiting=len(left),
        next_try=min(later, default=None),
        errors=tuple(f"{one.notice.subject}: {one.last_error}" for one in failed),
    )


def total(rounds: Sequence[Delivery]) -> Delivery:
    """The rounds to several receivers as one."""
    return Delivery(
        delivered=sum(one.delivered for one in rounds),
        failed=sum(one.failed for one in rounds),
        given_up=sum(one.given_up for one in rounds),
        waiting=sum(one.waiting for one in rounds),
        next_try=min((one.next_try for one in rounds if one.next_try is not None), default=None),
        errors=tuple(error for one in rounds for error in one.errors),
    )
