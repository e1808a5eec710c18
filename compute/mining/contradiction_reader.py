"""Whether two texts state the same thing: a network reads both beside each other, with the two figures hidden.

    one text [SEP] other text ─▶ encoder ─▶ a, b: the means of the tokens of the two figures; c: the first token
    score = o · h([a′ + b′, a′ ∘ b′, |a′ − b′|, (a′ − b′)², c])         a′, b′: a and b mapped; h: a hidden layer

Of a number that is not one of the two, the network sees the kind, and whether the other text has it too: so that 2019
is not 2020, and the figures themselves cannot matter. A score above 0 says that it is the same thing; it is the mean of
both orders of the texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np

from compute.mining.claim_reader import layers_of, learned, unpacked
from compute.mining.contradiction_meanings import Stating
from compute.mining.encoder_tokens import FIRST, LAST, FigureSpan, Vocabulary, named, pieces
from compute.mining.text_encoder import Array, Layer, gelu, layer_norm, linear

DOUBT = 1.0
"""How far under the least score one order of the texts may be."""
KEPT = 20_000
"""The most scores that are kept."""
OTHER = -3.2
"""The score under which it is another thing."""
MOST = 110
"""The tokens that are read of a text, around its figure."""
BOTH, ALONE, TARGET = "#both", "#alone", "#target"
"""Behind a number that the other text has too, behind another one, and a place that is kept free."""
NEW = (BOTH, ALONE, TARGET)
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")


@dataclass(frozen=True)
class PairReader:
    """The weights of the network: its own layers on the words of `claim_reader`."""

    vocabulary: Vocabulary
    embeddings: Array
    positions: Array
    parts: Mapping[str, Array]
    layers: tuple[Layer, ...]
    _known: dict[tuple[str, FigureSpan, str, FigureSpan], float] = field(
        default_factory=dict, repr=False, compare=False
    )

    def same(self, one: Stating, two: Stating, least: float = 0.0) -> bool:
        """Whether two figures are of the same thing by a score above the least, whatever they are."""
        first = self._scored(one, two)
        if first <= least - DOUBT:
            return False
        second = self._scored(two, one)
        return second > least - DOUBT and first + second > 2 * least

    def score(self, one: Stating, two: Stating) -> float:
        """How surely two figures are of the same thing, whatever they are."""
        return (self._scored(one, two) + self._scored(two, one)) / 2

    def _scored(self, one: Stating, two: Stating) -> float:
        """The score of two texts in one order, which is kept: texts are mined again on other days."""
        key = one.text, one.figure, two.text, two.figure
        if key not in self._known:
            if len(self._known) >= KEPT:
                self._known.clear()
            self._known[key] = self._score(one, two)
        return self._known[key]

    def _score(self, one: Stating, two: Stating) -> float:
        names, ends, here, there = tokens_of(one, two, self.vocabulary)
        parts = self.parts
        rows = [self.vocabulary.rows[name] for name in names]
        kinds = np.repeat(parts["seg"], [ends, len(names) - ends], axis=0)
        states = self.embeddings[rows] + self.positions[: len(rows)] + kinds
        states = layer_norm(states, parts["n0.weight"], parts["n0.bias"])
        wanted = [0, *here, *there]
        for layer in self.layers[:-1]:
            states = layer.applied(states)
        states = self.layers[-1].applied(states, wanted)
        figures = np.stack([states[1 : 1 + len(here)].mean(axis=0), states[1 + len(here) :].mean(axis=0)])
        first, second = linear(figures, parts["fig.weight"], parts["fig.bias"])
        apart = first - second
        joined = np.concatenate([first + second, first * second, np.abs(apart), apart * apart, states[0]])[None]
        hidden = gelu(linear(joined, parts["h.weight"], parts["h.bias"]))
        return float(linear(hidden, parts["out.weight"], parts["out.bias"])[0, 0])


Places = tuple[int, ...]


def tokens_of(one: Stating, two: Stating, vocabulary: Vocabulary) -> tuple[list[str], int, Places, Places]:
    """The tokens of two texts, where the second begins, and the places of the two figures."""
    here, first = _tokens(one, two.text, vocabulary)
    there, second = _tokens(two, one.text, vocabulary)
    names = [FIRST, *here, LAST, *there, LAST]
    begin = len(here) + 2
    return names, begin, tuple(place + 1 for place in first), tuple(place + begin for place in second)


def _tokens(one: Stating, other: str, vocabulary: Vocabulary) -> tuple[list[str], list[int]]:
    """The tokens of a text around its figure, with their places."""
    known = {match[0].replace(",", "") for match in _NUMBER.finditer(other)}
    figures = [two for two in one.others if two.end <= one.figure.start or two.start >= one.figure.end]
    figures = sorted([*figures, one.figure])
    names: list[str] = []
    places: list[int] = []
    at = 0
    for piece, start in pieces(one.text):
        while at < len(figures) and figures[at].end <= start:
            at += 1
        within = figures[at] if at < len(figures) and figures[at].start <= start else None
        new = [*named(piece, within.kind if within else "other", vocabulary)]
        if within == one.figure:
            places += range(len(names), len(names) + len(new))
        elif piece[0].isdigit():
            new.append(BOTH if piece.replace(",", "") in known else ALONE)
        names += new
    start = max(0, min((places[0] + places[-1]) // 2 - MOST // 2, len(names) - MOST))
    return names[start : start + MOST], [place - start for place in places if start <= place < start + MOST]


@lru_cache(maxsize=1)
def pair_reader() -> PairReader:
    """The network, trained by `tests/bench/train_pairs.py`."""
    return load_pairs(Path(__file__).with_name("contradiction_reader.npz"))


def load_pairs(path: Path) -> PairReader:
    """A network as `claim_reader.packed` writes it, with the words of the network that reads claims, and three more."""
    words = learned()
    with np.load(path) as stored:
        parts = unpacked({name: stored[name] for name in stored.files})
    vocabulary = Vocabulary([*words.vocabulary.rows, *NEW])
    embeddings = np.concatenate([words.encoder.embeddings, parts["new"]])
    return PairReader(vocabulary, embeddings, words.encoder.positions, parts, layers_of(parts))
