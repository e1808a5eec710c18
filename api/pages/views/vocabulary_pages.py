"""Lists of tags and terms, one tag, and one term in every glossary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby

from api.pages.page_request import Facet, PageRequest, TemplateResponse, facet_options, page_of, part_of
from api.pages.render.annotation import Reading, annotated
from api.pages.render.verdict_signs import OF_KIND
from api.pages.views import node_page
from api.pages.views.claim_table import PageContext
from api.pages.views.name_hits import NAME_KINDS, found, terms_by_tag
from api.pages.views.node_page import BACKLINKS, MUTUAL, edges_of, pointers_to, same_terms, split_by_context
from api.services.linked_data import tag_detail
from api.services.texts.claim_drafts import passage
from compute.figures.figure_checker import Difference, differences
from graph.models.node_models import Node
from graph.models.query_models import NodeQuery, NodeRef
from graph.search.name_index import EXACT, NameWords, typed_words
from graph.search.snippets import gist
from graph.search.tokenizer import fold

LENGTH, CLAIMS, NEAR = 15, 12, 20  # nodes, claims and tags on the page of a tag
CONCEPTS = 60  # how many concepts a page of the list has
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ#"  # `#` is everything that begins with another sign


def tags(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The most used tags, or those with a letter at the beginning, or with several anywhere."""
    part, uses, terms = request.text("starts").casefold(), context.brain.names.tag_uses(), terms_by_tag(context)
    if part:
        inside = str.__contains__ if len(part) > 1 else str.startswith
        return page_of("tags.html", uses=[use for use in uses if inside(use.tag.casefold(), part)])
    claims = request.one_of("sort", ["notes", "claims"]) == "claims"
    return page_of(
        "tags.html",
        uses=sorted(uses, key=lambda use: (-use.claims if claims else terms[use.tag] - use.nodes, -use.claims)),
        terms=terms,
        letters=sorted(Counter(use.tag[:1].upper() for use in uses).items()),
    )


def tag(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One tag with the first notes of each kind, its claims and terms. Raises UnknownTagError."""
    detail = tag_detail(context.brain, request.parts["tag"])
    queries = (NodeQuery(tags=(detail.tag,), kind=kind, sort="title", limit=LENGTH) for kind in OF_KIND)
    claims = found(context, "claim", NameWords(()), may=lambda claim: detail.tag in claim.tags)
    named = found(context, "term", typed_words(detail.tag.replace("-", " ")))[:1]
    near = Counter(tag for claim in claims for tag in claim.thing.tags if tag != detail.tag).most_common(NEAR)
    return page_of(
        "tag.html",
        tag=detail,
        definitions=context.brain.nodes.summaries([one.thing.id for one in named if one.level == EXACT]),
        nodes=[node for query in queries for node in context.brain.nodes.page(query).items],
        mark=context.mark,
        claims=[NAME_KINDS["claim"].shown(context, one.thing, request.today) for one in claims[:CLAIMS]],
        claims_total=len(claims),
        terms=[one for one in context.brain.names.concepts() if any(detail.tag in term.tags for term in one.terms)],
        near=sorted(((one.tag, one.together) for one in detail.related), key=lambda one: -one[1]) or near,
    )


def terms(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The concepts of one glossary or all, by letter. Raises PageRequestError for an unknown page."""
    everything = context.brain.names.concepts()
    brain, starts = request.text("brain"), request.text("starts").upper()
    listed = ((fold(one.title)[:1].upper(), one) for one in everything if not brain or brain in one.glossaries)
    inside = [(letter if letter.isalpha() else "#", one) for letter, one in listed]
    passing = [pair for pair in inside if not starts or pair[0] == starts]
    known, part = {letter for letter, _ in inside}, part_of(request, passing, CONCEPTS)
    glossaries = Counter(name for one in everything for name in one.glossaries).most_common()
    return page_of(
        "terms.html",
        part=part,
        groups=[(letter, list(group)) for letter, group in groupby(part.things, key=lambda pair: pair[0])],
        entries=sum(len(one.terms) for _, one in passing),
        glosses={one.id: gist(one) for one in context.brain.nodes.get_many(one.id for _, one in part.things)},
        starts=starts,
        brain=brain,
        facets=(Facet("Glossary", facet_options(request, "brain", glossaries)),),
        letters=(*LETTERS, *sorted(known - set(LETTERS))),  # other first letters that occur are after Z
        known=known,
    )


def term(context: PageContext, request: PageRequest) -> TemplateResponse:
    """Definitions of a term next to each other; one glossary alone as its note. Raises UnknownNodeError."""
    node = context.brain.nodes.get(request.node)
    others, sure = same_terms(context, node)
    if not others:
        return node_page.page(context, request)
    every, edges = (node, *others), edges_of(context, node)
    cited = [cite.target for one in every for cite in one.cites if cite.target]
    titles = context.brain.nodes.refs([*cited, *(edge.target for edge in edges)])
    differing = differences(map(passage, every))
    pointers, bare = split_by_context(
        [one for one in pointers_to(context, node) if one.link.kind not in MUTUAL][:BACKLINKS]
    )
    return page_of(
        "term.html",
        node=node,
        columns=[(one, _reading(one, titles, differing), sure.get(one.id)) for one in every],
        differences=differing,
        mark=context.mark,
        pointers=pointers,
        bare=bare,
        relations=[(edge, titles.get(edge.target)) for edge in edges if edge.kind not in {"mentions", "same_as"}],
    )


def _reading(node: Node, titles: Mapping[str, NodeRef], found: Iterable[Difference]) -> Reading:
    """A definition with the figures marked on which others differ."""
    marked = set[str]()
    for difference in found:
        stated = dict(difference.figures)
        others = [set(texts) for other, texts in stated.items() if other != node.id]
        marked |= {text for text in stated.get(node.id, ()) if not all(text in texts for texts in others)}
    return annotated(node, titles, (), marked)
