"""Spelling suggestions from a vocabulary that is asked often: letters rule out most of its words first.

Each edit of a word changes its length by at most one, and takes at most one letter away or adds one. So a word with
more other letters than edits are allowed is not similar, and arrays tell that of all words at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graph.search.spelling import NEAR, most_similar
from graph.search.tokenizer import fold


class _Letters(NamedTuple):
    """The words, how long each is, and its letters as bits of a number; letters may share a bit."""

    words: list[str]
    lengths: NDArray[np.int64]
    masks: NDArray[np.uint64]


class SimilarWords:
    """A vocabulary with the number of nodes that have each word. Threads may share it."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts = counts

    def nearest(self, word: str) -> str | None:
        """As `spelling.nearest`."""
        asked = fold(word)
        if asked in self._counts:
            return None
        return most_similar(word, self._likely(asked), self._counts.__getitem__) if len(asked) >= 3 else None

    def _likely(self, asked: str) -> list[str]:
        """The words that may be similar, in the order of the vocabulary."""
        words, lengths, masks = self._letters
        own = _masks(asked, np.zeros(1, dtype=np.int64))
        edits = (np.maximum(lengths, len(asked)) * (1 - NEAR) + 1e-6).astype(np.int64)
        likely = np.bitwise_count(own & ~masks) <= edits
        likely &= np.bitwise_count(masks & ~own) <= edits
        likely &= np.abs(lengths - len(asked)) <= edits
        return [words[place] for place in np.flatnonzero(likely).tolist()]

    @cached_property
    def _letters(self) -> _Letters:
        """Made for the first word; threads that make it at the same time make the same."""
        words = list(filter(None, self._counts))
        lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
        return _Letters(words, lengths, _masks("".join(words), lengths.cumsum() - lengths))


def _masks(letters: str, starts: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The letters of each word of a text, where the words begin at `starts`."""
    if not len(starts):
        return np.zeros(0, dtype=np.uint64)
    codes = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    bits: NDArray[np.uint64] = np.bitwise_or.reduceat(np.uint64(1) << (codes & np.uint64(63)), starts)
    return bits
