"""The page of a thing that the graph names and that has no page of its own making: its RDF as names and values."""

from __future__ import annotations

from dataclasses import dataclass, replace

from api.pages.request.page_request import PageRequest, TemplateResponse, path_of
from api.pages.views import claim_page, item_page
from api.pages.views.claim_table import PageContext
from api.pages.views.price_table import similar
from api.services import linked_data
from api.services.linked_data import LinkedData
from api.services.name_lookup import UnknownPriceError, impact
from graph.rdf.iris import Iri
from graph.rdf.section_triples import Sections, sections, title_of
from graph.rdf.triples import Triples
from graph.store.store_errors import UnknownRunError

FORMS = (("Turtle", "turtle"), ("JSON-LD", "jsonld"), ("N-Triples", "ntriples"))
MOST = 100
"""How many links to other pages one page has."""


@dataclass(frozen=True, slots=True)
class Thing:
    """The page: what kind of thing it is, its title, the facts about it and its parts, and its other formats."""

    kind: str
    title: str
    sections: Sections
    forms: tuple[tuple[str, str], ...]
    see: tuple[tuple[str, str], ...] = ()


def document(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """A version of a document."""
    found, linked = linked_data.document(desk.brain, asked.parts["document"]), _linked_data(desk, asked)
    return _response("Document", linked, linked.names.document(found.name, found.sha256), linked.document(found))


def snapshot(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """A catalogue snapshot."""
    digest, linked = linked_data.snapshot_hash(desk.brain, asked.parts["snapshot"]), _linked_data(desk, asked)
    _, runs = linked_data.snapshot(desk.brain, digest)
    see = ((f"Run {run.id}", f"/runs/{run.id}") for run in runs[:MOST])
    return _response("Catalogue snapshot", linked, linked.names.snapshot(digest), linked.snapshot(digest), *see)


def assumption(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """An assumption."""
    name, linked = asked.parts["name"], _linked_data(desk, asked)
    return _response("Assumption", linked, linked.names.assumption(name), linked.assumption(name))


def price(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """A priced item; one that has no price, and that only claims name, has a page that says just that."""
    try:
        return item_page.page(desk, asked)
    except UnknownPriceError:
        item, linked = asked.parts["item"], _linked_data(desk, asked)
        figures = linked_data.priced(desk.brain, item, asked.today)
        see = ((one.claim, path_of("claims", one.claim)) for one in impact(desk.brain, item, asked.today).claims[:MOST])
        near = ((f"Priced: {one.text}", one.href) for one in similar(desk.brain, item))
        return _response(
            "Item without a price", linked, linked.names.price(item), linked.price(item, figures), *near, *see
        )


def verdict(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """What a run found about a claim."""
    found, run = linked_data.verdict(desk.brain, _run(asked), asked.parts["claim"])
    linked = _linked_data(desk, asked)
    iri = linked.names.verdict(found.claim, run.id, run.as_of)
    see = (("The claim today", path_of("claims", found.claim)), (f"Run {run.id}", f"/runs/{run.id}"))
    return _response(f"Verdict of run {run.id}", linked, iri, linked.verdict(found), *see)


def nanopublication(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The nanopublication of a verdict."""
    found, run = linked_data.verdict(desk.brain, _run(asked), asked.parts["claim"])
    linked = _linked_data(desk, asked)
    paper = linked.names.nanopublication(found.claim, run.id, run.as_of)
    see = (("The verdict", asked.path.removesuffix("/nanopub")), ("TriG", f"{asked.path}?format=trig"))
    return _response("Nanopublication", linked, paper, linked.nanopublication(found, run), *see)


def vocabulary(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The vocabulary of the graph, a section for each term."""
    linked = _linked_data(desk, asked)
    return _response("Vocabulary", linked, linked.names.vocabulary, linked.vocabulary())


def claim_on(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """A claim on a day, by the address of an evaluation that needs no stored run."""
    return claim_page.page(desk, replace(asked, query=(*asked.query, ("as_of", asked.parts["day"]))))


def _linked_data(desk: PageContext, asked: PageRequest) -> LinkedData:
    return LinkedData(desk.brain, asked.site or None)


def _run(asked: PageRequest) -> int:
    number = asked.parts["run"]
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise UnknownRunError(number)
    return int(number)


def _response(kind: str, linked: LinkedData, iri: Iri, triples: Triples, *see: tuple[str, str]) -> TemplateResponse:
    path = "/" + iri.value.removeprefix(linked.names.base)
    forms = tuple((name, f"{path}?format={form}") for name, form in FORMS)
    return TemplateResponse(
        "thing.html", Thing(kind, title_of(iri, triples), sections(iri, triples, linked.names), forms, see)
    )
