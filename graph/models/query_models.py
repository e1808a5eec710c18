"""Queries of the store and their results: filters, pages, facets and the records of lists."""

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

MOST = 1000
"""Maximum number of entries on one page of a list."""

MOST_VALUES = 50
"""Maximum number of values of one filter, such as tags that a node must have."""

Sort = Literal["added", "newest", "id", "title", "published"]
"""`added`: oldest entry first, in the order of the documents; `newest`: the reverse; `published`: latest date first.

`added`, `newest` and `id` order by values that never change, so paging by cursor returns every node exactly once,
whatever is ingested meanwhile. `title` and `published` order by values that an author may edit between two pages.
"""


class NodeQuery(Value):
    """A query for nodes: filters, order and limit. A node must pass all given filters and have all of `tags`.

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
    """A node as a list shows it; `excerpt` is the beginning of its text without Markdown.

    A dataclass, as `FacetCount`: a page has hundreds, all from the store, and a model takes ten times as long to make.
    """

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
    """Counts by value over all that matches, the most frequent first; `tags_left` counts the tags that are not here."""

    tag: Mapping[str, int] = field(default_factory=dict)
    kind: Mapping[str, int] = field(default_factory=dict)
    brain: Mapping[str, int] = field(default_factory=dict)
    tags_left: int = 0

    @classmethod
    def of(cls, tags: Mapping[str, int], kinds: Mapping[str, int], brains: Mapping[str, int], most: int) -> Facets:
        """The facets of counts by value, with the `most` frequent tags."""
        left = max(0, len(tags) - most)
        return cls(tag=ranked(tags, most), kind=ranked(kinds), brain=ranked(brains), tags_left=left)

    def fields(self) -> dict[str, list[dict[str, object]]]:
        """The counts by tag, kind and brain, as JSON has them."""
        each = {"tag": self.tag, "kind": self.kind, "brain": self.brain}
        return {name: [{"value": value, "count": n} for value, n in counts.items()] for name, counts in each.items()}


class Page(Value):
    """Some of the matching nodes; `next` continues after the last of them, None at the end."""

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
    """A work, every address under which it was listed, and the nodes that list it."""

    source: Source
    urls: tuple[str, ...]
    nodes: tuple[NodeRef, ...]
    quotations: int = 0


class QuoteUse(Value):
    """A quotation and its node."""

    node: NodeRef
    quotation: Quotation


class SourceDetail(Value):
    """A work with all its quotations, in the order of the nodes."""

    use: SourceUse
    quotations: tuple[QuoteUse, ...] = ()


class Backlink(Value):
    """A node that points here. `kind` is `cites` or the kind of the edge; `context` the words around the link."""

    node: NodeRef
    kind: str
    context: str = ""
    marker: str | None = None
    resolution: str | None = None
    confidence: float = 1.0
    cito: str | None = None
    derived: bool = False


class Tombstone(Value):
    """A removed node that others cite: its name, and the last document version that contained it."""

    id: str
    kind: Kind
    title: str
    document: str
    sha256: str
    removed_at: datetime


class DocumentHead(NamedTuple):
    """A current document without its problems and text; `nodes` is how many it contains."""

    name: str
    sha256: str
    format: str
    brain: str
    nodes: int


class DocumentRecord(Value):
    """One version of a document as stored; `text` only in requests for a single document."""

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
    """A catalogue snapshot in the store: SHA-256 of its payload, its catalogue, when it came, its size in bytes."""

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
