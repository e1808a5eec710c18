"""Where a Markdown text is verbatim: code, mathematics, a bracket after a backslash. No link begins there."""

from __future__ import annotations

import re

from graph.text.code_blocks import BLANK, code_masked
from graph.text.math_text import looks_like_maths

_INLINE = re.compile(
    r"\\[\\`$\[]"
    # code on the lines of one paragraph; bounded, so that no text costs a square
    r"|(?<!`)(?P<ticks>`{1,20})(?!`)(?:[^\n\x00]|\n(?![ \t>]*(?:\n|\Z))){1,4000}?(?<!`)(?P=ticks)(?!`)"
    r"|\$\$[^$\x00]{1,2000}\$\$"
    r"|(?<![$\w])\$(?![\s$])(?P<formula>[^$\n\x00]{1,400})(?<![\s\\])\$(?![\w$])"
)
_LINKS = re.compile(r"\[\[[^\[\]\n]{0,400}\]\]")


def verbatim_masked(text: str) -> str:
    """`text` with everything verbatim replaced by `BLANK`, character by character."""
    text = code_masked(text)
    return _inline_masked(text) if "`" in text or "$" in text or "\\" in text else text


def _inline_masked(text: str) -> str:
    pieces, last, at = list[str](), 0, 0
    while found := _INLINE.search(text, at):
        if not _is_verbatim(found):
            at = found.end() if found[0][0] == "\\" else found.start() + 1
            continue
        pieces += (text[last : found.start()], BLANK * len(found[0]))
        last = at = found.end()
    return "".join((*pieces, text[last:]))


def _is_verbatim(found: re.Match[str]) -> bool:
    """Whether what `_INLINE` found is to be masked: no other sign after a backslash than `[`, and no two prices."""
    if found[0][0] == "\\":
        return found[0][1] == "["
    return not found["formula"] or looks_like_maths(_LINKS.sub("", found["formula"]))
