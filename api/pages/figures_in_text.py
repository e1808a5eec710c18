"""Where the figure of a claim stands in a text: the same number with the same mark, in the sentence most like it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from api.pages.marks import inside
from graph.claims import Claim

_FIGURE = re.compile(
    r"(?P<money>[$€£]\s?)?(?<![\w.])(?P<number>\d[\d,]*(?:\.\d+)?)(?:\s?(?P<mark>%|pp\b|[×x](?![\w])|times\b|-fold\b))?(?![\d])"
)
_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100,
}  # fmt: skip
_SPELLED = re.compile(rf"\b({'|'.join(_WORDS)})\s(times|fold)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n(?=[|*•#-])|(?<=\|)\s*\n")
_WORD = re.compile(r"[^\W\d_]{3,}")
_UNITS = {"pp": "%", "x": "×", "times": "×", "-fold": "×", "fold": "×"}


class Figure(NamedTuple):
    """A number in a text: where it stands, its value, and its mark (`%`, `×`, `$` or nothing)."""

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
        yield Figure(found.start(), found.end(), value, _UNITS.get(mark, mark) or ("$" if found["money"] else ""))
    for found in _SPELLED.finditer(text):
        yield Figure(found.start(), found.end(), Decimal(_WORDS[found[1].lower()]), "×")


def stand(text: str, claims: Iterable[Claim], closed_off: Sequence[tuple[int, int]] = ()) -> dict[str, tuple[int, int]]:
    """The place of each claim's figure, by claim id; a claim whose figure is not in the text has none.

    Of several places with the right figure it is the one whose sentence shares most words with what the claim says.
    Claims about the same figure share its place.
    """
    known = [figure for figure in figures(text) if not inside(figure.start, closed_off)]
    borders = [0, *(found.end() for found in _SENTENCE.finditer(text)), len(text)]
    found: dict[str, tuple[int, int]] = {}
    for claim in claims:
        wanted = list(_wanted(claim))
        words = _words(claim.says)
        ranked = [
            (_rank(figure, wanted, words, text, borders), -figure.start, figure)
            for figure in known
            if _meant(figure, wanted)
        ]
        if ranked and (best := max(ranked))[0][1]:
            found[claim.id] = (best[2].start, best[2].end)
    return found


def _wanted(claim: Claim) -> Iterator[Figure]:
    """The figures that the claim may mean: its bound first, then those of its sentence that are more than a number."""
    for bound in (claim.expect.bound, claim.expect.upper or ""):
        for figure in figures(bound):
            mark = "×" if claim.expect.form == "times" else "$" if "USD" in bound else figure.mark
            yield figure._replace(mark=mark)
            break
    yield from (figure for figure in figures(claim.says) if figure.mark)


def _meant(figure: Figure, wanted: Sequence[Figure]) -> bool:
    return any(figure.value == one.value and figure.mark == one.mark for one in wanted)


def _rank(
    figure: Figure, wanted: Sequence[Figure], words: frozenset[str], text: str, borders: Sequence[int]
) -> tuple[int, int]:
    """How early among the wanted figures it is, and how many words its sentence shares."""
    early = next(-number for number, one in enumerate(wanted) if (one.value, one.mark) == (figure.value, figure.mark))
    start = max(border for border in borders if border <= figure.start)
    end = min(border for border in borders if border > figure.start)
    shared = len(words & _words(text[start:end]))
    return (min(early, 0) if shared else -len(wanted), shared)


def _words(text: str) -> frozenset[str]:
    return frozenset(word[:6] for word in _WORD.findall(text.casefold()))
