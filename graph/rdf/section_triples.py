"""Triples as sections of names and values for a page: the resource first, then its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pyoxigraph import Literal, NamedNode, Triple

from graph.rdf.iris import IriFactory

Sections = dict[str, dict[str, list[tuple[str, str | None]]]]
"""A subject, as the fragment of its IRI, to its properties in words, to their values: texts with their links."""


def sections(thing: NamedNode, triples: Iterable[Triple], names: IriFactory) -> Sections:
    """The resource and its parts, whose IRIs are fragments of its own, in the order of the triples."""
    told: Sections = {"": {}}
    for triple in triples:
        subject = triple.subject.value if isinstance(triple.subject, NamedNode) else ""
        if subject == thing.value or subject.startswith(thing.value + "#"):
            facts = told.setdefault(subject.removeprefix(thing.value).removeprefix("#"), {})
            words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", _local(triple.predicate)).lower()  # as `was derived from`
            facts.setdefault(words, []).append(_shown(triple.object, names))
    return told


def title_of(thing: NamedNode, triples: Iterable[Triple]) -> str:
    """The title of a resource; the end of its IRI if it has none."""
    titles = (t.object for t in triples if t.subject == thing and t.predicate.value.endswith(("/title", "/name")))
    return next((title.value for title in titles if isinstance(title, Literal)), None) or _local(thing)


def _local(term: NamedNode) -> str:
    return re.split(r"[/#]", term.value.rstrip("/"))[-1]


def _shown(term: object, names: IriFactory) -> tuple[str, str | None]:
    """A text, and its link; a term of a known vocabulary has its prefix, as `owl:Class`."""
    if not isinstance(term, NamedNode):
        return term.value if isinstance(term, Literal) else str(term), None
    iri, path = term.value, term.value.removeprefix(names.base)
    link = f"/{path}" if path != iri else iri if iri.startswith(("http://", "https://")) else None
    for prefix, space in {**names.prefixes, "owl": "http://www.w3.org/2002/07/owl#"}.items():
        if iri.startswith(space) and re.fullmatch(r"[A-Za-z]\w*", iri.removeprefix(space)):
            return f"{prefix}:{iri.removeprefix(space)}", link
    return path or names.base, link
