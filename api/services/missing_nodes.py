"""References to missing nodes: claims on them, and citations of removed nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.models.query_models import Tombstone
from graph.problems import Problem, Severity
from graph.store import Store
from graph.text.similar_names import did_you_mean


def claims_without_nodes(
    claims: Iterable[Claim], nodes: Collection[str], renamed: Mapping[str, str] | None = None
) -> tuple[Problem, ...]:
    """A warning for each claim on a node that is not in `nodes`; `renamed` has the new ids of some."""
    return tuple(_unplaced(claim, nodes, renamed or {}) for claim in claims if claim.node and claim.node not in nodes)


def _unplaced(claim: Claim, nodes: Iterable[str], renamed: Mapping[str, str]) -> Problem:
    new = renamed.get(claim.node)
    place, slip = claim.place, f"its file was renamed, and it is {new} now;" if new else did_you_mean(claim.node, nodes)
    todo = "correct the claim's `node`" if new else "ingest the document with that node, or correct the claim's `node`"
    return Problem(
        document=place.document if place else "",
        line=place.line if place else None,
        severity=Severity.WARNING,
        code="claim-without-node",
        message=f"the claim {claim.id} is on the node {claim.node}, which is not there",
        hint=f"{slip} {todo}" if slip else todo,
    )


def citations_of_removed_nodes(store: Store) -> list[Problem]:
    """A warning for each node that cites a removed one."""
    found = {
        (link.node.id, stone.id): stone
        for stone in store.nodes.tombstones()
        for link in store.edges.backlinks(stone.id, ["cites"])
    }
    citing = {node.id: node for node in store.nodes.get_many(node for node, _ in found)}
    now = {stone.id: store.renamed_nodes.now(stone.id) for stone in found.values()}
    return [_orphaned(citing[node], stone, now[stone.id]) for (node, _), stone in found.items() if node in citing]


def _orphaned(node: Node, stone: Tombstone, now: str | None) -> Problem:
    where = node.provenance
    return Problem(
        document=where.document,
        line=where.first_line,
        severity=Severity.WARNING,
        code="cites-removed",
        message=f"{node.id} cites {stone.id}, which was taken out on {stone.removed_at:%Y-%m-%d}",
        hint=f"it is {now} now: correct {node.id}" if now else f"correct {node.id}, or read {stone.document} again",
    )
