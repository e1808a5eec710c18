"""The sections of a brain page: what a heading looks like and which kind of node its name means."""

from __future__ import annotations

import re
from typing import NamedTuple

from graph.models.node_models import Kind

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
    """The kind that a section of this name holds, or None for an unknown name."""
    return next((kind for kind, words in _KINDS if words.search(name)), None)


def heading(line: str, number: int) -> Heading | None:
    """A heading with its count, such as `Thesis8 nodes` or `Reading (12 nodes)`; None for any other line."""
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
