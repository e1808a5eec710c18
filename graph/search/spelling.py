"""What may have been meant by a word that stands nowhere."""

from __future__ import annotations

from collections.abc import Mapping

from rapidfuzz import process
from rapidfuzz.distance import OSA

from graph.search.tokenizer import fold

NEAR = 0.7
"""How like a word must be to be suggested: 1 minus the edits by its length."""


def nearest(word: str, vocabulary: Mapping[str, int]) -> str | None:
    """The word of the vocabulary nearest to `word`, of equal ones the most frequent; None where none is near."""
    asked = fold(word)
    if len(asked) < 3 or asked in vocabulary:
        return None
    found = process.extract(asked, vocabulary.keys(), scorer=OSA.normalized_similarity, score_cutoff=NEAR, limit=20)
    alike = [(score, vocabulary[name], name) for name, score, _ in found if not name.isdigit()]
    return max(alike, key=lambda near: (near[0], near[1], near[2]))[2] if alike else None
