"""Terms: the list of every glossary, and one term with what the glossaries say of it side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby

from api.pages.render.annotation import Reading, annotated
from api.pages.request.listing import Facet, Option, facet_options, part_of
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of
from api.pages.views.claim_table import PageContext
from api.pages.views.node_page import BACKLINKS, other_formats, pointers_to, same_terms, split_by_context
from api.services.mining_service import passage
from compute.figures.figure_differences import Difference, differences
from graph.models.node_models import Node
from graph.models.query_models import NodeRef
from graph.search.tokenizer import fold

LENGTH = 150
"""How many concepts a page of the list has."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ#"
"""The letters of the list; `#` is everything that begins with another sign."""


def index(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The concepts of one glossary or of all, from A to Z or with one first letter.

    Raises:
        PageRequestError: the number of a page that is none.
    """
    everything = context.brain.names.concepts()
    brain, starts = request.text("brain"), request.text("starts").upper()
    inside = [one for one in everything if not brain or brain in one.glossaries]
    passing = [one for one in inside if not starts or _letter(one.title) == starts]
    part, known = part_of(request, passing, LENGTH), {_letter(one.title) for one in inside}
    letters = [  # other first letters that occur are after Z
        Option(
            letter,
            request.link(starts=None if letter == starts else letter) if letter in known else "",
            None,
            letter == starts,
        )
        for letter in (*LETTERS, *sorted(known - set(LETTERS)))
    ]
    glossaries = Counter(name for one in everything for name in one.glossaries).most_common()
    return page_of(
        "terms.html",
        part=part,
        groups=[(letter, list(group)) for letter, group in groupby(part.things, key=lambda one: _letter(one.title))],
        entries=sum(len(one.terms) for one in passing),
        starts=starts,
        brain=brain,
        facets=(Facet("Glossary", tuple(facet_options(request, "brain", glossaries))),),
        letters=letters,
    )


def _letter(title: str) -> str:
    first = fold(title)[:1].upper()
    return first if first.isalpha() else "#"


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The definitions of one term, side by side.

    Raises:
        UnknownNodeError: there is no such node.
    """
    node = context.brain.nodes.get(f"{request.parts['brain']}/{request.parts['slug']}")
    others, sure = same_terms(context, node)
    every = (node, *others)
    titles = context.brain.nodes.refs(cite.target for one in every for cite in one.cites if cite.target)
    found = differences(map(passage, every))
    pointers, bare = split_by_context(
        [one for one in pointers_to(context, node) if one.link.kind != "same_as"][:BACKLINKS]
    )
    return page_of(
        "term.html",
        node=node,
        columns=[(one, _reading(one, titles, found), sure.get(one.id)) for one in every],
        differences=found,
        pointers=pointers,
        bare=bare,
        other_formats=other_formats(node.id),
    )


def _reading(node: Node, titles: Mapping[str, NodeRef], found: Iterable[Difference]) -> Reading:
    """A definition with the figures marked that not every other one gives in the same unit."""
    marked = set[str]()
    for difference in found:
        stated = dict(difference.figures)
        others = [set(texts) for other, texts in stated.items() if other != node.id]
        marked |= {text for text in stated.get(node.id, ()) if not all(text in texts for texts in others)}
    return annotated(node, titles, (), marked)
