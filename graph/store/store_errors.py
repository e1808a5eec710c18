"""The errors of the store.

StoreError
├── OpeningError        the database cannot be used at all: UnavailableError, AddressError, UnwritableError, …
├── ConflictError       two documents define the same thing: TakenError, DuplicateError
├── NotFoundError       nothing of that name: UnknownNodeError, UnknownDocumentError, UnknownTagError, …
└── all others          FullDiskError, LostConnectionError, BusyStoreError, QuotaError, …
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from graph.models.query_models import Tombstone


class StoreError(Exception):
    """Base of the store's errors; the values complete `sentence`, in order."""

    sentence: ClassVar[str] = "{0}"

    def __init__(self, *values: object) -> None:
        super().__init__(self.sentence.format(*values))


class OpeningError(StoreError):
    """The database cannot be used at all."""


class UnavailableError(OpeningError):
    """The server, the driver or the address is missing."""

    sentence = "the store at {0} cannot be reached: {1}"


class AddressError(UnavailableError):
    """Not the address of a database; the message does not repeat it, as it may have a password."""

    sentence = "the address of the store is wrong: {0}"


class UnwritableError(OpeningError):
    """The directory or the file cannot be written."""

    sentence = "the store at {0} cannot be written: {1}"


class CorruptStoreError(OpeningError):
    """The file is damaged or not a database."""

    sentence = "the store at {0} is damaged: {1}; restore it from a backup or ingest again elsewhere"


class NewerStoreError(OpeningError):
    """The database was written by a newer version of the program."""

    sentence = "the store at {0} has schema {1}, this program knows up to {2}: update the program"


class OlderStoreError(OpeningError):
    """The database was written by an older version of the program."""

    sentence = (
        "the store at {0} was made by an older version, and this program does not read its schema: with that "
        "version run brain export --format json -o brain.json, then here brain --home NEW ingest brain.json"
    )


class ForeignStoreError(OpeningError):
    """The database belongs to another program."""

    sentence = "the database at {0} is not a brain's: it has the tables {1}"

    def __init__(self, where: str, tables: Sequence[str]) -> None:
        super().__init__(where, ", ".join(sorted(tables)[:5]))


class ReadOnlyViewError(StoreError):
    """A view of a store is read-only."""

    sentence = "this view of the store is read-only"


class FullDiskError(StoreError):
    """The disk of the store is full; the transaction was rolled back."""

    sentence = "the disk is full: this transaction was not written to the store at {0}; free some space and try again"


class LostConnectionError(StoreError):
    """The server ended the connection; the transaction was rolled back."""

    sentence = "the connection to the store at {0} was lost: nothing of this transaction was stored; try again"


class UnknownCommitError(LostConnectionError):
    """The connection was lost during the commit, which may have succeeded."""

    sentence = (
        "the connection to the store at {0} was lost during the commit: the transaction was stored "
        "completely or not at all; check which before you repeat it"
    )


class LostLockError(StoreError):
    """The lock of the nightly job was lost, so another job may have begun."""

    sentence = (
        "the nightly job lost its lock in {0}, so another one may be running: this one stopped; "
        "its completed steps are stored, and brain nightly continues"
    )


class BusyStoreError(StoreError):
    """Another process had the write lock for too long."""

    sentence = "the store at {0} is being written by another process; try again"


class PoolExhaustedError(StoreError):
    """Every database connection of this process was in use for too long."""

    sentence = "all {1} connections to the store at {0} are in use; try again"


class ConflictError(StoreError):
    """Two documents define the same thing."""


class TakenError(ConflictError):
    """A document has the id of a node or a claim of another document."""

    sentence = "{3} contains the {0} {1}, which {2} already has"


class DuplicateError(ConflictError):
    """A document has one id twice, or a run one verdict twice."""

    sentence = "{2} contains the {0} {1} twice"


class UnstorableError(StoreError):
    """A text is not valid Unicode, or a name breaks the rule of `graph.name_rules`."""

    sentence = "{0} cannot be stored: {1}"


class CursorError(StoreError):
    """A cursor of another list."""

    sentence = "{0!r} is not a cursor of this list: use `next` of the previous page, with the same filters"

    def __init__(self, cursor: str) -> None:
        super().__init__(cursor[:60])


class SnapshotMismatchError(StoreError):
    """A payload has another hash than stated."""

    sentence = "the snapshot {0} has the hash {1}"


class NotFoundError(StoreError):
    """Nothing of that name is stored; subclasses `Unknown…Error` name the kind."""

    noun: ClassVar[str]
    sentence = "there is no {0} {1}"

    def __init_subclass__(cls) -> None:
        cls.noun = cls.__dict__.get("noun") or cls.__name__.removeprefix("Unknown").removesuffix("Error").lower()

    def __init__(self, name: object) -> None:
        super().__init__(self.noun, name)
        self.name = name


class UnknownNodeError(NotFoundError):
    """No such node; `renamed` is its present id. `older`: `graph.older_ids` gave it, so the name still works."""

    def __init__(
        self, name: str, tombstone: Tombstone | None = None, renamed: str | None = None, *, older: bool = False
    ) -> None:
        super().__init__(name)
        self.tombstone, self.renamed, self.older = tombstone, renamed, older


class SeveralNodesError(UnknownNodeError):
    """Several nodes have the name as title or alias; `alike` are their ids."""

    noun = "single node with the name"

    def __init__(self, name: str, alike: list[str]) -> None:
        super().__init__(name)
        self.alike = alike


class UnknownDocumentError(NotFoundError):
    """No such document, or no such version of it."""


class UnknownTagError(NotFoundError):
    """No node carries the tag."""


class UnknownSourceError(NotFoundError):
    """No node lists the work."""


class UnknownClaimError(NotFoundError):
    """No such claim."""


class UnknownRunError(NotFoundError):
    """No such run, or no row in it."""


class UnknownSnapshotError(NotFoundError):
    """No such snapshot."""


class UnknownFolderError(NotFoundError):
    """The library has no such folder."""

    noun = "library folder"


class UnknownTokenError(NotFoundError):
    """No such token."""


class QuotaError(StoreError):
    """A brain would exceed its quota; nothing was written."""

    sentence = (
        "the brain {0} would have {2:,} {1}, its quota is {3:,}: nothing was written; remove"
        " documents, or raise the quota with brain brains set {0} --max-{1} NUMBER"
    )

    def __init__(self, brain: str, what: str, held: int, most: int) -> None:
        super().__init__(brain, what, held, most)
        self.brain, self.what, self.held, self.most = brain, what, held, most
