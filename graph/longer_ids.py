"""The longer ids of notes of one name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from graph.ids import ascii_slug, slug
from graph.name_rules import LONGEST_PART

NOTES = frozenset({".md", ".markdown"})


def longer_ids(brain: str, part: str, document: str) -> Iterator[str]:
    """The id with one folder before its slug, then with two … up to the length limit; then with a digest.

    A file that is not Markdown tries its kind before the digest: `report-html` next to `report`.
    """
    folders = [slug(folder) for folder in PurePosixPath(document).parent.parts]
    for count in range(1, len(folders) + 1):
        longer = f"{'-'.join(folders[-count:])}-{part}"
        if len(longer) <= LONGEST_PART:
            yield f"{brain}/{longer}"
    suffix = PurePosixPath(document).suffix.lower()
    if (kind := ascii_slug(suffix) if suffix else "") and suffix not in NOTES and len(f"{part}-{kind}") <= LONGEST_PART:
        yield f"{brain}/{part}-{kind}"
    yield f"{brain}/{part[: LONGEST_PART - 7].rstrip('-')}-{hashlib.sha256(document.encode()).hexdigest()[:6]}"


def rank(document: str) -> tuple[int, bool, str]:
    """The order in which documents choose their ids: short paths first, then Markdown before other files."""
    return document.count("/"), PurePosixPath(document).suffix.lower() not in NOTES, document
