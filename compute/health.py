"""The health of nodes, from the verdicts on their claims and the citations by which they rest on one another.

    broken      a claim that the node itself asserts fails (stale, refuted, error), and is more than a remark
    weakened    one of its claims is disputed (conflicting) or a remark of it fails, or it rests on a node that is
                broken or weakened
    unchecked   one of its claims could not be checked; or nothing that it rests on was ever checked
    sound       its claims hold, or, where it has none, what it rests on is sound

Not every citation carries weight: one may cite a node to dispute it. `CARRYING` lists the kinds that do.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from graph.claims import Claim, Row, Severity, VerdictName
from graph.values import Value

CARRYING = frozenset(
    {
        "cites",
        "citesAsEvidence",
        "citesAsAuthority",
        "citesAsDataSource",
        "citesForInformation",
        "confirms",
        "agreesWith",
        "extends",
        "obtainsBackgroundFrom",
        "obtainsSupportFrom",
        "supports",
        "usesConclusionsFrom",
        "usesDataFrom",
        "usesMethodIn",
    }
)
"""Kinds of citation (CiTO) by which a node rests on what it cites."""

SURE = 0.5
"""A citation that is less sure than this carries nothing."""

FAILING = frozenset({VerdictName.STALE, VerdictName.REFUTED, VerdictName.ERROR})


class State(StrEnum):
    """The health of a node; the gravest first."""

    BROKEN = "broken"
    WEAKENED = "weakened"
    UNCHECKED = "unchecked"
    SOUND = "sound"


class Health(Value):
    """The health of a node, and the path that made it so: from the node to the one whose claim decided."""

    node: str
    state: State
    path: tuple[str, ...] = ()
    claim: str | None = None
    verdict: VerdictName | None = None
    reason: str = ""


class Finding(Value):
    """What a run found about one claim of a node."""

    claim: str
    node: str
    verdict: VerdictName
    severity: Severity = Severity.WARNING
    reason: str = ""


Pair = tuple[str, str]
"""A node, and one on which it rests."""


class Rests:
    """What rests on what: each node with those directly `above` it, which rest on it, and those directly `below` it."""

    def __init__(self, nodes: Iterable[str], pairs: Iterable[Pair]) -> None:
        self.nodes: Mapping[str, None] = dict.fromkeys(nodes)
        above: dict[str, list[str]] = defaultdict(list)
        below: dict[str, list[str]] = defaultdict(list)
        for node, on in pairs:
            if node in self.nodes:
                above[on].append(node)
                below[node].append(on)
        self.above: Mapping[str, Sequence[str]] = above
        self.below: Mapping[str, Sequence[str]] = below


def findings(claims: Iterable[Claim], rows: Iterable[Row]) -> tuple[Finding, ...]:
    """The findings of a run on claims; a claim that the run does not know was not checked."""
    found = {row.claim: row for row in rows}
    return tuple(
        Finding(
            claim=claim.id,
            node=claim.node,
            severity=claim.severity,
            verdict=found[claim.id].verdict if claim.id in found else VerdictName.UNVERIFIABLE,
            reason=found[claim.id].reason if claim.id in found else "it is not in this run",
        )
        for claim in claims
    )


class Healths(Mapping[str, Health]):
    """The health of every node. States are known at once; the path of a node is told when it is asked for."""

    def __init__(self, own: Mapping[str, Health], rests: Rests) -> None:
        self._own, self._rests = own, rests
        self._states: dict[str, State] = {}
        self._by: dict[str, str] = {}
        self._weaken()
        self._settle()

    def __len__(self) -> int:
        return len(self._rests.nodes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rests.nodes)

    def __getitem__(self, node: str) -> Health:
        if node not in self._rests.nodes:
            raise KeyError(node)
        state, way = self.state(node), [node]
        while (below := self._by.get(way[-1])) is not None:
            way.append(below)
        if way[-1] not in self._own and (unsure := self._unsure(node)) is not None:
            way.append(unsure)
        cause = self._own.get(way[-1])
        if cause is None:
            return Health(node=node, state=state, path=(node,), reason="nothing that it says or rests on was checked")
        return cause.model_copy(update={"node": node, "state": state, "path": tuple(way)})

    def state(self, node: str) -> State:
        """The state alone; a node that was never looked at is unchecked."""
        return self._states.get(node, State.UNCHECKED)

    def _weaken(self) -> None:
        """Weakness spreads from broken and weakened nodes to those that rest on them, nearest first."""
        for state in (State.BROKEN, State.WEAKENED):
            for node, one in self._own.items():
                if one.state is state and node in self._rests.nodes:
                    self._states[node] = state
        self._spread(deque(self._states), State.WEAKENED, lambda _: True)

    def _settle(self) -> None:
        """Soundness spreads to nodes without claims of their own, unless one directly below could not be checked."""
        left = [node for node in self._own if node in self._rests.nodes and node not in self._states]
        self._states.update((node, self._own[node].state) for node in left)
        sound = deque(node for node in left if self._states[node] is State.SOUND)
        self._spread(sound, State.SOUND, lambda node: self._unsure(node) is None)

    def _spread(self, queue: deque[str], state: State, may: Callable[[str], bool]) -> None:
        while queue:
            below = queue.popleft()
            for node in self._rests.above.get(below, ()):
                if node not in self._states and may(node):
                    self._states[node], self._by[node] = state, below
                    queue.append(node)

    def _unsure(self, node: str) -> str | None:
        """A node directly below whose own claim could not be checked."""
        for below in self._rests.below.get(node, ()):
            if self._states.get(below) is State.UNCHECKED:
                return below
        return None


def health(found: Iterable[Finding], rests: Rests) -> Healths:
    """The health of every node. Circles of citations are no trouble; the shortest path decides."""
    return Healths(_own(found), rests)


def _own(found: Iterable[Finding]) -> dict[str, Health]:
    """What the claims of a node say about it: the gravest of them decides."""
    order = list(State)
    gravest: dict[str, Health] = {}
    for finding in found:
        one = Health(
            node=finding.node,
            state=_state(finding),
            path=(finding.node,),
            claim=finding.claim,
            verdict=finding.verdict,
            reason=finding.reason,
        )
        before = gravest.get(finding.node)
        if before is None or order.index(one.state) < order.index(before.state):
            gravest[finding.node] = one
    return gravest


def _state(finding: Finding) -> State:
    if finding.verdict in FAILING:
        return State.WEAKENED if finding.severity is Severity.INFO else State.BROKEN
    if finding.verdict is VerdictName.CONFLICTING:
        return State.WEAKENED
    return State.UNCHECKED if finding.verdict is VerdictName.UNVERIFIABLE else State.SOUND
