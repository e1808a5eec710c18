"""Completion: tags, terms and titles with a word that begins with the typed text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from graph.models.query_models import Card, FacetCount
from graph.search.search_models import Completion
from graph.search.tokenizer import words
from graph.values import slim

SCANNED = 3000
"""Maximum number of entries examined for one answer."""

_ORDER = {"tag": 0, "term": 1, "title": 2}


class Completer:
    """Completes typed text; built at the first question, once for a version of the graph."""

    def __init__(self, tags: Sequence[FacetCount], terms: Sequence[tuple[str, str]], cards: Sequence[Card]) -> None:
        self._tags, self._terms, self._cards = tags, terms, cards

    @cached_property
    def _entries(self) -> list[Completion]:
        return [*_tags(self._tags), *_terms(self._terms), *_titles(self._cards)]

    @cached_property
    def _keys(self) -> list[tuple[str, int, int]]:
        """Where each word of an entry begins, in order; threads that make it at the same time make the same."""
        return sorted(
            (" ".join(parts[start:]), start, number)
            for number, entry in enumerate(self._entries)
            for parts in (words(entry.text),)
            for start in range(len(parts))
        )

    @property
    def terms(self) -> tuple[tuple[str, str], ...]:
        """Every label of a term, once, with the id of the first term that has it."""
        return tuple((one.text, one.node) for one in _terms(self._terms) if one.node)

    def complete(self, typed: str, limit: int = 10) -> tuple[Completion, ...]:
        """At most `limit` completions: those that begin with the typed text, then those with a later word that does."""
        start = " ".join(words(typed))
        if not start:
            return ()
        first = bisect_left(self._keys, (start, -1, -1))
        found: dict[int, int] = {}
        for key, offset, number in self._keys[first : first + SCANNED]:
            if not key.startswith(start):
                break
            found[number] = min(offset, found.get(number, offset))
        ranked = sorted(found, key=lambda number: self._rank(number, found[number]))
        return tuple(self._entries[number] for number in ranked[:limit])

    def merged(self, typed: str, others: Iterable[Completion], limit: int) -> tuple[Completion, ...]:
        """As `complete`, with completions of another completer among them."""
        start = " ".join(words(typed))
        found = [*self.complete(typed, limit), *others]
        return tuple(
            sorted(found, key=lambda one: _order(one, not " ".join(words(one.text)).startswith(start)))[:limit]
        )

    def _rank(self, number: int, offset: int) -> tuple[bool, int, int, int, str]:
        return _order(self._entries[number], offset > 0)


def _order(entry: Completion, later: bool) -> tuple[bool, int, int, int, str]:
    return (later, _ORDER[entry.kind], -entry.count, len(entry.text), entry.text)


def _tags(tags: Iterable[FacetCount]) -> Iterator[Completion]:
    for tag in tags:
        insert = f'tag:"{tag.value}"' if " " in tag.value else f"tag:{tag.value}"
        yield Completion(kind="tag", text=tag.value, insert=insert, count=tag.count)


def _terms(terms: Iterable[tuple[str, str]]) -> Iterator[Completion]:
    """One entry for each name, even if several glossaries have it."""
    seen: dict[str, str] = {}
    for name, node in terms:
        seen.setdefault(name, node)
    return (Completion(kind="term", text=name, insert=_quoted(name), node=node) for name, node in seen.items())


def _titles(cards: Iterable[Card]) -> Iterator[Completion]:
    return (slim(Completion(kind="title", text=card.title, insert=_quoted(card.title), node=card.id)) for card in cards)


def _quoted(text: str) -> str:
    inside = text.replace('"', " ")
    return f'"{inside}"' if " " in inside else inside
