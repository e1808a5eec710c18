"""The exit code and the text of each expected exception."""

from __future__ import annotations

import errno

from pydantic import ValidationError

from api.cli import UNREADABLE, USAGE
from api.services.backup import BackupError, ServerDatabaseError
from api.services.claim_status import (
    EndError,
    NothingRaisedError,
    UnknownAcknowledgementError,
    UnknownPriceError,
    UnknownSilenceError,
)
from api.services.importing.documents import RuleLossError
from api.services.importing.stored_files import EmptyFolderError
from api.services.nightly_job import ReceiverError
from api.services.price_refresh import NothingOnHoldError
from api.services.task_mapper import ClusterError
from api.services.texts.claim_author import NewClaimError, StartingFileError
from compute.catalogs.catalog_download import RefreshError
from compute.catalogs.catalog_files import CatalogFileError
from compute.catalogs.git_files import GitHistoryError
from compute.claims.currency_conversion import CurrencyError
from compute.claims.overrides import OverrideError, UnknownInputError
from compute.prices.snapshots import NothingKnownError, SnapshotError
from compute.runs.mail_delivery import MailAddressError, MailServerError
from compute.runs.night_models import NightFarAheadError, NightRunningError, TimeLimitError
from compute.runs.run_ledger import ManifestError
from compute.runs.webhook_delivery import SecretError
from graph.store import store_errors as store
from graph.store.store_errors import UnknownFolderError

CODES: tuple[tuple[tuple[type[Exception], ...], int], ...] = (
    ((
        store.CursorError, store.AddressError, OverrideError, UnknownInputError, CurrencyError, ReceiverError,
        SecretError, MailAddressError, MailServerError, RuleLossError, NewClaimError, ServerDatabaseError,
        EndError, StartingFileError,
    ), USAGE),
    ((
        store.StoreError, SnapshotError, NothingKnownError, RefreshError, CatalogFileError, NothingOnHoldError,
        ManifestError, NothingRaisedError, NightFarAheadError, NightRunningError, TimeLimitError, EmptyFolderError,
        BackupError, ClusterError, GitHistoryError, OSError,
    ), UNREADABLE),
)  # fmt: skip


def code_of(error: Exception) -> int | None:
    """The exit code of an expected exception, the first that fits; None for a defect."""
    return next((code for kind, code in CODES if isinstance(error, kind)), None)


def setting_error(error: Exception) -> str | None:
    """The text of a wrong setting; None for other errors."""
    if not isinstance(error, ValidationError) or error.title != "Settings":
        return None  # what a damaged store has in place of a note is no setting
    first = error.errors()[0]
    return f"the setting BRAIN_{str(first['loc'][0]).upper()}: {first['msg'].removeprefix('Value error, ')}"


NEXT: tuple[tuple[type[Exception], str], ...] = (
    (store.UnknownNodeError, "find its id with: brain search TEXT"),
    (store.UnknownClaimError, "all of them: brain claims"),
    (store.UnknownRunError, "all of them: brain runs"),
    (UnknownPriceError, "all of them: brain prices list TEXT"),
    (UnknownAcknowledgementError, "all of them: brain acks"),
    (UnknownSilenceError, "all of them: brain silences list"),
    (UnknownFolderError, "all of them: brain library list"),
    (store.UnknownTokenError, "all of them: brain tokens list"),
    (store.UnknownDocumentError, "brain show NODE prints the document of a node"),
    (store.UnknownSnapshotError, "a snapshot is a hash, its beginning, or the number of a run: brain runs"),
    (store.UnknownCommitError, "brain runs lists the runs that are stored; an ingest can be repeated in any case"),
    (store.TakenError, "moved? read its folder, or remove the old one: brain remove DOCUMENT"),
)
"""What to do next; exceptions do not know the commands."""

FULL = (errno.ENOSPC, errno.EDQUOT)  # the errors of a full disk, and of a full quota


def error_text(error: Exception) -> str:
    """An expected exception in one line: what is wrong, and what to do next."""
    if isinstance(error, OSError) and error.errno in FULL:
        return f"the disk is full: {error.filename or 'a file'} cannot be written; free some space and try again"
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror.lower()}"
    found = getattr(error, "renamed", None)
    hint = "" if found else next((hint for kind, hint in NEXT if isinstance(error, kind)), "")
    return "; ".join(part for part in (str(error), _gone(error), *getattr(error, "__notes__", ()), hint) if part)


def _gone(error: Exception) -> str:
    """What is known of a node that was renamed, or was removed and is still cited."""
    if not isinstance(error, store.UnknownNodeError):
        return ""
    if error.renamed:
        return f"it has another id now: brain show {error.renamed}"
    stone = error.tombstone
    return f"it was removed with {stone.document} on {stone.removed_at:%Y-%m-%d}" if stone else ""
