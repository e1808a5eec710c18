"""What can be asked of the store and what it answers: filters, pages, facets, and the small records of lists."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal, NamedTuple

from pydantic import Field

from graph.models.document_models import LineCount, Skip
from graph.models.node_models import Kind, Quotation, Source
from graph.problems import Problem
from graph.values import Value

MOST = 1000
"""The longest page that a list gives."""

Sort = Literal["added", "newest", "id", "title", "published"]
"""`added`: oldest entry first, in the order of the documents; `newest`: the reverse; `published`: latest date first.

`added`, `newest` and `id` order by what never changes, so a walk by cursor meets every node exactly once whatever is
ingested meanwhile. `title` and `published` order by what an author may edit between two pages.
"""


class NodeQuery(Value):
    """Which nodes, in which order, and how many. All given filters must hold; `tags` must all be carried.

    `source` is the id of a work that the node lists; `cursor` the `next` of the page before.
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


class NodeSummary(Value):
    """A node as a list shows it; `excerpt` is the beginning of its text without marks of Markdown."""

    id: str
    brain: str
    kind: Kind
    title: str
    excerpt: str = ""
    tags: tuple[str, ...] = ()
    published: date | None = None
    document: str
    first_line: int


class FacetCount(Value):
    """One value of a facet and how many of the matching nodes have it."""

    value: str
    count: int


class Facets(Value):
    """Counts over everything that matches, not only this page; of the tags the most frequent, `tags_left` the rest."""

    tag: tuple[FacetCount, ...] = ()
    kind: tuple[FacetCount, ...] = ()
    brain: tuple[FacetCount, ...] = ()
    tags_left: int = 0


class Page(Value):
    """Some of the matching nodes; `next` continues behind the last of them, None at the end."""

    items: tuple[NodeSummary, ...] = ()
    total: int = 0
    facets: Facets = Facets()
    next: str | None = None


class NodeRef(Value):
    """As much of a node as a link to it needs."""

    id: str
    kind: Kind
    title: str


class RelatedTag(Value):
    """A tag that stands beside another: on how many nodes alone and together; `score` is their Jaccard index."""

    tag: str
    count: int
    together: int
    score: float


class TagDetail(Value):
    """One tag: how many nodes carry it, by kind, and the tags that stand beside it, closest first."""

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
    """A quotation and the node in which it stands."""

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
    """What is left of a removed node that others cite: its name, and the document version that had it last."""

    id: str
    kind: Kind
    title: str
    document: str
    sha256: str
    removed_at: datetime


class Card(NamedTuple):
    """A node as lists in memory hold it; `serial` is its place in the order of arrival and never changes."""

    serial: int
    id: str
    kind: Kind
    brain: str
    title: str
    tags: tuple[str, ...]
    document: str


class DocumentHead(NamedTuple):
    """What tells a current document from others, without its problems and text; `nodes` is how many it brought."""

    name: str
    sha256: str
    format: str
    brain: str
    nodes: int


class DocumentRecord(Value):
    """One version of a document as the store keeps it; `text` only where a single document was asked for."""

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
    """Who wrote what and when."""

    at: datetime
    actor: str
    action: str
    detail: str = ""
