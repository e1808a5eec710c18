"""References to missing nodes: claims on them, and citations of removed nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial

from compute.reports.report_model import ClaimWithoutNote
from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.models.query_models import Tombstone
from graph.problems import Problem, Severity
from graph.store import Store
from graph.text.quote_anchor import find_quote
from graph.text.similar_names import did_you_mean


class NodeFinder:
    """Finds the note that the text of a claim is in, where the claim's own note does not exist.

    `renamed` gives the id that a node has now; `nodes` are those to look for the quoted words in.
    """

    def __init__(self, nodes: Callable[[], Iterable[Node]], renamed: Callable[[str], str | None]) -> None:
        self._renamed, self._nodes = renamed, nodes
        self._bodies: list[tuple[str, str]] | None = None

    @classmethod
    def of_store(cls, store: Store, without: Collection[str] = ()) -> NodeFinder:
        """Among the nodes of a store; `without` are documents that are about to go."""
        remaining = partial(_remaining, store, frozenset(without))
        return cls(remaining, store.renamed_nodes.now if not without else lambda _: None)

    def place(self, claim: Claim) -> tuple[str | None, str]:
        """The id of the note and how it was found, as the beginning of a sentence; None where no one note has it."""
        if new := self._renamed(claim.node):
            return new, f"the note was renamed, and it is {new} now"
        found = [name for name, body in self._bodies_of_all() if _has(body, claim.quote)] if claim.quote else []
        return (found[0], f"its words are in {found[0]} now") if len(found) == 1 else (None, "")

    def _bodies_of_all(self) -> Iterable[tuple[str, str]]:
        if self._bodies is None:
            self._bodies = [(node.id, node.body) for node in self._nodes()]
        return self._bodies


def _remaining(store: Store, gone: Collection[str]) -> Iterator[Node]:
    return (node for node in store.nodes.all() if node.provenance.document not in gone)


def _has(body: str, quote: str | None) -> bool:
    """Whether a text has the quoted words, as `find_quote` finds them exactly."""
    words = sorted(re.findall(r"\w+", quote or ""), key=len)
    if not words or words[-1] not in body:
        return False
    found = find_quote(body, quote or "")
    return found is not None and found.how == "exact"


def lost_claims(claims: Iterable[Claim], nodes: Collection[str], finder: NodeFinder) -> tuple[ClaimWithoutNote, ...]:
    """The claims on nodes that do not exist, each with the note that its text moved to."""
    lost = [claim for claim in claims if claim.node and claim.node not in nodes]
    return tuple(
        ClaimWithoutNote(claim=claim.id, node=claim.node, says=claim.says, now=finder.place(claim)[0]) for claim in lost
    )


def claims_without_nodes(
    claims: Iterable[Claim], nodes: Collection[str], finder: NodeFinder | None = None
) -> tuple[Problem, ...]:
    """A warning for each claim on a node that is not in `nodes`; the finder knows where its text is now."""
    return tuple(_unplaced(claim, nodes, finder) for claim in claims if claim.node and claim.node not in nodes)


def _unplaced(claim: Claim, nodes: Iterable[str], finder: NodeFinder | None) -> Problem:
    new, slip = finder.place(claim) if finder else (None, "")
    todo = "correct the claim's `node`" if new else "ingest the document with that node, or correct the claim's `node`"
    slip = f"{slip};" if new else did_you_mean(claim.node, nodes) or ""
    place = claim.place
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
