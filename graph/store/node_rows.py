"""Converts nodes to rows and back without loss."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from sys import intern
from typing import Any, NamedTuple

from pydantic_core import from_json

from graph.models.node_models import Citation, Kind, Node, Relation, Source
from graph.models.query_models import Card, FacetCount, NodeRef, NodeSummary
from graph.store.schema import Record, citations, edges, node_sources, nodes, quotations
from graph.text.plain_text import naming_notes, plain_text

KINDS = {kind.value: kind for kind in Kind}

EXCERPT = 240  # maximum characters of an excerpt

_ITEM = re.compile(r"[.:!?] \d{1,3}$")  # the number of an item whose text is cut off
_TABLE = re.compile(r"(?:^[ \t]*\|.*(?:\n|\Z))+", re.MULTILINE)

NODE = (nodes.c.body, nodes.c.origin, nodes.c.first_line, nodes.c.last_line, nodes.c.sha256)
"""The columns that `node_of` reads."""

SUMMARY = "n.id, n.brain, n.kind, n.title, n.excerpt, n.tags, n.published, n.document, n.first_line"
"""The columns of `nodes n` that `summary_of` reads."""

REF = (nodes.c.id, nodes.c.kind, nodes.c.title)  # the columns that `ref_of` reads

CARD = (nodes.c.serial, nodes.c.id, nodes.c.kind, nodes.c.brain, nodes.c.title, nodes.c.tags, nodes.c.document)
"""The columns that `card_of` reads."""


class Place(NamedTuple):
    """Where a node is in its document, independent of its content."""

    origin: str
    sha256: str
    first_line: int
    last_line: int
    position: int


def digest_of(node: Node) -> str:
    """SHA-256 of a node's content, independent of its place.

    Fields at their defaults are left out, so a new field of the model changes no digest.
    """
    start = node.provenance.first_line
    tables = tuple(t.model_copy(update={"line": t.line and t.line - start}) for t in node.tables)
    said = node.model_copy(update={"tables": tables}) if tables else node
    return hashlib.sha256(said.model_dump_json(exclude={"provenance"}, exclude_defaults=True).encode()).hexdigest()


def node_of(row: Record, hidden: Collection[str] = ()) -> Node:
    """The node of a row with the columns `NODE`; its citations of `hidden` brains are unresolved."""
    at = {"document": row.origin, "first_line": row.first_line, "last_line": row.last_line, "sha256": row.sha256}
    node = Node.model_validate_json(f'{row.body[:-1]},"provenance":{json.dumps(at)}}}')
    if not hidden:
        return node
    references = tuple(
        _unresolved(one) if isinstance(one, Citation) and _owner(one.target) in hidden else one
        for one in node.citations
    )
    relations = tuple(one for one in node.relations if _owner(one.target) not in hidden)
    return node.model_copy(update={"citations": references, "relations": relations})


def _unresolved(citation: Citation) -> Citation:
    marker = f"[[{citation.written[0]}]]" if citation.written else citation.marker  # as the author wrote it
    nothing = {"target": None, "target_title": None, "resolution": "unresolved", "confidence": 0.0, "written": ()}
    return citation.model_copy(update={**nothing, "marker": marker})


def _owner(node_id: str | None) -> str:
    return (node_id or "").partition("/")[0]


def summary_of(row: Record) -> NodeSummary:
    """The summary of a row that begins with the columns `SUMMARY`."""
    name, brain, kind, title, excerpt, tags, published, document, first_line = row[:9]
    return NodeSummary(
        id=name,
        brain=brain,
        kind=KINDS[kind],
        title=title,
        excerpt=excerpt,
        tags=tuple(from_json(tags)),
        published=date.fromisoformat(published) if published else None,
        document=document,
        first_line=first_line,
    )


def ref_of(row: Record) -> NodeRef:
    """The reference of a row with the columns `REF`."""
    return NodeRef(id=row.id, kind=KINDS[row.kind], title=row.title)


def card_of(row: Record) -> Card:
    """The card of a row with the columns `CARD`."""
    serial, name, kind, brain, title, tags, document = row
    return Card(serial, name, KINDS[kind], intern(brain), title, tuple(map(intern, json.loads(tags))), document)


def excerpt_of(node: Node) -> str:
    """The start of a text as plain words without tables, cut at a sentence or a word to `EXCERPT` characters.

    A text of tables alone gives their words. A bare link to a note of the same brain becomes its title; titles of other
    brains may be private.
    """
    own = ((one.target, one.target_title) for one in node.cites if one.target and one.target_title)
    named = naming_notes(link for link in own if link[0].partition("/")[0] == node.brain)
    begin = column(node.body[: 40 * EXCERPT])
    text = _TABLE.sub("…\n", begin)[: 4 * EXCERPT]
    plain = plain_text(text, named).strip("… ") or plain_text(begin[: 4 * EXCERPT], named)
    if len(plain) <= EXCERPT:
        return plain
    sentences, _, rest = plain[: EXCERPT + 1].rpartition(". ")
    if len(sentences) > len(rest):
        return f"{_ITEM.sub('', sentences)}."
    return plain[: EXCERPT + 1].rpartition(" ")[0][:EXCERPT].rstrip(",;:") + " …"


def column(text: str) -> str:
    """Text without the character NUL, which PostgreSQL rejects."""
    return text.replace("\x00", "\ufffd")


def node_row(node: Node, place: Place, document: str, serial: int, digest: str) -> dict[str, Any]:
    """The row of `nodes`."""
    title = column(node.title)
    return {
        "id": node.id,
        "serial": serial,
        "brain": node.brain,
        "kind": node.kind.value,
        "title": title,
        "title_key": title.casefold(),
        "published": node.published.isoformat() if node.published else "",
        "excerpt": excerpt_of(node),
        "tags": json.dumps(node.tags),
        "document": document,
        "digest": digest,
        "body": node.model_dump_json(exclude={"provenance"}),
        **place._asdict(),
    }


def tag_rows(node: Node, serial: int) -> Iterator[dict[str, Any]]:
    """The rows of `node_tags`."""
    return ({"node": node.id, "tag": column(tag), "serial": serial} for tag in dict.fromkeys(node.tags))


def _fields(value: Source | Citation | Relation, *names: str) -> dict[str, Any]:
    own = {name: getattr(value, name) for name in names}
    return {name: column(one) if isinstance(one, str) else one for name, one in own.items()}


def source_rows(node: Node) -> Iterator[dict[str, Any]]:
    """The rows of `node_sources`."""
    for position, source in enumerate(node.sources):
        work = {"node": node.id, "position": position, "work": column(source.id)}
        yield work | _fields(source, "url", "host", "title", "date")


def citation_rows(node: Node) -> Iterator[dict[str, Any]]:
    """The rows of `citations`."""
    names = ("target", "marker", "resolution", "confidence", "context", "cito")
    for position, citation in enumerate(node.cites):
        yield {"node": node.id, "position": position, **_fields(citation, *names)}


def quotation_rows(node: Node) -> Iterator[dict[str, Any]]:
    """The rows of `quotations`, each with the work of its address."""
    works = {source.url: source.id for source in node.sources}
    for position, quotation in enumerate(node.quotes):
        work, body = works.get(quotation.source or ""), quotation.model_dump_json(exclude_defaults=True)
        yield {"node": node.id, "position": position, "work": work and column(work), "body": body}


def relation_rows(node: Node) -> Iterator[dict[str, Any]]:
    """The rows of `edges` that the document states."""
    names = ("kind", "target", "reason", "confidence")
    for relation in node.relations:
        yield {"subject": node.id, **_fields(relation, *names), "derived": False}


CHILDREN = (
    (node_sources, source_rows),
    (citations, citation_rows),
    (quotations, quotation_rows),
    (edges, relation_rows),
)
"""Child tables of `nodes` except `node_tags`, with the functions for their rows."""


def facet_counts(rows: Iterable[Any]) -> tuple[FacetCount, ...]:
    """Values with their counts."""
    return tuple(FacetCount(value=value, count=count) for value, count in rows)
