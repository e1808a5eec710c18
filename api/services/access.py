"""Tokens and sessions: creating and checking them, and what a caller with one may read, do and store.

A token is `brn_` + id (8) + `_` + secret (43) + checksum (6). The prefix and the checksum let secret scanners recognise
a published token without a list. The secret has 256 random bits, so its SHA-256 cannot be guessed; a slow hash such as
scrypt would only let any caller keep the processor busy. Tokens are compared in constant time.

A document never leaves a private brain without an explicit request. A caller for one brain may store nothing about
notes and claims that it cannot read: others would see what it stored about them.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from api.services.claim_quotes import claims_without_nodes
from api.services.home_folder import SESSION_KEY
from api.services.importing.documents import DocumentReport, ImportReport, parse
from compute.runs import silence_files
from graph.models.access_models import Scope, StoredToken
from graph.private_files import private_file
from graph.problems import Problem, Severity
from graph.store.store_errors import ConflictError
from graph.text.counts import many
from ingest.text.decoding import as_brain

if TYPE_CHECKING:
    from api.brain import Brain  # loads every package
    from api.services.importing.document_importer import ImportOptions
    from ingest.source_files import SourceFile


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


UNDECLARED = {"note": None, "terms": "terms"}
"""The formats in which a file can name its brain, and the brain of one that names none; None: that of the caller."""

TAKEN_NAME = (
    "The name of the document, of a node or of a claim in it cannot be used; choose another. Nothing was stored."
)
"""The message if the other one belongs to a private brain that the caller may not read."""


class UploadError(Exception):
    """A document is not stored; the message says why."""

    def __init__(
        self,
        kind: Literal["forbidden", "conflict", "invalid-request", "invalid-document"],
        reason: str,
        problems: Sequence[Problem] = (),
    ) -> None:
        super().__init__(reason)
        self.kind, self.problems = kind, problems


def foreign(access: Access, why: str) -> UploadError:
    """The error of a token that writes to another brain than its own."""
    return UploadError("forbidden", f"The token is for the brain {access.brain}, {why}.")


@dataclass(frozen=True)
class Uploader:
    """Stores documents in `whole` for a caller with `access` who reads `seen`.

    `take` imports a document into one of them, `unchanged` is the transaction in which it is stored.
    """

    whole: Brain
    seen: Brain
    access: Access
    take: Callable[[Brain, SourceFile, ImportOptions], ImportReport]
    unchanged: Callable[[], AbstractContextManager[None]]

    def ingest(self, found: SourceFile, options: ImportOptions) -> ImportReport:
        """Store a document; its caller must name the brain if another may be meant. Raises `UploadError`."""
        if self.access.brain is not None:
            return self._ingest_own(found, options)
        with self.unchanged():
            held = next((head.brain for head in self.whole.documents.heads_of([found.name])), None)
            report = self.take(self.whole, found._replace(brain=held), options)
            for entry in report.entries if options.brain is None and not report.refused else ():
                if said := doubt(self.whole, entry, held):
                    raise UploadError("invalid-request", f"query.brain: {said}.")
        if not report.stored and not options.dry_run:
            raise _refused(report)
        return report

    def _ingest_own(self, found: SourceFile, options: ImportOptions) -> ImportReport:
        """As `ingest` for a token of one brain; the report shows only what the token may see."""
        own = self._own_brain(found, options.brain, options.form)
        options = replace(options, brain=own)
        seen = self.take(self.seen, found, replace(options, dry_run=True))
        if any(entry.refused for entry in seen.entries):
            raise _refused(seen)
        self._refuse_other_brains(found.name, seen)
        if unseen := unseen_targets(self.seen, seen, own):
            raise _refused(seen, unseen)
        if options.dry_run:
            return seen
        try:
            with self.unchanged():
                report = self.take(self.whole, found, options)
                if not report.stored:
                    raise UploadError("conflict", TAKEN_NAME)
        except ConflictError:
            raise UploadError("conflict", TAKEN_NAME) from None
        outcomes = {entry.document.name: entry.outcome for entry in report.entries}
        for one in seen.entries:
            one.outcome = outcomes.get(one.document.name, one.outcome)
        seen.stored = True
        return seen

    def _own_brain(self, found: SourceFile, brain: str | None, form: str | None) -> str:
        """The brain of the token; a document names another only if the caller names the token's."""
        own = self.access.brain or ""
        given = brain and as_brain(brain)
        if given not in {None, own}:
            raise UploadError("forbidden", f"The token is for the brain {own}, not for {brain}.")
        if given is None:
            document = parse(found._replace(brain=own), None, form).document
            if document.format in UNDECLARED and document.brain not in {own, UNDECLARED[document.format]}:
                said = f"the document names the brain {document.brain}; add brain={own} to store it in {own} anyway"
                raise foreign(self.access, said)
        return own

    def _refuse_other_brains(self, name: str, seen: ImportReport) -> None:
        """A token of one brain writes and replaces documents of that brain only."""
        own = self.access.brain
        written = {entry.document.brain for entry in seen.entries}
        written |= {node.brain for entry in seen.entries for node in entry.document.nodes}
        if not self.access.may_write(written):
            raise foreign(self.access, f"the document belongs to {', '.join(sorted(written - {own}))}")
        names = {name, *(entry.document.name for entry in seen.entries), *(one.document for one in seen.removed)}
        for head in self.whole.documents.heads_of(names):
            if head.brain != own and head.brain in self.seen.store.hidden:
                raise UploadError("conflict", TAKEN_NAME)
            if not self.access.may_write([head.brain]):
                raise foreign(self.access, f"the document {head.name} belongs to {head.brain}")


def _refused(report: ImportReport, because: Sequence[Problem] = ()) -> UploadError:
    """The error of a document that is not stored, by its own problems or the given ones."""
    problems = because or report.problems
    shown = problems[0].message if problems else "nothing was read"
    more = f"; {many(len(problems) - 1, 'more problem')}" if len(problems) > 1 else ""
    where = problems[0].where() if problems else report.entries[0].document.name
    return UploadError("invalid-document", f"{where}: {shown}{more}; nothing was stored.", problems[:100])


def doubt(brain: Brain, entry: DocumentReport, held: str | None) -> str | None:
    """Why a document may be meant for another brain than it got, such as `held`, its earlier one; None if not."""
    name, got = entry.document.name, entry.document.brain
    if held == got:
        return None
    if held is not None and held in brain.brains.private():
        said = f"{name} is a document of the private brain {held}, and this one would belong to {got}"
        return f"{said}: add brain={held}, or brain={got} if it is to leave {held}; nothing was stored"
    folder, slash, _ = name.partition("/")
    meant = as_brain(folder) if slash else got
    if meant == got or meant not in brain.brains.private():
        return None
    said = f"{name} begins with the name of the private brain {meant}, but without brain= it would belong to {got}"
    return f"{said}: add brain={meant}, or brain={got} if that is meant; nothing was stored"


def unseen_targets(seen: Brain, report: ImportReport, own: str) -> list[Problem]:
    """Why a caller for the brain `own`, who can read only `seen`, may not store a document.

    A claim may wait for a note of its own brain. One on a note of another brain needs a note that the caller can
    read; a silence such a claim.
    """
    found: list[Problem] = []
    for entry in report.entries:
        others = [claim for claim in entry.claims if claim.node and claim.node.partition("/")[0] != own]
        there = {node.id for node in seen.nodes.get_many(claim.node for claim in others)}
        found += claims_without_nodes(others, there)
        name, text = entry.document.name, entry.document.text
        silences = silence_files.load(name, text)[0] if entry.document.format == "silences" else ()
        named = [silence.claim for silence in silences if silence.claim]
        known = seen.claims.owners(named)
        lost = (f"the claim {claim} does not exist" for claim in named if claim not in known)
        found += (Problem(document=name, code="silence-claim", message=message) for message in lost)
    return [problem.model_copy(update={"severity": Severity.ERROR}) for problem in found]
