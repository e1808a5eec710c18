"""Finds short texts by words: the names of things that are not nodes, and what else is known of them.

    typed ─▶ words ─▶ entries that have all of them ─▶ level of each

A level says how well an entry matches; lower is better: `EXACT`, `BEGINS`, `NAMED`, `MENTIONED`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from graph.search.query_language import ParsedQuery, Prefix
from graph.search.tokenizer import COMMON, fold, split, stem, stems, words

EXACT, BEGINS, NAMED, MENTIONED = range(4)
"""The name is the query; it begins with the query; it has all its words; other text of the entry has them."""

MOST_WORDS = 12
"""How many words of a query are compared."""


class NameMatch(NamedTuple):
    """An entry by its number, and how well it matches."""

    level: int
    number: int


class NameWords(NamedTuple):
    """The words of a query that an entry must have; `open` if the last one may be the beginning of a word."""

    words: tuple[str, ...]
    open: bool = False


def typed_words(typed: str) -> NameWords:
    """The words of a text that is still being typed: the last one may go on, so it counts even if it is common."""
    found = split(typed)
    if not found or typed[-1].isspace():
        return NameWords(_telling(found))
    before = [word for word in _telling(found[:-1]) if fold(word) not in COMMON]
    return NameWords((*dict.fromkeys(before), found[-1]), open=True)


def query_words(query: ParsedQuery) -> NameWords:
    """The required words of a parsed query; `quant*` is the beginning of a word."""
    wanted = query.required
    found = [word for item in wanted for word in split(item.typed)]
    return NameWords(_telling(found), open=bool(wanted) and isinstance(wanted[-1].text, Prefix))


def _telling(typed: Sequence[str]) -> tuple[str, ...]:
    """The words without common ones, if others remain."""
    telling = tuple(dict.fromkeys(word for word in typed if fold(word) not in COMMON))
    return (telling or tuple(dict.fromkeys(typed)))[:MOST_WORDS]


class NameIndex:
    """Entries of a name and other text each, in memory; immutable, so threads may share it."""

    def __init__(self, entries: Iterable[tuple[Sequence[str], str]], *, by_name: bool = False) -> None:
        """Each entry is its names, the first of which is displayed, and other text that may be searched for.

        `by_name`: the other text alone finds nothing; at least one word must be in the name.
        """
        self._by_name = by_name
        self._names: list[tuple[tuple[str, ...], ...]] = []
        self._named: dict[str, set[int]] = {}
        self._other: dict[str, set[int]] = {}
        self._forms: dict[str, set[str]] = {}
        for number, (names, other) in enumerate(entries):
            self._names.append(tuple(dict.fromkeys(tuple(stems(name)) for name in names)))
            self._add(self._named, words(" ".join(names)), number)
            self._add(self._other, words(other), number)
        self._vocabulary = sorted({*self._named, *self._other})

    def __len__(self) -> int:
        """The number of entries."""
        return len(self._names)

    def _add(self, place: dict[str, set[int]], found: Iterable[str], number: int) -> None:
        for word in found:
            place.setdefault(word, set()).add(number)
            self._forms.setdefault(stem(word), set()).add(word)

    def find(self, wanted: NameWords) -> list[NameMatch]:
        """The entries that have every word, in any form and order, by level; none for no words."""
        if not wanted.words:
            return []
        named, anywhere = self._having(wanted)
        asked = tuple(stem(word) for word in wanted.words)
        begun = fold(wanted.words[-1]) if wanted.open else ""
        levels = [
            NameMatch(min(_level(name, asked, begun) for name in self._names[number]), number) for number in named
        ]
        levels += [NameMatch(MENTIONED, number) for number in anywhere - named]
        return sorted(levels)

    def _having(self, wanted: NameWords) -> tuple[set[int], set[int]]:
        """The entries with all words in the name, and those with all words anywhere."""
        named: set[int] | None = None
        anywhere: set[int] | None = None
        some: set[int] = set()
        last = len(wanted.words) - 1
        for place, word in enumerate(wanted.words):
            forms = list(self._matching(word, begun=wanted.open and place == last))
            here = set[int]().union(*(self._named.get(form, ()) for form in forms))
            both = here.union(*(self._other.get(form, ()) for form in forms))
            named = here if named is None else named & here
            anywhere = both if anywhere is None else anywhere & both
            some |= here
        found = anywhere or set()
        return named or set(), found & some if self._by_name else found

    def _matching(self, word: str, *, begun: bool) -> Iterator[str]:
        """The words of the index that a word means, in any of its forms."""
        yield from self._forms.get(stem(word), ())
        if begun:
            start = fold(word)
            first = bisect_left(self._vocabulary, start)
            yield from takewhile(
                lambda one: one.startswith(start),
                (self._vocabulary[at] for at in range(first, len(self._vocabulary))),
            )


def _level(name: tuple[str, ...], asked: tuple[str, ...], begun: str) -> int:
    """How well a name with all the words matches; `begun` is a last word that may be incomplete."""
    head = name[: len(asked)]
    if head == asked:
        return EXACT if len(name) == len(asked) else BEGINS
    completed = begun and head[:-1] == asked[:-1] and len(head) == len(asked) and head[-1].startswith(begun)
    return BEGINS if completed else NAMED
