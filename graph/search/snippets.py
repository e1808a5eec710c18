"""Snippets: the part of a text with the most query words, each highlighted."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from graph.search.query_language import AllOf, AnyOf, InTitle, Phrase, Prefix, Text, Word
from graph.search.tokenizer import COMMON, MARK, beginning, fold, stem, tokens

LENGTH = 260
"""Length of a snippet in characters."""

_BEFORE = 40
"""Characters of a snippet before its first match."""

Span = tuple[int, int]


class Snippet(NamedTuple):
    """A part of a text as HTML with `<mark>`, and as plain text."""

    marked: str
    plain: str


class _QueryWords(NamedTuple):
    """What is highlighted: words in any form, prefixes, and phrases."""

    stems: set[str]
    starts: set[str]
    phrases: set[tuple[str, ...]]


class _Word(NamedTuple):
    """A word of the text that may match a query word."""

    start: int
    end: int
    stem: str
    alone: bool


class Marker:
    """Finds the words of a query in a text, in any form."""

    def __init__(self, texts: Iterable[Text]) -> None:
        wanted = _QueryWords(set(), set(), set())
        for text in texts:
            _collect(text, wanted)
        self._stems = frozenset(wanted.stems - COMMON) or frozenset(wanted.stems)
        self._starts = tuple(sorted(wanted.starts))
        self._phrases = sorted(wanted.phrases, key=lambda phrase: (-len(phrase), phrase))
        self._parts = frozenset(stem for phrase in wanted.phrases for stem in phrase)
        self._begins = tuple(sorted({*map(beginning, self._stems | self._parts), *self._starts}))
        self._lettered = _shortest(self._begins) if all(map(str.isalpha, self._begins)) else ()

    def spans(self, text: str) -> list[Span]:
        """The spans of the query words; adjacent words are one span."""
        if not self._begins:
            return []
        simple = _is_simple(text)
        if simple and not self._phrases and not self._starts:
            return self._word_spans(text.lower())
        found: Iterable[tuple[str, int, int]] = (
            [(text[start:end], start, end) for start, end in _candidates(text, text.lower(), self._begins)]
            if simple
            else tokens(text)
        )
        likely = [word for word in map(self._shown, found) if word is not None]
        if not likely:
            return []
        kept = [word.alone for word in likely]
        for place in range(len(likely)) if self._phrases else ():
            length = self._phrase_at(text, likely, place)
            kept[place : place + length] = [True] * length
        return _joined(text, [(word.start, word.end) for word, keep in zip(likely, kept, strict=True) if keep])

    def _word_spans(self, low: str) -> list[Span]:
        """The spans in a simple text in lower case for a query of words alone: most queries are."""
        wanted = self._stems
        if not self._lettered:
            likely = _candidates(low, low, self._begins)
            found = [(start, end) for start, end in likely if stem(low[start:end]) in wanted]
        else:
            found = list[Span]()
            find, rest = low.find, _REST.match
            for begin in self._lettered:  # no word with a letter at its beginning is part of another one
                length, at = len(begin), find(begin)
                while at >= 0:
                    if at and low[at - 1].isalnum():
                        end = at + 1
                    else:
                        end = rest(low, at + length).end()  # type: ignore[union-attr]  # it matches everywhere
                        if stem(low[at:end]) in wanted:
                            found.append((at, end))
                    at = find(begin, end)
            found.sort()
        return _joined(low, found)

    def _shown(self, found: tuple[str, int, int]) -> _Word | None:
        word, start, end = found
        one = stem(word)
        alone = one in self._stems or (bool(self._starts) and fold(word).startswith(self._starts))
        return _Word(start, end, one, alone) if alone or one in self._parts else None

    def _phrase_at(self, text: str, likely: list[_Word], place: int) -> int:
        """Length of the longest phrase that begins at a word; 0 if none does."""
        for phrase in self._phrases:
            run = likely[place : place + len(phrase)]
            if tuple(word.stem for word in run) == phrase and _close(text, run):
                return len(phrase)
        return 0

    def marked(self, text: str) -> str:
        """The full text as HTML with `<mark>`."""
        return _html(text, self.spans(text), 0, len(text))

    def snippet(self, text: str) -> Snippet:
        """The part of `text`, at most `LENGTH` characters, with the most different query words."""
        spans = self.spans(text)
        start, end = _window(text, spans)
        plain = f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"
        return Snippet(_marked(text, spans, start, end), plain)


def _marked(text: str, spans: list[Span], start: int, end: int) -> str:
    """A window of a text as HTML, with dots where it is cut."""
    return f"{'… ' if start else ''}{_html(text, spans, start, end)}{' …' if end < len(text) else ''}"


def _collect(text: Text, wanted: _QueryWords) -> None:
    match text:
        case Word(one):
            wanted.stems.add(one)
        case Prefix(start):
            wanted.starts.add(start)
        case Phrase(several):
            wanted.phrases.add(several)
        case InTitle(inner):
            _collect(inner, wanted)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                _collect(part, wanted)


def _close(text: str, run: list[_Word]) -> bool:
    """Whether there is no other word between these."""
    return all(next(tokens(text[one.end : other.start]), None) is None for one, other in pairwise(run))


_OTHER_LETTER = re.compile(r"[^\W\x00-\x7f]")
_REST = re.compile(r"[A-Za-z0-9]*(?:(?<=\d)[.,](?=\d)[A-Za-z0-9]*)*")


def _is_simple(text: str) -> bool:
    """Whether all letters and digits are ASCII: lower case is as long, and a word ends where none of them follows."""
    return text.isascii() or (_OTHER_LETTER.search(text) is None and MARK.search(text) is None)


def _candidates(text: str, low: str, begins: tuple[str, ...]) -> list[Span]:
    """The words of a simple text that begin so, in order, as `tokens` gives words; `low` is it in lower case.

    Each beginning is found by itself: to compile a pattern of them takes longer than to search twenty texts.
    """
    end, found, rest = 0, list[Span](), _REST.match
    for start, length in _places(low, begins):
        if start >= end and not (start and low[start - 1].isalnum()):
            match = rest(text, start + length)
            end = match.end() if match else start + length
            found.append((start, end))
    return found


def _places(low: str, begins: tuple[str, ...]) -> list[Span]:
    """Where each beginning is, in order, and how long it is; a title mostly has none."""
    found, find = list[Span](), low.find
    for begin in begins:
        length, at = len(begin), find(begin)
        while at >= 0:
            found.append((at, length))
            at = find(begin, at + 1)
    if len(begins) > 1:
        found.sort()
    return found


def _shortest(begins: Sequence[str]) -> tuple[str, ...]:
    """The beginnings that have no other one as their own beginning."""
    return tuple([one for one in begins if not any(one != other and one.startswith(other) for other in begins)])


def _joined(text: str, spans: list[Span]) -> list[Span]:
    """The spans in which neighbours with nothing but spaces and hyphens between them are one."""
    joined, last = list[Span](), -1
    for start, end in spans:
        if last >= 0 and (start == last or text[start - 1] in " -") and not text[last:start].strip(" -"):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
        last = end
    return joined


def _window(text: str, spans: list[Span]) -> Span:
    """The window with the most different words; the first of equal ones."""
    low = text.lower()
    if len(low) == len(text):
        return _window_of(low, spans, 0, len(text))
    return _window_of(text, spans, 0, len(text), [text[start:end].lower() for start, end in spans])


def _window_of(low: str, spans: list[Span], first: int, last: int, words: list[str] | None = None) -> Span:
    """The same in the part of a text from `first` to `last`, whose `spans` those are; `low` is in lower case."""
    if last - first <= LENGTH:
        return first, last
    if not spans:
        return _at_words(low, first, first, last)
    best, end = spans[0]
    if len(spans) > 2 or end - best > LENGTH - _BEFORE:
        best = _best(spans, words or [low[start:end] for start, end in spans])
    return _at_words(low, best - _BEFORE if best - _BEFORE > first else first, first, last)


def _best(spans: list[Span], words: list[str]) -> int:
    """Where the window begins that has the most different words; `words` are those of the spans."""
    best, most, possible, last, count = spans[0][0], -1, len(set(words)), 0, len(spans)
    for place, (start, _) in enumerate(spans[:200]):
        limit = start + LENGTH - _BEFORE
        while last < count and spans[last][1] <= limit:
            last += 1
        if last - place > most and (inside := len(set(words[place:last]))) > most:
            best, most = start, inside
            if most == possible:
                break
    return best


def _at_words(text: str, start: int, first: int, last: int) -> Span:
    """A window from about `start` that avoids cutting a word; the text is between `first` and `last`."""
    if start > first:
        start = max(first, min(start, last - LENGTH))
        gap = text.find(" ", start, min(start + 30, last))
        start = gap + 1 if gap >= 0 and start > first else start
    end = start + LENGTH
    if end >= last:
        return start, last
    gap = text.rfind(" ", end - 30, end)
    return start, gap if gap > first else end


def _html(text: str, spans: list[Span], start: int, end: int) -> str:
    """The part from `start` to `end`, escaped, with `<mark>`."""
    parts: list[str] = []
    at = start
    for first, last in spans:
        if first < at or last > end:
            continue
        parts += [_escaped(text[at:first]), "<mark>", _escaped(text[first:last]), "</mark>"]
        at = last
    return "".join([*parts, _escaped(text[at:end])])


def _escaped(text: str) -> str:
    """A text as HTML; quotation marks are not escaped, because a snippet is never the value of an attribute."""
    if "&" in text or "<" in text or ">" in text:
        return html.escape(text, quote=False)
    return text
