"""The node, and its tags, sources, citations, labels and tables.

Node ──cites──▶ Node        a bracket marker, a wikilink or a typed link
     ──quotes─▶ Source      a cite span
     ──related─▶ Node       broader, narrower step, same_as, mentions …
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field

from graph.models.node_cards import Kind as Kind  # noqa: PLC0414  # it is part of a node
from graph.values import Value

SYNTHESIS = frozenset({Kind.POV, Kind.THESIS})  # the kinds that argue from readings by bracket markers


class Source(Value):
    """A source of a node: `url` as written, `id` of its work (see `ingest.quotations.publication_ids`)."""

    id: str
    url: str
    title: str | None = None
    date: str | None = None

    @property
    def host(self) -> str:
        """The host of its address, see `host_of`."""
        return host_of(self.url)


@lru_cache(maxsize=1 << 14)
def host_of(url: str) -> str:
    """The host in lower case without `www.`; empty if there is none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


class Citation(Value):
    """A reference from a node to a node, by bracket marker (`batch`) or by explicit link (`link`).

    `confidence` is a calibrated probability in 0..1; `context` the sentence around the marker; `cito` the
    local name of a CiTO property; `target` is None if `resolution` is `unresolved`. `written` are the names by which
    links of the text call the target, without heading and block, where they differ from the marker.
    """

    kind: Literal["cites"] = "cites"
    marker: str
    number: int | None = None
    target: str | None = None
    target_title: str | None = None
    resolution: Literal["batch", "link", "unresolved"] = "unresolved"
    confidence: float = Field(default=0.0, ge=0, le=1)
    context: str = ""
    cito: str = "cites"
    written: tuple[str, ...] = ()


Certainty = Literal["exact", "likely", "ambiguous", "unresolved"]
"""Certainty of a quotation's source."""


class Quotation(Value):
    """A cite span: the quoted text, its document and sentence numbers, and the source it is from.

    A span that names several documents gives one quotation for each; `span` numbers the spans of a node from 0.
    `quote` is a verbatim part of the node's body; the spans are in the order of the body.
    """

    kind: Literal["quotes"] = "quotes"
    span: int = 0
    marker: str
    document: int
    sentences: tuple[int, ...] = ()
    quote: str
    source: str | None = None
    candidates: tuple[str, ...] = ()
    resolution: Certainty = "unresolved"
    confidence: float = Field(default=0.0, ge=0, le=1)


Reference = Annotated[Citation | Quotation, Field(discriminator="kind")]


class Table(Value):
    """A table as data: `units[i]` is the unit in the header of column `i`, or None; cells are text."""

    name: str
    header: tuple[str, ...]
    units: tuple[str | None, ...]
    rows: tuple[tuple[str, ...], ...]
    line: int | None = None


class Labels(Value):
    """The names of a term (SKOS): preferred label, abbreviation and its expansion, other spellings."""

    preferred: str
    abbreviation: str | None = None
    expansion: str | None = None
    variants: tuple[str, ...] = ()

    def all(self) -> tuple[str, ...]:
        """All names once, the preferred first."""
        names = (self.preferred, self.abbreviation, self.expansion, *self.variants)
        return tuple(dict.fromkeys(name for name in names if name))


class Relation(Value):
    """A typed edge to another node, with its reason and confidence."""

    kind: Literal["same_as", "broader", "related", "mentions", "step", "contradicts"]
    target: str
    reason: str = ""
    confidence: float = Field(default=1.0, ge=0, le=1)


class Property(Value):
    """A field of the front matter that has no meaning to Brain: its name and its value as text."""

    name: str
    value: str


class Provenance(Value):
    """Where a node was written: document name, lines from 1 (inclusive), and the SHA-256 of the document."""

    document: str
    first_line: int
    last_line: int
    sha256: str


class Node(Value):
    """One entry of a brain: `id` is `brain/slug`, `body` Markdown, `section` the path of headings.

    `relations` are those that the document states; links across documents are derived and stored separately.
    `published` is the author's date, `origin` the document and line in which the content was first written, if a note
    states them; `properties` are the other fields of its front matter.
    """

    id: str
    brain: str
    kind: Kind
    title: str
    body: str = ""
    tags: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    citations: tuple[Reference, ...] = ()
    labels: Labels | None = None
    relations: tuple[Relation, ...] = ()
    tables: tuple[Table, ...] = ()
    section: tuple[str, ...] = ()
    published: date | None = None
    origin: str | None = None
    properties: tuple[Property, ...] = ()
    provenance: Provenance

    @property
    def slug(self) -> str:
        """The part of the id after the brain."""
        return self.id.partition("/")[2]

    @property
    def names(self) -> tuple[str, ...]:
        """The title and the other labels."""
        return self.title, *(self.labels.all() if self.labels else ())

    @property
    def cites(self) -> tuple[Citation, ...]:
        """The references to nodes."""
        return tuple(c for c in self.citations if isinstance(c, Citation))

    @property
    def quotes(self) -> tuple[Quotation, ...]:
        """The quotations of sources."""
        return tuple(c for c in self.citations if isinstance(c, Quotation))
