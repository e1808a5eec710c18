"""The record: of the figures that were true when written, the share that is still alive, by group.

    fates of claims ─▶ groups by a field ─▶ survival of each ─▶ shares after 30, 90 and 365 days, half-life, the broken

A claim has a fate by its life line (hindsight) or by what stored runs found about it (ledger):

    own day        afterwards            fate
    holds          fails on a day        broken: the first failure counts, also if it holds again later
    holds          unknown on a day      censored on that day: unverifiable, conflicting, depends
    holds          -                     alive, censored at the end of the record
    fails          -                     never true, by dated prices: an error of its text, not a miss
    otherwise      -                     unknown when written; also if prices that were corrected later excuse it

A dated claim, or one without any price or assumption, is `fixed`: nothing can change its state.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from enum import StrEnum
from typing import Literal, NamedTuple

from pydantic import Field

from compute.claims.claim_cases import Find
from compute.record.life_models import LifeLine, LifeMove, LifeState, LifeTurn
from compute.record.replay import movable
from compute.record.survival import CurvePoint, Followed, Survival, steady, survival
from compute.units.number_format import said
from graph.models.claim_models import Cause, Claim, Tense, VerdictName
from graph.models.verdict_models import VerdictRow
from graph.values import Value

DAYS = (30, 90, 365)  # the ages in days for which shares are given
LEAST = 10  # a group with fewer figures under observation shows no shares


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
_FAILED = frozenset({VerdictName.STALE, VerdictName.REFUTED})


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


def by_life(life: LifeLine, end: date) -> Fate | None:
    """The fate of a claim at the end of a day, by its life line; None if it was made later."""
    if life.as_of > end:
        return None
    known = {"claim": life.claim, "as_of": life.as_of, "day": end}
    start = life.spans[0].state
    if start is not LifeState.HELD:
        never_true = start is LifeState.FAILED and life.dated and not life.excused
        return Fate(**known, name=FateName.NEVER_TRUE if never_true else FateName.UNKNOWN)
    if life.fixed:
        return Fate(**known, name=FateName.FIXED)
    turn = next((one for one in life.turns if one.day <= end), None)
    alive = Fate(**known, name=FateName.ALIVE)
    return _followed(alive, turn, holds=life.state(end) is LifeState.HELD) if turn else alive


def _followed(alive: Fate, turn: LifeTurn, *, holds: bool) -> Fate:
    """The fate of a claim at its first turn; `holds`: at the end of the record."""
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


def by_runs(claim: Claim, seen: Sequence[Sighting], end: date, find: Find) -> Fate:
    """The fate of a claim by its runs, the first one first, until the day of the last run.

    Of runs for days before the claim's own day, only the last one counts, as if it were for that day.
    """
    early = [one for one in seen if one.day <= claim.as_of]
    seen = [one._replace(day=claim.as_of) for one in early[-1:]] + [one for one in seen if one.day > claim.as_of]
    first = seen[0]
    known = {"claim": claim.id, "as_of": claim.as_of}
    if first.verdict is not VerdictName.HOLDS:
        return Fate(**known, day=first.day, name=_before(first))
    if claim.tense is Tense.DATED or not movable(claim, find):
        return Fate(**known, day=end, name=FateName.FIXED)
    alive = Fate(**known, day=max(end, claim.as_of), name=FateName.ALIVE, entry=(first.day - claim.as_of).days)
    changed = next((one for one in seen[1:] if one.verdict is not VerdictName.HOLDS), None)
    if changed is None:
        return alive
    after = LifeState.FAILED if changed.verdict in _FAILED else LifeState.UNKNOWN
    cause = changed.row.cause if changed.row else None
    turn = LifeTurn(day=changed.day, before=LifeState.HELD, after=after, cause=cause)
    return _followed(alive, turn, holds=seen[-1].verdict is VerdictName.HOLDS)


def _before(first: Sighting) -> FateName:
    """The fate of a claim that did not hold in its first run."""
    if first.verdict is VerdictName.REFUTED:
        return FateName.NEVER_TRUE
    failed = first.verdict is VerdictName.STALE and first.row is not None and first.row.then_holds
    return FateName.FAILED_BEFORE if failed else FateName.UNKNOWN


class Basis(StrEnum):
    """By what a record is made; the two are never mixed."""

    HINDSIGHT = "hindsight"
    LEDGER = "ledger"


class GroupField(StrEnum):
    """The fields by which a record can be grouped."""

    TAG = "tag"
    KIND = "kind"
    BRAIN = "brain"
    MODEL = "model"
    INPUT = "input"
    ASSERTED_BY = "asserted_by"


Shares = dict[Literal["30", "90", "365"], Decimal | None]


class RecordGroup(Value):
    """The record of one group of claims.

    `true_when_written` counts the figures that are followed; `broken` those of them that failed since, `censored` those
    that became unknown, `holding_again` the broken ones that hold at the end. Not followed: `fixed` (no price can turn
    them), `never_true`, `unknown_when_written`, and in the ledger `failed_before` (before any run saw them).
    `alive`, `low` and `high` are shares with their 95% interval by age in days; null if no figure was under
    observation at that age. `observed_from` is the first age at which ten figures were under observation: the shares
    are of those that were alive then. `observed_until` is the last age at which one was. `note` says why shares are
    missing. `watched` are the figures of the shares, not in JSON.
    """

    by: str
    value: str
    claims: int
    true_when_written: int
    broken: int
    censored: int
    holding_again: int
    never_true: int
    unknown_when_written: int
    fixed: int
    failed_before: int
    alive: Shares
    low: Shares
    high: Shares
    half_life_days: int | None
    half_life_low: int | None
    half_life_high: int | None
    observed_from: int
    observed_until: int
    causes: dict[str, int]
    curve: tuple[CurvePoint, ...]
    watched: tuple[Followed, ...] = Field((), exclude=True)
    note: str = ""


class BrokenFigure(Value):
    """A figure that was true when written and broke: on which day, after how many, and by what."""

    claim: str
    node: str
    says: str
    as_of: date
    day: date
    days: int
    cause: Cause | None
    moves: tuple[LifeMove, ...] = ()
    holds_again: bool = False


class Record(Value):
    """The record at the end of the day `as_of`; in the ledger that of the last run until then.

    `runs` is how many runs of the ledger it reads. `left` counts claims without a day: no document states them.
    """

    as_of: date
    basis: Basis
    groups: tuple[RecordGroup, ...]
    broken: tuple[BrokenFigure, ...] = Field(description="The figures that broke, the latest first.")
    runs: int | None = None
    left: int = 0


Values = Callable[[Claim], Iterable[str]]  # the groups of a claim: none, one or several


def groups(by: str, values: Values, claims: Iterable[Claim], fates: Iterable[Fate]) -> tuple[RecordGroup, ...]:
    """The groups of a field, the largest first; a claim is in the group of each of its values."""
    found: dict[str, list[Fate]] = defaultdict(list)
    known = {claim.id: claim for claim in claims}
    for fate in fates:
        for value in dict.fromkeys(values(known[fate.claim])):
            found[value].append(fate)
    made = [group(by, value, listed) for value, listed in found.items()]
    return tuple(sorted(made, key=lambda one: (-one.true_when_written, -one.claims, one.value)))


def group(by: str, value: str, fates: Sequence[Fate]) -> RecordGroup:
    """The record of some claims; their order makes no difference."""
    names = Counter(fate.name for fate in fates)
    followed = [one for fate in fates if (one := fate.followed) is not None]
    watched = steady(followed, LEAST)
    found = survival(watched)
    causes = Counter(fate.cause.value for fate in fates if fate.name is FateName.BROKEN and fate.cause)
    counts = {name.value: names[name] for name in FateName if name is not FateName.ALIVE}
    return RecordGroup(
        **counts,
        by=by,
        value=value,
        claims=len(fates),
        true_when_written=len(followed),
        holding_again=sum(fate.holds_again for fate in fates),
        alive=_shares(found, "alive"),
        low=_shares(found, "low"),
        high=_shares(found, "high"),
        half_life_days=found.half_life("alive"),
        half_life_low=found.half_life("low"),
        half_life_high=found.half_life("high"),
        observed_from=found.first,
        observed_until=found.last,
        causes=dict(sorted(causes.items())),
        curve=found.points,
        watched=tuple(watched),
        note="" if watched else f"fewer than {LEAST} figures under observation: no shares",
    )


def _shares(found: Survival, name: Literal["alive", "low", "high"]) -> Shares:
    points = ((day, found.at(day)) for day in DAYS)
    return {str(day): one and getattr(one, name) for day, one in points}  # type: ignore[misc]  # the days are those of `Shares`


def broken(claims: Iterable[Claim], fates: Iterable[Fate]) -> tuple[BrokenFigure, ...]:
    """The figures that broke, the latest first."""
    stated = {claim.id: {"node": claim.node, "says": claim.says} for claim in claims}
    found = sorted(
        (fate for fate in fates if fate.name is FateName.BROKEN), key=lambda fate: (-fate.day.toordinal(), fate.claim)
    )
    shared = BrokenFigure.model_fields.keys() - {"node", "says"}
    return tuple(BrokenFigure(**stated[fate.claim], **{name: getattr(fate, name) for name in shared}) for fate in found)


def share_without(found: RecordGroup, left: Iterable[BrokenFigure], day: int) -> Decimal:
    """The share that is alive at an age if those in `left` had not broken, but were followed until that day."""
    spared, share = Counter(one.days for one in left), Decimal(1)
    for point in found.curve:
        if point.died and point.day <= day:
            share *= 1 - Decimal(point.died - spared[point.day]) / point.at_risk
    return share


# ---- in words


def basis_text(found: Record) -> str:
    """What the record is made from."""
    if found.basis is Basis.HINDSIGHT:
        return "claims replayed over the prices as known now"
    return f"what {found.runs} run{'' if found.runs == 1 else 's'} saw"


def percent(share: Decimal) -> str:
    """A share as a rounded percentage; 99.6% and 0.4% do not become 100% and 0%."""
    rounded = (share * 100).quantize(Decimal(1), ROUND_HALF_EVEN)
    if (rounded == 100 and share < 1) or (rounded == 0 and share > 0):
        return f"{(share * 100).quantize(Decimal('0.1'), ROUND_HALF_EVEN)}%"
    return f"{rounded}%"


def moves_text(moves: Iterable[LifeMove]) -> str:
    """The inputs that changed on one day, in words."""
    return "; ".join(_move(one) for one in moves)


def _move(one: LifeMove) -> str:
    what = " ".join(part for part in (one.item or one.name, one.component) if part)
    was = f" (before: {one.item_before})" if one.item_before else ""
    before, after = ("no price" if value is None else said(value, one.unit) for value in (one.before, one.after))
    return f"{what}{was} {before} → {after}"
