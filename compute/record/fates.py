"""What became of a claim, by its life line (hindsight) or by what stored runs found about it (ledger).

    own day        afterwards            fate
    holds          fails on a day        broken: the first failure counts, also if it holds again later
    holds          unknown on a day      censored on that day: unverifiable, conflicting, depends
    holds          -                     alive, censored at the end of the record
    fails          -                     never true, by dated prices: an error of its text, not a miss
    otherwise      -                     unknown when written; also if prices that were corrected later excuse it

A dated claim, or one without any price or assumption, is `fixed`: nothing can change its state.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from compute.claims.claim_cases import Find
from compute.claims.claim_program import dependencies
from compute.record.life_models import LifeLine, LifeMove, LifeState, LifeTurn
from compute.record.survival import Followed
from graph.models.claim_models import Cause, Claim, Tense, VerdictName
from graph.models.verdict_models import VerdictRow
from graph.values import Value


class FateName(StrEnum):
    """What became of a claim."""

    ALIVE = "alive"
    BROKEN = "broken"
    CENSORED = "censored"
    NEVER_TRUE = "never_true"
    UNKNOWN = "unknown_when_written"
    FIXED = "fixed"
    FAILED_BEFORE = "failed_before"


_FOLLOWED = frozenset({FateName.ALIVE, FateName.BROKEN, FateName.CENSORED})


class Fate(Value):
    """The fate of one claim; on `day` it broke or became unknown, else the record ends.

    It is under observation from `entry` days after its own day. `holds_again`: it broke, and holds at the end.
    """

    claim: str
    as_of: date
    name: FateName
    day: date
    entry: int = 0
    cause: Cause | None = None
    moves: tuple[LifeMove, ...] = ()
    holds_again: bool = False

    @property
    def days(self) -> int:
        """How many days after its own day it was observed to hold."""
        return (self.day - self.as_of).days

    @property
    def followed(self) -> Followed | None:
        """The claim under observation; None if it is not known to have been true when written."""
        return Followed(self.days, self.name is FateName.BROKEN, self.entry) if self.name in _FOLLOWED else None


def movable(claim: Claim, find: Find) -> bool:
    """Whether a claim, or the one it is compared with, reads a price or an assumption."""
    read = list(dependencies(claim))
    targets = (find(one.name) for one in read if one.kind == "claim")
    read += [one for target in targets if target is not None for one in dependencies(target)]
    return any(one.kind in {"price", "assumption"} for one in read)


def by_life(life: LifeLine, end: date) -> Fate | None:
    """The fate of a claim at the end of a day, by its life line; None if it was made later."""
    if life.as_of > end:
        return None
    told = {"claim": life.claim, "as_of": life.as_of}
    start = life.spans[0]
    if start.state is not LifeState.HELD:
        known = start.state is LifeState.FAILED and life.dated and not life.excused
        return Fate(**told, day=end, name=FateName.NEVER_TRUE if known else FateName.UNKNOWN)
    if life.fixed:
        return Fate(**told, day=end, name=FateName.FIXED)
    turn = next((one for one in life.turns if one.day <= end), None)
    return _followed(Fate(**told, day=end, name=FateName.ALIVE), turn, holds=life.state(end) is LifeState.HELD)


def _followed(alive: Fate, turn: LifeTurn | None, *, holds: bool) -> Fate:
    """The fate of a claim that held on its own day; `holds`: also at the end."""
    if turn is None:
        return alive
    if turn.after is not LifeState.FAILED:
        return alive.model_copy(update={"day": turn.day, "name": FateName.CENSORED})
    broken = {"cause": turn.cause, "moves": turn.moves, "holds_again": holds}
    return alive.model_copy(update={"day": turn.day, "name": FateName.BROKEN, **broken})


class Sighting(NamedTuple):
    """What a run found about a claim, if different from the run before; None: it was gone."""

    day: date
    row: VerdictRow | None

    @property
    def verdict(self) -> VerdictName | None:
        """The verdict that it found."""
        return self.row.verdict if self.row else None


_FAILED = frozenset({VerdictName.STALE, VerdictName.REFUTED})


def by_runs(claim: Claim, seen: Sequence[Sighting], end: date, find: Find) -> Fate:
    """The fate of a claim by its runs, the first one first, until the day of the last run.

    Of runs for days before the claim's own day, only the last one counts, as if it were for that day.
    """
    early = [one for one in seen if one.day <= claim.as_of]
    seen = [one._replace(day=claim.as_of) for one in early[-1:]] + [one for one in seen if one.day > claim.as_of]
    first = seen[0]
    told = {"claim": claim.id, "as_of": claim.as_of}
    if first.verdict is not VerdictName.HOLDS:
        return Fate(**told, day=first.day, name=_before(first))
    if claim.tense is Tense.DATED or not movable(claim, find):
        return Fate(**told, day=end, name=FateName.FIXED)
    alive = Fate(**told, day=max(end, claim.as_of), name=FateName.ALIVE, entry=max(0, (first.day - claim.as_of).days))
    turns = (_turn(one) for one in seen[1:] if one.verdict is not VerdictName.HOLDS)
    return _followed(alive, next(turns, None), holds=seen[-1].verdict is VerdictName.HOLDS)


def _turn(seen: Sighting) -> LifeTurn:
    """A run's verdict on a claim that held before, as a turn of its life."""
    after = LifeState.FAILED if seen.verdict in _FAILED else LifeState.UNKNOWN
    return LifeTurn(day=seen.day, before=LifeState.HELD, after=after, cause=seen.row.cause if seen.row else None)


def _before(first: Sighting) -> FateName:
    """The fate of a claim that did not hold in its first run."""
    if first.verdict is VerdictName.REFUTED:
        return FateName.NEVER_TRUE
    failed = first.verdict is VerdictName.STALE and first.row is not None and first.row.then_holds
    return FateName.FAILED_BEFORE if failed else FateName.UNKNOWN
