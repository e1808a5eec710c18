"""Delivers notices by mail: one digest for all that is due to an address, over SMTP; plain text and HTML, by thesis.

    due ─▶ stored as one digest ─▶ sent ─▶ accepted: all delivered
                                      ├─▶ refused: pending again; the next round makes a new digest
                                      └─▶ unknown (killed, or the connection was lost after the text):
                                          the next round sends the same digest again, under the same Message-ID

So no notice is lost, and mail programs recognise a repeat by its Message-ID.
"""

from __future__ import annotations

import hashlib
import re
import smtplib
import ssl
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from html import escape
from itertools import groupby
from urllib.parse import quote, unquote, urlsplit

from compute.runs.notice_delivery import Receiver, RefusedError, Wanted
from compute.runs.notice_text import LABELS, Entry, NoticeText, notice_text
from graph.groups import group_by
from graph.models.alert_models import Notice, NoticeDelivery
from graph.values import Value

LISTED = 500  # entries of a digest; the rest are counted
NO_THESIS = "Deleted claims"

_STYLE = "font:16px/1.5 sans-serif;max-width:44rem"
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,255}")
_PORTS = {"smtp": 587, "smtps": 465}
OWN_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
_PERMANENT = 500
_SECONDS = 30.0


class MailAddressError(ValueError):
    """A text is not a mail address."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is not a mail address such as alice@example.org")


class MailServerError(ValueError):
    """The address of a mail server is invalid."""

    def __init__(self) -> None:
        super().__init__(
            "BRAIN_SMTP_URL is not an address such as smtp://user:password@mail.example.org:587 or smtps://…"
        )


class MailServer(Value):
    """A mail server. `secure`: TLS from the first byte; else STARTTLS if the server offers it."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    secure: bool = False

    @classmethod
    def at(cls, url: str) -> MailServer:
        """The server at an `smtp://` or `smtps://` URL, user and password percent-encoded; raises MailServerError."""
        try:
            parts = urlsplit(url)
            port = parts.port or _PORTS[parts.scheme]
        except (ValueError, KeyError) as error:
            raise MailServerError from error
        if not parts.hostname:
            raise MailServerError
        return cls(
            host=parts.hostname, port=port, user=unquote(parts.username or ""), password=unquote(parts.password or ""),
            secure=parts.scheme == "smtps",
        )  # fmt: skip

    def send(self, mail: EmailMessage) -> None:
        """Send a mail. Raises `RefusedError`."""
        session: smtplib.SMTP
        try:
            if self.secure:
                context = ssl.create_default_context()
                session = smtplib.SMTP_SSL(self.host, self.port, timeout=_SECONDS, context=context)
            else:
                session = smtplib.SMTP(self.host, self.port, timeout=_SECONDS)
        except OSError as error:
            raise _refused(error, away=True) from error
        try:
            self._introduced(session)
            session.send_message(mail)
        except OSError as error:  # an `SMTPException` is one
            raise _refused(error) from error
        finally:
            try:
                session.quit()
            except OSError:
                session.close()

    def _introduced(self, session: smtplib.SMTP) -> None:
        """Encrypt and log in; a password goes over TLS only, except to this machine."""
        session.ehlo_or_helo_if_needed()
        if not self.secure and session.has_extn("starttls"):
            session.starttls(context=ssl.create_default_context())
        elif self.user and not self.secure and self.host not in OWN_HOSTS:
            raise RefusedError("the mail server offers no STARTTLS: the password is not sent", rejected=True)
        if self.user:
            session.login(self.user, self.password)


def mail_address(text: str) -> str:
    """A mail address, checked; raises MailAddressError."""
    if not _ADDRESS.fullmatch(text):
        raise MailAddressError(text)
    return text


def _refused(error: Exception, *, away: bool = False) -> RefusedError:
    """What a failed session means for the mail."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
        return RefusedError(_said(code, said), rejected=code >= _PERMANENT)
    if isinstance(error, smtplib.SMTPResponseException):
        rejected = error.smtp_code >= _PERMANENT and not away
        return RefusedError(_said(error.smtp_code, error.smtp_error), rejected=rejected, away=away)
    return RefusedError(f"{type(error).__name__}: {error}", away=away, unknown=not away)


def _said(code: int, said: bytes | str) -> str:
    return f"{code} {said.decode('utf-8', 'replace') if isinstance(said, bytes) else said}"


class MailDigest(Receiver):
    """A mail address; with `claims` it gets only entries on these claims."""

    in_order = True

    def __init__(
        self,
        server: MailServer,
        sender: str,
        to: str,
        *,
        claims: frozenset[str] | None = None,
        wanted: Wanted | None = None,
    ) -> None:
        """Raises `MailAddressError` for an invalid address."""
        super().__init__(f"mailto:{mail_address(to)}", wanted)
        self._server, self._sender, self._to, self._claims = server, mail_address(sender), to, claims

    def post(self, message: Sequence[NoticeDelivery], now: datetime) -> None:
        """Send a digest."""
        notices, name = [one.notice for one in message], message[0].digest or ""
        mail = digest(notices, name=name, sender=self._sender, to=self._to, at=now, claims=self._claims)
        self._server.send(mail)

    def _messages(self, pending: Sequence[NoticeDelivery]) -> list[list[NoticeDelivery]]:
        """The digests that may have arrived, then everything else as one."""
        under_way = group_by(pending, lambda one: one.digest or "")
        rest = under_way.pop("", [])
        return [*under_way.values(), *([rest] if rest else [])]

    def _under_way(self, message: list[NoticeDelivery]) -> list[NoticeDelivery]:
        """The notices with the name of their digest, equal for equal notices and receivers."""
        words = " ".join([self.receiver, *(one.notice.id for one in message)])
        name = message[0].digest or hashlib.sha256(words.encode()).hexdigest()[:32]
        return [one.model_copy(update={"digest": name}) for one in message]


def digest(
    notices: Sequence[Notice], *, name: str, sender: str, to: str, at: datetime, claims: frozenset[str] | None = None
) -> EmailMessage:
    """The mail; `name` is the local part of its Message-ID, `claims` filters its entries."""
    told = [notice_text(notice) for notice in notices]
    found = [one for text in told for one in text.entries if claims is None or one.claim in claims or one.node is None]
    left = len(found[LISTED:]) + sum(one.more for one in told)
    shown = sorted(found[:LISTED], key=lambda one: (one.node is None, one.node or ""))
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = sender, to, _subject(found, told)
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<{name}@{sender.rpartition('@')[2].rstrip('>')}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(_plain(shown, left), cte="quoted-printable")
    mail.add_alternative(_html(shown, left), subtype="html", cte="quoted-printable")
    return mail


def _subject(entries: Iterable[Entry], told: Iterable[NoticeText]) -> str:
    """Such as `Brain: 3 broke, 1 returned`."""
    counts = Counter(entry.happened for entry in entries)
    for one in told:
        counts[one.happened] += one.more
    return "Brain: " + ", ".join(f"{counts[kind]} {label}" for kind, label in LABELS.items() if counts[kind])


def _plain(entries: Iterable[Entry], left: int) -> str:
    lines: list[str] = []
    for node, group in groupby(entries, key=lambda entry: entry.node):
        thesis = node or NO_THESIS
        lines += [thesis, "=" * len(thesis), ""]
        for entry in group:
            lines += [f"  {part}" for part in _parts(entry)] + [""]
    if left:
        lines += [f"and {left} more", ""]
    return "\n".join(lines)


def _parts(entry: Entry) -> list[str]:
    """The lines of one entry."""
    before = f", before: {entry.before}" if entry.before and entry.before != entry.verdict else ""
    return [
        f"{LABELS[entry.happened]}: {entry.claim} ({entry.verdict}{before}; {entry.as_of})",
        *([entry.says] if entry.says else []),
        *([f"Why: {entry.reason}"] if entry.reason else []),
        *([f"Owner: {entry.owner}"] if entry.owner else []),
        *([entry.page] if entry.page else []),
    ]


def _html(entries: Iterable[Entry], left: int) -> str:
    parts = []
    for node, group in groupby(entries, key=lambda entry: entry.node):
        listed = list(group)
        thesis = escape(node or NO_THESIS)
        if node and listed[0].site:
            thesis = f'<a href="{escape(listed[0].site)}/nodes/{quote(node)}">{thesis}</a>'
        parts.append(f"<h2>{thesis}</h2><ul>{''.join(map(_html_item, listed))}</ul>")
    more = f"<p>and {left} more</p>" if left else ""
    return f'<!doctype html><html lang="en"><body style="{_STYLE}">{"".join(parts)}{more}</body></html>\n'


def _html_item(entry: Entry) -> str:
    first, *rest = map(escape, _parts(entry))
    named, page = escape(entry.claim), escape(entry.page)
    linked = first.replace(named, f'<a href="{page}">{named}</a>', 1) if page else first
    return f"<li><strong>{linked}</strong>{''.join(f'<br>{part}' for part in rest if part != page)}</li>"
