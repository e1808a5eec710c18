"""The report of an ingest."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from pydantic import BaseModel

from graph.models.claim_models import Claim
from graph.models.document_models import Changes, Document
from graph.models.node_models import Node
from graph.problems import Problem, Severity
from graph.store.document_tables import FilePlace
from graph.values import Value
from ingest.citations.bracket_markers import bracket_markers
from ingest.source_files import SkipKind

Outcome = Literal["new", "changed", "unchanged", "moved", "renamed", "left out", "refused", "not stored"]
STRICT = frozenset({"unknown", "unreadable", "bad rule"})
"""The kinds of files left out that fail a strict ingest."""


class DocumentReport(BaseModel):
    """One document of an ingest and its outcome; the steps of the ingest fill it in.

    `added` are problems of this ingest in addition to those of the document; `unresolved` are the names that
    its links use and that no node has. `values` counts the claims, prices or other rules of a document of rules.
    `origin` is None for a document that was read again from the store; `in_folder`: it was given with its folder.
    """

    document: Document
    added: tuple[Problem, ...] = ()
    outcome: Outcome = "not stored"
    changes: Changes = Changes()
    claims: tuple[Claim, ...] = ()
    values: int = 0
    unresolved: frozenset[str] = frozenset()
    origin: FilePlace | None = None
    in_folder: bool = False

    @property
    def refused(self) -> bool:
        """True where something in it is an error."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that its author should look at."""
        return (*self.added, *self.document.problems)


class RuleLoss(Value):
    """Claims, prices or silences that go with a document: how many there are, and why they go."""

    document: str
    format: str
    values: int
    why: str = "is removed"

    def said(self) -> str:
        """Their number, in words."""
        return f"{self.values} {self.format.removesuffix('s') if self.values == 1 else self.format}"


class Removal(Value):
    """A document that was taken out: the ids of its nodes, and how many claims, prices and silences it stated.

    `problems` are warnings for claims of other documents that were on its nodes.
    """

    document: str
    nodes: tuple[str, ...] = ()
    claims: int = 0
    prices: int = 0
    silences: int = 0
    problems: tuple[Problem, ...] = ()


class LinkLeft(Value):
    """A symbolic link in a folder that was not followed: its path in the folder, and why."""

    name: str
    reason: str


class FileLeft(Value):
    """A file of a folder that was left out: its path in the folder, the rule or reason, and the kind of reason.

    The path of a folder in which nothing was read ends with a slash.
    """

    name: str
    reason: str
    kind: SkipKind


class Move(Value):
    """A document that has another name now: its file was moved to another folder, or renamed."""

    document: str
    before: str
    how: Literal["moved", "renamed"]


class ImportReport(BaseModel):
    """The documents of an ingest and their outcomes, filled in by its steps; counts are over the documents that were
    not left out.

    `woken` are earlier documents whose links point to what this ingest added. `removed` are the documents that it
    removed; those of them that are back under another name are in `moves`. `kept` are documents that stay although
    their files are missing. `links_left` are the symbolic links of its folders that were not followed, `files_left` the
    other files that were left out, with the reason; `strict` says that such files and problems stop the ingest.
    `histories_left` says why the ledger of an export was not imported. `same_notes` are the new ids of notes that are
    surely the same, by their old ones. `rules_lost` are the claims, prices and silences that are lost with entire
    files.
    """

    entries: tuple[DocumentReport, ...] = ()
    woken: tuple[DocumentReport, ...] = ()
    removed: tuple[Removal, ...] = ()
    moves: tuple[Move, ...] = ()
    kept: tuple[str, ...] = ()
    links_left: tuple[LinkLeft, ...] = ()
    files_left: tuple[FileLeft, ...] = ()
    strict: bool = False
    histories_left: tuple[str, ...] = ()
    same_notes: dict[str, str] = {}
    rules_lost: tuple[RuleLoss, ...] = ()
    stored: bool = False

    @property
    def taken(self) -> list[DocumentReport]:
        """The documents that were not left out."""
        return [entry for entry in self.entries if entry.outcome != "left out"]

    @property
    def nodes(self) -> list[Node]:
        """Every node read."""
        return [node for entry in self.taken for node in entry.document.nodes]

    @property
    def rules(self) -> dict[str, int]:
        """How many claims, prices, assumptions and other rules were read, by format."""
        count: Counter[str] = Counter()
        for entry in self.taken:
            if entry.values:
                count[entry.document.format] += entry.values
        return dict(count)

    @property
    def read_again(self) -> tuple[str, ...]:
        """The names of the earlier documents whose links point to what was added."""
        return tuple(entry.document.name for entry in self.woken)

    @property
    def problems(self) -> list[Problem]:
        """The problems for authors, most severe first."""
        order = list(Severity)
        found = [problem for entry in self.entries for problem in entry.problems]
        found += [problem for one in self.removed for problem in one.problems]
        return sorted(found, key=lambda problem: order.index(problem.severity))

    @property
    def refused(self) -> bool:
        """True where a document that was given itself has an error."""
        return any(entry.refused and not entry.in_folder for entry in self.entries)

    @property
    def failed(self) -> bool:
        """True where the ingest is strict and there is a problem, or a file of an unknown kind."""
        unread = any(file.kind in STRICT for file in self.files_left)
        return self.strict and (unread or any(entry.problems for entry in self.entries))

    @property
    def kinds(self) -> dict[str, int]:
        """Nodes by kind."""
        return dict(Counter(node.kind.value for node in self.nodes))

    @property
    def counts(self) -> dict[str, int]:
        """Tags, sources and references, each as things and as uses of them; claims, prices and other rules."""
        nodes, others = self.nodes, self.rules
        rules = {name: others.pop(name, 0) for name in ("claims", "prices", "assumptions")}
        tags = [tag for node in nodes for tag in node.tags]
        sources = [source for node in nodes for source in node.sources]
        return {
            "tags": len(set(tags)),
            "tag_uses": len(tags),
            "sources": len({source.url for source in sources}),
            "source_entries": len(sources),
            "works": len({source.id for source in sources}),
            "cite_spans": sum(len({quote.span for quote in node.quotes}) for node in nodes),
            **rules,
            "rules": sum(others.values()),
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
