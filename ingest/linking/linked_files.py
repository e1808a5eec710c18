"""The files of notes by the ends of their paths, as links write them.

    Ships/Low tide.md    Ships/Low tide · low-tide · ../Ships/Low tide

Upper and lower case are alike, and so are spaces, hyphens and underscores; accents and other signs are not. A path that
is a slug in each part (`ships/c`) names what has that slug (`Ships/C++.md`), if nothing is called so.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from graph.ids import slug
from graph.name_rules import same_file
from ingest.format_detection import KNOWN
from ingest.text.decoding import page_name

MARKDOWN = frozenset({".md", ".markdown"})
_CONVERTED = frozenset(suffix for known in KNOWN if known.one_note for suffix in known.suffixes)
_BETWEEN = re.compile(r"[\s_-]+")
_UP = re.compile(r"\A(?:\.\./)+")


class LinkedFile(NamedTuple):
    """A path by which links name a file, and the node that they mean; `folded` and `alike` are its spellings."""

    path: str
    node: str
    brain: str
    folded: str
    alike: str

    @classmethod
    def of(cls, path: str, node: str, brain: str) -> LinkedFile:
        """A path with its spellings."""
        return cls(path, node, brain, same_file(path), alike(path))


class FileIndex:
    """Files by the ends of their paths."""

    def __init__(self) -> None:
        self._by_end: dict[str, list[LinkedFile]] = defaultdict(list)

    def add(self, file: LinkedFile, ends: Iterable[str]) -> None:
        """Add a file under these ends of its path."""
        for end in ends:
            self._by_end[end].append(file)

    def find(self, written: str, brain: str, near: str, *, as_slug: bool = False) -> list[str]:
        """The nodes of the files that a path may mean: one if it is clear; those of `brain` if there are any.

        `near` is the folder of the note that links. A path with dots is one from there. `as_slug`: what is written may
        be the slug of a path.
        """
        wanted, whole = _from(near, written)
        known = self._by_end.get(name_key(wanted), ())
        if near and not whole and len(known) > 1 and (beside := self._in_folder(f"{near}/{wanted}", brain)):
            return [beside]
        name, by_slug = alike(wanted), as_slug and is_slug(wanted)
        found = [one for one in known if by_slug or _ends(one.alike, name)]
        if whole:
            found = [one for one in found if name_key(one.path) == name_key(wanted)]
        found = [one for one in found if one.brain == brain] or found
        return list(dict.fromkeys(one.node for one in _preferred(found, wanted, near)))

    def _in_folder(self, path: str, brain: str) -> str:
        """The node of the one file at exactly this path; else empty."""
        same = same_file(path)
        found = {one.node for one in self._by_end.get(name_key(path), ()) if (one.folded, one.brain) == (same, brain)}
        return found.pop() if len(found) == 1 else ""


def _from(near: str, written: str) -> tuple[str, bool]:
    """The path that is meant, and whether it is complete: written with dots, inside the folder that was read."""
    if not written.startswith("."):
        return written, False
    path = posixpath.normpath(posixpath.join(near, written))
    inside = _UP.sub("", path)
    return inside, inside == path or "/" not in inside


def _ends(path: str, end: str) -> bool:
    """Whether a path ends with another, both in one spelling."""
    return path.endswith(end) and (len(path) == len(end) or path[-len(end) - 1] == "/")


def _preferred(found: Sequence[LinkedFile], wanted: str, near: str) -> Sequence[LinkedFile]:
    """Of several files those of the exact name, then of the same folder, then of the shortest path."""
    if len(found) < 2:
        return found
    name, written, beside = same_file(wanted), _composed(wanted), alike(f"{near}/{wanted}".strip("/"))
    found = [one for one in found if _ends(one.folded, name)] or found
    found = [one for one in found if one.alike == beside] or found
    highest = min(one.path.count("/") for one in found)
    found = [one for one in found if one.path.count("/") == highest]
    return [one for one in found if _ends(_composed(one.path), written)] or found


def _composed(path: str) -> str:
    return unicodedata.normalize("NFC", path)


@lru_cache(maxsize=1 << 14)
def alike(name: str) -> str:
    """A name in one spelling for names that differ only in case, spaces, hyphens and underscores."""
    return _BETWEEN.sub("-", same_file(name))


def is_slug(path: str) -> bool:
    """Whether each part of a path is a slug, as in `ships/low-tide`."""
    return all(part == slug(part) for part in path.split("/"))


@lru_cache(maxsize=1 << 14)
def name_key(path: str) -> str:
    """One key for all that a link by this path or name may mean, and for some more."""
    return "/".join(slug(same_file(part)) for part in path.split("/") if part not in {"", ".", ".."})


def ends_of(path: str) -> list[str]:
    """The key of a path and of each of its ends, first that of the name."""
    parts = name_key(path).split("/")
    return ["/".join(parts[-count:]) for count in range(1, len(parts) + 1)]


def suffix_of(path: str) -> str:
    """The ending of a file name, with its dot."""
    return posixpath.splitext(path)[1]


def paths_of(document: str) -> tuple[str, ...]:
    """The paths by which links name a file: without its ending; converted files also with it; else none."""
    suffix = suffix_of(document)
    plain = document.removesuffix(suffix)
    if suffix.lower() in MARKDOWN:
        page = page_name(plain)
        return (plain,) if page == plain else (plain, page)
    return (plain, document) if suffix.lower() in _CONVERTED else ()
