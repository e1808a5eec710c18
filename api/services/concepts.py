"""Concepts: the terms that several glossaries define under the same name or as the same thing, as one entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from graph.models.node_models import Kind
from graph.models.query_models import Card
from graph.search.tokenizer import fold


@dataclass(frozen=True, slots=True)
class Concept:
    """A term with the same term in other glossaries; `title` is the name that most of them use."""

    title: str
    terms: tuple[Card, ...]

    @property
    def id(self) -> str:
        """The term whose page shows all definitions, the first of the name."""
        return next(term.id for term in self.terms if term.title == self.title)

    @property
    def glossaries(self) -> tuple[str, ...]:
        """The glossaries that define it, each once."""
        return tuple(dict.fromkeys(term.brain for term in self.terms))


def concepts(cards: Iterable[Card], same: Iterable[tuple[str, str]]) -> tuple[Concept, ...]:
    """The concepts by title; `same` are the pairs of terms that mean the same."""
    terms = {card.id: card for card in cards if card.kind is Kind.TERM}
    groups = {term: [term] for term in terms}
    for one, other in same:
        if one in groups and other in groups and groups[one] is not groups[other]:
            larger, smaller = sorted((groups[one], groups[other]), key=len, reverse=True)
            larger += smaller
            groups.update(dict.fromkeys(smaller, larger))
    joined = {id(group): group for group in groups.values()}.values()
    return tuple(sorted((_concept(terms[term] for term in group) for group in joined), key=_place))


def _concept(terms: Iterable[Card]) -> Concept:
    ordered = tuple(sorted(terms, key=lambda card: card.serial))
    names = Counter(card.title for card in ordered)
    return Concept(names.most_common(1)[0][0], ordered)


def _place(concept: Concept) -> tuple[str, str]:
    return (fold_all(concept.title), concept.terms[0].id)


def fold_all(text: str) -> str:
    """A text without case and accents, for sorting."""
    return " ".join(fold(word) for word in text.split())
