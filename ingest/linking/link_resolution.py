"""Resolves links between notes and terms after all documents of an ingest are read.

A link may name an id, a slug, a file, a title, an alias or another label, first in its own brain, then in any brain if
the match is unique. A link without a match stays an unresolved citation, with a problem at its position.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from graph.ids import slug
from graph.models.document_models import Document
from graph.models.node_models import Citation, Node, Reference, Relation
from graph.problems import Problem, Severity
from ingest.linking.vault_paths import file_paths, longer_ids, origin_paths, own_paths, path_of, relative_path, settled
from ingest.markdown.private_comments import uncommented
from ingest.text.decoding import in_order

_LINK = ("link-ambiguous", "link-unresolved")
_RELATION = ("relation-ambiguous", "relation-unresolved")


class Linked(NamedTuple):
    """A document with its links resolved, and the names (`link_names`) of links that match no node or several."""

    document: Document
    unresolved: frozenset[str] = frozenset()


class _Lost(NamedTuple):
    """A link that could not be resolved."""

    problem: Problem
    names: frozenset[str]


class LinkTargets:
    """Every node by every name that a link may use."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.titles: dict[str, str] = {}
        self._local: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._anywhere: dict[str, list[str]] = defaultdict(list)
        self._paths: dict[str, list[str]] = defaultdict(list)
        self._files: dict[str, str] = {}
        first: dict[str, tuple[Node, Sequence[str]]] = {}
        for node in nodes:
            document = node.provenance.document
            before, paths = first.get(document) or first.setdefault(document, (node, file_paths(node)))
            if node.provenance.first_line < before.provenance.first_line:
                first[document] = node, paths
            self._add(node, own_paths(node, paths))
        self._add_files(first.values())

    def _add(self, node: Node, paths: Sequence[str]) -> None:
        if node.id in self.titles:
            return
        self.titles[node.id] = node.title
        names = node.labels.all() if node.labels else ()
        for name in dict.fromkeys((node.slug, slug(node.title), *map(slug, names))):
            self._local[node.brain, name].append(node.id)
            self._anywhere[name].append(node.id)
        for path in dict.fromkeys((*paths, *origin_paths(node))):
            self._paths[path].append(node.id)
        if paths:
            self._files[paths[-1]] = node.id
        for full in origin_paths(node)[-1:]:
            self._files.setdefault(full, node.id)

    def _add_files(self, files: Iterable[tuple[Node, Sequence[str]]]) -> None:
        """The first node of each file, by the paths of the file if no node is named after it, and by a free name."""
        named: dict[tuple[str, str], list[str]] = defaultdict(list)
        for node, paths in files:
            if not paths or not paths[-1]:
                continue
            if paths[-1] not in self._files:
                self._files[paths[-1]] = node.id
                for path in paths:
                    self._paths[path].append(node.id)
            name = paths[-1].rpartition("/")[2]
            for brain in (node.brain, ""):
                named[brain, name].append(self._files[paths[-1]])
        for (brain, name), found in named.items():
            known = self._local[brain, name] if brain else self._anywhere[name]
            if not known:
                known.extend(dict.fromkeys(found))

    def find(self, written: str, brain: str, near: str = "") -> list[str]:
        """The ids that a link of `brain` may mean: one if it is clear, none, or several equal candidates.

        `near` is the folder of the note that links: among notes of one name it selects the one in that folder.
        """
        written = written.strip().strip("/")
        if written in self.titles:
            return [written]
        folder, _, last = written.rpartition("/")
        file = self._files.get(relative_path(near, written)) if folder.startswith(".") else None
        if file:
            return [file]
        path = path_of(written if folder else f"{near}/{written}")
        beside = [each for each in self._paths.get(path, ()) if each.startswith(f"{brain}/")]
        if len(beside) == 1:
            return beside
        name = slug(last)
        own = f"{brain}/{name}"
        if not folder and own in self.titles:
            return [own]
        if folder and f"{slug(folder.rpartition('/')[2])}/{name}" in self.titles:
            return [f"{slug(folder.rpartition('/')[2])}/{name}"]
        return self._local.get((brain, name)) or self._anywhere.get(name) or self._paths.get(path) or []


def link_names(written: str, near: str = "") -> frozenset[str]:
    """The names by which a link may find a node: `LinkTargets.find` only finds nodes with one of them
    (`node_names`).

    `near` is the folder of the note that links.
    """
    written = written.strip().strip("/")
    folder, _, last = written.rpartition("/")
    paths = [path_of(written if folder else f"{near}/{written}")]
    if folder.startswith("."):
        paths.append(relative_path(near, written))
    return frozenset((slug(last), *(path.rpartition("/")[2] for path in paths if path)))


def node_names(node: Node) -> frozenset[str]:
    """The names by which links may find a node: of its id, title, labels and file, each as a slug."""
    labels = node.labels.all() if node.labels else ()
    ids = (node.id, *longer_ids(node))
    slugs = (slug(name) for name in (*(one.rpartition("/")[2] for one in ids), node.title, *labels))
    return frozenset((*slugs, *(path.rpartition("/")[2] for path in file_paths(node))))


def resolve(documents: Sequence[Document], known: Mapping[str, Node] | None = None) -> list[Document]:
    """The documents with every link between notes resolved among themselves and the nodes already `known`.

    Resolving again changes only links affected by added or removed nodes.
    """
    return [linked.document for linked in linked_documents(documents, known)]


def linked_documents(
    documents: Sequence[Document],
    known: Mapping[str, Node] | None = None,
    stored: Mapping[str, str] | None = None,
) -> list[Linked]:
    """As `resolve`, each document with the names of its unresolved links.

    `stored` are the ids that the notes of these documents have in the store, by document: they keep them.
    """
    known = known or {}
    documents = settled(documents, known, stored)
    names = LinkTargets([node for document in documents for node in document.nodes] + list(known.values()))
    return [_resolved(document, names) for document in documents]


def _resolved(document: Document, names: LinkTargets) -> Linked:
    lost: list[_Lost] = []
    nodes = [_node(document, node, names, lost) if _links(node) else node for node in document.nodes]
    problems = [one.problem for one in lost]
    others = [problem for problem in document.problems if problem.code not in _LINK and problem not in problems]
    told = tuple(sorted((*others, *problems), key=in_order))
    unresolved = frozenset(name for one in lost for name in one.names)
    if told == document.problems and all(map(operator.is_, nodes, document.nodes)):
        return Linked(document, unresolved)
    return Linked(document.model_copy(update={"nodes": tuple(nodes), "problems": told}), unresolved)


def _links(node: Node) -> bool:
    return bool(node.relations) or any(_is_link(citation) for citation in node.citations)


def _is_link(citation: Reference) -> bool:
    return isinstance(citation, Citation) and citation.marker.startswith("[[")


def _node(document: Document, node: Node, names: LinkTargets, lost: list[_Lost]) -> Node:
    """A node with its links resolved; links to itself are dropped, links to one target become one."""
    merged: dict[object, Reference] = {}
    for index, citation in enumerate(node.citations):
        if not (isinstance(citation, Citation) and _is_link(citation)):
            merged[index] = citation
            continue
        found = _citation(document, node, citation, names, lost)
        if found.target != node.id:
            key = found.target or found.marker
            earlier = merged.get(key)
            merged[key] = _merged(earlier, found) if isinstance(earlier, Citation) else found
    relations = tuple(_relations(document, node, names, lost))
    citations = tuple(merged.values())
    if citations == node.citations and relations == node.relations:
        return node
    return node.model_copy(update={"citations": citations, "relations": relations})


def _merged(one: Citation, other: Citation) -> Citation:
    """One citation of two links to one target: the more specific type, the first sentence, the names of both."""
    cito = other.cito if one.cito == "cites" else one.cito
    written = tuple(dict.fromkeys((*one.written, *other.written)))
    return one.model_copy(update={"cito": cito, "context": one.context or other.context, "written": written})


def _citation(document: Document, node: Node, link: Citation, names: LinkTargets, lost: list[_Lost]) -> Citation:
    written = link.marker[2:-2]
    near = document.name.rpartition("/")[0]
    found = names.find(written, node.brain, near)
    if len(found) != 1:
        lost.append(_Lost(_problem(document, node, written, found), link_names(written, near)))
        return link.model_copy(
            update={"target": None, "target_title": None, "resolution": "unresolved", "confidence": 0.0}
        )
    target = found[0]
    brain, _, name = target.partition("/")
    short = brain == node.brain and names.find(name, brain, near) == found
    marker = f"[[{name if short else target}]]"
    names_used = dict.fromkeys((*link.written, written))
    update = {
        "marker": marker,
        "written": tuple(used for used in names_used if used.casefold() != marker[2:-2]),
        "target": target,
        "target_title": names.titles[target],
        "resolution": "link",
        "confidence": 1.0,
    }
    return link.model_copy(update=update)


def _relations(document: Document, node: Node, names: LinkTargets, lost: list[_Lost]) -> Iterator[Relation]:
    """The relations whose target exists; one to an unknown name is left out with a problem."""
    for relation in node.relations:
        if relation.target in names.titles:
            yield relation
            continue
        brain, _, name = relation.target.partition("/")
        found = names.find(name, brain)
        if len(found) == 1:
            yield relation.model_copy(update={"target": found[0]})
        else:
            lost.append(_Lost(_problem(document, node, name, found, relation.kind), link_names(name)))


def _problem(document: Document, node: Node, written: str, found: Sequence[str], relation: str = "") -> Problem:
    """A warning at the position of a link, or of the name in a relation."""
    line, column, text = _place(document, node, written, f"{relation}:" if relation else "")
    several = f"what may be any of {', '.join(found[:5])}" if found else "nothing that is known"
    ambiguous, unresolved = _RELATION if relation else _LINK
    return Problem(
        document=document.name,
        line=line,
        column=column,
        severity=Severity.WARNING,
        code=ambiguous if found else unresolved,
        message=f"{f'{relation!r} names' if relation else 'a link to'} {written!r}, {several}",
        text=text,
    )


def _place(document: Document, node: Node, written: str, field: str) -> tuple[int, int | None, str | None]:
    """Line, column and text of a link inside the lines of its node, after the line that begins with `field`."""
    first, last = node.provenance.first_line, node.provenance.last_line
    lines, plain = _lines(document.text)
    own = range(first - 1, min(last, len(lines)))
    start = next((index for index in own if lines[index].lstrip(" -").startswith(field)), first - 1)
    name = _folded(written)
    for wanted, lead in ((f"[[{name}", 2), (name, 0)):
        for index in range(start, own.stop):
            at = plain[index].find(wanted)
            if at >= 0:
                return index + 1, at + lead + 1, lines[index]
    return first, None, None


@lru_cache(maxsize=2)
def _lines(text: str) -> tuple[Sequence[str], Sequence[str]]:
    """The lines of a document without comments, and folded; cached, as a document may have many unresolved links."""
    lines = uncommented(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).lines
    return lines, [_folded(line) for line in lines]


def _folded(text: str) -> str:
    """A text of the same length in which a slug and its words look the same."""
    return text.lower().replace("-", " ") if len(text.lower()) == len(text) else text
