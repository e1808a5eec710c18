"""Finds the units in which definitions of one term state different figures."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import NamedTuple

from compute.figures.figure_models import Figure, Passage, Statement
from compute.figures.figure_reader import figures
from compute.figures.number_words import SCALES
from compute.figures.statement_writer import given, quoted, statement, unit_of
from compute.units.number_format import said


class Difference(NamedTuple):
    """A unit in which texts differ: each node with its figures, as written."""

    unit: str
    figures: tuple[tuple[str, tuple[str, ...]], ...]


def differences(texts: Iterable[Passage]) -> tuple[Difference, ...]:
    """The units in which two texts state different figures."""
    return tuple(
        Difference(unit, tuple((text.node, _written(found)) for text, found in stated.items()))
        for unit, stated in sorted(_by_unit(texts).items())
        if len({frozenset((one.low, one.high) for one in found) for found in stated.values()}) > 1
    )


def contradictions(texts: Iterable[Passage]) -> Iterator[Statement]:
    """Statements on two texts whose only figures in a unit exclude each other."""
    for stated in _by_unit(texts).values():
        only = [(text, found[0]) for text, found in stated.items() if len(_written(found)) == 1]
        for (here, one), (there, other) in permutations(only, 2):
            if one.high < other.low or other.high < one.low:
                yield _contradiction(here, one, there, other)


def _by_unit(texts: Iterable[Passage]) -> dict[str, dict[Passage, list[Figure]]]:
    """Figures of each text by unit, without those in words."""
    found: dict[str, dict[Passage, list[Figure]]] = defaultdict(dict)
    for text in texts:
        for one in figures(text.mask):
            unit = unit_of(one) or one.noun
            words = set(re.findall("[a-z]+", one.text.lower())) - {*SCALES, "to", "and"}
            qualified = one.sort in {"count", "unit"} and len(words) > 1  # a word that is no scale
            if unit and not one.spelled and not qualified:
                found[unit].setdefault(text, []).append(one)
    return found


def _written(found: Iterable[Figure]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(" ".join(one.text.split()) for one in found))


def _contradiction(here: Passage, one: Figure, there: Passage, other: Figure) -> Statement:
    unit = unit_of(one)
    says = said(other.low, unit) + (f" to {said(other.high, unit)}" if other.ranged else "")
    words = quoted(there.text, *_sentence(there, other))[0][:200]
    return statement(
        here,
        one,
        _sentence(here, one),
        kind="cross-document",
        inputs=(given("here", one, unit), given("there", other, unit_of(other))),
        expression="there",
        computed=other.low,
        unit=unit,
        finding="differs",
        note=f"two texts differ: {there.node} says {says}: “{words}”",
        on=None,
    )


def _sentence(text: Passage, figure: Figure) -> tuple[int, int]:
    start = max(border for border in text.borders if border <= figure.start)
    return start, min(border for border in text.borders if border >= figure.end)
