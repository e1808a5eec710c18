"""The journal of acknowledged runs: a text file next to the database that shows when the database has lost a run.

    {"store": "6f1c…", "run": 18, "as_of": "2026-11-21", "sha256": "…"}      one line for each committed run
    {"store": "6f1c…", "restored": 17}                            a backup was restored; earlier lines are void

A line is written after its run is committed. A database that lacks a run of the journal, or has another one under its
number, is older than what was acknowledged: `brain.db` was copied without its write-ahead log, say.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from graph.models.verdict_models import Run
from graph.problems import Problem, Severity
from graph.store.schema import instant
from graph.values import dumps, loads

LOG = logging.getLogger(__name__)


class RunJournal:
    """The journal at `path`; several processes can append to it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, store: str, run: Run) -> None:
        """Append a committed run; the run is stored anyway, so a failure is only logged."""
        try:
            self._write(_line(store, run))
        except OSError as error:
            LOG.warning("run %s is stored, but not written to %s: %s", run.id, self.path, error)

    def restart(self, store: str, runs: Sequence[Run]) -> None:
        """Void all lines, and append the runs of a restored database; raises OSError."""
        last = max((run.id for run in runs), default=0)
        self._write("\n".join([dumps({"store": store, "restored": last}), *(_line(store, run) for run in runs)]))

    def _write(self, lines: str) -> None:
        """Append lines in one write; the first line break ends a line that a crash cut off."""
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, f"{chr(10) if os.fstat(file).st_size else ''}{lines}".encode())
            os.fsync(file)
        finally:
            os.close(file)

    def problems(self, store: str, runs: Callable[[], Iterable[Run]]) -> Iterator[Problem]:
        """Problems of the journal, and its runs that the ledger lacks.

        `runs` reads the ledger; it is called after the journal is read, as runs may be appended meanwhile.
        """
        problem = partial(Problem, document=self.path.name, severity=Severity.WARNING)
        try:
            text = self.path.read_text("utf-8", "replace") if self.path.exists() else ""
        except OSError as error:
            yield problem(code="journal-unreadable", message=f"the journal of runs cannot be read: {error.strerror}")
            return
        entries, unreadable = _entries(text)
        if unreadable:
            listed = ", ".join(map(str, unreadable[:5]))
            yield problem(code="journal-damaged", message=f"lines that are not readable: {listed}")
        held = {run.id: _digest(run) for run in runs()}
        own = sorted(entry[1:] for entry in entries if entry[0] == store)
        if lost := {run: day for run, day, digest in own if held.get(run) != digest}:
            hint = (
                "was brain.db copied while the program wrote? put back the complete files or restore a backup "
                f"(`brain backup` makes them); to accept the loss, delete {self.path.name}"
            )
            yield problem(code="lost-runs", message=_missing(lost, held), hint=hint, severity=Severity.ERROR)
        if entries and not own:
            said = f"the {len(entries)} acknowledged runs in {self.path.name} belong to another database"
            hint = "was brain.db replaced? to accept this database, delete the file"
            yield problem(code="other-store", message=said, hint=hint)


def _missing(lost: dict[int, str], held: Collection[int]) -> str:
    named = ", ".join(f"run {run} (of {day})" for run, day in [*lost.items()][:20])
    more = f" and {len(lost) - 20} more" if len(lost) > 20 else ""
    count = f"{len(lost)} acknowledged runs are" if len(lost) > 1 else "an acknowledged run is"
    again = [run for run in lost if run in held][:20]
    reused = f"; other runs have the numbers {', '.join(map(str, again))}" if again else ""
    return f"{count} missing: {named}{more}{reused}; the database is older than what was acknowledged"


def _entries(text: str) -> tuple[list[tuple[str, int, str, str]], list[int]]:
    """Store, run, day and digest of entries since the last restore, and numbers of unreadable lines."""
    found: list[tuple[str, int, str, str]] = []
    unreadable: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            fields = loads(line) if line.strip() else {}
            if "restored" in fields:
                found.clear()
            elif fields:
                found.append((fields["store"], fields["run"], fields["as_of"], fields["sha256"]))
        except (ValueError, TypeError, KeyError):
            unreadable.append(number)
    return found, unreadable


def _line(store: str, run: Run) -> str:
    return dumps({"store": store, "run": run.id, "as_of": run.as_of.isoformat(), "sha256": _digest(run)})


def _digest(run: Run) -> str:
    """SHA-256 of what identifies a run, equal for one in memory and one from the database."""
    times = run.as_of, instant(run.started_at), instant(run.finished_at)
    parts = (run.id, *times, run.code, run.snapshot, run.rules, sorted(run.counts.items()))
    return hashlib.sha256(dumps(parts).encode()).hexdigest()
