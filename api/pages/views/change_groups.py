"""Changes of verdicts as the home page lists them: by cause, each claim once, with its old and new figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from api.pages.views.claim_table import ClaimTable, expectation_text
from compute.record.life_models import LifeLine, LifeMove
from compute.reports.morning import CAUSES, EFFECTS, after_that
from graph.models.verdict_change import VerdictChange


@dataclass(frozen=True, slots=True)
class ListedChange:
    """One claim whose verdict changed or will change.

    `node` is the id of its note, `expected` its expectation in words, `effect` what the change does to the thesis,
    `later` the changes that follow. `figures` is False for a comparison, whose value is only true or false.
    """

    change: VerdictChange
    node: str = ""
    expected: str = ""
    effect: str = ""
    later: str = ""
    figures: bool = True


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    """Claims with one cause: the inputs that changed, or where these are not known the reason in words."""

    moves: tuple[LifeMove, ...]
    words: str
    changes: tuple[ListedChange, ...]


def since(
    table: ClaimTable, changes: Iterable[VerdictChange], lives: Mapping[str, LifeLine]
) -> tuple[ChangeGroup, ...]:
    """Changes between the last run and the run before, by cause, in the given order."""
    start = table.before.as_of if table.before else None
    end = table.run.as_of if table.run else None
    return _by_cause(table, changes, lambda change: _moves(lives.get(change.claim), start, end))


def ahead(
    table: ClaimTable, changes: Iterable[VerdictChange], lives: Mapping[str, LifeLine]
) -> tuple[ChangeGroup, ...]:
    """Changes to come, by cause: each claim with its first change, and with those that follow in words."""
    groups: dict[str, list[VerdictChange]] = {}
    for change in changes:
        groups.setdefault(change.claim, []).append(change)
    later = {name: after_that(rest) for name, (_, *rest) in groups.items()}
    firsts = [first for first, *_ in groups.values()]
    return _by_cause(table, firsts, lambda change: _moves(lives.get(change.claim), change.on, change.on), later)


def _by_cause(
    table: ClaimTable,
    changes: Iterable[VerdictChange],
    moves: Callable[[VerdictChange], tuple[LifeMove, ...]],
    later: Mapping[str, str] | None = None,
) -> tuple[ChangeGroup, ...]:
    groups: dict[object, list[ListedChange]] = {}
    causes: dict[object, tuple[tuple[LifeMove, ...], str]] = {}
    for change in changes:
        moved = moves(change)
        key = (change.on, _inputs(moved) or change.reason)
        causes.setdefault(key, (moved, "" if moved else _cause(change)))
        groups.setdefault(key, []).append(_listed(table, change, (later or {}).get(change.claim, "")))
    return tuple(ChangeGroup(*causes[key], tuple(listed)) for key, listed in groups.items())


def _inputs(moves: Sequence[LifeMove]) -> tuple[tuple[object, ...], ...]:
    """What moved, whatever the claim calls it."""
    return tuple((one.item, one.component, one.item_before, one.before, one.after, one.unit) for one in moves)


def _moves(life: LifeLine | None, start: date | None, end: date | None) -> tuple[LifeMove, ...]:
    """The inputs that last changed a claim on the days from `start` to `end`; nothing if none did."""
    turns = life.turns if life else ()
    inside = [turn.moves for turn in turns if (start or date.min) <= turn.day <= (end or date.max)]
    return inside[-1] if inside else ()


def _cause(change: VerdictChange) -> str:
    return change.reason or (CAUSES[change.cause] if change.cause else "")


def _listed(table: ClaimTable, change: VerdictChange, later: str) -> ListedChange:
    line = table.lines.get(change.claim)
    return ListedChange(
        change=change,
        node=line.claim.node if line else "",
        expected=expectation_text(line.claim) if line else "",
        effect=EFFECTS[change.helps_thesis] if change.helps_thesis is not None else "",
        later=later,
        figures=line is None or line.claim.expect.bound not in {"true", "false"},
    )
