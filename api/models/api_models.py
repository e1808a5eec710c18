"""Response models of the API, brains and tokens as the interfaces show them; keys may be added, never renamed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from graph.models import link_models, query_models
from graph.models.access_models import BrainPolicy, BrainUsage, Scope, StoredToken
from graph.models.node_models import Kind, Node
from graph.models.query_models import Page
from graph.search.search_models import Answer, Hit
from graph.values import Value

HealthWord = Literal["sound", "weakened", "broken", "unchecked"]


class SourceView(Value):
    """A source of a node: `id` is the work, `url` as the author wrote it."""

    id: str
    url: str
    title: str | None
    host: str
    date: str | None = None


class NodeSummary(Value):
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


class Backlink(Value):
    """A node that refers to this one, and the sentence in which it does."""

    id: str
    title: str
    kind: Kind
    url: str
    relation: str
    marker: str | None = None
    context: str = ""
    confidence: float = 1.0


class Related(Value):
    """A node near to this one, with the reasons why it is."""

    id: str
    title: str
    kind: Kind
    url: str
    score: float
    reasons: tuple[str, ...]


class NodePage(Value):
    """One page of nodes; `next` is the cursor of the following page."""

    items: tuple[NodeSummary, ...]
    total: int
    facets: dict[str, tuple[query_models.FacetCount, ...]]
    next: str | None
    synonyms: dict[str, tuple[str, ...]] = Field({})
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


class BrainEntry(BrainUsage, BrainPolicy):
    """A brain in a list: its usage, its quotas (None: no limit), and whether it is private."""


class TokenEntry(Value):
    """A token in a list, valid before the day `until`, for one brain or all (None)."""

    id: str
    scope: Scope
    brain: str | None
    state: Literal["valid", "expired", "revoked"]
    created_at: datetime
    until: date | None
    revoked_at: datetime | None
    comment: str


def brains(policies: Mapping[str, BrainPolicy], usage: Mapping[str, BrainUsage]) -> list[BrainEntry]:
    """The brains with content or a policy, by name."""
    return [
        BrainEntry(
            **policies.get(name, BrainPolicy(name=name)).model_dump(), **usage.get(name, BrainUsage()).model_dump()
        )
        for name in sorted({*policies, *usage})
    ]


def token(stored: StoredToken, on: date) -> TokenEntry:
    """A token without its hash, with its state on a day."""
    state: Literal["valid", "expired", "revoked"] = "revoked" if stored.revoked_at else "expired"
    return TokenEntry(**stored.model_dump(exclude={"digest"}), state="valid" if stored.valid(on) else state)


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _iso(given: object) -> object:
    """Rejects other texts: a number would be read as seconds since 1970."""
    if isinstance(given, str) and not _DAY.fullmatch(given):
        raise ValueError("write a day as 2026-11-21")
    return given


IsoDay = Annotated[date, BeforeValidator(_iso)]
"""A day, written as 2026-11-21."""
