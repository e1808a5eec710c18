"""The health of nodes, from the verdicts on their claims and the citations by which they depend on one another.

    broken      a figure that the node endorses fails (stale, refuted, error)
    weakened    one that it endorses is conflicting or depends on an assumption, or fails with the severity `info`,
                without an assertion, or by a change that strengthens the thesis; a figure that it disputes holds; or it
                depends on a broken or weakened node
    unchecked   one of its claims could not be checked; or nothing that it depends on was ever checked
    sound       all else: its claims hold, or, if it has none, what it depends on is sound

Only what a node endorses can break it. It is right to dispute a figure that holds only for part of a range; if
catalogues conflict, that is not known. Citations that dispute or only mention are no dependencies: `EdgeTables.arguing`
gives those that are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from graph.links.dependencies import DependencyGraph, walk, way
from graph.models.claim_models import Claim, ClaimSeverity, Speaker, Stance, VerdictName
from graph.models.verdict_models import VerdictRow, severity_of
from graph.values import Value

FAILING = frozenset({VerdictName.STALE, VerdictName.REFUTED, VerdictName.ERROR})


class HealthState(StrEnum):
    """The health of a node, the most severe first."""

    BROKEN = "broken"
    WEAKENED = "weakened"
    UNCHECKED = "unchecked"
    SOUND = "sound"


_STANCES = (Stance.ENDORSES, Stance.DISPUTES, Stance.REPORTS)
_MEANINGS = {
    VerdictName.HOLDS: (HealthState.SOUND, HealthState.WEAKENED, HealthState.SOUND),
    VerdictName.STALE: (HealthState.BROKEN, HealthState.SOUND, HealthState.SOUND),
    VerdictName.REFUTED: (HealthState.BROKEN, HealthState.SOUND, HealthState.SOUND),
    VerdictName.DEPENDS: (HealthState.WEAKENED, HealthState.SOUND, HealthState.SOUND),
    VerdictName.CONFLICTING: (HealthState.WEAKENED, HealthState.UNCHECKED, HealthState.SOUND),
    VerdictName.ERROR: (HealthState.BROKEN, HealthState.UNCHECKED, HealthState.UNCHECKED),
    VerdictName.UNVERIFIABLE: (HealthState.UNCHECKED, HealthState.UNCHECKED, HealthState.UNCHECKED),
}
"""What a verdict means for a node that endorses, disputes or reports the figure."""


class Health(Value):
    """The health of a node, and the path from it to the node whose claim determined it."""

    node: str
    state: HealthState
    path: tuple[str, ...] = ()
    claim: str | None = None
    verdict: VerdictName | None = None
    reason: str = ""


class HealthCause(NamedTuple):
    """A claim of a node with its row of a run; None if it is not in the run."""

    claim: Claim
    row: VerdictRow | None

    @property
    def verdict(self) -> VerdictName:
        """The verdict of the run."""
        return self.row.verdict if self.row else VerdictName.UNVERIFIABLE

    @property
    def state(self) -> HealthState:
        """What the verdict means for the node."""
        claim, row = self
        found = _MEANINGS[self.verdict][_STANCES.index(claim.stance)]
        mild = severity_of(claim.severity, row.cause if row else None) is ClaimSeverity.INFO
        mild = mild or claim.asserted_by is Speaker.NOBODY or self.favourable
        return HealthState.WEAKENED if found is HealthState.BROKEN and mild else found

    @property
    def favourable(self) -> bool:
        """Whether the change since then strengthens the thesis."""
        return self.row is not None and self.row.helps_thesis is True

    @property
    def caveat(self) -> str:
        """Why the state is not what the verdict alone suggests; empty if it is."""
        stance, row = self.claim.stance, self.row
        if row is None or row.verdict is VerdictName.UNVERIFIABLE:
            return ""
        if stance is Stance.DISPUTES:
            return _REMARKS[self.state]
        if stance is Stance.REPORTS and row.verdict is not VerdictName.HOLDS:
            return "the node reports this figure and does not endorse it"
        if self.claim.asserted_by is Speaker.NOBODY and row.verdict in FAILING:
            return "no one asserted this figure: its check fails"
        if row.helps_thesis and row.verdict in FAILING:
            return "the figure is out of date, and the change strengthens the thesis"
        return ""

    @property
    def explanation(self) -> str:
        """The caveat and the reason of the verdict."""
        return ": ".join(filter(None, (self.caveat, self.row.reason if self.row else "it is not in this run")))


_REMARKS = {
    HealthState.SOUND: "the node disputes this figure, which does not hold",
    HealthState.WEAKENED: "the node disputes this figure, and it holds",
    HealthState.UNCHECKED: "the node disputes this figure, and whether it holds is not known",
}


class NodeHealths(Mapping[str, Health]):
    """The health of every node, from its own claims (`gravest_causes`) and its dependencies.

    Citation cycles are allowed; the shortest path wins, but one to a favourable change only if there is no other.
    States are computed up front, paths on demand.
    """

    def __init__(self, own: Mapping[str, HealthCause], rests: DependencyGraph) -> None:
        self._own, self._rests = own, rests
        known = {node: one.state for node, one in own.items() if node in rests.nodes}
        self._states = dict(known)
        bad = [node for state in (HealthState.BROKEN, HealthState.WEAKENED) for node in known if known[node] is state]
        self._doubted = walk(rests.above, (node for node in bad if not own[node].favourable))
        harmed = {**walk(rests.above, bad), **self._doubted}
        self._states |= {node: HealthState.WEAKENED for node, before in harmed.items() if before is not None}
        sound = [node for node in known if known[node] is HealthState.SOUND and node not in harmed]
        open_to = lambda node: node not in harmed and node not in known and self._unsure(node) is None  # noqa: E731  # short
        backed = walk(rests.above, sound, open_to)
        self._states |= dict.fromkeys(backed, HealthState.SOUND)
        self._walk = {**backed, **harmed}

    def __len__(self) -> int:
        return len(self._rests.nodes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rests.nodes)

    def __getitem__(self, node: str) -> Health:
        if node not in self._rests.nodes:
            raise KeyError(node)
        state = self.state(node)
        path = way(self._walk, node) if node in self._walk else (node,)
        if path[-1] not in self._own and (unsure := self._unsure(node)) is not None:
            path = (*path, unsure)
        cause = self._own.get(path[-1])
        if cause is None:
            return Health(node=node, state=state, path=(node,), reason="none of its claims or dependencies was checked")
        claim, verdict = cause.claim.id, cause.verdict
        return Health(node=node, state=state, path=path, claim=claim, verdict=verdict, reason=cause.explanation)

    def state(self, node: str) -> HealthState:
        """The state without a path; an unknown node is unchecked."""
        return self._states.get(node, HealthState.UNCHECKED)

    def doubted(self, node: str) -> bool:
        """Whether it is broken or weakened by more than favourable changes."""
        return node in self._doubted

    def _unsure(self, node: str) -> str | None:
        """A direct dependency whose own claim could not be checked."""
        below = self._rests.below.get(node, ())
        return next((one for one in below if self._states.get(one) is HealthState.UNCHECKED), None)


def gravest_causes(found: Iterable[HealthCause]) -> dict[str, HealthCause]:
    """The most severe claim of each node, a favourable change last; of equal ones that with a caveat."""
    gravest, order = dict[str, HealthCause](), list(HealthState)
    rank = lambda one: (order.index(one.state), one.favourable, not one.caveat)  # noqa: E731  # short
    for finding in found:
        node = finding.claim.node
        gravest[node] = min(gravest.get(node, finding), finding, key=rank)
    return gravest
