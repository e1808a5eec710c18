"""Masks everything but prose in Markdown: code, mathematics, addresses and link targets; lengths stay the same."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

BLANK = "\x00"  # replaces masked characters one by one, so offsets stay

# Each with a substring that every match has; bounded so that no text takes quadratic time.
_CODE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("```", re.compile(r"^ {0,12}(```++)[^\n]*+\n.*?(?:^ {0,12}\1`*[ \t]*$|\Z)", re.S | re.M)),
    ("~~~", re.compile(r"^ {0,12}(~~~++)[^\n]*+\n.*?(?:^ {0,12}\1~*[ \t]*$|\Z)", re.S | re.M)),
    ("`", re.compile(r"(?<!`)(`{1,4})(?!`)[^\x00]{1,2000}?(?<!`)\1(?!`)")),
)
_COMMENT = ("<!--", re.compile(r"<!--.*?(?:-->|\Z)", re.S))
_MATHS = (
    ("$$", re.compile(r"\$\$[^$]{1,2000}\$\$")),
    ("$", re.compile(r"(?<![\\$\w])\$(?![\s\d$/)])[^$\n]{1,400}?(?<![\s\\])\$(?![\d\w])")),
    ("$", re.compile(r"(?<![\\$\w])\$(?=\d)(?=[^$\n]{0,400}[\\^_{=])[^$\n]{1,400}?(?<![\s\\])\$(?![\d\w])")),
    ("\\(", re.compile(r"(?<!\\)\\\((?:(?!(?<!\\)\\\()[^\n]){1,400}?\\\)")),
    ("\\[", re.compile(r"(?<!\\)\\\[(?:(?!(?<!\\)\\\[).){1,2000}?\\\]", re.S)),
)
_ADDRESSES = (
    ("[[", re.compile(r"\[\[[^\[\]|\n]{1,300}(?:\||\]\])")),
    (
        "](",
        re.compile(r"(?<=\])\([^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,2000})?(?:\s+[\"'][^\n]{0,300}?[\"'])?\)"),
    ),
    ("://", re.compile(r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,14}://[^\s<>\x00\"]{1,3000}")),
    ("www.", re.compile(r"\bwww\.[^\s<>\x00\"]{1,2000}")),
    ("@", re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}\b")),
    ("<sup", re.compile(r"<sup\b[^<>\n]{0,100}>[^<>\n]{0,40}</sup>", re.I)),
    ("<", re.compile(r"</?[a-zA-Z][^<>\n]{0,400}>")),
)
_MASKS = (*_CODE, _COMMENT, *_MATHS, *_ADDRESSES)


def masked(text: str) -> str:
    """`text` with `BLANK` for each character that is not prose."""
    return _with_blanks(text, _MASKS)


def addresses_masked(text: str) -> str:
    """`text` with `BLANK` for each character of addresses, link targets, HTML tags and comments."""
    return _with_blanks(text, (_COMMENT, *_ADDRESSES))


def _with_blanks(text: str, masks: Iterable[tuple[str, re.Pattern[str]]]) -> str:
    for sign, pattern in masks:
        if sign in text:
            text = pattern.sub(_blank, text)
    return text


def _blank(match: re.Match[str]) -> str:
    """The blanks for a match; an unclosed comment stays."""
    unclosed = match[0].startswith("<!--") and not match[0].endswith("-->")
    return match[0] if unclosed else BLANK * len(match[0])


_PICTURES = r"(?:[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]+\s*)?"
"""Emoji before the first word of a sentence."""
_END = re.compile(
    rf"[.!?…][\"'”’)\]*_]{{0,3}}(?={BLANK}*\s[{BLANK}\s]*{_PICTURES}[\"'“‘(\[*_]{{0,3}}[A-Z0-9À-ÞА-Я])"
    r"|\n\s*\n|\n(?=\s*(?:[-*•+]|\d{1,3}[.)])\s)"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:al|approx|cf|e\.g|i\.e|eq|etc|fig|no|resp|sec|vs|Dr|Mr|Mrs|Ms|St|U\.S)|\b[A-Z])\.$"
)


NEAR = 1000  # maximum extent of a sentence on either side, in characters


def sentence_borders(text: str) -> list[int]:
    """The offsets where sentences, items and paragraphs begin, from 0 to `len(text)`."""
    borders = [0]
    for match in _END.finditer(text):
        if match[0][0] == "." and _ABBREVIATION.search(text, max(0, match.start() - 8), match.start() + 1):
            continue
        borders.append(match.end())
    return [*borders, len(text)]


def sentence_span(borders: Sequence[int], at: int) -> tuple[int, int]:
    """The sentence around an offset, at most `NEAR` away."""
    index = bisect_right(borders, at)
    begin, end = borders[index - 1], borders[min(index, len(borders) - 1)]
    return max(begin, at - NEAR), min(end, at + NEAR)


def sentence_at(text: str, borders: Sequence[int], at: int) -> str:
    """The sentence around an offset, white space collapsed, cuts marked by `…`."""
    begin, end = sentence_span(borders, at)
    before, after = "…" * (begin == at - NEAR), "…" * (end == at + NEAR)
    return f"{before}{' '.join(text[begin:end].split())}{after}"
