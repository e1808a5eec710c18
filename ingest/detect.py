"""Which format a document is in, by what stands in it, with the evidence.

Every format has clues: a pattern, how much it says, and how often it must be seen to say all of it. The format with the
highest score is taken, the first of them where several are equal; below `ENOUGH` nothing is. The file's name decides
only where the content says nothing at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from ingest.columns import words_of
from ingest.formats.arrows import ARROW
from ingest.formats.terms import BULLETS
from ingest.texts import Text

ENOUGH = 2.0
DECISIVE = 7.0
"""Front matter with as many points for a note is not weighed against the body: a note may talk of anything."""

SAMPLE = 150_000
"""Characters of a document that are looked at."""

DATA = ("claims", "prices", "assumptions", "families", "decisions", "tags", "freshness", "scenarios", "silences")
"""YAML documents of rules and figures: told apart here, read elsewhere."""

FORMATS = (
    "brain-export",
    "terms",
    *DATA,
    "note",
    "brain-page",
    "arrow-glossary",
    "term-table",
    "bullet-glossary",
    "context-pack",
)


class Clue(NamedTuple):
    """One sign of a format: `weight` points when seen `enough` times, fewer in proportion."""

    format: str
    weight: float
    enough: int
    says: str
    pattern: re.Pattern[str]


def _clue(form: str, weight: float, enough: int, says: str, pattern: str) -> Clue:
    return Clue(form, weight, enough, says, re.compile(pattern, re.M | re.I))


_PAD = r"[ \t*_]{0,12}"


def _cell(words: str) -> str:
    """A cell of one of these words, somewhere in the line that begins here."""
    return rf"(?=(?:[^\n]*\|)?{_PAD}(?:{words}){_PAD}(?:\||$))"


_NOTE_KEYS = r"kind|aliases|alias|sources|cites|origin|brain_export"
CLUES: tuple[Clue, ...] = (
    _clue(
        "brain-page",
        3,
        2,
        "section headings with a count of nodes",
        r"^[ \t]{0,3}[^\W\d_][^\n.!?]{0,60}?\d[\d,.]*[ \t]*nodes?\)?[ \t]*$",
    ),
    _clue("brain-page", 1, 1, "a contributor's handle", r"^[ \t]{0,40}@\w[\w.-]*(?:[ \t]+[·•|-].*)?$"),
    _clue("brain-page", 1, 1, "the title of a brain", r"^.{1,60}[’'´`]s?[ \t]+brain\b"),
    _clue("brain-page", 2, 3, "lines of tags run together", r"^[ \t]{0,40}#[^\s#]+(?:[ \t]?#[^\s#]+)+[ \t]*$"),
    _clue("brain-page", 1, 3, "lists of sources", r"^[ \t]{0,40}(?:\*\*)?sources?:?(?:\*\*)?:?[ \t]*$"),
    _clue("brain-page", 1, 4, "bulleted titles", r"^[ \t]{0,4}•[ \t]"),
    _clue("brain-page", 2, 2, "cite spans", r"(?:<|\(|&lt;)cite[ \t]+index="),
    _clue(
        "arrow-glossary",
        4,
        3,
        "terms before an arrow",
        rf"^[ \t]{{0,40}}(?:{BULLETS}|(?:step[ \t])?\d{{1,3}}[.):])?[ \t]*\*\*[^*\n]+\*\*[ \t]*{ARROW}",
    ),
    _clue(
        "arrow-glossary",
        2.5,
        5,
        "list items with an arrow",
        rf"^[ \t]{{0,40}}{BULLETS}[ \t]+[^→\n]{{1,60}}{ARROW}[ \t]",
    ),
    _clue("arrow-glossary", 1, 2, "level headings", r"^[■●# \t]*L\d{1,2}[ \t]*[-–—:]"),
    _clue(
        "term-table",
        4,
        1,
        "a table of terms and definitions",
        rf"^{_cell(words_of('term', 'abbreviation'))}{_cell(words_of('definition', 'expansion'))}[^\n]*\|",
    ),
    _clue(
        "term-table",
        3.5,
        1,
        "rows without a header that begin with a bold term",
        r"^(?<!\|\n)(?:[ \t]{0,3}\|[ \t]*\*\*[^|\n]{1,100}\*\*[ \t]*\|[^\n]+(?:\n[|: \t-]+(?=\n))?(?:\n|\Z)){3}",
    ),
    _clue("term-table", 0.5, 3, "rows that begin with a bold term", r"^[ \t]{0,40}\|[ \t]*\*\*[^|\n]+\*\*[ \t]*\|"),
    _clue(
        "bullet-glossary",
        3,
        3,
        "bulleted bold terms with a colon",
        rf"^[ \t]{{0,40}}{BULLETS}[ \t]+(?:\*\*|__)[^*\n]{{1,100}}?(?::(?:\*\*|__)|(?:\*\*|__)[ \t]*(?::|[—–-][ \t]))",
    ),
    _clue(
        "bullet-glossary",
        1.5,
        4,
        "paragraphs or numbered items that begin with a bold term",
        r"^(?:\d{1,4}[.)][ \t]+)?(?:\*\*|__)[^*\n]{1,100}?(?::(?:\*\*|__)|(?:\*\*|__)[ \t]*(?::|[—–-][ \t]))",
    ),
    _clue(
        "bullet-glossary",
        1.5,
        5,
        "terms in a list with a colon or a dash",
        rf"^[ \t]{{0,3}}(?:{BULLETS}|\d{{1,3}}[.)])[ \t]+(?!https?:)[^\W\d_][^:\n.!?]{{0,50}}?"
        r"(?::[ \t]+|[ \t][—–-][ \t])\S",
    ),
    _clue(
        "bullet-glossary",
        1.5,
        5,
        "lines of a term, a colon and its meaning",
        r"^(?:[^\W\d_][^:\n.!?]{1,40}):[ \t]+\S",
    ),
    _clue("bullet-glossary", 1.5, 2, "headings of one letter", r"^#{1,4}[ \t]+[^\W\d_][ \t]*$"),
    _clue(
        "bullet-glossary",
        1,
        1,
        "a title that says glossary",
        r"^(?:#{1,2}[ \t].*|(?<!\n)\s{0,40}[^\n]{0,60})\b(?:glossary|terminology|vocabulary|lexicon)\b",
    ),
    _clue("context-pack", 1.5, 2, "tables", r"^[ \t]{0,40}\|?[ \t]{0,12}:?-{3,}:?[ \t]*\|"),
    _clue("context-pack", 1, 2, "code or formula blocks", r"^(?:```|~~~)"),
    _clue("context-pack", 1, 3, "sections", r"^#{2,4}[ \t]+\S"),
)
_MANUAL = (
    r"^#{1,4}[ \t]+(?:install(?:ation|ing)?|usage|getting started|quick ?start|contribut(?:ing|ors)|licen[sc]e)[ \t]*$"
)
_CHANGES = r"^#{1,4}[ \t]+\[?(?:v?\d+\.\d+|unreleased|added|changed|fixed|removed|deprecated|security)\b"
AGAINST: tuple[Clue, ...] = (
    _clue("bullet-glossary", -3, 2, "headings of versions and changes", _CHANGES),
    _clue("arrow-glossary", -3, 2, "headings of versions and changes", _CHANGES),
    _clue("arrow-glossary", -3, 3, "boxes to tick", r"^[ \t]{0,12}[-*+][ \t]+\[[ xX]\][ \t]"),
    *(
        _clue(form, weight, 2, "headings of a manual", _MANUAL)
        for form, weight in (("context-pack", -1.5), ("term-table", -3.5), ("bullet-glossary", -3))
    ),
)
"""Signs of what is written in the same ways and is nothing of ours."""

FRONT_CLUES: tuple[Clue, ...] = (
    _clue("context-pack", 1, 1, "front matter with a name", r"^name[ \t]*:"),
    _clue("context-pack", 1, 1, "front matter with a description", r"^description[ \t]*:"),
    _clue("note", 1, 1, "front matter", r"^[\w-]+[ \t]*:"),
    _clue("note", 2, 1, "front matter with a title or tags", r"^(?:title|tags?)[ \t]*:"),
    _clue("note", 4, 1, "front matter of a note", rf"^(?:{_NOTE_KEYS})[ \t]*:"),
)
BODY_CLUES: tuple[Clue, ...] = (_clue("note", 2.5, 1, "wikilinks", r"\[\[[^\[\]\n]+\]\]"),)
BARE_CLUES: tuple[Clue, ...] = (
    _clue("note", 1.5, 1, "a Markdown title", r"^#[ \t]+\S"),
    _clue("note", 0.5, 1, "Markdown sections, lists or links", r"^(?:#{2,6}[ \t]|[-*][ \t])|\]\(https?://"),
)

_FRONT = re.compile(r"\s*---[ \t]*\n(?P<front>.*?)(?:^(?:---|\.\.\.)[ \t]*$)", re.S | re.M)
_KEY = re.compile(r"^(?P<key>[A-Za-z_][\w-]*)[ \t]*:(?=[ \t\n]|$)", re.M)
_CLAIM_ITEM = re.compile(r"(?:^#[^\n]*\n|\s)*- +(?:id|node|says)\s*:", re.M)


class Detection(NamedTuple):
    """The format, None where it is unknown; what spoke for it; and the points of every format that had any."""

    format: str | None
    evidence: tuple[str, ...]
    scores: tuple[tuple[str, float], ...] = ()


def detect(text: Text) -> Detection:
    """What format a document is in."""
    content = text.content[:SAMPLE]
    stated = _stated(content)
    return stated or _best(content, text.name)


def _stated(content: str) -> Detection | None:
    """A format that the document names itself: our export, or YAML under one of our keys."""
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
        known = next((key["key"] for key in keys if key["key"] in {"terms", *DATA}), None)
        if known:
            return Detection(known, (f"YAML with the field '{known}' at its top",), ((known, 9.0),))
    if _CLAIM_ITEM.match(content) and all(
        re.search(rf"^[ \t]{{1,40}}{key}[ \t]*:", content, re.M) for key in ("value", "expect")
    ):
        return Detection("claims", ("a YAML list of entries with 'value' and 'expect'",), (("claims", 9.0),))
    return None


def _best(content: str, name: str) -> Detection:
    """The format with most points."""
    front = _FRONT.match(content)
    tally = _Tally()
    tally.count(FRONT_CLUES, front["front"] if front else "")
    if tally.points.get("note", 0.0) < DECISIVE:
        body = content[front.end() :] if front else content
        tally.count((*CLUES, *AGAINST), body)
        tally.count(BODY_CLUES, body)
        tally.count(BARE_CLUES, "" if front else body)  # where front matter has spoken, headings say nothing more
    return _chosen(tally, name)


class _Tally:
    """The points of each format, and what they were given for."""

    def __init__(self) -> None:
        self.points: dict[str, float] = {}
        self.says: dict[str, list[str]] = {}

    def count(self, clues: Iterable[Clue], sample: str) -> None:
        """Give points for every clue that is seen in `sample`."""
        for clue in clues if sample else ():
            seen = sum(1 for _ in islice(clue.pattern.finditer(sample), clue.enough))
            if seen:
                gained = clue.weight * seen / clue.enough
                self.points[clue.format] = self.points.get(clue.format, 0.0) + gained
                more = "at least " if seen == clue.enough > 1 else ""
                self.says.setdefault(clue.format, []).append(f"{more}{seen} × {clue.says} ({gained:+.1f})")


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
