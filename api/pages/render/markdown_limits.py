"""Rules of the Markdown plugins, bounded: the time for a page grows with its length and not with its square.

The plugins look for the end of what they found the beginning of. Where there is none, they read to the end of the text,
for every beginning. Each guard here knows beforehand whether there is an end, and asks the rule only then. A text with
more opening brackets than any author writes gets no more links from then on.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, MutableMapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

LONGEST_LABEL = 200
"""A footnote's name has at most so many characters."""

MOST_BRACKETS = 40_000
"""Opening brackets of a text that may begin a link, a picture or a footnote; each may be tried twice."""

_BRACKETS, _DOLLARS, _CLOSING = "brain-brackets", "brain-dollars", "brain-closing"
_CLOSED = re.compile(r"\$\$[^\S\n]*$", re.MULTILINE)

InlineRule = Callable[[StateInline, bool], bool]
BlockRule = Callable[[StateBlock, int, int, bool], bool]


def bound(made: MarkdownIt) -> None:
    """Put the guards around the rules of the plugins that `made` uses."""
    inline, block = _rules(made.inline.ruler), _rules(made.block.ruler)
    made.inline.ruler.at("footnote_ref", _named(inline["footnote_ref"]))
    for name, opening in (("link", "["), ("image", "![")):
        made.inline.ruler.at(name, _counted(inline[name], opening))
    made.block.ruler.at("math_block", _closed(block["math_block"]))


def _rules(ruler: Any) -> dict[str, Callable[..., bool]]:  # noqa: ANN401  # a ruler of either kind of rules
    return {rule.name: rule.fn for rule in ruler.__rules__}


def _named(rule: InlineRule) -> InlineRule:
    """A reference to a footnote, where its name ends within `LONGEST_LABEL` characters."""

    def guarded(state: StateInline, silent: bool) -> bool:
        start = state.pos
        if not state.src.startswith("[^", start):
            return False
        return state.src.find("]", start, start + LONGEST_LABEL) > 0 and rule(state, silent)

    return guarded


def _counted(rule: InlineRule, opening: str) -> InlineRule:
    """A link or a picture, while there are not more than `MOST_BRACKETS` of their beginnings."""

    def guarded(state: StateInline, silent: bool) -> bool:
        if not state.src.startswith(opening, state.pos) or state.pos > _last_closing(state):
            return False
        count = state.env[_BRACKETS] = state.env.get(_BRACKETS, 0) + 1
        return count <= MOST_BRACKETS and rule(state, silent)

    return guarded


def _last_closing(state: StateInline) -> int:
    """Where the last closing bracket of a text is: what begins after it is no link. Computed once for a text."""
    known: tuple[str, int] = state.env.get(_CLOSING, ("", -1))
    if known[0] is not state.src:
        known = state.env[_CLOSING] = state.src, state.src.rfind("]")
    return known[1]


def _closed(rule: BlockRule) -> BlockRule:
    """A block between `$$` and `$$`, where a line further down ends with the closing `$$`, or its own does."""

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
    """Where `$$` is at the end of a line of the text; computed once."""
    if _DOLLARS not in env:
        env[_DOLLARS] = [found.start() for found in _CLOSED.finditer(source)]
    found: list[int] = env[_DOLLARS]
    return found
