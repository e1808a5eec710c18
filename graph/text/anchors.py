"""The headings and blocks of a text that links can name, and their anchors on a page.

## Cost per site      [[Note#Cost per site]]     s-cost-per-site
The budget. ^budget   [[Note#^budget]]           b-budget
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from graph.ids import slug
from graph.text.code_blocks import code_masked
from graph.text.plain_text import BLOCK_NAME, plain_text

_HEADING = re.compile(r"^(?: {0,3}|[ \t]*(?:[-*+][ \t]+)+)(#{1,6})[ \t]+([^\n]*)$", re.MULTILINE)
_UNDERLINED = re.compile(r"^ {0,3}(?=\S)([^\n]{1,500})\n {0,3}(?:=+|-+)[ \t]*$", re.MULTILINE)
_QUOTED = re.compile(r"^(?:[ \t]{0,3}>[ \t]?)+", re.MULTILINE)


def anchor_of(place: str) -> str:
    """The anchor of a heading (`Heading`, `Part#Heading`) or block (`^id`) on its note's page; "" for neither."""
    last = place.rpartition("#")[2].strip()
    if last.startswith("^"):
        return f"b-{last[1:].lower()}"
    return f"s-{slug(last)}" if last else ""


class Heading(NamedTuple):
    """A heading; `start` is where its line begins."""

    level: int
    name: str
    start: int


def headings_in(text: str) -> Iterator[Heading]:
    """The headings that begin with `#`, outside code."""
    for found in _HEADING.finditer(code_masked(text)):
        name = found[2].rstrip(" \t")
        open_name = name.rstrip("#")
        closed = open_name[-1:] in {"", " ", "\t"}
        yield Heading(len(found[1]), open_name.rstrip(" \t") if closed else name, found.start())


@lru_cache(maxsize=256)
def anchors_in(body: str) -> frozenset[str]:
    """The anchors of headings and blocks outside code, also in quotations."""
    plain = _QUOTED.sub("", code_masked(body))
    headings = (*(heading.name for heading in headings_in(plain)), *(found[1] for found in _UNDERLINED.finditer(plain)))
    blocks = (anchor_of(f"^{name}") for name in blocks_in(body))
    return frozenset((*(anchor_of(plain_text(heading)) for heading in headings), *blocks))


def blocks_in(body: str) -> list[str]:
    """The names of blocks, in lower case."""
    if "^" not in body:
        return []
    return [found[1].lower() for found in BLOCK_NAME.finditer(_QUOTED.sub("", code_masked(body)))]
