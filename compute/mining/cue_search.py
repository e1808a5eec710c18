"""A pattern with many alternatives, tried only near what each of its matches has: a digit, a colon, *noon*."""

from __future__ import annotations

import re
from collections.abc import Iterator

MARGIN = 60
"""More characters than a match has before its cue, or has and sees behind it."""


def found_near(cue: re.Pattern[str], pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of `pattern` in `text`, as `pattern.finditer` gives them, if each has a match of `cue` in it.

    Only what is within `MARGIN` of a cue is searched: in a long text with few cues this is several times as fast.
    """
    start = end = 0
    for match in cue.finditer(text):
        first, last = match.span()
        if first - MARGIN > end:
            yield from pattern.finditer(text, start, end)
            start = first - MARGIN
        end = min(last + MARGIN, len(text))
    yield from pattern.finditer(text, start, end)
