"""What points to a node: the sentences in which others refer to it, and those that only say how they are related."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from api.pages.render.verdict_signs import verb
from api.pages.views.claim_table import PageContext
from graph.models.node_models import Node
from graph.models.query_models import Backlink, NodeRef
from graph.text.plain_text import names_of, naming, plain_text


@dataclass(frozen=True, slots=True)
class BacklinkSentence:
    """One way in which another node refers to this one, with the words around it; `context` may be empty."""

    link: Backlink
    context: str


@dataclass(frozen=True, slots=True)
class GroupedBacklinks:
    """Nodes that refer to this one in the same way and without words of their own."""

    verb: str
    nodes: tuple[NodeRef, ...]


def pointers_to(desk: PageContext, node: Node) -> list[BacklinkSentence]:
    """What points here: citations and stated relations first, mentions of a term last."""
    links = [link for link in desk.brain.edges.backlinks(node.id) if link.node.id != node.id]
    ordered = sorted(links, key=lambda link: link.kind == "mentions")
    found = (BacklinkSentence(link, _context(link, node)) for link in ordered)
    return list({(one.link.node.id, one.link.kind, one.context): one for one in found}.values())


def _context(link: Backlink, node: Node) -> str:
    """The sentence, in which a bare link to this node reads as its title; a relation has none."""
    if link.kind not in {"cites", "mentions"}:
        return ""
    return plain_text(link.context, naming(names_of(node.id, node.title)))


def split_by_context(
    pointers: Iterable[BacklinkSentence],
) -> tuple[tuple[BacklinkSentence, ...], tuple[GroupedBacklinks, ...]]:
    """Those that have words around them, and the others by what they say."""
    quoted: list[BacklinkSentence] = []
    bare: dict[str, dict[str, NodeRef]] = {}
    for one in pointers:
        if one.context and one.link.kind != "mentions":
            quoted.append(one)
        else:
            bare.setdefault(verb(one.link.cito or one.link.kind), {})[one.link.node.id] = one.link.node
    return tuple(quoted), tuple(GroupedBacklinks(word, tuple(nodes.values())) for word, nodes in bare.items())
