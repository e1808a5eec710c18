"""Cite spans: quotations wrapped in a mark that names their documents and sentences.

    span     = open text close
    open     = ("<" | "(" | "&lt;") "cite index=" quote index quote (">" | "&gt;")      the page may have lost the "<"
    index    = part {"," part}          part = document ["-" sentence [":" sentence]]
    close    = ("<" | "(" | "&lt;") "/cite" (">" | "&gt;")

A span may contain another and run over a paragraph break. An unclosed one ends at the next one or with its paragraph.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from graph.problems import Severity

LONGEST_RANGE = 200  # longer ranges of sentences are damage


class Part(NamedTuple):
    """A document of a span's index, and its sentences (none: all of it)."""

    document: int
    sentences: tuple[int, ...]


class Span(NamedTuple):
    """A quotation; `marker` is its index as written, `quote` is `clean[start:end]`."""

    marker: str
    parts: tuple[Part, ...]
    quote: str
    start: int
    end: int


class Fault(NamedTuple):
    """A fault of a mark, at an offset of the text."""

    start: int
    code: str
    message: str
    severity: Severity = Severity.WARNING


class _Token(NamedTuple):
    """A mark; `reads` is the index of an opening one, None for a closing one."""

    start: int
    end: int
    reads: str | None
    damage: str | None


_QUOTE = r"(?:&(?:amp;)?(?:quot|\#34|\#39|apos|ldquo|rdquo);|\\?[\"'“”„‟‘’‚«»′″`])"
_LESS, _MORE = r"(?:\\?<|\(|&(?:amp;)?(?:lt|\#60);)", r"(?:\\?>|&(?:amp;)?(?:gt|\#62);)"
_OPEN = re.compile(
    rf"(?:(?P<lead>{_LESS})\s{{0,2}}|(?<![\w/]))cite\s{{1,3}}index\s{{0,3}}=\s{{0,3}}(?P<first>{_QUOTE})?"
    rf"(?P<index>[\d ,;:–—-]{{0,2000}}(?![^\W\d_])|[^\"'“”‘’<>&\n]{{0,200}}(?={_QUOTE}))(?P<last>{_QUOTE})?"
    rf"(?:\s{{1,3}}[\w-]{{1,40}}=\"[^\"\n]{{0,200}}\"){{0,4}}\s{{0,2}}(?P<end>{_MORE})?",
    re.I,
)
_CLOSE = re.compile(rf"{_LESS}\s{{0,2}}\\?/\s{{0,2}}cite\s{{0,2}}(?P<end>{_MORE}|\))?", re.I)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_PART = re.compile(r"(\d{1,9})(?:\s*[-–—]\s*(\d{1,9})(?:\s*[:–—-]\s*(\d{1,9}))?)?")


def cite_spans(text: str) -> tuple[str, tuple[Span, ...], tuple[Fault, ...]]:
    """The text without cite marks, the spans, and the faults."""
    tokens = _tokens(text) if "CITE" in text.upper() else []
    if not tokens:
        return text, (), ()
    faults = [Fault(token.start, "cite-damaged", token.damage) for token in tokens if token.damage]
    pairs = _paired(text, tokens, faults)
    clean, moved = _stripped(text, tokens)
    spans = tuple(_spans(pairs, clean, moved, faults))
    return clean, spans, tuple(sorted(faults, key=lambda fault: fault.start))


def _tokens(text: str) -> list[_Token]:
    found = [_opening(match) for match in _OPEN.finditer(text)]
    found += [
        _Token(match.start(), match.end(), None, None if match["end"] else "a closing cite mark lacks its '>'")
        for match in _CLOSE.finditer(text)
    ]
    return sorted(found, key=lambda token: token.start)


def _opening(match: re.Match[str]) -> _Token:
    parts = {
        "'<'": match["lead"],
        "the quote before its index": match["first"] or not match["last"],
        "the quote behind its index": match["last"] or not match["first"],
        "'>'": match["end"],
    }
    lacks = [name for name, part in parts.items() if not part]
    damage = f"a cite mark lacks {' and '.join(lacks)}" if lacks else None
    return _Token(match.start(), match.end(), match["index"].strip(), damage)


def _paired(text: str, tokens: list[_Token], faults: list[Fault]) -> list[tuple[_Token, int]]:
    breaks = [match.start() for match in _PARAGRAPH.finditer(text)]
    ends: dict[int, int] = {}
    stack: list[_Token] = []
    for token in tokens:
        if token.reads is not None:
            if stack and bisect_right(breaks, stack[-1].end) < bisect_right(breaks, token.start):
                stack.clear()  # a span may run over a paragraph break, but not hold the spans of the next paragraph
            if stack:
                faults.append(Fault(token.start, "cite-nested", "a cite span in a cite span", Severity.NOTE))
            stack.append(token)
        elif stack:
            ends[stack.pop().start] = token.start
        else:
            faults.append(Fault(token.start, "cite-stray", "a closing cite mark that nothing opened"))
    return _ended(text, tokens, ends, breaks, faults)


def _ended(
    text: str, tokens: list[_Token], ends: dict[int, int], breaks: list[int], faults: list[Fault]
) -> list[tuple[_Token, int]]:
    """Each opening mark with its end, unclosed ones by paragraph."""
    opens = [token for token in tokens if token.reads is not None]
    following = {token.start: later.start for token, later in pairwise(opens)}
    result = []
    for token in opens:
        end = ends.get(token.start)
        if end is None:
            after = bisect_right(breaks, token.end - 1)
            paragraph = breaks[after] if after < len(breaks) else len(text)
            end = min(following.get(token.start, len(text)), paragraph)
            faults.append(Fault(token.start, "cite-unclosed", "a cite span that is never closed"))
        result.append((token, max(end, token.end)))
    return result


def _stripped(text: str, tokens: list[_Token]) -> tuple[str, tuple[list[int], list[int]]]:
    """The text without tokens, and the table for `_moved`."""
    pieces, borders, gone = [], [0], [0]
    at = removed = 0
    for token in tokens:
        pieces.append(text[at : max(at, token.start)])
        removed += token.end - max(at, token.start)
        at = max(at, token.end)
        borders.append(at)
        gone.append(removed)
    pieces.append(text[at:])
    return "".join(pieces), (borders, gone)


def _moved(offset: int, moved: tuple[list[int], list[int]]) -> int:
    borders, gone = moved
    return offset - gone[bisect_right(borders, offset) - 1]


def _spans(
    pairs: Iterable[tuple[_Token, int]], clean: str, moved: tuple[list[int], list[int]], faults: list[Fault]
) -> Iterator[Span]:
    """The spans in order; without index or text, faults."""
    for token, end in pairs:
        parts = parse_index(token.reads or "")
        start, stop = _moved(token.end, moved), _moved(end, moved)
        quote = clean[start:stop]
        start += len(quote) - len(quote.lstrip())
        quote = quote.strip()
        if not parts:
            message = f"a cite span whose index names no document: {token.reads!r}"
            faults.append(Fault(token.start, "cite-index", message))
        elif not quote:
            faults.append(Fault(token.start, "cite-empty", "a cite span around no text"))
        else:
            yield Span(token.reads or "", parts, quote, start, start + len(quote))


def parse_index(index: str) -> tuple[Part, ...]:
    """The documents of an index such as `12-2,26-13,14` or `3-4:7`, each once; what is no number is skipped.

    A lone number after a part with a sentence is another sentence of that document.
    """
    found: dict[int, list[int]] = {}
    last: int | None = None
    for piece in re.split(r"[,;]", index):
        match = _PART.search(piece)
        if match is None:
            continue
        number = int(match[1])
        if match[2] is None and last is not None and found[last]:
            found[last].append(number)
            continue
        last = number
        found.setdefault(number, []).extend(_sentences(match))
    return tuple(Part(document, tuple(dict.fromkeys(sentences))) for document, sentences in found.items())


def _sentences(match: re.Match[str]) -> list[int]:
    if match[2] is None:
        return []
    first, last = int(match[2]), int(match[3] or match[2])
    return list(range(first, last + 1)) if 0 <= last - first <= LONGEST_RANGE else [first]
