"""Detects the format of a document from its content, with the evidence.

Every format has clues: a pattern, its weight, and how many matches earn the full weight. The format with the highest
score wins, the first one on a tie; below `ENOUGH` there is no format. The file name decides for the formats that have
names of their own (`page.html`), and for Markdown if the content has no clue at all.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

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
    roam_export,
    rule_files,
    term_file,
    term_table,
)
from ingest.formats.format_protocol import Format, Part
from ingest.text.decoding import DecodedText

ENOUGH = 2.0
DECISIVE = 7.0
"""If front matter has this many points for a note, the body is not scored: a note may be about anything."""

SAMPLE = 150_000
"""The number of characters examined."""

KNOWN: tuple[Format, ...] = (
    brain_export.FORMAT,
    term_file.FORMAT,
    *rule_files.FORMATS,
    markdown_note.FORMAT,
    brain_page.FORMAT,
    arrow_glossary.FORMAT,
    term_table.FORMAT,
    bullet_glossary.FORMAT,
    context_pack.FORMAT,
    notion_page.FORMAT,
    html_page.FORMAT,
    csv_table.FORMAT,
    notebook.FORMAT,
    canvas.FORMAT,
    roam_export.FORMAT,
)
"""Every format; on a tie the first wins."""

BY_NAME = {known.name: known for known in KNOWN}
FORMATS = tuple(BY_NAME)
DATA = rule_files.NAMES
KEYS = {known.key: known.name for known in KNOWN if known.key}

_FRONT = re.compile(r"\s*---[ \t]*\n(?P<front>.*?)(?:^(?:---|\.\.\.)[ \t]*$)", re.S | re.M)
_KEY = re.compile(r"^(?P<key>[A-Za-z_][\w-]*)[ \t]*:(?=[ \t\n]|$)", re.M)
_CLAIM_ITEM = re.compile(r"(?:^#[^\n]*\n|\s)*- +(?:id|node|says)\s*:", re.M)


class Detection(NamedTuple):
    """The format (None if unknown), the evidence for it, and the points of every format that has any."""

    format: str | None
    evidence: tuple[str, ...]
    scores: tuple[tuple[str, float], ...] = ()


def detect(text: DecodedText) -> Detection:
    """The format of a document."""
    content = text.content[:SAMPLE]
    return _stated(content) or _named(text.name) or _best(content, text.name)


def _named(name: str) -> Detection | None:
    """A format that the name of a file decides."""
    known = next((known.name for known in KNOWN if known.has_name(name)), None)
    return Detection(known, (f"the file's name is that of a {known}",), ((known, 9.0),)) if known else None


def _stated(content: str) -> Detection | None:
    """A format that the document states: a Brain export, or YAML with a known key."""
    start = content.lstrip()
    if start.startswith("{") and re.search(r'"brain_export"\s*:', start):
        return Detection("brain-export", ('a JSON object with "brain_export"',), (("brain-export", 9.0),))
    front = _FRONT.match(content)
    if front:
        ours = re.search(r"^brain_export[ \t]*:", front["front"], re.M)
        return Detection("note", ("front matter with 'brain_export'",), (("note", 9.0),)) if ours else None
    keys = list(islice(_KEY.finditer(content), 40))
    lead = content[: keys[0].start()] if keys else content
    if keys and not any(line.strip() and not line.lstrip().startswith(("#", "---", "%")) for line in lead.split("\n")):
        known = next((key["key"] for key in keys if key["key"] in KEYS), None)
        if known:
            return Detection(known, (f"YAML with the field '{known}' at its top",), ((known, 9.0),))
    if _CLAIM_ITEM.match(content) and all(
        re.search(rf"^[ \t]{{1,40}}{key}[ \t]*:", content, re.M) for key in ("value", "expect")
    ):
        return Detection("claims", ("a YAML list of entries with 'value' and 'expect'",), (("claims", 9.0),))
    return None


def _best(content: str, name: str) -> Detection:
    """The format with the most points."""
    front = _FRONT.match(content)
    tally = _Tally()
    tally.count("front", front["front"] if front else "")
    if tally.points.get(markdown_note.FORMAT.name, 0.0) < DECISIVE:
        tally.count("body", content[front.end() :] if front else content)
        tally.count("bare", "" if front else content)  # after front matter, headings add no evidence
    return _chosen(tally, name)


class _Tally:
    """The points of each format and the evidence for them."""

    def __init__(self) -> None:
        self.points: dict[str, float] = {}
        self.says: dict[str, list[str]] = {}

    def count(self, part: Part, sample: str) -> None:
        """Add points for every clue of one document part that matches in `sample`."""
        wanted = ((known.name, clue) for known in KNOWN for clue in known.clues if clue.part == part)
        for name, clue in wanted if sample else ():
            seen = sum(1 for _ in islice(clue.pattern.finditer(sample), clue.enough))
            if seen:
                gained = clue.weight * seen / clue.enough
                self.points[name] = self.points.get(name, 0.0) + gained
                more = "at least " if seen == clue.enough > 1 else ""
                self.says.setdefault(name, []).append(f"{more}{seen} × {clue.says} ({gained:+.1f})")


def _chosen(tally: _Tally, name: str) -> Detection:
    scores = tuple(sorted(tally.points.items(), key=lambda pair: (-pair[1], FORMATS.index(pair[0]))))
    if scores and scores[0][1] >= ENOUGH:
        form, score = scores[0]
        rivals = [f"{other} had {value:.1f}" for other, value in scores[1:]]
        return Detection(form, (f"{form}: {score:.1f} points", *tally.says[form], *rivals), scores)
    if name.lower().endswith((".md", ".markdown")):
        return Detection("note", ("the name ends as a Markdown file's, and the content says nothing else",), scores)
    near = tuple(f"{form} had only {value:.1f} points" for form, value in scores)
    return Detection(None, near or ("no clue of any format",), scores)
