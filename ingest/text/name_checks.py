"""Names in documents, checked by `graph.name_rules`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from graph.models.document_models import Document
from graph.name_rules import InvalidNameError, brain_named, check_brain, check_document, check_node_id
from graph.problems import Problem, Severity
from graph.yaml.reader import Tree, place, word
from ingest.text.decoding import DecodedText

ATTACHMENTS = {
    "a picture": (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp", ".tif", ".tiff", ".ico", ".heic"),
    "a sound": (".mp3", ".wav", ".m4a", ".ogg", ".flac", ".3gp", ".opus"),
    "a video": (".mp4", ".mov", ".mkv", ".webm", ".ogv"),
    "a PDF": (".pdf",),
}
EMBEDDED = {suffix: what for what, suffixes in ATTACHMENTS.items() for suffix in suffixes}
"""Files that notes embed, by suffix."""


def given_names(name: str, brains: Iterable[str | None]) -> Iterator[Problem]:
    """An error for each invalid name of a document or brain."""
    checks = [partial(check_document, name)]
    checks += [partial(brain_named, brain) for brain in brains if brain is not None and brain.strip()]
    for message in _faults(checks):
        yield Problem(document=name, severity=Severity.ERROR, code="invalid-name", message=message)


def names_inside(document: Document) -> Iterator[str]:
    """Faults of the name, brain and node ids of an exported document."""
    checks = [partial(check_document, document.name), partial(check_brain, document.brain)]
    checks += [partial(check_node_id, node.id, node.brain) for node in document.nodes]
    return _faults(checks)


def declared_brain(text: DecodedText, tree: Tree, default: str) -> tuple[str, tuple[Problem, ...]]:
    """The brain that a document names, else `default`; an invalid name is an error."""
    written = word(tree).strip()
    if not written:
        return default, ()
    try:
        return brain_named(written), ()
    except InvalidNameError as error:
        where = place(tree)
        line, column = (where.line, where.column) if where else (None, None)
        problem = text.problem(line, "invalid-name", str(error), severity=Severity.ERROR, column=column)
        return default, (problem,)


def _faults(checks: Iterable[Callable[[], object]]) -> Iterator[str]:
    for check in checks:
        try:
            check()
        except InvalidNameError as error:
            yield str(error)
