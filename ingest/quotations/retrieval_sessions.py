"""Sessions: neighbouring readings that were written from the same retrieved documents.

An author retrieves once and writes several readings from what came back, so within a session one document number is
one address. Where a session begins is not in the page; readings of one share numbers, works and tags.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

WORK, NUMBER, TAGS, START = 2.5, 0.9, 4.0, -0.8
"""Evidence in nats: for each work shared; against, for each number shared where no work is; for tags; to begin with."""

WINDOW = 8
"""A session is looked for among so many readings before."""


class Trace(NamedTuple):
    """What a reading shows of its session: document numbers, works of its sources, tags."""

    numbers: frozenset[int]
    works: frozenset[str]
    tags: frozenset[str]


def bonds(traces: Sequence[Trace]) -> list[float]:
    """For each reading the chance that it is of the same session as the one before it on the page; 0 for the first."""
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
