"""Spelling suggestions for a word that does not occur."""

from __future__ import annotations

from collections.abc import Mapping

from rapidfuzz import process
from rapidfuzz.distance import OSA

from graph.search.tokenizer import fold

NEAR = 0.7
"""Minimum similarity of a suggestion: 1 minus the number of edits divided by the length."""


def nearest(word: str, vocabulary: Mapping[str, int]) -> str | None:
    """The word of the vocabulary most similar to `word`, the most frequent of equal ones; None if none is similar."""
    asked = fold(word)
    if len(asked) < 3 or asked in vocabulary:
        return None
    found = process.extract(asked, vocabulary.keys(), scorer=OSA.normalized_similarity, score_cutoff=NEAR, limit=20)
    alike = [(score, vocabulary[name], name) for name, score, _ in found if not name.isdigit()]
    return max(alike, key=lambda near: (near[0], near[1], near[2]))[2] if alike else None
