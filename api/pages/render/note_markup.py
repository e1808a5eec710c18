"""What Obsidian adds to Markdown, on the tokens of a text: callouts, names of blocks, tasks, links to files.

> [!note]- Title        a callout; `-` folded, `+` unfolded, nested like any quotation
words ^name             a block with a name: its element gets the id `b-name`
- [x] done              a task
[words](note.md)        a link to a file, shown as the link to its node
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it.token import Token

from api.pages.render.note_links import NoteLinks
from api.pages.render.text_marks import unmarked
from graph.text.anchors import anchor_of
from graph.text.plain_text import BLOCK_NAME

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
    """The tag of the callout that begins at a quotation; "" if it is none."""
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
    """The first line of a callout as its title, the other lines of the same paragraph as its first paragraph."""
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
    """Take the names of blocks out of the text; with `anchors`, the element of each block gets its id."""
    empty, taken = set[int](), set[str]()
    for at, token in enumerate(tokens):
        name = _taken_name(token) if token.type == "inline" else ""
        if not name:
            continue
        alone = not any(child.content.strip() or child.nesting for child in token.children or ())
        owner = _owner(tokens, at) if not alone else _before(tokens, at - 1)
        if anchors and owner is not None and (anchor := anchor_of(f"^{name}")) not in taken:
            owner.attrSet("id", anchor)
            taken.add(anchor)
        if alone:
            empty |= {at - 1, at, at + 1}
    tokens[:] = [token for at, token in enumerate(tokens) if at not in empty]


def _taken_name(token: Token) -> str:
    """The name at the end of a block, which is taken out of its text; "" if it has none."""
    children = token.children or []
    last = children[-1] if children else None
    found = BLOCK_NAME.search(last.content) if last is not None and last.type == "text" else None
    if last is None or found is None:
        return ""
    last.content = last.content[: found.start()].rstrip()
    while children and (children[-1].type in _BREAKS or (children[-1].type == "text" and not children[-1].content)):
        children.pop()
    return found[1]


def _owner(tokens: Sequence[Token], at: int) -> Token:
    """The element of a block of text: of a list item's first paragraph the item, else the paragraph or heading."""
    opening = tokens[at - 1]
    return tokens[at - 2] if opening.hidden and at > 1 else opening


def _before(tokens: Sequence[Token], at: int) -> Token | None:
    """The element that ends right before a paragraph: a list, table or quotation."""
    level = tokens[at].level
    for index in range(at - 1, -1, -1):
        token = tokens[index]
        if token.level < level:
            return None
        if token.level == level and token.nesting >= 0:
            return token
    return None


def tick(tokens: Sequence[Token]) -> None:
    """The box of a task, where the first words of a list item are one: `[ ]`, `[x]`, or another sign for a state."""
    for first in [child for token in tokens for child in (token.children or ())[:1]]:
        first.content = _TASK.sub(lambda box: "☐" if box[1] == " " else "☑", first.content)


def link_files(children: Sequence[Token], links: NoteLinks) -> None:
    """Turn links to files of a vault into links to their nodes, or into what marks a missing one."""
    tags: list[str] = []
    for token in children:
        if token.type == "link_open":
            tags.append(_linked(token, links))
        elif token.type == "link_close" and tags:
            token.tag = tags.pop()


def _linked(token: Token, links: NoteLinks) -> str:
    found = links.address(str(token.attrGet("href") or ""))
    if found is None:
        return token.tag
    token.tag = found.tag
    token.attrs = dict(found.attributes)
    return found.tag
