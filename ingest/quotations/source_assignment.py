"""Assigns documents to sources: all assignments of one node, weighted.

    documents, in order of first appearance      5    20   10   7
                                                 │     │    ╲   (not listed)
    sources, in the order of the list            a     b     c

Each assignment of sources, or none, to all documents has a weight: the evidence for its pairs, and how far it follows
the order of the list. The probability of a pair is the summed weight of the significant assignments that contain it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

SKIP = math.exp(-1.1)  # factor for each skipped source
BACK = math.exp(-2.2)  # factor for a source listed before that of the previous document
SHARED = math.exp(-4.5)  # factor for a source that an earlier document has
UNUSED = math.exp(-1.6)  # factor for a source without a document if there are enough
UNLISTED = math.exp(-4.5)  # factor for a document without a source if there are enough
WIDEST, SLIGHTEST = 48, 1e-3  # maximum number of partial assignments, and their minimum weight relative to the best
State = tuple[int, int]  # sources taken, as bits, and the one taken last

Layer = dict[State, float]

Orders = list[list[float]]


def chances(evidence: Sequence[Sequence[float]], sources: int, trust: float = 1.0) -> list[list[float]]:
    """For each document the probability of each source, and last of none.

    `evidence[d][s]` is the log-likelihood ratio of document `d` being source `s`; `trust` is the exponent of the
    factors of order and number, 1 for a typical author.
    """
    unlisted = math.pow(_unlisted(len(evidence), sources), trust)
    factors = [[*map(math.exp, row), unlisted] for row in evidence]
    orders = _orders(sources, trust)
    layers = _forward(factors, orders)
    after = {state: _closing(state, len(evidence), sources) for state in layers[-1]}
    result: list[list[float]] = []
    for layer, row in zip(layers[-2::-1], factors[::-1], strict=True):
        found, after = _backward(layer, row, after, orders)
        result.append(found)
    return result[::-1]


def _forward(factors: Sequence[Sequence[float]], orders: Orders) -> list[Layer]:
    layers: list[Layer] = [{(0, -1): 1.0}]
    for row in factors:
        found: Layer = defaultdict(float)
        for state, weight in layers[-1].items():
            for _, way, factor in _moves(state, row, orders):
                found[way] += weight * factor
        layers.append(_best(found))
    return layers


def _best(layer: Layer) -> Layer:
    """The best assignments, scaled to a maximum of 1."""
    top = max(layer.values())
    kept = {state: weight / top for state, weight in layer.items() if weight >= top * SLIGHTEST}
    if len(kept) <= WIDEST:
        return kept
    return dict(sorted(kept.items(), key=lambda item: -item[1])[:WIDEST])


@lru_cache(maxsize=64)
def _orders(sources: int, trust: float) -> Orders:
    """The factor of each source, by the one taken last."""
    return [[math.pow(_order(last, choice), trust) for choice in range(sources)] for last in range(-1, sources)]


def _order(last: int, choice: int) -> float:
    if choice > last:
        return math.pow(SKIP, choice - last - 1)
    return BACK * math.pow(SKIP, 0.2 * (last - choice - 1))


def _moves(state: State, row: Sequence[float], orders: Orders) -> Iterator[tuple[int, State, float]]:
    """The choices of a document, with new assignment and factor."""
    mask, last = state
    sources = len(row) - 1
    yield sources, state, row[sources]
    factors = orders[last + 1]
    for choice in range(sources):
        bit = 1 << choice
        yield choice, (mask | bit, choice), row[choice] * (SHARED if mask & bit else factors[choice])


def _unlisted(documents: int, sources: int) -> float:
    """The factor for no source, higher with spare documents."""
    spare = max(0, documents - sources)
    return UNLISTED if not spare else 0.6 * (spare + 0.2) / documents


def _closing(state: State, documents: int, sources: int) -> float:
    """The factor for the sources left over at the end."""
    unused = sources - state[0].bit_count()
    return math.pow(UNUSED, max(0, unused - max(0, sources - documents)))


def _backward(layer: Layer, row: Sequence[float], after: Layer, orders: Orders) -> tuple[list[float], Layer]:
    """The probabilities of a document's choices, and weights before it."""
    sums = [0.0] * len(row)
    closing: Layer = {}
    for state, weight in layer.items():
        total = 0.0
        for choice, way, factor in _moves(state, row, orders):
            rest = after.get(way)
            if rest:
                sums[choice] += weight * rest * factor
                total += rest * factor
        closing[state] = total
    whole, top = math.fsum(sums), max(closing.values())
    return [value / whole for value in sums], {state: value / top for state, value in closing.items()}
