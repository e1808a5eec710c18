"""Tokens: how they are made, checked, and what a caller with one may see and do.

A token is `brn_` + id (8) + `_` + secret (43) + checksum (6). The prefix and the checksum let secret scanners recognise
a token that was published by mistake, without a list of tokens. The secret has 256 random bits, so no one can guess it
from its hash: SHA-256 is enough, and a slow hash such as scrypt, which protects short passwords, would only let any
caller keep the processor busy. Tokens are compared in constant time.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from pydantic import SecretStr

from graph.models.access_models import Scope, StoredToken
from graph.store import Store

TOKEN = re.compile(r"brn_([0-9a-z]{8})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})")
"""The form of a token."""

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class InvalidTokenError(Exception):
    """A token that is unknown, revoked or expired; all three get the same answer."""

    def __init__(self) -> None:
        super().__init__("the token is unknown, revoked or expired")


@dataclass(frozen=True)
class Access:
    """What a caller may do; `brain` is the only private brain it may see, None: all. `actor` is for the audit log."""

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
    """A new token and what to store of it; the token itself is not stored."""
    name = "".join(secrets.choice("0123456789abcdefghijklmnopqrstuvwxyz") for _ in range(8))
    body = f"brn_{name}_{_text(secrets.randbits(256), 43)}"
    token = body + checksum(body)
    stored = StoredToken(
        id=name, digest=_digest(token), scope=scope, brain=brain, comment=comment, created_at=at, until=until
    )
    return token, stored


def checksum(body: str) -> str:
    """The last six characters of a token, made from those before: its CRC-32."""
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
    """Checks the tokens of requests against a store, and against the token of the settings if there is one."""

    def __init__(self, store: Store, fixed: SecretStr | None) -> None:
        self._store, self._fixed = store, (fixed and fixed.get_secret_value()) or None

    def exists(self, today: date) -> bool:
        """Whether any token could be accepted."""
        return self._fixed is not None or any(one.valid(today) for one in self._store.tokens.all())

    def access(self, authorization: str | None, today: date) -> Access | None:
        """What the sender of an `Authorization` header may do; None without a header.

        Raises:
            InvalidTokenError: it is no valid bearer token.
        """
        if authorization is None:
            return None
        scheme, _, given = authorization.partition(" ")
        given = given.strip()
        if scheme.lower() != "bearer" or not given:
            raise InvalidTokenError
        if self._fixed is not None and secrets.compare_digest(given.encode(), self._fixed.encode()):
            return Access(Scope.ADMIN, None, f"token {_digest(given)[:8]}")
        return self._stored(given, today)

    def _stored(self, given: str, today: date) -> Access:
        found = TOKEN.fullmatch(given)
        token = self._store.tokens.find(found[1]) if found else None
        right = secrets.compare_digest(_digest(given), token.digest if token else _digest(""))
        if token is None or not right or not token.valid(today):
            raise InvalidTokenError
        return Access(token.scope, token.brain, f"token {token.id}")
