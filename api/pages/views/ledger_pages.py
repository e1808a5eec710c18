"""The ledger: the runs, one run with its verdicts, and what changed from run to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice

from api.pages.render.verdict_signs import VERDICTS
from api.pages.request.page_request import Option, PageRequest, PageRequestError, TemplateResponse
from api.pages.views.claim_table import ClaimRow, PageContext
from api.services.claim_status import RunChanges
from graph.models.claim_models import VerdictName
from graph.models.verdict_change import VerdictChange
from graph.models.verdict_models import Run, VerdictRow
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
    """One run. `rows` are those with the requested verdict, after the claim `after`."""

    run: Run
    before: Run | None
    after: Run | None
    verdicts: tuple[Option, ...]
    rows: tuple[VerdictRow, ...]
    changes: tuple[VerdictChange, ...]
    lines: Mapping[str, ClaimRow]
    following: str | None


@dataclass(frozen=True, slots=True)
class Changes:
    """Changed verdicts, run by run."""

    changed: tuple[RunChanges, ...]
    since: date | None
    lines: Mapping[str, ClaimRow]


def runs(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The list of runs."""
    before = asked.number("before") if asked.text("before") else None
    found = desk.brain.ledger.runs(LENGTH + 1, before)
    following = asked.link(before=str(found[LENGTH - 1].id)) if len(found) > LENGTH else None
    return TemplateResponse("runs.html", Runs(found[:LENGTH], following))


def run(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """One run.

    Raises:
        UnknownRunError: there is none of that number.
    """
    number = asked.parts["run"]
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise UnknownRunError(number)
    found = desk.brain.ledger.run(int(number))
    chosen = asked.one_of("verdict", [name.value for name in VERDICTS])
    verdict = VerdictName(chosen) if chosen else None
    rows = tuple(islice(desk.brain.ledger.rows(found.id, verdict, after=asked.text("after")), ROWS + 1))
    before = desk.brain.ledger.latest_run(before=found)
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
        after=desk.brain.ledger.next_run(found),
        verdicts=tuple(options),
        rows=rows[:ROWS],
        changes=desk.recall(
            ("run", found.id), lambda: tuple(desk.brain.evaluator.changes(before, found)) if before else ()
        ),
        lines=desk.claim_table().lines,
        following=asked.link(after=rows[ROWS - 1].claim) if len(rows) > ROWS else None,
    )
    return TemplateResponse("run.html", model)


def changes(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """Changed verdicts, latest run first.

    Raises:
        AskedWronglyError: `since` is no date.
    """
    text = asked.text("since")
    try:
        since = date.fromisoformat(text) if text else None
    except ValueError:
        raise PageRequestError("since", text, "write a day as 2026-11-21") from None
    changed = desk.recall(("changes", since), lambda: tuple(desk.brain.status.changes(since)))
    return TemplateResponse("changes.html", Changes(changed, since, desk.claim_table().lines))
