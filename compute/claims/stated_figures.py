"""The numbers that a text states, and whether they are the figure of a claim: without its words nobody is accused.

1,500 · 1.5k · 1.5 thousand · fifteen hundred        1500
60% · three fifths · 30 to 35%                       60 and 0.6 · 30, 35 and their middle
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import product

from compute.claims.expectations import split_bounds
from compute.figures.figure_models import Figure
from compute.figures.figure_reader import figures, quantities
from compute.figures.number_words import FRACTIONS, MULTIPLES, NUMBERS, SCALES
from compute.formula.formula_errors import FormulaError
from compute.formula.formula_tree import Node, Number, number_of
from compute.formula.parser import parse
from compute.units.units import PLAIN, Unit, currencies, known
from graph.models.claim_models import Claim
from graph.text.plain_text import plain_text
from graph.text.quote_anchor import states

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
_NEAR = Decimal("1e-4")


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
    return any(abs(one - other) <= _NEAR * one for one in wanted for other in known)


# ---- whether the text of a node states the figure of a claim

_SIZES = {"%": Decimal("0.01"), "pp": Decimal("0.01"), "x": Decimal(1)}
_CLOSE = Decimal("1e-6")
_SCALES = tuple(Decimal(10) ** power for power in (-12, -9, -6, -3, -2, 0, 2, 3, 6, 9, 12))


def unsaid(claim: Claim, body: str | None) -> str:
    """Why nobody states a claim in the text of its node, which is None if there is no node; empty if somebody does.

    A quote must be in the text, and state no other figure than the expected one; that a difference is above 0 or a
    ratio above 1 is said in words alone. Without a quote the expected figure itself must be there.
    """
    if body is None:
        return f"there is no node {claim.node}"
    if not claim.quote:
        there = any(_same(*pair) for pair in product(_stated(plain_text(body)), stated_bounds(claim)))
        return "" if there else f"it has no quote, and {claim.expect.text()} is not in the text of {claim.node}"
    if not states(body, claim.quote):
        return f"the quoted words are not in the text of {claim.node}"
    compares = claim.expect.form in {"at_least", "at_most"} and all(one.value in {0, 1} for one in stated_bounds(claim))
    return "" if compares or dict(claim.allow).get("quote-figure") else misquote(claim)


def misquote(claim: Claim) -> str:
    """That the quote of a claim states other figures than the expected one; empty if it states none, or that one."""
    bounds = stated_bounds(claim)
    found, stated = stated_in(claim.quote or "")
    if not bounds or not (found or stated):
        return ""
    forms = (abs(form) for one in bounds for form in (one.value, one.base, one.base * 100))
    if not stated.isdisjoint(forms) or any(_equivalent(*pair) for pair in product(found, bounds)):
        return ""
    shown = ", ".join(" ".join(figure.text.split()) for figure in found[:4]) or "other numbers"
    return f"the quote states {shown}, and expect is {claim.expect.text()}"


def stated_in(quote: str) -> tuple[tuple[Figure, ...], frozenset[Decimal]]:
    """The figures of a quote, and its numbers in words, or without figures all its numbers: GPT-4 is not 4."""
    found = figures(f". {quote}")  # its first capital is a sentence's, not a name's
    return found, frozenset(spelled(quote.lower())) if found else numbers(quote)


def _stated(text: str) -> Iterator[Figure]:
    """The figures of a text, those in words with the unit that digits would have: two dollars."""
    for one in quantities(text):
        yield from figures(f"{one.low:f}{text[one.end : one.end + 40]}")[:1] if one.spelled else (one,)


def stated_bounds(claim: Claim) -> tuple[Number, ...]:
    """The expected figures that are numbers, written there or named."""
    texts = split_bounds(claim.expect) if claim.expect.form != "same_as" else ()
    found = (number_of(tree_of(dict(claim.given).get(text or "", text))) for text in texts)
    return tuple(one for one in found if one is not None)


def tree_of(text: str | None) -> Node | None:
    """The tree of a formula; None if it is absent or cannot be read."""
    try:
        return parse(text) if text else None
    except FormulaError:
        return None


@lru_cache(maxsize=1_000)
def factor(figure: Figure, other: Unit | None) -> Decimal | None:
    """A figure's unit in base units; None if it measures something else than the other, or nothing."""
    own = known(figure.full_unit) if figure.unit != "word" else None  # a number in words
    return own.factor if own and other and own.dimension is other.dimension else None


def _same(figure: Figure, bound: Number) -> bool:
    """Whether a figure is a bound as it is, in its unit or another one of the same measure."""
    dimension = bound.unit.dimension if bound.unit else PLAIN
    if (figure.sort == "money") != bool(currencies(dimension)) or (figure.sort in _SIZES and dimension is not PLAIN):
        return False
    size = _SIZES.get(figure.sort) or factor(figure, bound.unit)
    goal, size = (abs(bound.base), size) if size else (abs(bound.value), Decimal(1))
    return any(abs(value * size - goal) <= goal * _CLOSE for value in (figure.low, figure.high))


def _equivalent(figure: Figure, bound: Number) -> bool:
    """Whether a figure is a bound in any form: rounded, scaled, converted, complement or reciprocal."""
    half, goals, size = max(figure.half, figure.coarse), list(_forms(bound, figure)), factor(figure, bound.unit)
    scales = (size,) if size and bound.unit and bound.unit.dimension is not PLAIN else _SCALES
    values = {figure.low, figure.high}
    return any(abs(value * scale - goal) <= half * scale for value in values for goal in goals for scale in scales)


def _forms(bound: Number, figure: Figure) -> Iterator[Decimal]:
    """What a text may state instead of a bound; the complement only of shares: 5 times are not 4 times."""
    base = abs(bound.base)
    yield from (abs(bound.value), base)
    if bound.unit is None or bound.percent or bound.unit.text in {"x", "×", "times"}:
        if base:
            yield 1 / base
        if bound.percent or figure.sort in {"%", "pp"} or base < 1 or figure.low < 1:
            yield from (abs(1 - base), 1 + base)
            if base not in {Decimal(1), Decimal(0)}:
                yield abs(1 / (1 - base))
                yield abs(1 / base - 1)
