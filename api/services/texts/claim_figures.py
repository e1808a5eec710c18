"""Which claim of a brain a figure in a text follows: named by a mark, or found by words, names and unit.

    <!-- brain:sonnet-discount -->97.5%<!-- /brain -->        readable on GitHub and in Obsidian
    97.5% [claim:: sonnet-discount]                            an inline field of Dataview

A marked figure is brought up to date only if the claim has had it; any other was edited by hand and stays.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import Literal, NamedTuple

from api.services.evaluation import ClaimEvaluator
from compute.claims.input_lookups import questions
from compute.figures.figure_models import Figure
from compute.figures.figure_reader import figures
from compute.figures.number_words import BLANK, english_numbers
from compute.figures.price_subjects import Mention, sides, token_words
from compute.figures.statement_writer import unit_of
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Question, Quote
from compute.units import units
from compute.units.number_format import number, said
from compute.units.unit_table import CURRENCIES
from compute.units.units import EXACT
from graph.groups import group_by
from graph.models.claim_models import Claim
from graph.models.verdict_models import Verdict
from graph.search.tokenizer import COMMON, stems
from graph.store.store_errors import UnknownClaimError
from graph.text.code_blocks import verbatim_masked
from graph.text.similar_names import did_you_mean
from graph.values import Value
from ingest.markdown.front_matter import front_block

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


class Topic(NamedTuple):
    """The models and kinds of tokens that a clause names; of `orders` the first is a multiple of the second."""

    things: frozenset[str]
    orders: frozenset[tuple[str, ...]]


Mentions = Callable[[str], Sequence[Mention]]
"""Finds the models that a text names."""


class ClaimMatcher:
    """Finds claims by sentences; `units_of` is the unit in which the value of each claim is shown, by id."""

    def __init__(
        self, claims: Iterable[Claim], units_of: Mapping[str, str], makers: frozenset[str], mentions: Mentions
    ) -> None:
        self.claims = {claim.id: claim for claim in claims}
        self._units, self._makers, self._mentions = units_of, makers, mentions
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
            if alike and same and _comparable(unit, self._units.get(one.claim)):
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
        return about.things <= own.things if whole else not about.things or not about.things.isdisjoint(own.things)

    def topic(self, words: str, figure: Figure, at: int) -> Topic:
        """The topic of a figure of a sentence that begins `at`."""
        found = [sides(words, figure, named, at) for named in (self._mentions(words), token_words(words))]
        pairs = (one for one in found if len(one) == len(set(one)) == 2)
        return Topic(frozenset(thing for one in found for thing in one if thing), frozenset(pairs))

    def _topic(self, claim: Claim) -> Topic:
        """All that a claim names, and the order in its value, where that is one ratio or discount of two prices."""
        every, given = "; ".join((claim.says, claim.quote or "", *formulas(claim))), dict(claim.given)
        named = {one.item for one in (*self._mentions(every), *token_words(every))}.union(_LOOKUP.findall(every))
        match = _COMPARISON.fullmatch(claim.value)
        prices = [one for name in match.groups()[1:] for one in questions(given.get(name, ""))] if match else []
        if match is None or len(prices) != 2:
            return Topic(frozenset(named), frozenset())
        top, bottom = prices if match[1] == "ratio" else prices[::-1]
        return Topic(frozenset(named), frozenset({(top.item, bottom.item), (top.component, bottom.component)}))

    def by_prices(self, meant: Meant) -> Mapping[Asked, Sequence[Claim]]:
        """The claims about prices by the prices that they ask for."""
        found = group_by(self.claims.values(), lambda claim: asked(formulas(claim), meant))
        return {prices: some for prices, some in found.items() if prices}

    def nearest(self, claims: Sequence[Claim], sentence: str, unit: str) -> Sequence[Claim]:
        """Those of some claims with a figure of `unit`, the most words of a sentence first."""
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


def _comparable(one: str, other: str | None) -> bool:
    return other is not None and converted(Decimal(1), one, other) is not None


def converted(value: Decimal, unit: str, to: str) -> Decimal | None:
    """A figure of prose in another unit; None if the units measure different things."""
    if unit in _SHARES or to in _SHARES:
        return value if _SHARES.get(unit) == _SHARES.get(to) else None
    one, other = units.known(unit), units.known(to)
    if one is None or other is None or one.dimension is not other.dimension:
        return None
    return EXACT.divide(EXACT.multiply(value, one.factor), other.factor)


State = Literal["current", "outdated", "edited", "unknown", "no value", "unclosed"]

_ID = r"[a-z0-9][a-z0-9.-]*"
_OPENING = rf"<!--[ \t]*brain:[ \t]*(?P<id>{_ID})[ \t]*-->"
_CLOSING = r"<!--[ \t]*/brain[ \t]*-->"
_COMMENT = re.compile(rf"{_OPENING}(?P<figure>(?:(?!<!--)[^\n]){{0,200}}?){_CLOSING}")
_HALF = re.compile(rf"{_OPENING}|{_CLOSING}")
_STYLED = re.compile(r"[*_~=\s]*")
_WORDS = re.compile(r"[^\W\d_]")
_RAW = re.compile(r"<(pre|code|script|style|textarea)\b[^<>]*>.*?(?:</\1\s*+>|\Z)", re.I | re.S)
"""Elements of HTML whose text is code."""
_FIELD = re.compile(rf"[\[(]claim::[ \t]*(?P<id>{_ID})[ \t]*[\])]")
_REACH = 80  # how many characters before its field a figure may begin
_MOST_DAYS = 2000
_MOST_RUNS = 1000


class LiveFigure(Value):
    """A figure that follows a claim: `text` at `start:end` of the file, `now` as the brain has it.

    `state`: `outdated` (an earlier figure of the claim, or none yet), `edited` (one that the claim never had),
    `unknown` (no such claim).
    """

    document: str
    line: int
    column: int
    end_column: int
    start: int
    end: int
    claim: str
    text: str
    now: str
    state: State
    note: str = ""


class _Mark(NamedTuple):
    """A figure with its claim; `kept` says why it is not replaced or what it lacks, `half` that a mark is alone."""

    claim: str
    start: int
    end: int
    kept: str = ""
    half: bool = False


_WORDED = "{}, and there are other words between the marks; leave only the figure"
_LOST = f"there is no figure in the {_REACH} characters before the field"


class LiveFigures:
    """Reads the live figures of texts; `on` is the day of their values."""

    def __init__(self, evaluator: ClaimEvaluator, on: date) -> None:
        self._store, self._evaluator, self._on = evaluator.store, evaluator, on
        self._verdicts: dict[str, Verdict | str] = {}

    def find(self, document: str, text: str) -> tuple[LiveFigure, ...]:
        """The live figures of a text, in order; those in code are not live."""
        mask = _prose(text)
        marks = sorted((*_comments(text, mask), *_fields(mask)), key=lambda mark: mark.start)
        return tuple(self._live(document, text, mark) for mark in marks)

    def _live(self, document: str, text: str, mark: _Mark) -> LiveFigure:
        raw = text[mark.start : mark.end]
        line_start = max(text.rfind("\n", 0, mark.start), text.rfind("\r", 0, mark.start)) + 1
        line = len(re.findall(r"\r\n?|\n", text[: mark.start])) + 1
        now, state, note = ("", "unclosed", mark.kept) if mark.half else self._judged(mark.claim, raw)
        if mark.kept and state == "outdated":
            state, note = "edited", mark.kept.replace("{}", note)
        return LiveFigure(
            document=document, line=line, column=mark.start - line_start + 1, end_column=mark.end - line_start + 1,
            start=mark.start, end=mark.end, claim=mark.claim, text=raw, now=now, state=state, note=note,
        )  # fmt: skip

    def _judged(self, claim: str, raw: str) -> tuple[str, State, str]:
        """The figure of today as text, the state of the one in the file, and why."""
        verdict, raw = self._verdict(claim), raw.strip()
        if isinstance(verdict, str):
            return "", "unknown", verdict
        if verdict.value is None:
            return "", "no value", f"{claim} has no value on {self._on}: {verdict.reason}"
        figure, value, unit = _only(raw), verdict.value, verdict.unit
        now = _like(raw, value, unit) if figure else said(value, unit)
        if not raw:
            return now, "outdated", "there is no figure yet"
        if figure is not None and _is(figure, value, unit):
            return now, "current", ""
        if figure is not None and any(_is(figure, past, unit) for past in self._past(claim, verdict)):
            return now, "outdated", f"{raw} was right earlier"
        said_now = said(value, unit)
        return now, "edited", f"the file says {raw}, the brain {said_now}; delete the figure to have it written again"

    def _verdict(self, claim: str) -> Verdict | str:
        if claim not in self._verdicts:
            try:
                self._verdicts[claim] = self._evaluator.explain(claim, self._on)
            except UnknownClaimError:
                close = did_you_mean(claim, [one.id for one in self._store.claims.all()])
                self._verdicts[claim] = f"there is no claim {claim}" + (f"; {close}" if close else "")
        return self._verdicts[claim]

    def _past(self, name: str, verdict: Verdict) -> Iterator[Decimal]:
        """Every earlier figure of a claim: expected, on its day, in the ledger, by the prices of each day."""
        if verdict.then.value is not None:
            yield verdict.then.value
        expected = _only(self._store.claims.get(name).expect.bound)
        value = converted(expected.low, unit_of(expected), verdict.unit) if expected else None
        if value is not None:
            yield value
        for _, row in self._store.ledger.history(name, _MOST_RUNS):
            if row.value is not None and row.unit == verdict.unit:
                yield row.value
        days = [day for day in self._evaluator.prices.book().borders() if day <= self._on]
        for day in islice(reversed(days), _MOST_DAYS):
            value = self._evaluator.explain(name, day).value
            if value is not None:
                yield value


def updated(text: str, figures: Sequence[LiveFigure]) -> str:
    """The text with every outdated one of its figures replaced, and nothing else."""
    for one in reversed(figures):
        if one.state == "outdated":
            text = text[: one.start] + one.now + text[one.end :]
    return text


def _comments(text: str, mask: str) -> Iterator[_Mark]:
    paired = set[int]()
    for match in _COMMENT.finditer(text):
        closing = match.end("figure")
        paired |= {match.start(), closing}
        if mask[match.start()] != BLANK:
            yield _between(match["id"], match["figure"], match.start("figure"))
    for half in _HALF.finditer(text):
        if half.start() not in paired and mask[half.start()] != BLANK:
            lone = "the mark has no <!-- /brain -->" if half["id"] else "there is no mark before it"
            yield _Mark(half["id"] or "", half.start(), half.end(), f"{lone} on its line", half=True)


def _between(claim: str, raw: str, start: int) -> _Mark:
    """The text between two marks: only the figure if it is in bold, or marked if worded."""
    written = raw.strip()
    if not written:
        return _Mark(claim, start, start + len(raw))
    begin = start + len(raw) - len(raw.lstrip())
    whole, figure = _Mark(claim, begin, begin + len(written)), _only(written)
    if figure is None:
        return whole
    before, after = written[: figure.start], written[figure.end :]
    if _STYLED.fullmatch(before) and _STYLED.fullmatch(after):
        return _Mark(claim, begin + figure.start, begin + figure.end)
    worded = _WORDS.search(before) or re.match(r"[*_~,;:]*\s+\w", after)
    return whole._replace(kept=_WORDED) if worded else whole


def _fields(mask: str) -> Iterator[_Mark]:
    for match in _FIELD.finditer(mask):
        begin = max(match.start() - _REACH, mask.rfind("\n", 0, match.start()) + 1)
        found = [one for one in figures(mask) if begin <= one.start and one.end <= match.start()]
        found = [one for one in found if not _unread(mask, one.end, match.start())]
        if found:
            yield _Mark(match["id"], *_complete(mask, found[-1]))
        else:
            yield _Mark(match["id"], match.start(), match.start(), _LOST)


def _complete(text: str, figure: Figure) -> tuple[int, int]:
    """The span of a figure's number, with digits not read as part of it: of `0,95` the 0."""
    start, end = figure.start, figure.end
    joint = _THOUSAND if _GROUP.match(text, start) else _JOINT
    before = joint.search(text, max(0, start - _REACH), start) if text[start].isdigit() else None
    after = _DIGITS_AFTER.match(text, end)
    return before.start() if before else start, after.end() if after else end


_JOINT = re.compile(r"(?:\d[\d.,'’]*)?\d[.,'’]$")
_THOUSAND = re.compile(r"(?:\d[\d.,'’]*)?\d[.,'’ \u00a0\u202f]$")
_GROUP = re.compile(r"\d{3}(?!\d)")
_DIGITS_AFTER = re.compile(r"[.,'’]\d[\d.,'’]*(?:\s?%)?")


def _unread(mask: str, start: int, end: int) -> bool:
    """Whether another field or a number of two readings is between a figure and a field."""
    between = english_numbers(mask)[start:end]
    return "::" in between or between.count(BLANK) > mask.count(BLANK, start, end)


def _prose(text: str) -> str:
    """The text with code and front matter masked, offsets unchanged."""
    plain = text.replace("\r", " ")
    lines = plain.split("\n")
    head = sum(len(line) + 1 for line in lines[: front_block(lines)[0]])
    mask = BLANK * min(head, len(text)) + verbatim_masked(plain)[head:]
    return _RAW.sub(lambda raw: BLANK * len(raw[0]), mask)


def _only(text: str) -> Figure | None:
    """The figure of a text that has exactly one figure and no other significant text."""
    found = figures(text)
    return found[0] if len(found) == 1 and _complete(text, found[0]) == (found[0].start, found[0].end) else None


def _is(figure: Figure, value: Decimal, unit: str) -> bool:
    """Whether a figure in a text is this value, to the rounding of its last digit."""
    written = unit_of(figure)
    stated, half = converted(figure.low, written, unit), converted(figure.half, written, unit)
    if stated is None or half is None:  # its own unit may say less: `2.5`, or `$2.50` for a price per token
        if written and not (written in CURRENCIES and unit.partition("/")[0] == written):
            return False
        stated, half = figure.low, figure.half
    return abs(stated - value) <= abs(half)


def _like(raw: str, value: Decimal, unit: str) -> str:
    """The value in the style of the figure that it replaces: `$2.50` keeps its sign, `95,0 %` its comma."""
    written = raw.strip()
    now = _in_units(written, value, unit)
    if english_numbers(written) == written:
        return now
    comma = re.sub(r"(?<=\d)(?=%)", space[0], now) if (space := _SPACED.search(written)) else now
    comma = comma.translate(_DECIMAL_COMMA)
    read = _only(comma)
    return comma if read is not None and _is(read, value, unit) else now


_SPACED = re.compile(r"(?<=\d)\s(?=%)")
_DECIMAL_COMMA = str.maketrans(".,", ",.")


def _in_units(written: str, value: Decimal, unit: str) -> str:
    if written.startswith("$") and unit.startswith("USD"):
        return f"${number(value, money=True)}" + re.sub(r"^\$\s*[\d.,]+", "", written)
    if re.fullmatch(r"[-−+]?[\d.,]+", written) and unit:
        return number(value, money=unit.startswith("USD"))
    return said(value, unit)
