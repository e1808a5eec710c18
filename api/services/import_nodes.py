"""How an ingest fits the store: other nodes, names that are waited for, new ids, conflicts, and what becomes of each.

the same text in the same document, also where its file was moved or renamed    the new id of the old one
a note that has the name of a missing one among its aliases                     leads on from the old id
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain

from api.services.import_report import DocumentReport, Move, Outcome
from api.services.rule_documents import RULES
from graph.ids import as_written, node_id
from graph.models.claim_models import Claim
from graph.models.document_models import Changes, Document
from graph.models.node_models import Node
from graph.models.query_models import DocumentHead
from graph.older_ids import older_ids
from graph.problems import Problem, Severity
from graph.store import Store
from ingest.linking.link_targets import ids_named, node_names


class OtherNodes(Mapping[str, str]):
    """The nodes of a store outside some documents: the document of each id."""

    def __init__(self, store: Store, without: Collection[str]) -> None:
        self._store, self._without = store, without
        self._owners: dict[str, str | None] = {}

    def load(self, ids: Iterable[str]) -> None:
        """Look these ids up together."""
        fresh = {one for one in ids if one not in self._owners}
        found = self._store.nodes.owners(fresh)
        self._owners |= {one: owner if (owner := found.get(one)) not in self._without else None for one in fresh}

    def __getitem__(self, name: str) -> str:
        self.load([name])
        if (owner := self._owners[name]) is None:
            raise KeyError(name)
        return owner

    def __iter__(self) -> Iterator[str]:
        return (node.id for node in self.nodes())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def nodes(self) -> Iterator[Node]:
        """All of them, in the order of arrival."""
        return (node for node in self._store.nodes.all() if node.provenance.document not in self._without)

    def named(self, names: set[str]) -> dict[str, Node]:
        """The nodes that links with these names may mean, and those that have the names of their ids."""
        first = self._store.node_names.called(names)
        both = first | self._store.node_names.called(ids_named(first))
        return self.get_many(both)

    def get_many(self, ids: Iterable[str]) -> dict[str, Node]:
        """Those of these nodes that are among them."""
        found = self._store.nodes.get_many(sorted(set(ids)))
        return {node.id: node for node in found if node.provenance.document not in self._without}


class NodesAfter(Collection[str]):
    """The ids that there are after an ingest: of its nodes and of the others."""

    def __init__(self, brought: Mapping[str, Node], others: OtherNodes) -> None:
        self.brought, self.others = brought, others

    def __contains__(self, name: object) -> bool:
        return name in self.brought or name in self.others

    def __iter__(self) -> Iterator[str]:
        return chain(self.brought, self.others)

    def __len__(self) -> int:
        return len(self.brought) + len(self.others)

    def nodes(self) -> Iterator[Node]:
        """All nodes."""
        return chain(self.others.nodes(), self.brought.values())


def changed(entries: Iterable[DocumentReport], held: Iterable[DocumentHead]) -> list[Document]:
    """The documents that are new to the store or differ from it."""
    known = {(record.name, record.sha256, record.brain) for record in held}
    documents = (entry.document for entry in entries)
    return [one for one in documents if (one.name, one.sha256, one.brain) not in known]


def names_of(documents: Sequence[Document], removed: Collection[str], store: Store) -> set[str]:
    """The names by which links find the nodes that an ingest brings, replaces and takes out.

    A removed node may leave one candidate for a link that had several.
    """
    names = {name for document in documents for node in document.nodes for name in node_names(node)}
    return names | store.node_names.of_documents({*removed, *(document.name for document in documents)})


def with_current_nodes(entries: Iterable[DocumentReport], after: NodesAfter) -> list[DocumentReport]:
    """The entries with their claims on the ids that the nodes have now."""
    lost = {claim.node for entry in entries for claim in entry.claims if claim.node and claim.node not in after}
    named = after.others.named(ids_named(map(as_written, lost))) if lost else {}
    older = older_ids((*named.values(), *after.brought.values())) if lost else {}
    return [
        entry.model_copy(update={"claims": tuple(_current(claim, after, older) for claim in entry.claims)})
        if any(claim.node in lost for claim in entry.claims)
        else entry
        for entry in entries
    ]


def _current(claim: Claim, nodes: Container[str], older: Mapping[str, str]) -> Claim:
    written = as_written(claim.node)
    node = written if written in nodes else older.get(written, claim.node)
    return claim if claim.node in nodes or node == claim.node else claim.model_copy(update={"node": node})


def move_claims(store: Store, nodes: Iterable[Node]) -> None:
    """Put the stored claims on older ids of these nodes on their ids of now."""
    older = older_ids(nodes)
    if not older:
        return
    present, placed = store.nodes.refs(older), store.claims.by_node()
    lost = [claim for old in older.keys() - present.keys() for claim in placed.get(old, ())]
    for document in sorted(set(store.claims.owners(lost).values())):
        stated = list(store.claims.all(document=document))
        store.claims.put(document, [_current(claim, present, older) for claim in stated])


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


def conflicts(
    entries: Sequence[DocumentReport], others: Mapping[str, str], store: Store, gone: frozenset[str]
) -> dict[str, Problem]:
    """The first conflict of each file of a folder with an earlier one, or with a document that stays, by its name.

    `others` are the nodes that this ingest does not touch, with their documents; `gone` the documents that it removes.
    """
    fresh = gone | {entry.document.name for entry in entries}
    ids = [claim.id for entry in entries for claim in entry.claims]
    claims = {claim: owner for claim, owner in store.claims.owners(ids).items() if owner not in fresh}
    nodes = {node.id: others[node.id] for entry in entries for node in entry.document.nodes if node.id in others}
    found: dict[str, Problem] = {}
    for entry in entries:
        problem = _node(entry, nodes) or _claim(entry, claims)
        if problem and entry.in_folder:
            found[entry.document.name] = problem
            continue
        nodes |= {node.id: entry.document.name for node in entry.document.nodes}
        claims |= {claim.id: entry.document.name for claim in entry.claims}
    return found


def _node(entry: DocumentReport, owners: Mapping[str, str]) -> Problem | None:
    name = entry.document.name
    taken = next((node for node in entry.document.nodes if owners.get(node.id, name) != name), None)
    if taken is None:
        return None
    message = f"{owners[taken.id]} has the node {taken.id} already"
    return _problem(entry, taken.provenance.first_line, "node-taken", message)


def _claim(entry: DocumentReport, owners: Mapping[str, str]) -> Problem | None:
    seen: dict[str, Claim] = {}
    for claim in entry.claims:
        line = claim.place.line if claim.place else None
        if claim.id in seen:
            return _problem(entry, line, "claim-twice", f"the claim {claim.id} is stated twice")
        if owners.get(claim.id, entry.document.name) != entry.document.name:
            return _problem(entry, line, "claim-taken", f"{owners[claim.id]} has the claim {claim.id} already")
        seen[claim.id] = claim
    return None


def _problem(entry: DocumentReport, line: int | None, code: str, message: str) -> Problem:
    lines = entry.document.text.split("\n")
    return Problem(
        document=entry.document.name,
        line=line,
        severity=Severity.ERROR,
        code=code,
        message=message,
        text=lines[line - 1] if line and line <= len(lines) else None,
        hint="give one of them another id, or delete it",
    )


def forecast(
    entries: Sequence[DocumentReport], moves: Iterable[Move], known: Mapping[str, str], store: Store, at: datetime
) -> tuple[DocumentReport, ...]:
    """The entries with the changes and outcomes that storing them would have; those left out stay as they are.

    `known` are the hashes of the documents of the store. Claims count as changed where their document did.
    """
    taken = [entry for entry in entries if entry.outcome != "left out"]
    changes = store.documents.compared([entry.document for entry in taken], at)
    done = {
        entry.document.name: entry.model_copy(update={"changes": one, "outcome": outcome_of(entry, one, known)})
        for entry, one in zip(taken, changes, strict=True)
    }
    return with_moves((done.get(entry.document.name, entry) for entry in entries), moves)


def outcome_of(
    entry: DocumentReport, changes: Changes, known: Mapping[str, str], rules: Changes | None = None
) -> Outcome:
    """What becomes of a document, by the changes of its nodes and of its claims."""
    document = entry.document
    if document.name not in known:
        return "new"
    edited = document.format in RULES and known[document.name] != document.sha256
    same = changes.nothing and (rules is None or rules.nothing) and not edited
    return "unchanged" if same else "changed"


def with_moves(entries: Iterable[DocumentReport], moves: Iterable[Move]) -> tuple[DocumentReport, ...]:
    """The entries, those of files that were moved or renamed with that outcome."""
    how = {move.document: move.how for move in moves}
    return tuple(
        entry.model_copy(update={"outcome": how[entry.document.name]})
        if entry.outcome == "new" and entry.document.name in how
        else entry
        for entry in entries
    )
