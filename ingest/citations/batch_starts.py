"""Where the batches of a page begin, from the evidence of each node's markers and the layout of batches on a page.

For a node `i` and a start `s` the likelihood is the product, over its markers, of the probability that the words
around the marker mean reading `s + number - 1`. Mean-field iteration combines the nodes:

    q_i(s)  ∝  likelihood_i(s) ^ TRUST · (agreement with the starts of other nodes) · exp(−OVERLAP · overlap)

Agreement follows a Chinese restaurant process: one node that starts at `s` makes `s` far more likely than a new start;
ten such nodes add little more. Overlap is the probability that another node's batch covers readings of this one
without being the same batch.

A reading that is missing from the page, or was inserted later, shifts the numbers after it; see
`ingest.citations.batch_alignment`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
TRUST = 0.65
"""The words around the markers of one node are not independent of each other: the weight of their sum."""

NEW = 1.0
"""The weight of all starts that no other node has, relative to one node with a start."""

FIRST = 5.0
"""How much more likely than another reading the oldest one of a page is to begin a batch."""

NEAR = (0.03, 0.01)
"""The weight of another node's start one and two readings away: there the numbers of one of the two are shifted."""

OVERLAP = 2.5
"""The penalty, in nats, for a batch that overlaps another."""

SLACK, BEYOND = 3, -4.0
"""How far a number may be beyond the newest reading (readings may be missing), and the penalty in nats."""

CANDIDATES = 60
ROUNDS = 12
Ints = NDArray[np.int64]
_AGREEMENT, _CLOSE = np.array((1.0, *NEAR)), np.ones(1 + len(NEAR))
"""The weight of a node by the distance of its start: for agreement, and for counting as the same batch."""

_BY_DISTANCE = np.append(_AGREEMENT, 0.0)


class Evidence(NamedTuple):
    """The evidence of one node's markers: `logs[k]` are the log-probabilities that
    `numbers[k]` means each reading, oldest first.

    `weights[k]` is the weight of reference `k`, below 1 if it shares its words with another reference.
    """

    numbers: tuple[int, ...]
    logs: tuple[Floats, ...]
    weights: tuple[float, ...]

    @property
    def reach(self) -> int:
        """The largest number: the batch has at least as many readings."""
        return max(self.numbers)


class Belief(NamedTuple):
    """The candidate starts for one node (readings from 0, oldest first), and their probabilities."""

    starts: Ints
    chances: Floats


def likelihood(evidence: Evidence, size: int) -> Floats:
    """Log-likelihood of each start with which the node's numbers fit a page of `size` readings.

    The last numbers may be beyond the newest reading, with a penalty: readings may be missing.
    """
    room = max(0, min(size, size - evidence.reach + 1 + SLACK))
    total = np.zeros(room)
    beyond = np.full(SLACK, -math.log(max(size, 1)) + BEYOND)
    for number, logs, weight in zip(evidence.numbers, evidence.logs, evidence.weights, strict=True):
        total += weight * np.concatenate((logs, beyond))[number - 1 : number - 1 + room]
    return total


def agreed(evidences: Sequence[Evidence], size: int) -> list[Belief]:
    """The probable starts of each node, from all nodes of the page; empty if none fits."""
    own = [_candidates(likelihood(evidence, size), size) for evidence in evidences]
    page = _laid_out(own, [evidence.reach for evidence in evidences], size)
    chances = _normal(page.logs)
    if len(evidences) > 1:
        selves = _selves(page)
        for _ in range(ROUNDS):
            chances = _believed(page, chances, _heard(page, chances), selves)
    return [Belief(starts, row[: len(starts)]) for (starts, _), row in zip(own, chances, strict=True)]


def _candidates(logs: Floats, size: int) -> tuple[Ints, Floats]:
    """The best starts by position, with their log-weight before other nodes are considered."""
    keep = np.sort(np.argsort(-logs, kind="stable")[:CANDIDATES]).astype(np.int64)
    alone = np.where(keep == 0, FIRST, 1.0) * NEW / max(size, 1)
    return keep, TRUST * logs[keep] + np.log(alone)


class _Page(NamedTuple):
    """All nodes of a page of `size` readings: a row for each, a column for each candidate start.

    Rows are padded with the start 0 and the log-weight minus infinity.
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
    """Probabilities from the log-weights of each row; zeros in a row without candidates."""
    top = logs.max(axis=1, keepdims=True)
    weights = np.exp(logs - np.where(np.isfinite(top), top, 0.0))
    return np.asarray(weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300))


class _Selves(NamedTuple):
    """A node's own contribution to the page totals at each of its starts, from each of them: agreement and cover."""

    agreement: Floats
    covered: Floats


def _selves(page: _Page) -> _Selves:
    apart = np.abs(page.starts[:, None, :] - page.starts[:, :, None])
    near = np.minimum(apart, len(_AGREEMENT))
    across = apart < page.reaches[:, None, None]
    return _Selves(_BY_DISTANCE[near], across.astype(np.float64) - (apart < len(_CLOSE)))


class _Crowd(NamedTuple):
    """Totals over all nodes at each reading: how many start at or near it, and running sums by reach."""

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
    """Each node's probabilities given the others: the page totals without its own contribution."""
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
    """For each start of each node, the weighted sum over its starts."""
    return np.asarray(np.matmul(weights, chances[:, :, None])[:, :, 0])


def _counted(starts: Ints, chances: Floats, size: int) -> Floats:
    """For each reading, the expected number of nodes that start there."""
    return np.bincount(starts.ravel(), chances.ravel(), size).astype(np.float64)


def _running(values: Floats) -> Floats:
    """Running sums, beginning with 0."""
    return np.concatenate((np.zeros(1), np.cumsum(values)))


def _spread(values: Floats, weights: Floats) -> Floats:
    """Each value spread to its neighbours, with a weight per distance from 0."""
    around = np.concatenate((weights[:0:-1], weights))
    return np.asarray(np.convolve(values, around)[len(weights) - 1 : len(weights) - 1 + len(values)])
