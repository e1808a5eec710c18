"""The bullet glossary: one bullet for each term, often under the letters of the alphabet.

## A
- **AWQ (Activation-aware …):** the definition
  continued on an indented line
  - **Narrower term:** a part of the one above
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from graph.models.document_models import Skip
from ingest.formats.format_protocol import Format, is_called_glossary, marks
from ingest.terms.glossary_terms import BULLETS, RULE, Draft, Entries, Headings, glossary, is_letter, markdown_heading
from ingest.text.decoding import DecodedText, Parsed, heading_name, indent
from ingest.text.line_accounting import BETWEEN_ENTRIES

_MARKED = (
    r"(?P<mark>\*\*|__)(?P<head>(?:(?!(?P=mark)).){1,200}?)"
    r"(?:\s*:\s*(?P=mark)|(?P=mark)\s*(?::|[—–-](?=\s){after}))(?P<rest>(?:\s.*)?|\s*)"
)
_ITEM = rf"(?P<lead>\s*)(?:{BULLETS}|(?<!\S)\d{{1,4}}[.)])\s+"
_PLAIN = r"(?P<head>(?!https?:)[^\W_](?:[^:\n.!?]|[.!?](?=\S)){0,60}?)"
ENTRIES = (
    re.compile(_ITEM + _MARKED.replace("{after}", r"|(?=\(?)"), re.S),
    re.compile(r"(?P<lead>)" + _MARKED.replace("{after}", ""), re.S),
    re.compile(_ITEM + _PLAIN + r"(?:\s*:\s+|\s+[—–-]{1,2}\s+)(?P<rest>\S.*)", re.S),
    re.compile(r"(?P<lead>)" + _PLAIN + r"(?::\s+|\s+[—–]\s+)(?P<rest>\S.*)", re.S),
)
"""Shapes of entries: items or paragraphs with a bold term, or with a plain term and a colon."""

_MEANING = re.compile(r"^ {0,3}:[ \t]+(?=\S)")  # mark of a meaning in a definition list, below its term

_NUMBERED = re.compile(r"\s*\d")
_CONTINUED = re.compile(r"\s+\S")
_AROUND_LETTER = " \t*_-–—=[]().:·"
_TITLE = re.compile(r"[^\W_][^|]{1,78}[^\s.,;:|]")
MOST_WORDS, SAMPLE, FEWEST = 6, 1000, 3
"""The most words of a plain term, the lines that decide the shape, and the bold entries that decide it alone."""


class _Reader:
    def __init__(self, text: DecodedText) -> None:
        self.text = text
        self.headings = Headings()
        self.entries = Entries()
        self.skips: list[Skip] = []
        self.shape = _shape(text.lines)
        self.headed = self.shape not in ENTRIES
        self.first = next((number for number, line in enumerate(text.lines, 1) if line.strip()), 0)
        for number, line in enumerate(text.lines, 1):
            self._line(number, line)

    def _line(self, number: int, line: str) -> None:
        if not line.strip():
            return
        heading = markdown_heading(line)
        match = self._entry(line) if heading is None or (self.headed and not is_letter(heading[1])) else None
        if match:
            head = heading_name(match["head"]) if self.headed else match["head"]
            self._enter(number, line, head, match["rest"].strip())
        elif reason := self._reason(number, line, heading):
            self.skips.append(self.text.skip(number, number, reason))
        elif self._above_meaning(number, line):
            self._enter(number, line, line.strip(), "")
        elif self.entries.open and (self.headed or _CONTINUED.match(line) or self.text.lines[number - 2].strip()):
            gap = not self.text.lines[number - 2].strip()
            self.entries.extend(number, _MEANING.sub("", line), gap=gap)
        else:
            self.skips.append(self.text.skip(number, number, BETWEEN_ENTRIES))

    def _above_meaning(self, number: int, line: str) -> bool:
        """Whether the next line defines this one."""
        following = self.text.lines[number] if number < len(self.text.lines) else ""
        return _MEANING.match(following) is not None and not _MEANING.match(line)

    def _entry(self, line: str) -> re.Match[str] | None:
        """The parts of an entry; indented numbers begin none."""
        match = self.shape.fullmatch(line)
        if match and _NUMBERED.match(line) and self.entries.open and indent(line) > self.entries.open[0][0]:
            return None
        return match

    def _reason(self, number: int, line: str, heading: tuple[int, str] | None) -> str:
        """Why a line is in no entry; else empty."""
        if heading:
            self.headings.enter(*heading)
            self.entries.open.clear()
            return _heading(*heading)
        letter = line.strip(_AROUND_LETTER)
        if is_letter(letter) and not (number > 1 and self.text.lines[number - 2].strip()):
            self.entries.open.clear()
            return _heading(2, letter)
        if RULE.fullmatch(line):
            return "rule"
        if number == self.first and not self.headings.title and _TITLE.fullmatch(line.strip(" *_")):
            self.headings.title = line.strip(" *_")
            return "document title"
        return ""

    def _enter(self, number: int, line: str, head: str, definition: str) -> None:
        self.entries.enter(Draft(head, definition, number, number, self.headings.path()), indent(line))


def _shape(lines: Sequence[str]) -> re.Pattern[str]:
    """The most frequent shape; headings only if few terms are bold."""
    counts = [sum(_counts(shape, line) for line in lines[:SAMPLE]) for shape in ENTRIES]
    most = max(counts)
    found = (heading for line in lines[:SAMPLE] if (heading := markdown_heading(line)))
    levels = Counter(level for level, name in found if level > 1 and not is_letter(name))
    level = max(levels, key=lambda each: (levels[each], each), default=0)
    if max(counts[:2]) < FEWEST and levels[level] > most:
        return re.compile(rf"(?P<lead>)\s{{0,3}}#{{{level}}}\s+(?P<head>\S.*)(?P<rest>)", re.S)
    return ENTRIES[counts.index(most)]


def _counts(shape: re.Pattern[str], line: str) -> bool:
    """Whether a line with little indent has a shape."""
    match = shape.fullmatch(line) if line[:3].strip() else None
    return match is not None and ("mark" in shape.groupindex or len(match["head"].split()) <= MOST_WORDS)


def _heading(level: int, name: str) -> str:
    if level == 1:
        return "document title"
    return "heading of a letter" if is_letter(name) else "section heading"


def parse(text: DecodedText) -> Parsed:
    """The terms of the glossary."""
    reader = _Reader(text)
    return glossary(text, reader.headings.title, reader.entries.drafts, reader.skips)


_ENTRIES = marks(
    (2, rf"^[ \t]{{0,40}}{BULLETS}[ \t]+(?:\*\*|__)[^*\n]{{1,100}}?(?::(?:\*\*|__)|(?:\*\*|__)[ \t]*(?::|[—–-][ \t]))")
)


FORMAT = Format(
    "bullet-glossary",
    "`- **Term (expansion):** definition` under letters; also plain terms, paragraphs, headings, definition lists",
    parse,
    sign=lambda text: is_called_glossary(text) or _ENTRIES(text),
    printed=True,
)
