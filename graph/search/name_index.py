"""Finds short texts by words: the names of things that are not nodes, and what else is known of them.

    typed ─▶ words ─▶ entries that have all of them ─▶ level of each

A level says how well an entry matches; lower is better: `EXACT`, `BEGINS`, `NAMED`, `MENTIONED`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
        self._entries = [
            _Entry([stems(name) for name in dict.fromkeys(names)], _spaced(" ".join(names)), _spaced(other))
            for names, other in entries
        ]

    def __len__(self) -> int:
        """The number of entries."""
        return len(self._entries)

    def find(self, wanted: NameWords) -> list[NameMatch]:
        """The entries that have every word, in any form and order, by level; none for no words."""
        if not wanted.words:
            return []
        asked = [stem(word) for word in wanted.words]
        begun = fold(wanted.words[-1]) if wanted.open else ""
        signs = [(f" {one} ",) for one in asked[:-1]]
        last = (f" {asked[-1]} ", f" {begun}") if begun else (f" {asked[-1]} ",)
        levels = (
            (self._level(entry, asked, begun, (*signs, last)), number) for number, entry in enumerate(self._entries)
        )
        return sorted(NameMatch(level, number) for level, number in levels if level is not None)

    def _level(self, entry: _Entry, asked: list[str], begun: str, signs: Sequence[tuple[str, ...]]) -> int | None:
        named = [any(sign in entry.named for sign in either) for either in signs]
        if all(named):
            return min(_level(name, asked, begun) for name in entry.names)
        if self._by_name and not any(named):
            return None
        missing = (either for either, here in zip(signs, named, strict=True) if not here)
        return MENTIONED if all(any(sign in entry.other for sign in either) for either in missing) else None


class _Entry(NamedTuple):
    """The stems of each name; the words of the names and of the other text, each as written and as a stem."""

    names: list[list[str]]
    named: str
    other: str


def _spaced(text: str) -> str:
    return f" {' '.join((*words(text), *stems(text)))} "


def _level(name: list[str], asked: list[str], begun: str) -> int:
    """How well a name with all the words matches; `begun` is a last word that may be incomplete."""
    head = name[: len(asked)]
    if head == asked:
        return EXACT if len(name) == len(asked) else BEGINS
    completed = begun and head[:-1] == asked[:-1] and len(head) == len(asked) and head[-1].startswith(begun)
    return BEGINS if completed else NAMED
