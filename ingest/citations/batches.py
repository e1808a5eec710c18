"""Where the batches of a page begin, and which reading each number means.

For a node `i` and a start `s` the likelihood is the product, over its markers, of the probability that the words
around the marker mean reading `s + number - 1`. Mean-field iteration combines the nodes:

    q_i(s)  ∝  likelihood_i(s) ^ TRUST · (agreement with the starts of other nodes) · exp(−OVERLAP · overlap)

Agreement follows a Chinese restaurant process: one node that starts at `s` makes `s` far more likely than a new start;
ten such nodes add little more. Overlap is the probability that another batch covers readings of this one.

Then the numbers of each batch are aligned with its readings, as some may be missing or inserted later:

    numbers     1    2    3    4    5    6
                │    │    ·   ╱    ╱    ╱        reading 3 is missing: later numbers are off by one
    readings    s   s+1      s+2  s+3  s+4

This is a hidden Markov chain over the numbers: each has a reading, at an offset from `start + number - 1`, or none.
Its evidence is that of all nodes of the batch; forward and backward sums give the probability of each reading.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
TRUST = 0.65  # exponent of a node's evidence, whose words are not independent
NEW = 1.0  # weight of all new starts, relative to one node
FIRST = 5.0  # how much more likely than others the oldest reading is to begin a batch
NEAR = (0.03, 0.01)  # weight of a start one and two readings away, where numbers are shifted
OVERLAP = 2.5  # penalty, in nats, for a batch that overlaps another
SLACK, BEYOND = 3, -4.0  # how far a number may exceed the page (readings may be missing), and the penalty in nats
CANDIDATES = 60
ROUNDS = 12
Ints = NDArray[np.int64]
_AGREEMENT, _CLOSE = np.array((1.0, *NEAR)), np.ones(1 + len(NEAR))
"""Weights by the distance of starts: for agreement, and for being the same batch."""


class Evidence(NamedTuple):
    """For each reference of a node: its number, log-probability of each reading (oldest first), weight of its words."""

    numbers: tuple[int, ...]
    logs: tuple[Floats, ...]
    weights: tuple[float, ...]

    @property
    def reach(self) -> int:
        """The largest number."""
        return max(self.numbers)


class Belief(NamedTuple):
    """The candidate starts of a node (readings from 0, oldest first), and their probabilities."""

    starts: Ints
    chances: Floats


def likelihood(evidence: Evidence, size: int) -> Floats:
    """Log-likelihood of each start; numbers may exceed the page by `SLACK`."""
    room = max(0, min(size, size - evidence.reach + 1 + SLACK))
    total = np.zeros(room)
    beyond = np.full(SLACK, -math.log(max(size, 1)) + BEYOND)
    for number, logs, weight in zip(evidence.numbers, evidence.logs, evidence.weights, strict=True):
        total += weight * np.concatenate((logs, beyond))[number - 1 : number - 1 + room]
    return total


def agreed(evidences: Sequence[Evidence], size: int) -> list[Belief]:
    """The probable starts of each node; empty if none fits."""
    own = [_candidates(likelihood(evidence, size), size) for evidence in evidences]
    reaches = [evidence.reach for evidence in evidences]
    beliefs = [Belief(starts, _normal(logs)) for starts, logs in own]
    for _ in range(ROUNDS if len(own) > 1 else 0):
        layouts = [_layout(belief, reach, size) for belief, reach in zip(beliefs, reaches, strict=True)]
        whole = np.sum(layouts, axis=0)
        beliefs = [
            Belief(starts, _normal(logs + _pull(starts, reach, whole - layout)))
            for (starts, logs), reach, layout in zip(own, reaches, layouts, strict=True)
        ]
    return beliefs


def _candidates(logs: Floats, size: int) -> tuple[Ints, Floats]:
    """The best starts by position, with their own log-weights."""
    keep = np.sort(np.argsort(-logs, kind="stable")[:CANDIDATES]).astype(np.int64)
    alone = np.where(keep == 0, FIRST, 1.0) * NEW / max(size, 1)
    return keep, TRUST * logs[keep] + np.log(alone)


def _normal(logs: Floats) -> Floats:
    weights = np.exp(logs - logs.max(initial=-np.inf))
    return np.asarray(weights / weights.sum())


def _layout(belief: Belief, reach: int, size: int) -> Floats:
    """The probabilities of a batch to begin and end before each reading."""
    ends = np.minimum(belief.starts + reach, size)
    return np.stack([np.bincount(places, belief.chances, size + 1) for places in (belief.starts, ends)])


def _pull(starts: Ints, reach: int, others: Floats) -> Floats:
    """What other nodes add to the log-weight of each start."""
    begin, end = others
    size = len(begin) - 1
    same, close = (_spread(begin, weights)[starts] for weights in (_AGREEMENT, _CLOSE))
    begun, ended = np.cumsum(begin), np.cumsum(end)
    covered = begun[np.minimum(starts + reach, size) - 1] - ended[starts] - close
    alone = np.where(starts == 0, FIRST, 1.0) * NEW / size
    return np.asarray(np.log1p(np.maximum(same, 0) / alone) - OVERLAP * (1 - np.exp(-np.maximum(covered, 0))))


def _spread(values: Floats, weights: Floats) -> Floats:
    """Each value spread to its neighbours, weighted by distance from 0."""
    around = np.concatenate((weights[:0:-1], weights))
    return np.asarray(np.convolve(values, around)[len(weights) - 1 : len(weights) - 1 + len(values)])


MISSING, EXTRA = 0.05, 0.003  # probabilities of a number without a reading, and of a reading without a number
OFFSETS = (-5, -4, -3, -2, -1, 0, 1, 2, 3)  # possible offsets of a number's reading
_SAME = (1 - MISSING - EXTRA) * np.eye(len(OFFSETS)) + EXTRA * np.eye(len(OFFSETS), k=1)
_STEP = np.block([[_SAME, MISSING * np.eye(len(OFFSETS), k=-1)]] * 2)
"""Transition probabilities: states with a reading at each offset, then without one."""

BEGINS = {0: 1.0, -1: 0.18, 1: 0.18, -2: 0.06, 2: 0.06}  # probability of each offset of the first number
APART = 2  # starts within this distance belong to one batch, with shifted numbers
RESOLUTE = 0.5  # probability of a start from which its node determines the length of the batch
SLIGHT = 1e-3  # a start less likely than this for every node is not a batch


class Placing(NamedTuple):
    """The most probable reading (from 0, oldest first) of a reference, -1 for none."""

    reading: int
    confidence: float


class _Batch(NamedTuple):
    """A start, and the probability of each node to belong to that batch."""

    start: int
    members: dict[int, float]


def placed(evidences: Sequence[Evidence], beliefs: Sequence[Belief], size: int) -> list[list[Placing]]:
    """The most probable reading of each reference, by node."""
    chances: list[list[dict[int, float]]] = [[{} for _ in evidence.numbers] for evidence in evidences]
    for batch in _batches(beliefs, [evidence.reach for evidence in evidences]):
        table = _table(batch, evidences, size)
        for index, share in batch.members.items():
            for chance, number in zip(chances[index], evidences[index].numbers, strict=True):
                for offset, part in zip(OFFSETS, table[number - 1], strict=True):
                    reading = batch.start + number - 1 + offset
                    if part > SLIGHT and 0 <= reading < size:
                        chance[reading] = chance.get(reading, 0.0) + share * float(part)
    return [[_likeliest(chance) for chance in rows] for rows in chances]


def _likeliest(chance: dict[int, float]) -> Placing:
    if not chance:
        return Placing(-1, 0.0)
    reading = max(chance, key=lambda key: (chance[key], -key))
    return Placing(reading, min(1.0, chance[reading]))


def _batches(beliefs: Sequence[Belief], reaches: Sequence[int]) -> list[_Batch]:
    """The probable starts, strongest first, merged with nearby ones."""
    weight: dict[int, float] = {}
    reach: dict[int, int] = {}
    for belief, furthest in zip(beliefs, reaches, strict=True):
        for start, chance in _considered(belief):
            weight[start] = weight.get(start, 0.0) + chance
            if chance >= RESOLUTE:
                reach[start] = max(reach.get(start, 1), furthest)
    result: list[_Batch] = []
    for start in sorted(weight, key=lambda key: (-weight[key], key)):
        if not any(_is_one(start, batch.start, reach) for batch in result):
            result.append(_Batch(start, {}))
    by_start = {batch.start: batch for batch in result}
    starts = sorted(by_start)
    for index, belief in enumerate(beliefs):
        for start, chance in _considered(belief):
            batch = by_start[_nearest(starts, start)]
            batch.members[index] = batch.members.get(index, 0.0) + chance
    return result


def _nearest(starts: Sequence[int], start: int) -> int:
    place = bisect_left(starts, start)
    return min(starts[max(0, place - 1) : place + 1], key=lambda each: (abs(each - start), each))


def _considered(belief: Belief) -> Iterator[tuple[int, float]]:
    pairs = zip(belief.starts.tolist(), belief.chances.tolist(), strict=True)
    return ((start, chance) for start, chance in pairs if chance >= SLIGHT)


def _is_one(start: int, other: int, reach: Mapping[int, int]) -> bool:
    """Whether two starts are near and their numbers meet."""
    first, second = sorted((start, other))
    sure = start in reach and other in reach
    return second - first <= APART and not (sure and first + reach[first] <= second)


def _table(batch: _Batch, evidences: Sequence[Evidence], size: int) -> Floats:
    """The probability of each offset for each number."""
    says = _emission(batch, evidences, size)
    chances = _forward(says) * _backward(says)
    return np.asarray(chances[:, : len(OFFSETS)] / chances.sum(axis=1, keepdims=True))


def _emission(batch: _Batch, evidences: Sequence[Evidence], size: int) -> Floats:
    """How well a reading at each offset, and none, fits each number."""
    reach = max(evidences[index].reach for index in batch.members)
    logs = np.zeros((reach, 2, len(OFFSETS)))
    readings = batch.start + np.arange(reach)[:, None] + np.array(OFFSETS)[None, :]
    inside = (readings >= 0) & (readings < size)
    for index, share in batch.members.items():
        said = evidences[index]
        for number, log, weight in zip(said.numbers, said.logs, said.weights, strict=True):
            row = readings[number - 1].clip(0, size - 1)
            logs[number - 1, 0] += share * TRUST * weight * log[row]
            logs[number - 1, 1] -= share * TRUST * weight * np.log(size)
    logs[:, 0][~inside] = -60.0
    return np.asarray(np.exp(logs - logs.max(axis=(1, 2), keepdims=True)).reshape(reach, -1))


def _forward(says: Floats) -> Floats:
    """The scaled probabilities up to each number, its evidence included."""
    result = np.zeros_like(says)
    row = np.array([BEGINS.get(offset, 0.0) for offset in OFFSETS] + [0.0] * len(OFFSETS))
    for number, says_here in enumerate(says):
        row = row * says_here
        result[number] = row / row.sum()
        row = result[number] @ _STEP
    return result


def _backward(says: Floats) -> Floats:
    """The scaled probabilities of what follows each number."""
    result = np.ones_like(says)
    for number in range(len(says) - 2, -1, -1):
        row = _STEP @ (result[number + 1] * says[number + 1])
        result[number] = row / row.max()
    return result
