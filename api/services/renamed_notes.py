"""Notes that an ingest gives another id: which of them is surely the same note.

the same text in the same document, also where its file was moved or renamed    the new id of the old one
a note that has the name of a missing one among its aliases                     leads on from the old id
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping

from api.services.import_report import DocumentReport, Move
from graph.ids import as_written, node_id
from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.store import Store


def with_current_nodes(entries: Iterable[DocumentReport], nodes: Container[str]) -> list[DocumentReport]:
    """The entries with the ids in their claims as ids are stored, where `nodes` has them so."""
    return [
        entry.model_copy(update={"claims": tuple(_current(claim, nodes) for claim in entry.claims)})
        if any(claim.node not in nodes for claim in entry.claims)
        else entry
        for entry in entries
    ]


def _current(claim: Claim, nodes: Container[str]) -> Claim:
    node = as_written(claim.node)
    return claim if claim.node in nodes or node not in nodes else claim.model_copy(update={"node": node})


def same_notes(nodes: Iterable[Node], entries: Iterable[DocumentReport], moved: Iterable[Move]) -> dict[str, str]:
    """The new ids of notes by their old ones; `nodes` are those of the store before these documents are stored.

    A text that two notes have is not told apart.
    """
    names = {move.document: move.before for move in moved}
    before: dict[str, list[Node]] = defaultdict(list)
    for node in nodes:
        before[node.provenance.document].append(node)
    found: dict[str, str] = {}
    for entry in entries:
        name = entry.document.name
        found |= _pairs(before.get(names.get(name, name), ()), entry.document.nodes)
    return found


def _pairs(before: Iterable[Node], after: Iterable[Node]) -> dict[str, str]:
    old, new = _by_text(before), _by_text(after)
    kept = {name for names in new.values() for name in names}
    pairs = ((names, new.get(text, ())) for text, names in old.items())
    single = ((names[0], others[0]) for names, others in pairs if len(names) == 1 and len(others) == 1)
    return {was: name for was, name in single if was not in kept}


def _by_text(nodes: Iterable[Node]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        if node.body.strip():
            found[node.body].append(node.id)
    return found


def record_renames(store: Store, same: Mapping[str, str], nodes: Iterable[Node]) -> None:
    """Record the new ids of the same notes, and of missing nodes whose name one of `nodes` has as an alias."""
    named: dict[str, set[str]] = defaultdict(set)
    for node in nodes:
        for name in _former_names(node):
            named[name].add(node.id)
    missing = store.renamed_nodes.former(named)
    declared = {old: min(new) for old, new in named.items() if old in missing and len(new) == 1}
    store.renamed_nodes.put({**declared, **same})


def _former_names(node: Node) -> Iterator[str]:
    """The ids that a note would have by its aliases, and the aliases that are ids."""
    for alias in node.labels.variants if node.labels else ():
        yield from (one for one in (node_id(node.brain, alias), alias) if one != node.id)
