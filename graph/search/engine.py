"""What a search engine must do: keep the stems of texts, and rank the texts that answer a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graph.nodes import Node
from graph.search.language import Text
from graph.search.words import stems, words

TITLE_WEIGHT = 4
"""How many times the words of a title count."""

NAME_WEIGHT = 3
"""How many times the words of a term's names and of tags count."""


GAP = "¶"
"""Stands between the parts of a text, so that no phrase reaches over; no word contains it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A node as an engine takes it: `serial` is its key, the lists are stems; `words` every word as it is written."""

    serial: int
    text: list[str]
    title: list[str]
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The serials of what matches, each once, best first, with their scores."""

    serials: NDArray[np.int64]
    scores: NDArray[np.float64]

    def kept(self, mask: NDArray[np.bool_]) -> Ranking:
        """Those whose place in the ranking is True in `mask`."""
        return Ranking(self.serials[mask], self.scores[mask])


class Engine(Protocol):
    """An index in a folder. One thread writes; readers see what was committed when they last called `reload`."""

    def write(self, entries: Iterable[Entry], gone: Iterable[int]) -> None:
        """Take out `gone`, put in `entries` (in place of those with their serials), and commit."""

    def reload(self) -> None:
        """See what was committed."""

    def rank(self, wanted: Text | None, unwanted: Text | None) -> Ranking:
        """What matches `wanted` (None: everything) and does not match `unwanted`; prefixes are spelt out already."""

    def frequency(self, stem: str) -> int:
        """In how many texts a stem occurs."""

    def close(self) -> None:
        """Give back files and memory."""


Opener = Callable[[Path], Engine]
"""Opens the index in a folder, or makes an empty one."""


def entry_of(node: Node, serial: int) -> Entry:
    """A node as its words: one text in which title, names and tags stand several times, apart from each other."""
    title = stems(node.title)
    labels = node.labels.all() if node.labels else ()
    names = [stems(name) for name in (*labels, *node.tags)]
    text = [*title, GAP] * TITLE_WEIGHT
    for name in names:
        text += [*name, GAP] * NAME_WEIGHT
    text += stems(node.body)
    return Entry(serial, text, title, frozenset(words(" ".join((node.title, node.body, *labels, *node.tags)))))
