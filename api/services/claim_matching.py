"""Finds the claim of a brain about a figure in a text: by the words around it, the names in it, and its unit."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from compute.figures.figure_reader import figures
from compute.figures.price_subjects import questions
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Question, Quote
from compute.units import units
from compute.units.units import EXACT
from graph.models.claim_models import Claim
from graph.search.tokenizer import COMMON, stems

INSIDE, ALIKE = 0.6, 0.4
"""The least share of the weight of common words: in the shorter of the two sentences, and in both together."""
LEAST = 3
"""The least number of common words."""

_NAME = re.compile(r"[a-z]*\d[a-z\d.]*")
_NUMBER = re.compile(r"\d[\d.,]*")
_LOOKUP = re.compile(r'"([^"]+)"')
_QUOTED = re.compile(r'"[^"]*"|(?<=\d)_(?=\d)')
"""Parts of a formula that are not figures: names in quotation marks, and a line inside a number."""
_TRADE = {"cache": re.compile(r"\bcach", re.I), "batch": re.compile(r"\bbatch", re.I)}
"""Words for what a price is of, which a sentence and a claim about prices must share."""
_SHARES = {"%": "%", "pp": "pp", "x": "x", "times": "x", "": ""}


@dataclass(frozen=True, slots=True)
class _Wording:
    """The words of one sentence about a claim, with the names among them."""

    claim: str
    words: frozenset[str]
    names: frozenset[str]
    trade: frozenset[str] | None
    """The words of `_TRADE` that its prices are of; None for a claim about no prices."""
    given: Mapping[str, frozenset[Decimal]]
    """The figures that its claim is given, by unit: 4 bits, 99.9%."""


Asked = frozenset[tuple[str, str, str, int]]
"""The prices that a formula asks for: item, component, processing and tier of context of each."""
Meant = Callable[[Question], Question]
"""Gives the question for the model of a family and the tier of a context."""


def asked(formulas: Iterable[str], meant: Meant) -> Asked:
    """The prices that formulas ask for."""
    every = (meant(one) for formula in formulas for one in questions(formula))
    return frozenset((one.item, one.component, one.processing, one.context) for one in every)


def meant_by(book: CatalogBook, on: date, question: Question) -> Question:
    """A question for the item that a name means on a day, with the tokens above which the tier of its context begins.

    A prompt of 100k tokens has the price of a short one where the next tier begins at 200k.
    """
    answer = book.price(question, on)
    tier = answer.price.above if isinstance(answer, Quote) else question.context
    return question.model_copy(update={"item": book.meant(question.item, on), "context": tier})


class ClaimMatcher:
    """Finds claims by sentences. `units_of` is the unit in which the value of each claim is shown, by claim id."""

    def __init__(self, claims: Iterable[Claim], units_of: Mapping[str, str], makers: frozenset[str]) -> None:
        self.claims = {claim.id: claim for claim in claims}
        self._units, self._makers = units_of, makers
        wordings = [one for claim in self.claims.values() for one in self._wordings(claim)]
        counts = Counter(word for one in wordings for word in one.words)
        self._weights = {word: math.log(1 + len(wordings) / count) for word, count in counts.items()}
        self._unseen = math.log(1 + len(wordings)) if wordings else 0.0
        self._by_word: dict[str, list[_Wording]] = defaultdict(list)
        for one in wordings:
            for word in one.words:
                self._by_word[word].append(one)

    def _wordings(self, claim: Claim) -> Iterable[_Wording]:
        items = " ".join(item for text in formulas(claim) for item in _LOOKUP.findall(text))
        named = self.names(f"{claim.says} {claim.quote or ''} {items}")
        kinds = " ".join(f"{one[1]} {one[2]}" for one in asked(formulas(claim), lambda one: one))
        given = _figures("; ".join(text for _, text in claim.given))
        for text in (claim.says, claim.quote):
            if text:
                yield _Wording(claim.id, _words(text), named, _trade(kinds) if kinds else None, given)

    def names(self, text: str) -> frozenset[str]:
        """Names of models and makers, and words with digits that are no plain numbers."""
        found = stems(text)
        return frozenset(
            word for word in found if word in self._makers or (_NAME.fullmatch(word) and not _NUMBER.fullmatch(word))
        )

    def find(self, sentence: str, unit: str, named: frozenset[str]) -> Sequence[Claim]:
        """The claims that speak of a figure of `unit` in a sentence, the most similar first.

        `named` are the `names` of its text: a claim about a model is not about a text that names none of its names. One
        that is given 4 bits is not about a sentence with 16 bits.
        """
        words, names, trade = _words(sentence), self.names(sentence), _trade(sentence)
        stated = _figures(sentence)
        near: dict[str, float] = {}
        for one in {id(one): one for word in words for one in self._by_word.get(word, ())}.values():
            alike = self._alike(words, one.words)
            makers = one.names & self._makers
            same = names <= one.names and (not makers or makers & (names | named))
            same = same and one.trade in {None, trade} and _of_the_same(one.given, stated, unit)
            if alike and same and _comparable(unit, self._units.get(one.claim)):
                near[one.claim] = max(alike, near.get(one.claim, 0))
        return [self.claims[claim] for claim in sorted(near, key=lambda claim: (-near[claim], claim))]

    def by_prices(self, meant: Meant) -> Mapping[Asked, Sequence[Claim]]:
        """The claims about prices by the prices that they ask for."""
        found: dict[Asked, list[Claim]] = defaultdict(list)
        for claim in self.claims.values():
            if prices := asked(formulas(claim), meant):
                found[prices].append(claim)
        return found

    def nearest(self, claims: Sequence[Claim], sentence: str, unit: str) -> Sequence[Claim]:
        """Those of some claims that have a figure of `unit`, the ones with the most words of a sentence first."""
        words = _words(sentence)
        same = (claim for claim in claims if _comparable(unit, self._units.get(claim.id)))
        return sorted(same, key=lambda one: (-self._sum(words & _words(f"{one.says} {one.quote}")), one.id))

    def may_differ(self, claim: Claim, sentence: str, unit: str, bill: Iterable[Decimal] = ()) -> bool:
        """Whether a claim is about what a sentence states, so that its value matters even if it differs.

        The sentence must state all figures in the formulas of the claim, except those in `unit`; and the claim must
        have all numbers of a `bill`: the cost of one request does not determine the bill for many.
        """
        text = "; ".join(formulas(claim))
        given, stated, asked_for = _figures(_QUOTED.sub("", text)), _figures(sentence), unit.partition("/")[0]
        same = all(one == asked_for or not given[one].isdisjoint(stated.get(one, ())) for one in given)
        return same and numbers(text) >= set(bill)

    def _alike(self, one: frozenset[str], other: frozenset[str]) -> float:
        shared = one & other
        if len(shared) < LEAST:
            return 0.0
        common, every = self._sum(shared), self._sum(one | other)
        smaller = min(self._sum(one), self._sum(other))
        return common / every if common >= INSIDE * smaller and common >= ALIKE * every else 0.0

    def _sum(self, words: Iterable[str]) -> float:
        """The weight of words, the same in any order: the order of a set differs between processes."""
        return math.fsum(self._weights.get(word, self._unseen) for word in words)


def formulas(claim: Claim) -> tuple[str, ...]:
    """The formulas of a claim: of what is given, and of its value."""
    return (*(text for _, text in claim.given), claim.value)


def numbers(formula: str) -> set[Decimal]:
    """The numbers of a formula; the 1 of a complement and of a multiple is none of its figures."""
    return {one.low for one in figures(_QUOTED.sub("", formula))} - {Decimal(1)}


def _figures(text: str) -> Mapping[str, frozenset[Decimal]]:
    """The figures of a text by unit; bare numbers are left out."""
    found: dict[str, set[Decimal]] = defaultdict(set)
    for one in figures(text):
        if unit := one.unit or {"%": "%"}.get(one.sort, ""):
            found[unit].add(one.low)
    return {unit: frozenset(values) for unit, values in found.items()}


def _of_the_same(given: Mapping[str, frozenset[Decimal]], stated: Mapping[str, frozenset[Decimal]], unit: str) -> bool:
    """Whether a sentence states the given figures of a claim, except those in the requested unit."""
    asked_for = unit.partition("/")[0]
    return all(one == asked_for or not given[one].isdisjoint(stated[one]) for one in given.keys() & stated.keys())


def _trade(text: str) -> frozenset[str]:
    return frozenset(name for name, words in _TRADE.items() if words.search(text))


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in stems(text) if word not in COMMON and not _NUMBER.fullmatch(word))


def _comparable(one: str, other: str | None) -> bool:
    return other is not None and converted(Decimal(1), one, other) is not None


def converted(value: Decimal, unit: str, to: str) -> Decimal | None:
    """A figure of prose in another unit; None if the units measure different things."""
    if unit in _SHARES or to in _SHARES:
        return value if _SHARES.get(unit) == _SHARES.get(to) else None
    try:
        one, other = units.unit(unit), units.unit(to)
    except units.UnitError:
        return None
    if one.dimension is not other.dimension:
        return None
    return EXACT.divide(EXACT.multiply(value, one.factor), other.factor)
