"""Identifiers: slugs from titles, ids as `brain/slug`, and suffixes that are the same at every ingest."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable

LONGEST = 80
"""A slug is cut at a word border before this many characters."""

_MARKS = str.maketrans({"$": " usd ", "×": "x", "&": " and ", "%": " percent ", "+": " plus "})


def slug(text: str) -> str:
    """A title as a slug: ASCII, lower case, words joined by hyphens, at most `LONGEST` characters.

    A text without an ASCII letter or digit (another script, only punctuation) becomes `n-` and a hash of the text.
    """
    plain = unicodedata.normalize("NFKD", text.translate(_MARKS)).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.lower().replace("'", ""))
    if not words:
        return "n-" + _digest(text)
    joined = "-".join(words)
    if len(joined) <= LONGEST:
        return joined
    return joined[: LONGEST + 1].rpartition("-")[0] or joined[:LONGEST]


def node_id(brain: str, title: str) -> str:
    """`brain/slug` of a title."""
    return f"{brain}/{slug(title)}"


def distinct(slugs: Iterable[tuple[str, str]]) -> list[str]:
    """One unique slug for each `(slug, salt)`; a repeated slug gets a suffix made from its own salt.

    The salt distinguishes entries with the same slug (it is their text), so a suffix does not depend on the other
    entries. Entries with the same slug and the same salt are numbered.
    """
    taken: set[str] = set()
    tried: dict[str, int] = {}
    result = []
    for base, salt in slugs:
        candidate = base
        if base in taken:
            candidate = stem = f"{base}-{_digest(salt)}"
            while candidate in taken:
                tried[stem] = tried.get(stem, 1) + 1
                candidate = f"{stem}-{tried[stem]}"
        taken.add(candidate)
        result.append(candidate)
    return result


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
