"""The vocabularies of the graph with their prefixes, and the IRIs of everything in it, below one base.

    nodes/BRAIN/SLUG            #citation-0  #quotation-0  #table-0  #link-HASH
    brains/BRAIN  tags/TAG  sources/WORK  documents/NAME/SHA256
    claims/CLAIM                #given-NAME
    runs/N        runs/N/claims/CLAIM (a verdict)  #rating  #input-NAME  #flip-NAME  #step-1
    snapshots/HASH  prices/ITEM  assumptions/NAME  ns#TERM

Every IRI is plain ASCII, whatever text the id contains: other octets are percent-encoded.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from urllib.parse import quote, urlsplit

from pyoxigraph import NamedNode

from graph.models.link_models import Link

Iri = NamedNode
"""The IRI of a thing."""


class Namespace:
    """Terms of a vocabulary by attribute, `SKOS.prefLabel`, or by item, `PROV["used"]`."""

    def __init__(self, iri: str) -> None:
        self.iri = iri

    def __getattr__(self, local: str) -> NamedNode:
        self.__dict__[local] = term = NamedNode(self.iri + local)  # cached
        return term

    def __getitem__(self, local: str) -> NamedNode:
        found: NamedNode = getattr(self, local)
        return found


STANDARD = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dcterms": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    "cito": "http://purl.org/spar/cito/",
    "schema": "https://schema.org/",
    "oa": "http://www.w3.org/ns/oa#",
    "np": "http://www.nanopub.org/nschema#",
}
"""Prefix to vocabulary; `brain:` depends on where the service is published."""

RDF, RDFS, XSD, SKOS, DCTERMS, PROV, CITO, SCHEMA, OA, NP = map(Namespace, STANDARD.values())

_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_IN_ADDRESSES = ":/?#@!$&'()*+,;=%~"


class BaseError(ValueError):
    """The base is no absolute `http:` or `https:` address, or has a query or fragment."""

    def __init__(self, base: str) -> None:
        super().__init__(f"{base!r} cannot be the base of addresses: expected https://host/ or https://host/path/")


def _room(room: str, keep: str = "") -> Callable[[IriFactory, object], NamedNode]:
    """The method for the IRIs of a kind of thing, by name."""
    return lambda names, name: NamedNode(f"{names.base}{room}/{_quoted(str(name), keep)}")


class IriFactory:
    """The IRIs of one publication of the graph. Raises BaseError if `base` is no absolute web address for paths."""

    node = _room("nodes", keep="/")  # or its tombstone
    brain = _room("brains")  # also the concept scheme of a glossary
    tag = _room("tags")
    source = _room("sources")
    claim = _room("claims")
    run = _room("runs")
    snapshot = _room("snapshots")
    price = _room("prices", keep="/")
    assumption = _room("assumptions")

    def __init__(self, base: str) -> None:
        address = web(base)
        if address is None or set("?#") & set(base):
            raise BaseError(base)
        self.base = address.value.rstrip("/") + "/"
        self.own = Namespace(self.base + "ns#")
        self.prefixes = STANDARD | {"brain": self.own.iri}
        self.tags = NamedNode(self.base + "tags")  # the scheme of all tags
        self.publisher = NamedNode(self.base + "#publisher")  # who runs the service
        self.vocabulary = NamedNode(self.base + "ns")
        self._terms: dict[str, NamedNode] = {}

    def term(self, curie: str) -> NamedNode:
        """A term of a vocabulary: `skos:prefLabel`."""
        if curie not in self._terms:
            prefix, _, local = curie.partition(":")
            self._terms[curie] = NamedNode(self.prefixes[prefix] + local)
        return self._terms[curie]

    def document(self, name: str, sha256: str) -> NamedNode:
        """One version of a document."""
        return NamedNode(f"{self.base}documents/{_quoted(name)}/{_quoted(sha256)}")

    def link(self, edge: Link, *, derived: bool) -> NamedNode:
        """An edge as a part of its subject, identified by its content."""
        return part(
            self.node(edge.subject), "link", digest(24, edge.kind, edge.target, edge.reason, edge.confidence, derived)
        )

    def verdict(self, claim: str, run: int | None, as_of: date) -> NamedNode:
        """The verdict of a run, or for a day if no run has stored it."""
        if run is None:
            return NamedNode(f"{self.claim(claim).value}/on/{as_of.isoformat()}")
        return NamedNode(f"{self.run(run).value}/claims/{_quoted(claim)}")

    def nanopublication(self, claim: str, run: int | None, as_of: date) -> NamedNode:
        """The nanopublication of a verdict."""
        return NamedNode(self.verdict(claim, run, as_of).value + "/nanopub")


def part(whole: NamedNode, kind: str, which: object) -> NamedNode:
    """A part of a resource: `…#citation-3`."""
    return NamedNode(f"{whole.value}#{kind}-{_quoted(str(which))}")


def digest(length: int, *fields: object) -> str:
    """Hexadecimal digits that identify fields."""
    return hashlib.sha256("\x1f".join(map(str, fields)).encode("utf-8", "replace")).hexdigest()[:length]


def web(address: str | None) -> NamedNode | None:
    """An `http:` or `https:` address as an IRI, percent-encoded; None for others."""
    text = re.sub(r"[\x00-\x20\x7f]+", lambda found: "" if found[0].strip(" ") else "%20", (address or "").strip())
    try:
        parts = urlsplit(text)
        if parts.scheme.lower() not in {"http", "https"} or not parts.hostname:
            return None
        written = _STRAY_PERCENT.sub("%25", quote(text, safe=_IN_ADDRESSES, errors="replace"))
        if "[" in parts.netloc:  # an IPv6 address: the only place where brackets are allowed
            written = written.replace("%5B", "[", 1).replace("%5D", "]", 1)
        return NamedNode(written)
    except ValueError:
        return None


@lru_cache(maxsize=20_000)
def _quoted(text: str, keep: str = "") -> str:
    return quote(text, safe=keep, errors="replace")
