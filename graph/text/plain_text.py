"""Markdown as plain text, for excerpts, quotes and terminals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from graph.text.code_blocks import verbatim_masked
from graph.text.math_text import spelled_out

Named = Callable[[str], str]
"""Gives the text of a wikilink without text of its own."""

_WIKILINK = re.compile(r"!?\[\[([^\[\]|\n]{0,300})(?:\\?\|([^\[\]\n]{0,300}))?\]\]")
_PLAIN_WIKILINK = re.compile(_WIKILINK.pattern.removeprefix("!?"))
"""Without `!`: a pattern that begins with two fixed characters is ten times as fast."""
_LINK = re.compile(
    r"!?\[([^\[\]]*)\]\((?:<[^<>\n]{0,2000}>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s{1,9}(?:\"[^\"\n]*\"|'[^'\n]*'))?\)"
)
_NOTE = re.compile(r"\[\^[^\]\n]{1,40}\]:?")
_HEAD = re.compile(r"\n[ \t]*+(?:(?:#+|>+|[-+])[ \t]++|:?---[-: \t]*+(?=\n))+")
_UNDERSCORES = re.compile(r"(?<!\w)_+|(?<!_)_++(?!\w)")
BLOCK_NAME = re.compile(r"(?:^|(?<=\s))\^(?=[0-9]*[A-Za-z-]|[0-9]{4})([A-Za-z0-9-]{1,80})[ \t]*$", re.MULTILINE)
"""The name of a block, at its end or on a line of its own: `^name`."""
_CALLOUT = re.compile(r"^([ \t]*>[ \t>]*)\[!\w[^\]\n]{0,120}\][-+]?", re.MULTILINE)
_HIGHLIGHT = re.compile(r"(?<!=)==(?=[^\s=])([^=\n]{1,1000})(?<=\S)==(?!=)")
_DIGITS = re.compile(r"[\d-]+")


def words_of(name: str) -> str:
    """A node's name as words: `analyst/batch-size#Why` is `batch size`, `#Why` is `Why`."""
    note, _, place = name.strip().partition("#")
    if note.startswith("(("):  # the id of a block says nothing to a reader
        return "…"
    if not note:
        return place.rpartition("#")[2].lstrip("^")
    last = note.rpartition("/")[2].removesuffix(".md")
    return last if " " in last or _DIGITS.fullmatch(last) else last.replace("-", " ")


def naming(titles: Mapping[str, str]) -> Named:
    """Shows links as titles (with lower-case keys), others as their words."""
    return lambda name: titles.get(name.strip().partition("#")[0].casefold()) or words_of(name)


def names_of(node: str, title: str) -> dict[str, str]:
    """A node's title by its id, with and without the brain."""
    return {node.casefold(): title, node.partition("/")[2].casefold(): title}


def naming_notes(titled: Iterable[tuple[str, str]]) -> Named:
    """Shows links to nodes, each given as id and title, as their titles."""
    return naming({name: title for node, title in titled for name, title in names_of(node, title).items()})


def readable(markdown: str, named: Named = words_of) -> str:
    """Markdown with wikilinks as words and formulas without TeX."""
    text = _links_as_words(markdown, named) if "[[" in markdown else markdown
    return spelled_out(text) if "$" in text else text


def _links_as_words(markdown: str, named: Named) -> str:
    """Wikilinks as words, except in code and formulas."""
    pattern = _WIKILINK if "![[" in markdown else _PLAIN_WIKILINK
    masked = verbatim_masked(markdown)
    if masked is markdown:
        return pattern.sub(lambda found: found[2] or named(found[1]), markdown)
    pieces, last = list[str](), 0
    for found in pattern.finditer(masked):
        target, words = markdown[slice(*found.span(1))], markdown[slice(*found.span(2))] if found[2] else ""
        pieces += (markdown[last : found.start()], words or named(target))
        last = found.end()
    return "".join((*pieces, markdown[last:]))


def plain_text(markdown: str, named: Named = words_of) -> str:
    """The words on one line, without markup."""
    text = readable(markdown, named)
    if "[" in text:
        text = _NOTE.sub("", _LINK.sub(r"\1", text))
    if "[!" in text:
        text = _CALLOUT.sub(r"\1", text)
    if "==" in text:
        text = _HIGHLIGHT.sub(r"\1", text)
    if "^" in text:
        text = BLOCK_NAME.sub("", text)
    text = text.replace("*", "").replace("`", "").replace("|", " ")
    text = _HEAD.sub("\n", f"\n{text}\n")
    if "_" in text:
        text = _UNDERSCORES.sub("", text)
    return " ".join(text.split())
