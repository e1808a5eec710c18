"""How far an author follows the order of first appearance, judged by readings of one session.

    one reading      documents 4, 7        sources a, b        by order 4 is a, 7 is b
    another          documents 7, 4        sources a, b        by order 7 is a: the two disagree

Within a session one number is one address. Where readings that name as many sources as documents often disagree, the
order of their lists is weaker evidence, and nothing that depends on it is certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

NEAR, BOND = 4, 0.6
"""The number of earlier readings compared, and the minimum probability that neighbours share a session."""

USUAL, WEIGHT = 0.16, 3
"""The share of disagreement on a usual page, and how many comparisons that expectation is worth."""

MOST, FALL, LEAST = 0.3, 3.0, 0.1
"""The share up to which the order is fully trusted, the reduction per point beyond it, and the minimum trust."""


def order_trust(ordered: Sequence[Mapping[int, str] | None], bonds: Sequence[float]) -> float:
    """The exponent for every factor based on the order of sources: 1, or less on a page that contradicts itself.

    `ordered` holds for each reading the work that each document is by order, None if it lists more or fewer.
    """
    found = list(_compared(ordered, bonds))
    share = (sum(found) + USUAL * WEIGHT) / (len(found) + WEIGHT)
    return round(max(LEAST, 1 - FALL * max(0.0, share - MOST)), 2)


def _compared(ordered: Sequence[Mapping[int, str] | None], bonds: Sequence[float]) -> Iterator[bool]:
    """For each number that two readings of a session share, whether they disagree about its work."""
    for index, one in enumerate(ordered):
        for before in range(index - 1, max(-1, index - 1 - NEAR), -1):
            if bonds[before + 1] < BOND:
                break
            other = ordered[before]
            if one and other:
                yield from _disagreements(one, other)


def _disagreements(one: Mapping[int, str], other: Mapping[int, str]) -> Iterator[bool]:
    """Disagreements where either work is in both lists; if the works are separate, both may be right."""
    for number in one.keys() & other.keys():
        if one[number] == other[number]:
            yield False
        elif one[number] in other.values() or other[number] in one.values():
            yield True
