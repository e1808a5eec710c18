"""Where the batches of a page begin: from what the markers of each node say, and from how batches lie on a page.

For a node `i` and a start `s` the likelihood is the product, over its markers, of the probability that the words
around the marker mean reading `s + number - 1`. What the nodes say together is found by mean-field iteration:

    q_i(s)  ∝  likelihood_i(s) ^ TRUST · (agreement with the starts of other nodes) · exp(−OVERLAP · overlap)

Agreement is that of a Chinese restaurant: one node that starts at `s` already makes `s` far more likely than a start
of its own, ten such nodes little more. Overlap is the chance that another node's batch covers readings of this one
without being the same batch.

A reading that is missing from the page, or was written in later, moves the numbers behind it; see `ingest.alignment`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingest.likeness import Floats

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
    beliefs = [Belief(starts, _normal(logs)) for starts, logs in own]
    reaches = [evidence.reach for evidence in evidences]
    for _ in range(ROUNDS if len(evidences) > 1 else 0):
        beliefs = _round(own, beliefs, reaches, size)
    return beliefs


def _candidates(logs: Floats, size: int) -> tuple[Ints, Floats]:
    """The best starts in order of place, with their log-weight before other nodes are heard."""
    keep = np.sort(np.argsort(-logs, kind="stable")[:CANDIDATES]).astype(np.int64)
    alone = np.where(keep == 0, FIRST, 1.0) * NEW / max(size, 1)
    return keep, TRUST * logs[keep] + np.log(alone)


def _normal(logs: Floats) -> Floats:
    if not len(logs):
        return logs
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def _round(own: list[tuple[Ints, Floats]], beliefs: list[Belief], reaches: list[int], size: int) -> list[Belief]:
    """Every node hears all the others once."""
    at = _summed(beliefs, range(len(beliefs)), size)
    lengths = sorted(set(reaches))
    members = [[i for i, other in enumerate(reaches) if other == length] for length in lengths]
    across = np.array([_running(_summed(beliefs, each, size)) for each in members])
    result = []
    for (starts, logs), belief, reach in zip(own, beliefs, reaches, strict=True):
        if not len(starts):
            result.append(belief)
            continue
        mine = np.zeros(size)
        mine[belief.starts] = belief.chances
        same = _agreement(at - mine, starts, size)
        covered = _between(across, np.array(lengths), starts, reach)
        covered -= _between(_running(mine)[None, :], np.array([reach]), starts, reach) + _close(at - mine, starts, size)
        alone = np.where(starts == 0, FIRST, 1.0) * NEW / size
        price = OVERLAP * (1 - np.exp(-np.maximum(covered, 0)))
        result.append(Belief(starts, _normal(logs - np.log(alone) + np.log(alone + same) - price)))
    return result


def _summed(beliefs: list[Belief], members: Sequence[int] | range, size: int) -> Floats:
    """For each reading how many of the nodes are believed to start there."""
    total = np.zeros(size)
    for i in members:
        np.add.at(total, beliefs[i].starts, beliefs[i].chances)
    return total


def _running(values: Floats) -> Floats:
    """Running sums, beginning with 0."""
    return np.concatenate((np.zeros(1), np.cumsum(values)))


def _agreement(others: Floats, starts: Ints, size: int) -> Floats:
    """How many other nodes start at each of `starts`, those that start nearly there counting little."""
    total = others[starts].copy()
    for distance, weight in enumerate(NEAR, 1):
        for near in (starts - distance, starts + distance):
            inside = (near >= 0) & (near < size)
            total[inside] += weight * others[near[inside]]
    return total


def _close(others: Floats, starts: Ints, size: int) -> Floats:
    """How many other nodes start within the distance at which two starts are taken for one batch."""
    total = np.zeros(len(starts))
    for distance in range(-len(NEAR), len(NEAR) + 1):
        near = starts + distance
        inside = (near >= 0) & (near < size)
        total[inside] += others[near[inside]]
    return total


def _between(sums: Floats, lengths: Ints, starts: Ints, own: int) -> Floats:
    """How many nodes lie across batches of `own` readings beginning at `starts`.

    Row `k` of `sums` holds the running sums of the nodes whose batches have `lengths[k]` readings.
    """
    size = sums.shape[1] - 1
    low = np.minimum(np.maximum(starts[None, :] - lengths[:, None] + 1, 0), size)
    high = np.minimum(starts + own, size)
    return np.asarray((sums[:, high] - np.take_along_axis(sums, low, axis=1)).sum(axis=0))
