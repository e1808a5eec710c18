"""Nodes of in-memory lists, without a library, for programs that must start quickly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, NamedTuple


class Kind(StrEnum):
    """The kind of a node, in reading order."""

    POV = "pov"
    METHODOLOGY = "methodology"
    WATCHING = "watching"
    THESIS = "thesis"
    READING = "reading"
    TERM = "term"
    REFERENCE = "reference"


class Card(NamedTuple):
    """A node of an in-memory list; `serial`, its position in the order of arrival, never changes."""

    serial: int
    id: str
    kind: Kind
    brain: str
    title: str
    tags: tuple[str, ...]
    document: str


FACET_TAGS = 100  # maximum number of tags in the facets of a search

Counts = Mapping[str, int]
"""Number of nodes by value."""


@dataclass(frozen=True, slots=True)
class FacetCount:
    """One value of a facet and how many of the matching nodes have it."""

    # a client of an answer accepts keys that a later version adds
    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "ignore"}

    value: str
    count: int


def ranked(counts: Counts, most: int | None = None) -> dict[str, int]:
    """The `most` frequent values (None: all), ties by name."""
    names = sorted(counts)
    names.sort(key=counts.__getitem__, reverse=True)
    return {name: counts[name] for name in names[:most]}
