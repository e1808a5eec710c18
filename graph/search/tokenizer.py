"""Splits text into words, folds and stems them, for indexing, queries and highlighting.

A word is a run of letters and digits with combining marks (macOS decomposes the names of files). A point or comma
between digits belongs to the number, every ideograph is a word. `GPT-4o` is two words, a phrase in a query; `3.5`,
`C++` and `C#` are one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from whoosh.lang.porter import stem as porter

LONGEST = 64  # characters of a word that are compared

COMMON = frozenset(
    word
    for line in (
        "a an and any are as at be but by can did do does for from had has have how i if in into is it its",
        "many may me more much my no not of on or our should so such than that the their then there these they this to",
        "versus vs was we were what when where which while who whose why will with would you your",
    )
    for word in line.split()
)
"""Words too common to search for, except in phrases."""

_IDEOGRAPH = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_DECOMPOSED = r"[\u1100-\u115f][\u1160-\u11a7]?[\u11a8-\u11ff]?"
"""A decomposed syllable of Hangul, one word like a composed one."""
_LETTER = rf"[^\W_{_IDEOGRAPH}\u1100-\u11ff]"
_VOICED = r"[\u3099\u309a]"
MARK = re.compile(
    r"[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20dc"  # accents
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # the points of Hebrew
    r"\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"  # and of Arabic
    r"\u093c\u09bc\u0a3c\u0b3c]"  # the dots of Indic letters
)
"""A combining mark; folded words have none."""

_WORD = re.compile(
    rf"[A-Za-z]+(?![^\W_]|{MARK.pattern}|[+#])|\d+(?:[.,]\d+)+"  # most words are of the first kind
    rf"|{_LETTER}+(?:{MARK.pattern}+{_LETTER}*)*(?:(?<=\b[A-Za-z])(?:\+\+|\#)(?!\w))?|[{_IDEOGRAPH}]{_VOICED}*|{_DECOMPOSED}"
)
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_SIGN = re.compile(rf"[{_IDEOGRAPH}\u1100-\u11ff]")


class Token(NamedTuple):
    """An unchanged word with its place in the text."""

    text: str
    start: int
    end: int


def tokens(text: str, start: int = 0) -> Iterator[Token]:
    """Words of a text from a place on."""
    return (Token(found.group(), found.start(), found.end()) for found in _WORD.finditer(text, start))


def split(text: str) -> list[str]:
    """Unchanged words of a text."""
    return _WORD.findall(text)


def words(text: str) -> list[str]:
    """Folded words of a text."""
    return [fold(word) for word in _WORD.findall(text)]


def stems(text: str) -> list[str]:
    """Stems of the words of a text."""
    return [stem(word) for word in _WORD.findall(text)]


def telling(text: str) -> list[str]:
    """Stems of the words that are not common; of all words if all are common."""
    found = _WORD.findall(text)
    return [stem(word) for word in found if fold(word) not in COMMON] or list(map(stem, found))


def name_words(text: str) -> list[str]:
    """Words of a name in one spelling and the singular: `GPU hours` is the name `GPU-hour`.

    Stems would confuse names: `tokenization` has the stem of `token`.
    """
    return [_singular(_AMERICAN.sub("s", _BRITISH.sub("iz", fold(word)))) for word in _WORD.findall(text)]


def _singular(folded: str) -> str:
    if len(folded) <= 3 or not folded.endswith("s") or folded.endswith(("ss", "us", "is")):
        return folded
    if folded.endswith("ies"):
        return f"{folded[:-3]}y"
    return folded[:-2] if folded.endswith(("sses", "xes", "ches", "shes", "zzes")) else folded[:-1]


def forget() -> None:
    """Clear the caches: a large ingest leaves tens of megabytes."""
    fold.cache_clear()
    stem.cache_clear()


@lru_cache(maxsize=200_000)
def fold(word: str) -> str:
    """A word without case and accents; `3,958` becomes `3958`."""
    if word.isascii():
        return (word.replace(",", "") if _GROUPED.fullmatch(word) else word.lower())[:LONGEST]
    split = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", word).casefold())
    return "".join(char for char in split if not unicodedata.combining(char))[:LONGEST]


def is_sign(folded: str) -> bool:
    """Whether a word is a character of Chinese, Japanese or Korean."""
    return _SIGN.match(folded) is not None


_BRITISH = re.compile(
    r"(?<=[aeino]l|[aeio]n|[ai]m|[ao]r|[aei]t|nt)is(?=(?:e[drs]?|ers|ing|ations?)$)|(?<=mort)is(?=[aei])"
)
_AMERICAN = re.compile(r"(?<=^analy)z(?=(?:e[drs]?|ers|ing)$)")


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The common part of a word's forms and spellings; words with digits are only folded."""
    folded = _AMERICAN.sub("s", _BRITISH.sub("iz", fold(word)))
    if len(folded) <= 3 or not (folded.isascii() and folded.isalpha()):
        return folded
    found = _porter(folded)
    return _porter(f"{found}e") if found.endswith("iz") else found  # Porter separates `optimized` from `optimize`


def _porter(word: str) -> str:
    return str(porter(word))
