"""Names like one that is not there: what every door, every reader of a file and every missing price suggests."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz.distance import Indel

ENOUGH = 0.6
"""How like a name must be to be suggested, from 0 to 1."""

HELD = 0.8
"""How like a name is that holds the other one whole, before it is seen how much of it that is."""

LONGEST = 200


def near(name: str, names: Iterable[str], count: int = 3) -> list[str]:
    """At most `count` of `names` that may have been meant by `name`, the likest first; none where nothing is like it.

    Case does not matter. A part of a name finds it (`sonnet` finds `anthropic/sonnet`), and so do its letters in
    nearly their order; of a path the last part weighs as much as the whole, so that one folder is not all alike.
    """
    asked = name[:LONGEST].casefold()
    scored = ((-_likeness(asked, known.casefold()), known) for known in dict.fromkeys(names))
    return [known for score, known in sorted(scored) if -score >= ENOUGH][:count]


def did_you_mean(word: str, words: Iterable[str]) -> str | None:
    """A hint that names the nearest of `words`, or None."""
    found = near(word, words, 1)
    return f"did you mean {found[0]!r}?" if found else None


def _likeness(asked: str, known: str) -> float:
    """From 0, nothing in common, to 1, the same."""
    return max(_held(asked, known), _spelled(asked, known))


def _held(asked: str, known: str) -> float:
    """Where one holds the other: a part of what is known, or what is known with a little more behind or before it."""
    short, long = sorted((asked, known), key=len)
    share = len(short) / len(long) if long else 0.0
    little = short == known and share < 0.5 and not asked.startswith(known + "/")
    if len(short) < 3 or short not in long or little:
        return 0.0
    return HELD + (1 - HELD) * share


def _spelled(asked: str, known: str) -> float:
    """The share of letters in common, in their order (Indel; of paths, the mean of the whole and its last part)."""
    last = Indel.normalized_similarity(asked.rpartition("/")[2], known.rpartition("/")[2])
    if "/" not in asked or "/" not in known:
        return last if "/" not in asked else Indel.normalized_similarity(asked, known)
    return (last + Indel.normalized_similarity(asked, known)) / 2
