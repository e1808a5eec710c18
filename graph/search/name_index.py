"""Finds things that are not nodes by the words of their names and of other short texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from graph.search.query_language import ParsedQuery, Prefix
from graph.search.tokenizer import COMMON, fold, split, stem, stems, words

EXACT, BEGINS, NAMED, MENTIONED = range(4)
"""How an entry matches, the best first: a name is the query, begins with it, has all words, or other text does."""

MOST_WORDS = 12  # maximum words of a query that are compared


Thing = TypeVar("Thing")


class NameWords(NamedTuple):
    """The words of a query; `open` if the last one may be the start of a word."""

    words: tuple[str, ...]
    open: bool = False


def typed_words(typed: str) -> NameWords:
    """The words of a text being typed; the last one may be incomplete, so it counts even if it is common."""
    found = split(typed)
    if not found or typed[-1].isspace():
        return NameWords(_telling(found))
    before = [word for word in _telling(found[:-1]) if fold(word) not in COMMON]
    return NameWords((*dict.fromkeys(before), found[-1]), open=True)


def query_words(query: ParsedQuery) -> NameWords:
    """The required words of a query; `quant*` is the start of a word."""
    wanted = query.required
    found = [word for item in wanted for word in split(item.typed)]
    return NameWords(_telling(found), open=bool(wanted) and isinstance(wanted[-1].text, Prefix))


def _telling(typed: Sequence[str]) -> tuple[str, ...]:
    """Words without common ones, if others remain."""
    telling = tuple(dict.fromkeys(word for word in typed if fold(word) not in COMMON))
    return (telling or tuple(dict.fromkeys(typed)))[:MOST_WORDS]


class NameTable(Generic[Thing]):
    """Things of one kind with an index of their names; immutable, so threads may share it."""

    def __init__(
        self, things: Iterable[Thing], names: Callable[[Thing], tuple[Sequence[str], str]], *, by_name: bool = False
    ) -> None:
        """`names` gives the names of a thing and other text; `by_name`: at least one word must be in a name."""
        self.things, self._by_name = tuple(things), by_name
        self._entries = [
            _Entry([stems(name) for name in dict.fromkeys(named)], _spaced(" ".join(named)), _spaced(other))
            for named, other in map(names, self.things)
        ]

    def find(self, wanted: NameWords, unwanted: Iterable[NameWords] = ()) -> list[tuple[int, Thing]]:
        """The things with all wanted words and not all words of an unwanted text, with their levels."""
        left_out = {number for words in unwanted for _, number in self._matches(words)}
        return [(level, self.things[number]) for level, number in self._matches(wanted) if number not in left_out]

    def _matches(self, wanted: NameWords) -> list[tuple[int, int]]:
        """Level and number of things with every word, in any form and order, by level; none without words."""
        if not wanted.words:
            return []
        asked = [stem(word) for word in wanted.words]
        begun = fold(wanted.words[-1]) if wanted.open else ""
        signs = [(f" {one} ",) for one in asked[:-1]]
        last = (f" {asked[-1]} ", f" {begun}") if begun else (f" {asked[-1]} ",)
        levels = (
            (self._level(entry, asked, begun, (*signs, last)), number) for number, entry in enumerate(self._entries)
        )
        return sorted((level, number) for level, number in levels if level is not None)

    def _level(self, entry: _Entry, asked: list[str], begun: str, signs: Sequence[tuple[str, ...]]) -> int | None:
        named = [any(sign in entry.named for sign in either) for either in signs]
        if all(named):
            return min(_level(name, asked, begun) for name in entry.names)
        if self._by_name and not any(named):
            return None
        missing = (either for either, here in zip(signs, named, strict=True) if not here)
        return MENTIONED if all(any(sign in entry.other for sign in either) for either in missing) else None


class _Entry(NamedTuple):
    """Stems of each name; words of the names and of the other text, unchanged and stemmed."""

    names: list[list[str]]
    named: str
    other: str


def _spaced(text: str) -> str:
    return f" {' '.join((*words(text), *stems(text)))} "


def _level(name: list[str], asked: list[str], begun: str) -> int:
    """The level of a name with all words; `begun` is a last word that may be incomplete."""
    head = name[: len(asked)]
    if head == asked:
        return EXACT if len(name) == len(asked) else BEGINS
    completed = begun and head[:-1] == asked[:-1] and len(head) == len(asked) and head[-1].startswith(begun)
    return BEGINS if completed else NAMED
