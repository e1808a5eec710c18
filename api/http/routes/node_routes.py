"""Nodes and their references; tags, sources and terms."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Response

from api.http.api_route import LISTED, THING, ApiRoutes
from api.http.parameters import WHOLE, After, Ask, Limit, Node, OfBrain, Part, Slug, path, query
from api.http.parameters import Brain as Owner
from api.http.responses.problem_details import ProblemError
from api.models import api_models as models
from api.models import response_models as answers
from api.models.api_models import IsoDay
from api.models.response_models import Items
from api.services.claim_status import ClaimStatus
from api.services.linked_data import tag_detail
from compute.impact.note_health import Health
from graph.models.link_models import Dependent, Drawing
from graph.models.node_models import Citation, Kind, Quotation
from graph.models.query_models import MOST_VALUES, NodeQuery, Sort, SourceUse, TagDetail
from graph.store.cursors import Cursor
from ingest.formats.brain_export import write_note

NODES, LIBRARY = ApiRoutes("nodes"), ApiRoutes("library")
ONE = "/v1/nodes/{brain}/{slug}"
NO_PAST = "Node lists are always current and take no earlier day; claims and prices do"

NODE = "analyst/caching-and-batch-stack"
WORDS = 'Words, "phrases", tag:x, kind:x, brain:x, -not, prefix*; any other punctuation is text.'
ALL_TAGS = "A tag; repeated, up to 50 times: all must hold."

Text = Annotated[str, query(WORDS, "batch discount", max_length=2000)]
Tags = Annotated[list[str] | None, query(ALL_TAGS, ["inference-optimization"], max_length=MOST_VALUES)]
OfKind = Annotated[Kind | None, query("Only nodes of this kind.", "reading")]
OfWork = Annotated[str | None, query("Only nodes that list this work.")]
SortBy = Annotated[Sort, query("The order where there is no `q`.")]
Current = Annotated[IsoDay | None, query("Today or later: node lists are always current.")]
Most = Annotated[int, query("Maximum number of nodes.", ge=1, le=100), WHOLE]
Around = Annotated[str | None, query("The id of the node in the middle; without it, the complete graph.", NODE)]
Depth = Annotated[int, query("Steps from the middle.", ge=0, le=4), WHOLE]
Cap = Annotated[int, query("Maximum number of nodes.", ge=1, le=5000), WHOLE]
EDGES = "Only edges of this kind; may be repeated."
Edge = Annotated[list[str] | None, query(EDGES, ["cites"], max_length=MOST_VALUES)]
Start = Annotated[str, query("The id of a node.", NODE, alias="from")]
End = Annotated[str, query("The id of a node.", "analyst/batch-size-and-gpu-utilisation", alias="to")]
Prefix = Annotated[str, query("Prefix of the tags.", "inference")]
TagOrder = Annotated[Literal["count", "name"], query("The most frequent first, or by the alphabet.")]
Tag = Annotated[str, path("A tag.", "inference-optimization")]
OfHost = Annotated[str | None, query("Only works at this host.", "arxiv.org")]
Work = Annotated[str, path("The id of a work.", "arxiv:1706.03762")]
Glossary = Annotated[str | None, query("Only terms of this glossary.", "terms")]


@NODES("/v1/nodes", models.NodePage, LISTED)
def nodes_find(
    ask: Ask,
    *,
    limit: Limit = 100,
    cursor: After = None,
    as_of: Current = None,
    q: Text = "",
    tag: Tags = None,
    kind: OfKind = None,
    brain: OfBrain = None,
    source: OfWork = None,
    sort: SortBy = "added",
) -> Response:
    """Nodes by text and filters, with facets over all of them.

    With `q` the best come first, each with a score and a snippet; else they come in the order of `sort`. The list
    is always current: an `as_of` before today is refused.
    """
    if as_of is not None and as_of < ask.today:
        raise ProblemError("invalid-request", f"query.as_of: {NO_PAST} (today is {ask.today}).")
    asked = NodeQuery(
        tags=tuple(tag or ()), kind=kind, brain=brain, source=source, sort=sort, limit=limit, cursor=cursor or None
    )
    fields = models.page_fields(ask.brain.find(q, asked))
    ask.next = fields.pop("next")
    return ask.listed(fields.pop("items"), **fields)


# This route and the list take their parameters themselves: a nested dependency costs 3 to 4% of their answer.
@NODES(ONE, models.NodeView, "json turtle jsonld ntriples markdown html")
def nodes_node(ask: Ask, brain: Owner, slug: Slug) -> Response:
    """Show one node."""
    found, told = ask.brain.nodes.get(f"{brain}/{slug}"), ask.linked
    health = ask.brain.status.healths().state(found.id)
    return ask.thing(
        models.node_fields(found, health.value) if ask.format == "json" else None,
        told.names.node(found.id),
        lambda: told.node(found),
        markdown=lambda: write_note(found).encode("utf-8", "replace"),
    )


@NODES(f"{ONE}/citations", Items[Citation | Quotation], LISTED)
def nodes_citations(ask: Ask, node: Node, part: Part) -> Response:
    """What the node cites and quotes, in the order of its text."""
    return ask.slice(ask.brain.nodes.get(node).citations, part)


@NODES(f"{ONE}/backlinks", Items[models.Backlink], LISTED)
def nodes_backlinks(ask: Ask, node: Node, part: Part) -> Response:
    """What points to the node, with the sentence in which it does."""
    return ask.slice(ask.brain.backlinks(node), part)


@NODES(f"{ONE}/related", Items[models.Related], LISTED)
def nodes_related(ask: Ask, node: Node, limit: Most = 10) -> Response:
    """The nodes that have most in common with the node, with the reasons."""
    return ask.listed([models.related(one) for one in ask.brain.links.related(node, limit)])


@NODES(f"{ONE}/dependents", Items[Dependent], LISTED)
def nodes_dependents(ask: Ask, node: Node, part: Part) -> Response:
    """Every node that depends on this one by citations, nearest first, with the chain."""
    found = ask.brain.links.dependents(node)
    return ask.page(found, part, lambda one: Cursor(one.distance, f"{2 - one.confidence:.9f} {one.node.id}"))


@NODES(f"{ONE}/claims", Items[ClaimStatus], LISTED)
def nodes_claims(ask: Ask, node: Node, part: Part) -> Response:
    """The claims of the node with their last verdicts."""
    ask.brain.nodes.get(node)
    return ask.slice(ask.brain.status.states(node=node), part)


@NODES(f"{ONE}/health", Items[Health], LISTED)
def nodes_health(ask: Ask, node: Node) -> Response:
    """Whether the node is sound, weakened, broken or unchecked, and the path that made it so."""
    return ask.listed([ask.brain.status.health(node)])


@NODES("/v1/graph", Drawing)
def nodes_graph(ask: Ask, around: Around = None, depth: Depth = 1, cap: Cap = 100, edge: Edge = None) -> Response:
    """Nodes and edges for a drawing, with places from 0 to 1; `left_out` counts the nodes beyond the cap."""
    links, middle = ask.brain.links, ask.brain.nodes.named(around) if around else ""
    return ask.record(links.around(middle, depth, cap, tuple(edge or ())) if middle else links.drawing())


@NODES("/v1/path", answers.Way)
def nodes_path(ask: Ask, start: Start, end: End) -> Response:
    """The shortest way between two nodes along edges of any kind; `path` is null where there is none."""
    return ask.record({"path": ask.brain.links.path(*map(ask.brain.nodes.named, (start, end)))})


@LIBRARY("/v1/tags", Items[answers.TagCount], f"{LISTED} turtle jsonld ntriples html")
def library_tags(
    ask: Ask, part: Part, prefix: Prefix = "", sort: TagOrder = "count", brain: OfBrain = None
) -> Response:
    """All tags with their number of nodes; in the forms of RDF the scheme of all tags."""
    if ask.format not in {"json", "csv"}:
        return ask.thing(None, ask.linked.names.tags, ask.linked.tags)
    found = [answers.TagCount(tag=one.value, count=one.count) for one in ask.brain.tags.all(prefix, brain)]
    if sort == "name":
        return ask.page(sorted(found, key=lambda one: one.tag), part, lambda one: Cursor(one.tag, one.tag))
    return ask.page(found, part, lambda one: Cursor(-one.count, one.tag))


@LIBRARY("/v1/tags/{tag:path}", TagDetail, THING)
def library_tag(ask: Ask, tag: Tag) -> Response:
    """One tag: its nodes by kind, and the tags used together with it."""
    found, told = tag_detail(ask.brain, tag), ask.linked
    return ask.thing(found, told.names.tag(found.tag), lambda: told.tag(found.tag))


@LIBRARY("/v1/sources", answers.Works, LISTED)
def library_sources(ask: Ask, part: Part, host: OfHost = None, brain: OfBrain = None) -> Response:
    """Works that nodes list as sources, by id, with those nodes; `quotations` counts what is quoted of each."""
    last, sources = ask.after(part, str), ask.brain.sources
    found = sources.page(host, part.limit + 1, last and last.id, brain)
    shown = ask.cut(found, part, lambda one: Cursor(one.source.id, one.source.id))
    hosts = sources.hosts()[:100] if last is None else []
    return ask.listed(map(_work, shown), total=sources.count(host, brain), hosts=hosts)


def _work(use: SourceUse) -> answers.Work:
    counted = {"host": use.source.host, "urls": use.urls, "nodes": use.nodes, "quotations": use.quotations}
    return answers.Work(**use.source.model_dump(), **counted)


@LIBRARY("/v1/sources/{work:path}", answers.Work, THING)
def library_source(ask: Ask, work: Work) -> Response:
    """One work with every quotation of it, in the order of the nodes."""
    found, told = ask.brain.sources.get(work), ask.linked
    shown = _work(found.use).model_copy(update={"quotes": found.quotations})
    return ask.thing(shown, told.names.source(work), lambda: told.source(found))


@LIBRARY("/v1/terms", Items[models.NodeSummary], LISTED)
def library_terms(ask: Ask, part: Part, brain: Glossary = None) -> Response:
    """The terms of every glossary, in the order of arrival."""
    page = ask.brain.nodes.page(NodeQuery(kind=Kind.TERM, brain=brain, limit=part.limit, cursor=part.cursor))
    ask.next = page.next
    return ask.listed(map(models.summary_fields, page.items), total=page.total)


@LIBRARY("/v1/terms/{brain}/{slug}", Items[models.NodeView], LISTED)
def library_term(ask: Ask, node: Node, part: Part) -> Response:
    """A term with the definitions of every glossary that has it, the requested one first."""
    return ask.slice(ask.brain.definitions(node), part)
