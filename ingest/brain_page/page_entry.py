"""One entry of a brain page: its body, its sources, its tags.

• Title                          the bullet
    paragraphs, lists            the body, with cite spans
    Sources:                     then one address in each bullet
    • https://…
    #tag#another                 last
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graph.models.node_models import Source
from graph.problems import Problem, Severity
from ingest.quotations.cite_spans import Fault, Span, cite_spans
from ingest.quotations.publication_ids import publication_id
from ingest.terms.tag_parsing import normal, split_tags
from ingest.text.decoding import DecodedText, heading_name, indent

BULLET = re.compile(r"\s*[•‣◦▪●∙·*+–-]\s+(?P<rest>\S.*)", re.S)
TAGS = re.compile(r"\s*(?:#[^\s#]{1,80}\s*,?\s*)+")
NUMBERED = re.compile(r"\s*\d{1,4}[.)]\s+(?P<rest>\S.*)", re.S)
BOLD = re.compile(r"\s*(?P<rest>(?P<mark>\*\*|__)(?!\s)(?:(?!(?P=mark)).){1,200}(?P=mark))\s*")
_HEADED = re.compile(r"\s{0,3}#{1,6}\s+(?P<rest>\S.*)", re.S)
_NUMBERED = re.compile(r"\s*(?:\d{1,3}[.)]|\[\d{1,3}\])\s+(?P<rest>\S.*)", re.S)
_LISTED_TAGS = re.compile(
    r"\s*(?:[-*•]\s)?[*_]{0,2}(?:tags?|keywords?)[*_]{0,2}\s*:[*_]{0,2}\s*"
    r"(?P<rest>[^\s.,;:!?][^.!?\n]{0,300}?)\s*",
    re.I,
)
_SOURCES = re.compile(
    r"\s*(?:#{1,6}\s+)?[*_]{0,2}(?:sources?|references|links|citations|further reading)\b[*_]{0,2}"
    r"(?P<colon>\s*:?)[*_]{0,2}\s*(?P<rest>.*)",
    re.I | re.S,
)
_ADDRESS = re.compile(
    r"(?:https?://|ftp://|www\.)[^\s<>\"“”]+|\bdoi:\s?10\.[^\s<>\"“”]+|\barxiv:\s?\d{4}\.\d{4,5}\S*", re.I
)
_BARE = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}(?:/[^\s<>\"“”]*)?", re.I)
_LINKED = re.compile(r"\[(?P<title>[^\[\]\n]{1,300})\]\((?P<url>[^()\s]+(?:\([^()\s]*\)[^()\s]*)?)\)")
_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,8}|#\d{1,6}|#[xX][0-9a-fA-F]{1,5});")


class EntryLine(NamedTuple):
    """A line of the body: its number, text, and the count of signs cut from its start."""

    number: int
    text: str
    cut: int


class PageEntry(NamedTuple):
    """The content of an entry; `spans` are quotations, verbatim in `body`."""

    title: str
    body: str
    tags: tuple[str, ...]
    sources: tuple[Source, ...]
    spans: tuple[Span, ...]
    problems: tuple[Problem, ...]


def is_tags(line: str) -> bool:
    """Whether a line has only tags."""
    if "#" in line and TAGS.fullmatch(line):
        return True
    return ":" in line[:16] and _LISTED_TAGS.fullmatch(line) is not None


def _tags_of(line: str) -> tuple[str, ...]:
    match = _LISTED_TAGS.fullmatch(line)
    words = unescaped(match["rest"] if match else line)
    if match and "#" not in words and re.search(r"[,;]", words):
        return tuple(tag for tag in map(normal, re.split(r"[,;]", words)) if tag)
    return split_tags(words)


def read_entry(text: DecodedText, first: int, last: int) -> PageEntry:
    """The entry with its title in line `first` and its end in line `last`."""
    parts = _Parts(text, first, last)
    pairs = _body(parts.body)
    body = "\n".join(line.text for line in pairs)
    clean, spans, faults = cite_spans(body)
    title, lost = _title(text, first)
    found = (_problem(text, pairs, body, fault) for fault in faults)
    return PageEntry(title, clean, parts.tags(), tuple(parts.sources), spans, (*lost, *found, *parts.problems))


def _title(text: DecodedText, line: int) -> tuple[str, tuple[Problem, ...]]:
    raw = text.lines[line - 1]
    match = next(filter(None, (shape.fullmatch(raw) for shape in (BULLET, NUMBERED, _HEADED))), None)
    written = match["rest"] if match else raw
    words = " ".join((heading_name(written) if match and match.re is _HEADED else written).split())
    clean, _, faults = cite_spans(words)
    lines = [EntryLine(line, words, max(0, raw.find(words)))]
    problems = (_problem(text, lines, words, fault) for fault in faults)
    return plain_title(unescaped(clean)) or words, tuple(problems)


def unescaped(words: str) -> str:
    """Words with HTML entities decoded, if they end with a semicolon."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), words) if "&" in words else words


def plain_title(words: str) -> str:
    """A title without emphasis marks, also unbalanced ones."""
    words = words.strip()
    for mark in ("***", "**", "__", "*", "_"):
        if words.startswith(mark) and words.endswith(mark) and mark not in words[len(mark) : -len(mark)]:
            return words[len(mark) : -len(mark)].strip() or words
    if words.count("*") in {1, 2} and "*" not in words.strip("*"):
        return words.strip("*").strip() or words
    return words


class _Parts:
    def __init__(self, text: DecodedText, first: int, last: int) -> None:
        self.text = text
        self.body: list[EntryLine] = []
        self.sources: list[Source] = []
        self.tag_lines: list[str] = []
        self.problems: list[Problem] = []
        listing = False
        for number in range(first + 1, last + 1):
            line = text.lines[number - 1]
            if line.strip():
                listing = self._add(number, line, listing)
            elif not listing and self.body and self.body[-1].text:
                self.body.append(EntryLine(number, "", 0))
        if not self.sources:
            self._unlisted()

    def tags(self) -> tuple[str, ...]:
        """The tags in order, each once."""
        return tuple(dict.fromkeys(tag for line in self.tag_lines for tag in _tags_of(line)))

    def _add(self, number: int, line: str, listing: bool) -> bool:
        """Adds a line; returns whether a list of sources is open."""
        if is_tags(line):
            self.tag_lines.append(line)
            return False
        opening = _opens_sources(line)
        if opening is not None:
            self.sources += sources_in(opening)
            return True
        if listing:
            found = sources_in(line)
            if found:
                self.sources += found
                return True
            listing = BULLET.fullmatch(line) is not None
            if listing:
                self.problems.append(self.text.problem(number, "source-address", "a source without an address"))
        self.body.append(EntryLine(number, line.rstrip(), 0))
        return listing

    def _unlisted(self) -> None:
        """Moves addresses at the end of the body to sources."""
        end = len(self.body)
        while end and (not self.body[end - 1].text or _only_address(self.body[end - 1].text)):
            end -= 1
        found = [line for line in self.body[end:] if line.text]
        if found:
            self.sources = [source for line in found for source in sources_in(line.text)]
            del self.body[end:]
            message = "a list of addresses without the heading 'Sources:'; read as sources"
            self.problems.append(self.text.problem(found[0].number, "sources-heading", message, severity=Severity.NOTE))


def _opens_sources(line: str) -> str | None:
    """The text after `Sources:`; None for other lines."""
    match = _SOURCES.fullmatch(line)
    if match is None:
        return None
    rest = match["rest"].strip()
    if not rest:
        return ""
    return rest if match["colon"].strip() and sources_in(rest) and len(_ADDRESS.sub("", rest).strip()) < 80 else None


def _only_address(line: str) -> bool:
    match = BULLET.fullmatch(line) or _NUMBERED.fullmatch(line)
    return match is not None and _ADDRESS.fullmatch(match["rest"].strip().strip("<>")) is not None


def sources_in(line: str) -> list[Source]:
    """The sources in a line: addresses, or Markdown links."""
    match = BULLET.fullmatch(line) or _NUMBERED.fullmatch(line)
    words = (match["rest"] if match else line).strip()
    links = list(_LINKED.finditer(words))
    if links:
        return [source_of(link["url"], link["title"]) for link in links]
    found = [trimmed(address[0]) for address in _ADDRESS.finditer(words)]
    bare = words.strip("<>")
    if not found:
        return [source_of(bare)] if match and _BARE.fullmatch(bare) else []
    title = _ADDRESS.sub("", words).strip(" \t<>()[]:–—-,;.·|") if len(found) == 1 else ""
    return [source_of(url, title or None) for url in found]


def source_of(url: str, title: str | None = None, date: str | None = None) -> Source:
    """A source, with the id of its publication."""
    url = unescaped(url)
    return Source(id=publication_id(url), url=url, title=unescaped(title) if title else title, date=date)


def trimmed(url: str) -> str:
    """An address without the punctuation of its sentence."""
    while url and (url[-1] in ".,;:!?'*_]}>" or (url[-1] == ")" and url.count(")") > url.count("("))):
        url = url[:-1]
    return url


def _body(lines: Iterable[EntryLine]) -> list[EntryLine]:
    """The body as Markdown, without common indent and double blank lines."""
    kept: list[EntryLine] = []
    for line in lines:
        if line.text or (kept and kept[-1].text):
            kept.append(line)
    while kept and not kept[-1].text:
        kept.pop()
    margin = min((indent(line.text) for line in kept if line.text), default=0)
    return [_outdented(line, margin) for line in kept]


def _outdented(line: EntryLine, margin: int) -> EntryLine:
    lead = len(line.text) - len(line.text.lstrip())
    white, words = line.text[:lead].expandtabs(4), line.text[lead:]
    if words[:1] in {"•", "‣", "◦", "▪", "●", "∙"} and words[1:2].isspace():
        words = "- " + words[2:].lstrip()
    shown = " " * (len(white) - margin) + words if words else ""
    return EntryLine(line.number, shown, max(0, len(line.text) - len(shown)))


def _problem(text: DecodedText, lines: Sequence[EntryLine], body: str, fault: Fault) -> Problem:
    row, start = body.count("\n", 0, fault.start), body.rfind("\n", 0, fault.start) + 1
    column = fault.start - start + 1 + lines[row].cut
    return text.problem(lines[row].number, fault.code, fault.message, severity=fault.severity, column=column)
