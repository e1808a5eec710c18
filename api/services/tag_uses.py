"""Tags with the number of nodes and claims that carry them, and the tags that often occur together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graph.models.claim_models import Claim
from graph.models.query_models import Card, FacetCount

TOGETHER = 2
"""Two tags are related if at least this many nodes carry both."""


class TagUse(NamedTuple):
    """A tag and how many nodes and claims carry it."""

    tag: str
    nodes: int
    claims: int = 0

    @property
    def total(self) -> int:
        """How many carry it in all."""
        return self.nodes + self.claims


def tag_uses(nodes: Iterable[FacetCount], claims: Iterable[Claim]) -> tuple[TagUse, ...]:
    """Every tag of a node or a claim, the most used first."""
    of_nodes = {one.value: one.count for one in nodes}
    of_claims = Counter(tag for claim in claims for tag in dict.fromkeys(claim.tags))
    found = (TagUse(tag, of_nodes.get(tag, 0), of_claims[tag]) for tag in {**of_nodes, **of_claims})
    return tuple(sorted(found, key=lambda use: (-use.total, use.tag)))


def families(
    uses: Sequence[TagUse], cards: Iterable[Card], most: int, members: int
) -> tuple[tuple[TagUse, tuple[TagUse, ...]], ...]:
    """At most `most` tags, each with those that occur with it most often for their own use; no tag is in two families.

    The most used tag that has no family yet begins the next. Two tags are as related as their Jaccard index over nodes.
    """
    wide = {use.tag: use for use in uses[: most * (members + 2)]}
    together = _together(cards, wide)
    found: list[tuple[TagUse, tuple[TagUse, ...]]] = []
    taken: set[str] = set()
    for use in wide.values():
        if use.tag in taken or len(found) == most:
            continue
        near = [
            (count / (use.nodes + wide[other].nodes - count), other)
            for other, count in together[use.tag].items()
            if other not in taken and count >= TOGETHER
        ]
        related = [other for _, other in sorted(near, key=lambda one: (-one[0], one[1]))[:members]]
        if related:
            taken |= {use.tag, *related}
            found.append((use, tuple(wide[other] for other in related)))
    return tuple(found)


def _together(cards: Iterable[Card], tags: Iterable[str]) -> dict[str, Counter[str]]:
    """How many nodes carry two tags, for each pair of some tags."""
    wanted = frozenset(tags)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for card in cards:
        own = wanted.intersection(card.tags)
        for tag in own:
            found[tag].update(own)
    for tag, counts in found.items():
        del counts[tag]
    return found
