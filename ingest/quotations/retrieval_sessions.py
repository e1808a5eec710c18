"""Sessions: neighbouring readings that were written from the same retrieved documents.

An author retrieves once and writes several readings from the results, so within a session one document number is
one address. The page does not say where a session begins; readings of one session share numbers, works and tags.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

WORK, NUMBER, TAGS, START = 2.5, 0.9, 4.0, -0.8
"""Evidence in nats: for each shared work; against, for each shared number without a shared work; for tags; prior."""

WINDOW = 8
"""The number of earlier readings searched for a session."""


class Trace(NamedTuple):
    """The evidence of a reading's session: document numbers, works of its sources, tags."""

    numbers: frozenset[int]
    works: frozenset[str]
    tags: frozenset[str]


def bonds(traces: Sequence[Trace]) -> list[float]:
    """For each reading the probability that it shares a session with the previous one on the page; 0 for the first."""
    counts = Counter(tag for trace in traces for tag in trace.tags)
    result = []
    open_since = 0
    for index, trace in enumerate(traces):
        earlier = traces[max(open_since, index - WINDOW) : index]
        bond = 1 / (1 + math.exp(-_evidence(trace, earlier, counts, len(traces)))) if earlier else 0.0
        if bond < 0.5:
            open_since = index
        result.append(bond)
    return result


def _evidence(trace: Trace, earlier: Sequence[Trace], counts: Counter[str], size: int) -> float:
    """The log-odds that a reading belongs to the session of the readings before it."""
    works = len(trace.works & frozenset().union(*(other.works for other in earlier)))
    numbers = len(trace.numbers & frozenset().union(*(other.numbers for other in earlier)))
    tags = max(_shared(trace.tags, other.tags, counts, size) for other in earlier)
    against = NUMBER * numbers if not works else 0.0
    return START + WORK * min(works, 3) - min(against, 2.5) + TAGS * tags


def _shared(mine: frozenset[str], theirs: frozenset[str], counts: Counter[str], size: int) -> float:
    """How much of the tags two readings have in common, rare tags counting more: 0 to 1."""
    rarity = {tag: math.log((size + 1) / counts[tag]) for tag in mine | theirs}
    whole = min(math.fsum(rarity[tag] for tag in mine), math.fsum(rarity[tag] for tag in theirs))
    return math.fsum(rarity[tag] for tag in mine & theirs) / whole if whole > 0 else 0.0
