"""The ledger: the runs, one run with its verdicts, and what changed from run to run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice

from api.pages.render.night_strip import NIGHTS, Columns, changed_columns, failing
from api.pages.render.verdict_signs import VERDICTS
from api.pages.request.page_request import Option, PageRequest, PageRequestError, TemplateResponse
from api.pages.views.claim_table import ClaimRow, PageContext
from compute.reports.morning import remarks
from graph.models.claim_models import VerdictName
from graph.models.verdict_change import VerdictChange
from graph.models.verdict_models import Run, VerdictRow
from graph.store.store_errors import UnknownRunError

LENGTH = 40
ROWS = 60
MOST_LISTED = 30
"""At most so many changes of one run are listed on the page of all changes; the page of the run has them all."""

MOST_OF_RUN = 100
_RANKS = {VerdictName.REFUTED: 0, VerdictName.ERROR: 0, VerdictName.STALE: 1, VerdictName.HOLDS: 3, None: 4}


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs, the latest first; `nights` draws the last of them, `verdicts` are those that any listed run has."""

    runs: tuple[Run, ...]
    verdicts: tuple[VerdictName, ...]
    nights: Columns | None
    following: str | None


@dataclass(frozen=True, slots=True)
class ChangedClaim:
    """A changed verdict; `remarks` are its margin, its cause and its effect on the thesis in words."""

    change: VerdictChange
    remarks: str


@dataclass(frozen=True, slots=True)
class ChangedRun:
    """What changed in one run, the most severe first: the claims, and `left` that are not listed.

    `added` counts new claims by their verdict, `removed` those that no document states any more.
    """

    run: int
    as_of: date
    claims: tuple[ChangedClaim, ...]
    left: int
    added: tuple[tuple[VerdictName, int], ...]
    removed: int

    @property
    def names(self) -> frozenset[str]:
        """The ids of the claims that are listed."""
        return frozenset(one.change.claim for one in self.claims)


@dataclass(frozen=True, slots=True)
class RunPage:
    """One run. `rows` are those with the requested verdict, the most severe first, after the claim `after`."""

    run: Run
    before: Run | None
    after: Run | None
    verdicts: tuple[Option, ...]
    rows: tuple[VerdictRow, ...]
    changes: ChangedRun | None
    lines: Mapping[str, ClaimRow]
    following: str | None


@dataclass(frozen=True, slots=True)
class Changes:
    """Changed verdicts, run by run, and how many changed on which night."""

    changed: tuple[ChangedRun, ...]
    since: date | None
    nights: Columns | None


def changed_run(run: int, as_of: date, changes: Iterable[VerdictChange], most: int) -> ChangedRun:
    """The changes of a run by what matters: refuted or in error, stale, the other failures, what holds again."""
    known = sorted(changes, key=lambda change: (_RANKS.get(change.after, 2), change.claim))
    listed = [ChangedClaim(one, ", ".join(remarks(one))) for one in known if one.before and one.after]
    added = Counter(after for one in known if (after := one.after) and not one.before)
    return ChangedRun(
        run=run,
        as_of=as_of,
        claims=tuple(listed[:most]),
        left=max(0, len(listed) - most),
        added=tuple((name, added[name]) for name in VERDICTS if added[name]),
        removed=sum(1 for one in known if not one.after),
    )


def runs(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The list of runs."""
    before = asked.number("before") if asked.text("before") else None
    found = desk.brain.ledger.runs(LENGTH + 1, before)
    following = asked.link(before=str(found[LENGTH - 1].id)) if len(found) > LENGTH else None
    shown = found[:LENGTH]
    verdicts = tuple(name for name in VERDICTS if any(one.counts.get(name.value) for one in shown))
    nights = desk.recall("nights", lambda: failing(desk.brain.ledger.present_runs(NIGHTS)))
    return TemplateResponse("runs.html", Runs(shown, verdicts, nights, following))


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
    rows = _rows(desk, found, asked, VerdictName(chosen) if chosen else None)
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
        changes=desk.recall(("run", found.id), lambda: _changes_of(desk, before, found)) if before else None,
        lines=desk.claim_table().lines,
        following=_following(asked, rows),
    )
    return TemplateResponse("run.html", model)


def _changes_of(desk: PageContext, before: Run, run: Run) -> ChangedRun:
    return changed_run(run.id, run.as_of, desk.brain.comparer.changes(before, run), MOST_OF_RUN)


def _rows(desk: PageContext, run: Run, asked: PageRequest, verdict: VerdictName | None) -> tuple[VerdictRow, ...]:
    """One row more than a page has: those of one verdict, or of all, the most severe first.

    `from` and `after` in the address are the verdict and the claim of the last row of the page before.
    """
    start = asked.one_of("from", [name.value for name in VERDICTS])
    names = [name for name in VERDICTS if run.counts.get(name.value) and verdict in {None, name}]
    names = names[names.index(VerdictName(start)) :] if start in names else names
    found: list[VerdictRow] = []
    for name in names:
        after = asked.text("after") if verdict or name.value == start else ""
        found += islice(desk.brain.ledger.rows(run.id, name, after=after), ROWS + 1)
    return tuple(found[: ROWS + 1])


def _following(asked: PageRequest, rows: tuple[VerdictRow, ...]) -> str | None:
    last = rows[ROWS - 1] if len(rows) > ROWS else None
    return asked.link(**{"from": last.verdict.value, "after": last.claim}) if last else None


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
    listed = tuple(changed_run(one.run, one.as_of, one.changes, MOST_LISTED) for one in changed)
    by_night: dict[date, Counter[VerdictName]] = {}
    for one in changed:
        counts = Counter(after for change in one.changes if (after := change.after) and change.before)
        by_night.setdefault(one.as_of, Counter()).update(counts)
    nights = changed_columns({day: counts for day, counts in by_night.items() if counts})
    return TemplateResponse("changes.html", Changes(_short(listed), since, nights))


def _short(listed: tuple[ChangedRun, ...]) -> tuple[ChangedRun, ...]:
    """As many runs as have about a hundred changes together; the first one always."""
    total = 0
    kept: list[ChangedRun] = []
    for one in listed:
        total += len(one.claims) + 1
        if kept and total > MOST_OF_RUN:
            break
        kept.append(one)
    return tuple(kept)
