"""The postings of a Whoosh index, and the constants of their scores; without NumPy, for a command that searches once.

BM25: Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), with k1 = 1.2 and b = 0.75.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from whoosh.codec.whoosh3 import W3LeafMatcher

K1 = 1.2
B = 0.75
PHRASE_GAIN = 1.5
"""Weight of a phrase relative to its words anywhere."""


def rarity(texts: int, occurrences: int) -> float:
    """The inverse document frequency of a word that some of the texts have, always above 0."""
    return math.log1p((texts - occurrences + 0.5) / (occurrences + 0.5))


def blocks(matcher: Any) -> Iterator[tuple[Sequence[int], Sequence[float]]]:  # noqa: ANN401  # untyped in Whoosh
    """Postings in the order of the index, a block at a time; may include deleted documents."""
    inner: Any = getattr(matcher, "child", matcher)
    whole = isinstance(inner, W3LeafMatcher)
    while inner.is_active():
        number, weight = inner.id(), inner.weight()  # which reads the block
        if whole:  # one posting at a time takes ten times as long; the version of Whoosh is pinned exactly
            yield inner._ids, inner._weights  # noqa: SLF001  # see above
            inner._next_block()  # noqa: SLF001  # see above
        else:
            yield (number,), (weight,)
            inner.next()


def follow(matchers: list[Any], number: int) -> bool:
    """Whether the words of these postings follow one another in a document that has them all."""
    starts: set[int] | None = None
    for offset, matcher in enumerate(matchers):
        if matcher.id() < number:
            matcher.skip_to(number)
        places = {place - offset for place in matcher.value_as("positions")}
        starts = places if starts is None else starts & places
        if not starts:
            return False
    return True
