"""The postings of a Whoosh index, and the constants of their scores; without NumPy, for a command that searches once.

BM25: Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), with k1 = 1.2 and b = 0.75.
"""

from __future__ import annotations

import math
import os
import pickle
import struct
import zlib
from collections.abc import Iterator, Sequence
from io import BufferedReader, BytesIO
from itertools import accumulate
from typing import Any, Self

from whoosh.codec.whoosh3 import W3LeafMatcher

K1 = 1.2
B = 0.75
PHRASE_GAIN = 1.5
"""Weight of a phrase relative to its words anywhere."""


SMALL = 8 * 1024 * 1024
"""The most bytes of the postings and the terms of a segment that is read as a whole: of some 700 notes."""

_MAGIC = 4
"""The bytes before the first block of a word."""
_EXTENT = struct.Struct("!qi")
"""Where the postings of a word are in their file, at the end of what is stored for the word."""
_LENGTH = struct.Struct("!i")
"""The length of a block, negative for the last one of a word."""


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


class SmallSegment:
    """The postings of a small segment in memory, as its files have them; the version of Whoosh is pinned exactly.

    Whoosh looks for a word in a hash table in a file, and makes two objects for it: that takes three times as long. To
    read the files takes some ten milliseconds.
    """

    def __init__(self, leaf: Any) -> None:  # noqa: ANN401  # untyped in Whoosh
        terms, postings = leaf._terms, leaf._terms._postfile  # noqa: SLF001  # see above
        self._key = terms._keycoder  # noqa: SLF001  # see above
        self._terms: dict[bytes, bytes] = dict(terms._tindex.items())  # noqa: SLF001  # see above
        self._bytes: bytes = postings.get(0, os.fstat(postings.fileno()).st_size)
        self._file = BufferedReader(BytesIO(self._bytes))

    @classmethod
    def read(cls, leaf: Any) -> Self | None:  # noqa: ANN401  # untyped in Whoosh
        """The postings of a segment; None if it is large, or not in files of its own."""
        terms = getattr(leaf, "_terms", None)
        files = [getattr(terms, name, None) for name in ("_dbfile", "_postfile")]
        sizes = [os.fstat(file.fileno()).st_size for file in files if file is not None and file.is_real]
        return cls(leaf) if len(sizes) == len(files) and sum(sizes) <= SMALL else None

    def blocks(self, field: str, stem: str) -> Iterator[tuple[Sequence[int], Sequence[float]]]:
        """The postings of a word, as `blocks` gives them; none for an unknown word."""
        found = self._terms.get(self._key(field, stem.encode()))
        if found is None:
            return
        at = _EXTENT.unpack_from(found, len(found) - _EXTENT.size)[0] + _MAGIC
        length = 1
        while length > 0:
            (length,) = _LENGTH.unpack_from(self._bytes, at)
            start = at + _LENGTH.size
            at = start + abs(length)
            self._file.seek(start)
            count, _, _, packed, _, _ = pickle.load(self._file)  # noqa: S301  # our own file, as Whoosh reads it
            data = self._bytes[self._file.tell() : at]
            gaps, weights, _ = pickle.loads(zlib.decompress(data) if packed else data)  # noqa: S301  # as above
            one = 1.0 if weights is None else weights
            yield list(accumulate(gaps)), [one] * count if isinstance(one, float) else one


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
