"""RDF responses: the triples of `api.services.linked_data`, written in the requested format."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from api.http.openapi.discovery import service
from api.http.responses.request_context import Writer
from api.services.linked_data import LinkedData
from graph.models.verdict_models import Run, Verdict
from graph.rdf.claim_triples import claim_review, nanopublication
from graph.rdf.rdf_formats import context_document, shapes, write
from graph.rdf.triples import Triples
from graph.values import dumps

LINKED = ("turtle", "jsonld", "ntriples")
"""The forms of one thing."""


def written(told: LinkedData, triples: Callable[[], Triples]) -> dict[str, Writer]:
    """The RDF formats of a thing; its triples are computed on request."""
    return {form: partial(_written, told, triples, form) for form in LINKED}


def _written(told: LinkedData, triples: Callable[[], Any], form: str) -> bytes:
    return b"".join(write(triples(), form, told.names, told.names.base + "context.jsonld"))


def as_review(told: LinkedData, verdict: Verdict, run: Run) -> dict[str, Writer]:
    """The forms of a verdict: TriG is its nanopublication, JSON-LD its ClaimReview."""
    claim = told.brain.claims.get(verdict.claim)
    place = told.brain.quotes.place(claim)
    return {
        **written(told, lambda: told.verdict(verdict)),
        "jsonld": lambda: dumps(claim_review(verdict, claim, told.names, place)).encode(),
        "trig": partial(_trig, told, verdict, run),
    }


def as_nanopublication(told: LinkedData, verdict: Verdict, run: Run) -> dict[str, Writer]:
    """The forms of a nanopublication: only TriG keeps its graphs separate."""
    merged = written(told, lambda: told.nanopublication(verdict, run))
    return {**merged, "trig": partial(_trig, told, verdict, run)}


def _trig(told: LinkedData, verdict: Verdict, run: Run) -> bytes:
    return b"".join(write(nanopublication(verdict, run, told.names), "trig", told.names))


def service_description(told: LinkedData) -> bytes:
    """What the SPARQL endpoint can do, as Turtle."""
    return service(told.names.base.rstrip("/"))


def shacl(told: LinkedData) -> bytes:
    """The SHACL shapes of a complete export, as Turtle."""
    return shapes(told.names)


def context(told: LinkedData) -> bytes:
    """The JSON-LD context that every JSON-LD answer names."""
    return dumps(context_document(told.names), indent=2).encode()
