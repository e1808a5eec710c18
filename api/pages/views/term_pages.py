"""Terms: the list of every glossary, and one term with what the glossaries say of it side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from api.pages.render.annotation import Reading, annotated
from api.pages.request.page_request import Facet, Option, PageRequest, TemplateResponse
from api.pages.views.backlinks import BacklinkSentence, GroupedBacklinks, apart, pointers_to
from api.pages.views.claim_table import PageContext
from api.pages.views.node_page import BACKLINKS, other_formats
from graph.models.node_models import Kind, Node
from graph.models.query_models import Card, NodeRef
from graph.search.tokenizer import fold
from ingest.terms.definition_figures import Difference, differences

MOST = 400


@dataclass(frozen=True, slots=True)
class Terms:
    """The list: terms by their first letter; `left` counts those that are not shown."""

    groups: tuple[tuple[str, tuple[Card, ...]], ...]
    total: int
    left: int
    starts: str
    facets: tuple[Facet, ...]
    letters: tuple[Option, ...]
    shared: frozenset[str]


@dataclass(frozen=True, slots=True)
class Column:
    """What one glossary says; `sure` is how sure it is that it means the same term, None for the requested term."""

    node: Node
    reading: Reading
    sure: float | None


@dataclass(frozen=True, slots=True)
class Beside:
    """A term with the same term in other glossaries, and what points to it."""

    node: Node
    columns: tuple[Column, ...]
    differences: tuple[Difference, ...]
    pointers: tuple[BacklinkSentence, ...]
    bare: tuple[GroupedBacklinks, ...]
    other_formats: tuple[tuple[str, str], ...]


def index(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The terms of one glossary or of all with the requested prefix."""
    everything = desk.recall("terms", lambda: tuple(sorted(_terms(desk), key=lambda card: fold(card.title))))
    brain, starts = asked.text("brain"), asked.text("starts").upper()
    inside = [card for card in everything if not brain or card.brain == brain]
    passing = [card for card in inside if not starts or _letter(card) == starts]
    shown = passing[:MOST]
    counts = Counter(card.brain for card in everything)
    brains = (
        Option(name, asked.link(brain=None if name == brain else name), count, name == brain)
        for name, count in counts.most_common()
    )
    letters = sorted({_letter(card) for card in inside})
    model = Terms(
        groups=tuple((letter, tuple(group)) for letter, group in groupby(shown, key=_letter)),
        total=len(passing),
        left=len(passing) - len(shown),
        starts=starts,
        facets=(Facet("Glossary", tuple(brains)),),
        letters=tuple(
            Option(one, asked.link(starts=None if one == starts else one), chosen=one == starts) for one in letters
        ),
        shared=desk.recall("shared", lambda: _shared(desk)),
    )
    return TemplateResponse("terms.html", model)


def _terms(desk: PageContext) -> Sequence[Card]:
    return [card for card in desk.brain.index_feed.cards() if card.kind is Kind.TERM]


def _shared(desk: PageContext) -> frozenset[str]:
    """The terms that several glossaries have."""
    return frozenset(end for edge in desk.brain.edges.select(kind="same_as") for end in (edge.subject, edge.target))


def _letter(card: Card) -> str:
    first = fold(card.title)[:1].upper()
    return first if first.isalpha() else "#"


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The definitions of one term, side by side.

    Raises:
        UnknownNodeError: there is no such node.
    """
    name = f"{asked.parts['brain']}/{asked.parts['slug']}"
    node = desk.brain.nodes.get(name)
    same = {edge.target: edge.confidence for edge in desk.brain.edges.select(kind="same_as", subject=name)}
    same |= {edge.subject: edge.confidence for edge in desk.brain.edges.select(kind="same_as", target=name)}
    same.pop(name, None)
    others = [one for one in desk.brain.nodes.get_many(same) if one.kind is Kind.TERM]
    titles = desk.brain.nodes.refs(cite.target for one in (node, *others) for cite in one.cites if cite.target)
    found = differences((node, *others))
    columns = (Column(one, _reading(one, titles, found), same.get(one.id)) for one in (node, *others))
    pointers = [one for one in pointers_to(desk, node) if one.link.kind != "same_as"][:BACKLINKS]
    model = Beside(node, tuple(columns), found, *apart(pointers), other_formats(name))
    return TemplateResponse("term.html", model)


def _reading(node: Node, titles: Mapping[str, NodeRef], found: Iterable[Difference]) -> Reading:
    """A definition with the figures marked that not every other one gives in the same unit."""
    marked = set[str]()
    for difference in found:
        stated = dict(difference.figures)
        others = [set(texts) for other, texts in stated.items() if other != node.id]
        marked |= {text for text in stated.get(node.id, ()) if not all(text in texts for texts in others)}
    return annotated(node, titles, (), marked)
