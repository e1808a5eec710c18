"""Links of a note, and Obsidian's syntax, on Markdown tokens.

    [[Note]]  [[Note#Heading]]  [[Note#^block]]  [[#Heading]]  [words](../folder/note.md#Heading)

    > [!note]- Title        a callout; `-` folded, `+` unfolded, nested like any quotation
    words ^name             a block with a name: its element gets the id `b-name`
    - [x] done              a task

The targets come from the citations of the node, which the ingest has resolved.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it.token import Token

from api.pages.page_request import path_of
from api.pages.render.figure_format import share
from api.pages.render.text_marks import unmarked
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
    """A link of a page: element, attributes, default words; `target` is the node id, `place` heading or block."""

    tag: str
    attributes: Mapping[str, str]
    words: str
    target: str = ""
    place: str = ""


class NoteLinks:
    """The links of a node; `titles` are the nodes it cites, `bodies` the texts in which places must exist."""

    def __init__(self, node: Node, titles: Mapping[str, NodeRef], bodies: Mapping[str, Node] | None = None) -> None:
        self._node, self._titles, self._bodies = node, titles, bodies or {}

    def wikilink(self, written: str) -> NoteLink:
        """The link `[[written]]`."""
        name, _, place = unmarked(written).partition("#")
        name = name.strip()
        cited = self._cited.get(name.casefold())
        if ATTACHMENT.search(name) and not (cited and cited.target):
            return attachment(name)
        return self._to(name.removesuffix(".md"), place.strip())

    def address(self, href: str) -> NoteLink | None:
        """The link for a relative address; None for other addresses."""
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
            node, anchor, link = self._bodies.get(target.id), anchor_of(place), _to_node(target, citation, name, place)
            lacks = node and anchor and anchor not in anchors_in(node.body) | {anchor_of(node.title)}
            return _without_place(link, target) if lacks else link
        if not name or slug(name.rpartition("/")[2]) in self._own:
            return self._inside(place)
        return NoteLink("span", MISSING, name)

    def _inside(self, place: str) -> NoteLink:
        words = place.rpartition("#")[2] or self._node.title
        anchor = anchor_of(place)
        if anchor and anchor not in self._anchors:
            return NoteLink("span", _NO_PLACE, words)
        return NoteLink("a", {"href": f"#{anchor or 'text'}", "class": "cite"}, words, self._node.id, place)

    @cached_property
    def _cited(self) -> dict[str, Citation]:
        """Citations by the names a link may use: as written, or the target with or without brain."""
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
        file = self._node.provenance.document.rpartition("/")[2].rpartition(".")[0]
        return frozenset(map(slug, (self._node.slug, file, *self._node.names)))

    @cached_property
    def _anchors(self) -> frozenset[str]:
        return anchors_in(self._node.body)


def attachment(path: str, shown: str = "") -> NoteLink:
    """A picture or another file of a vault, as a page shows it."""
    name = path.rpartition("/")[2] or path
    what = _CANVAS if name.lower().endswith(".canvas") else _NOT_STORED
    return NoteLink("span", {"class": "attachment", "title": f"{path} {what}"}, shown or name)


def _to_node(target: NodeRef, citation: Citation, written: str, place: str) -> NoteLink:
    """A link with its written name, or the target's title if the name is its id."""
    attributes = node_attributes(target, citation)
    anchor = anchor_of(place)
    attributes["href"] += f"#{anchor}" if anchor else ""
    by_id = written.casefold() in {target.id, target.id.partition("/")[2]} or written.startswith("((")
    name = target.title if by_id else written.rpartition("/")[2]
    words = f"{name} › {place.rpartition('#')[2]}" if place and not place.startswith("^") else name
    return NoteLink("a", attributes, words, target.id, place)


def _without_place(link: NoteLink, target: NodeRef) -> NoteLink:
    """A link to the note alone, marked: the place does not exist."""
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
    """The text under a heading or of a block; all for an empty `place`, "" if there is none."""
    if not place:
        return body
    last = place.rpartition("#")[2].strip()
    return _block(body, last[1:]) if last.startswith("^") else _section(body, last)


def _section(body: str, heading: str) -> str:
    wanted, level, start = anchor_of(heading), 0, -1
    for found in headings_in(body):
        if start >= 0 and found.level <= level:
            return body[start : found.start]
        if start < 0 and anchor_of(plain_text(found.name)) == wanted:
            level, start = found.level, found.start
    return body[start:] if start >= 0 else ""


def _block(body: str, name: str) -> str:
    """The paragraph that ends with `^name`, or the block before a line `^name`; in a list its line."""
    found = next((one for one in BLOCK_NAME.finditer(code_masked(body)) if one[1].lower() == name.lower()), None)
    if found is None:
        return ""
    before = body[: found.start()].rstrip()
    line = before.rpartition("\n")[2]
    if body[: found.start()].endswith("\n") or not re.match(r"\s*(?:[-*+]|\d+[.)])\s", line):
        return before.rpartition("\n\n")[2]
    return line.strip()


_CALLOUT = re.compile(r"\[!(?P<kind>[A-Za-z][A-Za-z0-9_-]{0,40})(?:\|[^\]\n]{0,80})?\](?P<fold>[-+]?)[ \t]*")
_TASK = re.compile(r"^\[([ xX/>!?*<-])\](?= )")
_BREAKS = frozenset({"softbreak", "hardbreak"})


def callouts(tokens: list[Token]) -> None:
    """Turn quotations that begin with `[!kind]` into callouts, in place."""
    open_: list[str] = []
    for at, token in enumerate(tokens):
        if token.type == "blockquote_open":
            open_.append(_callout(tokens, at))
        elif token.type == "blockquote_close" and (tag := open_.pop()):
            token.tag = tag


def _callout(tokens: list[Token], at: int) -> str:
    """The tag of a callout that begins at a quotation; "" if it is none."""
    first, inline = tokens[at + 1 : at + 3] if at + 3 < len(tokens) else (tokens[at], tokens[at])
    if first.type != "paragraph_open" or not inline.children:
        return ""
    text = inline.children[0]
    found = _CALLOUT.match(text.content) if text.type == "text" else None
    if found is None:
        return ""
    tag, heading = ("details", "summary") if found["fold"] else ("div", "p")
    kind = found["kind"].lower()
    text.content = text.content[found.end() :]
    tokens[at].tag = tag
    tokens[at].attrSet("class", f"callout callout-{kind}")
    if found["fold"] == "+":
        tokens[at].attrSet("open", "")
    _titled(tokens[at + 1 : at + 4], heading, kind)
    return tag


def _titled(paragraph: Sequence[Token], tag: str, kind: str) -> None:
    """Makes the first line of a callout its title."""
    opening, inline, closing = paragraph
    children = inline.children or []
    end = next((at for at, child in enumerate(children) if child.type in _BREAKS), len(children))
    title, rest = children[:end], children[end + 1 :]
    if not unmarked("".join(child.content for child in title)).strip():
        title.insert(0, Token("text", "", 0, content=kind.replace("-", " ").capitalize()))
    between = (
        [Token("paragraph_close", tag, -1), Token("paragraph_open", "p", 1, attrs={"dir": "auto"})] if rest else []
    )
    opening.tag = tag
    opening.attrSet("class", "callout-title")
    closing.tag = "p" if rest else tag
    inline.children = [*title, *between, *rest]


def name_blocks(tokens: list[Token], *, anchors: bool) -> None:
    """Removes block names from the text; with `anchors`, elements get ids."""
    empty, taken = set[int](), set[str]()
    for at, token in enumerate(tokens):
        name = _taken_name(token) if token.type == "inline" else ""
        if not name:
            continue
        alone = not any(child.content.strip() or child.nesting for child in token.children or ())
        item = tokens[at - 1].hidden and at > 1  # the first paragraph of a list item: its name is that of the item
        owner = _before(tokens, at - 1) if alone else tokens[at - 2] if item else tokens[at - 1]
        if anchors and owner is not None and (anchor := anchor_of(f"^{name}")) not in taken:
            owner.attrSet("id", anchor)
            taken.add(anchor)
        if alone:
            empty |= {at - 1, at, at + 1}
    tokens[:] = [token for at, token in enumerate(tokens) if at not in empty]


def _taken_name(token: Token) -> str:
    """Removes and returns the name of a block; "" if it has none."""
    children = token.children or []
    for end, after in reversed(list(zip(children, (*children[1:], None), strict=False))):
        ends_line = after is None or after.type in _BREAKS
        if ends_line and end.type == "text" and (found := BLOCK_NAME.search(end.content)):
            end.content = end.content[: found.start()].rstrip()
            while children and not children[-1].content and children[-1].type in {*_BREAKS, "text"}:
                children.pop()
            return found[1]
    return ""


def _before(tokens: Sequence[Token], at: int) -> Token | None:
    """The list, table or quotation that ends right before a paragraph."""
    level = tokens[at].level
    for index in range(at - 1, -1, -1):
        token = tokens[index]
        if token.level < level:
            return None
        if token.level == level and token.nesting >= 0:
            return token
    return None


def tick(tokens: Sequence[Token]) -> None:
    """A checkbox for `[ ]`, `[x]` or another sign at the start of a list item."""
    for first in [child for token in tokens for child in (token.children or ())[:1]]:
        first.content = _TASK.sub(lambda box: "☐" if box[1] == " " else "☑", first.content)


def link_files(children: Sequence[Token], links: NoteLinks) -> None:
    """Turns links to vault files into links to their nodes, or marks them as missing."""
    tags: list[str] = []
    for token in children:
        if token.type == "link_open":
            if found := links.address(str(token.attrGet("href") or "")):
                token.tag, token.attrs = found.tag, dict(found.attributes)
            tags.append(token.tag)
        elif token.type == "link_close" and tags:
            token.tag = tags.pop()
