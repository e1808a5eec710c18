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
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from graph.claims import Claim, Row, Severity, VerdictName
from graph.nodes import Node
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


class Support(Value):
    """A node rests on another."""

    node: str
    on: str


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


def supports(nodes: Iterable[Node]) -> tuple[Support, ...]:
    """The citations of nodes by which they rest on others."""
    return tuple(
        Support(node=node.id, on=citation.target)
        for node in nodes
        for citation in node.cites
        if citation.target and citation.confidence >= SURE and citation.cito in CARRYING and citation.target != node.id
    )


def health(nodes: Iterable[str], found: Iterable[Finding], rests: Iterable[Support]) -> dict[str, Health]:
    """The health of every node. Circles of citations are no trouble; the shortest path decides."""
    own = _own(found)
    resting: dict[str, list[str]] = defaultdict(list)
    below: dict[str, list[str]] = defaultdict(list)
    for support in rests:
        resting[support.on].append(support.node)
        below[support.node].append(support.on)
    known = dict.fromkeys(nodes)
    result = {node: own[node] for node in known if node in own and own[node].state is State.BROKEN}
    _spread(result, (own[node] for node in known if node in own and own[node].state is State.WEAKENED), resting, known)
    for node in known:
        if node not in result and node in own:
            result[node] = own[node]
    _settle(result, known, below, resting)
    return result


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


def _spread(
    result: dict[str, Health], weak: Iterable[Health], resting: Mapping[str, list[str]], known: Mapping[str, None]
) -> None:
    """Weakness spreads from broken and weakened nodes to those that rest on them, nearest first."""
    for one in weak:
        result[one.node] = one
    queue = deque(result.values())
    while queue:
        below = queue.popleft()
        for node in resting.get(below.node, ()):
            if node in known and node not in result:
                path = (node, *below.path)
                result[node] = below.model_copy(update={"node": node, "state": State.WEAKENED, "path": path})
                queue.append(result[node])


def _settle(
    result: dict[str, Health],
    known: Mapping[str, None],
    below: Mapping[str, Sequence[str]],
    resting: Mapping[str, Sequence[str]],
) -> None:
    """Nodes without claims of their own: sound where something sound is below them, else unchecked."""
    queue = deque(one for one in result.values() if one.state is State.SOUND)
    while queue:
        sound = queue.popleft()
        for node in resting.get(sound.node, ()):
            if node in known and node not in result and not _unsure(node, below, result):
                result[node] = sound.model_copy(update={"node": node, "path": (node, *sound.path)})
                queue.append(result[node])
    for node in known:
        if node not in result:
            unsure = _unsure(node, below, result)
            path = (node, *unsure.path) if unsure else (node,)
            reason = unsure.reason if unsure else "nothing that it says or rests on was checked"
            claim = unsure.claim if unsure else None
            result[node] = Health(node=node, state=State.UNCHECKED, path=path, claim=claim, reason=reason)


def _unsure(node: str, below: Mapping[str, Sequence[str]], result: Mapping[str, Health]) -> Health | None:
    """A node directly below whose own claim could not be checked."""
    for other in below.get(node, ()):
        found = result.get(other)
        if found is not None and found.state is State.UNCHECKED and found.claim is not None:
            return found
    return None
