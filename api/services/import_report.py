"""What an ingest read and what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal

from graph.models.claim_models import Claim
from graph.models.document_models import Changes, Document
from graph.models.node_models import Node
from graph.problems import Problem, Severity
from graph.values import Value
from ingest.citations.bracket_markers import bracket_markers

Outcome = Literal["new", "changed", "unchanged", "refused", "not stored"]
ProgressStep = Callable[[str, int, int], None]
"""Progress callback: the name of the step, how much is done, and the total."""


def no_progress(_doing: str, _done: int, _total: int) -> None:
    """Ignores progress."""


class DocumentReport(Value):
    """One document of an ingest and what became of it.

    `told` holds problems of this ingest in addition to those of the document; `unresolved` are the names that
    its links use and that no node has.
    """

    document: Document
    told: tuple[Problem, ...] = ()
    outcome: Outcome = "not stored"
    changes: Changes = Changes()
    claims: tuple[Claim, ...] = ()
    unresolved: frozenset[str] = frozenset()

    @property
    def refused(self) -> bool:
        """True where something in it is an error."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that its author should look at."""
        return (*self.told, *self.document.problems)


class Removal(Value):
    """A document that was taken out: the ids of its nodes, and how many claims it stated."""

    document: str
    nodes: tuple[str, ...] = ()
    claims: int = 0


class LinkLeft(Value):
    """A symbolic link in a folder that was not followed: its path in the folder, and why."""

    name: str
    reason: str


class ImportReport(Value):
    """What an ingest read and did; counts are over the documents of this ingest.

    `woken` are earlier documents whose links point to what this ingest added, `removed` those that it removed;
    `links_left` are the symbolic links of its folders that were not followed, with the reason; `histories_left` says
    why the ledger of an export was not imported.
    """

    entries: tuple[DocumentReport, ...]
    woken: tuple[DocumentReport, ...] = ()
    removed: tuple[Removal, ...] = ()
    links_left: tuple[LinkLeft, ...] = ()
    histories_left: tuple[str, ...] = ()
    stored: bool = False

    @property
    def nodes(self) -> list[Node]:
        """Every node read."""
        return [node for entry in self.entries for node in entry.document.nodes]

    @property
    def problems(self) -> list[Problem]:
        """What authors should look at, most severe first."""
        order = list(Severity)
        found = [problem for entry in self.entries for problem in entry.problems]
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
