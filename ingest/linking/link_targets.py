"""Every node by every name that a link may use.

    [[Ships/Low tide]]   a file (`ingest.linking.linked_files`)
    [[notes/low-tide]]   an id
    [[low-tide]]         the slug of an id, of a title or of another label
    [[Low tide]]         a title, an alias or another label
    [[h100]]             an id of the time when all ids were ASCII (`graph.older_ids`)
    [[gpt4o]]            a title or label with hyphens or spaces between letters and digits, if there is one

What is called exactly so goes before what has that slug; what is in the own brain before what is in others.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from graph.ids import LONGEST, as_written, run_together, slug
from graph.models.node_models import Node
from graph.older_ids import longer_ids, older_forms, older_ids
from graph.text.anchors import blocks_in
from ingest.linking.linked_files import (
    MARKDOWN,
    FileIndex,
    LinkedFile,
    alike,
    ends_of,
    is_slug,
    name_key,
    paths_of,
    suffix_of,
)
from ingest.linking.vault_paths import origin_of
from ingest.markdown.head_date import written_day

_DIGEST = re.compile("-[0-9a-f]{6}")
_UNNAMED = 2
_BLOCK = re.compile(r"\(\(([\w-]{1,80})\)\)")
"""A link to a block of Logseq by its name alone."""


class LinkTargets:
    """Every node by every name that a link may use."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.titles: dict[str, str] = {}
        self._nodes: dict[str, Node] = {}
        self._blocks: dict[str, list[str]] = defaultdict(list)
        self._local: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._anywhere: dict[str, list[str]] = defaultdict(list)
        self._files, self._converted, self._first_nodes = FileIndex(), FileIndex(), FileIndex()
        best: dict[tuple[str, str], tuple[tuple[int, int], Node]] = {}
        for node in nodes:
            if node.id not in self.titles:
                self._add(node)
            file, distance = (node.provenance.document, node.brain), _distance(node)
            if file not in best or distance < best[file][0]:
                best[file] = distance, node
        for (far, _), node in best.values():
            self._add_file(node, named=far < _UNNAMED)

    def _add(self, node: Node) -> None:
        self.titles[node.id], self._nodes[node.id] = node.title, node
        for name in dict.fromkeys((node.slug, *map(name_key, (node.id.rpartition("/")[2], *_names(node))))):
            self._local[node.brain, name].append(node.id)
            self._anywhere[name].append(node.id)
        for block in blocks_in(node.body):
            self._blocks[block].append(node.id)
        if path := _origin_path(node):
            self._files.add(LinkedFile.of(path, node.id, node.brain), ends_of(path))

    def _add_file(self, node: Node, *, named: bool) -> None:
        """The node that a file is: the one that is `named` after it, else the first, which gets its bare name last.

        A note of an exported vault is called as in its first one.
        """
        document = node.provenance.document
        before = frozenset(ends_of(path) if (path := _origin_path(node)) else ())
        index = self._files
        if suffix_of(document).lower() not in MARKDOWN:
            index, named = self._converted, True
        for path in paths_of(document):
            file = LinkedFile.of(path, node.id, node.brain)
            ends = [end for end in ends_of(path) if end not in before]
            index.add(file, [end for end in ends if named or "/" in end])
            self._first_nodes.add(file, [end for end in ends if not named and "/" not in end])

    def node(self, name: str) -> Node | None:
        """The node of an id."""
        return self._nodes.get(name)

    def find(self, written: str, brain: str, near: str = "") -> list[str]:
        """The ids that a link of `brain` may mean: one if it is clear, none, or several equal candidates.

        `near` is the folder of the note that links: among notes of one name it selects the one in that folder, else
        the one with the shortest path.
        """
        written = written.strip().strip("/")
        if block := _BLOCK.fullmatch(written):
            return self._blocks.get(block[1].lower(), [])
        found = self._files.find(written, brain, near)
        if found or as_written(written) in self.titles:
            return found or [as_written(written)]
        return (
            self._converted.find(written, brain, near)
            or self._named(written, brain)
            or self._files.find(written, brain, near, as_slug=True)
            or self._first_nodes.find(written, brain, near)
            or self._of_day(written, brain)
            or self._older(written, brain)
            or self._run_together(written, brain)
        )

    def _named(self, written: str, brain: str) -> list[str]:
        """The nodes with this slug, title, alias or label; none for a path."""
        key = name_key(written)
        if "/" in written:
            return []
        if is_slug(written) and f"{brain}/{written}" in self.titles:
            return [f"{brain}/{written}"]
        groups = self._local.get((brain, key), []), self._anywhere.get(key, [])
        exact = ([name for name in group if self._is_called(name, written)] for group in groups)
        found = next(filter(None, exact), [])
        return found or (next(filter(None, groups), []) if is_slug(written) else [])

    def _of_day(self, written: str, brain: str) -> list[str]:
        """The note of a day, however the day is written: `[[Nov 2nd, 2026]]`."""
        day = None if written.isdigit() else written_day(written)
        return self._named(day.isoformat(), brain) if day else []

    def _older(self, written: str, brain: str) -> list[str]:
        """The node with this id, or slug in the brain, of the time of ASCII ids."""
        name = as_written(written if "/" in written else f"{brain}/{written}")
        return [self._older_ids[name]] if name in self._older_ids else []

    @cached_property
    def _older_ids(self) -> Mapping[str, str]:
        return older_ids(self._nodes.values())

    def _run_together(self, written: str, brain: str) -> list[str]:
        """The one node whose name differs only in hyphens and spaces between letters and digits."""
        found = self._together.get(run_together(alike(written)), [])
        found = [name for name in found if self._nodes[name].brain == brain] or found
        return found if len(found) == 1 else []

    @cached_property
    def _together(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for node in self._nodes.values():
            files = (path.rpartition("/")[2] for path in paths_of(node.provenance.document))
            for name in dict.fromkeys(run_together(alike(name)) for name in (*_names(node), *files)):
                if not name.isalpha():
                    found[name].append(node.id)
        return found

    def _is_called(self, node: str, written: str) -> bool:
        return any(alike(name) == alike(written) for name in _names(self._nodes[node]))


def _names(node: Node) -> Iterator[str]:
    """The title and the labels of a node."""
    yield node.title
    yield from node.labels.all() if node.labels else ()


def _distance(node: Node) -> tuple[int, int]:
    """How far a node is from its file: 0 if it is named after it, 1 if its id is a longer one.

    Of equal ones the first in the file is the nearest.
    """
    document, name = node.provenance.document, node.slug
    stem = slug(document.rpartition("/")[2].removesuffix(suffix_of(document)))
    longer = name.endswith(stem) or (name.startswith(stem) and _DIGEST.fullmatch(name[len(stem) :]))
    return (0 if name == stem else 1 if longer else _UNNAMED), node.provenance.first_line


def _origin_path(node: Node) -> str:
    """The path of a note in its first vault; empty if it is still there."""
    origin = origin_of(node)
    path = "" if origin == node.provenance.document else next(iter(paths_of(origin)), "")
    return path if path and node.slug.endswith(slug(path.rpartition("/")[2])) else ""


def link_names(written: str, near: str = "") -> frozenset[str]:
    """The names by which a link may find a node: `LinkTargets.find` only finds nodes with one of them
    (`node_names`).

    `near` is the folder of the note that links.
    """
    written = written.strip().strip("/")
    day = written_day(written)
    paths = [written, posixpath.normpath(f"{near}/{written}"), *([day.isoformat()] if day else [])]
    return frozenset(name for path in paths for name in _both(path.rpartition("/")[2]))


def node_names(node: Node) -> frozenset[str]:
    """The names by which links may find a node: id, title, labels and file, each as a slug."""
    files = (path.rpartition("/")[2] for file in (node.provenance.document, origin_of(node)) for path in paths_of(file))
    names = (name for one in {*_names(node), *files, *blocks_in(node.body)} for name in _both(one))
    longer = longer_ids(node.brain, node.slug, node.provenance.document)
    return frozenset(names) | ids_named((node.id, *longer, *older_forms(node)))


def ids_named(ids: Iterable[str]) -> set[str]:
    """The names by which links with these ids find nodes."""
    parts = {one.rpartition("/")[2] for one in ids}
    return parts | {run_together(part) for part in parts} | {slug(part) for part in parts if len(part) > LONGEST}


def _both(name: str) -> tuple[str, ...]:
    """A name as a slug, as a key, and with letters and digits run together."""
    return slug(name), name_key(name), run_together(alike(name))


class ReaderTargets:
    """Every node by every name that a link may use, for the links of each brain; `private` are the private brains."""

    def __init__(self, nodes: Iterable[Node], private: Collection[str] = ()) -> None:
        self._by_id: dict[str, Node] = {}
        for node in nodes:
            self._by_id.setdefault(node.id, node)
        self._private = frozenset(private) & {node.brain for node in self._by_id.values()}
        self._made: dict[frozenset[str], LinkTargets] = {}

    def title(self, name: str) -> str | None:
        """The title of the node of an id."""
        node = self._by_id.get(name)
        return node.title if node else None

    def node(self, name: str) -> Node | None:
        """The node of an id."""
        return self._by_id.get(name)

    def hides(self, name: str | None, brain: str) -> bool:
        """Whether the node of an id is of a private brain other than `brain`."""
        return (name or "").partition("/")[0] in self._private - {brain}

    def find(self, written: str, brain: str, near: str = "") -> list[str]:
        """As `LinkTargets.find`, among what readers of `brain` see; if they see nothing of the name, among all."""
        found = self._without(self._private - {brain}).find(written, brain, near)
        return found or self._without(frozenset()).find(written, brain, near)

    def _without(self, hidden: frozenset[str]) -> LinkTargets:
        if hidden not in self._made:
            self._made[hidden] = LinkTargets(node for node in self._by_id.values() if node.brain not in hidden)
        return self._made[hidden]
