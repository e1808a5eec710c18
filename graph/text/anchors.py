"""The places inside a text that links lead to: headings and blocks, and their anchors on a page.

## Cost per site      [[Note#Cost per site]]     s-cost-per-site
The budget. ^budget   [[Note#^budget]]           b-budget
"""

from __future__ import annotations

import re
from functools import lru_cache

from graph.ids import slug
from graph.text.plain_text import BLOCK_NAME, plain_text

HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]#*)?[ \t]*$", re.MULTILINE)
_UNDERLINED = re.compile(r"^ {0,3}(?=\S)([^\n]{1,500})\n {0,3}(?:=+|-+)[ \t]*$", re.MULTILINE)
_QUOTED = re.compile(r"^(?:[ \t]{0,3}>[ \t]?)+", re.MULTILINE)


def anchor_of(place: str) -> str:
    """The anchor of a heading (`Heading`, `Part#Heading`) or block (`^id`) on the page of its note; "" for neither."""
    last = place.rpartition("#")[2].strip()
    if last.startswith("^"):
        return f"b-{last[1:].lower()}"
    return f"s-{slug(last)}" if last else ""


@lru_cache(maxsize=256)
def anchors_in(body: str) -> frozenset[str]:
    """The anchors of the headings and blocks of a text, also of those inside quotations."""
    plain = _QUOTED.sub("", body)
    headings = (*(found[2] for found in HEADING.finditer(plain)), *(found[1] for found in _UNDERLINED.finditer(plain)))
    blocks = (anchor_of(f"^{found[1]}") for found in BLOCK_NAME.finditer(plain))
    return frozenset((*(anchor_of(plain_text(heading)) for heading in headings), *blocks))
