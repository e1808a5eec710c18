"""A node as JSON text, made from its row: `NodeView` without a model of the node in between.

The row holds the node as JSON already, with the fields of the model in their order. Only what the contract adds or
leaves out is changed. A row that an earlier program wrote with other fields is left to the model.
"""

from __future__ import annotations

import json
from typing import Any

from api.models.api_models import CITATION, QUOTATION, HealthWord, address
from graph.models.node_models import Citation, Labels, Node, Property, Quotation, Relation, Source, Table, host_of
from graph.store.node_rows import StoredNode
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
