"""The page of a thing that the graph names and that has no page of its own making: its RDF as names and values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from api import linked
from api.linked import LinkedData
from api.named import UnknownPriceError, impact
from api.pages import claim, prices
from api.pages.asked import Asked, Sheet, path_of
from api.pages.board import Desk
from graph.rdf.names import Iri
from graph.rdf.resources import Triples
from graph.rdf.sections import Section, sections, title_of
from graph.store.errors import UnknownRunError

FORMS = (("Turtle", "turtle"), ("JSON-LD", "jsonld"), ("N-Triples", "ntriples"))
MOST = 100
"""How many links to other pages one page has."""


@dataclass(frozen=True, slots=True)
class Thing:
    """The page: what kind of thing it is, its title, what is told of it and its parts, and its other forms."""

    kind: str
    title: str
    sections: tuple[Section, ...]
    forms: tuple[tuple[str, str], ...]
    see: tuple[tuple[str, str], ...] = ()


def brain(desk: Desk, asked: Asked) -> Sheet:
    """A brain."""
    name, told = asked.parts["brain"], _told(desk, asked)
    listed = [(f"Document {one}", path_of("documents", one)) for one in linked.documents_of(desk.brain, name)]
    nodes = ("Its nodes", f"/search?{urlencode({'brain': name})}")
    return _sheet("Brain", told, told.names.brain(name), told.of_brain(name), nodes, *listed[:MOST])


def document(desk: Desk, asked: Asked) -> Sheet:
    """A version of a document."""
    found, told = linked.document(desk.brain, asked.parts["document"]), _told(desk, asked)
    return _sheet("Document", told, told.names.document(found.name, found.sha256), told.document(found))


def snapshot(desk: Desk, asked: Asked) -> Sheet:
    """A catalogue snapshot."""
    digest, told = linked.snapshot_hash(desk.brain, asked.parts["snapshot"]), _told(desk, asked)
    _, runs = linked.snapshot(desk.brain, digest)
    see = ((f"Run {run.id}", f"/runs/{run.id}") for run in runs[:MOST])
    return _sheet("Catalogue snapshot", told, told.names.snapshot(digest), told.snapshot(digest), *see)


def assumption(desk: Desk, asked: Asked) -> Sheet:
    """An assumption."""
    name, told = asked.parts["name"], _told(desk, asked)
    return _sheet("Assumption", told, told.names.assumption(name), told.assumption(name))


def price(desk: Desk, asked: Asked) -> Sheet:
    """A priced item; one that has no price, and that only claims name, has a page that says just that."""
    try:
        return prices.page(desk, asked)
    except UnknownPriceError:
        item, told = asked.parts["item"], _told(desk, asked)
        figures = linked.priced(desk.brain, item, asked.today)
        see = ((one.claim, path_of("claims", one.claim)) for one in impact(desk.brain, item, asked.today).claims[:MOST])
        return _sheet("Item without a price", told, told.names.price(item), told.price(item, figures), *see)


def verdict(desk: Desk, asked: Asked) -> Sheet:
    """What a run found about a claim."""
    found, run = linked.verdict(desk.brain, _run(asked), asked.parts["claim"])
    told = _told(desk, asked)
    iri = told.names.verdict(found.claim, run.id, run.as_of)
    see = (("The claim today", path_of("claims", found.claim)), (f"Run {run.id}", f"/runs/{run.id}"))
    return _sheet(f"Verdict of run {run.id}", told, iri, told.verdict(found), *see)


def nanopublication(desk: Desk, asked: Asked) -> Sheet:
    """The nanopublication of a verdict."""
    found, run = linked.verdict(desk.brain, _run(asked), asked.parts["claim"])
    told = _told(desk, asked)
    paper = told.names.nanopublication(found.claim, run.id, run.as_of)
    see = (("The verdict", asked.path.removesuffix("/nanopub")), ("TriG", f"{asked.path}?format=trig"))
    return _sheet("Nanopublication", told, paper, told.nanopublication(found, run), *see)


def vocabulary(desk: Desk, asked: Asked) -> Sheet:
    """The vocabulary of the graph, a section for each term."""
    told = _told(desk, asked)
    return _sheet("Vocabulary", told, told.names.vocabulary, told.vocabulary())


def claim_on(desk: Desk, asked: Asked) -> Sheet:
    """A claim on a day, by the address of an evaluation that no run need have kept."""
    return claim.page(desk, replace(asked, query=(*asked.query, ("as_of", asked.parts["day"]))))


def _told(desk: Desk, asked: Asked) -> LinkedData:
    return LinkedData(desk.brain, asked.site or None)


def _run(asked: Asked) -> int:
    number = asked.parts["run"]
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise UnknownRunError(number)
    return int(number)


def _sheet(kind: str, told: LinkedData, iri: Iri, triples: Triples, *see: tuple[str, str]) -> Sheet:
    path = "/" + iri.value.removeprefix(told.names.base)
    forms = tuple((name, f"{path}?format={form}") for name, form in FORMS)
    return Sheet("thing.html", Thing(kind, title_of(iri, triples), sections(iri, triples, told.names), forms, see))
