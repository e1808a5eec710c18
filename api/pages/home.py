"""The morning report: what changed, what is flagged and since when, what is near to turning, how old the data are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from api.pages.asked import Asked, Sheet
from api.pages.board import Board, Desk, Line, gravity
from api.pages.figures import plural
from api.pages.signs import SEVERITIES
from compute.freshness import Freshness
from compute.reports.report import Change
from graph.claims import Flip, Run, Severity, VerdictName
from graph.nodes import Kind
from graph.query import NodeQuery, NodeRef, NodeSummary

NEAREST = 5
NEWEST = ((Kind.THESIS, 3), (Kind.READING, 5))
"""How many of the newest nodes of which kind; terms come by the hundred and are no news."""

MOST_FLAGS = 60
_EDGES = 12


@dataclass(frozen=True, slots=True)
class Flagged:
    """A claim that does not hold, with the days for which that has been seen."""

    line: Line
    days: int | None

    @property
    def since(self) -> date | None:
        """The day on which it was first seen."""
        return self.line.flag.first_seen if self.line.flag else None


@dataclass(frozen=True, slots=True)
class Near:
    """A claim that holds, and the smallest change of one input that would turn it."""

    line: Line
    flip: Flip | None
    now: Decimal | None
    change: Decimal | None


@dataclass(frozen=True, slots=True)
class Home:
    """The page. `flags` are grouped by severity, the gravest first; `silenced` and `unflagged` count the others."""

    today: date
    run: Run | None
    before: Run | None
    total: int
    counts: tuple[tuple[VerdictName, int], ...]
    headline: str
    turned: tuple[Change, ...]
    flags: tuple[tuple[Severity, tuple[Flagged, ...]], ...]
    flags_left: int
    silenced: tuple[Line, ...]
    near: tuple[Near, ...]
    coming: tuple[Change, ...]
    catalogs: tuple[Freshness, ...]
    old_assumptions: tuple[Freshness, ...]
    newest: tuple[NodeSummary, ...]
    nodes: int
    titles: Mapping[str, NodeRef]
    lines: Mapping[str, Line]


def page(desk: Desk, asked: Asked) -> Sheet:
    """The morning report of the last run, as of today."""
    board = desk.board()
    failing = sorted(_failing(board, asked.today), key=_order)
    newest = [
        item
        for kind, limit in NEWEST
        for item in desk.store.summaries(NodeQuery(kind=kind, sort="newest", limit=limit)).items
    ]
    ages = desk.ages(asked.today)
    near = desk.recall(("near", asked.today), lambda: tuple(_nearest(desk, board, asked.today)))
    shown = failing[:MOST_FLAGS]
    turned = desk.turned()
    model = Home(
        today=asked.today,
        run=board.run,
        before=board.before,
        total=len(board.lines),
        counts=tuple(board.counts()),
        headline=_headline(board, len(turned)),
        turned=turned,
        flags=tuple((weight, group) for weight in SEVERITIES if (group := _of(shown, weight))),
        flags_left=len(failing) - len(shown),
        silenced=tuple(line for line in board.lines.values() if line.silence is not None),
        near=near,
        coming=desk.coming(asked.today),
        catalogs=tuple(one for one in ages if one.kind == "catalog"),
        old_assumptions=tuple(one for one in ages if one.kind == "assumption" and one.state != "fresh"),
        newest=tuple(newest),
        nodes=sum(desk.recall("counts", desk.store.node_count).values()),
        titles=_titles(desk, [*shown, *near]),
        lines=board.lines,
    )
    return Sheet("home.html", model)


def _failing(board: Board, today: date) -> Iterator[Flagged]:
    for line in board.lines.values():
        if line.verdict not in {None, VerdictName.HOLDS} and line.silence is None:
            yield Flagged(line, (today - line.flag.first_seen).days if line.flag else None)


def _order(flagged: Flagged) -> tuple[int, int, int, str]:
    line = flagged.line
    return (list(SEVERITIES).index(line.claim.severity), gravity(line.verdict), flagged.days or 0, line.claim.id)


def _of(failing: Iterable[Flagged], weight: Severity) -> tuple[Flagged, ...]:
    return tuple(flagged for flagged in failing if flagged.line.claim.severity is weight)


def _titles(desk: Desk, shown: Iterable[Flagged | Near]) -> Mapping[str, NodeRef]:
    return desk.store.refs(one.line.claim.node for one in shown)


def _headline(board: Board, turned: int) -> str:
    """The report in one sentence."""
    if not board.lines:
        return "No claim has been written yet."
    if board.run is None:
        return f"{plural(len(board.lines), 'figure')} to check, and no run has checked them yet."
    counts = dict(board.counts())
    holding = counts[VerdictName.HOLDS]
    unknown = counts[VerdictName.UNVERIFIABLE] + sum(line.verdict is None for line in board.lines.values())
    failing = len(board.lines) - holding - unknown
    news = "nothing turned" if not turned else f"{plural(turned, 'verdict')} turned"
    rest = f", {unknown:,} cannot be checked" if unknown else ""
    stand = f"{holding:,} of {plural(len(board.lines), 'figure')} hold, {failing:,} do not{rest}"
    return f"{stand}; {news} since the run before." if board.before else f"{stand}."


def _nearest(desk: Desk, board: Board, today: date) -> Iterator[Near]:
    """The claims with the least room, each with the input that has to move least."""
    room = [(line.room, line.claim.id, line) for line in board.lines.values() if line.room is not None]
    for _, claim, line in sorted(room, key=lambda entry: entry[:2])[:NEAREST]:
        verdict = desk.explain(claim, today)
        values = {given.name: given.value for given in verdict.inputs}
        turning = [
            (abs(change), flip, values[flip.input], change)
            for flip in verdict.flips[:_EDGES]
            if (change := _change(flip.at, values.get(flip.input))) is not None
        ]
        nearest = min(turning, key=lambda entry: entry[0], default=None)
        yield Near(line, nearest[1], nearest[2], nearest[3]) if nearest else Near(line, None, None, None)


def _change(at: Decimal | None, now: Decimal | None) -> Decimal | None:
    """How far an input has to move, as a share of what it is."""
    return (at - now) / abs(now) if at is not None and now else None
