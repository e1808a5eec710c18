"""Delivers notices from the outbox to a webhook, at least once, in the Standard Webhooks format.

    due ─▶ POST, signed ─▶ 2xx: delivered
                       └─▶ anything else: retried a few times at once, then at later runs, with growing intervals

A notice stays in the outbox until it is delivered or given up, with its last error. The receiver recognises repeats by
the `webhook-id`, the same at every attempt. After a 410 response, Brain does not retry.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

import httpx
from standardwebhooks.webhooks import Webhook
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from graph.models.alert_models import Notice
from graph.values import Value

CONTENT_TYPE = "application/cloudevents+json"
GIVEN_UP_AFTER = 30
"""The number of attempts after which a notice is given up."""

_LONGEST_PAUSE = timedelta(hours=24)
_FIRST_PAUSE = timedelta(minutes=5)
_LONGEST_ERROR = 300


class SecretError(ValueError):
    """The webhook's secret cannot be used to sign: it must be `whsec_` and base64."""

    def __init__(self) -> None:
        super().__init__("the webhook's secret is not `whsec_` followed by base64 text")


class Outbox(Protocol):
    """The store of notices to deliver."""

    def due_notices(self, now: datetime) -> tuple[Notice, ...]:
        """The notices whose next attempt is due, the oldest first."""

    def put_notices(self, notices: Sequence[Notice]) -> None:
        """Save notices, replacing those with the same id."""


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
    """The receiver could not be reached or did not answer with success; `final` if a retry is pointless."""

    def __init__(self, said: str, *, final: bool = False) -> None:
        super().__init__(said)
        self.final = final


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

    def deliver(self, outbox: Outbox, clock: Callable[[], datetime]) -> Delivery:
        """Send all due notices, saving the result of each immediately. Never raises if the receiver fails."""
        done: list[Notice] = []
        for notice in outbox.due_notices(clock()):
            done.append(self._send(notice, clock))
            outbox.put_notices(done[-1:])
        failed = [notice for notice in done if notice.delivered_at is None]
        return Delivery(
            delivered=len(done) - len(failed),
            failed=sum(notice.next_try is not None for notice in failed),
            given_up=sum(notice.next_try is None for notice in failed),
            errors=tuple(f"{notice.subject}: {notice.last_error}" for notice in failed),
        )

    def _send(self, notice: Notice, clock: Callable[[], datetime]) -> Notice:
        """The notice after a round of attempts: delivered, waiting for a later round, or given up."""
        errors: list[str] = []
        try:
            self._retrying(self._post, notice, clock, errors)
        except _RefusedError as error:
            return _later(notice, notice.attempts + len(errors), clock(), str(error), final=error.final)
        return notice.model_copy(
            update={
                "attempts": notice.attempts + len(errors) + 1,
                "delivered_at": clock(),
                "next_try": None,
                "last_error": errors[-1] if errors else notice.last_error,
            }
        )

    def _post(self, notice: Notice, clock: Callable[[], datetime], errors: list[str]) -> None:
        """Make one attempt; an error is added to `errors` and raised."""
        now = clock()
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
            raise _RefusedError(errors[-1]) from error
        if not answer.is_success:
            errors.append(f"{answer.status_code} {answer.reason_phrase}".strip())
            raise _RefusedError(errors[-1], final=answer.status_code == httpx.codes.GONE)


def _later(notice: Notice, attempts: int, now: datetime, error: str, *, final: bool) -> Notice:
    """The notice with the time of its next attempt, or None if given up. The pause doubles every three attempts."""
    doublings = min(attempts // 3, 10)
    pause = min(_FIRST_PAUSE * 2**doublings, _LONGEST_PAUSE)
    next_try = now + pause if attempts < GIVEN_UP_AFTER and not final else None
    return notice.model_copy(update={"attempts": attempts, "next_try": next_try, "last_error": error})
