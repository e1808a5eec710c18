"""The protocol of a search engine: store the stems of texts, and rank the texts that match a query."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graph.models.node_models import Node
from graph.search.query_language import Text
from graph.search.tokenizer import fold, split, stem

TITLE_WEIGHT = 4
"""Weight of the words of a title, in repetitions."""

NAME_WEIGHT = 3
"""Weight of the words of a term's names and of tags, in repetitions."""


GAP = "¶"
"""Separates the parts of a text, so that no phrase spans two parts; no word contains it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A node as input of an engine: `serial` is its key, the lists are stems.

    `digest` identifies the content of the node; `words` has every word in lower case and without accents.
    """

    serial: int
    digest: str
    text: list[str]
    title: list[str]
    words: set[str]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The serials of the matching nodes, each once, best first, with their scores."""

    serials: NDArray[np.int64]
    scores: NDArray[np.float64]

    def filtered(self, mask: NDArray[np.bool_]) -> Ranking:
        """The entries whose position in the ranking is True in `mask`."""
        return Ranking(self.serials[mask], self.scores[mask])


class Engine(Protocol):
    """An index in a folder, in its state when opened. Threads may share it for reading; one thread writes.

    An engine does not see its own writes: open the folder again for that.
    """

    def write(self, entries: Iterable[Entry], gone: Iterable[int]) -> None:
        """Delete the serials `gone`, insert `entries` (replacing those with their serials), and commit."""

    def serials(self) -> NDArray[np.int64]:
        """The serials in the index, in no order; a duplicate is listed twice."""

    def rank(self, included: Text | None, excluded: Text | None) -> Ranking:
        """What matches `included` (None: everything) and does not match `excluded`; prefixes are already expanded."""

    def frequency(self, stem: str) -> int:
        """The number of texts that contain a stem."""

    def close(self) -> None:
        """Close files and free memory."""


Opener = Callable[[Path], Engine]
"""Opens the index in a folder, or creates an empty one."""


def entry_of(node: Node, serial: int, digest: str) -> Entry:
    """A node as its words: one text in which title, names and tags are repeated, with separators between them."""
    labels = node.labels.all() if node.labels else ()
    title, body = split(node.title), split(node.body)
    names = [split(name) for name in (*labels, *node.tags)]
    written = {*title, *body}.union(*names)
    stemmed = list(map(stem, title))
    text = [*stemmed, GAP] * TITLE_WEIGHT
    for name in names:
        text += [*map(stem, name), GAP] * NAME_WEIGHT
    text += map(stem, body)
    return Entry(serial, digest, text, stemmed, set(map(fold, written)))
