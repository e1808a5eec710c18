"""The card of a node, as in-memory lists have it; imports no library, for programs that must start quickly."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


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
    """A node as stored in in-memory lists; `serial` is its position in the order of arrival and never changes."""

    serial: int
    id: str
    kind: Kind
    brain: str
    title: str
    tags: tuple[str, ...]
    document: str
