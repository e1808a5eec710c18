"""The arrow glossary: text in levels, as converted from a word processor.

    ■ L1 - Foundations … 3            table of contents: left out
    L1 - Foundations                  level
    1. Binary & Data                  numbered section
    Core Data Units                   sub-head
    - **Bit** → Smallest unit …       entry
     - **FP32** → …                   entry under another
    Source: <https://…>               of the image above it, whose caption comes first
    1. **Text Input** → …             step of a flow: steps follow each other in their order

An entry indented under one that ends with a colon is a part of it (`broader`), and so is one under any other entry,
with less certainty. The exception: converters indent the tail of a list by one space and leave a lone `-` below it.
Such entries are neighbours, not parts, and are `related` to the first. The source of an image is about the picture and
not about a term, so it is left out with its address as the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graph.models.document_models import Skip
from graph.models.node_models import Relation
from graph.problems import Problem, Severity
from ingest.formats.document_outline import Outline, begins, is_contents
from ingest.formats.format_protocol import Format, marks
from ingest.formats.glossary_terms import (
    BULLETS,
    RULE,
    Draft,
    continued,
    glossary_name,
    narrower,
    term_nodes,
    twice,
    undefined,
)
from ingest.text.decoding import DecodedText, Parsed, indent
from ingest.text.line_accounting import BETWEEN_ENTRIES, INTRODUCTION

ARROW = r"(?:[→⟶⇒➔➜➝➞➙➤⇨⇢⟹⟼↦▸►▶]|->|=>|—>|–>)"
_STEP = r"(?i:(?:step|stage|phase|schritt|étape)\s+)"
ENTRY = re.compile(
    rf"(?:{_STEP}?(?P<number>\d{{1,3}})[.):]|{BULLETS}(?=\s|\*\*|__))?\s*(?P<mark>\*\*|__|)(?P<head>(?=\S)[^\n]{{1,120}}?)(?P=mark)\s*{ARROW}(?P<rest>(?:\s.*)?)",
    re.S,
)
_NUMBERED_HEAD = re.compile(rf"{_STEP}(?P<number>\d{{1,3}})\s*[:.)–—-]\s*(?P<head>\S.*)")
_ARROWS = re.compile(ARROW)
SOURCE = re.compile(r"(?:\*\*)?(?:image\s+)?(?:source|credit|figure source)s?(?:\*\*)?\s*:\s*(?P<rest>\S.*)", re.I)
_ADDRESS = re.compile(r"https?://[^\s<>]+")
_CAPTION = re.compile(
    r"[*_]{0,2}(?:fig(?:ure|\.)?|image|diagram|chart|photo|abb(?:ildung|\.)?)\s*\d{1,3}(?:\.\d{1,3})?\s*[:.–—-]\s.*",
    re.I,
)
_IMAGE = re.compile(r"!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])|!\[\[[^\[\]\n]+\]\]")

_MINOR = frozenset(re.findall(r"\w+", "a an and as at but by for from in into of on or over the to vs with via per"))


def parse(text: DecodedText) -> Parsed:
    """The entries of an arrow glossary in their order, with their levels, sections and sub-heads as path."""
    reader = _Reader(text)
    reader.read()
    brain = glossary_name(reader.title, text)
    nodes = term_nodes(text, brain, reader.drafts)
    problems = (*_tails(text, reader.tails), *twice(text, nodes), *undefined(text, nodes))
    about = (("title", reader.title),) if reader.title else ()
    return Parsed(brain, nodes, tuple(reader.skips), problems, about=about)


def _tails(text: DecodedText, lines: Sequence[int]) -> Iterator[Problem]:
    """One note for all lists whose tail was read as neighbours."""
    if lines:
        message = (
            f"{len(lines)} lists have a tail that a converter indented by one space; read as neighbours, not parts"
        )
        yield text.problem(lines[0], "list-tail", message, severity=Severity.NOTE)


class _Reader:
    """One pass over the lines."""

    def __init__(self, text: DecodedText) -> None:
        self.text = text
        self.drafts: list[Draft] = []
        self.skips: list[Skip] = []
        self.tails: list[int] = []
        self.title = ""
        self.outline = Outline()
        self.margins: list[tuple[int, int]] = []
        self.block: list[int] = []
        self.step: int | None = None
        self.body = _first_heading(text.lines)

    def read(self) -> None:
        """Every line, from top to bottom."""
        for number, line in enumerate(self.text.lines, 1):
            if line.strip():
                reason = self._head(line.strip()) if number < self.body else self._line(number, line)
                if reason:
                    self.skips.append(self.text.skip(number, number, reason))
        self._close_block()

    def _head(self, line: str) -> str:
        """A line before the first heading or entry."""
        if is_contents(line):
            return "table of contents"
        if not self.title and not RULE.fullmatch(line):
            self.title = line.strip("#*_ ")
            return "document title"
        return "rule" if RULE.fullmatch(line) else INTRODUCTION

    def _line(self, number: int, line: str) -> str:
        """Read one line of the glossary; the reason for leaving it out, empty if it is stored."""
        plain = line.strip()
        if RULE.fullmatch(plain):
            return self._rule(plain)
        match = _entry(plain)
        if match:
            self._enter(number, match, indent(line))
            return ""
        source = SOURCE.fullmatch(plain)
        if source and _ADDRESS.search(source["rest"]):
            return f"source of an image: {_ADDRESS.search(source['rest'])[0]}"  # type: ignore[index]  # just found
        return _picture(plain) or self._heading(number, plain) or self._other(number, line)

    def _rule(self, plain: str) -> str:
        """A lone dash closes a list whose tail the converter has indented; any other rule is only a divider."""
        self._close_block(flat=plain in {"-", "–", "—", "*"})
        return "rule"

    def _heading(self, number: int, plain: str) -> str:
        """Enter a level or a section; empty for a line that is neither."""
        separate = number < 2 or not self.text.lines[number - 2].strip()
        reason = self.outline.enter(plain, separate=separate)
        return self._below(reason) if reason and reason != "table of contents" else reason

    def _below(self, reason: str) -> str:
        """End the list and the flow above a heading."""
        self._close_block()
        self.step = None
        return reason

    def _other(self, number: int, line: str) -> str:
        """A sub-head, a caption, or a further line of the entry above."""
        above = self.text.lines[number - 2].strip() if number > 1 else ""
        if self.drafts and above and self.drafts[-1].last == number - 1:
            return self._continue(number, line, gap=False)
        if self.margins and indent(line) > self.margins[-1][0]:
            return self._continue(number, line, gap=True)
        ahead = next((later.strip() for later in self.text.lines[number:] if later.strip()), "")
        title = _is_title(line.strip())
        if SOURCE.fullmatch(ahead) and not title:
            return "caption of an image"
        if title or (_entry(ahead) and not line.strip().endswith(".") and len(line.split()) <= 8):
            return self._below(self.outline.below(line.strip().strip("*_: ")))
        return BETWEEN_ENTRIES if self.drafts else INTRODUCTION

    def _continue(self, number: int, line: str, *, gap: bool) -> str:
        last = self.drafts[-1]
        self.drafts[-1] = last._replace(definition=continued(last.definition, line, gap=gap), last=number)
        return ""

    def _enter(self, number: int, match: re.Match[str], margin: int) -> None:
        """A new entry, under the last one that is less indented, or after the last step of a flow."""
        while self.margins and self.margins[-1][0] >= margin:
            self.margins.pop()
        if not self.margins:
            self._close_block()
        parent = self.margins[-1][1] if self.margins else None
        announced = parent is not None and self.drafts[parent].definition.endswith(":")
        index = len(self.drafts)
        if parent is not None and not announced:
            self.block.append(index)
        named = _NUMBERED_HEAD.fullmatch(match["head"])
        counted = bool(match["number"] or named)
        step, self.step = (self.step, index) if counted else (None, None)
        self.margins.append((margin, index))
        relation = narrower(announced) if parent is not None else None
        head, rest = (named or match)["head"].strip("*_: "), match["rest"].strip()
        self.drafts.append(Draft(head, rest, number, number, self.outline.path(), parent, relation, step))

    def _close_block(self, *, flat: bool = False) -> None:
        """End a list; if a lone dash follows, entries indented by one space become neighbours."""
        if flat and self.block and all(self._by_one_space(index) for index in self.block):
            for index in self.block:
                near = Relation(kind="related", target="", reason="is below it in one list", confidence=0.5)
                self.drafts[index] = self.drafts[index]._replace(relation=near)
            self.tails.append(self.drafts[self.block[0]].first)
        self.block = []
        self.margins = []

    def _by_one_space(self, index: int) -> bool:
        draft = self.drafts[index]
        upper = self.drafts[draft.parent or 0]
        return indent(self.text.lines[draft.first - 1]) - indent(self.text.lines[upper.first - 1]) == 1


def _first_heading(lines: Sequence[str]) -> int:
    """The line on which the glossary itself begins: its first level, section or entry after the table of contents."""
    plain = ((number, line.strip()) for number, line in enumerate(lines, 1))
    found = (number for number, line in plain if not is_contents(line) and (begins(line) or _entry(line)))
    return next(found, len(lines) + 1)


def _picture(plain: str) -> str:
    """The reason for leaving out a picture or a line below one; empty for any other line."""
    if _IMAGE.fullmatch(plain):
        return "image"
    return "caption of an image" if _CAPTION.fullmatch(plain) else ""


def _entry(plain: str) -> re.Match[str] | None:
    """The parts of an entry: an arrow between a term and its definition, the term bold or in a list."""
    match = ENTRY.fullmatch(plain) if _ARROWS.search(plain) else None
    if match is None or match["mark"]:
        return match
    listed = re.match(rf"{BULLETS}\s|{_STEP}\d|\d{{1,3}}[.)]\s+\S+\s*$", plain) is not None
    head = match["head"]
    return match if listed and len(head.split()) <= 8 and not head.endswith((".", ":")) else None


def _is_title(line: str) -> bool:
    """Whether a line looks like a title: short, no full stop, every main word capitalized."""
    words = re.findall(r"[^\W\d_][\w’'-]*", line)
    weighty = [word for word in words if word.casefold() not in _MINOR]
    return (
        bool(weighty)
        and len(words) <= 10
        and not line.endswith((".", ",", ";"))
        and all(word[0].isupper() for word in weighty)
    )


FORMAT = Format(
    "arrow-glossary",
    "`- **Term** → definition`, with any arrow, in levels and numbered sections, nested entries, a flow "
    "of numbered steps",
    parse,
    sign=marks(
        (2, rf"^[ \t]{{0,40}}(?:{BULLETS}|(?:step[ \t])?\d{{1,3}}[.):])?[ \t]*\*\*[^*\n]+\*\*[ \t]*{ARROW}"),
        (5, rf"^[ \t]{{0,40}}{BULLETS}[ \t]+[^→\n]{{1,60}}{ARROW}[ \t]"),
    ),
    printed=True,
)
