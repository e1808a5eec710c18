"""Suggestions for names that do not exist."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

ENOUGH = 0.6  # minimum similarity of a suggested name, from 0 to 1

HELD = 0.8  # base similarity of a name that contains the other; the share of it is added

LONGEST = 200


def near(name: str, names: Iterable[str], count: int = 3) -> list[str]:
    """Up to `count` similar names, whatever their case, the most similar first.

    Similar are a part of a name (`sonnet` of `anthropic/sonnet`) and letters in nearly the same order. The last part
    of a path counts as much as the full path, so files of one folder differ.
    """
    asked = name[:LONGEST].casefold()
    scored = []
    for known in dict.fromkeys(names):
        folded = known.casefold()
        scored.append((-max(_common(asked, folded), _spelled(asked, folded)), known))
    return [known for score, known in sorted(scored) if -score >= ENOUGH][:count]


def spelled_alike(word: str, names: Iterable[str], most: int) -> list[str]:
    """Names with at most `most` wrong letters, the most similar first."""
    from rapidfuzz.distance import OSA, Indel  # noqa: PLC0415  # 48 modules, which a command without a mistake saves

    close = [one for one in names if OSA.distance(word, one, score_cutoff=most) <= most]
    return sorted(close, key=lambda one: (-Indel.normalized_similarity(word, one), one))


def did_you_mean(word: str, words: Iterable[str]) -> str | None:
    """A hint with the most similar word, if there is one."""
    found = near(word, words, 1)
    return f"did you mean {found[0]!r}?" if found else None


def suggestion(word: str, words: Collection[str]) -> str:
    """`did you mean …?` for the word with the same letters, or the most similar one; else empty."""
    best = _swapped(word, words) or near(word, words, 1)
    return f"did you mean {best[0]}?" if best else ""


def misspelt(word: str, words: Collection[str]) -> str:
    """`did you mean …?` for a word with one wrong letter (from 3), or two (from 8), as names resemble it too."""
    most = 0 if len(word) < 3 else 1 if len(word) < 8 else 2
    best = _swapped(word, words) or spelled_alike(word, words, most)
    return f"did you mean {best[0]}?" if best else ""


def _swapped(word: str, choices: Iterable[str]) -> list[str]:
    """The choices with the same letters: in another case, or two swapped."""
    letters = sorted(word.lower())
    return sorted(one for one in choices if sorted(one.lower()) == letters)


def _common(asked: str, known: str) -> float:
    """Similarity if one name contains the other."""
    short, long = sorted((asked, known), key=len)
    share = len(short) / len(long) if long else 0.0
    little = short == known and share < 0.5 and not asked.startswith(known + "/")
    if len(short) < 3 or short not in long or little:
        return 0.0
    return HELD + (1 - HELD) * share


def _spelled(asked: str, known: str) -> float:
    """Indel similarity; for paths, the mean of the full path and its last part."""
    from rapidfuzz.distance import Indel  # noqa: PLC0415  # as above

    last = Indel.normalized_similarity(asked.rpartition("/")[2], known.rpartition("/")[2])
    if "/" not in asked or "/" not in known:
        return last if "/" not in asked else Indel.normalized_similarity(asked, known)
    return (last + Indel.normalized_similarity(asked, known)) / 2


def names_any(text: str, brains: Iterable[str]) -> bool:
    """Whether a text names one of the brains, alone or in a node's id."""
    return any(re.search(rf"(?<![a-z0-9-]){re.escape(brain)}(?![a-z0-9-])", text, re.IGNORECASE) for brain in brains)
