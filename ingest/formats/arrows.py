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
Such entries are neighbours, not parts, and are `related` to the first. The source of an image says where a picture is
from and nothing about any term, so it is left out with its address as the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graph.documents import Skip
from graph.nodes import Relation
from graph.problems import Problem, Severity
from ingest.formats.terms import (
    RULE,
    Draft,
    continued,
    glossary_name,
    markdown_heading,
    narrower,
    term_nodes,
    twice,
    undefined,
)
from ingest.texts import Parsed, Text, indent

ARROW = r"(?:→|⟶|⇒|➔|➜|➝|->|=>|—>|–>)"
ENTRY = re.compile(
    rf"(?:(?P<number>\d{{1,3}})[.)]|[-*+•‣◦▪●–])?\s*(?P<mark>\*\*|__|)(?P<head>(?=\S)[^\n]{{1,120}}?)(?P=mark)\s*{ARROW}(?P<rest>(?:\s.*)?)",
    re.S,
)
LEVEL = re.compile(r"[■●#\s]*(?:L|Level\s|Part\s)(?P<number>\d{1,2})\s*[-–—:.]\s*(?P<name>\S.*)", re.I)
SECTION = re.compile(r"(?P<number>\d{1,3})[.)]\s+(?P<name>\S.*)")
_ARROWS = re.compile(ARROW)
CONTENTS = re.compile(r"\S.*?(?:\.{3,}|…+|\t|\s{2,}|(?:\. ){3,})\s*\d{1,4}\s*")
SOURCE = re.compile(r"(?:\*\*)?(?:image\s+)?(?:source|credit|figure source)s?(?:\*\*)?\s*:\s*(?P<rest>\S.*)", re.I)
_ADDRESS = re.compile(r"https?://[^\s<>]+")
LONGEST = 300
"""Characters beyond which a line is no heading."""

_MINOR = frozenset(re.findall(r"\w+", "a an and as at but by for from in into of on or over the to vs with via per"))


def parse(text: Text) -> Parsed:
    """The entries of an arrow glossary in their order, with their levels, sections and sub-heads as path."""
    reader = _Reader(text)
    reader.read()
    brain = glossary_name(reader.title, text)
    nodes = term_nodes(text, brain, reader.drafts)
    problems = (*_tails(text, reader.tails), *twice(text, nodes), *undefined(text, nodes))
    about = (("title", reader.title),) if reader.title else ()
    return Parsed(brain, nodes, tuple(reader.skips), problems, about=about)


def _tails(text: Text, lines: Sequence[int]) -> Iterator[Problem]:
    """One note for all lists whose tail was read as neighbours."""
    if lines:
        message = (
            f"{len(lines)} lists have a tail that a converter indented by one space; read as neighbours, not parts"
        )
        yield text.problem(lines[0], "list-tail", message, severity=Severity.NOTE)


class _Reader:
    """One pass over the lines; `path` is level, section, sub-head, as far as they are known."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.drafts: list[Draft] = []
        self.skips: list[Skip] = []
        self.tails: list[int] = []
        self.title = ""
        self.path = ["", "", ""]
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
        """What stands before the first heading or entry."""
        if _is_contents(line):
            return "table of contents"
        if not self.title and not RULE.fullmatch(line):
            self.title = line.strip("#*_ ")
            return "document title"
        return "rule" if RULE.fullmatch(line) else "introduction"

    def _line(self, number: int, line: str) -> str:
        """Read one line of the glossary; the reason for leaving it out, empty where it is kept."""
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
        return self._heading(plain) or self._other(number, line)

    def _rule(self, plain: str) -> str:
        """A lone dash closes a list whose tail the converter has indented; any other rule only divides."""
        self._close_block(flat=plain in {"-", "–", "—", "*"})
        return "rule"

    def _heading(self, plain: str) -> str:
        """Enter a level or a numbered section; empty for a line that is neither."""
        if len(plain) > LONGEST:
            return ""
        level, section, marked = LEVEL.fullmatch(plain), SECTION.fullmatch(plain), markdown_heading(plain)
        if _is_contents(plain) and (level or section):
            return "table of contents"
        if level:
            return self._into(0, f"L{level['number']} – {level['name'].strip('*_# ')}", "level heading")
        if section:
            return self._into(1, section["name"].strip("*_# "), "section heading")
        if marked:
            return self._into(min(marked[0], 3) - 1, marked[1], "section heading")
        return ""

    def _into(self, depth: int, name: str, reason: str) -> str:
        self._close_block()
        self.path[depth:] = [name, *[""] * (2 - depth)]
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
            return self._into(2, line.strip().strip("*_: "), "sub-head")
        return "text between the entries" if self.drafts else "introduction"

    def _continue(self, number: int, line: str, *, gap: bool) -> str:
        last = self.drafts[-1]
        self.drafts[-1] = last._replace(definition=continued(last.definition, line, gap=gap), last=number)
        return ""

    def _enter(self, number: int, match: re.Match[str], margin: int) -> None:
        """A new entry, under the last one that is less indented, or behind the last step of a flow."""
        while self.margins and self.margins[-1][0] >= margin:
            self.margins.pop()
        if not self.margins:
            self._close_block()
        parent = self.margins[-1][1] if self.margins else None
        announced = parent is not None and self.drafts[parent].definition.endswith(":")
        index = len(self.drafts)
        if parent is not None and not announced:
            self.block.append(index)
        step = self.step if match["number"] else None
        self.step = index if match["number"] else None
        self.margins.append((margin, index))
        section = tuple(name for name in self.path if name)
        kin = narrower(announced) if parent is not None else None
        head, rest = match["head"].strip("*_: "), match["rest"].strip()
        self.drafts.append(Draft(head, rest, number, number, section, parent, kin, step))

    def _close_block(self, *, flat: bool = False) -> None:
        """End a list; where a lone dash follows, entries that one space put under another are its neighbours."""
        if flat and self.block and all(self._by_one_space(index) for index in self.block):
            for index in self.block:
                near = Relation(kind="related", target="", reason="stands below it in one list", confidence=0.5)
                self.drafts[index] = self.drafts[index]._replace(kin=near)
            self.tails.append(self.drafts[self.block[0]].first)
        self.block = []
        self.margins = []

    def _by_one_space(self, index: int) -> bool:
        draft = self.drafts[index]
        upper = self.drafts[draft.parent or 0]
        return indent(self.text.lines[draft.first - 1]) - indent(self.text.lines[upper.first - 1]) == 1


def _first_heading(lines: Sequence[str]) -> int:
    """The line on which the glossary itself begins: its first level, section or entry behind the table of contents."""
    for number, line in enumerate(lines, 1):
        plain = line.strip()
        if _is_contents(plain):
            continue
        if LEVEL.fullmatch(plain) or SECTION.fullmatch(plain) or _entry(plain):
            return number
        marked = markdown_heading(plain)
        if marked and marked[0] > 1:
            return number
    return len(lines) + 1


def _is_contents(plain: str) -> bool:
    """Whether a line is one of a table of contents: words, a leader, and the number of a page."""
    return len(plain) <= LONGEST and CONTENTS.fullmatch(plain) is not None


def _entry(plain: str) -> re.Match[str] | None:
    """The parts of an entry: an arrow between a term and its definition, the term marked or in a list."""
    match = ENTRY.fullmatch(plain) if _ARROWS.search(plain) else None
    if match is None or match["mark"]:
        return match
    listed = re.match(r"[-*+•‣◦▪●–]\s|\d{1,3}[.)]\s+\S+\s*$", plain) is not None
    head = match["head"]
    return match if listed and len(head.split()) <= 8 and not head.endswith((".", ":")) else None


def _is_title(line: str) -> bool:
    """Whether a line is set like a title: short, no full stop, every word of weight with a capital."""
    words = re.findall(r"[^\W\d_][\w’'-]*", line)
    weighty = [word for word in words if word.casefold() not in _MINOR]
    return (
        bool(weighty)
        and len(words) <= 10
        and not line.endswith((".", ",", ";"))
        and all(word[0].isupper() for word in weighty)
    )
