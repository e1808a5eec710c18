"""The receivers of notices that the settings name, for everybody or for an owner.

https://…                     Standard Webhooks, signed
slack+https://…               also mattermost+https://…: a message to a chat
mailto:alice@example.org      one digest a night
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import cycle
from urllib.parse import urlsplit

from api.brain import Brain
from api.settings import Settings
from compute.runs.mail_delivery import MailDigest, MailServer
from compute.runs.notice_delivery import Receiver
from compute.runs.webhook_delivery import CHATS, Chat, Webhooks
from graph.models.alert_models import Notice

MAIL = "mailto:"


class ReceiverError(Exception):
    """The settings of the receivers cannot be used."""


class MissingSecretError(ReceiverError):
    """A webhook is set without a secret to sign with."""

    def __init__(self) -> None:
        super().__init__(
            "BRAIN_WEBHOOK_URL is set without BRAIN_WEBHOOK_SECRET: set it to whsec_ and 24 bytes in base64"
        )


class SecretCountError(ReceiverError):
    """The number of secrets differs from that of the webhooks."""

    def __init__(self, addresses: int, secrets: int) -> None:
        super().__init__(
            f"BRAIN_WEBHOOK_URL has {addresses} addresses to sign for and BRAIN_WEBHOOK_SECRET has {secrets} secrets: "
            "set one secret for all of them, or one for each in their order"
        )


class ReceiverAddressError(ReceiverError):
    """The address of a receiver has another form. The sentence names its scheme only, as the rest may be a secret."""

    def __init__(self, setting: str, address: str) -> None:
        forms = ", ".join(["https://…", *(f"{kind}+https://…" for kind in CHATS), "mailto:name@host"])
        scheme = address.partition(":")[0][:30]
        super().__init__(f"{setting} has an address that begins with {scheme!r}; expected one of: {forms}")


class MissingMailServerError(ReceiverError):
    """A mail address is set, and no server or no sender."""

    def __init__(self) -> None:
        super().__init__("a mailto: receiver is set without BRAIN_SMTP_URL and BRAIN_MAIL_FROM: set both")


class OwnerError(ReceiverError):
    """An entry of BRAIN_OWNERS is not written as name=address."""

    def __init__(self, entry: str) -> None:
        super().__init__(f"BRAIN_OWNERS has the entry {entry.partition('=')[0]!r}; write name=mailto:alice@example.org")


def receivers(brain: Brain) -> tuple[Receiver, ...]:
    """The receivers that the settings name: those of all notices, then those of owners.

    Raises:
        ReceiverError: a setting cannot be used; the subclass says why.
        SecretError: a secret cannot sign.
        MailAddressError, MailServerError: a mail address or the address of the mail server cannot be used.
    """
    settings = brain.settings
    urls = tuple(dict.fromkeys((settings.webhook_url or "").split()))
    secrets = _secrets(settings, [url for url in urls if _is_signed(url)])
    found = [_receiver(settings, "BRAIN_WEBHOOK_URL", url, next(secrets) if _is_signed(url) else "") for url in urls]
    owners: dict[str, frozenset[str]] = {}
    for entry in settings.owners.split():
        name, _, address = entry.partition("=")
        if not name or not address:
            raise OwnerError(entry)
        owners[address] = owners.get(address, frozenset()) | {name}
    for address, names in owners.items():
        if address in urls:
            continue
        if _is_signed(address):
            raise ReceiverAddressError("BRAIN_OWNERS", address)
        owned = _Owned(brain, names)
        found.append(_receiver(settings, "BRAIN_OWNERS", address, "", owned))
        owned.receiver = found[-1].receiver
    return tuple(found)


def _secrets(settings: Settings, signed: Sequence[str]) -> Iterator[str]:
    if not signed:
        return iter(())
    if settings.webhook_secret is None:
        raise MissingSecretError
    secrets = settings.webhook_secret.get_secret_value().split() or [""]
    if len(secrets) not in {1, len(signed)}:
        raise SecretCountError(len(signed), len(secrets))
    return cycle(secrets)


def _receiver(settings: Settings, setting: str, address: str, secret: str, owned: _Owned | None = None) -> Receiver:
    claims, wanted = (owned.claims, owned.wants) if owned else (None, None)
    kind, _, url = address.partition("+")
    if address.startswith(MAIL):
        if settings.smtp_url is None or settings.mail_from is None:
            raise MissingMailServerError
        server = MailServer.at(settings.smtp_url.get_secret_value())
        return MailDigest(server, settings.mail_from, address.removeprefix(MAIL), claims=claims, wanted=wanted)
    parts = urlsplit(url)
    if kind in CHATS and parts.scheme in {"http", "https"} and parts.hostname:
        return Chat(kind, url, wanted=wanted)
    if not _is_signed(address):
        raise ReceiverAddressError(setting, address)
    return Webhooks(address, secret, wanted=wanted)


class _Owned:
    """A filter for notices about the claims of some owners."""

    def __init__(self, brain: Brain, names: frozenset[str]) -> None:
        self._brain = brain
        self.claims = frozenset(claim.id for claim in brain.status.claims() if claim.owner in names)
        self.receiver = ""

    def wants(self, notice: Notice) -> bool:
        """Whether a notice is about one of their claims, or about a deleted one that was reported to this receiver."""
        if not self.claims.isdisjoint(notice.claims):
            return True
        return notice.kind.endswith(".removed") and not self._reported.isdisjoint(notice.claims)

    @cached_property
    def _reported(self) -> frozenset[str]:
        return frozenset(claim for one in self._brain.notices.deliveries(self.receiver) for claim in one.notice.claims)


def _is_signed(address: str) -> bool:
    return address.startswith(("http://", "https://"))
