"""Words as evidence: the significant words of texts, in one spelling."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")

COMMON = frozenset(
    re.findall(
        r"\w+",
        """
        a about above after again all also although always am an and another any are as at away be became because become
        been before being below best better between both but by came can cannot come could did do does doing done down
        during each either else ever every few for from further gave get gets getting give given gives go goes going
        gone got had has have having he her here hers him his how however i if in instead into is it its itself just
        keep kept kind later least less let lets like made make makes making many may me might more most much must my
        near need needs never no nor not nothing now of off often on once one only onto or other others our out over own
        per put quite rather s same say says see seen set she should shows since so some something still such take taken
        than that the their them then there these they thing this those though through thus to today together too toward
        two under until up upon us use used uses using very via was way we well went were what when where whether which
        while who whole whom whose why will with within without would yet you your
        """,
    )
)
"""Words that are never significant."""

_ENDINGS = ("ations", "ation", "ments", "ment", "ings", "ing", "ized", "izes", "ize", "ers", "er", "ed", "ly", "ive")


def placed(text: str) -> list[tuple[str, int]]:
    """The words of a text in order, with offsets."""
    found = ((_key(match[0]), match.start()) for match in _WORD.finditer(text.lower()))
    return [(word, at) for word, at in found if word]


def counted(text: str) -> Counter[str]:
    """How often each word occurs in a text."""
    found: dict[str, int] = {}
    for word, count in Counter(_WORD.findall(text.lower())).items():
        if key := _key(word):
            found[key] = found.get(key, 0) + count
    return Counter(found)


def distinct(text: str) -> set[str]:
    """The words of a text, each once, also single letters."""
    return set(map(stem, set(_WORD.findall(text.lower())) - COMMON))


def overlap(one: frozenset[str], other: frozenset[str], weights: Mapping[str, float]) -> float:
    """The weighted share of the smaller set in the other, 0 to 1."""
    least = min(math.fsum(weights[word] for word in one), math.fsum(weights[word] for word in other))
    return math.fsum(weights[word] for word in one & other) / least if least > 0 else 0.0


@lru_cache(maxsize=1 << 16)
def _key(word: str) -> str:
    """The stem of a significant word; empty for any other."""
    return stem(word) if word not in COMMON and (len(word) > 1 or word.isdigit()) else ""


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """One spelling for the forms of a word; `1,000` is `1000`, `10x` is `10`."""
    if word[0].isdigit():
        return word.replace(",", "").removesuffix("x")
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            break
    if len(word) > 4 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word[-1] == "e" else word
