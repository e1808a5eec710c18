"""Suggestions for a name that does not exist, used by every interface, every parser and every missing price."""

from __future__ import annotations

import re
from collections.abc import Iterable

ENOUGH = 0.6
"""Minimum similarity of a suggested name, from 0 to 1."""

HELD = 0.8
"""Base similarity of a name that contains the other; the share that it covers is added."""

LONGEST = 200


def near(name: str, names: Iterable[str], count: int = 3) -> list[str]:
    """Up to `count` of `names` that resemble `name`, the most similar first; empty if none does.

    Case does not matter. A part of a name matches it (`sonnet` finds `anthropic/sonnet`), and so do its letters in
    nearly the same order. The last part of a path weighs as much as the full path, so that files of one folder differ.
    """
    asked = name[:LONGEST].casefold()
    scored = ((-_similarity(asked, known.casefold()), known) for known in dict.fromkeys(names))
    return [known for score, known in sorted(scored) if -score >= ENOUGH][:count]


def spelled_alike(word: str, names: Iterable[str], most: int) -> list[str]:
    """The names that at most so many wrong, swapped, missing or added letters make of a word, most similar first."""
    from rapidfuzz.distance import OSA, Indel  # noqa: PLC0415  # 48 modules, which a command without a mistake saves

    close = [one for one in names if OSA.distance(word, one, score_cutoff=most) <= most]
    return sorted(close, key=lambda one: (-Indel.normalized_similarity(word, one), one))


def did_you_mean(word: str, words: Iterable[str]) -> str | None:
    """A hint with the most similar of `words`, or None."""
    found = near(word, words, 1)
    return f"did you mean {found[0]!r}?" if found else None


def _similarity(asked: str, known: str) -> float:
    """Similarity from 0 (nothing in common) to 1 (equal)."""
    return max(_common(asked, known), _spelled(asked, known))


def _common(asked: str, known: str) -> float:
    """Similarity if one name contains the other: a part of a known name, or a known name with more text."""
    short, long = sorted((asked, known), key=len)
    share = len(short) / len(long) if long else 0.0
    little = short == known and share < 0.5 and not asked.startswith(known + "/")
    if len(short) < 3 or short not in long or little:
        return 0.0
    return HELD + (1 - HELD) * share


def _spelled(asked: str, known: str) -> float:
    """Share of common letters in order (Indel similarity; for paths, the mean of the full path and its last part)."""
    from rapidfuzz.distance import Indel  # noqa: PLC0415  # as above

    last = Indel.normalized_similarity(asked.rpartition("/")[2], known.rpartition("/")[2])
    if "/" not in asked or "/" not in known:
        return last if "/" not in asked else Indel.normalized_similarity(asked, known)
    return (last + Indel.normalized_similarity(asked, known)) / 2


def names_any(text: str, brains: Iterable[str]) -> bool:
    """Whether a text names one of the brains, by itself or in the id of a node."""
    return any(re.search(rf"(?<![a-z0-9-]){re.escape(brain)}(?![a-z0-9-])", text, re.IGNORECASE) for brain in brains)
