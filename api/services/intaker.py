"""Documents in: read all, look at all problems, then store all in one transaction or nothing.

paths ─▶ bytes ─▶ detect ─▶ nodes (ingest)  ─▶ links between notes ─┐
                      └───▶ rules (compute) ─▶ validated ───────────┴▶ errors? ─no─▶ store ─▶ derived edges
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from api.services.intake import Entry, Intake, Outcome, Step, unseen
from api.services.rules import RULES
from compute import silences
from graph.claims import Claim
from graph.documents import Changes
from graph.nodes import Kind, Node
from graph.query import DocumentRecord
from graph.store import Store
from ingest.hygiene import load_mapping, renamed
from ingest.links import LOST, resolve
from ingest.read import Found, read
from ingest.terms import Matcher, link

TOGETHER = 500
"""Nodes beyond which the documents of a large ingest go into the store in several statements."""


class Intaker:
    """Takes documents into a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def take(
        self,
        found: Iterable[Found],
        *,
        at: datetime,
        brain: str | None = None,
        form: str | None = None,
        strict: bool = False,
        dry_run: bool = False,
        step: Step = unseen,
    ) -> Intake:
        """Read and store; nothing is stored where any document has an error (or, `strict`, any problem)."""
        found = list(found)
        entries = []
        for number, one in enumerate(found):
            step(f"reading {one.name}", number, len(found))
            entries.append(_read(one, brain, form))
        held = self._store.documents()
        entries = self._merged(entries, held)
        waiting = self._waiting(entries, held)
        linked = _linked([*entries, *waiting], {node.id: node for node in self._known([*entries, *waiting])})
        report = Intake(entries=tuple(linked[: len(entries)]), woken=tuple(linked[len(entries) :]))
        if dry_run or report.refused or (strict and report.problems):
            refused = tuple(_refused(entry) for entry in report.entries)
            return report.model_copy(update={"entries": refused, "woken": ()})
        return self._put(report, at, step)

    def _known(self, entries: Sequence[Entry]) -> Iterable[Node]:
        """The nodes in the store that links may mean, without those that this ingest brings anew."""
        fresh = {entry.document.name for entry in entries}
        return (node for node in self._store.all_nodes() if node.provenance.document not in fresh)

    def _waiting(self, entries: Sequence[Entry], held: Sequence[DocumentRecord]) -> list[Entry]:
        """Documents of the store with links that lead nowhere, read again where this ingest brings anything new."""
        known = {record.name: record.sha256 for record in held}
        if all(known.get(entry.document.name) == entry.document.sha256 for entry in entries):
            return []
        fresh = {entry.document.name for entry in entries}
        lost = [one.name for one in held if one.name not in fresh and any(p.code in LOST for p in one.problems)]
        return [entry for entry in map(self._again, lost) if not entry.refused]

    def _merged(self, entries: list[Entry], held: Sequence[DocumentRecord]) -> list[Entry]:
        """The entries with their tags under the names that the `tags` documents give them.

        Where this ingest changes those names, the documents that are in the store already are read again.
        """
        fresh = {entry.document.name: entry.document for entry in entries}
        held = [record for record in held if record.name not in fresh]
        texts = [(one.name, self._store.document(one.name).text or "") for one in held if one.format == "tags"]
        changed = any(document.format == "tags" for document in fresh.values())
        texts += [(one.name, one.text) for one in fresh.values() if one.format == "tags"]
        mapping = {old: new for name, text in texts for old, new in load_mapping(text, name)[0].items()}
        if changed:
            entries = [*entries, *(self._again(one.name) for one in held if one.nodes)]
        return [_renamed(entry, mapping) for entry in entries] if mapping else entries

    def _again(self, name: str) -> Entry:
        """A document of the store as it is read from the text that was kept."""
        kept = self._store.document(name)
        data = (kept.text or "").encode()
        return _read(Found(data, name), kept.brain, kept.format)

    def _put(self, report: Intake, at: datetime, step: Step) -> Intake:
        entries: list[Entry] = []
        everything = (*report.entries, *report.woken)
        known = {record.name for record in self._store.documents()}
        ruled = set(self._store.claim_documents())
        with self._store.transaction():
            before, terms = self._store.graph_version(), tuple(self._store.terms())
            for some in _groups(everything):
                step(f"storing {some[0].document.name}", len(entries), len(everything))
                changes = self._store.put_all([entry.document for entry in some], at)
                entries += (
                    self._put_one(entry, changed, known, ruled) for entry, changed in zip(some, changes, strict=True)
                )
            if self._store.graph_version() != before:
                step("linking terms", 0, 1)
                self._derive(entries, terms)
        asked, woken = entries[: len(report.entries)], entries[len(report.entries) :]
        changed = tuple(entry for entry in woken if entry.outcome == "changed")
        return Intake(entries=tuple(asked), woken=changed, stored=True)

    def _derive(self, entries: Sequence[Entry], terms: Sequence[Node]) -> None:
        """The edges that no document states: of the nodes that came or changed, of all where a term did."""
        touched = {name for entry in entries for name in (*entry.changes.added, *entry.changes.changed)}
        fresh = {node.id for entry in entries for node in entry.document.nodes if node.kind is Kind.TERM}
        gone = {name for entry in entries for name in entry.changes.removed}
        if touched & fresh or (touched | gone) & {term.id for term in terms}:
            self._store.set_derived(link(self._store.all_nodes()))
            return
        matcher = Matcher(terms, self._store.edges(kind="same_as", derived=True))
        found = (edge for node in self._store.nodes(sorted(touched)) for edge in matcher.mentions(node))
        self._store.set_derived(found, of=touched)

    def _put_one(self, entry: Entry, changes: Changes, known: set[str], ruled: set[str]) -> Entry:
        """The rules of a document whose nodes are in the store."""
        document = entry.document
        stated = entry.claims or document.name in ruled
        rules = self._store.put_claims(document.name, entry.claims) if stated else Changes()
        if document.format == "silences":
            self._silence(entry)
        outcome: Outcome = "new" if document.name not in known else "changed"
        if outcome == "changed" and changes.nothing and rules.nothing:
            outcome = "unchanged"
        return entry.model_copy(update={"outcome": outcome, "changes": changes})

    def _silence(self, entry: Entry) -> None:
        """The silences of a document in the place of those that it had."""
        mine = f"{entry.document.name}#"
        for old in self._store.silences():
            if old.id.startswith(mine):
                self._store.remove_silence(old.id)
        for silence in silences.load(entry.document.name, entry.document.text)[0]:
            self._store.put_silence(silence)


def _groups(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """The documents that go into the store together, about `TOGETHER` nodes; no name comes twice in a group."""
    some: dict[str, Entry] = {}
    weight = 0
    for entry in entries:
        if some and (weight >= TOGETHER or entry.document.name in some):
            yield list(some.values())
            some, weight = {}, 0
        some[entry.document.name] = entry
        weight += 1 + len(entry.document.nodes)
    if some:
        yield list(some.values())


def _refused(entry: Entry) -> Entry:
    return entry.model_copy(update={"outcome": "refused"}) if entry.refused else entry


def _read(found: Found, brain: str | None, form: str | None) -> Entry:
    """A document; where it is one of rules, its rules are read too, so that their errors stop the ingest."""
    document = read(found.data, found.name, brain=brain, default_brain=found.brain or "notes", format=form)
    if document.format not in RULES:
        return Entry(document=document)
    claims, problems = RULES[document.format](document.name, document.text)
    return Entry(
        document=document.model_copy(update={"problems": (*document.problems, *problems)}),
        claims=tuple(claim for claim in claims if isinstance(claim, Claim)),
    )


def _renamed(entry: Entry, mapping: dict[str, str]) -> Entry:
    nodes = [
        node.model_copy(update={"tags": tags}) if (tags := renamed(node.tags, mapping)) != node.tags else node
        for node in entry.document.nodes
    ]
    return entry.model_copy(update={"document": entry.document.model_copy(update={"nodes": tuple(nodes)})})


def _linked(entries: Sequence[Entry], known: dict[str, Node]) -> list[Entry]:
    """The entries with the links between their notes resolved, and what could not be resolved as problems."""
    documents = resolve([entry.document for entry in entries], known)
    return [entry.model_copy(update={"document": document}) for entry, document in zip(entries, documents, strict=True)]
