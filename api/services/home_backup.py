"""Backup of a home to one file, and restore.

    home ─▶ copy of brain.db (SQLite's backup API, while others write) ─▶ check ─▶ ZIP file: manifest.json, brain.db, …
    ZIP file ─▶ next to brain.db, under another name ─▶ hashes, checks, upgrade ─▶ one atomic move

The database holds the documents, claims, ledger, flags, notices and snapshots. Of the other files in a home, those that
are made again from the database (`home_folder.DERIVED`) are left out.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from api.release import VERSION
from api.services.home_folder import DATABASE, DERIVED, OWN, RESTORED, RUN_JOURNAL, open_home
from api.services.restored_access import RestoredAccess, earlier_access, keep
from api.settings import Settings
from graph.private_files import private_file
from graph.problems import Problem
from graph.scratch_folder import remove_left, scratch_folder
from graph.store import Store
from graph.store.database_files import check_file, copy_database, fold_log, replace_database, sync_path
from graph.store.run_journal import RunJournal
from graph.store.store_errors import CorruptStoreError
from graph.values import Value, dumps

FORMAT = 1
_DATABASE, _MANIFEST = "brain.db", "manifest.json"
_PIECE = 1 << 20
_PART = ".part"


class BackupError(Exception):
    """A backup cannot be made or restored; the message says why and what to do."""


class ServerDatabaseError(BackupError):
    """The data are on a PostgreSQL server, which has its own tools for backups."""

    def __init__(self) -> None:
        super().__init__(
            "the data of this home are in PostgreSQL (BRAIN_DB), not in brain.db; "
            "make a backup with pg_dump --format=custom --file=FILE, restore it with pg_restore --clean --dbname=…"
        )


class HomeNotEmptyError(BackupError):
    """A restore would replace data."""

    def __init__(self, home: Path) -> None:
        super().__init__(f"{home} is not empty; --force replaces everything in it by the backup")


class NoBackupError(BackupError):
    """A file is not a complete backup."""

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(f"{file} is not a complete backup: {reason}")


class FileEntry(Value):
    """One file of a backup: its size in bytes, and its SHA-256 (hex)."""

    bytes: int
    sha256: str


class BackupManifest(Value):
    """What a backup contains. `store` is the identity of the database, `last_run` 0 for an empty ledger."""

    brain_backup: int
    program: str
    created_at: datetime
    store: str
    documents: int
    runs: int
    last_run: int
    files: dict[str, FileEntry]


class BackupReport(Value):
    """A backup that was made or restored, with what `brain check` finds in it; of a restore, who has access now."""

    file: str
    manifest: BackupManifest
    problems: tuple[Problem, ...] = ()
    access: RestoredAccess | None = None


def backup(settings: Settings, file: Path, at: datetime) -> BackupReport:
    """Write the home to one file; the old file stays until the new one is complete and checked.

    Raises:
        ServerDatabaseError: the data are on a PostgreSQL server.
        BackupError: there is no database, or `file` is something else than a backup.
        StoreError: the database is damaged.
        OSError: the file cannot be written.
    """
    database = _database(settings)
    if not database.is_file():
        raise BackupError(f"there is no brain in {settings.home}")
    if not file.absolute().parent.is_dir():
        raise BackupError(f"the folder {file.absolute().parent} does not exist; create it first, or name another file")
    if file.exists():
        _check_replaceable(file)
    folder = file.absolute().parent
    for name in (f".{file.name}.", ""):
        remove_left(folder, name, _PART)
    with scratch_folder(folder, f".{file.name}.", _PART) as made:
        copy, packed = made / _DATABASE, made / file.name
        copy_database(database, copy)
        manifest, problems = _described(copy, at)
        files = {_DATABASE: copy, **{path.name: path for path in _others(settings.home)}}
        manifest = manifest.model_copy(update={"files": {name: _entry(path) for name, path in files.items()}})
        _pack(packed, manifest, files)
        sync_path(packed)
        packed.replace(file)
        sync_path(folder)
    return BackupReport(file=str(file), manifest=manifest, problems=problems)


def restore(settings: Settings, file: Path, *, force: bool = False) -> BackupReport:
    """Replace the home by a backup. Nothing is changed before the backup is unpacked and checked.

    Tokens that were revoked after the backup stay revoked, and brains that were made private stay private.

    Raises:
        ServerDatabaseError: the data of the home are on a PostgreSQL server.
        HomeNotEmptyError: the home has data, and `force` is not set.
        NoBackupError: the file is damaged, incomplete or something else.
        StoreError: another process has the home open, or the database is of a newer version of the program.
        OSError: a file cannot be read or written.
    """
    database = _database(settings)
    with _opened(file) as packed:
        manifest = _manifest(file, packed)
        if not force and _has_data(database):
            raise HomeNotEmptyError(settings.home)
        with _home_of(settings), scratch_folder(settings.home, RESTORED) as staged:
            for name, entry in manifest.files.items():
                _unpack(file, packed, name, entry, staged / name)
            _, problems = _described(staged / _DATABASE, manifest.created_at)
            unpacked = settings.model_copy(update={"home": staged})
            kept = keep(unpacked, earlier_access(database), manifest.created_at)
            fold_log(staged / _DATABASE)
            replace_database(database, staged / _DATABASE)
            for name in manifest.files.keys() - {_DATABASE}:
                (staged / name).replace(settings.home / name)
    _restart_journal(settings)
    return BackupReport(file=str(file), manifest=manifest, problems=problems, access=kept)


@contextmanager
def _home_of(settings: Settings) -> Iterator[None]:
    """The folder of the home, made if it is missing; where the block fails, a folder that was made is removed again."""
    missing = not settings.home.exists()
    open_home(settings.home)
    try:
        yield
    except BaseException:
        if missing:
            with suppress(OSError):
                settings.home.rmdir()
        raise


def _database(settings: Settings) -> Path:
    if settings.db:
        raise ServerDatabaseError
    return settings.home / _DATABASE


def _described(copy: Path, at: datetime) -> tuple[BackupManifest, tuple[Problem, ...]]:
    """The manifest of a database, without files, and its problems; the database is upgraded if it is older."""
    check_file(copy)
    with Store.open(copy) as store:
        manifest = BackupManifest(
            brain_backup=FORMAT,
            program=VERSION,
            created_at=at,
            store=store.metadata.identity(),
            documents=len(store.documents.heads()),
            runs=len(runs := store.ledger.runs()),
            last_run=max((run.id for run in runs), default=0),
            files={},
        )
        problems = tuple(store.check())
    fold_log(copy)  # opened as a store it has a log
    return manifest, problems


def _others(home: Path) -> Iterator[Path]:
    """The other files of a home that are not derived from the database."""
    left_out = {path for pattern in (*DATABASE, *DERIVED, RUN_JOURNAL) for path in home.glob(pattern)}
    yield from sorted(path for pattern in OWN for path in home.glob(pattern) if path not in left_out and path.is_file())


def _entry(path: Path) -> FileEntry:
    with path.open("rb") as opened:
        return FileEntry(bytes=path.stat().st_size, sha256=hashlib.file_digest(opened, "sha256").hexdigest())


def _pack(target: Path, manifest: BackupManifest, files: dict[str, Path]) -> None:
    private_file(target)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        packed.writestr(_MANIFEST, dumps(manifest, indent=2) + "\n")
        for name, path in files.items():
            packed.write(path, name)


def _check_replaceable(file: Path) -> None:
    """Only an older backup is replaced: a typing error must not cost a document."""
    try:
        with _opened(file) as packed:
            _manifest(file, packed)
    except NoBackupError as error:
        raise BackupError(f"{file} exists and is not a backup; name another file") from error


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    with file.open("rb") as raw:
        try:
            packed = zipfile.ZipFile(raw)
        except zipfile.BadZipFile as error:
            raise NoBackupError(file, "it is not a ZIP file, or it was cut off") from error
        with packed:
            yield packed


def _manifest(file: Path, packed: zipfile.ZipFile) -> BackupManifest:
    try:
        found = BackupManifest.model_validate_json(packed.read(_MANIFEST))
    except (KeyError, ValidationError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise NoBackupError(file, f"it has no valid {_MANIFEST}") from error
    if found.brain_backup != FORMAT:
        raise NoBackupError(file, f"its format is {found.brain_backup}, this program reads {FORMAT}")
    if _DATABASE not in found.files:
        raise NoBackupError(file, f"it has no {_DATABASE}")
    if strange := [name for name in found.files if not _restorable(name)]:
        raise NoBackupError(file, f"it has the unknown file {strange[0]!a}")
    return found


def _restorable(name: str) -> bool:
    """Whether a name is that of a file that a backup may put into a home."""
    plain = "/" not in name and "\\" not in name and name not in {"", ".", ".."}
    matched = plain and any(Path(name).match(pattern) for pattern in OWN)
    derived = any(Path(name).match(pattern) for pattern in (*DERIVED, RUN_JOURNAL, "brain.db-*"))
    return matched and not derived


def _unpack(file: Path, packed: zipfile.ZipFile, name: str, entry: FileEntry, target: Path) -> None:
    """One file of a backup, refused if its size or hash differ from the manifest."""
    private_file(target)
    try:
        with packed.open(name) as source, target.open("wb") as made:
            _copy(source, made, entry.bytes)
    except (KeyError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise NoBackupError(file, f"{name} is damaged or missing") from error
    if _entry(target) != entry:
        raise NoBackupError(file, f"{name} differs from its hash")


def _copy(source: IO[bytes], target: IO[bytes], most: int) -> None:
    """Copy at most one byte more than stated, so that a forged archive cannot fill the disk."""
    left = most + 1
    while left > 0 and (piece := source.read(min(_PIECE, left))):
        target.write(piece)
        left -= len(piece)


def _has_data(database: Path) -> bool:
    """Whether a database has documents or runs; one that cannot be opened counts as having some."""
    if not database.is_file() or not database.stat().st_size:
        return False
    try:
        with Store.open(database) as store:
            return bool(store.documents.heads() or store.ledger.latest_run() or store.snapshots.all())
    except CorruptStoreError:
        return True


def _restart_journal(settings: Settings) -> None:
    """From now on the restored ledger is what was acknowledged."""
    with Store.open(settings.home / _DATABASE) as store:
        RunJournal(settings.home / RUN_JOURNAL).restart(store.metadata.identity(), store.ledger.runs())
