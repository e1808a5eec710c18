"""Documents with their text, assumptions, the vocabulary, and other things that the graph names, in one layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from api.pages.render.figure_format import figure, short_day
from api.pages.request.listing import part_of
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of, path_of
from api.pages.views import claim_page
from api.pages.views.claim_table import ClaimRow, PageContext
from api.pages.views.ledger_pages import run_number
from api.pages.views.prices import item_page
from api.pages.views.prices.price_table import similar
from api.services import linked_data
from api.services.claim_status import UnknownPriceError
from api.services.linked_data import LinkedData
from compute.impact.price_impact import ASSUMED, AffectedClaim
from graph.models.query_models import DocumentRecord
from graph.rdf.iris import Iri
from graph.rdf.triples import Sections, Triples, sections, title_of

FORMS = (("Turtle", "turtle"), ("JSON-LD", "jsonld"), ("N-Triples", "ntriples"))
MOST = 100
"""How many links to other pages one page has."""

LINES = 600
"""How many lines of a document one page shows."""

Facts = list[tuple[str, list[tuple[str, str | None]]]]
"""Names with their values, each a text with its link."""


def line_path(document: str, line: int | None) -> str:
    """The address of a line of a document, on the page that shows it."""
    page = (line - 1) // LINES + 1 if line else 1
    query = f"?page={page}" if page > 1 else ""
    return path_of("documents", document) + query + (f"#L{line}" if line else "")


def document(context: PageContext, request: PageRequest) -> TemplateResponse:
    """A version of a document with its text.

    Raises:
        UnknownDocumentError: there is no such document or version.
    """
    found = linked_data.document(context.brain, request.parts["document"])
    linked = _linked_data(context, request)
    part = part_of(request, (found.text or "").splitlines(), LINES)
    notes = context.brain.nodes.of_documents([found.name]) if found.current else []
    return _response(
        request,
        "Document",
        linked,
        linked.names.document(found.name, found.sha256),
        linked.document(found),
        title=found.name,
        lead=f"{found.format}, in the brain {found.brain}, read on {short_day(found.ingested_at)}.",
        facts=_document_facts(found),
        text=part,
        first_line=(part.number - 1) * LINES + 1,
        problems={one.line: one.message for one in found.problems},
        see=[(one.title, path_of("nodes", one.id)) for one in notes[:MOST]],
    )


def _document_facts(found: DocumentRecord) -> Facts:
    def at(line: int) -> str:
        return line_path(found.name, line)

    left = ((f"lines {one.first_line} to {one.last_line}: {one.reason}", at(one.first_line)) for one in found.skipped)
    facts: Facts = [
        ("brain", [(found.brain, path_of("brains", found.brain))]),
        ("notes", [(f"{found.nodes:,}", None)]),
        ("lines", [(f"{found.lines.kept:,} of {found.lines.total:,} included", None)]),
        ("problems", [(f"line {one.line}: {one.message}", at(one.line or 1)) for one in found.problems]),
        ("left out", list(left)),
        ("version", [(found.sha256, None)]),
    ]
    return [(name, values[:20]) for name, values in facts if values]


def snapshot(context: PageContext, request: PageRequest) -> TemplateResponse:
    """A catalogue snapshot."""
    digest = linked_data.snapshot_hash(context.brain, request.parts["snapshot"])
    linked = _linked_data(context, request)
    _, runs = linked_data.snapshot(context.brain, digest)
    iri, triples = linked.names.snapshot(digest), linked.snapshot(digest)
    see = [(f"Run {run.id}", f"/runs/{run.id}") for run in runs[:MOST]]
    lead = "The prices as a catalogue stated them; runs name the snapshot that they used."
    return _response(request, "Catalogue snapshot", linked, iri, triples, lead=lead, see=see)


def assumption(context: PageContext, request: PageRequest) -> TemplateResponse:
    """An assumption with its figures, its source, and the claims that use it."""
    name, linked = request.parts["name"], _linked_data(context, request)
    try:
        readers = context.brain.status.impact(ASSUMED + name, request.today).claims
    except UnknownPriceError:
        readers = ()
    facts: Facts = []
    for one in linked_data.assumption(context.brain, name):
        span = f"from {short_day(one.valid_from)}" if one.valid_from else "value"
        facts.append((span, [(figure(one.value, one.unit), None)]))
        if one.low is not None and one.high is not None:
            facts.append(("range", [(f"{figure(one.low)} to {figure(one.high, one.unit)}, {one.shape.value}", None)]))
        if one.source:
            facts.append(("source", [(one.source, one.source if one.source.startswith("http") else None)]))
        facts += [("checked", [(short_day(one.checked), None)])] if one.checked else []
        facts += [("note", [(one.note, None)])] if one.note else []
    return _response(
        request,
        "Assumption",
        linked,
        linked.names.assumption(name),
        linked.assumption(name),
        lead="A figure without a quoted price. Claims that use it are evaluated at its value and over its range.",
        facts=facts,
        claims=_claims(context, readers),
    )


def _claims(context: PageContext, readers: Iterable[AffectedClaim]) -> list[ClaimRow]:
    """The claims that read an item, each once, as far as a page lists them."""
    lines = context.claim_table().lines
    return [lines[one] for one in dict.fromkeys(one.claim for one in readers) if one in lines][:MOST]


def price(context: PageContext, request: PageRequest) -> TemplateResponse:
    """A priced item; one that has no price, and that only claims name, has a page that says just that."""
    try:
        return item_page.page(context, request)
    except UnknownPriceError:
        item, linked = request.parts["item"], _linked_data(context, request)
        figures = linked_data.priced(context.brain, item, request.today)
        return _response(
            request,
            "Item without a price",
            linked,
            linked.names.price(item),
            linked.price(item, figures),
            title=item,
            lead="Claims read this price, and no catalogue has it. A price card can state it.",
            claims=_claims(context, context.brain.status.impact(item, request.today).claims),
            see=[(f"Priced: {one.text}", one.href) for one in similar(context.brain, item)],
        )


def verdict(context: PageContext, request: PageRequest) -> TemplateResponse:
    """What a run found about a claim."""
    found, run = linked_data.verdict(context.brain, run_number(request), request.parts["claim"])
    linked = _linked_data(context, request)
    iri = linked.names.verdict(found.claim, run.id, run.as_of)
    see = [("The claim today", path_of("claims", found.claim)), (f"Run {run.id}", f"/runs/{run.id}")]
    return _response(
        request, f"Verdict of run {run.id}", linked, iri, linked.claim(found.claim, found), title=found.says, see=see
    )


def nanopublication(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The nanopublication of a verdict."""
    found, run = linked_data.verdict(context.brain, run_number(request), request.parts["claim"])
    linked = _linked_data(context, request)
    paper = linked.names.nanopublication(found.claim, run.id, run.as_of)
    see = [("The verdict", request.path.removesuffix("/nanopub")), ("TriG", f"{request.path}?format=trig")]
    triples = linked.nanopublication(found, run)
    return _response(request, "Nanopublication", linked, paper, triples, title=f"{found.says} (run {run.id})", see=see)


def vocabulary(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The vocabulary of the graph, an entry for each term."""
    linked = _linked_data(context, request)
    return _response(
        request,
        "Vocabulary",
        linked,
        linked.names.vocabulary,
        linked.vocabulary(),
        lead="The classes and properties of `brain:` that the data of this service uses beside standard vocabularies.",
    )


def claim_on(context: PageContext, request: PageRequest) -> TemplateResponse:
    """A claim on a day, by the address of an evaluation that needs no stored run."""
    return claim_page.page(context, replace(request, query=(*request.query, ("as_of", request.parts["day"]))))


def _linked_data(context: PageContext, request: PageRequest) -> LinkedData:
    return LinkedData(context.brain, request.site or None)


_HIDDEN = frozenset({"type", "identifier", "title", "label"})
"""Names of facts that repeat what the head of a page says."""


def _response(
    request: PageRequest, kind: str, linked: LinkedData, iri: Iri, triples: Triples, **model: object
) -> TemplateResponse:
    path = "/" + iri.value.removeprefix(linked.names.base)
    known = sections(iri, triples, linked.names)
    shown: dict[str, object] = {
        "title": title_of(iri, triples),
        "lead": "",
        "facts": _facts(known.pop("")),
        "entries": _entries(known) if "facts" not in model else (),
        "text": None,
        "claims": (),
        "see": (),
    }
    forms = [(name, f"{path}?format={form}") for name, form in FORMS]
    return page_of("definition.html", kind=kind, forms=forms, request=request, **{**shown, **model})


def _facts(known: Mapping[str, list[tuple[str, str | None]]]) -> Facts:
    return [(name, values) for name, values in known.items() if name not in _HIDDEN]


def _entries(known: Sections) -> Iterable[tuple[str, str, str, Facts]]:
    """The parts of a thing: the anchor, the name, what it means, and the other facts."""
    for anchor, facts in known.items():
        kinds = ", ".join(text.rpartition(":")[2] for text, _ in facts.get("type", ()))
        meaning = " ".join(text for text, _ in facts.get("comment", ()))
        rest = [(name, values) for name, values in _facts(facts) if name != "comment"]
        yield anchor, kinds, meaning, rest
