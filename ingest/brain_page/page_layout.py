"""The layout of a brain page: its head, its sections, and in each the lines of its entries.

The head (contributor, subject, number of nodes) becomes no node: its lines are left out, each with its reason, and its
facts are stored about the document.

An entry begins at a bullet no deeper than the first of its section; if copying lost the indents, at a bullet after a
heading, a line of tags or a list of sources. If the first entry of a section begins with a number, a Markdown heading
or a bold line, so do the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from graph.models.document_models import Skip
from graph.models.node_models import Kind
from ingest.brain_page.page_entry import BOLD, BULLET, NUMBERED, is_tags, sources_in
from ingest.terms.glossary_terms import markdown_heading
from ingest.text.decoding import DecodedText, as_brain, indent

_COUNT = r"(?P<count>\d{1,3}(?:[,.]\d{3})+|\d{1,9})"
_UNIT = r"(?:nodes?|entr(?:y|ies)|items?)"
_ORNAMENT = "(?:[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]{1,4}\\s*)?"
"""Pictographs that may precede a heading."""

HEADING = re.compile(
    rf"(?:#{{1,6}}\s+)?{_ORNAMENT}(?P<name>[^\W\d_][^.!?]{{0,60}}?)\s*+[(\[·:|–—-]?\s*+"
    rf"{_COUNT}\s*+{_UNIT}\s*+[)\]]?",
    re.I,
)
COUNT = re.compile(rf"{_COUNT}\s*+{_UNIT}", re.I)

# In order: the first match decides.
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"\b(?:{words})", re.I))
    for kind, words in (
        (Kind.METHODOLOGY, r"method|how i|approach|how we|framework|process|playbook|toolkit|mental models?"),
        (Kind.WATCHING, r"watch|tracking|monitor|radar|on my (?:screen|desk|mind)|open questions?"),
        (Kind.THESIS, r"thes[ie]s|hypothes|argument|bets?\b|conviction|claims?\b|predict|forecast"),
        (Kind.POV, r"pov\b|points? of view|stance|views?\b|positions?\b|beliefs?\b|opinion|perspective|principles?\b"),
        (Kind.READING, r"read|sources?\b|literature|library|bookshelf|papers?\b|articles?\b|clippings?"),
        (Kind.TERM, r"glossary|terms?\b|definitions?|vocabulary|terminology"),
        (Kind.REFERENCE, r"reference|data\b|appendix|notes?\b|fact"),
    )
)


class Heading(NamedTuple):
    """A section heading; `declared` is the count of nodes in it, `kind` what its name means."""

    line: int
    name: str
    declared: int | None
    kind: Kind | None


def kind_of(name: str) -> Kind | None:
    """The kind of nodes in a section; None if unknown."""
    return next((kind for kind, words in _KINDS if words.search(name)), None)


def heading(line: str, number: int) -> Heading | None:
    """A heading with a count, such as `Thesis8 nodes`, or None."""
    match = HEADING.fullmatch(line.strip())
    if match is None or match["name"].lower().endswith("brain"):
        return None
    name = match["name"].strip(" *_#(:·–—-")
    return Heading(number, name, number_of(match["count"]), kind_of(name))


def bare_heading(line: str, number: int) -> Heading | None:
    """A heading without a count, by its known name."""
    name = re.sub(rf"^[#\s]*{_ORNAMENT}", "", line).strip("*_#: ")
    kind = kind_of(name) if len(name) <= 40 and len(name.split()) <= 3 and not re.search(r"[.!?,]", name) else None
    return Heading(number, name, None, kind) if kind else None


def number_of(digits: str) -> int:
    """`1,204` and `1204` as a number."""
    return int(re.sub(r"\D", "", digits))


_OWNER = re.compile(r"^(?P<value>\S.{0,60}?)(?:[’'´`]s?)\s+brain\b", re.I)
_NAVIGATION = re.compile(
    r"^(?:skip to (?:main )?content|view the full brain.*|(?:[←→<>«»]\s*)?(?:contributors|back|home|menu)\s*[→»]?)$",
    re.I,
)

# Lines of the head: pattern, reason for leaving it out, and the name of its fact, if any.
_SHAPES: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        re.compile(rf"(?:^|\bbrain\s*[(\[·:|–—-]?\s*){COUNT.pattern.replace('<count>', '<value>')}[)\]]?$", re.I),
        "declared number of nodes",
        "declared nodes",
    ),
    (_NAVIGATION, "site navigation", ""),
    (_OWNER, "page title", "owner"),
    (re.compile(r"(?:^|[·•|]\s*)@(?P<value>\w[\w.-]{0,60})"), "contributor card: handle and role", "handle"),
    (re.compile(r"^contributor\s*[·•|-]\s*(?P<value>.+)", re.I), "contributor card: beat", "beat"),
)
_BROKEN_TAGS = re.compile(r"#?[a-z0-9][a-z0-9#,·|\s-]*")


class Header(NamedTuple):
    """The facts of the head; `tags` is the number and text of the line of tags."""

    brain: str | None
    declared: int | None
    about: tuple[tuple[str, str], ...]
    tags: tuple[int, str] | None
    skips: tuple[Skip, ...]


class _Fact(NamedTuple):
    """A line of the head: why it is left out, and its fact."""

    line: int
    reason: str
    name: str = ""
    value: str = ""


def read_header(text: DecodedText, last: int) -> Header:
    """The head of the page: its lines from 1 to `last`."""
    facts = list(_facts(text, last))
    said = {fact.name: fact.value for fact in reversed(facts) if fact.name}
    handle = said.get("handle")
    tags = next(((fact.line, fact.value) for fact in facts if fact.name == "tags"), None)
    about = tuple((fact.name, fact.value) for fact in facts if fact.name and fact.name != "tags")
    return Header(
        brain=as_brain(handle or said["owner"]) if handle or "owner" in said else None,
        declared=number_of(said["declared nodes"]) if "declared nodes" in said else None,
        about=tuple(dict.fromkeys(about)),
        tags=tags,
        skips=tuple(text.skip(fact.line, fact.line, fact.reason) for fact in facts),
    )


def _facts(text: DecodedText, last: int) -> Iterator[_Fact]:
    lines = [(number, line.strip()) for number, line in enumerate(text.lines[:last], 1) if line.strip()]
    counted = next((number for number, line in lines if COUNT.fullmatch(line)), last)
    owner = next((match["value"] for _, line in lines if (match := _OWNER.search(line))), "")
    tags = _tag_line(lines, counted)
    for number, line in lines:
        yield _fact(number, line, owner) if number != tags else _Fact(number, "tags of the contributor", "tags", line)


def _fact(number: int, line: str, owner: str) -> _Fact:
    """The fact in a line, by the first pattern that matches."""
    for pattern, reason, name in _SHAPES:
        match = pattern.search(line)
        if match:
            return _Fact(number, reason, name, match["value"].rstrip(".-") if name else "")
    if owner and owner.casefold() in line.casefold() and len(line) < 80:
        return _Fact(number, "contributor card: name", "name", line)
    if len(line.split()) > 5:
        return _Fact(number, "description", "description", line)
    return _Fact(number, "site header")


def _tag_line(lines: list[tuple[int, str]], counted: int) -> int | None:
    """The last line like tags above the count of nodes, else below it."""
    found = None
    for number, line in lines:
        if _BROKEN_TAGS.fullmatch(line) and not _NAVIGATION.search(line):
            near = number < counted and len(line) > 2 and ("#" in line or len(line.split()) <= 12)
            joined = found is None and number > counted and " " not in line and re.search(r"#|\w-\w", line)
            found = number if near or joined else found
    return found


LONGEST_FOOTER = 120  # maximum length of a footer line

_UNNAMED = Heading(0, "", None, Kind.READING)


class Section(NamedTuple):
    """A heading, its last line, and its entries as pairs of title line and last line."""

    heading: Heading
    last: int
    entries: tuple[tuple[int, int], ...]
    skips: tuple[Skip, ...]


def sections_of(text: DecodedText) -> Iterator[Section]:
    """The sections in order; without headings, one unnamed section."""
    headings = list(_headings(text))
    usual = _usual_margin(text, headings)
    first = headings[0].line if headings else len(text.lines) + 1
    if not headings:
        begin = next((number for number, line in enumerate(text.lines, 1) if BULLET.fullmatch(line)), first)
        yield _section(text, _UNNAMED, begin - 1, len(text.lines), usual)
    for index, found in enumerate(headings):
        last = headings[index + 1].line - 1 if index + 1 < len(headings) else len(text.lines)
        yield _section(text, found, found.line, last, usual)


def _headings(text: DecodedText) -> Iterator[Heading]:
    """Unindented lines with a count or above an entry, and all Markdown headings of their level."""
    margin = min((indent(line) for line in text.lines if line.strip()), default=0)
    near = [
        (
            number,
            line,
            heading(line, number) or (_above_entry(text.lines, number) and bare_heading(line, number)) or None,
        )
        for number, line in enumerate(text.lines, 1)
        if line.strip() and len(line) <= 120 and indent(line) <= margin + 1
    ]
    levels = {mark[0] for _, line, found in near if found and (mark := markdown_heading(line))}
    for number, line, found in near:
        mark = markdown_heading(line) if found is None and levels else None
        if found:
            yield found
        elif mark and mark[0] in levels and _above_entry(text.lines, number):
            yield Heading(number, mark[1], None, kind_of(mark[1]))


def _above_entry(lines: Sequence[str], number: int) -> bool:
    """Whether a bullet or lower heading follows a line."""
    following = next((line for line in lines[number : number + 4] if line.strip()), "")
    if BULLET.fullmatch(following):
        return not sources_in(following)
    mark, below = markdown_heading(lines[number - 1]), markdown_heading(following)
    return bool(mark and below and below[0] > mark[0] > 1)


def _usual_margin(text: DecodedText, headings: Iterable[Heading]) -> int:
    """The indent of the first entry in most sections."""
    margins = Counter(
        indent(line)
        for found in headings
        if (line := next((line for line in text.lines[found.line : found.line + 5] if BULLET.fullmatch(line)), ""))
    )
    least = min((indent(line) for line in text.lines if BULLET.fullmatch(line)), default=0)
    return next((margin for margin, _ in margins.most_common(1)), least)


def _section(text: DecodedText, found: Heading, start: int, last: int, usual: int) -> Section:
    margin = _margin(text, start, last, usual)
    opening = _opening(text.lines[start:last], found.declared)
    flat = opening.flat or not any(indent(line) > margin for line in text.lines[start:last] if line.strip())
    opening = opening._replace(flat=flat)
    begins: list[int] = []
    loose: list[int] = []
    before = "heading"
    for number in range(start + 1, last + 1):
        line = text.lines[number - 1]
        if not line.strip():
            continue
        if _opens(line, before, margin, opening):
            begins.append(number)
            before = "title"
        elif not begins or (before in {"tags", "loose"} and not flat and indent(line) <= margin and not is_tags(line)):
            loose.append(number)
            before = "loose" if begins else before
        else:
            before = "tags" if is_tags(line) else "source" if flat and sources_in(line) else "text"
    if not flat and last == len(text.lines):
        loose += _footer(text, max([start, *begins, *loose]), margin)
    skips = [text.skip(found.line, found.line, "section heading")] if found.line else []
    skips += [text.skip(number, number, "page boilerplate around the entries") for number in loose]
    return Section(found, last, tuple(_spans(text, begins, loose, last)), tuple(skips))


class _Opening(NamedTuple):
    """How entries begin; `sure` if nothing else looks alike, `flat` if their text is not indented."""

    pattern: re.Pattern[str]
    sure: bool
    flat: bool


def _opening(lines: Sequence[str], declared: int | None) -> _Opening:
    """How entries begin, by the first; with a bullet if unclear."""
    first = next((line for line in lines if line.strip()), "")
    mark = markdown_heading(first)
    if mark:
        return _Opening(re.compile(rf"\s{{0,3}}#{{{mark[0]}}}\s+\S.*", re.S), True, True)
    if BOLD.fullmatch(first) and declared in {None, sum(BOLD.fullmatch(line) is not None for line in lines)}:
        return _Opening(BOLD, True, True)
    return _Opening(NUMBERED if NUMBERED.fullmatch(first) else BULLET, False, False)


def _footer(text: DecodedText, start: int, margin: int) -> list[int]:
    """The lines after the last entry: short, unindented, below a blank line."""
    found: list[int] = []
    for number in range(len(text.lines), start, -1):
        line = text.lines[number - 1]
        if line.strip() and (indent(line) > margin or len(line) > LONGEST_FOOTER or is_tags(line)):
            return found if number < len(text.lines) and not text.lines[number].strip() else []
        found += [number] if line.strip() else []
    return []


def _margin(text: DecodedText, start: int, last: int, usual: int) -> int:
    first = next((line for line in text.lines[start:last] if line.strip()), "")
    return indent(first) if BULLET.fullmatch(first) or NUMBERED.fullmatch(first) else usual


def _opens(line: str, before: str, margin: int, opening: _Opening) -> bool:
    if opening.pattern.fullmatch(line) is None:
        return False
    if opening.sure:
        return True
    if before in {"heading", "tags"}:
        return not sources_in(line) or indent(line) <= margin
    if opening.flat:
        return before == "source" and not sources_in(line)
    return indent(line) <= margin


def _spans(text: DecodedText, begins: Sequence[int], loose: Sequence[int], last: int) -> Iterator[tuple[int, int]]:
    """First and last line of each entry, without loose lines."""
    cut = set(loose)
    for index, first in enumerate(begins):
        end = begins[index + 1] - 1 if index + 1 < len(begins) else last
        while end > first and (not text.lines[end - 1].strip() or end in cut):
            end -= 1
        yield first, end
