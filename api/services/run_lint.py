"""What is wrong with the runs of a ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from graph.models.verdict_models import Run
from graph.problems import Problem, Severity


def runs_ahead(runs: Iterable[Run], today: date) -> Iterator[Problem]:
    """A warning for each run that was made after today, by a clock that was ahead."""
    for run in runs:
        made = f"run {run.id} for {run.as_of} was made on {run.started_at:%Y-%m-%d}, which is after today, {today}"
        yield Problem(
            document="brain.db",
            severity=Severity.WARNING,
            code="run-ahead",
            message=f"{made}: a clock was ahead; until that day the run is not the latest",
            hint="check the clock of this machine and of the one that made the run",
        )
