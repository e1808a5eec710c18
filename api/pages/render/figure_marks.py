"""Finds the figure of a claim in a text: the same amount, in the most similar sentence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from api.pages.render.text_marks import Spans
from compute.figures.figure_models import Figure
from compute.figures.figure_reader import quantities
from compute.figures.statement_writer import unit_of
from compute.units import units
from graph.models.claim_models import Claim, VerdictName
from graph.models.verdict_models import VerdictRow

_NUMBER = (
    r"[$€£]?\s?\d(?:[\d,]*\d)?(?:\.\d+)?(?:e\d+|×10[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
    r"(?:\s?(?:%|(?:pp|(?:percentage )?points?)\b|[×x](?!\w)|times\b|-fold\b)|[kKMBT](?!\w))?"
)
_WRITTEN = re.compile(
    rf"{_NUMBER}(?:\s?[–-]\s?{_NUMBER})?"
    r"(?:[ \u00a0](?:thousand|million|billion|trillion)\b|(?<=\d)[ \u00a0][kKMBT](?!\w))?"
    r"(?:[ \u00a0](?:%|pp\b|[A-Za-zµ]{1,6}/[A-Za-zµ][A-Za-zµ/]{0,11}(?!\w)"
    r"|[KMGTP]i?B\b|[kMG]?Wh?\b|ms\b|[GTPE]?FLOPS\b))?"
)
"""What is marked of a figure in digits: of a rate only the amount."""
_BOUND = re.compile(
    r"-?(?P<number>\d++(?:\.\d++)?(?:e[+-]?\d++)?)(?P<power>[kKMBT](?!\w))?(?:/(?P<parts>\d+)\Z)?\s*+(?P<unit>.*)"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n(?=[|*•#-])|(?<=\|)\s*\n")
_WORD = re.compile(r"[^\W\d_]{3,}")
_GROUPED = re.compile(r"(?<=\d)_(?=\d)")
_POWERS = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12}
_CLOSE, _NONE = Decimal("1e-9"), 99

Wanted = tuple[Decimal, str]
"""A number with its unit."""


def claim_places(
    text: str,
    claims: Iterable[Claim],
    closed_off: Spans | None = None,
    quoted: Mapping[str, tuple[int, int]] | None = None,
    rows: Mapping[str, VerdictRow] | None = None,
) -> dict[str, tuple[int, int]]:
    """The place of each claim's figure, by claim id; a claim whose figure is not in the text has none.

    Of several places with the right figure it is the one whose sentence shares most words with what the claim says.
    Claims about the same figure share its place. `quoted` are the places of the words that claims quote, by claim id:
    the figure of such a claim is there, and nowhere else. `rows` are their last verdicts, whose values count too.
    """
    claims, guarded = list(claims), closed_off or Spans()
    every = [figure for figure in quantities(text) if figure.start not in guarded] if claims else []
    sentences = _Sentences(text)
    found: dict[str, tuple[int, int]] = {}
    for claim in claims:
        if quoted is None or not claim.quote:
            place = _alike(text, every, claim, sentences)
        elif span := quoted.get(claim.id):
            place = _inside(text, span, every, claim, (rows or {}).get(claim.id))
            place = None if place == span and (span[0] in guarded or span[1] - 1 in guarded) else place
        else:
            continue
        if place:
            found[claim.id] = place
    return found


def _alike(text: str, every: Iterable[Figure], claim: Claim, sentences: _Sentences) -> tuple[int, int] | None:
    """The figure in the sentence that shares most words with what a claim says."""
    words, wanted = _words(claim.says), [*_bounds(claim), *_stated(claim.says)]
    shared = ((one, _rank(one, wanted), len(words & sentences.words(one.start))) for one in every)
    known = [(rank, -alike, one.start, one) for one, rank, alike in shared if alike and rank < 3 * len(wanted)]
    return _span(text, min(known)[-1]) if known else None


def _span(text: str, figure: Figure) -> tuple[int, int]:
    """What is marked of a figure."""
    written = _WRITTEN.match(text, figure.start)
    return figure.start, written.end() if written else figure.end


def _inside(
    text: str, span: tuple[int, int], every: Iterable[Figure], claim: Claim, row: VerdictRow | None
) -> tuple[int, int]:
    """The figure of a quote that its claim checks (or what remains of 100%), else the quote."""
    wanted = [*(bounds := _bounds(claim))]
    own = [figure for figure in every if span[0] <= figure.start < span[1]]
    if row and row.value is not None and row.verdict is VerdictName.HOLDS:
        wanted.append((row.value, row.unit))
    if not bounds and claim.says != claim.quote:
        wanted += _stated(claim.says)
    wanted += [(100 - number, unit) for number, unit in wanted if unit == "%" and 0 < number < 100]
    best = min(own, key=lambda one: _rank(one, wanted), default=None)
    if best and (_rank(best, wanted) < _NONE or (len(own) == 1 and not bounds)):
        return _span(text, best)
    return span


def _bounds(claim: Claim) -> list[Wanted]:
    """The expected numbers that are no formulas."""
    written = (*claim.expect.bound.split(".."), claim.expect.upper or "")
    found = filter(None, (_BOUND.fullmatch(_GROUPED.sub("", bound).strip()) for bound in written))
    numbers = ((Decimal(one["number"]) / Decimal(one["parts"] or 1), one) for one in found)
    return [(number.scaleb(_POWERS.get(one["power"], 0)), one["unit"]) for number, one in numbers]


def _stated(words: str) -> list[Wanted]:
    """The prices, shares and multiples of a sentence."""
    return [(one.low, unit_of(one)) for one in quantities(words) if one.sort not in {"count", "unit"}]


def _rank(figure: Figure, wanted: Sequence[Wanted]) -> int:
    """Which wanted number a figure has; those that only the bare number has come last."""
    fits = ((_fit(figure, *one), early) for early, one in enumerate(wanted))
    return min(
        (early + len(wanted) * 3 if fit == 3 else early * 3 + fit for fit, early in fits if fit < 4), default=_NONE
    )


def _fit(figure: Figure, number: Decimal, unit: str) -> int:
    """0 for the number in its unit, 1 in another, 2 with a part of the unit, 3 for a bare number, else 4."""
    own, other = units.known(unit_of(figure)), units.known(unit.replace("/ 1 ", "/").replace("month_720h", "month"))
    if own and other and own.dimension is other.dimension:
        amounts, right = (figure.low * own.factor, figure.high * own.factor), number * other.factor
        if not any(abs(one - right) <= abs(right) * _CLOSE for one in amounts):
            return 4
        return 2 if figure.sort == "count" and not figure.period else int(number != figure.low)
    if number not in {figure.low, figure.high}:
        return 4
    return 2 if figure.unit and figure.unit in unit else 3 if figure.sort == "count" else 4


class _Sentences:
    """Words of the sentence around a place, cached."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._borders = [0, *(found.end() for found in _SENTENCE.finditer(text)), len(text)]
        self._words: dict[int, frozenset[str]] = {}

    def words(self, place: int) -> frozenset[str]:
        """The words, cut to their beginnings."""
        index = bisect_right(self._borders, place)
        if index not in self._words:
            self._words[index] = _words(self._text[self._borders[index - 1] : self._borders[index]])
        return self._words[index]


def _words(text: str) -> frozenset[str]:
    return frozenset(word[:6] for word in _WORD.findall(text.casefold()))
