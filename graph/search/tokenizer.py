"""How text is split into words, folded and stemmed: the same for indexing, queries and highlighting.

A word is a run of letters and digits; a point or comma between digits belongs to the number, every ideograph is a word.
`GPT-4o` is two words, which a query reads as a phrase; `3.5` is one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from whoosh.lang.porter import stem as porter

LONGEST = 64
"""Only this many characters of a word are compared."""

COMMON = frozenset(
    word
    for line in (
        "a an and are as at be but by can for from has have if in into is it its may more no not of on or",
        "such than that the their then there these they this to was what when which while will with",
    )
    for word in line.split()
)
"""Words too common to search for; inside phrases they count."""

_IDEOGRAPH = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_IDEOGRAPH}]|\d+(?:[.,]\d+)+|(?:(?![{_IDEOGRAPH}_])\w)+")


class Token(NamedTuple):
    """A word as written, with its place in the text."""

    text: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    """The words of a text, in order."""
    return (Token(found.group(), found.start(), found.end()) for found in _WORD.finditer(text))


def split(text: str) -> list[str]:
    """The words of a text, unchanged and in order."""
    return _WORD.findall(text)


def words(text: str) -> list[str]:
    """The folded words of a text, in order."""
    return [fold(word) for word in _WORD.findall(text)]


def stems(text: str) -> list[str]:
    """The stems of the words of a text, in order."""
    return [stem(word) for word in _WORD.findall(text)]


def name_words(text: str) -> list[str]:
    """The words of a name in one spelling and without the ending of a plural: `GPU hours` is the name `GPU-hour`.

    A stem says less: that of `tokenization` is the one of `token`.
    """
    return [_singular(_AMERICAN.sub("s", _BRITISH.sub("iz", fold(word)))) for word in _WORD.findall(text)]


def _singular(folded: str) -> str:
    if len(folded) <= 3 or not folded.endswith("s") or folded.endswith(("ss", "us", "is")):
        return folded
    if folded.endswith("ies"):
        return f"{folded[:-3]}y"
    return folded[:-2] if folded.endswith(("sses", "xes", "ches", "shes", "zzes")) else folded[:-1]


def forget() -> None:
    """Free the cached words: a large ingest leaves tens of megabytes of them."""
    fold.cache_clear()
    stem.cache_clear()


@lru_cache(maxsize=200_000)
def fold(word: str) -> str:
    """A word without case and accents."""
    if word.isascii():
        return word.lower()[:LONGEST]
    split = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", word).casefold())
    return "".join(char for char in split if not unicodedata.combining(char))[:LONGEST]


_BRITISH = re.compile(
    r"(?<=[aeino]l|[aeio]n|[ai]m|[ao]r|[aei]t|nt)is(?=(?:e[drs]?|ers|ing|ations?)$)|(?<=mort)is(?=[aei])"
)
_AMERICAN = re.compile(r"(?<=^analy)z(?=(?:e[drs]?|ers|ing)$)")


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The common part of a word's forms and spellings; numbers and names with digits are unchanged."""
    folded = _AMERICAN.sub("s", _BRITISH.sub("iz", fold(word)))
    if len(folded) <= 3 or not (folded.isascii() and folded.isalpha()):
        return folded
    found = _porter(folded)
    return _porter(f"{found}e") if found.endswith("iz") else found  # Porter separates `optimized` from `optimize`


def beginning(one: str) -> str:
    """How every word with a stem begins, in lower case: `kei` is that of keys, and `relat` that of relation."""
    shorter = one.isalpha() and (len(one) > 3 or (len(one) == 3 and one[-1] == "i"))
    return one[:-1] if shorter else one


def _porter(word: str) -> str:
    return str(porter(word))  # type: ignore[no-untyped-call]  # Whoosh is only partly typed
