"""The head of a brain page: its contributor, its subject, the number of nodes it declares.

No part of the head becomes a node. Each of its lines is left out with its own reason, and its facts are stored as the
page's statements about itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from graph.models.document_models import Skip
from graph.models.node_models import Kind
from ingest.text.decoding import DecodedText, as_brain

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

# In the order in which they are tried: the first match decides.
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
    """A section heading: its line, name, the count of nodes that it declares, and the kind that its name means."""

    line: int
    name: str
    declared: int | None
    kind: Kind | None


def kind_of(name: str) -> Kind | None:
    """The kind that a section of this name holds; None if unknown."""
    return next((kind for kind, words in _KINDS if words.search(name)), None)


def heading(line: str, number: int) -> Heading | None:
    """A heading with its count, such as `Thesis8 nodes` or `Reading (12 nodes)`; else None."""
    match = HEADING.fullmatch(line.strip())
    if match is None or match["name"].lower().endswith("brain"):
        return None
    name = match["name"].strip(" *_#(:·–—-")
    return Heading(number, name, number_of(match["count"]), kind_of(name))


def bare_heading(line: str, number: int) -> Heading | None:
    """A heading without a count: a short line that is only a known name."""
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

# The types of lines in the head: pattern, reason for leaving it out, and the name of its fact, if any.
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
    """The facts of the head; `tags` is the line of tags as written, with its number."""

    brain: str | None
    declared: int | None
    about: tuple[tuple[str, str], ...]
    tags: tuple[int, str] | None
    skips: tuple[Skip, ...]


class _Fact(NamedTuple):
    """The type of one line of the head, and the name and value of its fact."""

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
    """The fact in one line, else the contributor's description or boilerplate."""
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
    """The last line above the count that looks like tags: lower case, no sentence.

    Below the count, only words with a hyphen or a mark count as tags.
    """
    found = None
    for number, line in lines:
        if _BROKEN_TAGS.fullmatch(line) and not _NAVIGATION.search(line):
            near = number < counted and len(line) > 2 and ("#" in line or len(line.split()) <= 12)
            joined = found is None and number > counted and " " not in line and re.search(r"#|\w-\w", line)
            found = number if near or joined else found
    return found
