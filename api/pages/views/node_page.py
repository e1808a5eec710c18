"""One node: its text with all that it refers to, its claims, what points to it, what is near, where it is from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from api.pages.charts.graph_drawing import GraphDrawing, draw_graph
from api.pages.render.annotation import Reading, annotated, embeds_of, linked_text, places_of
from api.pages.render.note_links import NoteLinks
from api.pages.render.source_names import source_name
from api.pages.render.verdict_signs import UNSEEN, VERDICTS, VerdictSign
from api.pages.request.page_request import PageRequest, TemplateResponse, path_of
from api.pages.views.backlinks import BacklinkSentence, GroupedBacklinks, pointers_to, split_by_context
from api.pages.views.claim_table import ClaimRow, PageContext
from api.pages.views.dependents import Resting, resting
from compute.impact.note_health import Health
from graph.models.link_models import Related
from graph.models.node_models import Edge, Kind, Node, Quotation, Source
from graph.models.query_models import NodeRef, Tombstone
from graph.models.verdict_models import QuoteAnchor
from graph.store.store_errors import UnknownNodeError
from graph.text.quote_anchor import figures_of
from ingest.terms.definition_figures import Difference, differences

NEIGHBOURS = 24
BACKLINKS = 60
DEPENDENTS = 12
FORMS = (("JSON", "json"), ("JSON-LD", "jsonld"), ("Turtle", "turtle"), ("Markdown", "markdown"))
"""The formats of a record: the name that people know, and the one that the API takes."""


@dataclass(frozen=True, slots=True)
class NodePage:
    """The page. `path` is the way to the node whose claim decided the health, `because` what that claim says.

    `verdicts` are its claims counted by verdict, most severe first, `works` the number of its sources,
    `linking` that of the notes that link to it. `definitions` is how many glossaries define the term, `differing` the
    figures in which they differ.
    """

    node: Node
    reading: Reading
    health: Health
    path: tuple[NodeRef, ...]
    because: str
    claims: tuple[ClaimRow, ...]
    verdicts: tuple[tuple[VerdictSign, int], ...]
    dependents: Resting
    definitions: int
    differing: tuple[Difference, ...]
    countable: bool
    properties: tuple[tuple[str, str], ...]
    hosts: tuple[tuple[str, tuple[Source, ...]], ...]
    quotations: tuple[tuple[int, tuple[Quotation, ...]], ...]
    sources: Mapping[str, Source]
    works: int
    linking: int
    pointers: tuple[BacklinkSentence, ...]
    bare: tuple[GroupedBacklinks, ...]
    pointers_left: int
    mentions: tuple[NodeRef, ...]
    relations: tuple[tuple[Edge, NodeRef | None], ...]
    related: tuple[Related, ...]
    around: GraphDrawing
    other_formats: tuple[tuple[str, str], ...]
    cite_as: str


@dataclass(frozen=True, slots=True)
class Gone:
    """What was taken out, and the nodes that still cite it."""

    tombstone: Tombstone
    citing: tuple[NodeRef, ...]
    left: int


def _gone(desk: PageContext, tombstone: Tombstone) -> Gone:
    citing = tuple({link.node.id: link.node for link in desk.brain.edges.backlinks(tombstone.id, ["cites"])}.values())
    return Gone(tombstone, citing[:BACKLINKS], max(0, len(citing) - BACKLINKS))


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The page of a node; one that is removed but cited says what it was.

    Raises:
        UnknownNodeError: there never was such a node.
    """
    name = f"{asked.parts['brain']}/{asked.parts['slug']}"
    try:
        node = desk.brain.nodes.get(name)
    except UnknownNodeError as error:
        if error.tombstone is None or error.renamed:
            raise
        return TemplateResponse("gone.html", _gone(desk, error.tombstone), status=410)
    return TemplateResponse("node.html", _model(desk, node, asked))


def _model(desk: PageContext, node: Node, asked: PageRequest) -> NodePage:
    lines = desk.claim_table().by_node.get(node.id, ())
    health = desk.health(node.id)
    edges = _edges(desk, node)
    embedded = {one.id: one for one in desk.brain.nodes.get_many(embeds_of(node))}
    cited = [one.target for shown in (node, *embedded.values()) for one in shown.cites if one.target]
    bodies = embedded | {one.id: one for one in desk.brain.nodes.get_many(places_of(node))}
    titles = desk.brain.nodes.refs([*cited, *(edge.target for edge in edges), *health.path])
    pointers = pointers_to(desk, node)
    quoted, bare = split_by_context(pointers[:BACKLINKS])
    definitions = _definitions(desk, node)
    return NodePage(
        node=node,
        reading=annotated(node, titles, lines, embedded=bodies, anchors=_anchors(desk, lines)),
        health=health,
        path=tuple(titles[step] for step in health.path if step in titles),
        because=_because(desk, health),
        claims=lines,
        verdicts=tuple(_verdicts(lines)),
        dependents=resting(desk, node.id, DEPENDENTS),
        definitions=len(definitions),
        differing=differences(definitions),
        properties=_properties(node, titles),
        countable=any(sign.isdigit() for sign in node.body),
        hosts=_by_host(node.sources),
        quotations=_by_span(node.quotes),
        sources={source.url: source for source in node.sources},
        works=len({source.id for source in node.sources}),
        linking=len({one.link.node.id for one in pointers}),
        pointers=quoted,
        bare=bare,
        pointers_left=max(0, len(pointers) - BACKLINKS),
        mentions=tuple(titles[edge.target] for edge in edges if edge.kind == "mentions" and edge.target in titles),
        relations=tuple((edge, titles.get(edge.target)) for edge in edges if edge.kind != "mentions"),
        related=desk.recall(("related", node.id), lambda: desk.brain.links.related(node.id, 6)),
        around=draw_graph(desk, node.id, NEIGHBOURS),
        other_formats=other_formats(node.id),
        cite_as=_cite_as(node, asked),
    )


def _verdicts(lines: Iterable[ClaimRow]) -> Iterator[tuple[VerdictSign, int]]:
    """The verdicts of claims with their numbers, in the order of the claims."""
    for verdict, group in groupby(lines, key=lambda line: line.verdict):
        yield VERDICTS[verdict] if verdict else UNSEEN, len(list(group))


def _definitions(desk: PageContext, node: Node) -> tuple[Node, ...]:
    """A term with the same term in other glossaries; nothing for other kinds of notes."""
    if node.kind is not Kind.TERM:
        return ()
    edges = (
        *desk.brain.edges.select(kind="same_as", subject=node.id),
        *desk.brain.edges.select(kind="same_as", target=node.id),
    )
    same = {end for edge in edges for end in (edge.subject, edge.target)} - {node.id}
    return (node, *(one for one in desk.brain.nodes.get_many(sorted(same)) if one.kind is Kind.TERM))


def _anchors(desk: PageContext, lines: Iterable[ClaimRow]) -> dict[str, QuoteAnchor]:
    """Where the quotes of claims are; without passages that have other figures than the quote."""
    found = {line.claim.id: (line.claim, desk.brain.quotes.anchor(line.claim)) for line in lines}
    return {
        name: anchor
        for name, (claim, anchor) in found.items()
        if anchor and (anchor.exact or figures_of(anchor.text) == figures_of(claim.quote or ""))
    }


def _properties(node: Node, titles: Mapping[str, NodeRef]) -> tuple[tuple[str, str], ...]:
    """The properties of a note with their values as HTML, its aliases first."""
    links = NoteLinks(node, titles)
    aliases = node.labels.variants if node.labels and node.kind is not Kind.TERM else ()
    named = (("aliases", ", ".join(aliases)),) if aliases else ()
    pairs = (*named, *((one.name, one.value) for one in node.properties))
    return tuple((name, linked_text(value, links)) for name, value in pairs)


def _because(desk: PageContext, health: Health) -> str:
    """What the claim says that decided the health; its id where it says nothing."""
    line = desk.claim_table().lines.get(health.claim or "")
    return line.claim.says.rstrip(". ") if line and line.claim.says else health.claim or ""


def _edges(desk: PageContext, node: Node) -> list[Edge]:
    found = {(edge.kind, edge.target): edge for edge in desk.brain.edges.select(subject=node.id)}
    return list(found.values())


def _by_host(sources: Iterable[Source]) -> tuple[tuple[str, tuple[Source, ...]], ...]:
    works = {source.id: source for source in reversed(tuple(sources))}
    ordered = sorted(works.values(), key=lambda source: (source.host, source_name(source).casefold()))
    return tuple((host, tuple(group)) for host, group in groupby(ordered, key=lambda source: source.host))


def _by_span(quotes: Iterable[Quotation]) -> tuple[tuple[int, tuple[Quotation, ...]], ...]:
    ordered = sorted(quotes, key=lambda quotation: quotation.span)
    return tuple((span + 1, tuple(group)) for span, group in groupby(ordered, key=lambda quotation: quotation.span))


def other_formats(node: str) -> tuple[tuple[str, str], ...]:
    """The same record in other formats: name and address."""
    return tuple((name, f"{path_of('v1/nodes', node)}?format={form}") for name, form in FORMS)


def _cite_as(node: Node, asked: PageRequest) -> str:
    """How to cite the node: who, what, where, and the version that was read."""
    when = f" ({node.published.year})" if node.published else ""
    address, today = asked.site + path_of("nodes", node.id), asked.today
    version = node.provenance.sha256[:12]
    return f"{node.brain}{when}. {node.title}. {address}, accessed {today.isoformat()}, version {version}."


def preview(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The card that is shown over a link to a node."""
    name = f"{asked.parts['brain']}/{asked.parts['slug']}"
    summary = next(iter(desk.brain.nodes.summaries([name])), None)
    if summary is None:
        raise UnknownNodeError(name)
    return TemplateResponse("preview.html", (summary, desk.health(name)))
