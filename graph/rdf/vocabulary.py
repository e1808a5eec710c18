"""The vocabularies of the export, and their prefixes."""

from __future__ import annotations

from pyoxigraph import NamedNode

from graph.models.cito_properties import CITO_PROPERTIES


class Namespace:
    """Terms of one vocabulary by attribute: `SKOS.prefLabel`; a name that is a Python word by item: `PROV["used"]`."""

    def __init__(self, iri: str) -> None:
        self.iri = iri

    def __getattr__(self, local: str) -> NamedNode:
        self.__dict__[local] = term = NamedNode(self.iri + local)  # cached
        return term

    def __getitem__(self, local: str) -> NamedNode:
        found: NamedNode = getattr(self, local)
        return found


RDF = Namespace("http://www.w3.org/1999/02/22-rdf-syntax-ns#")
RDFS = Namespace("http://www.w3.org/2000/01/rdf-schema#")
XSD = Namespace("http://www.w3.org/2001/XMLSchema#")
SKOS = Namespace("http://www.w3.org/2004/02/skos/core#")
DCTERMS = Namespace("http://purl.org/dc/terms/")
PROV = Namespace("http://www.w3.org/ns/prov#")
CITO = Namespace("http://purl.org/spar/cito/")
SCHEMA = Namespace("https://schema.org/")
OA = Namespace("http://www.w3.org/ns/oa#")
NP = Namespace("http://www.nanopub.org/nschema#")

STANDARD = {
    "rdf": RDF,
    "rdfs": RDFS,
    "xsd": XSD,
    "skos": SKOS,
    "dcterms": DCTERMS,
    "prov": PROV,
    "cito": CITO,
    "schema": SCHEMA,
    "oa": OA,
    "np": NP,
}
"""Prefix to vocabulary; the service's own, `brain:`, depends on where it is published (`graph.rdf.iris`)."""


def citing(name: str) -> NamedNode:
    """The CiTO property of that local name, `cito:cites` if CiTO has none."""
    return CITO[name if name in CITO_PROPERTIES else "cites"]
