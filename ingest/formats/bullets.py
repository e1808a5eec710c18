"""The bullet glossary: one bullet for each term, often under the letters of the alphabet.

## A
- **AWQ (Activation-aware …):** the definition
  continued on an indented line
  - **Narrower term:** stands under it
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.documents import Skip
from ingest.formats.terms import (
    RULE,
    Draft,
    Headings,
    continued,
    glossary_name,
    is_letter,
    markdown_heading,
    narrower,
    term_nodes,
    twice,
    undefined,
)
from ingest.texts import Parsed, Text, indent

ENTRY = re.compile(
    r"(?P<lead>\s*)[-*+•‣◦▪●–]\s+(?P<mark>\*\*|__)(?P<head>(?:(?!(?P=mark)).){1,200}?)"
    r"(?:\s*:\s*(?P=mark)|(?P=mark)\s*(?::|[—–-](?=\s)|(?=\(?)))(?P<rest>(?:\s.*)?|\s*)",
    re.S,
)
_CONTINUED = re.compile(r"\s+\S")


class _Reader:
    """One pass over the lines: the entries so far, the headings above, the lines left out."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.headings = Headings()
        self.drafts: list[Draft] = []
        self.skips: list[Skip] = []
        self.open: list[tuple[int, int]] = []
        for number, line in enumerate(text.lines, 1):
            self._line(number, line)

    def _line(self, number: int, line: str) -> None:
        heading = markdown_heading(line)
        match = ENTRY.fullmatch(line) if heading is None else None
        if heading:
            self.headings.enter(*heading)
            self.open.clear()
            reason = (
                "document title"
                if heading[0] == 1
                else "heading of a letter"
                if is_letter(heading[1])
                else "section heading"
            )
            self._skip(number, reason)
        elif match:
            self._enter(number, indent(line), match["head"], match["rest"].strip())
        elif not line.strip():
            return
        elif RULE.fullmatch(line):
            self._skip(number, "rule")
        elif self.open and (_CONTINUED.match(line) or self.text.lines[number - 2].strip()):
            self._continue(number, line)
        else:
            self._skip(number, "text between the entries")

    def _skip(self, number: int, reason: str) -> None:
        self.skips.append(self.text.skip(number, number, reason))

    def _enter(self, number: int, margin: int, head: str, definition: str) -> None:
        """A new entry, under the last one that is less indented."""
        while self.open and self.open[-1][0] >= margin:
            self.open.pop()
        parent = self.open[-1][1] if self.open else None
        kin = narrower(self.drafts[parent].definition.endswith(":")) if parent is not None else None
        self.open.append((margin, len(self.drafts)))
        self.drafts.append(Draft(head, definition, number, number, self.headings.path(), parent, kin))

    def _continue(self, number: int, line: str) -> None:
        """A further line of the last entry: running text, or a paragraph or list item of its own."""
        last = self.drafts[-1]
        gap = not self.text.lines[number - 2].strip()
        self.drafts[-1] = last._replace(definition=continued(last.definition, line, gap=gap), last=number)


def parse(text: Text) -> Parsed:
    """The terms of a bullet glossary."""
    reader = _Reader(text)
    nodes = term_nodes(text, glossary_name(reader.headings.title, text), reader.drafts)
    about = tuple(_about(reader))
    problems = (*twice(text, nodes), *undefined(text, nodes))
    return Parsed(glossary_name(reader.headings.title, text), nodes, tuple(reader.skips), problems, about=about)


def _about(reader: _Reader) -> Iterator[tuple[str, str]]:
    if reader.headings.title:
        yield "title", reader.headings.title
