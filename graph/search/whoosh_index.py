"""A Whoosh index without NumPy: for a command that searches once, where importing NumPy takes longer than the search.

The scores are those of `graph.search.whoosh_engine`, added in the same order; a test compares them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from whoosh import index
from whoosh.reading import TermNotFound

from graph.search.query_language import AllOf, AnyOf, InTitle, Phrase, Prefix, Text, Word
from graph.search.whoosh_postings import K1, PHRASE_GAIN, B, blocks, follow, rarity

Scores = Mapping[int, float]
"""The score of each document that matches, by its number in the index."""


class WhooshIndex:
    """A Whoosh index in a folder, for reading.

    Raises:
        whoosh.index.EmptyIndexError: there is none.
    """

    def __init__(self, folder: Path) -> None:
        self._index: Any = index.open_dir(str(folder))
        self._reader: Any = self._index.reader()  # type: ignore[no-untyped-call]  # Whoosh is only partly typed
        self._leaves: list[tuple[Any, int]] = list(self._reader.leaf_readers())
        self._factors: dict[str, list[float]] = {}

    @cached_property
    def _alive(self) -> list[bool]:
        """For each document whether it is not deleted."""
        return [not leaf.is_deleted(n) for leaf, _ in self._leaves for n in range(leaf.doc_count_all())]

    @cached_property
    def _serials(self) -> list[int]:
        """The serial of each document."""
        found: list[int] = []
        for leaf, _ in self._leaves:
            count = leaf.doc_count_all()
            found += leaf.column_reader("serial", translate=False).load()[:count] if count else ()
        return found

    def hits(self, included: Text | None, excluded: Text | None) -> tuple[list[int], list[float]]:
        """The serials of what matches `included` and not `excluded`, and their scores, in no order."""
        scores = self._everything() if included is None else self._evaluate(included, "text")
        unwanted = {} if excluded is None else self._evaluate(excluded, "text")
        kept = [number for number in scores if number not in unwanted]
        return [self._serials[number] for number in kept], [scores[number] for number in kept]

    def frequency(self, stem: str) -> int:
        """The number of texts that contain a stem."""
        return len(self._word("text", stem))

    def close(self) -> None:
        """Close files."""
        self._reader.close()
        self._index.close()

    def _everything(self) -> Scores:
        return {number: 1.0 for number, alive in enumerate(self._alive) if alive}

    def _evaluate(self, text: Text, field: str) -> Scores:
        match text:
            case Word(stem) | Prefix(stem):
                return self._word(field, stem)
            case Phrase(stems):
                return self._phrase(field, stems)
            case InTitle(inner):
                return self._evaluate(inner, "title")
            case AllOf(parts):
                found = [self._evaluate(part, field) for part in parts]
                shared = set(found[0]).intersection(*found[1:])
                return _added([{number: one[number] for number in shared} for one in found])
            case AnyOf(parts):
                return _added([self._evaluate(part, field) for part in parts])

    def _word(self, field: str, stem: str) -> Scores:
        counts = {n: count for n, count in self._counts(field, stem) if self._alive[n]}
        factor, lengths = rarity(sum(self._alive), len(counts)), self._length_factors(field) if counts else []
        return {n: factor * count * (K1 + 1) / (count + lengths[n]) for n, count in counts.items()}

    def _counts(self, field: str, stem: str) -> list[tuple[int, float]]:
        """The documents with a word, ascending, and how often each has it; may include deleted ones."""
        found: list[tuple[int, float]] = []
        for leaf, offset in self._leaves:
            try:
                matcher = leaf.postings(field, stem)
            except TermNotFound:
                continue
            for documents, counts in blocks(matcher):
                found += [(number + offset, float(count)) for number, count in zip(documents, counts, strict=True)]
        return found

    def _length_factors(self, field: str) -> list[float]:
        """k1 · (1 - b + b · length / mean length), for every document."""
        if field not in self._factors:
            lengths = [
                float(leaf.doc_field_length(n, field, 0) or 0)
                for leaf, _ in self._leaves
                for n in range(leaf.doc_count_all())
            ]
            own = [length for length, alive in zip(lengths, self._alive, strict=True) if alive]
            mean = (sum(own) / len(own) if own else 0.0) or 1.0
            self._factors[field] = [K1 * (1 - B + B * length / mean) for length in lengths]
        return self._factors[field]

    def _phrase(self, field: str, stems: Sequence[str]) -> Scores:
        """The scores of the documents in which the words of the phrase follow one another."""
        together = self._evaluate(AllOf(tuple(Word(stem) for stem in stems)), field)
        matchers = [self._reader.postings(field, stem) for stem in stems] if together else []
        return {n: together[n] * PHRASE_GAIN for n in sorted(together) if follow(matchers, n)}


def _added(parts: Sequence[Scores]) -> Scores:
    """The sum of the scores of each document, in the order of the parts."""
    found: defaultdict[int, float] = defaultdict(float)
    for part in parts:
        for number, score in part.items():
            found[number] += score
    return found
