"""Prose: Markdown as safe HTML. The only place that knows the Markdown, maths and cleaning libraries.

Raw HTML in a text is shown as text; what the renderer writes is cleaned all the same, so that an error in one
is caught by the other. A dollar sign is maths only if the text between two of them looks like maths.

The time for a page grows with its length and not with its square: the rules of the plugins look for the end of what
they found the beginning of, and where there is none they read to the end of the text, for every beginning. Each guard
knows beforehand whether there is an end, and asks the rule only then. A text with more opening brackets than any
author writes gets no more links from then on.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any
from unicodedata import bidirectional
from urllib.parse import unquote

import nh3
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from api.pages.render.note_links import NoteLinks, attachment, callouts, link_files, name_blocks, tick
from api.pages.render.text_marks import TextMarker, unmarked
from graph.ids import slug
from graph.text.math_text import LONGEST as LONGEST_FORMULA
from graph.text.math_text import looks_like_maths

LONGEST = 200_000  # a text is set up to this many characters; the page says where it stops

MOST_FORMULAS = 2_000
"""The most formulas of a text that are drawn: each takes 0.3 ms. Others are shown as they are written."""

_LINKS, _FORMULAS = "brain-links", "brain-formulas"
_REMOTE = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//)")
_RANGE = re.compile(r"(?<![\d.,])[$€£]?\d[\d.,]*+–[$€£]?\d[\d.,]*+[%×\w]*+")
_WHOLE = r'<span class="nowrap">\g<0></span>'
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
    markup = _renderer().render(marker.text[:LONGEST], env)
    tags, schemes = _PLAIN_TAGS | _MATH_TAGS, {"http", "https", "mailto"}
    return marker.weave(nh3.clean(markup, tags=tags, attributes=_ATTRIBUTES, url_schemes=schemes, link_rel=None))


@lru_cache(maxsize=1)
def _renderer() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    dollarmath_plugin(made, allow_labels=False, allow_space=False, allow_digits=False, renderer=_formula)
    _guard_dollars(made)
    made.use(footnote_plugin, inline=False, always_match_refs=False)
    _bound(made)
    for name, rule in _RENDERED.items():
        made.add_render_rule(name, rule)
    made.core.ruler.push("shape", _shape)
    return made


def _guard_dollars(made: MarkdownIt) -> None:
    """Maths only where it looks like maths: `$3 in and $15 out` are prices."""
    judge = _rules(made.inline.ruler)["math_inline"]

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
    env[_FORMULAS] = env.get(_FORMULAS, 0) + 1
    found: int = env[_FORMULAS]
    return found <= MOST_FORMULAS


_mathml = lru_cache(maxsize=MOST_FORMULAS)(convert)


def _formula(text: str, options: dict[str, bool]) -> str:
    """MathML; as written if the library cannot read it."""
    try:
        if len(text) > LONGEST_FORMULA:
            raise ValueError(text)
        return _mathml(text, display="block" if options["display_mode"] else "inline")
    except Exception:  # noqa: BLE001  # the library raises whatever its parser trips over; the text must be shown
        return f"<code>{html.escape(text)}</code>"


def _shape(state: StateCore) -> None:
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
    """Right-to-left lists, quotations and tables by their first words."""
    waiting: list[Token] = []
    for token in tokens:
        if token.type in {"bullet_list_open", "ordered_list_open", "blockquote_open", "table_open"}:
            waiting.append(token)
        elif token.type == "inline" and (side := _direction(unmarked(token.content))):
            for one in waiting if side == "rtl" else ():
                one.attrSet("dir", "rtl")
            waiting = []


def _direction(text: str) -> str:
    sides = {"L": "ltr", "R": "rtl", "AL": "rtl"}
    return next((sides[kind] for kind in map(bidirectional, text) if kind in sides), "")


def _words(inline: Token) -> str:
    return unmarked("".join(child.content for child in inline.children or ()))


def _anchor(title: str, taken: dict[str, int]) -> str:
    """A unique name of a heading; `taken` counts the names so far."""
    name = base = "s-" + slug(title)
    while name in taken:
        taken[base] += 1
        name = f"{base}-{taken[base]}"
    taken[name] = 1
    return name


def _links_of(token: Token, links: NoteLinks | None) -> None:
    if token.children and links is not None:
        link_files(token.children, links)
    for inline in token.children or ():
        if inline.type == "link_open" and str(inline.attrGet("href") or "").startswith(("http:", "https:")):
            inline.attrSet("rel", "noopener nofollow ugc")
            inline.attrSet("class", "outward")
        elif inline.type == "image" and links is not None:
            inline.meta["local"] = not _REMOTE.match(str(inline.attrs.get("src", "")))


def _align(tokens: Sequence[Token]) -> None:
    """Right-aligns columns of numbers, heads included."""
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


def _note_sign(_self: object, tokens: Sequence[Token], index: int, *_rest: object) -> str:
    """A letter: bracketed figures are nodes, raised figures quotations."""
    number = int(tokens[index].meta["id"])
    return f"{chr(97 + number % 26)}{number // 26 or ''}"


def _note_back(_self: object, tokens: Sequence[Token], index: int, _options: object, env: Mapping[str, str]) -> str:
    again = tokens[index].meta["subId"]
    part = f"-{env['docId']}-" if env.get("docId") else ""
    name = f"fnref{part}{tokens[index].meta['id'] + 1}" + (f":{again}" if again else "")
    return f' <a href="#{name}" class="footnote-backref" aria-label="Back to the text">↑</a>'


def _image(_self: object, tokens: Sequence[Token], index: int, *_rest: object) -> str:
    """A link: pages load nothing from other hosts; a file becomes its name."""
    token = tokens[index]
    source = str(token.attrs.get("src", ""))
    address, name = html.escape(source), html.escape(token.content or "image")
    if token.meta.get("local"):
        file = attachment(unquote(source), re.sub(r"\|?(?<!\d)\d++(?:x\d++)?$", "", token.content))
        title = html.escape(file.attributes["title"])
        return f'<span class="attachment" title="{title}">{html.escape(file.words)}</span>'
    return f'<a class="outward" rel="noopener nofollow ugc" href="{address}">{name}</a>'


_RENDERED: Mapping[str, Callable[..., str]] = {
    "footnote_block_open": lambda *_: '<section class="footnotes"><ol>\n',
    "footnote_caption": _note_sign,
    "footnote_anchor": _note_back,
    "image": _image,
    "text": lambda _, tokens, index, *_rest: _RANGE.sub(_WHOLE, html.escape(tokens[index].content)),
    "table_open": _table_open,
    "table_close": lambda *_: "</table></div>",
}
"""What is rendered otherwise than by the library and its plugins."""


LONGEST_LABEL = 200  # a footnote's name has at most so many characters

MOST_BRACKETS = 40_000
"""Opening brackets of a text that may begin a link, a picture or a footnote; each may be tried twice."""

_BRACKETS, _DOLLARS, _CLOSING = "brain-brackets", "brain-dollars", "brain-closing"
_CLOSED = re.compile(r"\$\$[^\S\n]*$", re.MULTILINE)

InlineRule = Callable[[StateInline, bool], bool]
BlockRule = Callable[[StateBlock, int, int, bool], bool]


def _bound(made: MarkdownIt) -> None:
    inline, block = _rules(made.inline.ruler), _rules(made.block.ruler)
    made.inline.ruler.at("footnote_ref", _named(inline["footnote_ref"]))
    for name, opening in (("link", "["), ("image", "![")):
        made.inline.ruler.at(name, _counted(inline[name], opening))
    made.block.ruler.at("math_block", _closed(block["math_block"]))


def _rules(ruler: Any) -> dict[str, Callable[..., bool]]:  # noqa: ANN401  # a ruler of either kind of rules
    return {rule.name: rule.fn for rule in ruler.__rules__}


def _named(rule: InlineRule) -> InlineRule:
    """A footnote reference with a name of at most `LONGEST_LABEL` characters."""

    def guarded(state: StateInline, silent: bool) -> bool:
        start = state.pos
        if not state.src.startswith("[^", start):
            return False
        return state.src.find("]", start, start + LONGEST_LABEL) > 0 and rule(state, silent)

    return guarded


def _counted(rule: InlineRule, opening: str) -> InlineRule:

    def guarded(state: StateInline, silent: bool) -> bool:
        if not state.src.startswith(opening, state.pos) or state.pos > _last_closing(state):
            return False
        count = state.env[_BRACKETS] = state.env.get(_BRACKETS, 0) + 1
        return count <= MOST_BRACKETS and rule(state, silent)

    return guarded


def _last_closing(state: StateInline) -> int:
    """The place of the last closing bracket; cached for a text."""
    known: tuple[str, int] = state.env.get(_CLOSING, ("", -1))
    if known[0] is not state.src:
        known = state.env[_CLOSING] = state.src, state.src.rfind("]")
    return known[1]


def _closed(rule: BlockRule) -> BlockRule:

    def guarded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        at = state.bMarks[start] + state.tShift[start]
        if not state.src.startswith("$$", at):
            return False
        ends = _ends(state.env, state.src)
        following = bisect_left(ends, at + 2)
        within = following < len(ends) and ends[following] < state.eMarks[end - 1]
        return within and rule(state, start, end, silent)

    return guarded


def _ends(env: MutableMapping[str, Any], source: str) -> list[int]:
    """Where `$$` ends a line; cached for a text."""
    if _DOLLARS not in env:
        env[_DOLLARS] = [found.start() for found in _CLOSED.finditer(source)]
    found: list[int] = env[_DOLLARS]
    return found
