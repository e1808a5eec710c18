"""The errors of the store.

StoreError
├── OpeningError                the database cannot be used at all
│   ├── UnavailableError        no such server, no driver
│   │   └── AddressError        not a database address
│   ├── UnwritableError         the directory or the file cannot be written
│   ├── CorruptStoreError       the file is damaged or not a database
│   ├── NewerStoreError         written by a newer version of the program
│   └── ForeignStoreError       a database of something else
├── FullDiskError               the disk of the store is full; nothing was written
├── LostConnectionError         the database server ended the connection
│   └── UnknownCommitError      … while it committed
├── LostLockError               the connection with the lock of the nightly job ended
├── BusyStoreError              another process had the write lock for too long
├── PoolExhaustedError          every database connection is in use
├── ConflictError               two documents define the same thing
│   ├── NodeTakenError
│   ├── DuplicateNodeError
│   ├── ClaimTakenError
│   └── DuplicateClaimError
├── UnstorableError             text that no database can hold, or a name that breaks the rule
├── CursorError                 a cursor of another list
├── SnapshotMismatchError       a payload with another hash than stated
├── QuotaError                  a brain would hold more than it may
└── NotFoundError               UnknownNodeError, UnknownDocumentError, UnknownTagError, …
"""

from __future__ import annotations

from collections.abc import Sequence

from graph.models.query_models import Tombstone


class StoreError(Exception):
    """Base class of the errors of the store."""


class OpeningError(StoreError):
    """The database cannot be used at all."""


class UnavailableError(OpeningError):
    """The server, the driver or the address is missing."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"the store at {where} cannot be reached: {reason}")
        self.where = where


class AddressError(UnavailableError):
    """Not the address of a database. The message does not repeat it: it may hold a password."""

    def __init__(self, reason: str) -> None:
        Exception.__init__(self, f"the address of the store is wrong: {reason}")
        self.where = "its address"


class UnwritableError(OpeningError):
    """The directory or the file cannot be written."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"the store at {where} cannot be written: {reason}")
        self.where = where


class CorruptStoreError(OpeningError):
    """The file is damaged or not a database."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(
            f"the store at {where} is damaged: {reason}; restore it from a backup or ingest again elsewhere"
        )
        self.where = where


class NewerStoreError(OpeningError):
    """The database was written by a newer version of the program."""

    def __init__(self, where: str, found: str, known: str) -> None:
        super().__init__(
            f"the store at {where} has schema {found}, this program knows up to {known}: update the program"
        )
        self.found, self.known = found, known


class ForeignStoreError(OpeningError):
    """The database belongs to something else."""

    def __init__(self, where: str, tables: Sequence[str]) -> None:
        shown = ", ".join(sorted(tables)[:5])
        super().__init__(f"the database at {where} is not a brain's: it has the tables {shown}")
        self.tables = tuple(tables)


class FullDiskError(StoreError):
    """The disk of the store is full; the transaction was rolled back."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"the disk is full: this transaction was not written to the store at {where}; free some space and try again"
        )
        self.where = where


class LostConnectionError(StoreError):
    """The database server ended the connection, so the transaction was rolled back."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"the connection to the store at {where} was lost: nothing of this transaction was stored; try again"
        )
        self.where = where


class UnknownCommitError(LostConnectionError):
    """The connection was lost during the commit: the transaction was stored completely or not at all."""

    def __init__(self, where: str) -> None:
        StoreError.__init__(
            self,
            f"the connection to the store at {where} was lost during the commit: the transaction was stored "
            "completely or not at all; check which before you repeat it",
        )
        self.where = where


class LostLockError(StoreError):
    """The connection that held the lock of the nightly job ended, so another job may have begun."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"the nightly job lost its lock in {where}, so another one may be running: this one stopped; "
            "what it has done is stored, and brain nightly does the rest"
        )
        self.where = where


class BusyStoreError(StoreError):
    """Another process had the write lock for too long."""

    def __init__(self, where: str) -> None:
        super().__init__(f"the store at {where} is being written by another process; try again")


class PoolExhaustedError(StoreError):
    """Every database connection of this process was in use for too long."""

    def __init__(self, where: str, connections: int) -> None:
        super().__init__(f"all {connections} connections to the store at {where} are in use; try again")
        self.connections = connections


class ConflictError(StoreError):
    """Two documents define the same thing."""


class NodeTakenError(ConflictError):
    """A document brings a node id that another document has."""

    def __init__(self, node: str, owner: str, document: str) -> None:
        super().__init__(f"{document} brings the node {node}, which {owner} already has")
        self.node, self.owner, self.document = node, owner, document


class DuplicateNodeError(ConflictError):
    """A document brings one node id twice."""

    def __init__(self, node: str, document: str) -> None:
        super().__init__(f"{document} brings the node {node} twice")
        self.node, self.document = node, document


class ClaimTakenError(ConflictError):
    """A document brings a claim id that another document has."""

    def __init__(self, claim: str, owner: str, document: str) -> None:
        super().__init__(f"{document} brings the claim {claim}, which {owner} already has")
        self.claim, self.owner, self.document = claim, owner, document


class DuplicateClaimError(ConflictError):
    """A document brings one claim id twice, or a run one verdict twice."""

    def __init__(self, claim: str, where: str) -> None:
        super().__init__(f"{where} brings the claim {claim} twice")
        self.claim, self.where = claim, where


class UnstorableError(StoreError):
    """Text that is not valid Unicode, or a name that breaks the rule of `graph.name_rules`."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"{what} cannot be stored: {reason}")


class CursorError(StoreError):
    """A cursor of another list."""

    def __init__(self, cursor: str) -> None:
        super().__init__(
            f"{cursor[:60]!r} is no cursor of this list: take `next` of the page before, with the same filters"
        )


class SnapshotMismatchError(StoreError):
    """A payload with another hash than stated."""

    def __init__(self, claimed: str, found: str) -> None:
        super().__init__(f"the snapshot {claimed} has the hash {found}")


class NotFoundError(StoreError):
    """Nothing of that name is in the store."""

    noun = "thing"

    def __init__(self, name: object) -> None:
        super().__init__(f"there is no {self.noun} {name}")
        self.name = name


class UnknownNodeError(NotFoundError):
    """No such node; `tombstone` describes the removed node, if there was one, `renamed` is the id that it has now."""

    noun = "node"

    def __init__(self, name: str, tombstone: Tombstone | None = None, renamed: str | None = None) -> None:
        super().__init__(name)
        self.tombstone, self.renamed = tombstone, renamed


class UnknownDocumentError(NotFoundError):
    """No such document, or no such version of it."""

    noun = "document"


class UnknownTagError(NotFoundError):
    """No node carries the tag."""

    noun = "tag"


class UnknownSourceError(NotFoundError):
    """No node lists the work."""

    noun = "source"


class UnknownClaimError(NotFoundError):
    """No such claim."""

    noun = "claim"


class UnknownRunError(NotFoundError):
    """No such run, or no row in it."""

    noun = "run"


class UnknownSnapshotError(NotFoundError):
    """No such snapshot."""

    noun = "snapshot"


class UnknownNoticeError(NotFoundError):
    """No such notice."""

    noun = "notice"


class UnknownTokenError(NotFoundError):
    """No such token."""

    noun = "token"


class QuotaError(StoreError):
    """A brain would hold more than its quota; nothing was written."""

    def __init__(self, brain: str, what: str, held: int, most: int) -> None:
        super().__init__(
            f"the brain {brain} would hold {held:,} {what}, its quota is {most:,}: nothing was written; remove"
            f" documents, or raise the quota with brain brains set {brain} --max-{what} NUMBER"
        )
        self.brain, self.what, self.held, self.most = brain, what, held, most
