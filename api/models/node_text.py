"""Nodes as JSON text, made from their rows: `NodeView` and `NodePage` without models in between.

A row holds the node as JSON already, with the fields of the model in their order. Only what the contract adds or
leaves out is changed. A row that an earlier program wrote with other fields is left to the model.
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring as written
from typing import Any

from api.models.api_models import CITATION, QUOTATION, HealthWord, address
from graph.models.facet_counts import RankedCounts
from graph.models.node_models import Citation, Labels, Node, Property, Quotation, Relation, Source, Table, host_of
from graph.search.search_models import HitList, ListedHit
from graph.store.column_types import Record
from graph.store.node_rows import StoredNode
from graph.store.tag_facets import TagPage
from graph.values import dumps_flat

_NODE = (*(name for name in Node.model_fields if name != "provenance"),)
_PARTS = tuple(
    (name, (*model.model_fields,))
    for name, model in (("sources", Source), ("relations", Relation), ("tables", Table), ("properties", Property))
)
_REFERENCES = {"cites": (*Citation.model_fields,), "quotes": (*Quotation.model_fields,)}
_SHOWN = {"cites": CITATION, "quotes": QUOTATION}
_LABELS = (*Labels.model_fields,)


def node_text(stored: StoredNode, health: HealthWord) -> str | None:
    """The JSON of `NodeView`; None where the row has not exactly the fields of the models."""
    said = json.loads(stored.body)
    if not _is_whole(said):
        return None
    name = said["id"]
    shown = {key: said[key] for key in ("id", "brain", "kind", "title", "body", "tags")}
    shown["sources"] = [
        {"id": one["id"], "url": one["url"], "title": one["title"], "host": host_of(one["url"]), "date": one["date"]}
        for one in said["sources"]
    ]
    shown["citations"] = [{key: one[key] for key in _SHOWN[one["kind"]]} for one in said["citations"]]
    for key in ("labels", "relations", "tables", "section", "published", "properties"):
        shown[key] = said[key]
    shown["provenance"] = {
        "document": stored.document,
        "first_line": stored.first_line,
        "last_line": stored.last_line,
        "sha256": stored.sha256,
    }
    shown["health"] = health
    shown["url"] = address(name)
    return dumps_flat(shown)


def _is_whole(said: dict[str, Any]) -> bool:
    """Whether a node has all fields of the models, in their order, and no others."""
    if (*said,) != _NODE or (said["labels"] is not None and (*said["labels"],) != _LABELS):
        return False
    if any((*one,) != _REFERENCES.get(one["kind"]) for one in said["citations"]):
        return False
    return all((*one,) == fields for name, fields in _PARTS if said[name] for one in said[name])


def tag_text(found: TagPage) -> str:
    """The JSON of `NodePage` for the first page of a tag."""
    items = ", ".join(map(_summary, found.rows))
    following = "null" if found.next is None else f'"{found.next}"'
    return (
        f'{{"items": [{items}], "next": {following}, "total": {found.total}, "facets": {found.facets}, '
        '"synonyms": {}, "suggestion": null, "relaxed": false}'
    )


def _summary(row: Record) -> str:
    """A node in a list, as `summary_fields` has it."""
    name, brain, title = written(row.id), written(row.brain), written(row.title)
    tags = row.tags if "\\" not in row.tags else dumps_flat(json.loads(row.tags))
    return (
        f'{{"id": {name}, "brain": {brain}, "kind": "{row.kind}", "title": {title}, "tags": {tags}, '
        f'"url": {written(address(row.id))}, "score": null, "snippet": null}}'
    )


def hits_text(found: HitList) -> str:
    """The JSON of `NodePage` for the first page of a search."""
    items = ", ".join(map(_hit, found.hits))
    following = "null" if found.next is None else f'"{found.next}"'
    synonyms = dumps_flat({synonym.query: synonym.used for synonym in found.synonyms}) if found.synonyms else "{}"
    suggestion = "null" if found.suggestion is None else written(found.suggestion)
    counts = zip(("tag", "kind", "brain"), found.counts, strict=True)
    facets = ", ".join([f'"{name}": [{_counts(own)}]' for name, own in counts])
    return (
        f'{{"items": [{items}], "next": {following}, "total": {found.total}, "facets": {{{facets}}}, '
        f'"synonyms": {synonyms}, "suggestion": {suggestion}, "relaxed": {"true" if found.relaxed else "false"}}}'
    )


def _hit(hit: ListedHit) -> str:
    card, score, snippet = hit
    _, name, kind, brain, title, tags, _ = card
    return (
        f'{{"id": {written(name)}, "brain": {written(brain)}, "kind": "{kind}", "title": {written(title)}, '
        f'"tags": [{", ".join(map(written, tags))}], "url": {written(address(name))}, '
        f'"score": {score!r}, "snippet": {written(snippet)}}}'
    )


def _counts(counts: RankedCounts) -> str:
    return ", ".join([f'{{"value": {written(value)}, "count": {count}}}' for value, count in counts.listed])
