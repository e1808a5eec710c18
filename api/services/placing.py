"""Claims whose node is not there: what an ingest warns of, and `brain check` tells."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from graph.claims import Claim
from graph.likeness import near
from graph.problems import Problem, Severity


def unplaced(claims: Iterable[Claim], nodes: Collection[str]) -> tuple[Problem, ...]:
    """A warning for each claim on a node that is not among `nodes`."""
    return tuple(_unplaced(claim, nodes) for claim in claims if claim.node and claim.node not in nodes)


def _unplaced(claim: Claim, nodes: Iterable[str]) -> Problem:
    place = claim.place
    close = near(claim.node, nodes, 1)
    meant = f"did you mean {close[0]!r}? " if close else ""
    return Problem(
        document=place.document if place else "",
        line=place.line if place else None,
        severity=Severity.WARNING,
        code="claim-without-node",
        message=f"the claim {claim.id} is on the node {claim.node}, which is not there",
        hint=meant + "ingest the document with that node, or correct the claim's `node`",
    )
