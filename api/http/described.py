"""One thing as RDF, for the routes that offer it: the triples of `api.linked`, written in the form that is wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from api.http.answers import Writer
from api.http.discovery import service
from api.linked import NAME, LinkedData
from graph.claims import Run, Verdict
from graph.rdf.formats import write
from graph.rdf.jsonld import context_document
from graph.rdf.nanopubs import nanopublication
from graph.rdf.published import shapes
from graph.rdf.resources import Triples
from graph.rdf.reviews import claim_review
from graph.values import dumps

LINKED = ("turtle", "jsonld", "ntriples")
"""The forms of one thing."""


def written(told: LinkedData, triples: Callable[[], Triples]) -> dict[str, Writer]:
    """The linked forms of a thing; its triples are made when one is asked for, and not before."""
    return {form: partial(_written, told, triples, form) for form in LINKED}


def _written(told: LinkedData, triples: Callable[[], Any], form: str) -> bytes:
    return b"".join(write(triples(), form, told.names, told.names.base + "context.jsonld"))


def as_review(told: LinkedData, verdict: Verdict, run: Run) -> dict[str, Writer]:
    """The forms of a verdict: TriG is its nanopublication, JSON-LD its ClaimReview."""
    claim = told.brain.store.claim(verdict.claim)
    return {
        **written(told, lambda: told.verdict(verdict)),
        "jsonld": lambda: dumps(claim_review(verdict, claim, NAME, told.names)).encode(),
        "trig": partial(_trig, told, verdict, run),
    }


def as_nanopublication(told: LinkedData, verdict: Verdict, run: Run) -> dict[str, Writer]:
    """The forms of a nanopublication: only TriG keeps its graphs apart."""
    merged = written(told, lambda: told.nanopublication(verdict, run))
    return {**merged, "trig": partial(_trig, told, verdict, run)}


def _trig(told: LinkedData, verdict: Verdict, run: Run) -> bytes:
    return b"".join(write(nanopublication(verdict, run, NAME, told.names), "trig", told.names))


def service_description(told: LinkedData) -> bytes:
    """What the SPARQL endpoint can do, as Turtle."""
    return service(told.names.base.rstrip("/"))


def shacl(told: LinkedData) -> bytes:
    """The SHACL shapes of a whole export, as Turtle."""
    return shapes(told.names)


def context(told: LinkedData) -> bytes:
    """The JSON-LD context that every JSON-LD answer names."""
    return dumps(context_document(told.names), indent=2).encode()
