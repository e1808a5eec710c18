"""Tokens and sessions: creating and checking them, and what a caller with one may read, do and store.

A token is `brn_` + id (8) + `_` + secret (43) + checksum (6). The prefix and the checksum let secret scanners recognise
a published token without a list. The secret has 256 random bits, so its SHA-256 cannot be guessed; a slow hash such as
scrypt would only let any caller keep the processor busy. Tokens are compared in constant time.

A document never leaves a private brain without an explicit request. A caller for one brain may store nothing about
notes and claims that it cannot read: others would see what it stored about them (`api.services.importing.uploads`).
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from api.services.home_folder import SESSION_KEY
from graph.models.access_models import Scope, StoredToken
from graph.private_files import private_file

if TYPE_CHECKING:
    from api.brain import Brain  # loads every package


COOKIE = "brain_session"
SESSION_SECONDS = 7 * 24 * 3600
FIXED = "fixed"  # the id in sessions of the token of the settings; those of stored tokens have eight letters

TOKEN = re.compile(r"brn_([0-9a-z]{8})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})")
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class InvalidTokenError(Exception):
    """A token is unknown, revoked or expired; the response is the same for all three."""

    def __init__(self) -> None:
        super().__init__("the token is unknown, revoked or expired")


@dataclass(frozen=True)
class Access:
    """What a caller may do; `brain` is the only private brain it may read, None: all. `actor` is for the audit log."""

    scope: Scope
    brain: str | None
    actor: str

    def may_write(self, brains: Iterable[str]) -> bool:
        """Whether the caller may write documents of these brains."""
        return self.scope.includes(Scope.WRITE) and (self.brain is None or set(brains) <= {self.brain})

    def hidden(self, private: frozenset[str]) -> frozenset[str]:
        """The private brains that do not exist for the caller."""
        return frozenset() if self.brain is None else private - {self.brain}


def issue(
    scope: Scope, *, brain: str | None, until: date | None, comment: str, at: datetime
) -> tuple[str, StoredToken]:
    """A new token, and what to store of it, without the token itself."""
    name = "".join(secrets.choice("0123456789abcdefghijklmnopqrstuvwxyz") for _ in range(8))
    body = f"brn_{name}_{_text(secrets.randbits(256), 43)}"
    token = body + checksum(body)
    stored = StoredToken(
        id=name, digest=_digest(token), scope=scope, brain=brain, comment=comment, created_at=at, until=until
    )
    return token, stored


def checksum(body: str) -> str:
    """The last six characters of a token: the CRC-32 of those before."""
    return _text(zlib.crc32(body.encode()), 6)


def _text(number: int, width: int) -> str:
    """A number in base 62, padded with zeros."""
    found = ""
    while number:
        number, digit = divmod(number, 62)
        found = _DIGITS[digit] + found
    return found.rjust(width, "0")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Authenticator:
    """Checks tokens and sessions against a store and the token of the settings.

    A session is what a browser sends in a cookie: the id of a token, the second in which it ends, and a signature. It
    only reads, and ends early when its token is revoked or expires.
    """

    def __init__(self, brain: Brain, clock: Callable[[], datetime]) -> None:
        fixed = brain.settings.token
        self._store, self._home, self._clock = brain.store, brain.settings.home, clock
        self._fixed = (fixed and fixed.get_secret_value()) or None

    def exists(self) -> bool:
        """Whether any token could be accepted."""
        today = self._clock().date()
        return self._fixed is not None or any(one.valid(today) for one in self._store.tokens.all())

    def access(self, authorization: str) -> Access | None:
        """The access by an `Authorization` header; None if no token exists. Raises `InvalidTokenError`."""
        if not self.exists():
            return None
        scheme, _, given = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise InvalidTokenError
        return self._checked(given.strip())[0]

    def session(self, token: str) -> str:
        """A new session for a token. Raises `InvalidTokenError`."""
        _, name, digest = self._checked(token.strip())
        return self._signed(name, int(self._clock().timestamp()) + SESSION_SECONDS, digest)

    def session_access(self, session: str) -> Access | None:
        """The access by a session; None if it has ended, or was not made here."""
        name, _, rest = session.partition(".")
        end = rest.partition(".")[0]
        if name == FIXED and self._fixed is not None:
            brain, digest = None, _digest(self._fixed)
        elif (token := self._store.tokens.find(name)) is not None and token.valid(self._clock().date()):
            brain, digest = token.brain, token.digest
        else:
            return None
        right = end.isascii() and end.isdigit() and self._clock().timestamp() < int(end)
        if not right or not secrets.compare_digest(session.encode(), self._signed(name, int(end), digest).encode()):
            return None
        return Access(Scope.READ, brain, f"session of token {name}")

    def _checked(self, given: str) -> tuple[Access, str, str]:
        """The access of a token, its id and its hash."""
        digest = _digest(given)
        if self._fixed is not None and secrets.compare_digest(digest, _digest(self._fixed)):
            return Access(Scope.ADMIN, None, f"token {digest[:8]}"), FIXED, digest
        found = TOKEN.fullmatch(given)
        token = self._store.tokens.find(found[1]) if found else None
        right = secrets.compare_digest(digest, token.digest if token else _digest(""))
        if token is None or not right or not token.valid(self._clock().date()):
            raise InvalidTokenError
        return Access(token.scope, token.brain, f"token {token.id}"), token.id, digest

    def _signed(self, name: str, end: int, digest: str) -> str:
        text = f"{name}.{end}"
        return f"{text}.{hmac.new(self._key, f'{text}.{digest}'.encode(), 'sha256').hexdigest()}"

    @cached_property
    def _key(self) -> bytes:
        """The signing key: a file that no backup contains, so a stolen backup opens no session."""
        file = self._home / SESSION_KEY
        new = file.with_name(f"{SESSION_KEY}.{os.getpid()}")
        with suppress(OSError):
            if not file.exists():
                private_file(new)
                new.write_text(secrets.token_hex(32))
                os.link(new, file)  # written completely, or refused if another worker was first
        with suppress(OSError):
            new.unlink(missing_ok=True)
        try:
            return file.read_bytes()
        except OSError:  # the home is read-only: sessions end with this process
            return secrets.token_bytes(32)
