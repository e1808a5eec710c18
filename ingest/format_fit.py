"""Whether a special format reads a text without loss; if not, the text is a note.

A line is placed if it is in a node or part of the format's structure: a heading, a letter, the frame of a table. What
is left out as text that belongs to no entry is not placed. Tags, links, sources and headings that the note of a
Markdown file would have, and the nodes do not, are lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graph.models.document_models import Document
from graph.models.node_models import Kind, Node
from ingest.formats.format_protocol import front_end, is_called_glossary
from ingest.formats.glossary_terms import is_letter, markdown_heading
from ingest.text.decoding import DecodedText
from ingest.text.line_accounting import PROSE

MARKDOWN, TEXT = 2, 10
"""The most lines of a hundred that a format may leave out of a Markdown file, and of any other text."""
FENCES = ("```", "~~~")
MOST_NAMED = 5


def misfit(text: DecodedText, found: Document, note: Document) -> str:
    """What would be lost if a text were read as `found` and not as `note`; empty if nothing would."""
    if not found.nodes:
        return "it would have no node"
    left = sum(count for _, count in unplaced(found))
    if 100 * left > (MARKDOWN if text.is_markdown else TEXT) * found.lines.total:
        return f"it would leave out {left} of {found.lines.total} lines"
    if not (text.is_markdown or front_end(text)):
        return ""
    if text.is_markdown and any(node.kind is Kind.TERM for node in found.nodes) and not is_called_glossary(text):
        return "nothing calls it a glossary"
    if any(problem.code == "section-unknown" for problem in found.problems):
        return "its sections are not those of a page"
    lost = _lost(text, found, note)
    return next((f"it would lose {len(names)} {what}, such as {min(names)!r}" for what, names in lost if names), "")


def unplaced(found: Document) -> Iterator[tuple[str, int]]:
    """The runs of text that belong to no node, as they are named, and their lines with text."""
    lines = found.text.split("\n")
    for skip in found.skipped:
        if skip.reason in PROSE:
            name = str(skip.first_line) if skip.last_line == skip.first_line else f"{skip.first_line}–{skip.last_line}"
            yield name, sum(bool(line.strip()) for line in lines[skip.first_line - 1 : skip.last_line])


def named(runs: Iterable[str]) -> str:
    """Some runs of lines by their numbers."""
    names = list(runs)
    more = f" and {len(names) - MOST_NAMED} more passages" if len(names) > MOST_NAMED else ""
    return ("lines " if len(names) > 1 or "–" in names[0] else "line ") + ", ".join(names[:MOST_NAMED]) + more


def _lost(text: DecodedText, found: Document, note: Document) -> Iterator[tuple[str, set[str]]]:
    """What the note would have and the nodes do not: tags, links, sources, headings."""
    yield "tags", _tags(note.nodes) - _tags(found.nodes)
    yield "links", _links(note.nodes) - _links(found.nodes)
    yield "sources", _sources(note.nodes) - _sources(found.nodes)
    names = {name for node in found.nodes for name in (node.title, *node.section)}
    bodies = "\n".join(node.body for node in found.nodes)
    title = dict(found.about).get("title")
    headings = {one for one in _headings(text) if one not in names and one != title and not is_letter(one)}
    yield "headings", {one for one in headings if one not in bodies}


def _tags(nodes: Iterable[Node]) -> set[str]:
    return {tag for node in nodes for tag in node.tags}


def _links(nodes: Iterable[Node]) -> set[str]:
    return {cite.marker for node in nodes for cite in node.cites}


def _sources(nodes: Iterable[Node]) -> set[str]:
    return {source.url for node in nodes for source in node.sources}


def _headings(text: DecodedText) -> Iterator[str]:
    """The headings of a text outside code blocks."""
    code = False
    for line in text.lines:
        if line.lstrip().startswith(FENCES):
            code = not code
        elif not code and (heading := markdown_heading(line)):
            yield heading[1]
