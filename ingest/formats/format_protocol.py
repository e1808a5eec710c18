"""A document format as one record: its name, how to detect it, how to read it, and its line in the documentation.

`ingest.formats.converted_notes` makes notes of what is not Markdown; `roam_export` is an example with many notes. A
line in no node's provenance needs a `skip` with its reason, or is reported as not understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from ingest.text.decoding import DecodedText, Parsed

Sign = Callable[[DecodedText], bool]  # whether a text looks like a format


def marks(*wanted: tuple[int, str]) -> Sign:
    """The sign that one of the patterns matches so often, ignoring case."""
    patterns = [(many, re.compile(pattern, re.M | re.I)) for many, pattern in wanted]
    return lambda text: any(sum(1 for _ in islice(one.finditer(text.content), n)) == n for n, one in patterns)


_CALLED = re.compile(
    r"glossar|lexicon|terminolog|vocabular|abbreviations|acronyms|(?:key|of|and) terms\b|terms (?:and|&) definitions",
    re.I,
)
"""Words for a glossary, in its first line or name."""
_LETTERS = marks((1, r"^#{1,4}[ \t]+([^\W\d_])[ \t]*\n\n?[-*+•‣◦▪●–][ \t]+(?:\*\*|__)\1"))
"""A bold term under a heading of its first letter."""
_FIELD = re.compile(r"(?P<name>[\w-]+)[ \t]*[:=][ \t]*(?P<value>.*)")


def is_called_glossary(text: DecodedText) -> bool:
    """Whether first line or name says glossary, or letters divide terms."""
    body = text.lines[text.front_end :]
    title = next((line for line in body if line.strip()), "")
    names = (title[:200], text.stem, front_word(text, "title"))
    return any(_CALLED.search(name) for name in names) or _LETTERS(text)


def front_word(text: DecodedText, name: str) -> str:
    """A one-line field of the front matter; empty if missing."""
    fields = (_FIELD.match(line) for line in text.lines[1 : text.front_end])
    values = (field["value"] for field in fields if field and field["name"] == name)
    return next(values, "").strip().strip("\"'")


@dataclass(frozen=True)
class Format:
    """One format.

    Attributes:
        looks: its description in docs/documents.md.
        parse: None for exports, which `ingest.document_reader` splits, and for rules, which other packages read.
        sign: decides for data; prose with the sign is tried as this format.
        key: the top-level YAML field that identifies it.
        printed: copied from pages or converted from print: page numbers and running titles are left out.
        suffixes: file names with one of them have this format, which is no Markdown.
        named: file names that match have this format, which is Markdown.
        one_note: each file is a note named by the file; equal names in several folders get longer ids.
    """

    name: str
    looks: str
    parse: Callable[[DecodedText], Parsed] | None = None
    sign: Sign | None = None
    key: str | None = None
    printed: bool = False
    suffixes: tuple[str, ...] = ()
    named: re.Pattern[str] | None = None
    one_note: bool = False

    def has_name(self, name: str) -> bool:
        """Whether the name of a file decides for this format."""
        return name.lower().endswith(self.suffixes) or bool(self.named and self.named.search(name))

    @property
    def markdown(self) -> bool:
        """Whether documents are Markdown and may contain private comments."""
        return self.parse is not None and self.key is None and not self.suffixes
