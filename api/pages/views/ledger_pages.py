"""The morning report, runs, one run, and changes from run to run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import NamedTuple

from api.pages.page_request import PageRequest, TemplateResponse, facet_options, page_of
from api.pages.render.figure_format import factor
from api.pages.render.strips import NIGHTS, failing_nights, night_counts
from api.pages.render.verdict_signs import VERDICTS, WORDS, sign_name
from api.pages.views.claim_table import AHEAD, SEVERITY_ORDER, ClaimRow, PageContext, counted, is_calm, state_order
from compute.impact.nearest_changes import least_change
from compute.record.life_models import LifeLine, LifeMove, LifeTurn
from compute.reports.morning_report import after_that, age_lines
from compute.reports.report_model import SOURCE_WRONG, NearestChange
from graph.groups import group_by
from graph.models.claim_models import Cause, Tense, VerdictName
from graph.models.node_models import Kind
from graph.models.query_models import NodeRef
from graph.models.verdict_models import Run, VerdictChange, VerdictRow
from graph.store.store_errors import UnknownRunError

OWN_WORDS = {Cause.FAMILY_MOVED: "the family has a newer model", Cause.SOURCE_CHANGED: "read from another source"}

LENGTH, ROWS, FEW, LOOKED_AT = 40, 30, 3, 50
MOST_LISTED, MOST_OF_RUN = 30, 100  # so many changes of one run are listed on the page of all changes, and its own


class ListedChange(NamedTuple):
    """A changed verdict: today's row, the inputs that moved, the note; and the list that announced the first move."""

    change: VerdictChange
    row: ClaimRow | None
    moves: tuple[LifeMove, ...] = ()
    note: NodeRef | None = None
    later: str = ""
    announced: tuple[str, date] | None = None

    @property
    def state(self) -> str:
        """The key of the new verdict in `VERDICTS`."""
        return sign_name(self.change.after, self.row.claim if self.row else None)

    @property
    def calm(self) -> bool:
        """Whether the new verdict asks nothing of the author."""
        return is_calm(self.state, self.row.claim if self.row else None)

    @property
    def gravity(self) -> tuple[int, int, str]:
        """Its place: what fails by severity, then by verdict; what holds again last."""
        severity = SEVERITY_ORDER.index(self.row.claim.severity) if self.row else len(SEVERITY_ORDER)
        return (len(SEVERITY_ORDER) + 1 if self.calm else severity, state_order(self.state), self.change.claim)


class ChangeList(NamedTuple):
    """Changes of a run: the most severe, counts of new verdicts, what came and went."""

    run: Run
    listed: Sequence[ListedChange]
    counts: tuple[tuple[str, int], ...]
    added: tuple[tuple[str, int], ...]
    removed: int

    @property
    def total(self) -> int:
        """How many verdicts changed."""
        return sum(count for _, count in self.counts)

    @property
    def stopped(self) -> int:
        """How many of them no longer hold."""
        return sum(count for name, count in self.counts if not is_calm(name, None))

    @property
    def failing(self) -> dict[str, list[ListedChange]]:
        """What stopped holding, by the item that moved."""
        failing = (one for one in self.listed if not one.calm)
        return group_by(failing, lambda one: one.moves[0].item if one.moves else one.change.claim)

    @property
    def names(self) -> frozenset[str]:
        """The ids of the claims that are listed."""
        return frozenset(one.change.claim for one in self.listed)


def change_list(
    context: PageContext, run: Run, changes: Iterable[VerdictChange], today: date, *, most: int, since: date | None
) -> ChangeList:
    """Changes of a run, most severe first; `since` is the day of the run before."""
    lines = context.claim_table().lines
    every = [ListedChange(one, lines.get(one.claim)) for one in changes]
    known = sorted((one for one in every if one.change.before and one.change.after), key=lambda one: one.gravity)
    return ChangeList(
        run=run,
        listed=with_causes(context, known[:most], today, since, run.as_of),
        counts=counted(one.state for one in known),
        added=counted(one.state for one in every if one.change.after and not one.change.before),
        removed=sum(1 for one in every if not one.change.after),
    )


def with_causes(
    context: PageContext, found: Sequence[ListedChange], today: date, since: date | None, until: date | None
) -> list[ListedChange]:
    """Changes with the inputs that moved between two days, and notes."""
    lives = context.brain.record.lives_of((one.change.claim for one in found), today)
    notes = context.brain.nodes.refs(one.row.claim.node for one in found if one.row)
    turns = [_turn(lives.get(one.change.claim), one.change.on or since, one.change.on or until) for one in found]
    announced = context.brain.prices.announced
    return [
        one._replace(
            moves=turn.moves if turn else (),
            note=notes.get(one.row.claim.node) if one.row else None,
            announced=announced(turn.moves[0].item, turn.moves[0].component, turn.day) if turn and turn.moves else None,
        )
        for one, turn in zip(found, turns, strict=True)
    ]


def _turn(life: LifeLine | None, start: date | None, end: date | None) -> LifeTurn | None:
    inside = [turn for turn in life.turns if (start or date.min) <= turn.day <= (end or date.max)] if life else []
    return inside[-1] if inside else None


def changes_of_run(context: PageContext, run: Run, before: Run | None, today: date) -> ChangeList | None:
    """Changes since the run before; None if there is none."""
    if before is None:
        return None
    return context.recall(
        ("changes of run", run.id, today),
        lambda: change_list(
            context, run, context.brain.reports.changes(before, run), today, most=MOST_OF_RUN, since=before.as_of
        ),
    )


def runs(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The list of runs, the latest first."""
    found = context.brain.ledger.runs(LENGTH + 1, request.number("before") if request.text("before") else None)
    shown, nights = found[:LENGTH], context.brain.ledger.present_runs(NIGHTS)
    counts, latest = context.brain.status.run_counts(shown), context.brain.ledger.latest_run
    return page_of(
        "runs.html",
        runs=shown,
        counts=counts,
        # of one run: the causes of others would replay every claim that changed
        changes=[changes_of_run(context, one, latest(before=one), request.today) for one in shown[:1]],
        verdicts=[name for name in VERDICTS if any(name in one for one in counts.values())],
        nights=failing_nights(nights, context.brain.status.run_counts(nights)),
        more=len(found) > LENGTH,
    )


def run(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One run: changes, then a few rows of each verdict or all of one. Raises UnknownRunError."""
    number = request.parts["run"]
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise UnknownRunError(number)
    found = context.brain.ledger.run(int(number))
    chosen = request.one_of("verdict", list(VERDICTS))
    before = context.brain.ledger.latest_run(before=found)
    counts = context.brain.status.run_counts([found])[found.id]
    changed = changes_of_run(context, found, before, request.today)
    start, above = ((request.number("page") - 1) * ROWS, ()) if chosen else (0, changed.names if changed else ())
    names = [name for name in VERDICTS if counts.get(name) and chosen in {"", name}]
    shown = {name: (row for row in _rows(context, found, name) if row.claim not in above) for name in names}
    groups = {name: list(islice(rows, start, start + (ROWS if chosen else FEW))) for name, rows in shown.items()}
    after, lines = context.brain.ledger.next_run(found), context.claim_table().lines
    known = [lines[row.claim] for rows in groups.values() for row in rows if row.claim in lines]
    stale = () if after else groups.get(VerdictName.STALE, ())  # of an older run the reason that it gave is shown
    return page_of(
        "run.html",
        run=found,
        before=before,
        after=after,
        verdicts=facet_options(request, "verdict", tuple(counts.items()), WORDS),
        counts=[(name, counts[name]) for name in VERDICTS if counts.get(name)],
        groups=groups,
        end=start + ROWS,
        changes=changed,
        mark=context.mark,
        lines=lines,
        titles=context.brain.nodes.refs(one.claim.node for one in known),
        moves=context.causes((lines[row.claim] for row in stale if row.claim in lines), request.today),
        lists=() if after else [one for one in context.brain.prices.book().catalogs if one.taken],
    )


def _rows(context: PageContext, run: Run, state: str) -> Iterator[VerdictRow]:
    """Rows of one key of `VERDICTS`, most severe first."""
    lines, last = context.claim_table().lines, (len(SEVERITY_ORDER),)
    name = VerdictName.REFUTED if state == SOURCE_WRONG else VerdictName(state)
    rows: Iterable[VerdictRow] = context.brain.ledger.rows(run.id, name)
    if name is not VerdictName.HOLDS:
        rows = sorted(rows, key=lambda row: lines[row.claim].gravity if row.claim in lines else last)
    known = ((row, lines.get(row.claim)) for row in rows)
    return (row for row, line in known if sign_name(row.verdict, line.claim if line else None) == state)


def changes(context: PageContext, request: PageRequest) -> TemplateResponse:
    """Changed verdicts, latest run first, about a hundred. Raises PageRequestError if `since` is no date."""
    since = request.day_in("since")
    lines, shown, total = context.claim_table().lines, list[ChangeList](), 0
    by_night: dict[date, Counter[str]] = {}
    for one in context.brain.reports.changed_runs(since, limit=LOOKED_AT):
        turned = (ListedChange(each, lines.get(each.claim)) for each in one.changes if each.after and each.before)
        if counts := Counter(each.state for each in turned):
            by_night.setdefault(one.as_of, Counter()).update(counts)
        if total <= MOST_OF_RUN:
            made = context.brain.ledger.run(one.run)
            before = context.brain.ledger.latest_run(before=made)
            start = before.as_of if before else None
            shown.append(change_list(context, made, one.changes, request.today, most=MOST_LISTED, since=start))
            total += len(shown[-1].names) + 1
    oldest = () if since or total > MOST_OF_RUN else context.brain.ledger.present_runs(LENGTH)[-1:]
    first = [one for one in oldest if context.brain.ledger.latest_run(before=one) is None]
    found = context.brain.status.run_counts(first)
    spans = {"": "all"} | {(request.today - timedelta(days)).isoformat(): f"last {days} days" for days in (7, 30, 90)}
    return page_of("changes.html", changed=shown, nights=night_counts(by_night), first=first, counts=found, spans=spans)


NEWEST = 4  # dated notes, the latest first; in a brain without dates half theses, half readings
ARGUED = Kind.THESIS, Kind.POV
EXPLAINED, LIMITS = 24, ("at_least", "at_most", "between")  # so many claims of a limit are explained for the nearest


def home(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The morning report of the last run, as of today."""
    today, table = request.today, context.claim_table()
    sign, cards, nodes = context.signs(), context.brain.store.index_feed.card_list(), context.brain.nodes
    theses, latest = nodes.newest(Kind.THESIS, NEWEST // 2), nodes.newest(None, NEWEST, "published")
    before = None if table.before is None or table.before.replayed else table.before  # a first morning after replays
    changes = changes_of_run(context, table.run, before, today) if table.run else None
    listed = changes.names if changes else ()
    rows = sorted((row for name, row in table.lines.items() if name not in listed), key=lambda row: row.gravity)
    failing = [row for row in rows if not row.calm and not row.silence]
    lives = context.brain.record.lives_of((row.claim.id for row in failing if row.state == VerdictName.STALE), today)
    found = [(one.claim, one.row) for one in table.lines.values() if one.row is not None]
    return page_of(
        "home.html",
        table=table,
        before=before,
        changes=changes,
        coming=_coming(context, today),
        near=_nearest(context, today),
        disputed=sum(row.calm and row.verdict is VerdictName.STALE for row in rows),
        failing=sorted(failing, key=lambda row: row.row is not None and row.row.cause is Cause.THEN_UNKNOWN),
        lives=lives,
        moves=context.causes(failing, today, lives),
        errata=(errata := context.brain.reports.errata()),
        errors=sorted(errata.items, key=lambda one: -factor(one.stated, one.computed))[:FEW],
        without_note=context.brain.reports.without_note(claim for claim, _ in found),
        aged=age_lines(context.brain.prices.aged_inputs(row for _, row in found)),
        ages=context.brain.prices.ages(today),
        argued=Counter(sign(one.id).word for one in cards if one.kind in ARGUED) if table.run else {},
        titles=nodes.refs(row.claim.node for row in failing),
        theses=theses,
        newest=[one for one in latest if one.published] or [*theses, *nodes.newest(Kind.READING, NEWEST // 2)],
        kinds=nodes.count(),
    )


def _coming(context: PageContext, today: date) -> list[ListedChange]:
    """The first change of each claim by announced prices."""
    groups = group_by(context.brain.reports.coming(today, today + AHEAD), lambda change: change.claim)
    lines = context.claim_table().lines
    listed = [ListedChange(first, lines.get(name), later=after_that(rest)) for name, (first, *rest) in groups.items()]
    return sorted(with_causes(context, listed, today, None, None), key=lambda one: one.change.on or today)


def _nearest(context: PageContext, today: date) -> list[tuple[ClaimRow, NearestChange]]:
    """Standing claims of a limit, nearest to failing first; what is stated to a digit fails at any change."""
    lines = context.claim_table().lines
    standing = ((name, row) for name, row in lines.items() if row.claim.tense is Tense.STANDING)
    room = sorted((row.room, name) for name, row in standing if row.room and row.claim.expect.form in LIMITS)
    found = [
        (lines[name], flip)
        for _, name in room[:EXPLAINED]
        if (flip := least_change(context.brain.evaluator.explain(name, today))) is not None
    ]
    return sorted(found, key=lambda near: (abs(near[1].change), near[0].claim.id))
