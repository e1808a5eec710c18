"""A folder that an export writes to: nothing is ever written outside it, and no file is written twice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from graph.name_rules import same_file
from graph.scratch_folder import remove_left, scratch_folder

_MADE = ".brain-export-"
"""How the folder begins in which each file is written before it moves to its place."""


class TargetError(OSError):
    """A file of an export would not stay in its folder, or would take the place of another file of it."""


class TargetFolder:
    """Text files under a root folder.

    Every place is checked after symbolic links are resolved, before the first file is written. A file replaces what has
    its name, so a symbolic link there is replaced and never followed.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def write(self, texts: Mapping[str, str]) -> None:
        """Write texts by their relative paths with `/` between folders, as UTF-8 with LF; all places are checked first.

        Raises:
            TargetError: a path points outside the folder, or two paths are one file.
            OSError: a file cannot be written.
        """
        root = self._root.resolve()
        places = {name: _place(root, name) for name in texts}
        _check_distinct(places)
        root.mkdir(parents=True, exist_ok=True)
        remove_left(root, _MADE)
        with scratch_folder(root, _MADE) as made:
            for name, text in texts.items():
                _put(root, made / "file", places[name], text)


def _place(root: Path, name: str) -> Path:
    """Where a file goes, symbolic links on the way resolved; never outside the root."""
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or any(part in {"..", "."} or "\\" in part or "\0" in part for part in parts):
        raise TargetError(f"{name!a} is not the path of a file in {root}")
    folder = root.joinpath(*parts[:-1]).resolve()
    if not folder.is_relative_to(root):
        raise TargetError(f"{name} would be written to {folder}, which is outside {root}; remove the symbolic link")
    return folder / parts[-1]


def _check_distinct(places: Mapping[str, Path]) -> None:
    taken: dict[str, str] = {}
    for name, place in places.items():
        first = taken.setdefault(same_file(str(place)), name)
        if first != name:
            raise TargetError(f"{first} and {name} would be written to one file, {place}")


def _put(root: Path, part: Path, place: Path, text: str) -> None:
    """Write a file under another name first, then move it to its own: what is there is replaced, links included."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.parent.resolve().is_relative_to(root):
        raise TargetError(f"{place} is outside {root}")
    with part.open("w", encoding="utf-8", newline="\n", errors="replace") as file:
        file.write(text)
    part.replace(place)
