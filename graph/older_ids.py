"""The longer ids of notes of one name, and the ids that notes had while all ids were ASCII.

`Аренда H100` was `h100` then, and a Japanese title `n-` and a hash. Such ids go on working: in addresses, in links, on
the command line and as the `node` of claims.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from graph.ids import ascii_slug, digest, slug
from graph.models.node_models import Node
from graph.name_rules import LONGEST_PART

NOTES = frozenset({".md", ".markdown"})


def longer_ids(brain: str, part: str, document: str, name: Callable[[str], str] = slug) -> Iterator[str]:
    """The id with one folder before its slug, then with two … up to the length limit; then with a digest.

    A file that is not Markdown tries its kind before the digest: `report-html` next to `report`. `name` makes the slug
    of a folder.
    """
    folders = [name(folder) for folder in PurePosixPath(document).parent.parts]
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


def older_ids(nodes: Iterable[Node]) -> dict[str, str]:
    """The id that each node with letters beyond ASCII would have had, with its id now; present ids go first."""
    every = list(nodes)
    taken = {node.id for node in every}
    found: dict[str, str] = {}
    named = (node for node in every if not node.slug.isascii())
    for node in sorted(named, key=lambda node: (rank(node.provenance.document), node.provenance.first_line)):
        free = next((name for name in _older_forms(node) if name not in taken), None)
        if free is not None:
            found[free] = node.id
            taken.add(free)
    return found


def is_older(old: str, node: Node) -> bool:
    """Whether an id is one that the node had, or could have had, while all ids were ASCII."""
    brain, _, part = old.partition("/")
    same = brain == node.brain and part.isascii()
    return same and any(f"-{name}-" in f"-{part}-" for name in _older_slugs(node))


def older_of(ids: Iterable[str], nodes: Mapping[str, Node], renamed: Mapping[str, str]) -> dict[str, str]:
    """For each of these ids that is an older one the id now; `renamed` are new ids by old ones."""
    pairs = ((old, nodes.get(renamed[old])) for old in ids if old in renamed and old not in nodes)
    return {old: node.id for old, node in pairs if node is not None and is_older(old, node)}


def _older_forms(node: Node) -> Iterator[str]:
    for name in _older_slugs(node):
        yield f"{node.brain}/{name}"
        yield from longer_ids(node.brain, name, node.provenance.document, ascii_slug)
        yield f"{node.brain}/{name}-{digest(' '.join((*node.section, node.body)))}"


def _older_slugs(node: Node) -> tuple[str, ...]:
    """The ASCII slug of the file or title that the id was made from; none for an ASCII id."""
    if node.slug.isascii():
        return ()
    labels = node.labels.all() if node.labels else ()
    names = (PurePosixPath(node.provenance.document).stem, node.title, *labels)
    from_these = [name for name in names if slug(name) in node.slug]
    return tuple(dict.fromkeys(map(ascii_slug, from_these or names)))
