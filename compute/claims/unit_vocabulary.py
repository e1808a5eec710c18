"""Which own units the formulas of this process may use: those of the open brain."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock

from compute.claims.claim_program import forget_programs
from compute.formula.parser import parse
from compute.prices.own_units import OwnUnit
from compute.units.units import set_own_units

_LOCK = Lock()
_USED: list[OwnUnit] = []


def use(own: Iterable[OwnUnit]) -> None:
    """Make these the own units, in place of those before; of two that share a word the first counts.

    A unit only names a thing that is counted, so a figure never changes with this list: a formula can be read, or not.
    """
    known: dict[str, OwnUnit] = {}
    for one in own:
        if not known.keys() & set(one.words):
            known |= dict.fromkeys(one.words, one)
    with _LOCK:
        _USED[:] = dict.fromkeys(known.values())
        if set_own_units((one.name, one.also, one.plural) for one in _USED):
            parse.cache_clear()
            forget_programs()


def used() -> tuple[OwnUnit, ...]:
    """The own units of this process, for another one that computes for it."""
    with _LOCK:
        return tuple(_USED)
