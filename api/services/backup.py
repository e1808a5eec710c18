"""Backup of a home to one file, restore, and the move of a home to another database.

    home ─▶ copy of brain.db (SQLite's backup API, while others write) ─▶ check ─▶ ZIP file: manifest.json, brain.db
    ZIP file ─▶ next to brain.db, under another name ─▶ hash, checks ─▶ one atomic move
    source ─▶ all tables in one transaction ─▶ compared ─▶ latest run computed again on both ─▶ commit ─▶ search index

The other files of a home are made again from the database. The source of a move is unchanged, and until the commit its
target is empty, so a move that was interrupted is started again.
"""

from __future__ import annotations

import hashlib
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from api.brain import Brain
from api.release import VERSION
from api.services.evaluation import Rerun
from api.services.home_folder import RESTORED, RUN_JOURNAL, open_home
from api.settings import Settings
from graph.models.access_models import BrainPolicy, StoredToken
from graph.private_files import private_file
from graph.problems import Problem
from graph.progress_steps import ProgressStep, no_progress
from graph.scratch_folder import remove_left, scratch_folder
from graph.store import Store
from graph.store.database_files import check_file, copy_database, fold_log, replace_database, size_of, sync_path
from graph.store.run_journal import RunJournal
from graph.store.store_errors import StoreError
from graph.store.table_copies import TableSum, copy_tables
from graph.values import Value, dumps

FORMAT = 1
_DATABASE, _MANIFEST = "brain.db", "manifest.json"
_PART = ".part"
_INCOMPLETE = "{} is not a complete backup: {}"


class BackupError(Exception):
    """A backup cannot be made or restored, or a home cannot be moved; the message says what to do."""


class ServerDatabaseError(BackupError):
    """The data are on a PostgreSQL server, which has its own backup tools."""

    def __init__(self) -> None:
        super().__init__(
            "the data of this home are in PostgreSQL (BRAIN_DB), not in brain.db; "
            "make a backup with pg_dump --format=custom --file=FILE, restore it with pg_restore --clean --dbname=…"
        )


class FileEntry(Value):
    """A file of a backup: its size in bytes, its SHA-256 in hex."""

    bytes: int
    sha256: str


class BackupManifest(Value):
    """The contents of a backup. `store` is the identity of the database, `last_run` 0 without runs."""

    brain_backup: int
    program: str
    created_at: datetime
    store: str
    documents: int
    runs: int
    last_run: int
    files: dict[str, FileEntry]


class RestoredAccess(Value):
    """The access after a restore: valid `tokens`; what was `revoked` or made `private` since the backup.

    If not `known`, the replaced home could not be read, and neither could later revocations.
    """

    revoked: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    known: bool = False


class BackupReport(Value):
    """A backup that was made or restored, what `brain check` finds in it; after a restore, the access."""

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
    database, folder = _database(settings), file.absolute().parent
    if not database.is_file():
        raise BackupError(f"there is no brain in {settings.home}")
    if not folder.is_dir():
        raise BackupError(f"the folder {folder} does not exist; create it first, or name another file")
    if file.exists():  # only an older backup is replaced: a typing error must not delete a document
        try:
            with _opened(file):
                pass
        except BackupError as error:
            raise BackupError(f"{file} exists and is not a backup; name another file") from error
    remove_left(folder, ending=_PART)
    with scratch_folder(folder, f".{file.name}.", _PART) as made:
        copy, new = made / _DATABASE, made / file.name
        copy_database(database, copy)
        report = _described(file, copy, at)
        _pack(new, report.manifest, copy)
        sync_path(new)
        new.replace(file)
        sync_path(folder)
    return report


def restore(settings: Settings, file: Path, *, force: bool = False) -> BackupReport:
    """Replace the home by a backup, which is first checked; tokens revoked and brains made private since stay so.

    Raises:
        ServerDatabaseError: the data of the home are on a PostgreSQL server.
        BackupError: the home has data, and `force` is not set; or the file is damaged, incomplete or something else.
        StoreError: another process has the home open, or the database is of a newer version of the program.
        OSError: a file cannot be read or written.
    """
    database = _database(settings)
    with _opened(file) as (packed, manifest):
        if not force and _has_data(database):
            raise BackupError(f"{settings.home} is not empty; --force replaces everything in it by the backup")
        open_home(settings.home)
        with scratch_folder(settings.home, RESTORED) as staged:
            copy = staged / _DATABASE
            private_file(copy)
            with packed.open(_DATABASE) as source, copy.open("wb") as made:
                shutil.copyfileobj(source, made)
            if _entry(copy) != manifest.files.get(_DATABASE):
                raise BackupError(_INCOMPLETE.format(file, f"{_DATABASE} differs from its hash"))
            report = _described(file, copy, manifest.created_at)
            with Brain.open(settings.model_copy(update={"home": staged})) as opened:
                access = _keep_closed(opened, database, manifest.created_at)
            fold_log(copy)
            replace_database(database, copy)
    with Store.open(database) as store:  # from now on the restored ledger is what was acknowledged
        RunJournal(settings.home / RUN_JOURNAL).restart(store.metadata.identity(), store.ledger.runs())
    return report.model_copy(update={"manifest": manifest, "access": access})


def _database(settings: Settings) -> Path:
    if settings.db:
        raise ServerDatabaseError
    return settings.home / _DATABASE


def _described(file: Path, copy: Path, at: datetime) -> BackupReport:
    """The report of a database that `file` has, or gets."""
    check_file(copy)
    with Store.open(copy) as store:
        runs, problems = store.ledger.runs(), tuple(store.check())
        identity, documents = store.metadata.identity(), len(store.documents.heads())
    fold_log(copy)  # opened as a store it has a log
    manifest = BackupManifest(
        brain_backup=FORMAT, program=VERSION, created_at=at, store=identity, documents=documents, runs=len(runs),
        last_run=max((run.id for run in runs), default=0), files={_DATABASE: _entry(copy)},
    )  # fmt: skip
    return BackupReport(file=str(file), manifest=manifest, problems=problems)


def _entry(path: Path) -> FileEntry:
    with path.open("rb") as opened:
        return FileEntry(bytes=path.stat().st_size, sha256=hashlib.file_digest(opened, "sha256").hexdigest())


def _pack(target: Path, manifest: BackupManifest, copy: Path) -> None:
    private_file(target)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        packed.writestr(_MANIFEST, dumps(manifest, indent=2) + "\n")
        packed.write(copy, _DATABASE)


@contextmanager
def _opened(file: Path) -> Iterator[tuple[zipfile.ZipFile, BackupManifest]]:
    """A backup and its manifest. Raises `BackupError` if it is none, damaged or incomplete."""
    with file.open("rb") as raw:
        try:
            packed = zipfile.ZipFile(raw)
            damaged = packed.testzip()
            manifest = BackupManifest.model_validate_json(packed.read(_MANIFEST))
        except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValidationError) as error:
            why = f"it is not a ZIP file with a valid {_MANIFEST}, or it was cut off or damaged"
            raise BackupError(_INCOMPLETE.format(file, why)) from error
        names = sorted(packed.namelist())
        if manifest.brain_backup != FORMAT or damaged or names != [_DATABASE, _MANIFEST]:
            said = f"its format is {manifest.brain_backup}, its files are {', '.join(map(ascii, names))}"
            raise BackupError(_INCOMPLETE.format(file, f"{damaged} is damaged" if damaged else said))
        with packed:
            yield packed, manifest


# A backup does not know what was revoked after it, and a restore must not restore that access.


def _has_data(database: Path) -> bool:
    """Whether the home has data; a database that cannot be opened counts as data."""
    if not size_of(database):
        return False
    try:
        with Store.open(database) as store:
            return bool(store.documents.heads() or store.ledger.latest_run() or store.snapshots.all())
    except StoreError:
        return True


def _keep_closed(opened: Brain, database: Path, at: datetime) -> RestoredAccess:
    """Revoke tokens and make brains private as in the replaced database."""
    before, private, revoked = "", frozenset[str](), list[StoredToken]()
    if size_of(database):
        with suppress(StoreError), Store.open(database) as old:
            revoked = [token for token in old.tokens.all() if token.revoked_at is not None]
            private, before = old.brains.private(), old.metadata.identity()
    own = opened.store.metadata.identity() == before
    closed = sorted(private - opened.brains.private()) if own else []
    for name in closed:
        policy = opened.brains.policies().get(name, BrainPolicy(name=name))
        opened.prices.put_policy(policy.model_copy(update={"private": True}), at=at)
    done = []
    for token in revoked:
        held = opened.tokens.find(token.id)
        if held is None and own:
            opened.tokens.add(token)  # the backup does not have it, and the next restore needs it
        elif held and held.digest == token.digest and not held.revoked_at and token.revoked_at:
            opened.tokens.revoke(token.id, token.revoked_at)
            done.append(token.id)
    valid = tuple(token.id for token in opened.tokens.all() if token.revoked_at is None)
    return RestoredAccess(revoked=tuple(done), private=tuple(closed), tokens=valid, known=bool(before))


class MoveReport(Value):
    """The result of a move; `run` is the latest run, whose verdicts were computed again; None without runs."""

    source: str
    target: str
    tables: tuple[TableSum, ...]
    run: int | None = None
    verdicts: int = 0


def move(settings: Settings, to: str, step: ProgressStep = no_progress) -> MoveReport:
    """Copy the home to `to`, a PostgreSQL address or a folder, and check that the copy is equal.

    Raises:
        NotEmptyError: the target has data.
        BackupError: the source was written to meanwhile, or verdicts differ; nothing was stored.
        StoreError: a store cannot be opened, read or written, or a table of the copy differs.
        OSError: the folder cannot be written.
    """
    if not settings.db and not (settings.home / _DATABASE).is_file():
        raise BackupError(f"there is no brain in {settings.home}")
    there = settings.model_copy(update={"db": to} if "://" in to else {"db": None, "home": Path(to)})
    with Brain.open(settings) as source:
        if not there.db:
            open_home(there.home)
        with Store.open(there.database) as store:
            with source.store.pinned() as view, store.writing() as work:
                tables = copy_tables(view, work, store.where, step)
                again = _latest_again(source, Brain(there, store))
                if source.store.revision() != view.revision():
                    said = "the home was written to during the move; nothing was stored: stop its server, try again"
                    raise BackupError(said)
            if not there.db:
                RunJournal(there.home / RUN_JOURNAL).restart(store.metadata.identity(), store.ledger.runs())
            found = {"run": again.run, "verdicts": again.claims} if again else {}
            report = MoveReport(source=source.store.where, target=store.where, tables=tables, **found)
    with Brain.open(there) as target:
        target.search.rebuild(step)
    return report


def _latest_again(source: Brain, target: Brain) -> Rerun | None:
    """The latest run, computed again on both; after a program update both must differ equally."""
    run = max((run.id for run in source.ledger.runs()), default=None)
    if run is None:
        return None
    here, there = source.evaluator.rerun(run), target.evaluator.rerun(run)
    if here != there:
        raise BackupError(f"run {run}, computed again, gives other verdicts on the copy; nothing was stored")
    return there
