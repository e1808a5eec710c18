"""Counts of the items of a list in words.

bread, milk and eggs, three products · three tiers: A1 (monthly), A2 and A3
four copies (policy, reference, reward, critic) · three sizes: 7B, 13B and 70B
two problems: (a) the links are slow, (b) the matrices are small
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.date_text import MONTHS
from compute.mining.quantities import Quantity

_ITEM = r"[\w’'-]+(?: [\w’'-]+){0,2}"
_LISTED = re.compile(rf"((?:{_ITEM}, ){{1,9}}{_ITEM},? (?:and|or|&) {_ITEM}?)\b")


def item_counts(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The count of the items of a list in words: bread, milk and eggs, three products."""
    if not target.figure.is_integer or _of_heading(scope, target):
        return  # a count is an integer; 2.5 is the version of something
    text = scope.sentence.lead + scope.sentence.text
    at = target.figure.start - scope.sentence.start + len(scope.sentence.lead)
    for match in _lists(text):
        fit = _far_from_list(text, at, at + len(target.figure.text), match)
        joined = any(word in match[1] for word in (", and", ", or", ", &"))
        count = Decimal(match[1].count(",") + 2 - joined)
        yield Candidate("items", target, (), (), count, united=False, exact=True, fit=fit)
        if re.search(r"\b(?:namely|are|were|is|eg|with|that is)\b", match[1]):
            yield Candidate("items", target, (), (), count - 1, united=False, exact=True, fit=fit)
    yield from _enumerated(scope, target)


def _of_heading(scope: Scope, target: Quantity) -> bool:
    """Whether a number is that of a day or an article: `31 December 1994: …`, `Article 30 (2): …`."""
    left, right = scope.left(target), scope.right(target)
    return right[:1] in _MONTH_WORDS or left[-1:] in _ARTICLES or left[-2:-1] in _ARTICLES


_MONTH_WORDS = {(name[:size],) for name in MONTHS for size in (3, len(name))}
_ARTICLES = {(word,) for word in ("article", "section", "rule", "clause", "paragraph", "chapter", "art", "no", "§")}


@lru_cache(maxsize=64)
def _lists(text: str) -> tuple[re.Match[str], ...]:
    """The lists in words of a text, read once for all of its figures."""
    return tuple(match for match in _LISTED.finditer(text) if not _NUMBER.search(match[1])) if "," in text else ()


def _far_from_list(text: str, start: int, end: int, match: re.Match[str]) -> int:
    """0 if a list is next to a figure, with a few words between them, else 1: it is likely of something else."""
    gap = text[end : match.start(1)] if end <= match.start(1) else text[match.end(1) : start]
    apposed = _APPOSED.search(f"{match[1]} ") is not None
    return int(apposed or len(gap) > _NEAR_LIST or bool(re.search(r"[.;(/]", gap)))


_APPOSED = re.compile(
    r", (?:an?|the|both|all|each|one|which|who|including|namely) "
    r"|^(?:[^,]* )?(?:available|altogether|here|below|today|left|present|supported|in (?:all|total)),"
)
"""What a comma may stand beside that is no item: Setar, a firm of the state, and Mio; four available, a, b, c and d."""
_NEAR_LIST = 40
"""The most characters between a count and the list of what it counts."""


def _enumerated(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The count of what follows a colon, of a list in brackets, or of numbered items, behind a count or before it."""
    text = scope.sentence.text
    at = target.figure.end - scope.sentence.start
    for start, items in (*_after_colon(text), *_in_brackets(text, at), *_numbered(text, at)):
        apposed = any(_APPOSED.search(f", {one} ") for one in items[1:])
        fit = int(not 0 <= start - at <= _NEAR_LIST or apposed)
        yield Candidate("items", target, (), (), Decimal(len(items)), united=False, exact=True, fit=fit)


def _after_colon(text: str) -> Iterator[tuple[int, list[str]]]:
    """Where the list behind the last colon begins, and its items: *three tiers: A1 (monthly), A2 and A3*."""
    head, _, after = text.rpartition(":")
    items = _split(_REMARK.sub("", after))
    if head and len(items) > 1 and "," in after and (not _NUMBER.search(" ".join(items)) or _are_codes(items)):
        yield len(head), items


def _in_brackets(text: str, at: int) -> Iterator[tuple[int, list[str]]]:
    """A list in brackets behind a count: *four copies (policy, reference, reward, critic)*."""
    found = _BRACKETS.search(text, max(at, 0))
    items = _split(found[1]) if found else []
    if found and len(items) > 2 and (not _NUMBER.search(found[1]) or _are_codes(items)):
        yield found.start(), items


def _numbered(text: str, at: int) -> Iterator[tuple[int, list[str]]]:
    """Items that are numbered in the sentence of a count: *two problems: (a) …, (b) …*."""
    marks = [*_MARKS.finditer(text, max(at, 0))]
    names = "".join(mark[1] for mark in marks)
    if len(marks) > 1 and any(order.startswith(names) for order in ("123456789", "abcdefgh")):
        yield marks[0].start(), [""] * len(marks)


def _split(text: str) -> list[str]:
    return [one for one in re.split(r",? (?:and|or|&) |[,;] ", text.strip(" .!:")) if one.strip()]


def _are_codes(items: Sequence[str]) -> bool:
    """Whether items are codes, such as sizes of models: 7B, 13B and 70B."""
    return all(_CODE.fullmatch(one.strip()) for one in items)


_NUMBER, _CODE = re.compile(r"(?<![A-Za-z])\d"), re.compile(r"\d[\d.]*[A-Za-z]{1,2}")
_BRACKETS, _REMARK = re.compile(r"\(([^()]*,[^()]*)\)"), re.compile(r"\s*\([^()]*\)")
_MARKS = re.compile(r"\(([1-9a-h])\)\s")
