"""Receivers over HTTP: webhooks in the Standard Webhooks format, and messages for a chat.

    2xx            delivered
    408, 429, 5xx  retried without end
    410            abandoned
    anything else  rejected

Standard Webhooks recognise repeats by the `webhook-id`, the same at every attempt. A chat has no such field: if the
process is killed before it records the answer, the message is sent once more.

Chats take the format of Slack's incoming webhooks, `{"text": …}` with <url|text> links, as does Mattermost. Texts of
authors cannot add links or mentions.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http
import http.client
import re
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from datetime import datetime
from urllib.parse import unquote, urlsplit

from compute.runs.notice_delivery import Receiver, RefusedError, Wanted
from compute.runs.notice_text import Entry, line, notice_text
from graph.models.alert_models import Notice, NoticeDelivery
from graph.values import dumps

CONTENT_TYPE = "application/cloudevents+json"
CHAT = "slack+"  # begins the address of a chat

MOST_IN_CHAT, CHAT_CHARACTERS = 20, 3_500  # the most claims and characters of a message

_TRANSIENT = frozenset({408, 429})


class SecretError(ValueError):
    """The secret of the webhooks is not `whsec_` and base64."""

    def __init__(self) -> None:
        super().__init__("the secret of the webhooks is not one `whsec_` followed by base64 text")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Treats a redirect as an error: a notice goes to its own address only."""

    def redirect_request(self, *_: object) -> None:
        """No request is made."""


_OPENER = urllib.request.build_opener(_NoRedirect)


class HttpReceiver(Receiver):
    """Sends each notice as one POST; a user and password in its address become basic authentication."""

    seconds: float = 10

    def __init__(self, address: str, wanted: Wanted | None = None) -> None:
        super().__init__(address, wanted)
        self._url, self._login = address.removeprefix(CHAT), dict[str, str]()
        parts = urlsplit(self._url)
        if parts.username is not None:
            login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
            self._login = {"Authorization": f"Basic {base64.b64encode(login).decode()}"}
            self._url = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()

    def send(self, body: bytes, headers: Mapping[str, str]) -> None:
        """Make one request. Raises `RefusedError` for every answer but success."""
        try:
            request = urllib.request.Request(self._url, body, {"User-Agent": "brain", **self._login, **headers})  # noqa: S310  # the scheme is checked where settings are read
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

    def __init__(self, url: str, secret: str, wanted: Wanted | None = None) -> None:
        """Raises `SecretError` if the secret cannot be used to sign."""
        super().__init__(url, wanted)
        try:
            self._key = base64.b64decode(secret.strip().removeprefix("whsec_"), validate=True)
        except ValueError as error:
            raise SecretError from error
        if not self._key:
            raise SecretError

    def post(self, message: Sequence[NoticeDelivery], now: datetime) -> None:
        """Send one notice, signed."""
        notice = message[0].notice
        stamp, body = str(int(now.timestamp())), notice.body.encode()
        signed = hmac.digest(self._key, f"{notice.id}.{stamp}.".encode() + body, hashlib.sha256)
        headers = {
            "content-type": CONTENT_TYPE,
            "webhook-id": notice.id,
            "webhook-timestamp": stamp,
            "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
        }
        self.send(body, headers)


class Chat(HttpReceiver):
    """A receiver of messages in Slack's format, at an address such as `slack+https://…`."""

    def post(self, message: Sequence[NoticeDelivery], now: datetime) -> None:  # noqa: ARG002  # as the class above
        """Send one notice as a message."""
        self.send(dumps({"text": chat_text(message[0].notice)}).encode(), {"content-type": "application/json"})


def chat_text(notice: Notice) -> str:
    """The text of a message: a headline and a line for each claim; a line that does not fit is left out, never cut."""
    told = notice_text(notice)
    found, left = [f"*{_escaped(told.headline)}*"], len(told.entries) + told.more
    size = len(found[0]) + len(f"\nand {left} more")
    for entry in told.entries[:MOST_IN_CHAT]:
        text = f"• {_linked(entry)}"
        size += len(text) + 1
        if size > CHAT_CHARACTERS:
            break
        found.append(text)
        left -= 1
    return "\n".join([*found, *([f"and {left} more"] if left else [])])


def _linked(entry: Entry) -> str:
    """The line of an entry, with its claim linked if it has a page."""
    if not entry.page:
        return _escaped(line(entry))
    return f"<{entry.page}|{_escaped(entry.claim)}>" + _escaped(line(entry).removeprefix(entry.claim))


def _escaped(text: str) -> str:
    """An author's text; a zero-width space keeps signs from starting a format."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = re.sub(r"([*_~`])", "\u200b\\1", escaped)
    return escaped.replace("@", "@\u200b").replace("](", "]\u200b(")  # as mentions and links of Mattermost
