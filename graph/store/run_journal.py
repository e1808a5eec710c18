"""The journal of acknowledged runs: a text file next to the database that shows when the database has lost a run.

    {"store": "6f1c…", "run": 18, "as_of": "2026-11-21", "sha256": "…"}      one line for each committed run
    {"store": "6f1c…", "restored": 17}                            a backup was restored; earlier lines are void

A line is written and synced after the run is committed, so every line is of a run that was stored. `sha256` covers the
run's id, times, versions and counts. If the database lacks a run of the journal, or has another run under its number,
then the database is older than what was acknowledged: for example `brain.db` was copied without its write-ahead log. A
crash between commit and line leaves a run without a line; that is no loss and no problem.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path

from graph.models.verdict_models import Run
from graph.problems import Problem, Severity
from graph.store.column_types import instant
from graph.store.schema_version import RUN_JOURNAL
from graph.values import Value, dumps, loads

LOG = logging.getLogger(__name__)


class JournalEntry(Value):
    """One acknowledged run."""

    store: str
    run: int
    as_of: str
    sha256: str


class JournalContent(Value):
    """The valid entries of a journal, and the numbers of its unreadable lines."""

    entries: tuple[JournalEntry, ...] = ()
    unreadable: tuple[int, ...] = ()


class RunJournal:
    """The journal at `path`; appends are atomic, so several processes can write to it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, store: str, run: Run) -> None:
        """Write the line of a committed run. The run is stored either way, so a failure is only logged."""
        try:
            self._write(dumps(_entry(store, run)))
        except OSError as error:
            LOG.warning("run %s is stored, but not written to %s: %s", run.id, self.path, error)

    def restart(self, store: str, runs: Sequence[Run]) -> None:
        """Void the lines so far and write those of `runs`, the ledger of a restored database.

        Raises:
            OSError: the file cannot be written.
        """
        last = max((run.id for run in runs), default=0)
        lines = [dumps({"store": store, "restored": last}), *(dumps(_entry(store, run)) for run in runs)]
        self._write("\n".join(lines))

    def read(self) -> JournalContent:
        """The entries since the last restore; none if there is no file.

        Raises:
            OSError: the file cannot be read.
        """
        try:
            text = self.path.read_text("utf-8", "replace")
        except FileNotFoundError:
            return JournalContent()
        found: list[JournalEntry] = []
        unreadable: list[int] = []
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            try:
                fields = loads(line)
                if "restored" in fields:
                    found.clear()
                else:
                    found.append(JournalEntry.model_validate(fields))
            except (ValueError, TypeError):
                unreadable.append(number)
        return JournalContent(entries=tuple(found), unreadable=tuple(unreadable))

    def _write(self, lines: str) -> None:
        """Append lines in one write; the leading line break ends a line that a crash cut off."""
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            lead = "\n" if os.fstat(file).st_size else ""
            os.write(file, f"{lead}{lines}".encode())
            os.fsync(file)
        finally:
            os.close(file)


def journal_problems(
    journal: RunJournal, store: str, runs: Callable[[], Iterable[Run]], removed: Callable[[], Collection[int]]
) -> Iterator[Problem]:
    """What the ledger lacks of the journal; `removed` are the runs that a policy of retention removed.

    `runs` reads the ledger; it is called after the journal was read, because runs may be appended between.
    """
    try:
        content = journal.read()
    except OSError as error:
        yield _problem("journal-unreadable", Severity.WARNING, f"the journal of runs cannot be read: {error.strerror}")
        return
    if content.unreadable:
        listed = ", ".join(map(str, content.unreadable[:5]))
        yield _problem("journal-damaged", Severity.WARNING, f"lines that are not readable: {listed}")
    held, pruned = {run.id: _digest(run) for run in runs()}, removed()
    own = [entry for entry in content.entries if entry.store == store]
    lost = [entry for entry in own if held.get(entry.run) != entry.sha256 and entry.run not in pruned]
    if lost:
        yield _lost(lost, held.keys())
    if content.entries and not own:
        yield _problem(
            "other-store",
            Severity.WARNING,
            f"the {len(content.entries)} acknowledged runs in {RUN_JOURNAL} are of another database than this one",
            "was brain.db replaced? to accept this database, delete the file",
        )


def _lost(lost: Sequence[JournalEntry], held: Iterable[int]) -> Problem:
    numbers = sorted({entry.run for entry in lost})
    days = {entry.run: entry.as_of for entry in lost}
    named = ", ".join(f"run {number} (of {days[number]})" for number in numbers[:20])
    more = f" and {len(numbers) - 20} more" if len(numbers) > 20 else ""
    count = f"{len(numbers)} acknowledged runs are" if len(numbers) > 1 else "an acknowledged run is"
    again = sorted(set(numbers) & set(held))
    reused = f"; other runs have the numbers {', '.join(map(str, again[:20]))}" if again else ""
    return _problem(
        "lost-runs",
        Severity.ERROR,
        f"{count} missing: {named}{more}{reused}; the database is older than what was acknowledged",
        "was brain.db copied while the program wrote? put back the complete files or restore a backup "
        f"(`brain backup` makes them); to accept the loss, delete {RUN_JOURNAL}",
    )


def _problem(code: str, severity: Severity, message: str, hint: str | None = None) -> Problem:
    return Problem(document=RUN_JOURNAL, code=code, severity=severity, message=message, hint=hint)


def _entry(store: str, run: Run) -> JournalEntry:
    return JournalEntry(store=store, run=run.id, as_of=run.as_of.isoformat(), sha256=_digest(run))


def _digest(run: Run) -> str:
    """SHA-256 (hex) of what identifies a run; computed the same way for a run in memory and one from the database."""
    parts = (
        run.id, run.as_of, instant(run.started_at), instant(run.finished_at), run.code, run.snapshot, run.rules,
        sorted(run.counts.items()),
    )  # fmt: skip
    return hashlib.sha256(dumps(parts).encode()).hexdigest()
