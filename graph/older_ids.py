"""Ids for notes with equal names, and the ids from when all were ASCII (`Аренда H100` was `h100`), which still work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

from graph.ids import ascii_slug, digest, slug
from graph.models.node_models import Node
from graph.name_rules import LONGEST_PART

NOTES = (".md", ".markdown")  # suffixes of files that are notes


def longer_ids(brain: str, part: str, document: str, name: Callable[[str], str] = slug) -> Iterator[str]:
    """The id with one folder before its slug, with two …, with the file's kind (`report-html`), with a digest.

    Ids that would be too long are left out. `name` makes the slug of a folder; Markdown has no kind.
    """
    folders = [name(folder) for folder in PurePosixPath(document).parent.parts]
    for count in range(1, len(folders) + 1):
        longer = f"{'-'.join(folders[-count:])}-{part}"
        if len(longer) <= LONGEST_PART:
            yield f"{brain}/{longer}"
    suffix = PurePosixPath(document).suffix.lower()
    if (kind := ascii_slug(suffix) if suffix else "") and suffix not in NOTES and len(f"{part}-{kind}") <= LONGEST_PART:
        yield f"{brain}/{part}-{kind}"
    yield f"{brain}/{part[: LONGEST_PART - 7].rstrip('-')}-{digest(document)}"


def rank(document: str) -> tuple[int, bool, str]:
    """Sort key for the choice of ids: short paths first, Markdown before others."""
    return document.count("/"), PurePosixPath(document).suffix.lower() not in NOTES, document


def older_ids(nodes: Iterable[Node]) -> dict[str, str]:
    """Older ids of nodes with their present ones; the first by path counts."""
    found: dict[str, str] = {}
    named = (node for node in nodes if not node.slug.isascii())
    for node in sorted(named, key=lambda node: (rank(node.provenance.document), node.provenance.first_line)):
        for form in older_forms(node):
            found.setdefault(form, node.id)
    return found


def older_forms(node: Node) -> Iterator[str]:
    """The ASCII ids that a node may have had; none if its id is ASCII."""
    if node.slug.isascii():
        return
    names = (PurePosixPath(node.provenance.document).stem, *node.names)
    from_these = [name for name in names if slug(name) in node.slug]  # those that gave the id
    for name in dict.fromkeys(map(ascii_slug, from_these or names)):
        yield f"{node.brain}/{name}"
        yield from longer_ids(node.brain, name, node.provenance.document, ascii_slug)
        yield f"{node.brain}/{name}-{digest(' '.join((*node.section, node.body)))}"
