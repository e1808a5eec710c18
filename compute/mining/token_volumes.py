"""How many tokens a sentence speaks of, and whether a model reads or writes them.

12 million input tokens · a 30K token prompt and a 2K response · sends 40 million tokens, and gets 6 million back
a prompt of 120,000 tokens and an answer of 3,000 · 10M tokens in and 2M out · each reads 400k and writes 20k
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from compute.mining.number_words import NUMBERS

_SCALES = {
    "k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "b": 9, "bn": 9, "billion": 9, "trillion": 12,
    "hundred thousand": 5, "hundred million": 8,
}  # fmt: skip  # a table
_WORDS = "|".join(["an?", "one", *NUMBERS])
_NUMBER = (
    rf"(?<![\w.$€£¥,-])(?P<number>\d[\d,]*(?:\.\d+)?|(?:{_WORDS})(?= (?:hundred )?(?:thousand|million|billion)\b))\s?"
    r"(?P<scale>(?:hundred (?:thousand|million)\b)|[kKMB]\b|bn\b|mn\b|thousand\b|million\b|billion\b"
    r"|trillion\b)?(?![\d%])"
)
_READ = r"input|prompt|context|read|sent|in|to read|embedded|going in"
_WRITTEN = r"output|completion|response|reply|answer|generated|written|out|back|received|coming out|in reply"
_AFTER = re.compile(
    rf"[ -]?(?:(?P<cached>cach(?:ed|e)(?: (?:reads?|hits?|inputs?|prompts?))?(?: tokens?)?)"
    rf"|(?:token[ -])?(?:of )?(?:fresh |uncached )?(?P<kind>{_READ}|{_WRITTEN})s?[ -]?(?:tokens?\b)?"
    rf"|tokens?(?: (?:of )?(?:\(\w+\) )?(?P<way>{_READ}|{_WRITTEN})s?\b)?"
    rf"|(?:[A-Z][\w.-]* ){{1,3}}(?P<own>input|output|prompt|completion) tokens?)(?!\w)"
    r"(?P<period> (?:an?|per|each|every) (?:hour|day|week|month|year)\b)?"
)
_BEFORE_READ = re.compile(
    r"\b(?:prompts?|contexts?|inputs?|questions?|documents?) of (?:about |some |roughly )?$"
    r"|\b(?:sends?|sent|sending|feeds?|fed|feeding|(?:re-?)?reads?|reading|embed(?:s|ded|ding)?|ingest(?:s|ed|ing)?"
    r"|push(?:es|ed|ing)?|pass(?:es|ed)?|takes? in|process(?:es|ed|ing)?)"
    r"(?: (?:it|about|some|roughly|in|through|us|around))? $",
    re.I,
)
_BEFORE_WRITTEN = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|responses?|outputs?|completions?|summar(?:y|ies)) of (?:about |some |roughly )?$"
    r"|\b(?:gets?|got|getting|writes?|wrote|writing|returns?|returned|generat(?:es?|ed|ing)|produc(?:es?|ed|ing)"
    r"|receiv\w+)"
    r"(?: (?:it|about|some|roughly|back|us|around))? $",
    re.I,
)
_WORDS_READ = re.compile(rf"(?:{_READ})\Z", re.I)
_READING = re.compile(r"\b(?:(?:re-?)?reads?|reading|embed\w*|index\w*|ingest\w*|scan\w*|classif\w*)\b", re.I)
_LEAST = 100
"""A smaller number is none of tokens, unless it has a scale."""


_ADDED = re.compile(r"\b(?:in|out|tokens?)\W{0,3}(?:[+&/]|\band)\s?$", re.I)
"""Before a small number of tokens beside another one: 1,500 tokens in + 60 out."""
_UNITS = frozenset({"a", "an", "one"})
"""Words of a million or a thousand tokens that a price is for."""


_LARGE = ("billion", "trillion")
"""Scales for which no list has a price."""


class Volume(NamedTuple):
    """A number of tokens at `start:end` of a text; `part` is `input`, `output`, `cache_read`, or
    empty if the text does not say."""

    value: Decimal
    part: str
    period: str
    start: int
    end: int
    text: str


def volumes(text: str) -> list[Volume]:
    """The numbers of tokens in a sentence; those without the word *tokens* only beside one that has it, or a pair."""
    found = [*_volumes(text)]
    told = [one for one in found if "token" in one.text or one.part]
    spoken = any("token" in one.text for one in found) or {one.part for one in told} >= {"input", "output"}
    return told if spoken else []


def _volumes(text: str) -> Iterator[Volume]:
    for match in re.finditer(_NUMBER, text, re.I):
        after = _AFTER.match(text, match.end())
        before = text[max(0, match.start() - 40) : match.start()]
        value = count_of(match["number"]) * Decimal(10) ** _SCALES.get((match["scale"] or "").lower(), 0)
        few = not match["scale"] and value < _LEAST and not _ADDED.search(before)
        single = match["number"].lower() in _UNITS and not (match["scale"] or "").lower().endswith(_LARGE)
        if few or single:
            continue
        end = after.end() if after else match.end()
        word = (after["kind"] or after["way"] or after["own"] or "") if after else ""
        part = "cache_read" if after and after["cached"] else _part(word, before)
        if part or (after and "token" in after[0]):
            period = (after["period"] or "").split()[-1:] if after else []
            yield Volume(value, part, "".join(period), match.start(), end, text[match.start() : end].strip())


def count_of(number: str) -> Decimal:
    """The value of digits, or of a word for a number; 1 for *a*."""
    if number[0].isdigit():
        return Decimal(number.replace(",", ""))
    return NUMBERS.get(number.lower(), Decimal(1))


def _part(word: str, before: str) -> str:
    if word:
        return "input" if _WORDS_READ.match(word) else "output"
    if _BEFORE_READ.search(before):
        return "input"
    return "output" if _BEFORE_WRITTEN.search(before) else ""


def only_read(text: str) -> bool:
    """Whether a sentence speaks of reading only, so that tokens of no stated kind are input."""
    return _READING.search(text) is not None
