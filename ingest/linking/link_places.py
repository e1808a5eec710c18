"""Links to a heading or block that is not there: `[[Note#Heading]]`, `[[Note#^block]]`, `[words](note.md#Heading)`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from graph.models.node_models import Node
from graph.text.anchors import anchor_of, anchors_in
from ingest.linking.reader_targets import ReaderTargets
from ingest.markdown.wikilinks import linked_spans

_ANY = re.compile(r"\[\[[^\[\]\n]{0,300}#|\.md#")
_IN_WIKILINK = re.compile(r"#([^\[\]|\n\\]+)")
_IN_ADDRESS = re.compile(r"#([^()<>\n\"]+)")


class LinkedPlace(NamedTuple):
    """A link to a heading or block: as written in the text, and what it is to be."""

    written: str
    place: str


def missing_places(node: Node, names: ReaderTargets) -> Iterator[LinkedPlace]:
    """The links of a node, with its targets resolved, to headings and blocks that are not in the notes they name."""
    if not _ANY.search(node.body):
        return
    cited = {
        name.casefold(): cite.target
        for cite in node.cites
        if cite.target
        for name in (*cite.written, cite.marker.strip("[]"))
    }
    known: dict[str, frozenset[str]] = {}
    for match in linked_spans(node.body):
        name, place, written = _parts(node.body, match)
        target = names.node(cited.get(name.casefold(), "") if name else node.id)
        if target is None or not anchor_of(place):
            continue
        if target.id not in known:
            known[target.id] = anchors_in(target.body) | {anchor_of(target.title)}
        if anchor_of(place) not in known[target.id]:
            yield LinkedPlace(written, place)


def _parts(body: str, match: re.Match[str]) -> tuple[str, str, str]:
    """The name of the note that a link is to, the heading or block, and both as written."""
    start, end = match.span("target")
    wikilink = match[0].lstrip("!").startswith("[[")
    found = (_IN_WIKILINK if wikilink else _IN_ADDRESS).match(body, end, match.end())
    place = (found[1] if found else "").strip()
    name, written = body[start:end].strip(), body[start : found.end() if found else end].strip()
    name, place = (name, place) if wikilink else (unquote(name), unquote(place))
    return name.removesuffix(".md"), place, written
