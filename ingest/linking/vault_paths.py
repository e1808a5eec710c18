"""Notes of one name in several folders of a vault, and the paths by which links distinguish them.

Ships/Index.md       notes/ships-index         the folder's name before the slug
Index.md             notes/index               the note with the shortest path keeps its id
Index.html           notes/index-html          another kind of file with the name of the note
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath

from graph.ids import slug
from graph.models.document_models import Document
from graph.models.node_models import Node
from graph.older_ids import longer_ids, rank
from graph.problems import Problem, Severity
from ingest.format_detection import BY_NAME
from ingest.markdown.private_comments import public_text
from ingest.text.decoding import in_order

_ORIGIN = re.compile(r"(.+\.(?:md|markdown)):\d+", re.I)
_EXPORTED = re.compile(r"---[ \t]*\r?\nbrain_export:")


def settled(
    documents: Sequence[Document], others: Mapping[str, str], stored: Mapping[str, str] | None = None
) -> list[Document]:
    """The documents, with a new id for each note whose id another document has.

    `others` is the document of each id elsewhere, `stored` the id of each document's note in the store, which it keeps.
    """
    kept = _retained(documents, others, stored or {})
    counts = Counter(node.id for document in documents for node in document.nodes)
    if not kept and len(counts) == counts.total() and not any(name in others for name in counts):
        return list(documents)
    taken = {name: document for document, name in kept.items()}

    def owner(name: str) -> str | None:
        return taken.get(name) or others.get(name)

    result = list(documents)
    for index in sorted(range(len(documents)), key=lambda at: (documents[at].name in kept, *rank(documents[at].name))):
        document = documents[index]
        if document.name in kept:
            result[index] = _with_id(document, kept[document.name], owner)
        elif any(owner(node.id) not in {None, document.name} for node in document.nodes):
            result[index] = _renamed(document, owner)
        for node in result[index].nodes:
            taken.setdefault(node.id, others.get(node.id, document.name))
    return result


def _retained(documents: Sequence[Document], others: Mapping[str, str], stored: Mapping[str, str]) -> dict[str, str]:
    """The stored id of each document that keeps it."""
    found = {
        document.name: name
        for document in documents
        if (name := stored.get(document.name)) and name not in others and _is_note(document) and _fits(document, name)
    }
    owners = Counter(found.values())
    return {document: name for document, name in found.items() if owners[name] == 1}


def _fits(document: Document, name: str) -> bool:
    """Whether a stored id is the note's own, or a longer form of one not stated in it."""
    (node,) = document.nodes
    brain, _, part = name.partition("/")
    if name == node.id or name in longer_ids(node.brain, node.slug, document.name):
        return True
    by_file = node.slug == slug(PurePosixPath(document.name).stem) and not _EXPORTED.match(document.text)
    return by_file and brain == node.brain and (part.endswith(f"-{node.slug}") or part.startswith(f"{node.slug}-"))


def _is_note(document: Document) -> bool:
    known = BY_NAME.get(document.format)
    return known is not None and known.one_note and len(document.nodes) == 1


def _renamed(document: Document, owner: Callable[[str], str | None]) -> Document:
    if not _is_note(document):
        return document
    (node,) = document.nodes
    longer = longer_ids(node.brain, node.slug, document.name)
    free = next(name for name in longer if owner(name) in {None, document.name})
    return _with_id(document, free, owner)


def _with_id(document: Document, name: str, owner: Callable[[str], str | None]) -> Document:
    """A note under this id, with a problem if its own is taken."""
    (node,) = document.nodes
    if node.id == name:
        return document
    nodes, problems = (node.model_copy(update={"id": name}),), document.problems
    if other := owner(node.id):
        message = f"{other!r} has the same name; this note is {name!r}"
        where = {"document": document.name, "line": 1, "text": public_text(document.text).split("\n", 1)[0]}
        problem = Problem(severity=Severity.NOTE, code="note-twice", message=message, **where)
        problems = tuple(sorted((*problems, problem), key=in_order))
    return document.model_copy(update={"nodes": nodes, "problems": problems})


def origin_of(node: Node) -> str:
    """The file in which a note was first written."""
    found = _ORIGIN.fullmatch(node.origin or "")
    return found[1] if found else node.provenance.document
