"""The files that the vocabulary is published in: the ontology at `ns`, and the SHACL shapes of an export.

Both are Turtle with addresses relative to the base, so that one file serves every base.
"""

from __future__ import annotations

import json
from importlib.resources import files

from graph.models.claim_models import StatedClaim
from graph.rdf.claim_triples import FURTHER, further
from graph.rdf.iris import IriFactory


def ontology(names: IriFactory) -> bytes:
    """The `brain:` vocabulary as Turtle, to be served at the IRIs of its terms."""
    return _based("ontology.ttl", names) + "".join(map(_property, FURTHER)).encode()


def _property(field: str) -> str:
    """The definition of a property that is made from a field of a claim."""
    name, about = further(field), StatedClaim.model_fields[field].description or "A field of a claim."
    told = json.dumps(about, ensure_ascii=False)
    label = field.replace("_", " ")
    return (
        f"brain:{name} a owl:DatatypeProperty ; rdfs:domain brain:Claim ;"
        f' rdfs:label "{label}" ; rdfs:comment {told} .\n'
    )


def shapes(names: IriFactory) -> bytes:
    """The SHACL shapes of a complete export, as Turtle."""
    return _based("shapes.ttl", names)


def _based(file: str, names: IriFactory) -> bytes:
    text = files("graph.rdf").joinpath(file).read_text("utf-8")
    return f"@base <{names.base}> .\n{text}".encode()
