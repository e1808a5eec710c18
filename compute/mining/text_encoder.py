"""A small transformer encoder: what the words around each figure of a text say of it, as a vector.

tokens ─▶ embeddings ─▶ layers: attention, then two linear ones ─▶ the mean of the tokens of each figure

The layers are those of BERT (Devlin et al. 2019, arXiv 1810.04805). They began as those of all-MiniLM-L6-v2, which is
under the Apache License 2.0 (`claim_reader-licence.txt`), and were trained further by `tests/bench/train_reader.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import pi, sqrt

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
HEADS = 12
_SMALL = 1e-12


@dataclass(frozen=True, slots=True)
class Layer:
    """The weights of a layer, by name: matrices (outputs × inputs) with their offsets, and two normalisations."""

    parts: Mapping[str, Array]

    def applied(self, states: Array, wanted: Sequence[int] | None = None) -> Array:
        """The states (tokens × width) after the layer; only those of the `wanted` tokens, if given."""
        part = self.parts
        width = states.shape[1]
        here = states if wanted is None else states[wanted]
        queries = linear(here, part["qkv.weight"][:width], part["qkv.bias"][:width])
        others = linear(states, part["qkv.weight"][width:], part["qkv.bias"][width:])
        keys, values = _by_head(others[:, :width]), _by_head(others[:, width:])
        queries *= np.float32(1 / sqrt(width // HEADS))
        scores: Array = keys @ _by_head(queries).transpose(0, 2, 1)  # a column for each query: sums of rows are quicker
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        mixed = (scores.transpose(0, 2, 1) @ values).transpose(1, 0, 2).reshape(-1, width)
        mixed = layer_norm(here + linear(mixed, part["o.weight"], part["o.bias"]), part["n1.weight"], part["n1.bias"])
        raised = gelu(linear(mixed, part["up.weight"], part["up.bias"]))
        return layer_norm(
            mixed + linear(raised, part["down.weight"], part["down.bias"]), part["n2.weight"], part["n2.bias"]
        )


@dataclass(frozen=True, slots=True)
class Encoder:
    """The weights of an encoder; `embeddings` has a row for each token, `positions` one for each place."""

    embeddings: Array
    positions: Array
    norm: tuple[Array, Array]
    layers: tuple[Layer, ...]

    def encoded(self, rows: Sequence[int], wanted: Sequence[int]) -> Array:
        """The last states of some tokens of a text, which are given by their rows; one row for each wanted token."""
        states = layer_norm(self.embeddings[list(rows)] + self.positions[: len(rows)], *self.norm)
        for layer in self.layers[:-1]:
            states = layer.applied(states)
        return self.layers[-1].applied(states, wanted)


def _by_head(states: Array) -> Array:
    """The columns of each head: heads × tokens × width of a head."""
    return states.reshape(len(states), HEADS, -1).transpose(1, 0, 2)


def linear(states: Array, weights: Array, offsets: Array) -> Array:
    """A linear map of each row; weights whose columns lie together are not sorted before each use."""
    found: Array = states @ weights.T
    found += offsets
    return found


def layer_norm(states: Array, weights: Array, offsets: Array) -> Array:
    """Each row with mean 0 and variance 1, then scaled and moved (Ba et al. 2016, arXiv 1607.06450)."""
    width = np.float32(states.shape[-1])
    found: Array = states - states.mean(axis=-1, keepdims=True)
    spread = np.sqrt(np.vecdot(found, found)[..., None] / width + np.float32(_SMALL))
    found /= spread
    found *= weights
    found += offsets
    return found


def gelu(states: Array) -> Array:
    """The Gaussian error linear unit, by its approximation with tanh (Hendrycks and Gimpel 2016, arXiv 1606.08415)."""
    found: Array = states * states
    found *= np.float32(0.044715 * sqrt(2 / pi))
    found += np.float32(sqrt(2 / pi))
    found *= states
    np.tanh(found, out=found)
    found += 1
    found *= states
    found *= np.float32(0.5)
    return found
