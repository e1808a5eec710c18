"""The counts of a facet; imports no library, for programs that must start quickly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import ClassVar

FACET_TAGS = 100
"""Maximum number of tags that a facet of a search lists."""


@dataclass(frozen=True, slots=True)
class FacetCount:
    """One value of a facet and how many of the matching nodes have it."""

    __pydantic_config__: ClassVar[dict[str, str]] = {
        "extra": "ignore"
    }  # a client of an answer accepts keys that a later version adds

    value: str
    count: int


def ranked(counts: Mapping[str, int], most: int | None = None) -> tuple[FacetCount, ...]:
    """The `most` frequent values, ties by name; without `most`, all."""
    ordered = sorted(sorted(counts.items()), key=itemgetter(1), reverse=True)
    return tuple(FacetCount(value, count) for value, count in ordered[:most])
