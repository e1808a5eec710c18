"""One node: text, claims, sources, backlinks, related notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from api.pages.page_request import PageRequest, TemplateResponse, page_of
from api.pages.render.annotation import annotated, embeds_of, linked_text, places_of
from api.pages.render.note_links import NoteLinks
from api.pages.render.source_titles import source_name
from api.pages.views.claim_table import AHEAD, PageContext
from compute.impact.price_impact import readers
from graph.links.dependencies import walk, way
from graph.models.link_models import Link
from graph.models.node_models import Kind, Node
from graph.models.query_models import Backlink, NodeRef
from graph.store.store_errors import UnknownNodeError
from graph.text.plain_text import names_of, naming, plain_text

BACKLINKS, DEPENDENTS = 60, 12

MUTUAL = frozenset({"same_as", "related"})
"""Relations that say the same from both ends: a note that states one does not list it again as a link to it."""


class BacklinkSentence(NamedTuple):
    """A reference from another node, with the words around it (may be empty)."""

    link: Backlink
    context: str


class Dependents(NamedTuple):
    """Dependent nodes, nearest first, each with its shortest path; `left` are not listed."""

    ways: tuple[tuple[NodeRef, ...], ...]
    left: int


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The page of a node, or what a removed, cited one was. Raises UnknownNodeError."""
    try:
        node = context.brain.nodes.get(request.node)
    except UnknownNodeError as error:
        if error.tombstone is None or error.renamed:
            raise
        links = context.brain.edges.backlinks(error.tombstone.id, ["cites"])
        citing = list({link.node.id: link.node for link in links}.values())
        return page_of("gone.html", 410, tombstone=error.tombstone, citing=citing)
    return _page(context, node, request)


def _page(context: PageContext, node: Node, request: PageRequest) -> TemplateResponse:
    rows, health = context.claim_table().by_node.get(node.id, ()), context.health(node.id)
    anchors = context.anchors(node.id)
    rows = sorted(rows, key=lambda row: anchors[row.claim.id].start if row.claim.id in anchors else len(node.body))
    edges = edges_of(context, node)
    embedded = {one.id: one for one in context.brain.nodes.get_many(embeds_of(node))}
    cited = [one.target for shown in (node, *embedded.values()) for one in shown.cites if one.target]
    bodies = embedded | {one.id: one for one in context.brain.nodes.get_many(places_of(node))}
    titles = context.brain.nodes.refs([*cited, *(edge.target for edge in edges), *health.path])
    mutual = {edge.target for edge in edges if edge.kind in MUTUAL}
    pointers = [
        one for one in pointers_to(context, node) if one.link.kind not in MUTUAL or one.link.node.id not in mutual
    ]
    quoted, bare = split_by_context(pointers[:BACKLINKS])
    works = {source.id: source for source in reversed(node.sources)}
    return page_of(
        "node.html",
        node=node,
        reading=annotated(node, titles, rows, embedded=bodies, anchors=anchors),
        health=health,
        titles=titles,
        mark=context.mark,
        run=context.claim_table().run,
        path=[titles[step] for step in health.path if step in titles],
        decisive=context.claim_table().lines.get(health.claim or ""),
        claims=rows,
        coming=context.brain.reports.coming(request.today, request.today + AHEAD, node.id) if rows else (),
        dependents=dependents(context, node.id, DEPENDENTS),
        definitions=1 + len(same_terms(context, node)[0]) if node.kind is Kind.TERM else 0,
        figures=context.figures(node),
        prices=sorted({one.question.item for one in readers(row.claim for row in rows) if one.question}),
        latest=max((row.claim.as_of for row in rows), default=None),
        rests=[titles[one] for one in context.brain.status.dependencies().below.get(node.id, ()) if one in titles],
        properties=_properties(node, titles),
        works=sorted(works.values(), key=lambda source: (source.host, source_name(source).casefold())),
        sources={source.url: source for source in node.sources},
        pointers=quoted,
        bare=bare,
        pointers_left=max(0, len(pointers) - BACKLINKS),
        near=context.brain.nodes.summaries([edge.target for edge in edges if node.kind is Kind.TERM]),
        mentions=[titles[edge.target] for edge in edges if edge.kind == "mentions" and edge.target in titles],
        relations=[(edge, titles.get(edge.target)) for edge in edges if edge.kind != "mentions"],
        related=context.recall(("related", node.id), lambda: context.brain.links.related(node.id, 12)),
    )


def edges_of(context: PageContext, node: Node) -> list[Link]:
    """The edges from a node, each relation to a target once."""
    return list({(edge.kind, edge.target): edge for edge in context.brain.edges.select(subject=node.id)}.values())


def same_terms(context: PageContext, node: Node) -> tuple[list[Node], dict[str, float]]:
    """The same term in other glossaries, and the confidence in each."""
    edges = context.brain.edges
    sure = {edge.target: edge.confidence for edge in edges.select(kind="same_as", subject=node.id)}
    sure |= {edge.subject: edge.confidence for edge in edges.select(kind="same_as", target=node.id)}
    sure.pop(node.id, None)
    return [one for one in context.brain.nodes.get_many(sorted(sure)) if one.kind is Kind.TERM], sure


def _properties(node: Node, titles: dict[str, NodeRef]) -> list[tuple[str, str]]:
    """Properties of a note with values as HTML, aliases first."""
    links = NoteLinks(node, titles)
    aliases = node.labels.variants if node.labels and node.kind is not Kind.TERM else ()
    named = (("aliases", ", ".join(aliases)),) if aliases else ()
    pairs = (*named, *((one.name, one.value) for one in node.properties))
    return [(name, linked_text(value, links)) for name, value in pairs]


def pointers_to(context: PageContext, node: Node) -> list[BacklinkSentence]:
    """Citations and relations to the node, then mentions; bare links read as titles."""
    links = [link for link in context.brain.edges.backlinks(node.id) if link.node.id != node.id]
    ordered, named = sorted(links, key=lambda link: link.kind == "mentions"), naming(names_of(node.id, node.title))
    found = (
        BacklinkSentence(link, plain_text(link.context, named) if link.kind in {"cites", "mentions"} else "")
        for link in ordered
    )
    return list({(one.link.node.id, one.link.kind, one.context): one for one in found}.values())


def split_by_context(
    pointers: Iterable[BacklinkSentence],
) -> tuple[list[BacklinkSentence], list[tuple[str, list[NodeRef]]]]:
    """References with words around them, and the other nodes by relation."""
    quoted: list[BacklinkSentence] = []
    bare: dict[str, dict[str, NodeRef]] = {}
    for one in pointers:
        if one.context and one.link.kind != "mentions":
            quoted.append(one)
        else:
            bare.setdefault(one.link.cito or one.link.kind, {})[one.link.node.id] = one.link.node
    return quoted, [(relation, list(nodes.values())) for relation, nodes in bare.items()]


def dependents(context: PageContext, node: str, most: int) -> Dependents:
    """At most `most` nodes that depend on a node by citations."""
    found = walk(context.brain.status.dependencies().above, [node])
    ways = [way(found, one)[:-1] for one in [*found][1 : most + 1]]
    titles = context.brain.nodes.refs(step for way in ways for step in way)
    shown = (tuple(titles[step] for step in way if step in titles) for way in ways)
    return Dependents(tuple(way for way in shown if way), max(0, len(found) - 1 - most))


def preview(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The card that is shown over a link to a node."""
    summary = next(iter(context.brain.nodes.summaries([request.node])), None)
    if summary is None:
        raise UnknownNodeError(request.node)
    return page_of("preview.html", item=summary, mark=context.mark)
