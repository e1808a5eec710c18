"""Tags: how a line of them is split, and how they are normalized.

#prompt-caching#batch-pricing      marks divide them
modeleconomicscapexgpu             no marks: the document's own vocabulary divides them
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Mapping

_EDGES = " \t\r\n.,;:!?#\"'“”‘’()[]{}*_`·•|"
_SEPARATORS = re.compile(r"[\s,;|·•]+")

LONGEST = 2000  # maximum length of a word to divide
SHORTEST_WORD = 3  # minimum length of a word inside longer tags for it to divide a header


def normal(tag: str) -> str:
    """A tag as stored: NFKC, in lower case (not folded: *Maß* is not *mass*), words joined by hyphens."""
    tag = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", tag).lower()).strip(_EDGES)
    return re.sub(r"[\s_-]+", "-", tag).strip("-" + _EDGES)


def split_tags(line: str, vocabulary: Collection[str] = frozenset()) -> tuple[str, ...]:
    """The tags of a line, each once, in order; without a `#`, `vocabulary` (may be counts) divides joined words."""
    if "#" in line:
        pieces = line.split("#")
    else:
        pieces = [part for word in _SEPARATORS.split(line) for part in divided(word, vocabulary) or (word,)]
    return tuple(dict.fromkeys(tag for tag in map(normal, pieces) if tag))


def header_tags(line: str, vocabulary: Mapping[str, int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tags of a header, and those that `vocabulary`, the counts of the document's tags, cannot divide."""
    tags = split_tags(line, vocabulary)
    words = {word for known in vocabulary for word in known.split("-")}
    unknown = (tag for tag in tags if tag not in vocabulary and tag not in words)
    return tags, () if "#" in line else tuple(unknown)


def divided(word: str, vocabulary: Collection[str]) -> tuple[str, ...]:
    """`word` as a sequence of known tags, the fewest and most used ones; empty if there is none."""
    text = normal(word)
    if not text or len(text) > LONGEST or not vocabulary:
        return ()
    costs = _costs(vocabulary)
    longest = max(map(len, costs))
    best: list[tuple[float, tuple[str, ...]] | None] = [(0.0, ()), *[None] * len(text)]
    for end in range(1, len(text) + 1):
        for begin in range(max(0, end - longest), end):
            before, piece = best[begin], text[begin:end]
            if before is not None and piece in costs:
                cost = before[0] + costs[piece]
                here = best[end]
                if here is None or cost < here[0]:
                    best[end] = (cost, (*before[1], piece))
    found = best[-1]
    return found[1] if found else ()


def _costs(vocabulary: Collection[str]) -> dict[str, float]:
    """The cost of each known piece: about 1 for a tag, 2 for a word inside tags, less if frequent."""
    counts = dict(vocabulary) if isinstance(vocabulary, Mapping) else dict.fromkeys(vocabulary, 1)
    costs: dict[str, float] = {}
    for tag, count in counts.items():
        for word in tag.split("-"):
            if len(word) >= SHORTEST_WORD:
                costs[word] = min(costs.get(word, 9.0), 2.0 - 0.01 * math.log1p(count))
    for tag, count in counts.items():
        costs[tag] = 1.0 - 0.01 * math.log1p(count)
    costs.pop("", None)
    return costs or {"\x00": 9.0}
