"""Bracket markers: numbers in brackets that refer to readings, and nothing else in brackets.

as shown elsewhere [5], and again [17, 18], [1–3] or [1]–[3]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ingest.text.prose_masks import masked, sentence_at, sentence_borders

LARGEST = 999  # largest number of a reading; four digits are a year
LONGEST = 12  # maximum extent of a range; more numbers in one bracket are an array
_MARKER = re.compile(r"[\[［][ \t]*\d{1,4}(?:[ \t]*[,;–—-][ \t]*\d{1,4}){0,40}[ \t]*[\]］]")
_TO = re.compile(r"[ \t]?[–—-][ \t]?")
_ITEM = re.compile(r"(\d{1,4})(?:[ \t]*[–—-][ \t]*(\d{1,4}))?(?=[ \t]*(?:[,;\]]|$))")
_SIGN_BEFORE = re.compile(
    r"(?:[=∈∉×∪∩+^<>_]|(?<!\])/)[ \t]*$|\b(?:array|index|indices|vector|list|slice)(?:[ \t]+of)?[ \t]*$", re.I
)
_INTERVAL_BEFORE = re.compile(
    r"\b(?:(?:intervals?|ranges?|tuples?|shapes?|sizes?|dims?|dimensions?|sets?|values?|weights?|coordinates?|clipped|clamped"
    r"|scaled|normali[sz]ed|uniform(?:ly)?|numbers?|integers?|lies?|falls?|[a-z])"
    r"(?:[ \t]+(?:in|from|of|to|on|is|are|over|within))?|between|within)[ \t]*$",
    re.I,
)
_NOT_AFTER = re.compile(r"[ \t]*[=∈∪∩×^]|\*\*[\w(-]|\(|:[ \t]*(?:https?:|\x00)")
_OPENED = re.compile(r"[\[［]\s*(?:\[[^\[\]\n]{0,80}\]\s*,\s*)*$")
_NESTED_AFTER = re.compile(r"[ \t]*,\s*\[[^\]\n]*\][ \t]*\]")
_CALL = re.compile(r"\w\([^()\[\]]{0,200}$|\w\([^()]{0,200}\)$")
_WORD = re.compile(r"(?:^|[^\w.])(?!(?:args?|argv|arr|array|cols?|data|items?|list|rows?|vec)$)[^\W\d_]*[a-zà-ÿ]{3,}$")


class Marker(NamedTuple):
    """A bracket marker: as written, its numbers, its offsets, and its sentence."""

    marker: str
    numbers: tuple[int, ...]
    start: int
    end: int
    context: str


def bracket_markers(text: str) -> tuple[Marker, ...]:
    """The markers of `text` in order; intervals, arrays, code and links are none."""
    if "[" not in text and "［" not in text:
        return ()
    prose = masked(text)
    borders = sentence_borders(text)
    found = list(_joined(prose, _found(prose)))
    counts = any(numbers[0] for _, _, numbers in found)  # [0] alone is not a marker
    return tuple(
        Marker(text[start:end], numbers, start, end, sentence_at(text, borders, start))
        for start, end, numbers in found
        if counts or numbers[0]
    )


class _Bracket(NamedTuple):
    start: int
    end: int
    numbers: tuple[int, ...]


def _joined(prose: str, found: Iterable[_Bracket]) -> Iterator[_Bracket]:
    last: _Bracket | None = None
    for bracket in found:
        span = _range(prose, last, bracket) if last else ()
        if last and not span:
            yield last
        last = _Bracket(last.start, bracket.end, span) if last and span else bracket
    if last:
        yield last


def _range(prose: str, one: _Bracket, other: _Bracket) -> tuple[int, ...]:
    """The numbers between two brackets; empty if no range."""
    if len(one.numbers) > 1 or len(other.numbers) > 1 or not _TO.fullmatch(prose, one.end, other.start):
        return ()
    first, last = one.numbers[0], other.numbers[0]
    return tuple(range(first, last + 1)) if 0 < last - first <= LONGEST else ()


def _found(prose: str) -> Iterator[_Bracket]:
    for match in _MARKER.finditer(prose):
        numbers = _numbers(match[0])
        if numbers and _is_separate(prose, match.start(), match.end(), len(numbers)):
            yield _Bracket(match.start(), match.end(), numbers)


def _numbers(bracket: str) -> tuple[int, ...]:
    """The numbers in a bracket, empty if no marker; 0 counts only alone."""
    inside = bracket[1:-1].strip()
    if inside == "0":
        return (0,)
    numbers: list[int] = []
    for item in re.split(r"(?<![ \t])[ \t]*+[,;][ \t]*", inside):
        match = _ITEM.fullmatch(item)
        if match is None or item.startswith("0") or int(match[1]) > LARGEST:
            return ()
        first, last = int(match[1]), int(match[2] or match[1])
        if (match[2] and (match[2].startswith("0") or last <= first)) or last - first > LONGEST or last > LARGEST:
            return ()
        numbers.extend(range(first, last + 1))
    if len(set(numbers)) < len(numbers) or len(numbers) > LONGEST + 1:
        return ()
    return tuple(numbers)


def _is_separate(prose: str, start: int, end: int, count: int) -> bool:
    """Whether prose surrounds a bracket, not an array, call or link."""
    before, after = prose[max(0, start - 220) : start], prose[end : end + 12]
    if _NOT_AFTER.match(after) or before.endswith(("[", "\\", "!", "^", "\x00")) or after.startswith(("]", "\x00")):
        return False
    nested = _OPENED.search(before) or _NESTED_AFTER.match(after)
    if nested or _SIGN_BEFORE.search(before) or (count > 1 and _INTERVAL_BEFORE.search(before[-60:])):
        return False
    if before and (before[-1].isalnum() or before[-1] in "_)]"):
        return _attached(before)
    return not _CALL.search(before)


def _attached(before: str) -> bool:
    if before.endswith("]"):
        return bool(re.search(r"[\[［][ \t\d,;–—-]+[\]］]$", before)) and not re.search(r"\[[^\[\]\d]+\]$", before)
    if before.endswith(")"):
        return not _CALL.search(before)
    return bool(_WORD.search(before))
