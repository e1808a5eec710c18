"""What documents are called: by their file, unless a document of another brain has that name already."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from api.services.import_report import DocumentReport, Move
from graph.models.document_models import Document
from graph.models.query_models import DocumentHead
from graph.problems import Problem, Severity
from ingest.source_files import SourceFile

Pair = tuple[SourceFile, DocumentReport]
Again = Callable[[SourceFile], DocumentReport]

MOST_RUNS = 5
"""The runs of lines that a warning names."""

_TELLING = re.compile(r"[\W_]*+[^\W_].*?[^\W_]{2}")
"""A line that says something."""


def at_home(
    found: Iterable[SourceFile], held: Iterable[DocumentHead], text: Callable[[str], str | None]
) -> list[SourceFile]:
    """The files under the names of the documents that they are.

    Where a folder was read before, a file of it that is given by itself is the document that was read there: its path
    ends with that one's name, and half of the lines of either are in the other. `text` gives the stored text by name.
    """
    known = {record.name: record for record in held}
    return [_at_home(one, known, text) if one.path and one.name not in known else one for one in found]


def _at_home(found: SourceFile, known: Mapping[str, DocumentHead], text: Callable[[str], str | None]) -> SourceFile:
    parts = Path(found.path).absolute().parts
    ends = ("/".join(parts[start:]) for start in range(1, len(parts)))
    home = next((known[end] for end in ends if end in known), None)
    if home is None:
        return found
    before, now = distinctive_lines(text(home.name) or ""), distinctive_lines(found.data.decode("utf-8", "replace"))
    same = 2 * len(before & now) >= max(1, min(len(before), len(now)))
    return found._replace(name=home.name, brain=found.brain or home.brain) if same else found


def unpaired(pairs: Iterable[Pair], held: Iterable[DocumentHead], again: Again) -> list[Pair]:
    """The documents of files under names of their own; `again` reads one under another name.

    The brain that had a name first keeps it; the document of another brain gets the brain's name before it.
    """
    owners = {record.name: record.brain for record in held if record.nodes}
    result = []
    for found, entry in pairs:
        document = entry.document
        if found.path and document.nodes and owners.setdefault(document.name, document.brain) != document.brain:
            longer = found._replace(name=f"{document.brain}/{document.name}")
            owners.setdefault(longer.name, document.brain)
            result.append((longer, again(longer)))
        else:
            result.append((found, entry))
    return result


def once(pairs: Iterable[Pair]) -> list[Pair]:
    """Each document once; two files of one name and brain that are not the same are an error of the second."""
    seen: dict[str, Pair] = {}
    result: list[Pair] = []
    for found, entry in pairs:
        if entry.document.name not in seen:
            seen[entry.document.name] = (found, entry)
            result.append((found, entry))
            continue
        first, known = seen[entry.document.name]
        if known.document.sha256 != entry.document.sha256:
            result.append((found, entry.model_copy(update={"added": (_twice(first, found),)})))
    return result


def _twice(first: SourceFile, second: SourceFile) -> Problem:
    return Problem(
        document=second.name,
        severity=Severity.ERROR,
        code="document-twice",
        message=f"{first.path or first.name} and {second.path or second.name} are both called {second.name!r}",
        hint="read the folder that holds both, so that their names differ, or give one of them another name",
    )


def compared(pairs: Iterable[Pair], held: Sequence[DocumentHead], text: Callable[[str], str | None]) -> list[Pair]:
    """The documents of files, with a warning where not a line is left of what one was; `text` gives that by name."""
    known = {record.name: record for record in held}
    return [
        (found, _with(entry, _replaced(entry.document, known.get(entry.document.name), text))) for found, entry in pairs
    ]


def reformatted(
    entries: Iterable[DocumentReport], held: Sequence[DocumentHead], moved: Iterable[Move]
) -> list[DocumentReport]:
    """The entries, with a warning for each document that is read in another format than before."""
    known, names = {record.name: record for record in held}, {move.document: move.before for move in moved}
    before = ((entry, known.get(names.get(entry.document.name, entry.document.name))) for entry in entries)
    return [_with(entry, _reformatted(entry.document, head)) for entry, head in before]


def _with(entry: DocumentReport, problem: Problem | None) -> DocumentReport:
    return entry.model_copy(update={"added": (*entry.added, problem)}) if problem else entry


def _reformatted(document: Document, before: DocumentHead | None) -> Problem | None:
    """A warning for a document that is read in another format than before, with the lines that it leaves out."""
    if before is None or document.format == before.format:
        return None
    runs = [f"{one.first_line}–{one.last_line} ({one.reason})" for one in document.skipped]
    left = f"; left out now: lines {', '.join(runs[:MOST_RUNS])}{' …' if len(runs) > MOST_RUNS else ''}" if runs else ""
    return Problem(
        document=document.name,
        severity=Severity.WARNING,
        code="format-changed",
        message=f"read as {document.format} now and as {before.format} before: {len(document.nodes)} nodes in place of "
        f"{before.nodes}{left}",
        hint=f"format: {before.format} in its front matter declares the earlier one",
    )


def _replaced(document: Document, head: DocumentHead | None, text: Callable[[str], str | None]) -> Problem | None:
    """A warning for a document of which not a line is what the document of this name had."""
    if head is None or not head.nodes or head.sha256 == document.sha256:
        return None
    before = distinctive_lines(text(document.name) or "")
    if not before or before & distinctive_lines(document.text):
        return None
    return Problem(
        document=document.name,
        severity=Severity.WARNING,
        code="document-replaced",
        message="not a line is left of the document that had this name before",
        hint="if it is another file, read the folder that holds both; the previous version stays stored",
    )


def distinctive_lines(text: str) -> set[str]:
    """The lines of a text that say something."""
    return {line.strip() for line in text.splitlines() if _TELLING.match(line)}
