"""Every node by every name that a link may use.

    [[Ships/Low tide]]   a file by the end of its path, or with `./` and `../` by its place
    [[notes/low-tide]]   an id
    [[low-tide]]         the slug of an id, of a title or of another label
    [[Low tide]]         a title, an alias, another label, or the field `id`
    [[h100]]             an id of the time when all ids were ASCII (`graph.older_ids`)
    [[gpt4o]]            a title or label with hyphens or spaces between letters and digits, if there is one

Case is ignored, and spaces, hyphens and underscores are alike; accents and other signs are not. An exact name goes
before an equal slug, the own brain before others.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from graph.ids import LONGEST, as_written, run_together, slug
from graph.models.node_models import Node
from graph.name_rules import same_file
from graph.older_ids import NOTES, longer_ids, older_forms, older_ids
from graph.text.anchors import blocks_in
from ingest.format_detection import KNOWN
from ingest.linking.vault_paths import origin_of
from ingest.markdown.head_date import written_day
from ingest.text.decoding import page_name

_ONE_NOTE = tuple(known for known in KNOWN if known.one_note)
_DIGEST = re.compile("-[0-9a-f]{6}")
_UNNAMED = 2
_BLOCK = re.compile(r"\(\(([\w-]{1,80})\)\)")  # a link to a block of Logseq
_BETWEEN = re.compile(r"[\s_-]+")
_ZETTEL = re.compile(r"(?:.*/)?\d{12}(?:\d\d)?(?=[\s_-])")
"""A file name that begins with a time, by which alone links may name it."""
_UP = re.compile(r"\A(?:\.\./)+")

FileSort = Literal["note", "converted", "first"]
"""A Markdown file; another file; the bare name of a file whose first node is named otherwise."""


class _File(NamedTuple):
    """A path by which links name a file, and its node."""

    sort: FileSort
    path: str
    node: str


class _Link(NamedTuple):
    """A name as written, brain and folder of the linking note, and the brains that it does not see."""

    written: str
    brain: str
    near: str
    hidden: frozenset[str]

    def sees(self, node: str) -> bool:
        """Whether the link may mean a node."""
        return not self.hidden or _brain(node) not in self.hidden

    def own(self, nodes: Sequence[str]) -> Sequence[str]:
        """The nodes of its own brain, if any, else all."""
        return [node for node in nodes if _brain(node) == self.brain] or nodes


class LinkTargets:
    """All nodes by name; `private` are brains that links of others do not see."""

    def __init__(self, nodes: Iterable[Node], private: Collection[str] = ()) -> None:
        self._nodes: dict[str, Node] = {}
        self._blocks: dict[str, list[str]] = defaultdict(list)
        self._labels: dict[str, list[str]] = defaultdict(list)
        self._files: dict[str, list[_File]] = defaultdict(list)
        nearest: dict[tuple[str, str], tuple[tuple[int, int], Node]] = {}
        for node in nodes:
            if node.id not in self._nodes:
                self._add(node)
                file, distance = (node.provenance.document, node.brain), _distance(node)
                if file not in nearest or distance < nearest[file][0]:
                    nearest[file] = distance, node
        for (far, _), node in nearest.values():
            self._add_file(node, named=far < _UNNAMED)
        self._private = frozenset(private) & set(map(_brain, self._nodes))
        self._older_ids: dict[frozenset[str], Mapping[str, str]] = {}

    def _add(self, node: Node) -> None:
        self._nodes[node.id] = node
        for name in dict.fromkeys((node.slug, *map(name_key, (node.id.rpartition("/")[2], *_names(node))))):
            self._labels[name].append(node.id)
        for block in blocks_in(node.body):
            self._blocks[block].append(node.id)
        if path := _origin_path(node):
            for end in ends_of(path):
                self._files[end].append(_File("note", path, node.id))

    def _add_file(self, node: Node, *, named: bool) -> None:
        """Adds the paths of a file; bare ones last if its node is not `named` so."""
        document, origin = node.provenance.document, _origin_path(node)
        before = ends_of(origin) if origin else ()
        sort: FileSort = "note" if suffix_of(document).lower() in NOTES else "converted"
        bare = "first" if sort == "note" and not named else sort
        for path in paths_of(document):
            for end in ends_of(path):
                if end not in before:
                    self._files[end].append(_File(sort if "/" in end else bare, path, node.id))

    def node(self, name: str) -> Node | None:
        """The node of an id; None if unknown."""
        return self._nodes.get(name)

    def title(self, name: str) -> str | None:
        """The title of a node; None if unknown."""
        return self._nodes[name].title if name in self._nodes else None

    def hides(self, name: str | None, brain: str) -> bool:
        """Whether a node is in a private brain other than `brain`."""
        return _brain(name or "") in self._private - {brain}

    def find(self, written: str, brain: str, near: str = "") -> Sequence[str]:
        """The ids that a link of `brain` may mean: one, none, or several equal candidates.

        Among notes of one name, the one in `near`, the folder of the linking note, is preferred, then the shortest
        path. If the readers of `brain` see no match, private brains are searched too.
        """
        link = _Link(written.strip().strip("/"), brain, near, self._private - {brain})
        return self._found(link) or (self._found(link._replace(hidden=frozenset())) if link.hidden else [])

    def _found(self, link: _Link) -> Sequence[str]:
        if block := _BLOCK.fullmatch(link.written):
            return list(filter(link.sees, self._blocks.get(block[1].lower(), ())))
        name = as_written(link.written)
        return (
            self._of_file(link, "note")
            or ([name] if name in self._nodes and link.sees(name) else [])
            or self._of_file(link, "converted")
            or self._named(link)
            or self._of_file(link, "note", as_slug=True)
            or self._of_file(link, "first")
            or self._of_day(link)
            or self._older(link)
            or self._run_together(link)
        )

    def _of_file(self, link: _Link, sort: FileSort, *, as_slug: bool = False) -> Sequence[str]:
        """The nodes of files that a path may mean, or its slug."""
        wanted, whole = _from(link.near, link.written)
        known = self._ending(link, sort, wanted)
        if link.near and not whole and len(known) > 1:
            same = same_file(f"{link.near}/{wanted}")
            beside = {one.node for one in self._ending(link, sort, same) if same_file(one.path) == same}
            if len(own := [node for node in beside if _brain(node) == link.brain]) == 1:
                return own
        name, by_slug = alike(wanted), as_slug and is_slug(wanted)
        found = [one for one in known if by_slug or _ends(alike(one.path), name)]
        if whole:
            found = [one for one in found if name_key(one.path) == name_key(wanted)]
        found = [one for one in found if _brain(one.node) == link.brain] or found
        return list(dict.fromkeys(one.node for one in _preferred(found, wanted, link.near)))

    def _ending(self, link: _Link, sort: FileSort, end: str) -> list[_File]:
        """The files with a path that ends with this key."""
        return [one for one in self._files.get(name_key(end), ()) if one.sort == sort and link.sees(one.node)]

    def _named(self, link: _Link) -> Sequence[str]:
        if "/" in link.written:
            return []
        slugged, own = is_slug(link.written), f"{link.brain}/{link.written}"
        if slugged and own in self._nodes:
            return [own]
        found = list(filter(link.sees, self._labels.get(name_key(link.written), ())))
        wanted = alike(link.written)
        called = [one for one in found if any(alike(name) == wanted for name in _names(self._nodes[one]))]
        return link.own(called or (found if slugged else []))

    def _of_day(self, link: _Link) -> Sequence[str]:
        """The note of a day, in any spelling: `[[Nov 2nd, 2026]]`."""
        day = None if link.written.isdigit() else written_day(link.written)
        return self._named(link._replace(written=day.isoformat())) if day else []

    def _older(self, link: _Link) -> Sequence[str]:
        """The node that had this id when ids were ASCII."""
        name = as_written(link.written if "/" in link.written else f"{link.brain}/{link.written}")
        if link.hidden not in self._older_ids:
            self._older_ids[link.hidden] = older_ids(node for node in self._nodes.values() if link.sees(node.id))
        known = self._older_ids[link.hidden]
        return [known[name]] if name in known else []

    def _run_together(self, link: _Link) -> Sequence[str]:
        """The one node whose name is equal when run together."""
        found = link.own(list(filter(link.sees, self._together.get(run_together(alike(link.written)), ()))))
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


def _brain(node: str) -> str:
    return node.partition("/")[0]


def _names(node: Node) -> Iterator[str]:
    yield from node.names
    yield from (one.value for one in node.properties if one.name == "id")  # of the author's, or another program


def _distance(node: Node) -> tuple[int, int]:
    """Sorts the nodes of a file: those named after it first."""
    document, name = node.provenance.document, node.slug
    stem = slug(document.rpartition("/")[2].removesuffix(suffix_of(document)))
    longer = name.endswith(stem) or (name.startswith(stem) and _DIGEST.fullmatch(name[len(stem) :]))
    return (0 if name == stem else 1 if longer else _UNNAMED), node.provenance.first_line


def _origin_path(node: Node) -> str:
    """The path of a note in its first vault, if another."""
    origin = origin_of(node)
    path = "" if origin == node.provenance.document else next(iter(paths_of(origin)), "")
    return path if path and node.slug.endswith(slug(path.rpartition("/")[2])) else ""


def link_names(written: str, near: str = "") -> frozenset[str]:
    """The names by which a link in the folder `near` may find a node; `node_names` of those found has one."""
    written = written.strip().strip("/")
    day = written_day(written)
    paths = [written, posixpath.normpath(f"{near}/{written}"), *([day.isoformat()] if day else [])]
    return frozenset(name for path in paths for name in _both(path.rpartition("/")[2]))


def node_names(node: Node) -> frozenset[str]:
    """The names by which links may find a node, as slugs."""
    files = (path.rpartition("/")[2] for file in (node.provenance.document, origin_of(node)) for path in paths_of(file))
    names = (name for one in {*_names(node), *files, *blocks_in(node.body)} for name in _both(one))
    longer = longer_ids(node.brain, node.slug, node.provenance.document)
    return frozenset(names) | ids_named((node.id, *longer, *older_forms(node)))


def ids_named(ids: Iterable[str]) -> set[str]:
    """The names by which links to these ids find nodes."""
    parts = {one.rpartition("/")[2] for one in ids}
    return parts | {run_together(part) for part in parts} | {slug(part) for part in parts if len(part) > LONGEST}


def _both(name: str) -> tuple[str, ...]:
    """A name as slug, as key, and run together."""
    return slug(name), name_key(name), run_together(alike(name))


def _from(near: str, written: str) -> tuple[str, bool]:
    """The path meant, and whether it stays in the read folder."""
    if not written.startswith("."):
        return written, False
    path = posixpath.normpath(posixpath.join(near, written))
    inside = _UP.sub("", path)
    return inside, inside == path or "/" not in inside


def _ends(path: str, end: str) -> bool:
    return path.endswith(end) and (len(path) == len(end) or path[-len(end) - 1] == "/")


def _preferred(found: Sequence[_File], wanted: str, near: str) -> Sequence[_File]:
    """Files of the exact name, then nearest, then of shortest path."""
    if len(found) < 2:
        return found
    name, written = same_file(wanted), unicodedata.normalize("NFC", wanted)
    nearest = alike(f"{near}/{wanted}".strip("/"))
    found = [one for one in found if _ends(same_file(one.path), name)] or found
    found = [one for one in found if alike(one.path) == nearest] or found
    highest = min(one.path.count("/") for one in found)
    found = [one for one in found if one.path.count("/") == highest]
    return [one for one in found if _ends(unicodedata.normalize("NFC", one.path), written)] or found


@lru_cache(maxsize=1 << 14)
def alike(name: str) -> str:
    """A key that ignores case, and equates spaces, hyphens and underscores."""
    return _BETWEEN.sub("-", same_file(name))


def is_slug(path: str) -> bool:
    """Whether each part of a path is a slug."""
    return all(part == slug(part) for part in path.split("/"))


@lru_cache(maxsize=1 << 14)
def name_key(path: str) -> str:
    """A key equal for all that a link by this name may mean."""
    return "/".join(slug(same_file(part)) for part in path.split("/") if part not in {"", ".", ".."})


def ends_of(path: str) -> list[str]:
    """The keys of all ends of a path, the name alone first."""
    parts = name_key(path).split("/")
    return ["/".join(parts[-count:]) for count in range(1, len(parts) + 1)]


def suffix_of(path: str) -> str:
    """The suffix of a file name, with its dot."""
    return posixpath.splitext(path)[1]


def paths_of(document: str) -> tuple[str, ...]:
    """The paths by which links name a file: without suffix, with it if converted, by the time in its name."""
    suffix = suffix_of(document)
    plain = document.removesuffix(suffix)
    if suffix.lower() in NOTES:
        number = _ZETTEL.match(plain)
        return tuple(dict.fromkeys((plain, page_name(plain), *([number[0]] if number else ()))))
    return (plain, document) if any(known.has_name(document) for known in _ONE_NOTE) else ()
