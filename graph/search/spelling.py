"""Spelling suggestions for a word that does not occur."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from rapidfuzz import process
from rapidfuzz.distance import OSA

from graph.search.tokenizer import fold

NEAR = 0.7
"""Minimum similarity of a suggestion: 1 minus the number of edits divided by the length."""


def nearest(word: str, vocabulary: Mapping[str, int]) -> str | None:
    """The word of the vocabulary most similar to `word`, the most frequent of equal ones; None if none is similar."""
    return None if fold(word) in vocabulary else most_similar(word, vocabulary.keys(), vocabulary.__getitem__)


def most_similar(word: str, vocabulary: Collection[str], count: Callable[[str], int]) -> str | None:
    """As `nearest`, with a function that counts the nodes of a word; a word that no node has is left out."""
    asked = fold(word)
    if len(asked) < 3:
        return None
    found = process.extract(asked, vocabulary, scorer=OSA.normalized_similarity, score_cutoff=NEAR, limit=20)
    alike = [(score, often, name) for name, score, _ in found if not name.isdigit() and (often := count(name))]
    return max(alike)[2] if alike else None
