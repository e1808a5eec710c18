"""Where the batches of a page begin: from what the markers of each node say, and from how batches lie on a page.

For a node `i` and a start `s` the likelihood is the product, over its markers, of the probability that the words
around the marker mean reading `s + number - 1`. What the nodes say together is found by mean-field iteration:

    q_i(s)  ∝  likelihood_i(s) ^ TRUST · (agreement with the starts of other nodes) · exp(−OVERLAP · overlap)

Agreement is that of a Chinese restaurant: one node that starts at `s` already makes `s` far more likely than a start
of its own, ten such nodes little more. Overlap is the chance that another node's batch covers readings of this one
without being the same batch.

A reading that is missing from the page, or was written in later, moves the numbers behind it; see `ingest.citations.batch_alignment`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingest.text.text_similarity import Floats

TRUST = 0.65
"""The words around the markers of one node are not independent of each other: how much of their sum to believe."""

NEW = 1.0
"""The weight of all starts that no other node has, against one node that has a start."""

FIRST = 5.0
"""How much more likely than another reading the oldest one of a page is to begin a batch."""

NEAR = (0.03, 0.01)
"""The weight of another node's start one and two readings away: there the numbers of one of the two are off."""

OVERLAP = 2.5
"""The price, in nats, of a batch that lies across another one."""

SLACK, BEYOND = 3, -4.0
"""A number may lie so far beyond the newest reading, at a price in nats, because readings are missing."""

CANDIDATES = 60
ROUNDS = 12
Ints = NDArray[np.int64]
_AGREEMENT, _CLOSE = np.array((1.0, *NEAR)), np.ones(1 + len(NEAR))
"""How much a node counts that starts at a distance: for agreement, and for being taken for the same batch."""

_BY_DISTANCE = np.append(_AGREEMENT, 0.0)


class Evidence(NamedTuple):
    """What the markers of one node say: `numbers[k]` means each reading, oldest first, with log-probability `logs[k]`.

    `weights[k]` is how much reference `k` counts, less than 1 where its words are those of another reference.
    """

    numbers: tuple[int, ...]
    logs: tuple[Floats, ...]
    weights: tuple[float, ...]

    @property
    def reach(self) -> int:
        """The largest number: the batch has at least as many readings."""
        return max(self.numbers)


class Belief(NamedTuple):
    """The starts that come into question for one node (readings from 0, oldest first), and their probabilities."""

    starts: Ints
    chances: Floats


def likelihood(evidence: Evidence, size: int) -> Floats:
    """Log-likelihood of each start at which the numbers of the node fit within a page of `size` readings.

    The last few numbers may stand beyond the newest reading, at a price: so many readings may be missing.
    """
    room = max(0, min(size, size - evidence.reach + 1 + SLACK))
    total = np.zeros(room)
    beyond = np.full(SLACK, -math.log(max(size, 1)) + BEYOND)
    for number, logs, weight in zip(evidence.numbers, evidence.logs, evidence.weights, strict=True):
        total += weight * np.concatenate((logs, beyond))[number - 1 : number - 1 + room]
    return total


def agreed(evidences: Sequence[Evidence], size: int) -> list[Belief]:
    """What to believe of the start of each node, all nodes of the page together; empty where no start fits."""
    own = [_candidates(likelihood(evidence, size), size) for evidence in evidences]
    page = _laid_out(own, [evidence.reach for evidence in evidences], size)
    chances = _normal(page.logs)
    if len(evidences) > 1:
        selves = _selves(page)
        for _ in range(ROUNDS):
            chances = _believed(page, chances, _heard(page, chances), selves)
    return [Belief(starts, row[: len(starts)]) for (starts, _), row in zip(own, chances, strict=True)]


def _candidates(logs: Floats, size: int) -> tuple[Ints, Floats]:
    """The best starts in order of place, with their log-weight before other nodes are heard."""
    keep = np.sort(np.argsort(-logs, kind="stable")[:CANDIDATES]).astype(np.int64)
    alone = np.where(keep == 0, FIRST, 1.0) * NEW / max(size, 1)
    return keep, TRUST * logs[keep] + np.log(alone)


class _Page(NamedTuple):
    """All nodes of a page of `size` readings: a row for each, a column for each start that comes into question.

    Rows are filled up at their ends with the start 0 and the log-weight minus infinity.
    """

    starts: Ints
    logs: Floats
    reaches: Ints
    size: int


def _laid_out(own: Sequence[tuple[Ints, Floats]], reaches: Sequence[int], size: int) -> _Page:
    starts = np.zeros((len(own), CANDIDATES), dtype=np.int64)
    logs = np.full((len(own), CANDIDATES), -np.inf)
    for row, (places, weights) in enumerate(own):
        starts[row, : len(places)], logs[row, : len(places)] = places, weights
    return _Page(starts, logs, np.array(reaches, dtype=np.int64), size)


def _normal(logs: Floats) -> Floats:
    """Probabilities from the log-weights of each row; zeros in a row where nothing comes into question."""
    top = logs.max(axis=1, keepdims=True)
    weights = np.exp(logs - np.where(np.isfinite(top), top, 0.0))
    return np.asarray(weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300))


class _Selves(NamedTuple):
    """What a node hears of itself in the crowd at each of its starts, from each of them: as agreement, as cover."""

    agreement: Floats
    covered: Floats


def _selves(page: _Page) -> _Selves:
    apart = np.abs(page.starts[:, None, :] - page.starts[:, :, None])
    near = np.minimum(apart, len(_AGREEMENT))
    across = apart < page.reaches[:, None, None]
    return _Selves(_BY_DISTANCE[near], across.astype(np.float64) - (apart < len(_CLOSE)))


class _Crowd(NamedTuple):
    """What all nodes say, at each reading: how many start there or nearly there, and running sums by reach."""

    agreement: Floats
    close: Floats
    lengths: list[int]
    sums: list[Floats]
    whole: Floats


def _heard(page: _Page, chances: Floats) -> _Crowd:
    at = _counted(page.starts, chances, page.size)
    lengths = sorted(set(page.reaches.tolist()))
    sums = []
    for length in lengths:
        rows = page.reaches == length
        sums.append(_running(_counted(page.starts[rows], chances[rows], page.size)))
    return _Crowd(_spread(at, _AGREEMENT), _spread(at, _CLOSE), lengths, sums, np.sum(sums, axis=0))


def _believed(page: _Page, chances: Floats, crowd: _Crowd, selves: _Selves) -> Floats:
    """Every node's belief after it has heard the others: the crowd, less what it has said to it itself."""
    starts, logs, reaches, size = page
    same = crowd.agreement[starts] - _summed(selves.agreement, chances)
    covered = crowd.whole[np.minimum(starts + reaches[:, None], size)] - crowd.close[starts]
    covered -= _summed(selves.covered, chances)
    for length, running in zip(crowd.lengths, crowd.sums, strict=True):
        covered -= running[np.clip(starts - length + 1, 0, size)]
    alone = np.where(starts == 0, FIRST, 1.0) * NEW / size
    price = OVERLAP * (1 - np.exp(-np.maximum(covered, 0)))
    return _normal(logs + np.log1p(np.maximum(same, 0) / alone) - price)


def _summed(weights: Floats, chances: Floats) -> Floats:
    """For each start of each node the sum over its starts, each weighed."""
    return np.asarray(np.matmul(weights, chances[:, :, None])[:, :, 0])


def _counted(starts: Ints, chances: Floats, size: int) -> Floats:
    """For each reading how many of the nodes are believed to start there."""
    return np.bincount(starts.ravel(), chances.ravel(), size).astype(np.float64)


def _running(values: Floats) -> Floats:
    """Running sums, beginning with 0."""
    return np.concatenate((np.zeros(1), np.cumsum(values)))


def _spread(values: Floats, weights: Floats) -> Floats:
    """Each value spread to its neighbours, with a weight for each distance from 0 on."""
    around = np.concatenate((weights[:0:-1], weights))
    return np.asarray(np.convolve(values, around)[len(weights) - 1 : len(weights) - 1 + len(values)])
