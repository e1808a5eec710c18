"""Snippets: the part of a text with the most query words, each highlighted."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from graph.search.query_language import AllOf, AnyOf, InTitle, Phrase, Prefix, Text, Word
from graph.search.tokenizer import COMMON, beginning, fold, stem, tokens

LENGTH = 260
"""Length of a snippet in characters."""

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

    def spans(self, text: str) -> list[Span]:
        """The spans of the query words; adjacent words are one span."""
        if not self._begins:
            return []
        if not self._phrases and not self._starts and text.isascii():
            return self._word_spans(text)
        found: Iterable[tuple[str, int, int]] = (
            [(text[start:end], start, end) for start, end in _candidates(text, self._begins)]
            if text.isascii()
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

    def _word_spans(self, text: str) -> list[Span]:
        """The spans in an ASCII text for a query of words alone: most queries are."""
        wanted, spans = self._stems, list[Span]()
        for start, end in _candidates(text, self._begins):
            if stem(text[start:end]) in wanted:
                if spans and not text[spans[-1][1] : start].strip(" -"):
                    spans[-1] = (spans[-1][0], end)
                else:
                    spans.append((start, end))
        return spans

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

    def snippets(self, texts: Sequence[str]) -> list[str]:
        """The snippets of texts as HTML; the words are looked for in all of them at once, where that is possible."""
        whole = "\n".join(texts)
        if self._phrases or not whole.isascii():
            return [self.snippet(text).marked for text in texts]
        spans, shown, start, place = self.spans(whole), [], 0, 0
        for text in texts:
            end, own = start + len(text), []
            while place < len(spans) and spans[place][1] <= end:
                own.append((spans[place][0] - start, spans[place][1] - start))
                place += 1
            shown.append(_marked(text, own, *_window(text, own)))
            start = end + 1
        return shown


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


_REST = re.compile(r"(?:[A-Za-z0-9]|(?<=\d)[.,](?=\d))*")


def _candidates(text: str, begins: tuple[str, ...]) -> list[Span]:
    """The words of an ASCII text that begin so, in order, as `tokens` gives words.

    Each beginning is found by itself: to compile a pattern of them takes longer than to search twenty texts.
    """
    low, end, found = text.lower(), 0, list[Span]()
    for start, begin in _places(low, begins):
        if start >= end and not (start and low[start - 1].isalnum()):
            rest = _REST.match(text, start + len(begin))
            end = rest.end() if rest else start + len(begin)
            found.append((start, end))
    return found


def _places(low: str, begins: tuple[str, ...]) -> list[tuple[int, str]]:
    """Where each beginning is, in order; a title mostly has none."""
    found = []
    for begin in begins:
        at = low.find(begin)
        while at >= 0:
            found.append((at, begin))
            at = low.find(begin, at + 1)
    return sorted(found) if len(found) > 1 else found


def _joined(text: str, spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in spans:
        if joined and not text[joined[-1][1] : start].strip(" -"):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _window(text: str, spans: list[Span]) -> Span:
    """The window with the most different words; the first of equal ones."""
    if len(text) <= LENGTH:
        return 0, len(text)
    if len(spans) < 2:
        return _at_words(text, max(0, spans[0][0] - 40) if spans else 0)
    written = [(start, end, text[start:end].lower()) for start, end in spans]
    best, most = 0, -1
    for place, (start, _, _) in enumerate(written[:200]):
        inside = set()
        for _, end, words in islice(written, place, None):
            if end > start + LENGTH - 40:
                break
            inside.add(words)
        if len(inside) > most:
            best, most = start, len(inside)
    return _at_words(text, max(0, best - 40))


def _at_words(text: str, start: int) -> Span:
    """A window from about `start` that avoids cutting a word."""
    if start:
        start = max(0, min(start, len(text) - LENGTH))
        gap = text.find(" ", start, start + 30)
        start = gap + 1 if gap >= 0 and start else start
    end = min(len(text), start + LENGTH)
    gap = text.rfind(" ", max(start + 1, end - 30), end) if end < len(text) else -1
    return start, gap if gap > 0 else end


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
