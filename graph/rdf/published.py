"""The files that the vocabulary is published in: the ontology at `ns`, and the SHACL shapes of an export.

Both are Turtle with addresses relative to the base, so that one file serves every base.
"""

from __future__ import annotations

from importlib.resources import files

from graph.rdf.names import Names


def ontology(names: Names) -> bytes:
    """The `brain:` vocabulary as Turtle, to be served where the IRIs of its terms lead."""
    return _based("ontology.ttl", names)


def shapes(names: Names) -> bytes:
    """The SHACL shapes that a whole export has, as Turtle."""
    return _based("shapes.ttl", names)


def _based(file: str, names: Names) -> bytes:
    text = files("graph.rdf").joinpath(file).read_text("utf-8")
    return f"@base <{names.base}> .\n{text}".encode()
