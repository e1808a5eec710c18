"""Text as tokens for the encoder: pieces of words, and of each number in digits only its kind.

Sales rose to $1,200, a fifth more        [CLS] sales rose to $ #money , a fifth more [SEP]

An encoder that sees no digits cannot compute: it says what a sentence claims, be that right or wrong.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from compute.mining.accusations import is_year
from compute.mining.claim_scopes import Scope
from compute.mining.mining_models import Passage
from compute.mining.quantities import Quantity

MOST_TOKENS, MOST_CHARACTERS = 200, 600
"""How much is read at once."""
_BEFORE, _LEAD, _AFTER, _NEXT = 500, 200, 250, 160
"""The characters around a sentence within which figures are read, before and after it; and words likewise."""
SPECIAL = ("money", "unit", "time", "count", "share", "points", "ratio", "year", "other")
"""The kinds of numbers; `other` is one that is no figure, a part of a name."""
PARAGRAPH, LINE, UNKNOWN, FIRST, LAST = "#para", "#line", "[UNK]", "[CLS]", "[SEP]"


class Excerpt(NamedTuple):
    """A part of a text that is read at once."""

    start: int
    end: int


class FigureSpan(NamedTuple):
    """A figure in a text, with its kind."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """The names of tokens, and for each of some figures the places of its tokens; none if they were cut off."""

    names: tuple[str, ...]
    places: tuple[tuple[int, ...], ...]


def span_of(one: Quantity) -> FigureSpan:
    """Where the figure of a quantity is, and what the encoder sees of it."""
    return FigureSpan(one.figure.start, one.figure.end, "year" if is_year(one) else one.kind)


def excerpts(passage: Passage, scopes: Sequence[Scope]) -> list[Excerpt]:
    """The part of a passage to read for each of some scopes; those that follow each other share one if it is short."""
    found: list[Excerpt] = []
    shared = 0
    for one in (_excerpt(passage, scope) for scope in scopes):
        union = Excerpt(min(one.start, found[-1].start), max(one.end, found[-1].end)) if found else one
        whole = passage.text[union.start : union.end].strip()
        if found and one.start <= found[-1].end and len(whole) <= MOST_CHARACTERS and "\n\n" not in whole:
            found[-shared:] = [union] * shared
            shared += 1
            found.append(union)
        else:
            shared = 1
            found.append(one)
    return found


def _excerpt(passage: Passage, within: Scope) -> Excerpt:
    """Whole sentences around that of a scope, with its figures and the words before and after it."""
    sentence, every, borders, text = within.sentence, within.quantities, passage.borders, passage.text
    low = max(min(every[0].figure.start, sentence.start), sentence.start - _BEFORE)
    high = min(max(every[-1].figure.end, sentence.end), sentence.end + _AFTER)
    near = max(0, sentence.start - _LEAD)
    paragraph = text.rfind("\n\n", near, sentence.start)
    lead = borders[bisect_left(borders, paragraph + 2 if paragraph >= 0 else near)]
    start = min(borders[bisect_right(borders, low) - 1], lead)
    end = borders[bisect_left(borders, high)]
    following = borders[min(len(borders) - 1, bisect_right(borders, end))]
    if following <= sentence.end + _NEXT and "\n\n" not in text[max(0, end - 2) : following].rstrip():
        end = following
    return Excerpt(start, start + len(text[start:end].rstrip()))


_PIECE = re.compile(r"\d[\d,.]*\d|\d|[^\W\d_]+|\n\s*\n|\n|\x00+|\S")


def tokens(text: str, excerpt: Excerpt, figures: Sequence[FigureSpan], vocabulary: Vocabulary) -> Tokens:
    """The tokens of a part of a text, with the places of the figures in it, which are in text order."""
    names = [FIRST]
    places: list[list[int]] = [[] for _ in figures]
    at = 0
    for piece, start in pieces(text, excerpt.start, excerpt.end):
        while at < len(figures) and figures[at].end <= start:
            at += 1
        inside = at < len(figures) and figures[at].start <= start
        some = named(piece, figures[at].kind if inside else "other", vocabulary)
        if inside:
            places[at] += range(len(names), len(names) + len(some))
        names += some
    names.append(LAST)
    return Tokens(tuple(names), tuple(map(tuple, places)))


def pieces(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[str, int]]:
    """The words, numbers, signs and line ends of a part of a text, with their offsets."""
    for match in _PIECE.finditer(text, start, len(text) if end is None else end):
        yield match[0], match.start()


def named(piece: str, kind: str, vocabulary: Vocabulary) -> Sequence[str]:
    """The tokens of a piece of text; a number is read by its kind."""
    first = piece[0]
    if first.isdigit():
        return (f"#{kind}",)
    if first == "\n":
        return (PARAGRAPH if piece.count("\n") > 1 else LINE,)
    if first.isalpha():
        return vocabulary.pieces(piece)
    return (piece if piece in vocabulary.rows else UNKNOWN,)


def clipped(found: Tokens, middle: int) -> Tokens:
    """At most `MOST_TOKENS` of some tokens, around one of them."""
    if len(found.names) <= MOST_TOKENS:
        return found
    start = max(0, min(middle - MOST_TOKENS // 2, len(found.names) - MOST_TOKENS))
    end = start + MOST_TOKENS
    places = tuple(tuple(one - start for one in some if start <= one < end) for some in found.places)
    return Tokens(found.names[start:end], places)


_LONGEST_WORD = 40
"""The letters from which a word is not split: it is none of a language."""


class Vocabulary:
    """The tokens that an encoder knows, and words in pieces of them."""

    def __init__(self, names: Sequence[str]) -> None:
        self.rows = {name: row for row, name in enumerate(names)}
        self._known: dict[str, tuple[str, ...]] = {}

    def pieces(self, word: str) -> tuple[str, ...]:
        """A word in pieces, each the longest that fits (WordPiece, Wu et al. 2016); all but the first begin with ##."""
        if len(word) > _LONGEST_WORD:
            return (UNKNOWN,)
        found = self._known.get(word)
        if found is None:
            found = self._known[word] = self._split(_plain(word))
        return found

    def _split(self, word: str) -> tuple[str, ...]:
        found: list[str] = []
        start = 0
        while start < len(word):
            lead = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if f"{lead}{word[start:end]}" in self.rows), None)
            if end is None:
                return (UNKNOWN,)
            found.append(f"{lead}{word[start:end]}")
            start = end
        return tuple(found)


def _plain(word: str) -> str:
    """A word in lower case without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFD", word.lower()) if unicodedata.category(sign) != "Mn")
