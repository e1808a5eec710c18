"""Quoted words as readers see them: without the marks of Markdown."""

from __future__ import annotations

import re

_MARKUP = (
    (re.compile(r"\n {0,3}>[ \t]?"), "\n"),
    (re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]"), r"\1"),
    (re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*+\)"), r"\1"),
    (re.compile(r"\*\*|__|`|==|\\(?=[$*_`])"), ""),
)
"""The marks of Markdown, each with what stays of it."""


def plain_words(words: str) -> str:
    """A quotation of a note in one line, without its marks: `**95% less** [than](list.md)` → `95% less than`."""
    for mark, stays in _MARKUP:
        words = mark.sub(stays, words)
    return " ".join(words.split())


FRAGMENT = 30
"""Quoted words of fewer letters are a fragment, not a sentence."""


def headline(words: str, says: str) -> tuple[str, str]:
    """The words to show large and those to show below: the quotation and the sentence of the claim.

    The quotation comes first unless it is a fragment or the row of a table. Without a quotation the second is empty.
    """
    if not words:
        return says, ""
    quoted = f"“{words}”"
    return (says, quoted) if len(words) < FRAGMENT or "|" in words else (quoted, says)
