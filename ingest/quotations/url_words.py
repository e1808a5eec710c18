"""Addresses as evidence: which text the words of a URL match."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import unquote

from graph.models.node_models import host_of
from ingest.text.word_weights import COMMON, stem

PULL, CEILING = 0.55, 4.0
"""Nats for each unit of rarity of a shared word, and the maximum evidence of words for one pair."""

FEWEST = 40
"""The minimum number of addresses assumed when computing how rare a word is."""

HOST = 1.8
"""The weight of the host name relative to a word of the path."""

_EMPTY = frozenset(
    re.findall(
        r"\w+",
        "abs amp article articles blog blogs com doc docs en guide html http https index io learn net news org page "
        "pages pdf php post posts research resources topic topics us web wiki www",
    )
)


class UrlWords:
    """The addresses of a page, each as its words; a word in many addresses has little weight."""

    def __init__(self, urls: Iterable[str]) -> None:
        found = {url: _words(url) for url in dict.fromkeys(urls)}
        counts = Counter(word for words in found.values() for word in words)
        size = max(len(found), FEWEST)
        rarity = {word: math.log(1 + size / count) for word, count in counts.items()}
        self._words = {
            url: {word: weight * rarity[word] for word, weight in words.items()} for url, words in found.items()
        }

    def evidence(self, texts: Sequence[Mapping[str, int]], urls: Sequence[str]) -> list[list[float]]:
        """The log-likelihood ratio of each text and each URL, by words that only this text has."""
        spread = Counter(word for text in texts for word in text)
        return [[self._pair(text, url, spread, len(texts)) for url in urls] for text in texts]

    def _pair(self, text: Mapping[str, int], url: str, spread: Mapping[str, int], texts: int) -> float:
        words = self._words.get(url, {})
        total = sum(
            words[word] * max(0.0, math.log((texts + 1) / (spread[word] + 0.5))) for word in words.keys() & text.keys()
        )
        return min(CEILING, PULL * total)


def _words(url: str) -> dict[str, float]:
    """The words of a URL with their weights: those of the path, and the name of the host."""
    host = host_of(url)
    path = unquote(url.partition("://")[2].partition("/")[2])
    found = dict.fromkeys(_split(path), 1.0)
    for label in host.split(".")[:-1]:
        for word in (*_split(label), stem(label.replace("-", "") or "-")):
            found[word] = HOST
    return {word: weight for word, weight in found.items() if word not in _EMPTY}


def _split(text: str) -> list[str]:
    parts = re.findall(r"\d+(?:\.\d+)*[a-z]?|[^\W\d_]+\d*", text.lower())
    return [stem(part) for part in parts if part not in COMMON and len(part) > 1]
