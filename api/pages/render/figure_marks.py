"""Finds the figure of a claim in a text: same number and mark, in the most similar sentence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from api.pages.render.text_marks import Spans
from graph.groups import group_by
from graph.models.claim_models import Claim
from graph.models.verdict_models import VerdictRow

_FIGURE = re.compile(
    r"(?P<money>[$€£]\s?)?(?<![\w.])(?P<number>\d(?:[\d,]*\d)?(?:\.\d+)?)"
    r"(?:\s?(?P<mark>%|pp\b|[×x](?![\w])|times\b|-fold\b)|[kKMBT](?!\w)|(?!\w))"
)
_BEHIND = re.compile(
    r"(?:[ \u00a0](?:thousand|million|billion|trillion)\b|(?<=\d)[ \u00a0][kKMBT](?!\w))?"
    r"(?:[ \u00a0](?:%|pp\b|[A-Za-zµ]{1,6}/[A-Za-zµ][A-Za-zµ/]{0,11}(?!\w)"
    r"|[KMGTP]i?B\b|[kMG]?Wh?\b|ms\b|[GTPE]?FLOPS\b))?"
)
"""What belongs to a figure and follows it: `million`, ` TB/s`, ` GB`."""

_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100,
}  # fmt: skip
_SPELLED = re.compile(rf"\b({'|'.join(_WORDS)})\s(times|fold)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n(?=[|*•#-])|(?<=\|)\s*\n")
_WORD = re.compile(r"[^\W\d_]{3,}")
_UNITS = {"pp": "%", "x": "×", "times": "×", "-fold": "×", "fold": "×"}
_GROUPED = re.compile(r"(?<=\d)_(?=\d)")
_POWERS = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12}


class Figure(NamedTuple):
    """A number in a text: position, value, and mark (`%`, `×`, `$` or none)."""

    start: int
    end: int
    value: Decimal
    mark: str


def figures(text: str) -> Iterator[Figure]:
    """Every figure of a text, in order within its two ways of writing."""
    for found in _FIGURE.finditer(text):
        try:
            value = Decimal(found["number"].replace(",", ""))
        except InvalidOperation:
            continue
        mark = (found["mark"] or "").strip()
        behind = _BEHIND.match(text, found.end())
        end = behind.end() if behind else found.end()
        yield Figure(found.start(), end, value, _UNITS.get(mark, mark) or ("$" if found["money"] else ""))
    for found in _SPELLED.finditer(text):
        yield Figure(found.start(), found.end(), Decimal(_WORDS[found[1].lower()]), "×")


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
    claims = list(claims)
    guarded = closed_off or Spans()
    every = [figure for figure in figures(text) if figure.start not in guarded] if claims else []
    known = group_by(every, lambda figure: (figure.value, figure.mark))
    sentences = _Sentences(text)
    found: dict[str, tuple[int, int]] = {}
    for claim in claims:
        row = (rows or {}).get(claim.id)
        wanted = list(dict.fromkeys((figure.value, figure.mark) for figure in _searched(claim, row)))
        if quoted is not None and claim.quote:
            if claim.id in quoted and (place := _inside(quoted[claim.id], every, wanted, guarded)):
                found[claim.id] = place
            continue
        words = _words(claim.says)
        shared = {figure: len(words & sentences.words(figure.start)) for key in wanted for figure in known.get(key, ())}
        ranked = [
            ((-early if shared[figure] else -len(wanted), shared[figure]), -figure.start, figure)
            for early, key in enumerate(wanted)
            for figure in known.get(key, ())
        ]
        if ranked and (best := max(ranked))[0][1]:
            found[claim.id] = (best[2].start, best[2].end)
    return found


def _inside(
    span: tuple[int, int], every: Iterable[Figure], wanted: Sequence[tuple[Decimal, str]], guarded: Spans
) -> tuple[int, int] | None:
    """The expected figure or range of a quote (or what remains of 100%), else its only one, else it; not in code."""
    wanted = [*wanted, *((100 - value, mark) for value, mark in wanted if mark == "%" and 0 < value < 100)]
    own = [figure for figure in every if span[0] <= figure.start and figure.end <= span[1]]
    order = {key: early for early, key in reversed(list(enumerate(wanted)))}
    values = {value: early for (value, _), early in order.items()}
    ranked = [(order.get(figure[2:], len(order) + values.get(figure.value, len(order))), figure) for figure in own]
    known = [pair for pair in ranked if pair[0] < 2 * len(order)]
    if known:
        best, near = min(known)[1], [one for _, one in known]
        first = next((one for one in near if one.end + 1 == best.start and best.mark != "$"), best)
        return first.start, next((one for one in near if one.start == best.end + 1 and one.mark != "$"), best).end
    if len(own) == 1:
        return own[0].start, own[0].end
    return None if span[0] in guarded or span[1] - 1 in guarded else span


def _searched(claim: Claim, row: VerdictRow | None) -> Iterator[Figure]:
    """Figures the claim may mean: its bound first, then its value, then the marked ones of its sentence."""
    for bound in (claim.expect.bound, claim.expect.upper or ""):
        written = _GROUPED.sub("", bound)
        for figure in figures(written):
            mark = "×" if claim.expect.form == "times" else "$" if "USD" in bound else figure.mark
            yield figure._replace(mark=mark)
            if power := _POWERS.get(written[figure.end - 1]):
                yield figure._replace(mark=mark, value=figure.value.scaleb(power))  # 450k, or 450,000
            break
    if claim.quote and row and row.value is not None:
        yield Figure(0, 0, row.value, "$" if "USD" in row.unit else row.unit)
    yield from (figure for figure in figures(claim.says) if figure.mark)


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
