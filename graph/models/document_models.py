"""A document after reading."""

from __future__ import annotations

from graph.models.node_models import Node
from graph.problems import Problem
from graph.values import Value


class Skip(Value):
    """Lines `first_line`..`last_line` (from 1, inclusive, blank ones among them) left out, and why."""

    first_line: int
    last_line: int
    reason: str


class LineCount(Value):
    """Non-blank lines of a document: `total` = `kept` + `skipped`, always."""

    total: int
    kept: int
    skipped: int


class Document(Value):
    """A document after reading; `sha256` is of its bytes, `evidence` says why it has its format.

    `declared_nodes` is the count that it states; `about` its metadata: contributor, handle, tag, title …
    """

    name: str
    format: str
    brain: str
    sha256: str
    text: str
    declared_nodes: int | None = None
    nodes: tuple[Node, ...] = ()
    lines: LineCount
    skipped: tuple[Skip, ...] = ()
    problems: tuple[Problem, ...] = ()
    evidence: tuple[str, ...] = ()
    about: tuple[tuple[str, str], ...] = ()


class Changes(Value):
    """What an ingest did to the nodes of a document: ids added, changed, removed, and moved (same text, new lines)."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    unchanged: int = 0

    @property
    def nothing(self) -> bool:
        """Whether nothing was added, changed, removed or moved."""
        return not (self.added or self.changed or self.removed or self.moved)
