"""Finds quoted words: as written, without markup and typography, then the nearest passage.

The words decide, as in the TextQuoteSelector of the W3C Web Annotation model; a position is only where they were found.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import Literal, NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel, Postfix, Prefix

NEAREST = 75  # minimum similarity (0 to 100) of a nearest passage
SAME_FIGURES = 65  # minimum similarity if the passage has the figures of the quote
SHORTEST = 8  # minimum characters of a quote with a nearest passage: too much is similar to a shorter one
CONTEXT = 60  # characters around a passage that distinguish it from others with the same words
_MOST = 1000
_BLOCK = 4

_DROPPED = "|".join((
    "[\U000f0000-\U000ffffd]",  # the sentinels of `api.pages.render.text_marks`
    r"[\u00ad\u200b-\u200d\u2060\ufeff]",  # characters without a width
    r"\[\^[^\]\n]{1,40}\]:?",  # a footnote
    r"(?:<|\(|&lt;)/?cite\b[^<>()\n]{0,200}(?:>|\)|&gt;)",  # a cite span
    r"</?[a-zA-Z][^<>\n]{0,400}>",
    r"!?\[\[[^\[\]|\n]{1,300}\\?\|",  # a wikilink up to its text
    r"\]\([^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,2000})?(?:[ \t]+\"[^\"\n]{0,300}\")?\)",  # the target of a link
    r"!?\[|\]",
    r"\\(?=[!-/:-@\[-`{-~])",
    r"`+|~~+|\*\*+|(?<![\w)])\*(?=\S)|(?<=[^\s\d])\*(?!\w)|(?<!\w)_+|_+(?!\w)",
    r"(?<!=)==(?!=)",
))  # fmt: skip
_GAP = "|".join((
    r"(?:^|\n)[ \t]*(?:>[ \t]?)+",
    r"(?:^|\n)[ \t]*(?:[-+*•]|\#{1,6})(?=[ \t])",
    r"\n[ \t]*\|?[-:| \t]{3,}\|?(?=\n)",  # the line below the header of a table
    r"</?(?:td|th|tr|table|p|div|li|ul|ol|br|hr|h[1-6]|blockquote)\b[^<>\n]{0,400}>",
    r"\||\s",
))  # fmt: skip
_MARKER = r"[ \t]*\[\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*\](?!\()"
_TOKEN = re.compile(
    rf"(?P<mark>{_MARKER})|(?P<gap>(?:{_GAP})+)|(?P<drop>{_DROPPED})|(?P<sign>&\#?\w{{2,8}};)|(?P<one>.)", re.DOTALL
)
_TYPOGRAPHY = {
    **dict.fromkeys("‘’‚‛′´ʼ", "'"), **dict.fromkeys("“”„‟″«»", '"'), **dict.fromkeys("‐‑‒–—―−", "-"),
    "…": "...", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl",
}  # fmt: skip
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_BORDER = re.compile(r"(?<=[.!?…])[\"')\]*_]{0,3}\s+|\n[ \t]*\n|\n(?=[ \t]*(?:[-+*•#>|]|\d{1,3}[.)][ \t]))")
_WORD = re.compile(r"\w+")


class QuoteMatch(NamedTuple):
    """The first place of a quote, `text[start:end]`.

    `exact` ignores markup and typography; `cut`: it begins or ends inside a number; `near`: the words differ.
    """

    start: int
    end: int
    how: Literal["exact", "cut", "near"] = "exact"


class Folded(NamedTuple):
    """A text without markup and typography; character `i` was at `starts[i]` to `ends[i]`."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def written(self, start: int, end: int) -> tuple[int, int]:
        """Where characters `start` to `end` were in the original."""
        return self.starts[start], self.ends[end - 1]


def find_quote(text: str, quote: str) -> QuoteMatch | None:
    """Where a text has a quote, or the nearest passage."""
    wanted = quote.strip()
    if not wanted:
        return None
    exact = _first(text, wanted)
    if exact is not None and exact.how == "exact":
        return exact
    plain, sought = folded(text), folded(wanted).text.strip()
    found = _first(plain.text, sought) if sought else None
    if found is not None and (found.how == "exact" or exact is None):
        start, end = plain.written(found.start, found.end)
        return found._replace(start=start, end=end)
    return exact or _nearest(text, plain, sought)


def states(text: str, quote: str) -> bool:
    """Whether a text has a quote, or similar words with its figures."""
    match = find_quote(text, quote)
    if match is None or match.how == "cut":
        return False
    said = figures_of(quote)
    return match.how == "exact" or (bool(said) and figures_of(text[match.start : match.end]) == said)


@lru_cache(maxsize=8)
def folded(text: str) -> Folded:
    """A text without Markdown's marks, with plain quotes and dashes."""
    signs: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    composed = unicodedata.is_normalized("NFC", text)
    for start, end, plain in _pieces(text, composed=composed):
        if plain == " " and signs and signs[-1] == " ":
            continue
        signs += plain
        starts += [start] * len(plain)
        ends += [end] * len(plain)
    return Folded("".join(signs), starts, ends)


def _pieces(text: str, *, composed: bool) -> Iterator[tuple[int, int, str]]:
    """Each sign with its place; a letter with combining accents is one."""
    base = ""
    begin = last = 0
    for found in _TOKEN.finditer(text):
        sign = _plain(found)
        if not composed and base and sign and unicodedata.combining(sign):
            base, last = unicodedata.normalize("NFC", base + sign), found.end()
            continue
        if base:
            yield begin, last, base
        base, begin, last = sign, found.start(), found.end()
    if base:
        yield begin, last, base


def _plain(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "gap":
            return " "
        case "drop" | "mark":
            return ""
        case "sign":
            sign = html.unescape(found[0])
            return sign if len(sign) > 1 else " " if sign.isspace() else _TYPOGRAPHY.get(sign, sign)
    return _TYPOGRAPHY.get(found[0], found[0])


def _first(text: str, wanted: str) -> QuoteMatch | None:
    """The first place of some words, preferably not inside a longer number."""
    first = None
    for place in _places(text, wanted):
        if not _cuts(text, *place):
            return QuoteMatch(*place)
        first = first or place
    return QuoteMatch(*first, "cut") if first else None


def _places(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """Each place of some words; with other white space only if there is none."""
    words = wanted.split()
    if not words or words[0] not in text:
        return
    start = text.find(wanted)
    if start < 0:
        pattern = re.compile(r"\s+".join(map(re.escape, words)))
        yield from islice((found.span() for found in pattern.finditer(text)), _MOST)
    for _ in range(_MOST):
        if start < 0:
            return
        yield start, start + len(wanted)
        start = text.find(wanted, start + 1)


def _cuts(text: str, start: int, end: int) -> bool:
    """Whether a passage begins or ends inside a number."""
    return any(
        figure.start() < edge < figure.end()
        for edge in (start, end)
        for figure in _FIGURE.finditer(text, max(0, edge - 40), edge + 40)
    )


def figures_of(text: str) -> Counter[str]:
    """How often each number occurs, without separators of thousands."""
    return Counter(re.sub(r",(?=\d{3}(?!\d))", "", found[0]) for found in _FIGURE.finditer(folded(text).text))


def _nearest(text: str, plain: Folded, sought: str) -> QuoteMatch | None:
    """The most similar passage; those with the same figures first."""
    if len(sought) < SHORTEST:
        return None
    figures = figures_of(sought)
    best: tuple[tuple[bool, float], tuple[int, int]] | None = None
    for start, end in _windows(text, plain, sought):
        score, place = _aligned(plain.text, sought, start, end)
        same = figures_of(plain.text[slice(*place)]) == figures
        rank = (same, score)
        if score >= (SAME_FIGURES if same else NEAREST) and (best is None or rank > best[0]):
            best = rank, place
    return QuoteMatch(*plain.written(*best[1]), "near") if best else None


def _windows(text: str, plain: Folded, sought: str) -> Iterator[tuple[int, int]]:
    """Stretches of as many sentences as the quote, or one more, that share words."""
    borders = [0, *(found.end() for found in _BORDER.finditer(text)), len(text)]
    marks = sorted({bisect_right(plain.starts, border - 1) for border in borders} | {0, len(plain.text)})
    words = set(_WORD.findall(sought.casefold()))
    own = [set(_WORD.findall(plain.text[start:end].casefold())) for start, end in pairwise(marks)]
    count = len(_BORDER.findall(sought)) + 1
    for first in range(len(own)):
        for size in (count, count + 1):
            shared = set().union(*own[first : first + size]) & words
            if first + size <= max(len(own), first + 1) and 3 * len(shared) >= len(words):
                yield marks[first], marks[min(first + size, len(marks) - 1)]


def _aligned(text: str, sought: str, start: int, end: int) -> tuple[float, tuple[int, int]]:
    """How similar the best part of a stretch is, in complete words, and its place."""
    window, wanted = text[start:end].casefold(), sought.casefold()
    if len(window) != end - start:  # a sign whose folded case is longer
        window = text[start:end]
    found = fuzz.partial_ratio_alignment(wanted, window)
    if found is None or not window.strip():
        return 0.0, (start, max(start + 1, end))
    spare = len(wanted) // 3 + 8
    from_, to = max(0, found.dest_start - spare), min(len(window), found.dest_end + spare)
    same = [
        (code.dest_start, code.dest_end)
        for code in Indel.opcodes(wanted, window[from_:to])
        if code.tag == "equal" and code.dest_end - code.dest_start >= _BLOCK
    ]
    first, last = (from_ + same[0][0], from_ + same[-1][1]) if same else (found.dest_start, found.dest_end)
    first, last = _in_words(window, first, last)
    while last > first + 1 and window[last - 1] in ",;:.!?" and window[last - 1] != wanted[-1]:
        last -= 1
    return fuzz.ratio(wanted, window[first:last]), (start + first, start + last)


def _in_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widened to complete words, without spaces around."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, end


def quote_places(text: str, quote: str) -> list[tuple[int, int]]:
    """Each place of the quoted words, ignoring markup and typography."""
    found = list(_places(text, quote))
    if found:
        return found
    plain, sought = folded(text), folded(quote).text.strip()
    return [plain.written(*place) for place in _places(plain.text, sought)] if sought else []


def place_in(text: str, body: str, start: int, end: int) -> tuple[int, int] | None:
    """Where another form of a body has `body[start:end]`, in the most similar context."""
    before, after = "\n" + body[:start], body[end:] + "\n"
    found = quote_places(text, body[start:end])
    if len(found) < 2:
        return found[0] if found else None
    return max(found, key=lambda place: _alike(text, place, before, after))


def _alike(text: str, place: tuple[int, int], before: str, after: str) -> int:
    """How many characters around a place match a context, without markup."""
    start, end = place
    lead = (folded(one[-CONTEXT:]).text for one in ("\n" + text[max(0, start - CONTEXT) : start], before))
    rest = (folded(one[:CONTEXT]).text for one in (text[end : end + CONTEXT] + "\n", after))
    return Postfix.similarity(*lead) + Prefix.similarity(*rest)
