"""Tags: how a line of them is split, and how they are normalized.

#prompt-caching#batch-pricing      marks divide them
modeleconomicscapexgpu             no marks: the document's own vocabulary divides them
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping

_EDGES = " \t\r\n.,;:!?#\"'“”‘’()[]{}*_`·•|"
_SEPARATORS = re.compile(r"[\s,;|·•]+")

LONGEST = 2000  # maximum length of a word to divide
SHORTEST_WORD = 3  # minimum length of a word inside longer tags for it to divide a header


def normal(tag: str) -> str:
    """A tag as stored: NFKC, in lower case (not folded: *Maß* is not *mass*), words joined by hyphens."""
    tag = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", tag).lower()).strip(_EDGES)
    return re.sub(r"[\s_-]+", "-", tag).strip("-" + _EDGES)


def split_tags(line: str) -> tuple[str, ...]:
    """The tags of a line, each once, in order."""
    return _normalized(line.split("#") if "#" in line else _SEPARATORS.split(line))


def _normalized(pieces: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for tag in map(normal, pieces) if tag))


def header_tags(line: str, vocabulary: Mapping[str, int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tags of a header, and those that `vocabulary` (tags and counts) cannot divide."""
    if "#" in line:
        return split_tags(line), ()
    tags = _normalized(part for word in _SEPARATORS.split(line) for part in divided(word, vocabulary) or (word,))
    words = {word for known in vocabulary for word in known.split("-")}
    return tags, tuple(tag for tag in tags if tag not in vocabulary and tag not in words)


def divided(word: str, vocabulary: Mapping[str, int]) -> tuple[str, ...]:
    """`word` as the fewest and most used known tags; empty if impossible."""
    text, costs = normal(word), _costs(vocabulary)
    if len(text) > LONGEST:
        return ()
    longest = max(map(len, costs), default=0)
    best: list[tuple[float, tuple[str, ...]]] = [(0.0, ()), *[(math.inf, ())] * len(text)]
    for end in range(1, len(text) + 1):
        for begin in range(max(0, end - longest), end):
            (before, pieces), piece = best[begin], text[begin:end]
            cost = before + costs.get(piece, math.inf)
            if cost < best[end][0]:
                best[end] = (cost, (*pieces, piece))
    return best[-1][1]


def _costs(vocabulary: Mapping[str, int]) -> dict[str, float]:
    """The cost of each known piece: 1 for tags, 2 for words inside."""
    costs: dict[str, float] = {}
    for tag, count in vocabulary.items():
        for word in tag.split("-"):
            if len(word) >= SHORTEST_WORD:
                costs[word] = min(costs.get(word, 9.0), 2.0 - 0.01 * math.log1p(count))
    costs |= {tag: 1.0 - 0.01 * math.log1p(count) for tag, count in vocabulary.items() if tag}
    return costs
