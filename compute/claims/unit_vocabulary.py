"""The words for units of a brain: those of its own units, as the documents state them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from compute.prices.own_units import OwnUnit
from compute.units.units import Vocabulary, set_vocabulary


def vocabulary_of(own: Iterable[OwnUnit]) -> Vocabulary:
    """The vocabulary with these own units; of two that share a word the first counts."""
    known: dict[str, OwnUnit] = {}
    for one in own:
        if not known.keys() & set(one.words):
            known |= dict.fromkeys(one.words, one)
    return _vocabulary(tuple(dict.fromkeys((one.name, one.also, one.plural) for one in known.values())))


_vocabulary = lru_cache(maxsize=16)(Vocabulary)


def use(own: Iterable[OwnUnit]) -> None:
    """Make these the own units of the open brain."""
    set_vocabulary(vocabulary_of(own))
