"""Delivers notices by mail: one digest for all that is due to an address, over SMTP.

    due ─▶ written down as one digest ─▶ sent ─▶ accepted: all delivered
                                             ├─▶ refused: pending again; the next round makes a new digest
                                             └─▶ unknown (killed, or the connection was lost after the text):
                                                 the next round sends the same digest again, under the same Message-ID

So no notice is lost, and a repeat can be recognised by its Message-ID, as mail programs do.

The standard library suffices: `email` composes and encodes the text, `smtplib` sends it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from compute.runs.mail_digest import digest, digest_id
from compute.runs.notice_delivery import Check, Delivery, Receiver, RefusedError, is_due, settled, summary
from graph.models.alert_models import Notice, NoticeDelivery
from graph.store.notice_tables import NoticeTables
from graph.values import Value

if TYPE_CHECKING:
    import smtplib  # loaded with `ssl` where a mail is sent

_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,255}")
_PORTS = {"smtp": 587, "smtps": 465}
_OWN = frozenset({"localhost", "127.0.0.1", "::1"})
_PERMANENT = 500
_SECONDS = 30.0


class MailAddressError(ValueError):
    """A text is not a mail address."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is not a mail address such as alice@example.org")


class MailServerError(ValueError):
    """The address of a mail server cannot be used."""

    def __init__(self) -> None:
        super().__init__(
            "BRAIN_SMTP_URL is not an address such as smtp://user:password@mail.example.org:587 or smtps://…"
        )


class MailServer(Value):
    """A mail server. `secure`: TLS from the first byte; else STARTTLS where the server offers it."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    secure: bool = False

    @classmethod
    def at(cls, url: str) -> MailServer:
        """The server at `smtp://` or `smtps://`, with user and password, percent-encoded, before the host.

        Raises:
            MailServerError: it is no such address.
        """
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
        try:
            session = self._connected()
        except OSError as error:
            raise _refused(error, away=True) from error
        try:
            self._introduced(session)
            session.send_message(mail)
        except OSError as error:  # an `SMTPException` is one
            raise _refused(error) from error
        finally:
            _closed(session)

    def _connected(self) -> smtplib.SMTP:
        import smtplib  # noqa: PLC0415  # as below
        import ssl  # noqa: PLC0415  # a server that sends no mail starts 0.1 s earlier

        if self.secure:
            return smtplib.SMTP_SSL(self.host, self.port, timeout=_SECONDS, context=ssl.create_default_context())
        return smtplib.SMTP(self.host, self.port, timeout=_SECONDS)

    def _introduced(self, session: smtplib.SMTP) -> None:
        """Encrypt and log in. A password goes over TLS only, except to this machine."""
        import ssl  # noqa: PLC0415  # as above

        session.ehlo_or_helo_if_needed()
        if not self.secure and session.has_extn("starttls"):
            session.starttls(context=ssl.create_default_context())
        elif self.user and not self.secure and self.host not in _OWN:
            raise RefusedError("the mail server offers no STARTTLS: the password is not sent", rejected=True)
        if self.user:
            session.login(self.user, self.password)


def mail_address(text: str) -> str:
    """A mail address, checked.

    Raises:
        MailAddressError: it is none.
    """
    if not _ADDRESS.fullmatch(text):
        raise MailAddressError(text)
    return text


def _closed(session: smtplib.SMTP) -> None:
    try:
        session.quit()
    except OSError:
        session.close()


def _refused(error: Exception, *, away: bool = False) -> RefusedError:
    """What a failed session means for the mail."""
    import smtplib  # noqa: PLC0415  # as above

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
    """A mail address. With `claims` it gets only what concerns these claims."""

    def __init__(
        self,
        server: MailServer,
        sender: str,
        to: str,
        *,
        claims: frozenset[str] | None = None,
        **rest: Any,  # noqa: ANN401  # the options of `Receiver`
    ) -> None:
        """Raises `MailAddressError` for an address that is none."""
        super().__init__(f"mailto:{mail_address(to)}", **rest)
        self._server, self._sender, self._to, self._claims = server, mail_address(sender), to, claims

    def post(self, notice: Notice, now: datetime) -> None:
        """Send one notice as a digest of its own."""
        self._post([notice], digest_id([notice], self.receiver), now)

    def deliver(self, outbox: NoticeTables, clock: Callable[[], datetime], check: Check = lambda: None) -> Delivery:
        """Send what is due in one mail, after a mail of which it is not known whether it arrived."""
        check()
        outbox.queue(self.receiver, clock(), self._wanted)
        done: list[NoticeDelivery] = []
        pending = outbox.pending(self.receiver)
        for batch in _batches(pending):
            if not all(is_due(one, clock()) for one in batch):
                break
            check()  # before the batch is saved as under way: another process may have sent it
            sent, error = self._sent(batch, outbox, clock, check)
            done += sent
            if error is not None:
                break
        return summary(done, pending, clock())

    def _sent(
        self, batch: list[NoticeDelivery], outbox: NoticeTables, clock: Callable[[], datetime], check: Check
    ) -> tuple[list[NoticeDelivery], RefusedError | None]:
        """The deliveries of one digest after a round of attempts; each state is stored before the next one begins."""
        notices = [one.notice for one in batch]
        name = batch[0].digest or digest_id(notices, self.receiver)
        under_way = [one.model_copy(update={"digest": name}) for one in batch]
        outbox.save(*under_way)
        lost: list[bool] = []

        def send() -> None:
            try:
                self._post(notices, name, clock())
            except RefusedError as error:
                lost.append(error.unknown)
                raise

        errors, error = self.attempts(send, check)
        keep = name if error is None or any(lost) or batch[0].digest else None
        found = [settled(one, errors, clock(), error).model_copy(update={"digest": keep}) for one in under_way]
        outbox.save(*found)
        return found, error

    def _post(self, notices: list[Notice], name: str, now: datetime) -> None:
        mail = digest(notices, name=name, sender=self._sender, to=self._to, at=now, claims=self._claims)
        self._server.send(mail)


def _batches(pending: tuple[NoticeDelivery, ...]) -> list[list[NoticeDelivery]]:
    """The digests to send: those that were under way, in their order, then everything else as one."""
    under_way: dict[str, list[NoticeDelivery]] = {}
    for one in pending:
        if one.digest is not None:
            under_way.setdefault(one.digest, []).append(one)
    rest = [one for one in pending if one.digest is None]
    return [*under_way.values(), *([rest] if rest else [])]
