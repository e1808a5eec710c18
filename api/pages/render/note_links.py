"""Where the links of a note lead: to a node, to a heading or block of it, or nowhere.

    [[Note]]  [[Note#Heading]]  [[Note#^block]]  [[#Heading]]  [words](../folder/note.md#Heading)

The ingest has found the target of each link; a page reads it from the citations of the node.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

from api.pages.render.figure_format import share
from api.pages.render.text_marks import unmarked
from api.pages.request.page_request import path_of
from graph.ids import slug
from graph.models.node_models import Citation, Node
from graph.models.query_models import NodeRef
from graph.text.anchors import anchor_of, anchors_in, headings_in
from graph.text.code_blocks import code_masked
from graph.text.plain_text import BLOCK_NAME, plain_text
from ingest.markdown.wikilinks import ATTACHMENT

MISSING = {"class": "missing", "title": "No note has this name, or more than one has it."}
_NO_PLACE = {"class": "missing", "title": "This note has no such heading or block."}
_NOT_STORED = "is an attachment; Brain stores the text of notes only"
_CANVAS = "is a canvas; only its name is shown here"
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


class NoteLink(NamedTuple):
    """A link as a page shows it: the element, its attributes, and the words for a link that has none of its own.

    `target` is the id of the node, `place` the heading or block, as written.
    """

    tag: str
    attributes: Mapping[str, str]
    words: str
    target: str = ""
    place: str = ""


class NoteLinks:
    """The links of one node; `titles` are the nodes that it cites.

    `bodies` are the texts of nodes to whose headings and blocks it links: what is not in one is marked as missing.
    """

    def __init__(self, node: Node, titles: Mapping[str, NodeRef], bodies: Mapping[str, Node] | None = None) -> None:
        self._node, self._titles, self._bodies = node, titles, bodies or {}

    def wikilink(self, written: str) -> NoteLink:
        """The link `[[written]]`."""
        name, _, place = unmarked(written).partition("#")
        name = name.strip()
        if ATTACHMENT.search(name):
            return attachment(name)
        return self._to(name.removesuffix(".md"), place.strip())

    def address(self, href: str) -> NoteLink | None:
        """The Markdown link to a relative address; None for any other address, which stays as it is."""
        if _SCHEME.match(href) or href.startswith(("/", "?", "//")):
            return None
        path, _, place = href.partition("#")
        if ATTACHMENT.search(path):
            return attachment(unquote(path))
        if not path and f"#{place}" in {f"#{anchor}" for anchor in self._anchors}:
            return None
        return self._to(unquote(path).removesuffix(".md"), unquote(place))

    def _to(self, name: str, place: str) -> NoteLink:
        citation = self._cited.get(name.casefold())
        if citation is not None:
            target = self._titles.get(citation.target or "")
            if target is None:
                return NoteLink("span", MISSING, name)
            link = _to_node(target, citation, name, place)
            return _without_place(link, target) if self._lacks(target.id, place) else link
        if not name or slug(name.rpartition("/")[2]) in self._own:
            return self._inside(place)
        return NoteLink("span", MISSING, name)

    def _lacks(self, target: str, place: str) -> bool:
        node, anchor = self._bodies.get(target), anchor_of(place)
        return node is not None and bool(anchor) and anchor not in anchors_in(node.body) | {anchor_of(node.title)}

    def _inside(self, place: str) -> NoteLink:
        """A link to this note, or to a heading or block of it."""
        words = place.rpartition("#")[2] or self._node.title
        anchor = anchor_of(place)
        if anchor and anchor not in self._anchors:
            return NoteLink("span", _NO_PLACE, words)
        return NoteLink("a", {"href": f"#{anchor or 'text'}", "class": "cite"}, words, self._node.id, place)

    @cached_property
    def _cited(self) -> dict[str, Citation]:
        """The citations by what a link may call them: as written, or the target with or without brain."""
        found: dict[str, Citation] = {}
        for citation in self._node.cites:
            marker = citation.marker.strip("[]").partition("|")[0].strip()
            target = citation.target or ""
            for name in (*citation.written, marker, target, target.partition("/")[2]):
                if name:
                    found.setdefault(name.casefold(), citation)
        return found

    @cached_property
    def _own(self) -> frozenset[str]:
        labels = self._node.labels.all() if self._node.labels else ()
        file = self._node.provenance.document.rpartition("/")[2].rpartition(".")[0]
        return frozenset(map(slug, (self._node.slug, self._node.title, file, *labels)))

    @cached_property
    def _anchors(self) -> frozenset[str]:
        return anchors_in(self._node.body)


def attachment(path: str, shown: str = "") -> NoteLink:
    """What a page shows in the place of a picture or another file of a vault."""
    name = path.rpartition("/")[2] or path
    what = _CANVAS if name.lower().endswith(".canvas") else _NOT_STORED
    return NoteLink("span", {"class": "attachment", "title": f"{path} {what}"}, shown or name)


def _to_node(target: NodeRef, citation: Citation, written: str, place: str) -> NoteLink:
    """A link to a node: the words are the name as written; the title of the node where that is its id."""
    attributes = node_attributes(target, citation)
    anchor = anchor_of(place)
    attributes["href"] += f"#{anchor}" if anchor else ""
    by_id = written.casefold() in {target.id, target.id.partition("/")[2]} or written.startswith("((")
    name = target.title if by_id else written.rpartition("/")[2]
    words = f"{name} › {place.rpartition('#')[2]}" if place and not place.startswith("^") else name
    return NoteLink("a", attributes, words, target.id, place)


def _without_place(link: NoteLink, target: NodeRef) -> NoteLink:
    """A link to the note alone, marked: the heading or block is not there."""
    shown = {"class": f"{link.attributes['class']} missing", "title": f"{target.title}: {_NO_PLACE['title']}"}
    return link._replace(attributes={**link.attributes, "href": path_of("nodes", target.id), **shown})


def node_attributes(target: NodeRef, citation: Citation | None) -> dict[str, str]:
    """The attributes of a link to a node."""
    unsure = citation is not None and citation.confidence < 0.8
    sure = f" ({share(citation.confidence)} sure)" if unsure and citation else ""
    return {
        "href": path_of("nodes", target.id),
        "class": "cite unsure" if unsure else "cite",
        "title": target.title + sure,
        "data-preview": path_of("previews", target.id),
    }


def part_of(body: str, place: str) -> str:
    """The part of a text that a link to a heading or block names; all for an empty `place`, "" for none."""
    if not place:
        return body
    last = place.rpartition("#")[2].strip()
    return _block(body, last[1:]) if last.startswith("^") else _section(body, last)


def _section(body: str, heading: str) -> str:
    """A heading with its text, up to the next heading of its level or above."""
    wanted, level, start = anchor_of(heading), 0, -1
    for found in headings_in(body):
        if start >= 0 and found.level <= level:
            return body[start : found.start]
        if start < 0 and anchor_of(plain_text(found.name)) == wanted:
            level, start = found.level, found.start
    return body[start:] if start >= 0 else ""


def _block(body: str, name: str) -> str:
    """The paragraph that ends with `^name`, or the block before a line `^name`; of a list, its one line."""
    found = next((one for one in BLOCK_NAME.finditer(code_masked(body)) if one[1].lower() == name.lower()), None)
    if found is None:
        return ""
    before = body[: found.start()].rstrip()
    line = before.rpartition("\n")[2]
    if body[: found.start()].endswith("\n") or not re.match(r"\s*(?:[-*+]|\d+[.)])\s", line):
        return before.rpartition("\n\n")[2]
    return line.strip()
