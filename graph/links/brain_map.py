"""The map of the complete brain: computed once, stored on disk, and reused if little has changed."""

from __future__ import annotations

import os
from pathlib import Path

import networkx as nx
from pydantic import ValidationError

from graph.links.drawing_layout import grown, laid_out
from graph.links.ring_layout import Place
from graph.private_files import private_files, private_folder
from graph.values import Value

SAME = 0.85
"""If at least this share of the nodes has a position, the others are placed near them."""


class _CachedMap(Value):
    """The file."""

    store: str
    places: dict[str, Place]


class BrainMap:
    """The positions of one store's nodes, in `folder`/map.json; recomputed if the file is missing or broken."""

    def __init__(self, folder: Path | None, store: str) -> None:
        self._path = None if folder is None else folder / "map.json"
        self._store = store
        self._known: dict[str, Place] | None = None

    def places(self, graph: nx.Graph[str]) -> dict[str, Place]:
        """A position for every node of the graph."""
        known = self._read() if self._known is None else self._known
        have = sum(node in known for node in graph)
        if graph and have == len(graph) == len(known):
            places = known
        else:
            places = grown(graph, known) if have >= SAME * len(graph) and have else laid_out(graph)
            self._write(places)
        self._known = places
        return places

    def discard_damaged(self) -> bool:
        """Remove a file that is damaged or of another store; whether there was one."""
        if self._path is None or not self._path.exists() or self._read():
            return False
        self._path.unlink()
        self._known = None
        return True

    def _read(self) -> dict[str, Place]:
        if self._path is None:
            return {}
        try:
            kept = _CachedMap.model_validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return {}
        return kept.places if kept.store == self._store else {}

    def _write(self, places: dict[str, Place]) -> None:
        if self._path is None:
            return
        fresh = self._path.with_suffix(f".{os.getpid()}.new")
        try:
            private_folder(self._path.parent)
            for left in self._path.parent.glob(f"{self._path.stem}.*.new"):  # of a process that was killed
                left.unlink(missing_ok=True)
            with private_files():
                fresh.write_text(_CachedMap(store=self._store, places=places).model_dump_json())
            fresh.replace(self._path)
        except OSError:
            return  # the map is optional: if it cannot be stored, it is computed again
