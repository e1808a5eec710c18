"""Which claim of a brain speaks of a figure in a text, found by prices or by words, names and unit; what it says."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from api.services.claim_status import ClaimStatus
from compute.claims.input_lookups import questions
from compute.figures.figure_models import Figure, Statement
from compute.figures.figure_reader import figures
from compute.figures.price_subjects import lexicon, sides, token_words
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Question, Quote
from compute.units import units
from compute.units.number_format import said
from compute.units.units import EXACT
from graph.groups import group_by
from graph.models.claim_models import Claim
from graph.models.verdict_models import Verdict
from graph.search.tokenizer import COMMON, stems

INSIDE, ALIKE = 0.6, 0.4
"""The least share of the weight of common words: in the shorter of the two sentences, and in both together."""
LEAST = 3  # the least number of common words

_NAME = re.compile(r"[a-z]*\d[a-z\d.]*")
_NUMBER = re.compile(r"\d[\d.,]*")
_LOOKUP = re.compile(r'"([^"]+)"')
_COMPARISON = re.compile(r"(ratio|discount)\((\w+), (\w+)\)")
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
"""The prices that formulas ask for: item, component, processing and tier of context of each."""


def asked(formulas: Iterable[str], book: CatalogBook, on: date) -> Asked:
    """The prices that formulas ask for, each of the item that a name means on a day.

    A prompt of 100k tokens has the price of a short one where the next tier begins at 200k.
    """

    def meant(question: Question) -> tuple[str, str, str, int]:
        answer = book.price(question, on)
        tier = answer.price.above if isinstance(answer, Quote) else question.context
        return book.meant(question.item, on), question.component, question.processing, tier

    return frozenset(meant(one) for formula in formulas for one in questions(formula))


class Topic(NamedTuple):
    """The models, and the kinds of tokens, that a clause names; of `orders` the first is a multiple of the second."""

    things: tuple[frozenset[str], ...]
    orders: frozenset[tuple[str, ...]]


class ClaimMatcher:
    """Finds claims by sentences, with their `states` by id."""

    def __init__(self, claims: Iterable[Claim], states: Mapping[str, ClaimStatus], book: CatalogBook) -> None:
        self.claims, self.states, self.book = {claim.id: claim for claim in claims}, states, book
        names = (item.lower().replace("/", "-").split("-") for item in book.items())
        self._makers = frozenset(word for name in names for word in name if len(word) > 2)
        self._mentions = lexicon(book).mentions
        self._topics: dict[str, Topic] = {}
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
        read = (one for text in formulas(claim) for one in questions(text))
        kinds = " ".join(f"{one.component} {one.processing}" for one in read)
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

    def find(self, sentence: str, unit: str, named: frozenset[str], about: Topic) -> Sequence[Claim]:
        """The claims that speak of a figure of `unit` in a sentence `about` the same things, the most similar first.

        `named` are the `names` of its text: a claim about a model is not about a text that names none of its names. One
        that is given 4 bits is not about a sentence with 16 bits.
        """
        words, names, trade = _words(sentence), self.names(sentence), _trade(sentence)
        stated = _figures(sentence)
        others = stated.keys() - {unit.partition("/")[0]}  # but for the unit that is asked for
        near: dict[str, float] = {}
        for one in {id(one): one for word in words for one in self._by_word.get(word, ())}.values():
            alike = self._alike(words, one.words)
            makers = one.names & self._makers
            same = names <= one.names and (not makers or makers & (names | named))
            same = same and one.trade in {None, trade}
            same = same and not any(one.given[of].isdisjoint(stated[of]) for of in one.given.keys() & others)
            if alike and same and self._comparable(unit, one.claim):
                near[one.claim] = max(alike, near.get(one.claim, 0))
        claims = (self.claims[claim] for claim in sorted(near, key=lambda claim: (-near[claim], claim)))
        return [claim for claim in claims if self._is_about(claim, about, whole=unit in _SHARES)]

    def _is_about(self, claim: Claim, about: Topic, *, whole: bool) -> bool:
        """Whether a claim is about what a figure is: all (`whole`) or some of its things, in no opposite order."""
        if claim.id not in self._topics:
            self._topics[claim.id] = self._topic(claim)
        own = self._topics[claim.id]
        if any(one not in own.orders and one[::-1] in own.orders for one in about.orders):
            return False
        named = frozenset().union(*own.things)
        return all(one <= named if whole else not one or not one.isdisjoint(named) for one in about.things)

    def topic(self, words: str, figure: Figure, at: int) -> Topic:
        """The topic of a figure of a sentence that begins `at`."""
        found = [sides(words, figure, named, at) for named in (self._mentions(words), token_words(words))]
        pairs = (one for one in found if len(one) == len(set(one)) == 2)
        return Topic(tuple(frozenset(filter(None, one)) for one in found), frozenset(pairs))

    def _topic(self, claim: Claim) -> Topic:
        """All that a claim names, and the order in its value, where that is one ratio or discount of two prices."""
        every, given = "; ".join((claim.says, claim.quote or "", *formulas(claim))), dict(claim.given)
        mentions = (one.item for one in (*self._mentions(every), *token_words(every)))
        named = frozenset((*mentions, *_LOOKUP.findall(every)))
        match = _COMPARISON.fullmatch(claim.value)
        prices = [one for name in match.groups()[1:] for one in questions(given.get(name, ""))] if match else []
        if match is None or len(prices) != 2:
            return Topic((named,), frozenset())
        top, bottom = prices if match[1] == "ratio" else prices[::-1]
        return Topic((named,), frozenset({(top.item, bottom.item), (top.component, bottom.component)}))

    def nearest(self, claims: Sequence[Claim], sentence: str, unit: str) -> Sequence[Claim]:
        """Those of some claims with a figure of `unit`, the most words of a sentence first."""
        words = _words(sentence)
        same = (claim for claim in claims if self._comparable(unit, claim.id))
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

    def _comparable(self, unit: str, claim: str) -> bool:
        state = self.states.get(claim)
        return state is not None and converted(Decimal(1), unit, state.unit) is not None

    def _sum(self, words: Iterable[str]) -> float:
        """The weight of words, the same in any order: the order of a set differs between processes."""
        return math.fsum(self._weights.get(word, self._unseen) for word in words)


def formulas(claim: Claim) -> tuple[str, ...]:
    """The formulas of a claim: of what is given, and of its value."""
    return (*(text for _, text in claim.given), claim.value)


def numbers(formula: str) -> set[Decimal]:
    """The numbers of a formula, without the 1 of a complement or a multiple."""
    return {one.low for one in figures(_QUOTED.sub("", formula))} - {Decimal(1)}


def _figures(text: str) -> Mapping[str, frozenset[Decimal]]:
    """The figures of a text by unit; bare numbers are left out."""
    found: dict[str, set[Decimal]] = defaultdict(set)
    for one in figures(text):
        if unit := one.unit or {"%": "%"}.get(one.sort, ""):
            found[unit].add(one.low)
    return {unit: frozenset(values) for unit, values in found.items()}


def _trade(text: str) -> frozenset[str]:
    return frozenset(name for name, words in _TRADE.items() if words.search(text))


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in stems(text) if word not in COMMON and not _NUMBER.fullmatch(word))


def converted(value: Decimal, unit: str, to: str) -> Decimal | None:
    """A figure of prose in another unit; None if the units measure different things."""
    if unit in _SHARES or to in _SHARES:
        return value if _SHARES.get(unit) == _SHARES.get(to) else None
    one, other = units.known(unit), units.known(to)
    if one is None or other is None or one.dimension is not other.dimension:
        return None
    return EXACT.divide(EXACT.multiply(value, one.factor), other.factor)


_NEAR = 5  # how many claims with similar words are checked for a figure


class Spoken(NamedTuple):
    """What a claim says of a figure: it `agrees` with today's value, or `was` that of the claim's day."""

    claim: Claim
    agrees: bool
    was: bool
    note: str


class DayClaims:
    """What the claims of a matcher say of figures on a day; `explain` gives the verdict on one for that day."""

    def __init__(self, matcher: ClaimMatcher, on: date, explain: Callable[[str], Verdict]) -> None:
        self.matcher, self._on, self._explain = matcher, on, explain
        self._by_prices = group_by(matcher.claims.values(), lambda one: asked(formulas(one), matcher.book, on))

    def priced(self, one: Statement) -> Sequence[Claim] | None:
        """The claims about the prices of a statement, most of its words first; None if it reads none."""
        prices = asked([one.expression], self.matcher.book, self._on) if one.kind == "price" else None
        return self.matcher.nearest(self._by_prices.get(prices, ()), one.quote, one.unit) if prices else None

    def about(self, figure: Figure, near: Sequence[Claim], unit: str, one: Statement | None = None) -> Spoken | None:
        """The answer of the most similar claim with a figure, else of the first claim of the sentence."""
        spoken = [found for claim in near[:_NEAR] if (found := self._spoken(claim, figure, unit)) is not None]
        having = next((each for each in spoken if each.agrees or each.was), None)
        if having or one is None:
            return having
        bill = set[Decimal]()
        if one.kind == "price":
            bill = {given.value for given in one.inputs if given.value is not None} | numbers(one.expression)
        others = (each for each in spoken if self.matcher.may_differ(each.claim, one.quote, unit, bill))
        return next(others, None)

    def _spoken(self, claim: Claim, figure: Figure, unit: str) -> Spoken | None:
        """The value of a figure today by the claims, and whether the figure is the expected one."""
        state = self.matcher.states.get(claim.id)
        if state is None or state.value is None or state.verdict is None:
            return None
        low, high = (converted(one, unit, state.unit) for one in (figure.low, figure.high))
        half = converted(figure.half, unit, state.unit)
        if low is None or high is None or half is None:
            return None
        reach = abs(half) + (abs(high) / 10 if figure.hedge else 0)
        agrees = low - reach <= state.value <= high + reach
        verdict = self._explain(claim.id)
        then = verdict.then.value  # on the claim's own day
        was = not agrees and then is not None and low - reach <= then <= high + reach
        began = [one.valid_from for one in verdict.inputs if one.valid_from is not None]
        since = max((day for day in began if claim.as_of < day <= verdict.now.as_of), default=None) if was else None
        words = f"your brain says {said(state.value, state.unit)}" + (f" since {since}" if since else "")
        return Spoken(claim, agrees, was, f"{words} ({claim.id})")
