"""What points to a node: the sentences in which others refer to it, and those that only say how they are related."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from api.pages.board import Desk
from api.pages.signs import verb
from graph.nodes import Node
from graph.plain import names_of, naming, plain_text
from graph.query import Backlink, NodeRef


@dataclass(frozen=True, slots=True)
class Pointer:
    """One way in which another node refers to this one, with the words around it; `context` may be empty."""

    link: Backlink
    context: str


@dataclass(frozen=True, slots=True)
class Together:
    """Nodes that refer to this one in the same way and without words of their own."""

    verb: str
    nodes: tuple[NodeRef, ...]


def pointers_to(desk: Desk, node: Node) -> list[Pointer]:
    """What points here: citations and stated relations first, mentions of a term last."""
    links = [link for link in desk.store.backlinks(node.id) if link.node.id != node.id]
    ordered = sorted(links, key=lambda link: link.kind == "mentions")
    found = (Pointer(link, _context(link, node)) for link in ordered)
    return list({(one.link.node.id, one.link.kind, one.context): one for one in found}.values())


def _context(link: Backlink, node: Node) -> str:
    """The sentence, in which a bare link to this node reads as its title; a relation has none."""
    if link.kind not in {"cites", "mentions"}:
        return ""
    return plain_text(link.context, naming(names_of(node.id, node.title)))


def apart(pointers: Iterable[Pointer]) -> tuple[tuple[Pointer, ...], tuple[Together, ...]]:
    """Those that have words around them, and the others by what they say."""
    told: list[Pointer] = []
    bare: dict[str, dict[str, NodeRef]] = {}
    for one in pointers:
        if one.context and one.link.kind != "mentions":
            told.append(one)
        else:
            bare.setdefault(verb(one.link.cito or one.link.kind), {})[one.link.node.id] = one.link.node
    return tuple(told), tuple(Together(word, tuple(nodes.values())) for word, nodes in bare.items())
