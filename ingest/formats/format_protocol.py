"""A document format as one record: its name, how to detect it, how to read it, and its line in the documentation.

To add a format, write a module with a `FORMAT` and add it to the tuple in `ingest.format_detection`.
`ingest.formats.converted_notes` makes notes of what is not Markdown; `roam_export` is an example with many notes. A
line that is in no node's provenance needs a `skip` with its reason, or is reported as not understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from ingest.text.decoding import DecodedText, Parsed

Sign = Callable[[DecodedText], bool]
"""Whether a text looks like a format, so that reading it as one is tried."""


def marks(*wanted: tuple[int, str]) -> Sign:
    """The sign of a text in which a pattern matches so many times, ignoring case."""
    patterns = [(many, re.compile(pattern, re.M | re.I)) for many, pattern in wanted]
    return lambda text: any(sum(1 for _ in islice(one.finditer(text.content), n)) == n for n, one in patterns)


_CALLED = re.compile(
    r"glossar|lexicon|terminolog|vocabular|abbreviations|acronyms|(?:key|of|and) terms\b|terms (?:and|&) definitions",
    re.I,
)
"""The words for a glossary, in its first line or in its name."""
_LETTERS = marks((1, r"^#{1,4}[ \t]+([^\W\d_])[ \t]*\n\n?[-*+•‣◦▪●–][ \t]+(?:\*\*|__)\1"))
"""A bold term under a heading of its first letter."""
_FIELD = re.compile(r"(?P<name>[\w-]+)[ \t]*:[ \t]*(?P<value>.*)")


def is_called_glossary(text: DecodedText) -> bool:
    """Whether the first line or the name says glossary, or terms are under their letters."""
    body = text.lines[text.front_end :]
    title = next((line for line in body if line.strip()), "")
    names = (title[:200], text.stem, front_word(text, "title"))
    return any(_CALLED.search(name) for name in names) or _LETTERS(text)


def front_word(text: DecodedText, name: str) -> str:
    """A one-line field of the front matter, or empty."""
    fields = (_FIELD.match(line) for line in text.lines[1 : text.front_end])
    values = (field["value"] for field in fields if field and field["name"] == name)
    return next(values, "").strip().strip("\"'")


@dataclass(frozen=True)
class Format:
    """One format.

    `looks` describes it in docs/documents.md. `sign` says that a text may have it: prose is tried as such a format, and
    data is of it. `parse` converts a text to nodes; None for an export, which `ingest.document_reader` splits, and for
    rules and figures, which other packages read. `key` is the top-level YAML field that identifies the format.
    `printed` formats are copied from pages or converted from print, so page numbers and running titles are left out.
    A file whose name ends with one of `suffixes`, or in which `named` is found, has this format, whatever its content;
    folders are searched for these files. `one_note` formats give one note in each file, which is named by the file:
    files of one name in several folders get longer ids.
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
        """Whether the name of a file decides that it has this format."""
        return name.lower().endswith(self.suffixes) or bool(self.named and self.named.search(name))

    @property
    def markdown(self) -> bool:
        """Whether its documents are Markdown, and may contain private comments."""
        return self.parse is not None and self.key is None and not self.suffixes
