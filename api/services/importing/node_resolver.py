"""Fits the nodes of an ingest into the store: ids, tags, links, the notes that link to them, their claims.

the same text in the same document, also where its file was moved or renamed    the new id of the old one
a note that has the name of a missing one among its aliases                     leads on from the old id
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from api.services.claim_quotes import NodeFinder, QuoteFinder, broken_by, claims_without_nodes, with_problems
from api.services.importing.documents import DocumentReport, ImportReport, Move, parse
from api.services.importing.stored_files import StoredFiles, stored_ids
from graph.groups import group_by
from graph.ids import as_written, slug
from graph.models.claim_models import Claim
from graph.models.document_models import Document
from graph.models.node_models import Node
from graph.older_ids import older_ids
from graph.problems import Problem, Severity
from graph.store import Store
from ingest.linking.link_resolution import linked_documents, names_in_links
from ingest.linking.link_targets import ids_named, node_names
from ingest.linking.vault_paths import settled
from ingest.source_files import SourceFile
from ingest.terms.tag_merges import load_mapping, renamed


class OtherNodes(Mapping[str, str]):
    """The nodes of a store outside some documents: the document of each id."""

    def __init__(self, store: Store, without: Collection[str]) -> None:
        self._store, self._without = store, without
        self._owners: dict[str, str | None] = {}

    def load(self, ids: Iterable[str]) -> None:
        """Look up ids together."""
        fresh = {one for one in ids if one not in self._owners}
        found = self._store.nodes.owners(fresh)
        self._owners |= {one: owner if (owner := found.get(one)) not in self._without else None for one in fresh}

    def __getitem__(self, name: str) -> str:
        self.load([name])
        if (owner := self._owners[name]) is None:
            raise KeyError(name)
        return owner

    def __iter__(self) -> Iterator[str]:
        self.load(self._store.nodes.ids())
        return (name for name, owner in self._owners.items() if owner is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def nodes(self) -> Iterator[Node]:
        """All of them, in the order of arrival."""
        return (node for node in self._store.nodes.all() if node.provenance.document not in self._without)

    def named(self, names: set[str]) -> dict[str, Node]:
        """The nodes that links with these names may mean, with those named by their ids."""
        first = self._store.node_names.called(names)
        both = first | self._store.node_names.called(ids_named(first))
        return self.get_many(both)

    def get_many(self, ids: Iterable[str]) -> dict[str, Node]:
        """Those of these nodes that are among them."""
        found = self._store.nodes.get_many(sorted(set(ids)))
        return {node.id: node for node in found if node.provenance.document not in self._without}


class NodeResolver:
    """Resolves the documents of one ingest against the store: their ids, tags, links and claims."""

    def __init__(self, store: Store, stored: StoredFiles, report: ImportReport) -> None:
        """`report` names the documents that go and that move; `resolve` fills in the others."""
        self._store, self._stored, self._report = store, stored, report
        self._gone = {one.document for one in report.removed}
        self._come: list[DocumentReport] = []
        self._waiting: list[DocumentReport] = []
        self._before: list[Node] = []
        self._others = OtherNodes(store, ())

    def resolve(self, entries: Iterable[DocumentReport]) -> None:
        """Fill in what comes in, what waited for it, and what is left out.

        Files of a folder with an error or a conflict, also with a stored version of one of them, are left out.
        """
        report = self._report
        left: list[DocumentReport] = []
        taken: list[DocumentReport] = []
        for entry in entries:
            (left if entry.refused and entry.in_folder and not report.strict else taken).append(entry)
        while found := self._settle(taken):
            for entry in taken:
                if entry.document.name in found:
                    entry.added += (found[entry.document.name],)
            if not report.strict:
                left += [entry for entry in taken if entry.document.name in found]
                taken = [entry for entry in taken if entry.document.name not in found]
        for entry in left:
            entry.leave("left out")
        self._link()
        self._check_claims()
        names = {entry.document.name for entry in self._come}
        report.moves = tuple(move for move in report.moves if move.document in names)
        report.entries, report.woken = (*self._come, *left), tuple(self._waiting)

    def _settle(self, taken: Sequence[DocumentReport]) -> dict[str, Problem]:
        """Find what waited for these and settle ids; conflicts by document, if any."""
        self._come = [*taken, *self._tagged_again(taken)]
        self._waiting = self._waiting_for(self._come)
        both = [*self._waiting, *self._come]
        self._merge_tags(both)
        fresh = self._gone | {entry.document.name for entry in both}
        self._before, self._others = self._store.nodes.of_documents(fresh), OtherNodes(self._store, fresh)
        ids = stored_ids(self._before, self._report.moves)
        self._others.load((*(node.id for entry in both for node in entry.document.nodes), *ids.values()))
        come = list(zip(both, settled([entry.document for entry in both], self._others, ids), strict=True))
        come.sort(key=lambda one: one[1].name not in self._stored.heads)  # documents of the store before new ones
        problems = conflicts(come, self._others, self._store, self._gone)
        clean = {entry.document.name for entry in taken if not entry.refused}
        found = {name: problem for name, problem in problems.items() if name in clean}
        for entry, document in () if found else come:
            entry.document = document
        return found

    def _tagged_again(self, taken: Sequence[DocumentReport]) -> list[DocumentReport]:
        """All other documents with nodes, if this ingest changes the names of tags."""
        if not any(entry.document.format == "tags" for entry in taken):
            return []
        fresh = self._gone | {entry.document.name for entry in taken}
        others = [head.name for head in self._store.documents.heads() if head.nodes and head.name not in fresh]
        self._stored.load(others)
        return [self._again(name) for name in others]

    def _waiting_for(self, entries: Iterable[DocumentReport]) -> list[DocumentReport]:
        """Stored documents to read again: with a link that a node may resolve, now or no more, or to a former title."""
        fresh = {entry.document.name: entry.document for entry in entries}
        known = {(head.name, head.sha256, head.brain) for head in self._stored.heads.values()}
        changed = [one for one in fresh.values() if (one.name, one.sha256, one.brain) not in known]
        brought = (name for document in changed for node in document.nodes for name in node_names(node))
        before = self._store.node_names.of_documents({*self._gone, *(document.name for document in changed)})
        titles = {node.title for document in changed for node in document.nodes}
        cited = self._store.nodes.cited_titles(document.name for document in changed)
        waiting = {*self._store.unresolved.waiting_for(chain(before, brought))}
        waiting |= {citing for citing, title in cited if title not in titles}
        waiting -= fresh.keys() | self._gone
        self._stored.load(waiting)
        return [entry for entry in map(self._again, sorted(waiting)) if not entry.refused]

    def _again(self, name: str) -> DocumentReport:
        kept = self._store.documents.get(name)
        return parse(SourceFile((kept.text or "").encode(), name), kept.brain, kept.format)

    def _merge_tags(self, both: Iterable[DocumentReport]) -> None:
        """Rename tags as `tags` documents say; a private brain's apply to its own documents."""
        fresh = {entry.document.name: entry.document for entry in both}
        others = [one for one in self._store.documents.heads(["tags"]) if one.name not in self._gone | fresh.keys()]
        texts = [(one.brain, one.name, self._stored.text(one.name)) for one in others]
        texts += [(one.brain, one.name, one.text) for one in fresh.values() if one.format == "tags"]
        loaded = [(brain, load_mapping(text, name)[0]) for brain, name, text in texts]
        private = self._store.brains.private() if loaded else frozenset()
        for entry in both if loaded else ():
            document = entry.document
            known = [names for brain, names in loaded if brain == document.brain or brain not in private]
            new = {old: name for names in known for old, name in names.items()}
            if any(tag in new for node in document.nodes for tag in node.tags):
                nodes = (node.model_copy(update={"tags": renamed(node.tags, new)}) for node in document.nodes)
                entry.document = document.model_copy(update={"nodes": tuple(nodes)})

    def _link(self) -> None:
        both = [*self._come, *self._waiting]
        documents = [entry.document for entry in both]
        known = self._others.named(names_in_links(documents))
        found = linked_documents(documents, known, self._store.brains.private())
        for entry, linked in zip(both, found, strict=True):
            entry.document, entry.unresolved = linked

    def _check_claims(self) -> None:
        both, others, report = [*self._come, *self._waiting], self._others, self._report
        brought = {node.id: node for entry in both for node in entry.document.nodes}
        lost = put_on_current_ids(both, brought, others)
        same = report.same_notes = same_notes(self._before, both, report.moves)

        def now(old: str) -> str | None:
            new = same.get(old) or self._store.renamed_nodes.now(old)
            return new if new is not None and (new in brought or new in others) else None

        finder = NodeFinder(lambda: chain(others.nodes(), brought.values()), now)
        quotes = QuoteFinder(self._store, (entry.document for entry in both))
        broken = broken_by(both, self._before, report.removed, quotes, finder)
        quoted = others.get_many(claim.node for entry in both for claim in entry.claims if claim.quote) | brought
        nodes = {*others, *brought} if lost else ()
        for entry in both if lost else ():
            entry.added += claims_without_nodes(entry.claims, nodes, finder)
        for entry in self._come:
            entry.added += (*broken.get(entry.document.name, ()), *quotes.problems(entry.claims, quoted))
        report.removed = with_problems(report.removed, broken)


def put_on_current_ids(entries: Iterable[DocumentReport], brought: Mapping[str, Node], others: OtherNodes) -> list[str]:
    """Put claims on older ids of nodes on the present ones; the ids that have no node."""
    entries = [entry for entry in entries if entry.claims]
    others.load(claim.node for entry in entries for claim in entry.claims if claim.node)

    def lost() -> list[str]:
        nodes = {claim.node for entry in entries for claim in entry.claims if claim.node}
        return [node for node in nodes if node not in brought and node not in others]

    if not (first := lost()):
        return []
    named = others.named(ids_named(map(as_written, first)))
    older = older_ids((*named.values(), *brought.values()))
    others.load(map(as_written, first))
    present = {node for one in first for node in (as_written(one),) if node in brought or node in others}
    for entry in entries:
        entry.rules = tuple(_current(claim, present, older) if claim.node in first else claim for claim in entry.claims)
    return lost()


def _current(claim: Claim, nodes: Container[str], older: Mapping[str, str]) -> Claim:
    written = as_written(claim.node)
    node = written if written in nodes else older.get(written, claim.node)
    return claim if claim.node in nodes or node == claim.node else claim.model_copy(update={"node": node})


def move_claims(store: Store, nodes: Iterable[Node]) -> None:
    """Put stored claims on older ids of these nodes on their present ids."""
    older = older_ids(nodes)
    if not older:
        return
    present, placed = store.nodes.refs(older), store.claims.by_node()
    lost = [claim for old in older.keys() - present.keys() for claim in placed.get(old, ())]
    for document in sorted(set(store.claims.owners(lost).values())):
        stated = list(store.claims.all(document=document))
        store.claims.put(document, [_current(claim, present, older) for claim in stated])


def same_notes(nodes: Iterable[Node], entries: Iterable[DocumentReport], moved: Iterable[Move]) -> dict[str, str]:
    """The new ids of notes by their old ones; notes with equal texts cannot be distinguished."""
    names = {move.document: move.before for move in moved}
    before = group_by(nodes, lambda node: node.provenance.document)
    found: dict[str, str] = {}
    for entry in entries:
        name = entry.document.name
        old, new = _by_text(before.get(names.get(name, name), ())), _by_text(entry.document.nodes)
        kept = {node.id for some in new.values() for node in some}
        pairs = [(was[0].id, new[text][0].id) for text, was in old.items() if len(was) == len(new.get(text, ())) == 1]
        found |= {was: now for was, now in pairs if was not in kept}
    return found


def _by_text(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    return group_by((node for node in nodes if node.body.strip()), lambda node: node.body)


def record_renames(store: Store, same: Mapping[str, str], nodes: Iterable[Node]) -> None:
    """Record new ids of the same notes, and of missing nodes whose name is an alias of one of `nodes`."""
    named: dict[str, set[str]] = defaultdict(set)
    for node in nodes:
        for alias in node.labels.variants if node.labels else ():
            for former in {f"{node.brain}/{slug(alias)}", alias} - {node.id}:
                named[former].add(node.id)
    missing = store.renamed_nodes.former(named)
    declared = {old: min(new) for old, new in named.items() if old in missing and len(new) == 1}
    store.renamed_nodes.put({**declared, **same})


def conflicts(
    come: Sequence[tuple[DocumentReport, Document]], others: OtherNodes, store: Store, gone: Collection[str]
) -> dict[str, Problem]:
    """The first conflict of each file of a folder with an earlier or a stored document, by its name."""
    fresh = {*gone, *(document.name for _, document in come)}
    owners = store.claims.owners(claim.id for entry, _ in come for claim in entry.claims)
    claims = {claim: owner for claim, owner in owners.items() if owner not in fresh}
    others.load(node.id for _, document in come for node in document.nodes)
    nodes = {node.id: others[node.id] for _, document in come for node in document.nodes if node.id in others}
    found: dict[str, Problem] = {}
    for entry, document in come:
        problem = _conflict(entry, document, nodes, claims)
        if problem and entry.in_folder:
            found[document.name] = problem
            continue
        nodes |= {node.id: document.name for node in document.nodes}
        claims |= {claim.id: document.name for claim in entry.claims}
    return found


def _conflict(
    entry: DocumentReport, document: Document, nodes: Mapping[str, str], claims: Mapping[str, str]
) -> Problem | None:
    """The error for a document's first node or claim that another has, or that it states twice."""
    name = document.name
    for node in document.nodes:
        if (owner := nodes.get(node.id, name)) != name:
            line, message = node.provenance.first_line, f"{owner} has the node {node.id} already"
            return _problem(document, line, "node-taken", message)
    seen: set[str] = set()
    for claim in entry.claims:
        place = claim.place.line if claim.place else None
        if claim.id in seen:
            return _problem(document, place, "claim-twice", f"the claim {claim.id} is stated twice")
        if (owner := claims.get(claim.id, name)) != name:
            return _problem(document, place, "claim-taken", f"{owner} has the claim {claim.id} already")
        seen.add(claim.id)
    return None


def _problem(document: Document, line: int | None, code: str, message: str) -> Problem:
    lines, todo = document.text.split("\n"), "give one of them another id, or delete it"
    text = lines[line - 1] if line and line <= len(lines) else None
    return Problem.of(document.name, code, message, todo, Severity.ERROR, line=line, text=text)
