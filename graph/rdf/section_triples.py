"""Triples as sections of names and values for a page: the resource first, then its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pyoxigraph import Literal, NamedNode, Triple

from graph.rdf.iris import IriFactory
from graph.values import Value

OWL = "http://www.w3.org/2002/07/owl#"
"""Only the vocabulary itself has terms of it, so no export declares a prefix."""


class Shown(Value):
    """A value: its text and its link."""

    text: str
    href: str | None = None


class Fact(Value):
    """A property with its values."""

    name: str
    values: tuple[Shown, ...]


class Section(Value):
    """The facts about one subject; `id` is the fragment of its IRI, empty for the resource itself."""

    id: str
    facts: tuple[Fact, ...]


def sections(thing: NamedNode, triples: Iterable[Triple], names: IriFactory) -> tuple[Section, ...]:
    """The resource and its parts, whose IRIs are fragments of its own, in the order of the triples."""
    told: dict[str, dict[str, list[Shown]]] = {thing.value: {}}
    for triple in triples:
        subject = triple.subject.value if isinstance(triple.subject, NamedNode) else ""
        if subject == thing.value or subject.startswith(thing.value + "#"):
            facts = told.setdefault(subject, {})
            facts.setdefault(_words(triple.predicate), []).append(_shown(triple.object, names))
    return tuple(
        Section(
            id=subject.removeprefix(thing.value).removeprefix("#"),
            facts=tuple(Fact(name=name, values=tuple(values)) for name, values in facts.items()),
        )
        for subject, facts in told.items()
    )


def title_of(thing: NamedNode, triples: Iterable[Triple]) -> str:
    """The title of a resource; the end of its IRI if it has none."""
    titles = (t.object for t in triples if t.subject == thing and t.predicate.value.endswith(("/title", "/name")))
    found = next((title.value for title in titles if isinstance(title, Literal)), None)
    return found or re.split(r"[/#]", thing.value.rstrip("/"))[-1]


def _words(term: NamedNode) -> str:
    """The local name of a term as words: `wasDerivedFrom` → `was derived from`."""
    local = re.split(r"[/#]", term.value)[-1]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", local).lower()


def _shown(term: object, names: IriFactory) -> Shown:
    if not isinstance(term, NamedNode):
        return Shown(text=term.value if isinstance(term, Literal) else str(term))
    short = _prefixed(term.value, names)
    if term.value.startswith(names.base):
        path = term.value.removeprefix(names.base)
        return Shown(text=short or path or names.base, href=f"/{path}")
    return Shown(text=short or term.value, href=term.value if term.value.startswith(("http://", "https://")) else None)


def _prefixed(iri: str, names: IriFactory) -> str | None:
    """A term of a known vocabulary with its prefix, as `owl:Class`."""
    spaces = {**names.prefixes, "owl": OWL}
    found = ((prefix, iri.removeprefix(space)) for prefix, space in spaces.items() if iri.startswith(space))
    return next((f"{prefix}:{local}" for prefix, local in found if re.fullmatch(r"[A-Za-z]\w*", local)), None)
