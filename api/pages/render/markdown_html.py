"""Prose: Markdown as safe HTML. The only place that knows the Markdown, maths and cleaning libraries.

Raw HTML in a text is shown as text; what the renderer writes is cleaned all the same, so that an error in one
is caught by the other. A dollar sign is maths only if the text between two of them looks like maths.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any
from unicodedata import bidirectional
from urllib.parse import unquote

import nh3
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from api.pages.render.markdown_limits import bound
from api.pages.render.note_links import NoteLinks, attachment
from api.pages.render.note_markup import callouts, link_files, name_blocks, tick
from api.pages.render.text_marks import TextMarker, unmarked
from graph.ids import slug
from graph.text.math_text import LONGEST as LONGEST_FORMULA
from graph.text.math_text import looks_like_maths

LONGEST = 200_000
"""A text is set up to this many characters; the page says where it stops."""

MOST_FORMULAS = 2_000
"""The most formulas of a text that are drawn: each takes 0.3 ms. Others are shown as they are written."""

_LINKS, _FORMULAS = "brain-links", "brain-formulas"
_REMOTE = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//)")
_NUMERIC = re.compile(
    r"^[\s~≈<>≤≥±−+–-]*[$€£]?\s?\d[\d.,–-]*+\s?(?:[%×xkKMBT]|[A-Za-z/]{1,8})?[\s–-]*+[\d.,$%×]*+\s*$|^[–—-]?$"
)

_PLAIN_TAGS = {
    "a", "abbr", "b", "blockquote", "br", "code", "del", "details", "div", "em", "h2", "h3", "h4", "h5", "h6", "hr",
    "i", "li", "mark", "ol", "p", "pre", "q", "s", "section", "small", "span", "strong", "sub", "summary", "sup",
    "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
_MATH_TAGS = {
    "math", "menclose", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded", "mphantom", "mroot",
    "mrow", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder",
    "munderover",
}  # fmt: skip
_ATTRIBUTES = {
    "*": {"class", "dir", "id"},
    "a": {"aria-label", "data-preview", "href", "rel", "title"},
    "details": {"open"},
    "div": {"tabindex", "role", "aria-label"},
    "math": {"display"},
    "mo": {"stretchy", "fence", "form"},
    "ol": {"start"},
    "span": {"title"},
    "th": {"scope"},
}


def markdown_to_html(marker: TextMarker, links: NoteLinks | None = None, part: str = "") -> str:
    """A marked Markdown text as HTML with its marks; headings begin below the title of the page.

    `links` says where links to files lead. `part` names a text inside another one: its footnotes have ids of their
    own, its headings and blocks have none.
    """
    env = {_LINKS: links, **({"docId": part} if part else {})}
    return marker.weave(_cleaned(_renderer().render(marker.text[:LONGEST], env)))


def _cleaned(markup: str) -> str:
    return nh3.clean(
        markup,
        tags=_PLAIN_TAGS | _MATH_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel=None,
    )


@lru_cache(maxsize=1)
def _renderer() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    dollarmath_plugin(made, allow_labels=False, allow_space=False, allow_digits=False, renderer=_formula)
    _guard_dollars(made)
    made.use(footnote_plugin, inline=False, always_match_refs=False)
    bound(made)
    for name, rule in _NOTES.items():
        made.add_render_rule(name, rule)
    made.core.ruler.push("shape", _shape)
    made.add_render_rule("image", _image)
    made.add_render_rule("table_open", _table_open)
    made.add_render_rule("table_close", _table_close)
    return made


def _guard_dollars(made: MarkdownIt) -> None:
    """Let the rule for maths judge only what looks like maths: `$3 in and $15 out` are prices."""
    rules = {rule.name: rule.fn for rule in made.inline.ruler.__rules__}
    judge = rules["math_inline"]

    def guarded(state: StateInline, silent: bool) -> bool:
        """The rule of the plugin, taken back where its formula is none."""
        before, count, pending = state.pos, len(state.tokens), state.pending
        if state.src[before] != "$" or not judge(state, silent):
            return False
        if looks_like_maths(state.src[before + 1 : state.pos].rstrip("$")) and _room(state.env):
            return True
        del state.tokens[count:]
        state.pos, state.pending = before, pending
        return False

    made.inline.ruler.at("math_inline", guarded)


def _room(env: MutableMapping[str, Any]) -> bool:
    """Whether a text may have one more formula; others are shown as they are written."""
    env[_FORMULAS] = env.get(_FORMULAS, 0) + 1
    found: int = env[_FORMULAS]
    return found <= MOST_FORMULAS


@lru_cache(maxsize=MOST_FORMULAS)
def _mathml(text: str, display: str) -> str:
    return convert(text, display=display)


def _formula(text: str, options: dict[str, bool]) -> str:
    """A formula as MathML; one that the library cannot read is shown as it was written."""
    try:
        if len(text) > LONGEST_FORMULA:
            raise ValueError(text)
        return _mathml(text, "block" if options["display_mode"] else "inline")
    except Exception:  # noqa: BLE001  # the library raises whatever its parser trips over; the text must be shown
        return f"<code>{html.escape(text)}</code>"


def _shape(state: StateCore) -> None:
    """Headings below the page's own, addresses for them, directions from the text, numbers to the right."""
    links, part = state.env.get(_LINKS), state.env.get("docId")
    callouts(state.tokens)
    name_blocks(state.tokens, anchors=not part)
    levels = [int(token.tag[1]) for token in state.tokens if token.type == "heading_open"]
    shift = 2 - min(levels, default=2)
    taken: dict[str, int] = {}
    for at, (token, following) in enumerate(zip_longest(state.tokens, state.tokens[1:])):
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1]) + shift)}"
        if token.type == "heading_open" and following is not None and not part:
            token.attrSet("id", _anchor(_words(following), taken))
        if token.type in {"paragraph_open", "heading_open", "list_item_open", "td_open", "th_open"}:
            token.attrSet("dir", "auto")
        if token.type == "list_item_open":
            tick(state.tokens[at + 1 : at + 3])
        _links_of(token, links)
    _turn(state.tokens)
    _align(state.tokens)


def _turn(tokens: Sequence[Token]) -> None:
    """Lists, quotations and tables go from right to left where their first words do: bullets and columns with them."""
    waiting: list[Token] = []
    for token in tokens:
        if token.type in {"bullet_list_open", "ordered_list_open", "blockquote_open", "table_open"}:
            waiting.append(token)
        elif token.type == "inline" and (side := _direction(unmarked(token.content))):
            for one in waiting if side == "rtl" else ():
                one.attrSet("dir", "rtl")
            waiting = []


def _direction(text: str) -> str:
    """The direction of the first letter that has one; empty where none has."""
    sides = {"L": "ltr", "R": "rtl", "AL": "rtl"}
    return next((sides[kind] for kind in map(bidirectional, text) if kind in sides), "")


def _words(inline: Token) -> str:
    return unmarked("".join(child.content for child in inline.children or ()))


def _anchor(title: str, taken: dict[str, int]) -> str:
    """A name of its own for a heading; `taken` are the names so far, with the last number behind each."""
    name = base = "s-" + slug(title)
    while name in taken:
        taken[base] += 1
        name = f"{base}-{taken[base]}"
    taken[name] = 1
    return name


def _links_of(token: Token, links: NoteLinks | None) -> None:
    """The links of a block of text: those to files lead to their nodes, those to other hosts are marked."""
    if token.children and links is not None:
        link_files(token.children, links)
    for inline in token.children or ():
        if inline.type == "link_open":
            _link(inline)
        elif inline.type == "image" and links is not None:
            inline.meta["local"] = not _REMOTE.match(str(inline.attrs.get("src", "")))


def _link(token: Token) -> None:
    if str(token.attrGet("href") or "").startswith(("http:", "https:")):
        token.attrSet("rel", "noopener nofollow ugc")
        token.attrSet("class", "outward")


def _align(tokens: Sequence[Token]) -> None:
    """Columns whose cells are mostly numbers are right-aligned, heads included."""
    for table in _tables(tokens):
        for column in range(max((len(row) for row in table), default=0)):
            cells = [row[column] for row in table if column < len(row)]
            written = [text for cell, text in cells if cell.tag == "td" and text.strip()]
            numeric = sum(bool(_NUMERIC.match(text)) for text in written)
            if written and numeric * 3 >= len(written) * 2:
                for cell, _ in cells:
                    cell.attrSet("class", "number")


def _tables(tokens: Sequence[Token]) -> Iterator[list[list[tuple[Token, str]]]]:
    table: list[list[tuple[Token, str]]] = []
    for token, following in zip_longest(tokens, tokens[1:]):
        if token.type == "table_open":
            table = []
        elif token.type == "tr_open":
            table.append([])
        elif token.type in {"td_open", "th_open"} and table:
            token.attrs.pop("style", None)
            table[-1].append((token, unmarked(following.content) if following is not None else ""))
        elif token.type == "table_close":
            yield table


def _table_open(_self: object, tokens: Sequence[Token], index: int, *_rest: object) -> str:
    side = ' dir="rtl"' if tokens[index].attrGet("dir") else ""
    side += f' id="{name}"' if (name := tokens[index].attrGet("id")) else ""
    return f'<div class="scroll" tabindex="0" role="group" aria-label="Table"><table{side}>'


def _table_close(*_arguments: object) -> str:
    return "</table></div>"


def _notes_open(*_arguments: object) -> str:
    return '<section class="footnotes"><ol>\n'


def _note_sign(_self: object, tokens: Sequence[Token], index: int, *_rest: object) -> str:
    """A letter: figures in brackets refer to nodes, raised figures to quotations."""
    number = int(tokens[index].meta["id"])
    return f"{chr(97 + number % 26)}{number // 26 or ''}"


def _note_back(_self: object, tokens: Sequence[Token], index: int, _options: object, env: Mapping[str, str]) -> str:
    again = tokens[index].meta["subId"]
    part = f"-{env['docId']}-" if env.get("docId") else ""
    name = f"fnref{part}{tokens[index].meta['id'] + 1}" + (f":{again}" if again else "")
    return f' <a href="#{name}" class="footnote-backref" aria-label="Back to the text">↑</a>'


_NOTES: Mapping[str, Callable[..., str]] = {
    "footnote_block_open": _notes_open,
    "footnote_caption": _note_sign,
    "footnote_anchor": _note_back,
}


def _image(_self: object, tokens: Sequence[Token], index: int, *_rest: object) -> str:
    """An image of another host is a link to it, as a page asks no other host for anything; a file is its name."""
    token = tokens[index]
    source = str(token.attrs.get("src", ""))
    address, name = html.escape(source), html.escape(token.content or "image")
    if token.meta.get("local"):
        file = attachment(unquote(source), re.sub(r"\|?(?<!\d)\d++(?:x\d++)?$", "", token.content))
        title = html.escape(file.attributes["title"])
        return f'<span class="attachment" title="{title}">{html.escape(file.words)}</span>'
    return f'<a class="outward" rel="noopener nofollow ugc" href="{address}">{name}</a>'
