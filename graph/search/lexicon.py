"""The lexicon: every word of the brain as it is written, with the number of texts in which it stands.

Engines know stems only. What begins with `quantiza`, and what may have been meant by `promt`, is looked up here.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from graph.search.engine import Entry
from graph.search.language import AllOf, AnyOf, InTitle, Phrase, Prefix, Text, Word
from graph.search.words import stem

MOST_WORDS = 300
"""How many words a prefix stands for, the most frequent ones."""

_FILE = "lexicon.json"


class Lexicon:
    """The words and their counts. Words of removed texts stay until the index is built again."""

    def __init__(self, counts: dict[str, int]) -> None:
        self.counts = counts
        self._sorted = sorted(counts)

    def starting(self, start: str) -> list[str]:
        """The words that begin so, the most frequent first."""
        first = bisect_left(self._sorted, start)
        last = bisect_left(self._sorted, start + "\U0010ffff")
        return sorted(self._sorted[first:last], key=lambda word: (-self.counts[word], word))[:MOST_WORDS]

    def spelt_out(self, text: Text) -> Text:
        """The text with every prefix replaced by the words that it stands for."""
        match text:
            case Prefix(start):
                stems = dict.fromkeys(stem(word) for word in self.starting(start))
                return AnyOf(tuple(Word(one) for one in (stems or {start: None})))
            case InTitle(inner):
                return InTitle(self.spelt_out(inner))
            case AllOf(parts):
                return AllOf(tuple(self.spelt_out(part) for part in parts))
            case AnyOf(parts):
                return AnyOf(tuple(self.spelt_out(part) for part in parts))
            case Word() | Phrase():
                return text


def read_lexicon(folder: Path) -> Lexicon:
    """The lexicon beside an index.

    Raises:
        OSError, ValueError: it is missing or broken.
    """
    counts = json.loads((folder / _FILE).read_bytes())
    return Lexicon({str(word): int(count) for word, count in counts.items()})


def write_lexicon(folder: Path, counts: Counter[str]) -> None:
    """Keep a lexicon beside an index."""
    fresh = folder / f"{_FILE}.new"
    fresh.write_text(json.dumps(counts, separators=(",", ":")))
    fresh.replace(folder / _FILE)


def counting(entries: Iterable[Entry], counts: Counter[str]) -> Iterator[Entry]:
    """The entries as they pass, their words counted."""
    for entry in entries:
        counts.update(entry.words)
        yield entry
