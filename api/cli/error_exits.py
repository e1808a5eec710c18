"""The exit code and the text of each expected exception."""

from __future__ import annotations

import errno

from pydantic import ValidationError

from api.cli import UNREADABLE, USAGE
from api.services import backup, claim_status, nightly_job, price_refresh, task_mapper
from api.services.importing import documents, stored_files
from api.services.texts import claim_author
from compute.catalogs import catalog_download, catalog_files, git_files
from compute.claims import currency_conversion, overrides
from compute.prices import snapshots
from compute.runs import mail_delivery, night_models, run_ledger, webhook_delivery
from graph.store import store_errors as store

USAGE_ERRORS = (
    store.CursorError, store.AddressError, overrides.OverrideError, overrides.UnknownInputError,
    currency_conversion.CurrencyError, nightly_job.ReceiverError, webhook_delivery.SecretError,
    mail_delivery.MailAddressError, mail_delivery.MailServerError, documents.RuleLossError, claim_author.AuthorError,
    claim_status.EndError, backup.ServerDatabaseError,
)  # fmt: skip
UNREADABLE_ERRORS = (
    store.StoreError, snapshots.SnapshotError, snapshots.NothingKnownError, catalog_download.RefreshError,
    catalog_files.CatalogFileError, price_refresh.NothingOnHoldError, run_ledger.ManifestError,
    claim_status.NothingRaisedError, night_models.NightFarAheadError, night_models.NightRunningError,
    night_models.TimeLimitError, stored_files.EmptyFolderError, backup.BackupError, task_mapper.ClusterError,
    git_files.GitHistoryError, OSError,
)  # fmt: skip


def code_of(error: Exception) -> int | None:
    """The exit code of an expected exception; None for a defect."""
    if isinstance(error, USAGE_ERRORS):
        return USAGE
    return UNREADABLE if isinstance(error, UNREADABLE_ERRORS) else None


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
    (claim_status.UnknownPriceError, "all of them: brain prices list TEXT"),
    (claim_status.UnknownAcknowledgementError, "all of them: brain acks"),
    (claim_status.UnknownSilenceError, "all of them: brain silences list"),
    (store.UnknownFolderError, "all of them: brain library list"),
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
