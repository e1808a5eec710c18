"""Similarity of a few words to each of many texts: the evidence that resolves markers to their targets."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SATURATION = 2.0
"""A word used this often in a text counts half of what it can count at most."""

SMALLEST_SPREAD = 0.08
"""Of the score that a text with all the words would have: below it, differences between texts are noise."""


class TextCorpus:
    """Texts as weighted words, indexed by word; a rare word weighs more than a frequent one.

    Only the words of `queried` are indexed.
    """

    def __init__(self, texts: Sequence[Mapping[str, int]], queried: Collection[str]) -> None:
        self.size = len(texts)
        rows: dict[str, list[int]] = {}
        counts: dict[str, list[float]] = {}
        for row, text in enumerate(texts):
            for word in text.keys() & queried:
                count = text[word]
                rows.setdefault(word, []).append(row)
                counts.setdefault(word, []).append(count / (count + SATURATION))
        self._rows = {word: np.array(found, dtype=np.int64) for word, found in rows.items()}
        self._counts = {word: np.array(found, dtype=np.float64) for word, found in counts.items()}

    def rarity(self, word: str) -> float:
        """The inverse document frequency, 0 for a word that every text has or none."""
        rows = self._rows.get(word)
        return 0.0 if rows is None else math.log((self.size + 0.5) / (len(rows) + 0.5))

    def similarities(self, words: Mapping[str, float]) -> Floats:
        """For each text how far it is above the mean similarity, in standard deviations."""
        scores = np.zeros(self.size)
        most = 0.0
        for word, weight in words.items():
            rarity = self.rarity(word)
            if rarity > 0:
                scores[self._rows[word]] += weight * rarity * self._counts[word]
                most += weight * rarity
        spread = max(float(scores.std()), SMALLEST_SPREAD * most, 1e-12)
        return np.asarray((scores - scores.mean()) / spread)


def choice(similarities: Floats, sharpness: float, doubt: float) -> Floats:
    """Log-probability of each text for a marker with this similarity; `doubt` is the share of markers without clue."""
    shifted = similarities * sharpness
    shifted = np.exp(shifted - shifted.max())
    return np.asarray(np.log((1 - doubt) * shifted / shifted.sum() + doubt / len(similarities)))
