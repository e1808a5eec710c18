"""Markdown as plain words, for excerpts and snippets."""

from __future__ import annotations

import re

_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]|!?\[([^\[\]]*)\]\([^()\s]*\)")
_HEAD = re.compile(r"\n[ \t]*(?:(?:#+|>+|[-+])[ \t]+|:?-{3,}[-: \t]*(?=\n))+")
_UNDERSCORES = re.compile(r"(?<!\w)_+|_+(?!\w)")
_MARKS = str.maketrans("", "", "*`|")


def plain_text(markdown: str) -> str:
    """The words on one line, without the marks of emphasis, links, headings, lists and tables."""
    text = markdown.translate(_MARKS)
    if "[" in text:
        text = _LINK.sub(lambda found: found[1] or found[2] or "", markdown).translate(_MARKS)
    text = _HEAD.sub("\n", f"\n{text}\n")
    if "_" in text:
        text = _UNDERSCORES.sub("", text)
    return " ".join(text.split())
