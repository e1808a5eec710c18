"""A second reading of what a text claims: a network that reads the words scores the likeliest relations again.

The log-linear model of `claim_model` counts cues near figures; it chooses which relations are worth a closer look. Here
a text encoder reads the sentences around, without digits. With linear maps t, u, f of the vectors of figures, the score
of a relation is

    h([t, ū, f₁, t ∘ ū, r, v ∘ r, w ∘ r]) + (v + w) · r

where t is of the target, ū the mean of the inputs, f₁ of the first input, r the relation, v the sum of the traits of
the inputs, w another map of the target, and h a hidden layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp, log
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from compute.mining.claim_fits import Group
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.claim_traits import GROUPS, Traits
from compute.mining.encoder_tokens import Excerpt, FigureSpan, Vocabulary, clipped, excerpts, span_of, tokens
from compute.mining.mining_models import Passage
from compute.mining.quantities import Quantity
from compute.mining.text_encoder import Array, Encoder, Layer, gelu, linear

TOP_CANDIDATES = 200
"""How many relations of a figure are scored again."""
MIN_PROBABILITY = 0.02
"""The probability of all relations of a figure below which none is scored again."""
NETWORK_WEIGHT = 0.7
"""What the score of the network counts; the rest is that of the log-linear model."""
_LEAST = 1e-6
Ranked = list[tuple[Candidate, float]]
_MOST = 25.0
"""The largest score, and the smallest."""
_MOST_GROUPS = 50_000
"""The most groups of traits whose sums are remembered."""
_DIGITS = 2
"""The digits of a score: more of them depend on the machine, which may add in another order."""
_BYTE = 127
"""The largest whole number of a stored weight."""


@dataclass(frozen=True)
class Network:
    """The weights of the network: those of the encoder, and those of the scores of relations, by name."""

    vocabulary: Vocabulary
    encoder: Encoder
    rules: Mapping[str, int]
    groups: Mapping[str, int]
    traits: Mapping[str, int]
    parts: Mapping[str, Array]
    _known: dict[int, tuple[Group, Array]] = field(default_factory=dict, repr=False, compare=False)
    _rules: dict[str, Array] = field(default_factory=dict, repr=False, compare=False)

    def read(
        self, passage: Passage, excerpt: Excerpt, figures: Sequence[FigureSpan], targets: Sequence[FigureSpan]
    ) -> FigureVectors:
        """What the encoder says of some figures of a passage, which are in text order."""
        found = tokens(passage.mask, excerpt, figures, self.vocabulary)
        middle = [place for one, some in zip(figures, found.places, strict=True) if one in targets for place in some]
        found = clipped(found, (min(middle) + max(middle)) // 2 if middle else len(found.names) // 2)
        wanted = sorted({place for some in found.places for place in some})
        vectors = np.zeros((len(figures), self.encoder.embeddings.shape[1]), np.float32)
        if wanted:
            states = self.encoder.encoded([self.vocabulary.rows[name] for name in found.names], wanted)
            places = {place: row for row, place in enumerate(wanted)}
            for row, some in enumerate(found.places):
                if some:
                    vectors[row] = states[[places[place] for place in some]].mean(axis=0)
        read = frozenset(one for one, some in zip(figures, found.places, strict=True) if some)
        return FigureVectors(self, vectors, {one: row for row, one in enumerate(figures)}, read)

    def rule(self, name: str) -> Array:
        """The vector of a relation; one that is newer than the weights has that of its group."""
        found = self._rules.get(name)
        if found is None:
            group: Array = self.parts["group.weight"][self.groups[GROUPS[name]]]
            found = group + self.parts["rule.weight"][self.rules[name]] if name in self.rules else group
            self._rules[name] = found
        return found

    def traits_of(self, every: Sequence[Sequence[Group]]) -> Array:
        """The sums of the vectors of some traits, a row for each of some relations."""
        if len(self._known) > _MOST_GROUPS:
            self._known.clear()
        places: dict[int, int] = {}
        vectors: list[Array] = []
        counts = np.zeros((len(every), sum(map(len, every))), np.float32)
        for row, groups in enumerate(every):
            for one in groups:
                place = places.setdefault(id(one), len(vectors))
                if place == len(vectors):
                    vectors.append(self._of_group(one))
                counts[row, place] += 1
        if not vectors:
            return np.zeros((len(every), self.parts["trait.weight"].shape[1]), np.float32)
        found: Array = counts[:, : len(vectors)] @ np.stack(vectors)
        return found

    def _of_group(self, group: Group) -> Array:
        known = self._known.get(id(group))
        if known is None:
            rows = [self.traits[name] for name in group if name in self.traits]
            known = self._known[id(group)] = group, self.parts["trait.weight"][rows].sum(axis=0)
        return known[1]


class FigureVectors:
    """What the encoder says of the figures of an excerpt; `read` are those that it has read, not cut off."""

    def __init__(
        self, network: Network, vectors: Array, rows: Mapping[FigureSpan, int], read: frozenset[FigureSpan]
    ) -> None:
        self._network, self._rows, self.read = network, rows, read
        parts = network.parts
        self._mapped = {
            name: linear(vectors, parts[f"{name}.weight"], parts[f"{name}.bias"]) for name in ("t", "u", "f", "tr")
        }

    def scores(self, scope: Scope, target: Quantity, candidates: Sequence[Candidate]) -> list[float]:
        """The scores of some relations of a target."""
        network, mapped = self._network, self._mapped
        rows, seen = [self._rows[span_of(one)] for one in scope.quantities], Traits(scope, target)
        row = rows[target.index]
        count = len(candidates)
        parts_of, first = np.zeros((2, count, len(mapped["u"])), np.float32)
        for place, one in enumerate(candidates):
            inputs = [rows[used.index] for used in one.used]
            first[place, inputs[:1]] = 1
            for used in inputs:
                parts_of[place, used] += 1 / len(inputs)
        means, firsts = parts_of @ mapped["u"], first @ mapped["f"]
        rules = np.stack([network.rule(one.rule) for one in candidates])
        traits = network.traits_of([seen.groups(one) for one in candidates])
        here, wanted = np.repeat(mapped["t"][row][None], count, 0), mapped["tr"][row][None]
        joined = np.concatenate([here, means, firsts, here * means, rules, traits * rules, wanted * rules], axis=1)
        parts = network.parts
        hidden = gelu(linear(joined, parts["h.weight"], parts["h.bias"]))
        total = linear(hidden, parts["out.weight"], parts["out.bias"])[:, 0] + ((traits + wanted) * rules).sum(axis=1)
        return [round(float(one), _DIGITS) for one in np.clip(total, -_MOST, _MOST)]


class Reranker:
    """The second reading of a passage: an excerpt is read when a figure in it is worth it."""

    def __init__(self, passage: Passage, scopes: Sequence[Scope]) -> None:
        self._passage, self._scopes = passage, scopes
        self._excerpts = excerpts(passage, scopes)
        self._figures: dict[Excerpt, set[FigureSpan]] = {}
        self._targets: dict[Excerpt, set[FigureSpan]] = {}
        for excerpt, scope in zip(self._excerpts, scopes, strict=True):
            self._figures.setdefault(excerpt, set()).update(map(span_of, scope.quantities))
            self._targets.setdefault(excerpt, set()).update(map(span_of, scope.targets))
        self._last: tuple[Excerpt, FigureVectors] | None = None

    def rerank(self, place: int, target: Quantity, ranked: Ranked) -> Ranked:
        """The relations of a target, those that are worth it scored again; `place` is that of its scope."""
        if sum(chance for _, chance in ranked) < MIN_PROBABILITY:
            return ranked
        vectors = self._vectors(self._excerpts[place])
        if span_of(target) not in vectors.read:
            return ranked
        closer, rest = ranked[:TOP_CANDIDATES], ranked[TOP_CANDIDATES:]
        scores = vectors.scores(self._scopes[place], target, [one for one, _ in closer])
        none = max(1 - sum(chance for _, chance in ranked), _LEAST)
        odds = [
            exp(NETWORK_WEIGHT * score + (1 - NETWORK_WEIGHT) * log(max(chance, _LEAST) / none))
            for score, (_, chance) in zip(scores, closer, strict=True)
        ]
        odds += [chance / none for _, chance in rest]
        whole = 1 + sum(odds)
        found = [(one, part / whole) for (one, _), part in zip(ranked, odds, strict=True)]
        return sorted(found, key=itemgetter(1), reverse=True)

    def _vectors(self, excerpt: Excerpt) -> FigureVectors:
        """What the encoder says of an excerpt; the last one is kept, as scopes come in text order."""
        if self._last is None or self._last[0] != excerpt:
            figures, targets = sorted(self._figures[excerpt]), sorted(self._targets[excerpt])
            self._last = excerpt, learned().read(self._passage, excerpt, figures, targets)
        return self._last[1]


@lru_cache(maxsize=1)
def learned() -> Network:
    """The network, trained by `tests/bench/train_reader.py`; from now on linear algebra uses one core."""
    threadpool_limits(1, user_api="blas")
    return load(Path(__file__).with_name("claim_reader.npz"))


def load(path: Path) -> Network:
    """A network as `saved` writes it."""
    with np.load(path) as stored:
        lists = {name: bytes(stored[name]).decode("utf-8").split("\n") for name in _LISTS}
        parts = unpacked({name: stored[name] for name in stored.files if name not in lists})
    places = {name: {one: place for place, one in enumerate(some)} for name, some in lists.items()}
    encoder = Encoder(parts["emb.weight"], parts["pos"], (parts["n0.weight"], parts["n0.bias"]), layers_of(parts))
    return Network(Vocabulary(lists["vocabulary"]), encoder, places["rules"], places["groups"], places["traits"], parts)


def layers_of(parts: Mapping[str, Array]) -> tuple[Layer, ...]:
    """The layers of an encoder, the first one first: `layers.0.up.weight` is a part of it.

    The columns of each matrix lie together, so that linear algebra need not sort them for each text.
    """
    count = len({name.split(".")[1] for name in parts if name.startswith("layers.")})
    return tuple(
        Layer({name[len(lead) :]: np.asfortranarray(part) for name, part in parts.items() if name.startswith(lead)})
        for lead in (f"layers.{place}." for place in range(count))
    )


_LISTS = ("vocabulary", "rules", "groups", "traits")
_SCALE = ".scale"


def saved(lists: Mapping[str, Sequence[str]], parts: Mapping[str, Array], path: Path) -> None:
    """Writes the weights of a network with the names of their rows."""
    words = {name: np.frombuffer("\n".join(lists[name]).encode("utf-8"), np.uint8) for name in _LISTS}
    np.savez_compressed(path, allow_pickle=False, **words, **packed(parts))


def packed(parts: Mapping[str, Array]) -> dict[str, npt.NDArray[Any]]:
    """Weights for a file: matrices as bytes with a scale for each row, which is a quarter of the size."""
    stored: dict[str, npt.NDArray[Any]] = {}
    for name, part in parts.items():
        if part.ndim == 1:
            stored[name] = part
            continue
        scale = np.maximum(np.abs(part).max(axis=1, keepdims=True) / _BYTE, np.float32(1e-9)).astype(np.float32)
        stored |= {name: np.rint(part / scale).astype(np.int8), f"{name}{_SCALE}": scale}
    return stored


def unpacked(parts: Mapping[str, npt.NDArray[Any]]) -> dict[str, Array]:
    """The weights that `packed` made smaller."""
    scales = {name for name in parts if name.endswith(_SCALE)}
    return {
        name: part * parts[f"{name}{_SCALE}"] if f"{name}{_SCALE}" in scales else part
        for name, part in parts.items()
        if name not in scales
    }
