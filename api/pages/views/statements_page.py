"""Figures of a text that could be claims: each sentence, what it would be as a claim, and what is found about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from api.pages.request.page_request import PageRequest, TemplateResponse, path_of
from api.pages.views.claim_table import PageContext
from api.services.claim_drafts import Draft
from graph.models.node_models import Node
from graph.text.plain_text import naming, plain_text


@dataclass(frozen=True, slots=True)
class ShownStatement:
    """A draft with its sentence as words."""

    draft: Draft
    says: str


@dataclass(frozen=True, slots=True)
class Statements:
    """The page; `day` is the one that the claims would be verified for."""

    node: Node
    statements: tuple[ShownStatement, ...]
    day: date
    other_formats: tuple[tuple[str, str], ...]


def page(context: PageContext, asked: PageRequest) -> TemplateResponse:
    """The statements of a node.

    Raises:
        UnknownNodeError: there is no such node.
    """
    node = context.brain.nodes.get(f"{asked.parts['brain']}/{asked.parts['slug']}")
    named = naming({(one.target or "").casefold(): one.target_title or "" for one in node.cites})
    statements = tuple(
        ShownStatement(one, plain_text(one.quote, named)) for one in context.brain.mining.drafts(node, asked.day)
    )
    address = path_of("v1/nodes", node.id) + "/statements"
    return TemplateResponse(
        "statements.html",
        Statements(node, statements, asked.day, (("JSON", address), ("CSV", f"{address}?format=csv"))),
    )
