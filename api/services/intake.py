"""Documents in: read all, look at all problems, then store all in one transaction or nothing.

paths ─▶ bytes ─▶ detect ─▶ nodes (ingest)  ─▶ links between notes ─┐
                      └───▶ rules (compute) ─▶ validated ───────────┴▶ errors? ─no─▶ store ─▶ derived edges
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Literal

from api.services.rules import RULES
from compute import silences
from graph.claims import Claim
from graph.documents import Changes, Document
from graph.nodes import Node
from graph.problems import Problem, Severity
from graph.store import Store
from graph.values import Value
from ingest.hygiene import load_mapping, renamed
from ingest.links import resolve
from ingest.marks import bracket_markers
from ingest.read import Found, read
from ingest.terms import link

Outcome = Literal["new", "changed", "unchanged", "refused", "not stored"]
Step = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""


TOGETHER = 500
"""Nodes beyond which the documents of a large ingest go into the store in several statements."""


def unseen(_doing: str, _done: int, _total: int) -> None:
    """Nobody watches."""


class Entry(Value):
    """One document of an ingest and what became of it."""

    document: Document
    outcome: Outcome = "not stored"
    changes: Changes = Changes()
    claims: tuple[Claim, ...] = ()

    @property
    def refused(self) -> bool:
        """True where something in it is an error."""
        return any(problem.severity is Severity.ERROR for problem in self.document.problems)


class Intake(Value):
    """What an ingest read and did; counts are over the documents of this ingest."""

    entries: tuple[Entry, ...]
    stored: bool = False

    @property
    def nodes(self) -> list[Node]:
        """Every node read."""
        return [node for entry in self.entries for node in entry.document.nodes]

    @property
    def problems(self) -> list[Problem]:
        """What authors should look at, gravest first."""
        order = list(Severity)
        found = [problem for entry in self.entries for problem in entry.document.problems]
        return sorted(found, key=lambda problem: order.index(problem.severity))

    @property
    def refused(self) -> bool:
        """True where any document has an error."""
        return any(entry.refused for entry in self.entries)

    @property
    def kinds(self) -> dict[str, int]:
        """Nodes by kind."""
        return dict(Counter(node.kind.value for node in self.nodes))

    @property
    def counts(self) -> dict[str, int]:
        """Tags, sources and references, each as things and as uses of them."""
        nodes = self.nodes
        tags = [tag for node in nodes for tag in node.tags]
        sources = [source for node in nodes for source in node.sources]
        return {
            "tags": len(set(tags)),
            "tag_uses": len(tags),
            "sources": len({source.url for source in sources}),
            "source_entries": len(sources),
            "works": len({source.id for source in sources}),
            "cite_spans": sum(len({quote.span for quote in node.quotes}) for node in nodes),
        }

    @property
    def citations(self) -> dict[str, int]:
        """References to nodes by whether their target is known; markers hold one reference or several."""
        cites = [cite for node in self.nodes for cite in node.cites]
        numbered = [node for node in self.nodes if any(cite.number is not None for cite in node.cites)]
        found = sum(cite.resolution != "unresolved" for cite in cites)
        return {
            "resolved": found,
            "unresolved": len(cites) - found,
            "bracket_references": sum(cite.number is not None for cite in cites),
            "bracket_markers": sum(len(bracket_markers(node.body)) for node in numbered),
        }

    @property
    def quotations(self) -> dict[str, int]:
        """Quotations by resolution."""
        return dict(Counter(quote.resolution for node in self.nodes for quote in node.quotes))


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
        entries = self._merged(entries)
        entries = _linked(entries, {node.id: node for node in self._known(entries)})
        report = Intake(entries=tuple(entries))
        if dry_run or report.refused or (strict and report.problems):
            return report.model_copy(update={"entries": tuple(_refused(entry) for entry in entries)})
        return self._put(report, at, step)

    def _known(self, entries: Sequence[Entry]) -> Iterable[Node]:
        """The nodes in the store that links may mean, without those that this ingest brings anew."""
        fresh = {entry.document.name for entry in entries}
        return (node for node in self._store.all_nodes() if node.provenance.document not in fresh)

    def _merged(self, entries: list[Entry]) -> list[Entry]:
        """The entries with their tags under the names that the `tags` documents give them.

        Where this ingest changes those names, the documents that are in the store already are read again.
        """
        fresh = {entry.document.name: entry.document for entry in entries}
        held = [record for record in self._store.documents() if record.name not in fresh]
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
        known = {record.name for record in self._store.documents()}
        ruled = set(self._store.claim_documents())
        with self._store.transaction():
            before = self._store.graph_version()
            for some in _groups(report.entries):
                step(f"storing {some[0].document.name}", len(entries), len(report.entries))
                changes = self._store.put_all([entry.document for entry in some], at)
                entries += (
                    self._put_one(entry, changed, known, ruled) for entry, changed in zip(some, changes, strict=True)
                )
            if self._store.graph_version() != before:
                step("linking terms", 0, 1)
                self._store.set_derived(link(self._store.all_nodes()))
        return Intake(entries=tuple(entries), stored=True)

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
