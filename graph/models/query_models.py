"""Queries of the store and their results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal, NamedTuple

from pydantic import Field

from graph.models.document_models import LineCount, Skip
from graph.models.node_cards import Card as Card  # noqa: PLC0414  # it is part of a page
from graph.models.node_cards import FacetCount as FacetCount  # noqa: PLC0414  # as above
from graph.models.node_cards import ranked
from graph.models.node_models import Kind, Quotation, Source
from graph.problems import Problem
from graph.values import Value

MOST = 1000  # maximum entries on one page of a list

MOST_VALUES = 50  # maximum values of one filter, such as tags

Sort = Literal["added", "newest", "id", "title", "published"]
"""`added`: oldest entry first, in the order of the documents; `newest`: the reverse; `published`: latest date first.

Paging by the first three gives each node once, whatever is ingested meanwhile; authors may edit the other two.
"""


class NodeQuery(Value):
    """A query for nodes that pass all filters and have all `tags`.

    `source` is the id of a work that the node lists; `cursor` the `next` of the previous page.
    """

    tags: tuple[str, ...] = ()
    kind: Kind | None = None
    brain: str | None = None
    document: str | None = None
    source: str | None = None
    ids: tuple[str, ...] | None = Field(default=None, max_length=10_000)
    sort: Sort = "added"
    limit: int = Field(default=100, ge=1, le=MOST)
    cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSummary:
    """A node in a list; `excerpt` is the beginning of its text without Markdown."""

    # A dataclass, as a page has hundreds and a model takes ten times as long to make.
    id: str
    brain: str
    kind: Kind
    title: str
    excerpt: str = ""
    tags: tuple[str, ...] = ()
    published: date | None = None
    document: str
    first_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Facets:
    """Matching nodes by value, the most frequent first; `tags_left` counts the tags left out."""

    tag: Mapping[str, int] = field(default_factory=dict)
    kind: Mapping[str, int] = field(default_factory=dict)
    brain: Mapping[str, int] = field(default_factory=dict)
    tags_left: int = 0

    @classmethod
    def of(cls, tags: Mapping[str, int], kinds: Mapping[str, int], brains: Mapping[str, int], most: int) -> Facets:
        """The facets of counts, with the `most` frequent tags."""
        left = max(0, len(tags) - most)
        return cls(tag=ranked(tags, most), kind=ranked(kinds), brain=ranked(brains), tags_left=left)

    def fields(self) -> dict[str, list[dict[str, object]]]:
        """The counts as JSON."""
        each = {"tag": self.tag, "kind": self.kind, "brain": self.brain}
        return {name: [{"value": value, "count": n} for value, n in counts.items()] for name, counts in each.items()}


class Page(Value):
    """Some matching nodes; `next` is the cursor after them, None at the end."""

    items: tuple[NodeSummary, ...] = ()
    total: int = 0
    facets: Facets = Facets()
    next: str | None = None


class NodeRef(Value):
    """The fields of a node that a link to it needs."""

    id: str
    kind: Kind
    title: str


class RelatedTag(Value):
    """A tag that occurs with another: its number of nodes, and of shared nodes; `score` is their Jaccard index."""

    tag: str
    count: int
    together: int
    score: float


class TagDetail(Value):
    """One tag: how many nodes carry it, by kind, and the tags that occur with it, highest score first."""

    tag: str
    count: int
    kinds: tuple[FacetCount, ...] = ()
    related: tuple[RelatedTag, ...] = ()


class SourceUse(Value):
    """A work, its addresses, and the nodes that list it."""

    source: Source
    urls: tuple[str, ...]
    nodes: tuple[NodeRef, ...]
    quotations: int = 0


class QuoteUse(Value):
    """A quotation and its node."""

    node: NodeRef
    quotation: Quotation


class SourceDetail(Value):
    """A work with its quotations, in the order of the nodes."""

    use: SourceUse
    quotations: tuple[QuoteUse, ...] = ()


class Backlink(Value):
    """A node that links here; `kind` is `cites` or that of the edge, `context` the words around it."""

    node: NodeRef
    kind: str
    context: str = ""
    marker: str | None = None
    resolution: str | None = None
    confidence: float = 1.0
    cito: str | None = None
    derived: bool = False


class Tombstone(Value):
    """A removed node that others cite, with the last document version that contained it."""

    id: str
    kind: Kind
    title: str
    document: str
    sha256: str
    removed_at: datetime


class DocumentHead(NamedTuple):
    """A current document without problems and text; `nodes` counts its nodes."""

    name: str
    sha256: str
    format: str
    brain: str
    nodes: int


class DocumentRecord(Value):
    """A stored version of a document; `text` only if a single one is requested."""

    name: str
    sha256: str
    format: str
    brain: str
    declared_nodes: int | None = None
    nodes: int = 0
    lines: LineCount
    skipped: tuple[Skip, ...] = ()
    problems: tuple[Problem, ...] = ()
    evidence: tuple[str, ...] = ()
    about: tuple[tuple[str, str], ...] = ()
    ingested_at: datetime
    current: bool = True
    text: str | None = None


class SnapshotRecord(Value):
    """A catalogue snapshot in the store: `hash` is the SHA-256 of its payload, `size` in bytes."""

    hash: str
    catalog: str
    created_at: datetime
    size: int


class AuditEntry(Value):
    """An entry of the audit log: who wrote what and when."""

    at: datetime
    actor: str
    action: str
    detail: str = ""
