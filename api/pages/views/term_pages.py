"""Terms: the list of every glossary, and one term with what the glossaries say of it side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from api.pages.render.annotation import Reading, annotated
from api.pages.request.page_request import Facet, Option, PageRequest, TemplateResponse
from api.pages.views.backlinks import BacklinkSentence, GroupedBacklinks, pointers_to, split_by_context
from api.pages.views.claim_table import PageContext
from api.pages.views.node_page import BACKLINKS, other_formats
from api.services.concepts import Concept
from graph.models.node_models import Kind, Node
from graph.models.query_models import NodeRef
from graph.search.tokenizer import fold
from ingest.terms.definition_figures import Difference, differences

LENGTH = 150
"""How many concepts a page of the list has."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ#"
"""The letters of the list; `#` is everything that begins with another sign."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A first letter; without a link where no term begins with it."""

    text: str
    href: str | None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """The list: concepts by their first letter, a page at a time; `short` are short names of the glossaries."""

    groups: tuple[tuple[str, tuple[Concept, ...]], ...]
    total: int
    entries: int
    starts: str
    facets: tuple[Facet, ...]
    letters: tuple[Letter, ...]
    first: str = ""
    last: str = ""
    previous: str | None = None
    following: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """What one glossary says; `sure` is how sure it is that it means the same term, None for the requested term."""

    node: Node
    reading: Reading
    sure: float | None


@dataclass(frozen=True, slots=True)
class TermComparison:
    """A term with the same term in other glossaries, and what points to it."""

    node: Node
    columns: tuple[Column, ...]
    differences: tuple[Difference, ...]
    pointers: tuple[BacklinkSentence, ...]
    bare: tuple[GroupedBacklinks, ...]
    other_formats: tuple[tuple[str, str], ...]


def index(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The concepts of one glossary or of all, from A to Z or with one first letter.

    Raises:
        AskedWronglyError: the number of a page that is none.
    """
    everything = desk.brain.names.concepts()
    brain, starts = asked.text("brain"), asked.text("starts").upper()
    inside = [one for one in everything if not brain or brain in one.glossaries]
    passing = [one for one in inside if not starts or _letter(one.title) == starts]
    pages = max(1, -(-len(passing) // LENGTH))
    number = min(asked.number("page"), pages)
    shown = passing[(number - 1) * LENGTH : number * LENGTH]
    model = Terms(
        groups=tuple((letter, tuple(group)) for letter, group in groupby(shown, key=lambda one: _letter(one.title))),
        total=len(passing),
        entries=sum(len(one.terms) for one in passing),
        starts=starts,
        facets=(Facet("Glossary", tuple(_glossaries(asked, everything, brain))),),
        letters=tuple(_letters(asked, inside, starts)),
        first=shown[0].title if shown else "",
        last=shown[-1].title if shown else "",
        previous=asked.link(page=str(number - 1)) if number > 1 else None,
        following=asked.link(page=str(number + 1)) if number < pages else None,
    )
    return TemplateResponse("terms.html", model)


def _glossaries(asked: PageRequest, everything: Iterable[Concept], brain: str) -> Iterable[Option]:
    counts = Counter(name for one in everything for name in one.glossaries)
    for name, count in counts.most_common():
        yield Option(name, asked.link(brain=None if name == brain else name), count, name == brain)


def _letters(asked: PageRequest, inside: Iterable[Concept], starts: str) -> Iterable[Letter]:
    """Every letter; other first letters that occur are after Z."""
    known = {_letter(one.title) for one in inside}
    for letter in (*LETTERS, *sorted(known - set(LETTERS))):
        link = asked.link(starts=None if letter == starts else letter)
        yield Letter(letter, link if letter in known or letter == starts else None, letter == starts)


def _letter(title: str) -> str:
    first = fold(title)[:1].upper()
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
    model = TermComparison(node, tuple(columns), found, *split_by_context(pointers), other_formats(name))
    return TemplateResponse("term.html", model)


def _reading(node: Node, titles: Mapping[str, NodeRef], found: Iterable[Difference]) -> Reading:
    """A definition with the figures marked that not every other one gives in the same unit."""
    marked = set[str]()
    for difference in found:
        stated = dict(difference.figures)
        others = [set(texts) for other, texts in stated.items() if other != node.id]
        marked |= {text for text in stated.get(node.id, ()) if not all(text in texts for texts in others)}
    return annotated(node, titles, (), marked)
