"""Every number of a text in every form that it may be read in, to decide whether a text states a number at all.

    1,500 · 1.5k · 1.5 thousand · fifteen hundred        1500
    60% · three fifths                                   60 and 0.6
    30 to 35%                                            30, 35 and their middle
    3.14 × 10^23 · 3.14e23                               3.14e23

This reads more than the figures of prose (`compute.figures.figure_reader`): also digits inside names and dates, as a
number that may be stated is not reported as missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache

from compute.figures.figure_reader import figures
from compute.figures.number_words import NUMBERS, SCALES

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_DIGITS = re.compile(
    r"(?<![\d.])(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:\s?[×x*]\s?10\s?\^?\{?(?P<power>-?\d{1,3})\}?|e(?P<exponent>[+-]?\d{1,3}))?"
    r"(?P<scale>[ -]?(?:thousand|million|billion|trillion|bn|mn)\b|[kKMBTGP](?![a-z]))?",
)
_ONES = {"one": 1, "a": 1, "an": 1} | {word: int(value) for word, value in NUMBERS.items() if value < 20}
_TENS = {word: int(value) for word, value in NUMBERS.items() if 20 <= value < 100}
_MANY = {"dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_WORD = re.compile(r"[a-z]+")
_PARTS = {
    "half": Decimal(1) / 2, "halves": Decimal(1) / 2, "halved": Decimal(1) / 2, "third": Decimal(1) / 3,
    "quarter": Decimal(1) / 4, "fifth": Decimal(1) / 5, "sixth": Decimal(1) / 6, "seventh": Decimal(1) / 7,
    "eighth": Decimal(1) / 8, "ninth": Decimal(1) / 9, "tenth": Decimal(1) / 10, "hundredth": Decimal(1) / 100,
    "twice": Decimal(2), "double": Decimal(2), "doubles": Decimal(2), "doubled": Decimal(2), "doubling": Decimal(2),
    "both": Decimal(2), "pair": Decimal(2), "triple": Decimal(3), "triples": Decimal(3), "tripled": Decimal(3),
    "thrice": Decimal(3), "quadruple": Decimal(4), "quadrupled": Decimal(4),
}  # fmt: skip  # one line per group is more readable
_FACTORS = (
    *(Decimal(10) ** power for power in (0, 2, -2, 3, -3, 6, -6, 9, -9, 12, -12, 15, -15)),
    *map(Decimal, (8, 24, 60, 3600, 12, 365, 8760, 730, 720, 7, 1024, 1024**2, 1024**3)),
)
"""Powers of ten, and the conversions of bits, times and binary sizes."""
_CLOSE = Decimal("1e-4")


@lru_cache(maxsize=2_000)
def numbers(text: str) -> frozenset[Decimal]:
    """Every number that a text states."""
    text = text.translate(_SUPERSCRIPTS)
    middles = [(figure.low + figure.high) / 2 for figure in figures(text) if figure.ranged]
    return frozenset((*_digits(text), *_spelled(text.lower()), *middles))


def _digits(text: str) -> Iterator[Decimal]:
    for match in _DIGITS.finditer(text):
        if len(match["number"]) > 30:
            continue
        value = Decimal(match["number"].replace(",", ""))
        power = match["power"] or match["exponent"]
        yield value
        if power:
            yield value.scaleb(int(power))
        if match["scale"]:
            word = match["scale"].strip(" -").lower()
            yield value * SCALES.get(word, {"g": Decimal(10) ** 9, "p": Decimal(10) ** 15}.get(word, Decimal(1)))


def _spelled(text: str) -> Iterator[Decimal]:
    """The numbers in words: `fifteen hundred`, `twenty-five`, `three quarters`."""
    run: list[str] = []
    for word in (*_WORD.findall(text), ""):
        part = _PARTS.get(word.removesuffix("s"), _PARTS.get(word))
        if part is not None:
            yield part
            yield part * (_ones(run) or Decimal(1))
        if word in _ONES or word in _TENS or word in _MANY:
            run.append(word)
            continue
        if run and word != "and":
            yield from _values(run)
            run = []


def _ones(run: list[str]) -> Decimal:
    return Decimal(_ONES.get(run[-1], 0)) if run else Decimal(0)


def _values(run: list[str]) -> Iterator[Decimal]:
    total, current = 0, 0
    for word in run:
        if word in _MANY:
            current = max(current, 1) * _MANY[word]
            total, current = (total + current, 0) if _MANY[word] > 100 else (total, current)
        else:
            current += _ONES.get(word, 0) + _TENS.get(word, 0)
    yield Decimal(total + current)
    yield from (Decimal({**_ONES, **_TENS, **_MANY}[word]) for word in run)


def stated(forms: Iterable[Decimal], known: frozenset[Decimal]) -> bool:
    """Whether one of the forms of a number, or a conversion of it by a common factor, is among the known numbers."""
    wanted = [abs(form) * factor for form in forms if form for factor in _FACTORS]
    wanted += [abs(form) / factor for form in forms if form for factor in _FACTORS]
    return any(abs(one - other) <= _CLOSE * one for one in wanted for other in known)
