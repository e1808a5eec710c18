"""Notes that an ingest gives another id: which of them is surely the same note.

the same text in the same document, also where its file was moved or renamed    the new id of the old one
a note that has the name of a missing one among its aliases                     leads on from the old id
a note whose id was made of ASCII letters only once (`graph.older_ids`)         its claims and links move on with it
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from api.services.import_report import DocumentReport, Move
from graph.ids import as_written, node_id
from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.older_ids import is_older, older_ids, older_of
from graph.store import Store


class IdChanges(NamedTuple):
    """New ids by old ones: of notes that are surely the same, and of those of the time when all ids were ASCII."""

    same: dict[str, str]
    older: dict[str, str]


def id_changes(
    store: Store,
    nodes: Sequence[Node],
    entries: Sequence[DocumentReport],
    known: Mapping[str, Node],
    moved: Iterable[Move],
) -> IdChanges:
    """The ids that an ingest changes; `nodes` are those of the store before it, `known` those that it leaves alone."""
    same = same_notes(nodes, entries, moved)
    every = {**known, **{node.id: node for entry in entries for node in entry.document.nodes}}
    if all(map(str.isascii, every)):
        return IdChanges(same, {})
    recorded = store.renamed_nodes.all()
    older = older_ids(every.values()) | older_of(recorded, every, recorded) | older_of(same, every, same)
    fresh = {old: new for old, new in older.items() if old not in recorded}
    return IdChanges({**fresh, **same}, older)


def with_current_nodes(
    entries: Iterable[DocumentReport], known: Collection[str], older: Mapping[str, str]
) -> list[DocumentReport]:
    """The entries with their claims on the ids that the nodes have now; `known` are the nodes of no entry."""
    entries = list(entries)
    nodes = {*known, *(node.id for entry in entries for node in entry.document.nodes)}
    return [
        entry.model_copy(update={"claims": tuple(_current(claim, nodes, older) for claim in entry.claims)})
        if any(claim.node not in nodes for claim in entry.claims)
        else entry
        for entry in entries
    ]


def _current(claim: Claim, nodes: Collection[str], older: Mapping[str, str]) -> Claim:
    written = as_written(claim.node)
    node = written if written in nodes else older.get(claim.node, claim.node)
    return claim if claim.node in nodes or node == claim.node else claim.model_copy(update={"node": node})


def move_claims(store: Store, older: Mapping[str, str]) -> None:
    """Put the stored claims on older ids on the ids of now."""
    placed = store.claims.by_node()
    lost = [claim for node in older for claim in placed.get(node, ())]
    for document in sorted(set(store.claims.owners(lost).values())):
        stated = list(store.claims.all(document=document))
        store.claims.put(document, [_current(claim, (), older) for claim in stated])


def citing_older(store: Store, nodes: Iterable[Node], entries: Iterable[DocumentReport]) -> set[str]:
    """The stored documents with a link to an older id that these entries replace."""
    fresh = {entry.document.name: entry.document.nodes for entry in entries}
    stored = list(nodes)
    gone = [
        node.id
        for node in stored
        if (come := fresh.get(node.provenance.document))
        and node.id.isascii()
        and all(node.id != one.id for one in come)
        and any(is_older(node.id, one) for one in come)
    ]
    citing = {link.node.id for old in gone for link in store.edges.backlinks(old)}
    return {node.provenance.document for node in stored if node.id in citing}


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
