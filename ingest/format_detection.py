"""Detects the format of a document, by the first of these that applies.

stated    a JSON export, YAML with a known key; never in a file named as Markdown
named     page.html, table.csv, …
declared  `format:` in the front matter, or in the `brain.yaml` of the folder
tried     formats whose sign the text has, if they lose nothing (`ingest.document_reader`)
note      any other Markdown
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from graph.text.similar_names import spelled_alike
from ingest.formats import (
    arrow_glossary,
    brain_export,
    brain_page,
    bullet_glossary,
    canvas,
    context_pack,
    csv_table,
    html_page,
    markdown_note,
    notebook,
    notion_page,
    quarto_document,
    roam_export,
    term_file,
    term_table,
)
from ingest.formats.format_protocol import Format, front_word
from ingest.text.decoding import DecodedText

DATA = ("claims", "prices", "assumptions", "families", "decisions", "tags", "freshness", "silences", "units")
"""YAML of rules and figures, identified by its top-level key; other packages read it."""

KNOWN: tuple[Format, ...] = (
    brain_export.FORMAT,
    term_file.FORMAT,
    *(Format(name, "YAML rules and figures, identified by the top-level key", key=name) for name in DATA),
    markdown_note.FORMAT,
    notion_page.FORMAT,
    brain_page.FORMAT,
    arrow_glossary.FORMAT,
    term_table.FORMAT,
    context_pack.FORMAT,
    bullet_glossary.FORMAT,
    quarto_document.FORMAT,
    html_page.FORMAT,
    csv_table.FORMAT,
    notebook.FORMAT,
    canvas.FORMAT,
    roam_export.FORMAT,
)
"""All formats; those of prose are tried in this order."""

BY_NAME = {known.name: known for known in KNOWN}
FORMATS = tuple(BY_NAME)
KEYS = {known.key: known.name for known in KNOWN if known.key}
PROSE = tuple(known.name for known in KNOWN if known.markdown and known is not roam_export.FORMAT)
"""The formats that a text may be declared to have."""
NOTE = markdown_note.FORMAT.name
SPECIAL = tuple(known for known in KNOWN if known.name in PROSE and known.sign)  # formats that a text is tried as
SHORT = 7  # one letter may be wrong in field names shorter than this, two in others
SAMPLE = 150_000  # characters in which a file states its format
_FRONT = re.compile(r"\s*---[ \t]*\n(?:.*?)(?:^(?:---|\.\.\.)[ \t]*$)", re.S | re.M)
_KEY = re.compile(r"^(?P<key>[A-Za-z_][\w-]*)[ \t]*:(?=[ \t\n]|$)", re.M)
_CLAIM_ITEM = re.compile(r"(?:^#[^\n]*\n|\s)*- +(?:id|node|says)\s*:", re.M)


class Detection(NamedTuple):
    """The format (None if unknown), and its evidence."""

    format: str | None
    evidence: tuple[str, ...]


def detect(text: DecodedText, demanded: str | None = None) -> Detection | None:
    """The certain format, None if undecided; `demanded` applies to prose only."""
    stated = _exported(text.content) or _named(text.name)
    if stated is None and not text.is_markdown:
        stated = _stated(text.content[:SAMPLE]) or _signed(text)
    if demanded is None or (stated and stated.format not in PROSE):
        return stated or _declared(text)
    if demanded not in BY_NAME:
        return Detection(None, (f"unknown format {demanded!r}; known formats: {', '.join(FORMATS)}",))
    if demanded in PROSE and text.is_data:
        return Detection(None, (f"a data file cannot be read as {demanded}",))
    if demanded not in PROSE and text.is_markdown:
        return stated or _declared(text)
    return Detection(demanded, (f"requested by the caller: {demanded}",))


def _named(name: str) -> Detection | None:
    known = next((known.name for known in KNOWN if known.has_name(name)), None)
    return Detection(known, (f"the file's name is that of a {known}",)) if known else None


def _signed(text: DecodedText) -> Detection | None:
    """A format of data, by its sign."""
    others = (known for known in KNOWN if known.sign and known not in SPECIAL)
    found = next((known.name for known in others if known.sign and known.sign(text)), None)
    return Detection(found, (f"it looks like {found}",)) if found else None


def _exported(content: str) -> Detection | None:
    start = content[:SAMPLE].lstrip()
    if start.startswith("{") and re.search(r'"brain_export"\s*:', start):
        return Detection(brain_export.FORMAT.name, ('a JSON object with "brain_export"',))
    return None


def _stated(content: str) -> Detection | None:
    """YAML of rules and figures, by its key."""
    if _FRONT.match(content):
        return None
    keys = list(islice(_KEY.finditer(content), 40))
    lead = content[: keys[0].start()] if keys else content
    if keys and not any(line.strip() and not line.lstrip().startswith(("#", "---", "%")) for line in lead.split("\n")):
        known = next((KEYS[key["key"]] for key in keys if key["key"] in KEYS), None)
        if known:
            return Detection(known, (f"YAML with the field '{known}' at its top",))
    if _CLAIM_ITEM.match(content) and all(
        re.search(rf"^[ \t]{{1,40}}{key}[ \t]*:", content, re.M) for key in ("value", "expect")
    ):
        return Detection("claims", ("a YAML list of entries with 'value' and 'expect'",))
    return None


def is_foreign(content: str) -> bool:
    """Whether YAML has top-level fields, none of them like a key of rules."""
    return _KEY.search(content) is not None and next(keys_meant(content), None) is None


def keys_meant(content: str) -> Iterator[tuple[int, str, str]]:
    """Fields that are or misspell a key of rules: line, field, key meant."""
    lines = enumerate(content[:SAMPLE].split("\n"), 1)
    for number, key in islice(((number, match[1]) for number, line in lines if (match := _KEY.match(line))), 40):
        for meant in spelled_alike(key, KEYS, 1 if len(key) < SHORT else 2)[:1]:
            yield number, key, meant


def _declared(text: DecodedText) -> Detection | None:
    if text.is_data:
        return None
    if (named := front_word(text, "format")) in PROSE:
        return Detection(named, (f"the front matter declares {named}",))
    if stated := next((key for key in ("brain_export", "kind") if front_word(text, key)), ""):
        return Detection(NOTE, (f"front matter with {stated!r}",))
    if text.folder_format in PROSE:
        return Detection(text.folder_format, (f"the folder's brain.yaml declares {text.folder_format}",))
    return None
