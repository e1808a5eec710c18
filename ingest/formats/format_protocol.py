"""A document format as one record: its name, how to detect it, how to read it, and its line in the documentation.

To add a format, write a module with a `FORMAT` and add it to the tuple in `ingest.format_detection`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ingest.text.decoding import DecodedText, Parsed

Part = Literal["body", "front", "bare"]
"""Where a clue applies: after the front matter, in the front matter, in a text without front matter."""


class Clue(NamedTuple):
    """One sign of a format: `weight` points for `enough` matches, fewer in proportion; negative if against."""

    weight: float
    enough: int
    says: str
    pattern: re.Pattern[str]
    part: Part = "body"


def clue(weight: float, enough: int, says: str, pattern: str, part: Part = "body") -> Clue:
    """A clue whose pattern matches in any line, ignoring case."""
    return Clue(weight, enough, says, re.compile(pattern, re.M | re.I), part)


_MANUAL = (
    r"^#{1,4}[ \t]+(?:install(?:ation|ing)?|usage|getting started|quick ?start|contribut(?:ing|ors)|licen[sc]e)[ \t]*$"
)
_CHANGES = r"^#{1,4}[ \t]+\[?(?:v?\d+\.\d+|unreleased|added|changed|fixed|removed|deprecated|security)\b"


def no_manual(weight: float) -> Clue:
    """A clue against: the headings of a manual."""
    return clue(weight, 2, "headings of a manual", _MANUAL)


def no_changelog(weight: float) -> Clue:
    """A clue against: the headings of a changelog."""
    return clue(weight, 2, "headings of versions and changes", _CHANGES)


@dataclass(frozen=True)
class Format:
    """One format.

    `looks` describes it in docs/documents.md. `parse` converts a text to nodes; None for an export, which
    `ingest.document_reader` splits, and for rules and figures, which other packages read. `key` is the top-level YAML
    field that identifies the format. `printed` formats are copied from pages or converted from print, so page numbers
    and running titles are left out. A file whose name ends with one of `suffixes`, or in which `named` is found, has
    this format, whatever its content; folders are searched for these files. `one_note` formats give one note in each
    file, which is named by the file: files of one name in several folders get longer ids.
    """

    name: str
    looks: str
    parse: Callable[[DecodedText], Parsed] | None = None
    clues: tuple[Clue, ...] = ()
    key: str | None = None
    printed: bool = False
    suffixes: tuple[str, ...] = ()
    named: re.Pattern[str] | None = None
    one_note: bool = False

    def has_name(self, name: str) -> bool:
        """Whether the name of a file decides that it has this format."""
        return name.lower().endswith(self.suffixes) or bool(self.named and self.named.search(name))

    @property
    def markdown(self) -> bool:
        """Whether its documents are Markdown, and may contain private comments."""
        return self.parse is not None and self.key is None and not self.suffixes
