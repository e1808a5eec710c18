"""The arrow glossary: text in levels, as converted from a word processor.

    ■ L1 - Foundations … 3            table of contents: left out
    L1 - Foundations                  level
    1. Binary & Data                  numbered section
    Core Data Units                   sub-head
    - **Bit** → Smallest unit …       entry
     - **FP32** → …                   entry under another
    Source: <https://…>               of the image above it, whose caption comes first
    1. **Text Input** → …             step of a flow: steps follow each other in their order

An entry indented under another is a part of it (`broader`), more certainly if that one ends with a colon. But
converters indent the tail of a list by one space and leave a lone `-` below it: such entries are only `related`. The
source of an image is about no term, so it is left out with its address as the reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.models.document_models import Skip
from graph.models.node_models import Relation
from graph.problems import Severity
from ingest.formats.format_protocol import Format, marks
from ingest.terms.glossary_terms import BELOW, BULLETS, RULE, Draft, Entries, glossary, markdown_heading
from ingest.text.decoding import DecodedText, Parsed, indent
from ingest.text.line_accounting import BETWEEN_ENTRIES, INTRODUCTION

LONGEST = 300

LEVEL = re.compile(
    r"[■●#\s]*(?:(?:L|Level\s)|(?P<word>Part|Layer|Chapter|Module|Unit|Tier|Stage|Teil|Kapitel|Niveau|Nivel)\s)"
    r"(?P<number>\d{1,2})\s*[-–—:.]\s*(?P<name>\S.*)",
    re.I,
)
SECTION = re.compile(
    r"(?:§\s*)?(?P<number>\d{1,3}(?:\.\d{1,3}){0,3})(?:[.)]|(?<=\d\.\d)|(?<=\d\.\d\d))\s+(?P<name>\S.*)"
)
_LETTERED = re.compile(r"(?P<number>[IVX]{1,5}|[A-Z])[.)]\s+(?P<name>[^\W_][^.!?]{0,80})")
_CONTENTS = re.compile(r"\S.*?(?:\.{3,}|…+|\t|\s{2,}|(?:\. ){3,})\s*\d{1,4}\s*")
_CONTENTS_TITLE = re.compile(
    r"[#*_\s]*(?:(?:table of )?contents|overview of contents|inhalt(?:sverzeichnis)?)[*_:\s]*", re.I
)
_SUB = "sub-head"
_LEVEL = "level"


class Outline:
    """The headings above a line, the highest first, each with its style."""

    def __init__(self) -> None:
        self._path: list[tuple[str, str]] = []

    def path(self) -> tuple[str, ...]:
        """The names from the top."""
        return tuple(name for _, name in self._path)

    def enter(self, plain: str, *, separate: bool) -> str:
        """Enters a heading; returns its type, empty for other lines. `separate`: a blank line precedes it."""
        if len(plain) > LONGEST:
            return ""
        level, section, marked = LEVEL.fullmatch(plain), SECTION.fullmatch(plain), markdown_heading(plain)
        lettered = _LETTERED.fullmatch(plain) if separate and not section else None
        numbered = section or lettered
        if is_contents(plain) and (level or section):
            return "table of contents"
        if level:
            word = f"{level['word'].capitalize()} " if level["word"] else "L"
            return self.into(_LEVEL, f"{word}{level['number']} – {level['name'].strip('*_# ')}", "level heading")
        if numbered:
            return self.into(self._way(numbered["number"]), numbered["name"].strip("*_# "), "section heading")
        return self.into(f"{marked[0]}", marked[1], "section heading") if marked else ""

    def _way(self, number: str) -> str:
        """The style of a section's number: `1`, `1.1`, `I` or `A`."""
        if number[0].isdigit():
            return re.sub(r"\d+", "n", number)
        ways = {way for way, _ in self._path}
        return "roman" if set(number) <= set("IVX") and ("letter" not in ways or "roman" in ways) else "letter"

    def into(self, way: str, name: str, reason: str) -> str:
        """Leaves headings of equal or greater depth, and enters one."""
        ways = [each for each, _ in self._path]
        if way == _LEVEL:
            keep = 0
        elif way.isdigit():
            keep = sum(1 for each in ways if each == _LEVEL or (each.isdigit() and each < way))
        else:
            keep = next((at for at, each in enumerate(ways) if each in {way, _SUB}), len(ways))
        self._path[keep:] = [(way, name)]
        return reason


def is_contents(plain: str) -> bool:
    """Whether a line belongs to a table of contents."""
    return len(plain) <= LONGEST and bool(_CONTENTS.fullmatch(plain) or _CONTENTS_TITLE.fullmatch(plain))


def begins(plain: str) -> bool:
    """Whether a line is a heading that can begin the glossary."""
    marked = markdown_heading(plain)
    if LEVEL.fullmatch(plain) or SECTION.fullmatch(plain):
        return True
    return bool(marked and marked[0] > 1) or re.fullmatch(r"(?:I|A|1)[.)]\s+[^.!?]{1,80}", plain) is not None


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
    """The entries in order, with levels, sections and sub-heads as path."""
    reader = _Reader(text)
    reader.read()
    tails = reader.tails
    message = f"{len(tails)} lists have a tail that a converter indented by one space; read as neighbours, not parts"
    notes = [text.problem(line, "list-tail", message, severity=Severity.NOTE) for line in tails[:1]]
    return glossary(text, reader.title, reader.entries.drafts, reader.skips, notes)


class _Reader:
    def __init__(self, text: DecodedText) -> None:
        self.text = text
        self.entries = Entries()
        self.skips: list[Skip] = []
        self.tails: list[int] = []
        self.title = ""
        self.outline = Outline()
        self.block: list[int] = []
        self.step: int | None = None
        self.body = _first_heading(text.lines)

    def read(self) -> None:
        """Reads all lines."""
        for number, line in enumerate(self.text.lines, 1):
            if line.strip():
                reason = self._head(line.strip()) if number < self.body else self._line(number, line)
                if reason:
                    self.skips.append(self.text.skip(number, number, reason))
        self._close_block()

    def _head(self, line: str) -> str:
        if is_contents(line):
            return "table of contents"
        if not self.title and not RULE.fullmatch(line):
            self.title = line.strip("#*_ ")
            return "document title"
        return "rule" if RULE.fullmatch(line) else INTRODUCTION

    def _line(self, number: int, line: str) -> str:
        """Reads a line; returns why it is left out, if it is."""
        plain = line.strip()
        if RULE.fullmatch(plain):
            self._close_block(flat=plain in {"-", "–", "—", "*"})  # a lone dash closes a list with an indented tail
            return "rule"
        match = _entry(plain)
        if match:
            self._enter(number, match, indent(line))
            return ""
        source = SOURCE.fullmatch(plain)
        if source and _ADDRESS.search(source["rest"]):
            return f"source of an image: {_ADDRESS.search(source['rest'])[0]}"  # type: ignore[index]  # just found
        if _IMAGE.fullmatch(plain):
            return "image"
        caption = "caption of an image" if _CAPTION.fullmatch(plain) else ""
        return caption or self._heading(number, plain) or self._other(number, line)

    def _heading(self, number: int, plain: str) -> str:
        separate = number < 2 or not self.text.lines[number - 2].strip()
        reason = self.outline.enter(plain, separate=separate)
        return self._below(reason) if reason and reason != "table of contents" else reason

    def _below(self, reason: str) -> str:
        """Ends the list and the flow above a heading."""
        self._close_block()
        self.step = None
        return reason

    def _other(self, number: int, line: str) -> str:
        """Reads a sub-head, caption, or continuation of an entry."""
        drafts, margins = self.entries.drafts, self.entries.open
        above = self.text.lines[number - 2].strip() if number > 1 else ""
        joined = bool(drafts and above and drafts[-1].last == number - 1)
        if joined or (margins and indent(line) > margins[-1][0]):
            self.entries.extend(number, line, gap=not joined)
            return ""
        ahead = next((later.strip() for later in self.text.lines[number:] if later.strip()), "")
        title = _is_title(line.strip())
        if SOURCE.fullmatch(ahead) and not title:
            return "caption of an image"
        if title or (_entry(ahead) and not line.strip().endswith(".") and len(line.split()) <= 8):
            return self._below(self.outline.into(_SUB, line.strip().strip("*_: "), _SUB))
        return BETWEEN_ENTRIES if drafts else INTRODUCTION

    def _enter(self, number: int, match: re.Match[str], margin: int) -> None:
        self.entries.close(margin)
        if not self.entries.open:
            self._close_block()
        index = len(self.entries.drafts)
        named = _NUMBERED_HEAD.fullmatch(match["head"])
        step, self.step = (self.step, index) if match["number"] or named else (None, None)
        head, rest = (named or match)["head"].strip("*_: "), match["rest"].strip()
        self.entries.enter(Draft(head, rest, number, number, self.outline.path(), step=step), margin)
        if self.entries.drafts[-1].relation is BELOW:
            self.block.append(index)

    def _close_block(self, *, flat: bool = False) -> None:
        """Ends a list; `flat`: entries indented by one become neighbours."""
        drafts = self.entries.drafts
        if flat and self.block and all(self._by_one_space(drafts[index]) for index in self.block):
            for index in self.block:
                near = Relation(kind="related", target="", reason="is below it in one list", confidence=0.5)
                drafts[index] = drafts[index]._replace(relation=near)
            self.tails.append(drafts[self.block[0]].first)
        self.block = []
        self.entries.open.clear()

    def _by_one_space(self, draft: Draft) -> bool:
        upper = self.entries.drafts[draft.parent or 0]
        return indent(self.text.lines[draft.first - 1]) - indent(self.text.lines[upper.first - 1]) == 1


def _first_heading(lines: Sequence[str]) -> int:
    plain = ((number, line.strip()) for number, line in enumerate(lines, 1))
    found = (number for number, line in plain if not is_contents(line) and (begins(line) or _entry(line)))
    return next(found, len(lines) + 1)


def _entry(plain: str) -> re.Match[str] | None:
    """The parts of an entry; its term is bold or listed."""
    match = ENTRY.fullmatch(plain) if _ARROWS.search(plain) else None
    if match is None or match["mark"]:
        return match
    listed = re.match(rf"{BULLETS}\s|{_STEP}\d|\d{{1,3}}[.)]\s+\S+\s*$", plain) is not None
    head = match["head"]
    return match if listed and len(head.split()) <= 8 and not head.endswith((".", ":")) else None


def _is_title(line: str) -> bool:
    """Whether a line is short with main words capitalized."""
    words = re.findall(r"[^\W\d_][\w’'-]*", line)
    weighty = [word for word in words if word.casefold() not in _MINOR]
    capitalized = bool(weighty) and all(word[0].isupper() for word in weighty)
    return capitalized and len(words) <= 10 and not line.endswith((".", ",", ";"))


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
