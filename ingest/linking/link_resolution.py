"""Resolves links between notes and terms after all documents of an ingest are read.

A link may name an id, a slug, a file, a title, an alias or another label, first in its own brain, then in any brain if
the match is unique. A link without a match stays an unresolved citation, with a problem at its position.
"""

from __future__ import annotations

import operator
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple, TypeGuard
from urllib.parse import unquote

from graph.models.document_models import Document
from graph.models.node_models import Citation, Node, Reference, Relation
from graph.problems import Problem, Severity
from graph.text.anchors import anchor_of, anchors_in
from graph.text.code_blocks import verbatim_masked
from ingest.linking.link_targets import LinkTargets, link_names
from ingest.linking.vault_paths import origin_of, settled
from ingest.markdown.private_comments import uncommented
from ingest.markdown.wikilinks import linked_spans
from ingest.text.decoding import front_end, in_order

_ANY = re.compile(r"\[\[[^\[\]\n]{0,300}#|\.md#")


def missing_places(node: Node, names: LinkTargets) -> Iterator[tuple[str, str]]:
    """The links to missing headings and blocks: as written, and the place."""
    if not _ANY.search(node.body):
        return
    cited = {
        name.casefold(): cite.target
        for cite in node.cites
        if cite.target
        for name in (*cite.written, cite.marker.strip("[]"))
    }
    known: dict[str, frozenset[str]] = {}
    for match in linked_spans(node.body):
        name, place, written = _parts(node.body, match)
        target = names.node(cited.get(name.casefold(), "") if name else node.id)
        if target is None or not anchor_of(place):
            continue
        if target.id not in known:
            known[target.id] = anchors_in(target.body) | {anchor_of(target.title)}
        if anchor_of(place) not in known[target.id]:
            yield written, place


def _parts(body: str, match: re.Match[str]) -> tuple[str, str, str]:
    """The note and place that a link names, and both as written."""
    name, place = (body[slice(*match.span(group))] if match[group] else "" for group in ("target", "place"))
    wikilink = match[0].lstrip("!").startswith("[[")
    place = "" if place.startswith("^") else place if wikilink else place.partition('"')[0]
    written, name, place = f"{name}{place}".strip(), name.strip(), place.removeprefix("#").strip()
    name, place = (name, place) if wikilink else (unquote(name), unquote(place))
    return name.removesuffix(".md"), place, written


_LINK = ("link-ambiguous", "link-unresolved")
_NO_PLACE = "link-place"
_RELATION = ("relation-ambiguous", "relation-unresolved")
Place = tuple[int, int]  # line and column, from 0


class Linked(NamedTuple):
    """A document with links resolved, and the names (`link_names`) of links without one match."""

    document: Document
    unresolved: frozenset[str] = frozenset()


class _Lost(NamedTuple):
    """An unresolved link; without a problem, one to a note that other readers do not see."""

    problem: Problem | None
    names: frozenset[str]


def names_in_links(documents: Iterable[Document]) -> set[str]:
    """The names (`node_names`) that links of these documents may mean."""
    found: set[str] = set()
    for node in (node for document in documents for node in document.nodes):
        near = _folder(node)
        for citation in node.citations:
            if _is_link(citation):
                found |= link_names(citation.marker[2:-2], near)
                found |= link_names(citation.target) if citation.target else frozenset()
        found.update(name for relation in node.relations for name in link_names(relation.target))
    return found


def linked_documents(
    documents: Sequence[Document], known: Mapping[str, Node] | None = None, private: Collection[str] = ()
) -> list[Linked]:
    """The documents with links resolved among themselves and the nodes already `known`; `private` are brains.

    Resolving again changes only links affected by added or removed nodes.
    """
    known = known or {}
    documents = settled(documents, {node.id: node.provenance.document for node in known.values()})
    names = LinkTargets([*(node for document in documents for node in document.nodes), *known.values()], private)
    return [_resolved(document, names) for document in documents]


def _resolved(document: Document, names: LinkTargets) -> Linked:
    lost: list[_Lost] = []
    nodes = [_node(document, node, names, lost) for node in document.nodes]
    lost += [_no_place(document, node, *found) for node in nodes for found in missing_places(node, names)]
    problems = [one.problem for one in lost if one.problem]
    others = [
        problem for problem in document.problems if problem.code not in {*_LINK, _NO_PLACE} and problem not in problems
    ]
    told = tuple(sorted((*others, *problems), key=in_order))
    unresolved = frozenset(name for one in lost for name in one.names)
    if told == document.problems and all(map(operator.is_, nodes, document.nodes)):
        return Linked(document, unresolved)
    return Linked(document.model_copy(update={"nodes": tuple(nodes), "problems": told}), unresolved)


def _folder(node: Node) -> str:
    return origin_of(node).rpartition("/")[0]


def _is_link(citation: Reference) -> TypeGuard[Citation]:
    return isinstance(citation, Citation) and citation.marker.startswith("[[")


def _node(document: Document, node: Node, names: LinkTargets, lost: list[_Lost]) -> Node:
    """A node with links resolved, one for each target."""
    merged: dict[object, Reference] = {}
    for index, citation in enumerate(node.citations):
        if not _is_link(citation):
            merged[index] = citation
            continue
        found = _citation(document, node, citation, names, lost)
        if found.target != node.id:
            # readers who do not see the target see as many links as there are markers
            key = citation.marker if names.hides(found.target, node.brain) else found.target or found.marker
            earlier = merged.get(key)
            merged[key] = _merged(earlier, found) if isinstance(earlier, Citation) else found
    relations = tuple(_relations(document, node, names, lost))
    citations = tuple(merged.values())
    if citations == node.citations and relations == node.relations:
        return node
    return node.model_copy(update={"citations": citations, "relations": relations})


def _merged(one: Citation, other: Citation) -> Citation:
    cito = other.cito if one.cito == "cites" else one.cito
    written = tuple(dict.fromkeys((*one.written, *other.written)))
    return one.model_copy(update={"cito": cito, "context": one.context or other.context, "written": written})


def _citation(document: Document, node: Node, link: Citation, names: LinkTargets, lost: list[_Lost]) -> Citation:
    if link.target and (title := names.title(link.target)) is not None:  # an exported note
        return link.model_copy(update={"target_title": title})
    written, near = link.marker[2:-2], _folder(node)
    found = names.find(written, node.brain, near)
    if len(found) != 1:
        lost.append(_Lost(_problem(document, node, written, found), link_names(written, near)))
        unresolved = {"target": None, "target_title": None, "resolution": "unresolved", "confidence": 0.0}
        return link.model_copy(update=unresolved)
    target = found[0]
    brain, _, name = target.partition("/")
    short = brain == node.brain and names.find(name, brain, near) == found
    marker = f"[[{name if short else target}]]"
    names_used = dict.fromkeys((*link.written, written))
    if hidden := names.hides(target, node.brain):
        lost.append(_Lost(None, link_names(written, near)))
    update = {
        "marker": marker,
        "written": tuple(used for used in names_used if (used if hidden else used.casefold()) != marker[2:-2]),
        "target": target,
        "target_title": names.title(target),
        "resolution": "link",
        "confidence": 1.0,
    }
    return link.model_copy(update=update)


def _relations(document: Document, node: Node, names: LinkTargets, lost: list[_Lost]) -> Iterator[Relation]:
    for relation in node.relations:
        if names.node(relation.target):
            yield relation
            continue
        brain, _, name = relation.target.partition("/")
        found = names.find(name, brain)
        if len(found) == 1:
            if names.hides(found[0], node.brain):
                lost.append(_Lost(None, link_names(name)))
            yield relation.model_copy(update={"target": found[0]})
        else:
            lost.append(_Lost(_problem(document, node, name, found, relation.kind), link_names(name)))


def _problem(document: Document, node: Node, written: str, found: Sequence[str], relation: str = "") -> Problem:
    told = f"it may mean any of {', '.join(found[:5])}" if found else "no node has this name"
    ambiguous, unresolved = _RELATION if relation else _LINK
    message = f"{f'{relation!r} names' if relation else 'a link to'} {written!r}: {told}"
    where = _place(document, node, written, relation)
    return Problem(severity=Severity.WARNING, code=ambiguous if found else unresolved, message=message, **where)


def _no_place(document: Document, node: Node, written: str, place: str) -> _Lost:
    what = f"no block {place!r}" if place.startswith("^") else f"no heading {place.rpartition('#')[2]!r}"
    message = f"a link to {written!r}; the note has {what}"
    where = _place(document, node, written)
    return _Lost(Problem(severity=Severity.WARNING, code=_NO_PLACE, message=message, **where), frozenset())


def _place(document: Document, node: Node, written: str, relation: str = "") -> dict[str, Any]:
    """The position of a link, else of its name in the field of typed links or of the `relation`, else in the text."""
    text = _text(document.text)
    own = range(node.provenance.first_line - 1, min(node.provenance.last_line, len(text.lines)))
    at = None if relation else _link_place(text, own, written)
    at = at or _name_place(text, own, written, f"{relation or 'cites'}:")
    if at is None:
        return {"document": document.name, "line": own.start + 1}
    return {"document": document.name, "line": at[0] + 1, "column": at[1] + 1, "text": text.lines[at[0]]}


def _link_place(text: _Text, own: range, written: str) -> Place | None:
    """The first link in these lines with this name, else with one that differs in case or hyphens."""
    found = (*text.links.get(written, ()), *text.alike.get(_folded(written), ()))
    return next((at for at in found if at[0] in own), None)


def _name_place(text: _Text, own: range, written: str, field: str) -> Place | None:
    """The first line with a name from the line of a field on, if there is one; code comes last."""
    start = next((index for index in own if text.lines[index].lstrip(" -").startswith(field)), own.start)
    wanted = re.compile(rf"(?<!\w){re.escape(_folded(written))}(?!\w)")
    for lines in (text.prose, text.lines):
        for index in range(start, own.stop):
            if found := wanted.search(_folded(lines[index])):
                return index, found.start()
    return None


class _Text(NamedTuple):
    """A document without comments: its lines, also with code masked, and the places of links by name, also folded."""

    lines: Sequence[str]
    prose: Sequence[str]
    links: Mapping[str, Sequence[Place]]
    alike: Mapping[str, Sequence[Place]]


@lru_cache(maxsize=2)
def _text(content: str) -> _Text:
    """The text of a document; cached for many links."""
    lines, _ = uncommented(content.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    end = front_end(lines)
    links, alike = defaultdict[str, list[Place]](list), defaultdict[str, list[Place]](list)
    for name, at in (*_links(lines[:end], 0), *_links(lines[end:], end)):
        links[name].append(at)
        alike[_folded(name)].append(at)
    return _Text(lines, (*lines[:end], *verbatim_masked("\n".join(lines[end:])).split("\n")), links, alike)


def _links(lines: Sequence[str], first: int) -> Iterator[tuple[str, Place]]:
    """The links of some lines by name and as written, from line `first` on."""
    body, starts = "\n".join(lines), list(accumulate((len(line) + 1 for line in lines), initial=0))
    for match in linked_spans(body):
        name, _, written = _parts(body, match)
        begin = match.start("target" if name else "place")
        begin += len(body[begin : match.end()]) - len(body[begin : match.end()].lstrip())
        line = bisect_right(starts, begin) - 1
        yield from ((one, (first + line, begin - starts[line])) for one in {name, written})


def _folded(text: str) -> str:
    """A text of equal length; slugs and their words are equal."""
    return text.lower().replace("-", " ") if len(text.lower()) == len(text) else text
