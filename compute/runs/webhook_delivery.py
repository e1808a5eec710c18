"""Receivers over HTTP: webhooks in the Standard Webhooks format, and the messages of ntfy, Slack and Mattermost.

    2xx            delivered
    408, 429, 5xx  retried without end
    410            abandoned
    anything else  rejected

A receiver of Standard Webhooks recognises repeats by the `webhook-id`, the same at every attempt. The others have no
such field: if the process is killed between their answer and its record, the message is sent once more.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http
import http.client
import urllib.error
import urllib.request
from collections.abc import Mapping
from datetime import datetime
from typing import Any

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


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Leaves a redirect as the error that it is: a notice goes to its own address only."""

    def redirect_request(self, *_: object) -> None:
        """No request is made."""


_OPENER = urllib.request.build_opener(_NoRedirect)


class HttpReceiver(Receiver):
    """A receiver that takes each notice as one POST."""

    def __init__(self, address: str, url: str, *, seconds: float = _SECONDS, **rest: Any) -> None:  # noqa: ANN401  # the options of `Receiver`
        super().__init__(address, **rest)
        self._url, self.seconds = url, seconds

    def send(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        """Make one request. Raises `RefusedError` for every answer but success."""
        try:
            request = urllib.request.Request(url, body, {"User-Agent": "brain", **headers})  # noqa: S310  # the scheme is checked where settings are read
            with _OPENER.open(request, timeout=self.seconds):
                return
        except urllib.error.HTTPError as error:
            error.close()
            rejected = error.code < http.HTTPStatus.INTERNAL_SERVER_ERROR and error.code not in _TRANSIENT
            said = f"{error.code} {error.reason}".strip()
            raise RefusedError(said, rejected=rejected, final=error.code == http.HTTPStatus.GONE) from error
        except (OSError, ValueError, http.client.HTTPException) as error:
            cause = error.reason if isinstance(error, urllib.error.URLError) else error
            raise RefusedError(f"{type(cause).__name__}: {cause}", away=cause is not error) from error


class Webhooks(HttpReceiver):
    """A receiver of Standard Webhooks."""

    def __init__(self, url: str, secret: str, **rest: Any) -> None:  # noqa: ANN401  # the options of `HttpReceiver`
        """Raises `SecretError` if the secret cannot be used to sign."""
        super().__init__(url, url, **rest)
        try:
            self._key = base64.b64decode(secret.removeprefix("whsec_"))
        except ValueError as error:
            raise SecretError from error
        if not self._key:
            raise SecretError

    def post(self, notice: Notice, now: datetime) -> None:
        """Send one notice, signed."""
        stamp, body = str(int(now.timestamp())), notice.body.encode()
        signed = hmac.digest(self._key, f"{notice.id}.{stamp}.".encode() + body, hashlib.sha256)
        headers = {
            "content-type": CONTENT_TYPE,
            "webhook-id": notice.id,
            "webhook-timestamp": stamp,
            "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
        }
        self.send(self._url, body, headers)


class Chat(HttpReceiver):
    """A receiver of the messages of ntfy, Slack or Mattermost; `kind` is a key of `CHATS`."""

    def __init__(self, kind: str, url: str, **rest: Any) -> None:  # noqa: ANN401  # the options of `HttpReceiver`
        super().__init__(f"{kind}+{url}", url, **rest)
        self._message = CHATS[kind]

    def post(self, notice: Notice, now: datetime) -> None:  # noqa: ARG002  # the signature of the class above
        """Send one notice as a message."""
        url, message = self._message(notice, self._url)
        self.send(url, dumps(message).encode(), {"content-type": "application/json"})
