"""Every number that a text may state, to decide whether it states one at all: also digits in names and dates.

1,500 · 1.5k · 1.5 thousand · fifteen hundred        1500
60% · three fifths · 30 to 35%                       60 and 0.6 · 30, 35 and their middle
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache

from compute.figures.figure_reader import figures
from compute.figures.number_words import FRACTIONS, MULTIPLES, NUMBERS, SCALES

_DIGITS = re.compile(r"(?<![\d.])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)")
_MANY = {word: SCALES[word] for word in ("dozen", "hundred", "thousand", "million", "billion", "trillion")}
_FEW = {"one": Decimal(1), "a": Decimal(1), "an": Decimal(1)} | {word: NUMBERS[word] for word in NUMBERS.keys() - _MANY}
_PARTS = {**FRACTIONS, **MULTIPLES, "both": Decimal(2), "pair": Decimal(2)}
_WORD = re.compile(r"[a-z]+")
_FACTORS = (
    *(Decimal(10) ** power for power in (0, 2, -2, 3, -3, 6, -6, 9, -9, 12, -12, 15, -15)),
    *map(Decimal, (8, 24, 60, 3600, 12, 365, 8760, 730, 720, 7, 1024, 1024**2, 1024**3)),
)
"""Powers of ten, and the conversions of bits, times and binary sizes."""
_CLOSE = Decimal("1e-4")


@lru_cache(maxsize=2_000)
def numbers(text: str) -> frozenset[Decimal]:
    """Every number that a text states."""
    read = (each for one in figures(text) for each in (one.low, one.high, (one.low + one.high) / 2))
    plain = (Decimal(found.replace(",", "")) for found in _DIGITS.findall(text) if len(found) <= 30)
    return frozenset((*read, *plain, *spelled(text.lower())))


def spelled(text: str) -> Iterator[Decimal]:
    """Numbers in words: `fifteen hundred`, `twenty-five`, `three quarters`."""
    run: list[str] = []
    for word in (*_WORD.findall(text), ""):
        part = _PARTS.get(word.removesuffix("s"), _PARTS.get(word))
        if part is not None:
            yield part
            yield part * _FEW.get(run[-1], 1) if run else part
        if word in _FEW or word in _MANY:
            run.append(word)
        elif run and word != "and":
            yield from _values(run)
            run = []


def _values(run: list[str]) -> Iterator[Decimal]:
    total, current = Decimal(0), Decimal(0)
    for word in run:
        if word in _FEW:
            current += _FEW[word]
        else:
            current = max(current, Decimal(1)) * _MANY[word]
            total, current = (total + current, Decimal(0)) if _MANY[word] > 100 else (total, current)
    yield total + current
    yield from ((_FEW | _MANY)[word] for word in run)


def stated(forms: Iterable[Decimal], known: frozenset[Decimal]) -> bool:
    """Whether a form of a number, or its conversion by a common factor, is among the known numbers."""
    wanted = [abs(form) * factor for form in forms if form for factor in _FACTORS]
    wanted += [abs(form) / factor for form in forms if form for factor in _FACTORS]
    return any(abs(one - other) <= _CLOSE * one for one in wanted for other in known)
