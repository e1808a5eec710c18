"""SKOS over all glossaries: labels and relations that do not contradict each other.

S13  prefLabel, altLabel, hiddenLabel of a concept are disjoint
S14  a concept has one prefLabel in each language
S27  related is disjoint with broaderTransitive      `broader` wins
S46  exactMatch is disjoint with broadMatch and relatedMatch      `exactMatch` wins

Beyond SKOS, no two concepts of a glossary share a label: the later of two entries of one name gets the heading above
it as a qualifier; a name of another concept becomes a hiddenLabel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, count

from graph.links.term_hierarchy import Hierarchy, joined_terms
from graph.models.link_models import Link
from graph.models.node_models import Kind, Labels, Node
from graph.store.edge_tables import EdgeTables
from graph.store.node_queries import NodeQueries
from graph.values import Value

EXACT = 0.9  # confidence from which `same_as` is `skos:exactMatch`, not `skos:closeMatch`


class SkosLabels(Value):
    """The labels of a concept."""

    preferred: str
    alternative: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


class Glossaries:
    """Terms in the order of the store, and the edges between them."""

    def __init__(self, terms: Iterable[Node] = (), edges: Iterable[Link] = ()) -> None:
        known = [(node.id, node.brain, _names(node), node.section) for node in terms]
        ids = {term for term, *_ in known}
        joined = [edge for edge in edges if edge.subject in ids and edge.target in ids]
        self._labels = dict(_labels(known))
        self._hierarchy = Hierarchy(joined)
        same = (edge for edge in joined if edge.kind == "same_as" and edge.confidence >= EXACT)
        self._exact = joined_terms(edge for edge in same if _brain(edge.subject) != _brain(edge.target))

    @classmethod
    def of(cls, nodes: NodeQueries, edges: EdgeTables) -> Glossaries:
        """The glossaries of a store."""
        return cls(nodes.all(Kind.TERM), chain(edges.select(kind="broader"), edges.select(kind="same_as")))

    def labels(self, term: Node) -> SkosLabels:
        """The labels of a term."""
        first, *others = _names(term)
        return self._labels.get(term.id) or SkosLabels(preferred=first, alternative=tuple(others))

    def relation(self, edge: Link) -> str | None:
        """The property of an edge between terms; None if stronger edges exclude it."""
        ends = edge.subject, edge.target
        inside = _brain(edge.subject) == _brain(edge.target)
        exact = not inside and edge.target in self._exact.get(edge.subject, ())
        if edge.subject == edge.target:
            return None
        if edge.kind == "same_as":
            return "brain:sameAs" if inside else "skos:exactMatch" if exact else "skos:closeMatch"
        if edge.kind == "broader":
            return "brain:broader" if exact else "skos:broader" if inside else "skos:broadMatch"
        if exact or self._hierarchy.joins(*ends):
            return None
        return "skos:related" if inside else "skos:relatedMatch"


def _brain(term: str) -> str:
    return term.partition("/")[0]


def _names(node: Node) -> tuple[str, ...]:
    return (node.labels or Labels(preferred=node.title)).all() or (node.title,)


def _labels(terms: list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]) -> Iterator[tuple[str, SkosLabels]]:
    """Labels of terms (id, brain, names, headings) whose names are not unique."""
    owners: dict[tuple[str, str], str] = {}
    preferred = {}
    for term, brain, (name, *_), section in terms:
        preferred[term] = free = next(one for one in _spellings(name, section) if (brain, _folded(one)) not in owners)
        owners[brain, _folded(free)] = term
    for term, brain, names, _ in terms:
        others = [name for name in names if name != preferred[term]]
        shown = tuple(name for name in others if owners.setdefault((brain, _folded(name)), term) == term)
        if preferred[term] != names[0] or len(shown) < len(others):
            hidden = tuple(name for name in others if name not in shown)
            yield term, SkosLabels(preferred=preferred[term], alternative=shown, hidden=hidden)


def _spellings(name: str, section: tuple[str, ...]) -> Iterator[str]:
    """The name; with a heading, the nearest first; with a number."""
    yield name
    yield from (f"{name} ({heading})" for heading in reversed(section))
    yield from (f"{name} ({number})" for number in count(2))


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
