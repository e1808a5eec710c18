"""Response models of the API; keys may be added, never renamed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from graph.models import link_models, query_models
from graph.models.node_models import Kind, Node
from graph.models.query_models import Page
from graph.search.search_models import Answer, Hit

HealthWord = Literal["sound", "weakened", "broken", "unchecked"]


class View(BaseModel):
    """A model of an answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SourceView(View):
    """A source of a node: `id` is the work, `url` as the author wrote it."""

    id: str
    url: str
    title: str | None
    host: str
    date: str | None = None


class NodeSummary(View):
    """A node in a list; `score` and `snippet` come with a text query."""

    id: str
    brain: str
    kind: Kind
    title: str
    tags: tuple[str, ...]
    url: str
    score: float | None = None
    snippet: str | None = None


class NodeView(Node):
    """A complete node."""

    sources: tuple[SourceView, ...]  # type: ignore[assignment]  # with their hosts
    health: HealthWord
    url: str


class Backlink(View):
    """A node that refers to this one, and the sentence in which it does."""

    id: str
    title: str
    kind: Kind
    url: str
    relation: str
    marker: str | None = None
    context: str = ""
    confidence: float = 1.0


class Related(View):
    """A node near to this one, with the reasons why it is."""

    id: str
    title: str
    kind: Kind
    url: str
    score: float
    reasons: tuple[str, ...]


class NodePage(View):
    """One page of nodes; `next` is the cursor of the following page."""

    items: tuple[NodeSummary, ...]
    total: int
    facets: dict[str, tuple[query_models.FacetCount, ...]]
    next: str | None
    synonyms: dict[str, tuple[str, ...]] = {}
    suggestion: str | None = None
    relaxed: bool = False


def address(node: str) -> str:
    """The path of a node's page."""
    return f"/nodes/{node}"


def summary_fields(
    node: Node | query_models.NodeSummary, score: float | None = None, snippet: str | None = None
) -> dict[str, object]:
    """The fields of `NodeSummary`, in its order."""
    return {
        "id": node.id,
        "brain": node.brain,
        "kind": node.kind,
        "title": node.title,
        "tags": node.tags,
        "url": address(node.id),
        "score": score,
        "snippet": snippet,
    }


def page_fields(found: Page | Answer, snippet: Callable[[Hit], str] = lambda hit: hit.snippet) -> dict[str, Any]:
    """The fields of `NodePage` as JSON, without models: a page has hundreds of values that are only written."""
    if isinstance(found, Answer):
        items = [summary_fields(hit.node, hit.score, snippet(hit)) for hit in found.hits]
        synonyms = {synonym.query: synonym.used for synonym in found.synonyms}
        suggestion, relaxed = found.suggestion, found.relaxed
    else:
        items, synonyms, suggestion, relaxed = [summary_fields(item) for item in found.items], {}, None, False
    return {
        "items": items,
        "total": found.total,
        "facets": found.facets.fields(),
        "next": found.next,
        "synonyms": synonyms,
        "suggestion": suggestion,
        "relaxed": relaxed,
    }


def related(found: link_models.Related) -> Related:
    """A related node, with reasons in words."""
    reasons = tuple(f"{shared.kind}: {', '.join(shared.names)}" for shared in found.reasons)
    return Related(**dict(found.node), url=address(found.node.id), score=found.score, reasons=reasons)


def backlink(found: query_models.Backlink) -> Backlink:
    """A node that links to another."""
    return Backlink(
        **dict(found.node),
        url=address(found.node.id),
        relation=found.cito or found.kind,
        marker=found.marker,
        context=found.context,
        confidence=found.confidence,
    )


def node_view(node: Node, health: HealthWord) -> NodeView:
    """A node with its parts."""
    return NodeView.model_validate(node_fields(node, health))


def node_fields(node: Node, health: HealthWord) -> dict[str, Any]:
    """The fields of `NodeView` as JSON, without a model, for speed: the most frequent answer."""
    return {
        **{name: getattr(node, name) for name in Node.model_fields},
        "sources": [{**one.model_dump(), "host": one.host} for one in node.sources],
        "health": health,
        "url": address(node.id),
    }
