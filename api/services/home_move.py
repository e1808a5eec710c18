"""Moves a home to another database: from SQLite to PostgreSQL, or back to `brain.db` in a folder.

    source ─▶ all tables in one transaction ─▶ compared ─▶ latest run computed again on both ─▶ commit ─▶ search index

The source stays as it is. Until the commit the target stays empty, so a move that was interrupted is started again.
"""

from __future__ import annotations

from pathlib import Path

from api.brain import Brain
from api.services.claim_evaluator import Rerun
from api.services.home_folder import DATABASE, RUN_JOURNAL, open_home
from api.services.progress_steps import ProgressStep, no_progress
from api.settings import Settings
from graph.store import Store
from graph.store.run_journal import RunJournal
from graph.store.store_copy import TableSum, copy_tables
from graph.values import Value


class MoveError(Exception):
    """A home cannot be moved; the message says why."""


class MoveReport(Value):
    """What was moved and compared; `run` is the latest run, whose verdicts were computed again; None without runs."""

    source: str
    target: str
    tables: tuple[TableSum, ...]
    run: int | None = None
    verdicts: int = 0

    @property
    def rows(self) -> int:
        """The rows of all tables."""
        return sum(table.rows for table in self.tables)


def move(settings: Settings, to: str, step: ProgressStep = no_progress) -> MoveReport:
    """Copy the home of `settings` to `to`, a PostgreSQL address or a folder, and prove that the copy is equal.

    Raises:
        NotEmptyError: the target has data.
        MoveError: the source was written to meanwhile, or verdicts differ; nothing was stored.
        StoreError: a store cannot be opened, read or written, or a table of the copy differs.
        OSError: the folder cannot be written.
    """
    if not settings.db and not (settings.home / DATABASE[0]).is_file():
        raise MoveError(f"there is no brain in {settings.home}")
    there = settings.model_copy(update={"db": to} if "://" in to else {"db": None, "home": Path(to)})
    with Brain.open(settings) as source:
        if not there.db:
            open_home(there.home)
        with Store.open(there.database) as store:
            report = _copied(source, Brain(there, store), step)
            if not there.db:
                RunJournal(there.home / RUN_JOURNAL).restart(store.metadata.identity(), store.ledger.runs())
    with Brain.open(there) as target:
        target.search.rebuild(step)
    return report


def _copied(source: Brain, target: Brain, step: ProgressStep) -> MoveReport:
    with source.store.pinned() as view, target.store.writing() as work:
        tables = copy_tables(view, work, target.store.where, step)
        again = _verdicts(source, target)
        if source.store.revision() != view.revision():
            raise MoveError("the home was written to during the move; nothing was stored: stop its server, try again")
    found = {"run": again.run, "verdicts": again.claims} if again else {}
    return MoveReport(source=source.store.where, target=target.store.where, tables=tables, **found)


def _verdicts(source: Brain, target: Brain) -> Rerun | None:
    """The latest run, computed again on both; where the program has changed since, both differ from it in one way."""
    run = max((run.id for run in source.ledger.runs()), default=None)
    if run is None:
        return None
    here, there = source.evaluator.rerun(run), target.evaluator.rerun(run)
    if here != there:
        raise MoveError(f"run {run}, computed again, gives other verdicts on the copy; nothing was stored")
    return there
