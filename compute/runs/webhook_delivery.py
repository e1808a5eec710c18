"""Receivers over HTTP: webhooks in the Standard Webhooks format, and the messages of ntfy, Slack and Mattermost.

    2xx            delivered
    408, 429, 5xx  retried without end
    410            abandoned
    anything else  rejected

A receiver of Standard Webhooks recognises repeats by the `webhook-id`, the same at every attempt. The others have no
such field: if the process is killed between their answer and its record, the message is sent once more.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import httpx
from standardwebhooks.webhooks import Webhook

from compute.runs.chat_messages import CHATS
from compute.runs.notice_delivery import Receiver, RefusedError
from graph.models.alert_models import Notice
from graph.values import dumps

CONTENT_TYPE = "application/cloudevents+json"

_TRANSIENT = frozenset({408, 429})
_SECONDS = 10


class SecretError(ValueError):
    """The webhook's secret cannot be used to sign: it must be `whsec_` and base64."""

    def __init__(self) -> None:
        super().__init__("the webhook's secret is not `whsec_` followed by base64 text")


class HttpReceiver(Receiver):
    """A receiver that takes each notice as one POST."""

    def __init__(self, address: str, url: str, *, client: httpx.Client | None = None, **rest: Any) -> None:  # noqa: ANN401  # the options of `Receiver`
        super().__init__(address, **rest)
        self._url = url
        self._client = client or httpx.Client(timeout=_SECONDS, follow_redirects=False)

    def send(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        """Make one request. Raises `RefusedError` for every answer but success."""
        try:
            answer = self._client.post(url, content=body, headers=dict(headers))
        except httpx.HTTPError as error:
            away = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
            raise RefusedError(f"{type(error).__name__}: {error}", away=away) from error
        if not answer.is_success:
            status = answer.status_code
            rejected = status < httpx.codes.INTERNAL_SERVER_ERROR and status not in _TRANSIENT
            said = f"{status} {answer.reason_phrase}".strip()
            raise RefusedError(said, rejected=rejected, final=status == httpx.codes.GONE)


class Webhooks(HttpReceiver):
    """A receiver of Standard Webhooks."""

    def __init__(self, url: str, secret: str, **rest: Any) -> None:  # noqa: ANN401  # the options of `HttpReceiver`
        """Raises `SecretError` if the secret cannot be used to sign."""
        super().__init__(url, url, **rest)
        try:
            self._signer = Webhook(secret)
        except Exception as error:  # the library raises whatever base64 does, or a class of its own for an empty one
            raise SecretError from error

    def post(self, notice: Notice, now: datetime) -> None:
        """Send one notice, signed."""
        headers = {
            "content-type": CONTENT_TYPE,
            "webhook-id": notice.id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": self._signer.sign(msg_id=notice.id, timestamp=now, data=notice.body),
        }
        self.send(self._url, notice.body.encode(), headers)


class Chat(HttpReceiver):
    """A receiver of the messages of ntfy, Slack or Mattermost; `kind` is a key of `CHATS`."""

    def __init__(self, kind: str, url: str, **rest: Any) -> None:  # noqa: ANN401  # the options of `HttpReceiver`
        super().__init__(f"{kind}+{url}", url, **rest)
        self._message = CHATS[kind]

    def post(self, notice: Notice, now: datetime) -> None:  # noqa: ARG002  # the signature of the class above
        """Send one notice as a message."""
        url, message = self._message(notice, self._url)
        self.send(url, dumps(message).encode(), {"content-type": "application/json"})
