"""Amounts that were spent: they look like prices per token, and are none of a list.

On GPT-4o we spent $640 for input tokens                      words for spending
GPT-4o charged $18 for input on Tuesday                       a day on which tokens were used
$864 for input and $288 for output, $1,152 in all             what all of them come to
| 10,000 tokens in | 1,000 Mtok in and 100 Mtok out |         columns for a number of tokens
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from itertools import pairwise

from compute.mining.mining_models import Figure

_SPENT = re.compile(
    r"\b(?:spent|(?:we|they|i|you)(?: have|['’]ve)? (?:paid|burned|burnt)"
    r"|(?:charged|billed|invoiced|cost) (?:us|me|them))\b",
    re.I,
)
_ON_A_DAY = re.compile(r"\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.I)
_PER_MILLION = re.compile(r"\bmillion\b|\d\s?M\b|/\s?1?M\b|\bMtok\b", re.I)
"""Words for spending, for the day on which tokens were used, and for the unit of a price per token."""
_ALL = re.compile(r"\b(?:in all|in total|total|altogether|together|in sum|sum|all in)\b", re.I)
_NEAR = 24
"""How many signs around a sum may say that it is one."""

_SIZES = {
    "k": 3, "ktok": 3, "thousand": 3, "m": 6, "mtok": 6, "million": 6, "b": 9, "bn": 9, "billion": 9,
}  # fmt: skip  # a table
_COUNTED = re.compile(
    r"(?<![\w.,$€£/–-])(?P<number>\d[\d,]*(?:\.\d+)?)\s?(?P<size>k|m|bn?|thousand|million|billion)?"
    r"(?:\s?(?P<unit>[mk]tok|tok(?:ens?)?)\b(?!\s?(?:\+|context|or (?:more|less)))"
    r"|\s?(?:fresh |cached )?(?:in|out)(?:put)?\b)",
    re.I,
)
_LIMIT = re.compile(
    r"(?:[<>≤≥=+]|\b(?:over|above|beyond|under|below|up to|than|exceed\w*|within|to|past|per|an?|each|every|from|first"
    r"|next|long|short|contexts?|windows?|prompts?))\s?(?:of )?(?:the )?\(?$",
    re.I,
)
"""Before a number of tokens that is a limit, or what a price is for."""
_UNITS = frozenset({Decimal(1), Decimal(1000), Decimal(1_000_000)})
"""The numbers of tokens that lists have prices for."""


def is_spent(text: str) -> bool:
    """Whether a sentence speaks of money that was spent, and names no unit of prices per token."""
    return not _PER_MILLION.search(text) and bool(_SPENT.search(text) or _ON_A_DAY.search(text))


def summed(figures: Iterable[Figure], text: str, base: int) -> frozenset[int]:
    """The offsets of two amounts of money and their sum: $864 for input and $288 for output, $1,152 in all.

    The text begins at the offset `base`.
    """
    told = [one for one in figures if one.sort == "money" and not one.ranged]
    found = set[int]()
    for place, (one, two) in enumerate(pairwise(told)):
        later = next(iter(told[place + 2 :]), None)
        if later is not None and abs(one.low + two.low - later.low) <= later.half:
            near = text[two.end - base : later.start - base][-_NEAR:] + text[later.end - base :][:_NEAR]
            found |= {one.start, two.start, later.start} if _ALL.search(near) else set()
    return frozenset(found)


def is_sum(head: str) -> bool:
    """Whether the head of a column says that it is what others come to, of no price per token."""
    return _ALL.search(head) is not None


def is_of_many(head: str) -> bool:
    """Whether the head of a column says how many tokens its amounts are for, and not the unit of a price."""
    found = [one for one in _COUNTED.finditer(head) if not _LIMIT.search(head[: one.start()])]
    return len(found) > 1 or any(_tokens(one) not in _UNITS for one in found)


def _tokens(found: re.Match[str]) -> Decimal:
    """The number of tokens that a match states."""
    power = sum(_SIZES.get((found[name] or "").lower(), 0) for name in ("size", "unit"))
    return Decimal(found["number"].replace(",", "")).scaleb(power)
