"""Snippets: the part of a text with the most query words, highlighted."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from graph.models.node_models import Node
from graph.search.query_language import AllOf, AnyOf, InTitle, Phrase, Prefix, Text, Word
from graph.search.tokenizer import COMMON, MARK, Token, fold, split, stem, tokens
from graph.text.plain_text import naming_notes, plain_text

LENGTH = 260  # maximum characters of a snippet

BEFORE = 40  # characters before its first match

Span = tuple[int, int]

_ASIDE = re.compile(r"^[ \t]*\|.*$|(?<!\s)\s*+\((?:\[\[[^\[\]|\n]+\]\](?:[,;] | and )?)+\)", re.MULTILINE)
"""The lines of tables, and notes that are only named in brackets."""

_OTHER_LETTER = re.compile(r"[^\W\x00-\x7f]")


def gist(node: Node) -> str:
    """A note's text as plain sentences: titles of other notes in quotation marks, no tables, no links in brackets."""
    links = ((one.target, f"“{one.target_title}”") for one in node.cites if one.target and one.target_title)
    return plain_text(_ASIDE.sub("", node.body), naming_notes(links))


class Snippet(NamedTuple):
    """A part of a text as HTML with `<mark>`, and as plain text."""

    marked: str
    plain: str


class _Word(NamedTuple):
    """A word that may match a query word; `alone`: not only within a phrase."""

    start: int
    end: int
    stem: str
    alone: bool


class Marker:
    """Finds query words in a text, in any form."""

    def __init__(self, texts: Iterable[Text]) -> None:
        stems, starts, phrases = set[str](), set[str](), set[tuple[str, ...]]()
        for text in texts:
            _collect(text, stems, starts, phrases)
        self._stems = frozenset(stems - COMMON) or frozenset(stems)
        self._starts = tuple(sorted(starts))
        self._phrases = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
        self._parts = frozenset(stem for phrase in phrases for stem in phrase)
        self._begins = {*map(_beginning, self._stems | self._parts), *starts}

    def spans(self, text: str) -> list[Span]:
        """Spans of query words; adjacent words are one span."""
        found = [word for word in map(self._word, self._candidates(text)) if word.alone or word.stem in self._parts]
        kept = [word.alone for word in found]
        for place in range(len(found)) if self._phrases else ():
            length = self._phrase_at(text, found[place:])
            kept[place : place + length] = [True] * length
        return _joined(text, [(word.start, word.end) for word, keep in zip(found, kept, strict=True) if keep])

    def _candidates(self, text: str) -> Iterator[Token]:
        """Words that may match; in ASCII only those that begin like a query word."""
        if not text.isascii() and (_OTHER_LETTER.search(text) or MARK.search(text)):
            yield from tokens(text)
            return
        end, low, starts = 0, text.lower(), set[int]()
        for begin in self._begins:
            at = low.find(begin)
            while at >= 0:
                if not (at and low[at - 1].isalnum()):
                    starts.add(at)
                at = low.find(begin, at + 1)
        for start in sorted(starts):
            if start >= end:
                token = next(tokens(text, start))
                end = token.end
                yield token

    def _word(self, token: Token) -> _Word:
        one = stem(token.text)
        alone = one in self._stems or (bool(self._starts) and fold(token.text).startswith(self._starts))
        return _Word(token.start, token.end, one, alone)

    def _phrase_at(self, text: str, found: list[_Word]) -> int:
        """Words of the longest phrase that these words begin with; 0 without one."""
        for phrase in self._phrases:
            run = found[: len(phrase)]
            gaps = (text[one.end : other.start] for one, other in pairwise(run))
            if tuple(word.stem for word in run) == phrase and not any(map(split, gaps)):
                return len(phrase)
        return 0

    def marked(self, text: str) -> str:
        """The complete text as HTML with `<mark>`."""
        return _html(text, self.spans(text), 0, len(text))

    def snippet(self, text: str) -> Snippet:
        """The part of a text with the most different query words."""
        spans = self.spans(text)
        start, end = _window(text, spans)
        before, after = "… " if start else "", " …" if end < len(text) else ""
        return Snippet(f"{before}{_html(text, spans, start, end)}{after}", f"{before}{text[start:end]}{after}")


def _collect(text: Text, stems: set[str], starts: set[str], phrases: set[tuple[str, ...]]) -> None:
    match text:
        case Word(one):
            stems.add(one)
        case Prefix(start):
            starts.add(start)
        case Phrase(several):
            phrases.add(several)
        case InTitle(inner):
            _collect(inner, stems, starts, phrases)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                _collect(part, stems, starts, phrases)


def _beginning(one: str) -> str:
    """How all words of a stem begin: `ke` for `kei`, the stem of keys; `3` for `3958`, that of 3,958."""
    if len(one) > 3 and one.isascii() and one.isdigit():
        return one[: (len(one) - 1) % 3 + 1]
    shorter = one.isalpha() and (len(one) > 3 or (len(one) == 3 and one[-1] == "i"))
    return one[:-1] if shorter else one


def _joined(text: str, spans: Iterable[Span]) -> list[Span]:
    """Spans, joined where only spaces and hyphens separate them."""
    joined = list[Span]()
    for start, end in spans:
        if joined and not text[joined[-1][1] : start].strip(" -"):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _window(text: str, spans: list[Span]) -> Span:
    """The first window with the most different words; it avoids cutting a word."""
    if len(text) <= LENGTH:
        return 0, len(text)
    start = max(0, _best(text, spans) - BEFORE) if spans else 0
    if start:
        start = min(start, len(text) - LENGTH)
        start = text.find(" ", start, start + 30) + 1 or start
    end = start + LENGTH
    if end >= len(text):
        return start, len(text)
    gap = text.rfind(" ", end - 30, end)
    return start, gap if gap > 0 else end


def _best(text: str, spans: list[Span]) -> int:
    """The start of the match with the most different words in a snippet after it."""
    words = [text[start:end].lower() for start, end in spans[:400]]
    best, most, possible, last = spans[0][0], 0, len(set(words)), 0
    for place, (start, _) in enumerate(spans[:200]):
        while last < len(words) and spans[last][1] <= start + LENGTH - BEFORE:
            last += 1
        if len(inside := set(words[place:last])) > most:
            best, most = start, len(inside)
            if most == possible:
                break
    return best


def _html(text: str, spans: Iterable[Span], start: int, end: int) -> str:
    """A part of the text, escaped, with `<mark>`; not for attributes."""
    parts: list[str] = []
    at = start
    for first, last in spans:
        if first >= at and last <= end:
            parts += [html.escape(text[at:first], quote=False), "<mark>", html.escape(text[first:last], quote=False)]
            parts.append("</mark>")
            at = last
    return "".join([*parts, html.escape(text[at:end], quote=False)])
