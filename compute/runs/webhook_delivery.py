"""Delivers notices to webhooks, at least once to each receiver, in the Standard Webhooks format.

    due ─▶ POST, signed ─▶ 2xx: delivered
                       ├─▶ 408, 429, 5xx or no answer: retried a few times at once, then at later runs, without end
                       ├─▶ 410: abandoned
                       └─▶ anything else: the same retries, abandoned after `GIVEN_UP_AFTER` attempts

Each receiver has its own deliveries. The receiver recognises repeats by the `webhook-id`, the same at every attempt.
A notice waits while an earlier one about one of its claims is pending, so a return never arrives before its break.
If no connection can be made, the other notices wait for the next run: a receiver that is away costs one notice a night.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

import httpx
from standardwebhooks.webhooks import Webhook
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from graph.models.alert_models import NoticeDelivery
from graph.values import Value

CONTENT_TYPE = "application/cloudevents+json"
GIVEN_UP_AFTER = 30
"""The number of attempts after which a notice that the receiver rejects is given up."""

_TRANSIENT = frozenset({408, 429})
_LONGEST_PAUSE = timedelta(hours=12)  # shorter than a day, so that every night makes an attempt
_FIRST_PAUSE = timedelta(minutes=5)
_LONGEST_ERROR = 300


class SecretError(ValueError):
    """The webhook's secret cannot be used to sign: it must be `whsec_` and base64."""

    def __init__(self) -> None:
        super().__init__("the webhook's secret is not `whsec_` followed by base64 text")


class Outbox(Protocol):
    """The store of notices and of what each receiver got."""

    def queue(self, receiver: str, at: datetime) -> None:
        """Make the notices that a receiver has not been given yet pending for it."""

    def pending(self, receiver: str) -> tuple[NoticeDelivery, ...]:
        """The pending deliveries to a receiver, the oldest notice first."""

    def save(self, delivery: NoticeDelivery) -> None:
        """Save the state of a delivery."""


class Delivery(Value):
    """The result of one delivery round."""

    delivered: int = 0
    failed: int = 0
    given_up: int = 0
    errors: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """True if nothing failed."""
        return not (self.failed or self.given_up)


class _RefusedError(Exception):
    """The receiver did not answer with success; without any answer `status` is None.

    `away` is True if no connection could be made: nothing else can be sent to it either.
    """

    def __init__(self, said: str, status: int | None = None, *, away: bool = False) -> None:
        super().__init__(said)
        self.status, self.away = status, away

    @property
    def final(self) -> bool:
        """Whether a retry is pointless."""
        return self.status == httpx.codes.GONE

    @property
    def rejected(self) -> bool:
        """Whether the receiver works and rejects this notice."""
        return (
            self.status is not None
            and self.status < httpx.codes.INTERNAL_SERVER_ERROR
            and self.status not in _TRANSIENT
        )


class Webhooks:
    """One receiver. `tries` are made at once, with a pause of `pause` seconds that grows each time."""

    def __init__(
        self,
        url: str,
        secret: str,
        *,
        client: httpx.Client | None = None,
        tries: int = 3,
        pause: float = 1.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Raises `SecretError` if the secret cannot be used to sign."""
        try:
            self._signer = Webhook(secret)
        except Exception as error:  # the library raises whatever base64 does, or a class of its own for an empty one
            raise SecretError from error
        self._url = url
        self._client = client or httpx.Client(timeout=10, follow_redirects=False)
        self._retrying = Retrying(
            stop=stop_after_attempt(tries),
            wait=wait_exponential_jitter(initial=pause, max=30, jitter=pause / 2),
            retry=retry_if_exception(lambda error: isinstance(error, _RefusedError) and not error.final),
            sleep=sleep,
            reraise=True,
        )

    @property
    def receiver(self) -> str:
        """The identity of the receiver: a hash of its address, as the address may hold a secret."""
        return hashlib.sha256(self._url.encode()).hexdigest()[:32]

    def deliver(self, outbox: Outbox, clock: Callable[[], datetime]) -> Delivery:
        """Send all due notices, saving the result of each immediately. Never raises if the receiver fails."""
        outbox.queue(self.receiver, clock())
        done: list[NoticeDelivery] = []
        held: set[str] = set()
        for waiting in outbox.pending(self.receiver):
            found = waiting
            if waiting.next_try is not None and waiting.next_try <= clock() and held.isdisjoint(waiting.notice.claims):
                found, reached = self._send(waiting, clock)
                outbox.save(found)
                done.append(found)
                if not reached:
                    break
            if found.pending:
                held.update(found.notice.claims)
        return _summary(done)

    def _send(self, waiting: NoticeDelivery, clock: Callable[[], datetime]) -> tuple[NoticeDelivery, bool]:
        """The delivery after a round of attempts, and whether a connection could be made."""
        errors: list[str] = []
        try:
            self._retrying(self._post, waiting, clock, errors)
        except _RefusedError as error:
            return _later(waiting, waiting.attempts + len(errors), clock(), error), not error.away
        done = {"attempts": waiting.attempts + len(errors) + 1, "delivered_at": clock(), "next_try": None}
        last_error = errors[-1] if errors else waiting.last_error
        return waiting.model_copy(update={**done, "last_error": last_error}), True

    def _post(self, waiting: NoticeDelivery, clock: Callable[[], datetime], errors: list[str]) -> None:
        """Make one attempt; an error is added to `errors` and raised."""
        now, notice = clock(), waiting.notice
        headers = {
            "content-type": CONTENT_TYPE,
            "webhook-id": notice.id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": self._signer.sign(msg_id=notice.id, timestamp=now, data=notice.body),
        }
        try:
            answer = self._client.post(self._url, content=notice.body.encode(), headers=headers)
        except httpx.HTTPError as error:
            errors.append(f"{type(error).__name__}: {error}"[:_LONGEST_ERROR])
            away = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
            raise _RefusedError(errors[-1], away=away) from error
        if not answer.is_success:
            errors.append(f"{answer.status_code} {answer.reason_phrase}".strip())
            raise _RefusedError(errors[-1], answer.status_code)


def _later(waiting: NoticeDelivery, attempts: int, now: datetime, error: _RefusedError) -> NoticeDelivery:
    """The delivery with the time of its next attempt, or None if given up. The pause doubles every three attempts."""
    doublings = min(attempts // 3, 10)
    pause = min(_FIRST_PAUSE * 2**doublings, _LONGEST_PAUSE)
    given_up = error.final or (error.rejected and attempts >= GIVEN_UP_AFTER)
    next_try = None if given_up else now + pause
    return waiting.model_copy(update={"attempts": attempts, "next_try": next_try, "last_error": str(error)})


def _summary(done: Sequence[NoticeDelivery]) -> Delivery:
    failed = [one for one in done if one.delivered_at is None]
    return Delivery(
        delivered=len(done) - len(failed),
        failed=sum(one.pending for one in failed),
        given_up=sum(not one.pending for one in failed),
        errors=tuple(f"{one.notice.subject}: {one.last_error}" for one in failed),
    )


def total(rounds: Sequence[Delivery]) -> Delivery:
    """The rounds to several receivers as one."""
    return Delivery(
        delivered=sum(one.delivered for one in rounds),
        failed=sum(one.failed for one in rounds),
        given_up=sum(one.given_up for one in rounds),
        errors=tuple(error for one in rounds for error in one.errors),
    )
