"""Nodes as an Obsidian vault: files named by title, links that work there, and equal nodes when it is read again.

    mara/GPU prices.md         the title, without the signs that a file system or a link does not allow
    mara/GPU prices (gpu).md   the second note of that name: its slug in parentheses

Names are unique in the vault, because `[[GPU prices]]` names no folder. Links by id, by slug or by path become
`[[GPU prices|words as before]]`. Each note lists its id and its other names as aliases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from urllib.parse import unquote

from graph.models.node_models import Node
from graph.name_rules import note_file, same_file
from ingest.formats.brain_export import write_note
from ingest.linking.link_targets import LinkTargets
from ingest.linking.vault_paths import origin_of
from ingest.markdown.link_rewriting import rewritten

LONGEST = 120  # maximum characters of a file name without suffix

_FORBIDDEN = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.I)


def write_vault(nodes: Sequence[Node]) -> dict[str, str]:
    """The text of each node's note, by relative path."""
    files, targets = _files(nodes), LinkTargets(nodes)
    notes: dict[str, str] = {}
    for node in sorted(nodes, key=lambda node: node.id):
        path = files[node.id]
        body, pairs = rewritten(node.body, partial(_new_name, node, files, targets))
        aliases = [one for one in dict.fromkeys((node.id, *node.names)) if one != _stem(path)]
        notes[path] = write_note(node, body, aliases, pairs)
    return notes


def file_name(title: str) -> str:
    """A title as a file name that all systems and links allow, without suffix; may be empty."""
    plain = " ".join(_FORBIDDEN.sub(" ", title).split())[:LONGEST]
    plain = plain.lstrip(". ").rstrip(". ")
    while len(plain.encode()) > 2 * LONGEST:
        plain = plain[:-1].rstrip(". ")
    return f"{plain}_" if _RESERVED.fullmatch(plain) else plain


def _files(nodes: Sequence[Node]) -> dict[str, str]:
    taken: set[str] = set()
    found: dict[str, str] = {}
    for node in sorted(nodes, key=lambda node: node.id):
        folder, _, slug_file = note_file(node.id).partition("/")
        slug = slug_file.removesuffix(".md")
        name = next(name for name in _names(node.title, slug) if same_file(name) not in taken)
        taken.add(same_file(name))
        found[node.id] = f"{folder}/{name}.md"
    return found


def _names(title: str, slug: str) -> Iterator[str]:
    plain = file_name(title) or slug
    yield plain
    yield f"{plain} ({slug})"
    yield from (f"{plain} ({slug} {number})" for number in count(2))


def _new_name(node: Node, files: Mapping[str, str], targets: LinkTargets, written: str) -> tuple[str, str] | None:
    """The new name and path; None if unclear or unchanged."""
    plain = unquote(written).strip() if written.endswith(".md") else written.strip()
    plain = plain.removesuffix(".md")
    if not plain:
        return None
    found = targets.find(plain, node.brain, origin_of(node).rpartition("/")[0])
    if len(found) != 1 or found[0] not in files:
        return None
    path = files[found[0]]
    works = same_file(plain) == same_file(_stem(path)) and not written.endswith(".md")
    return None if works else (_stem(path), path)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
