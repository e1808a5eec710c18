"""The ledger: the runs, one run with its verdicts, and what changed from run to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice

from api.pages.asked import Asked, AskedWronglyError, Option, Sheet
from api.pages.board import Desk, Line
from api.pages.signs import VERDICTS
from api.services.standing import Turned
from compute.reports.report import Change
from graph.claims import Row, Run, VerdictName
from graph.store import UnknownRunError

LENGTH = 60
ROWS = 80


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs, the latest first."""

    runs: tuple[Run, ...]
    following: str | None


@dataclass(frozen=True, slots=True)
class RunPage:
    """One run. `rows` are those with the verdict asked for, behind the claim `after`."""

    run: Run
    before: Run | None
    after: Run | None
    verdicts: tuple[Option, ...]
    rows: tuple[Row, ...]
    changes: tuple[Change, ...]
    lines: Mapping[str, Line]
    following: str | None


@dataclass(frozen=True, slots=True)
class Changes:
    """What turned, run by run."""

    turned: tuple[Turned, ...]
    since: date | None
    lines: Mapping[str, Line]


def runs(desk: Desk, asked: Asked) -> Sheet:
    """The list of runs."""
    before = asked.number("before") if asked.text("before") else None
    found = desk.store.runs(LENGTH + 1, before)
    following = asked.link(before=str(found[LENGTH - 1].id)) if len(found) > LENGTH else None
    return Sheet("runs.html", Runs(found[:LENGTH], following))


def run(desk: Desk, asked: Asked) -> Sheet:
    """One run.

    Raises:
        UnknownRunError: there is none of that number.
    """
    number = asked.parts["run"]
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise UnknownRunError(number)
    found = desk.store.run(int(number))
    chosen = asked.one_of("verdict", [name.value for name in VERDICTS])
    verdict = VerdictName(chosen) if chosen else None
    rows = tuple(islice(desk.store.rows(found.id, verdict, after=asked.text("after")), ROWS + 1))
    before = desk.store.latest_run(before=found.id)
    options = (
        Option(
            name.value, asked.link(verdict=None if name.value == chosen else name.value), count, name.value == chosen
        )
        for name in VERDICTS
        if (count := found.counts.get(name.value))
    )
    model = RunPage(
        run=found,
        before=before,
        after=_next(desk, found),
        verdicts=tuple(options),
        rows=rows[:ROWS],
        changes=desk.recall(
            ("run", found.id), lambda: tuple(desk.brain.auditor.turned(before, found)) if before else ()
        ),
        lines=desk.board().lines,
        following=asked.link(after=rows[ROWS - 1].claim) if len(rows) > ROWS else None,
    )
    return Sheet("run.html", model)


def _next(desk: Desk, found: Run) -> Run | None:
    try:
        return desk.store.run(found.id + 1)
    except UnknownRunError:
        return None


def changes(desk: Desk, asked: Asked) -> Sheet:
    """What turned, the latest run first.

    Raises:
        AskedWronglyError: `since` is no date.
    """
    text = asked.text("since")
    try:
        since = date.fromisoformat(text) if text else None
    except ValueError:
        raise AskedWronglyError("since", text, "write a day as 2026-11-21") from None
    turned = desk.recall(("changes", since), lambda: tuple(desk.brain.standing.changes(since)))
    return Sheet("changes.html", Changes(turned, since, desk.board().lines))
