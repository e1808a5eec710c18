"""The outline of a converted document: levels, numbered sections, sub-heads, and the path of the text below them.

L1 - Foundations    Level 2: Heat    Chapter 3 — Wind        a level, above all else
1. Data    1.1 Units    II. Cellar    B) Work                a section: each numbering style is one depth
Core Data Units                                              a sub-head, below all else
"""

from __future__ import annotations

import re

from ingest.formats.glossary_terms import markdown_heading

LONGEST = 300
"""The maximum length of a heading."""

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
        """Enter a heading; returns its type, empty for any other line. `separate`: a blank line precedes it."""
        if len(plain) > LONGEST:
            return ""
        level, section, marked = LEVEL.fullmatch(plain), SECTION.fullmatch(plain), markdown_heading(plain)
        lettered = _LETTERED.fullmatch(plain) if separate and not section else None
        numbered = section or lettered
        if is_contents(plain) and (level or section):
            return "table of contents"
        if level:
            word = f"{level['word'].capitalize()} " if level["word"] else "L"
            return self._into(_LEVEL, f"{word}{level['number']} – {level['name'].strip('*_# ')}", "level heading")
        if numbered:
            return self._into(self._way(numbered["number"]), numbered["name"].strip("*_# "), "section heading")
        return self._into(f"{marked[0]}", marked[1], "section heading") if marked else ""

    def below(self, name: str) -> str:
        """Enter a sub-head."""
        return self._into(_SUB, name, _SUB)

    def _way(self, number: str) -> str:
        """How a section is numbered: `1`, `1.1`, `I` or `A`."""
        if number[0].isdigit():
            return re.sub(r"\d+", "n", number)
        ways = {way for way, _ in self._path}
        return "roman" if set(number) <= set("IVX") and ("letter" not in ways or "roman" in ways) else "letter"

    def _into(self, way: str, name: str, reason: str) -> str:
        """Leave the headings of the same depth or deeper, and enter a heading."""
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
    """Whether a line belongs to a table of contents: words, a leader and a page number; or its title."""
    return len(plain) <= LONGEST and bool(_CONTENTS.fullmatch(plain) or _CONTENTS_TITLE.fullmatch(plain))


def begins(plain: str) -> bool:
    """Whether a line is a heading that can begin the document after its title."""
    marked = markdown_heading(plain)
    if LEVEL.fullmatch(plain) or SECTION.fullmatch(plain):
        return True
    return bool(marked and marked[0] > 1) or re.fullmatch(r"(?:I|A|1)[.)]\s+[^.!?]{1,80}", plain) is not None
