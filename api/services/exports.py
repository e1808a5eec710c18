"""The complete brain in other programs' formats: RDF, GraphML, CSV, Markdown notes, our own JSON."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import Any

from api.brain import Brain
from api.services.claim_quotes import shareable
from api.services.importing.documents import RULES
from api.settings import Settings
from graph.models.document_models import Document
from graph.models.query_models import DocumentRecord
from graph.name_rules import same_file
from graph.rdf.iris import IriFactory
from graph.rdf.rdf_export import Export
from graph.scratch_folder import remove_left, scratch_folder
from graph.store import Store
from graph.text.csv_text import csv_row
from ingest.formats.brain_export import stream_json, write_notes
from ingest.source_files import PACKAGES, skipped_name

_MADE = ".brain-export-"  # prefix of the folder in which each file is written before it is moved to its place


class TargetError(OSError):
    """A file of an export would be outside its folder, or replace another file of it."""


def write_texts(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts by relative paths with `/`, as UTF-8 with LF; a symbolic link is replaced, never followed.

    Raises:
        TargetError: a path points outside the folder, or two paths are one file; nothing was written.
        OSError: a file cannot be written.
    """
    root = folder.resolve()
    places = {name: _place(root, name) for name in texts}
    taken: dict[str, str] = {}
    for name, place in places.items():
        first = taken.setdefault(same_file(str(place)), name)
        if first != name:
            raise TargetError(f"{first} and {name} would be written to one file, {place}")
    root.mkdir(parents=True, exist_ok=True)
    remove_left(root, _MADE)
    with scratch_folder(root, _MADE) as made:
        for name, text in texts.items():
            places[name].parent.mkdir(parents=True, exist_ok=True)
            if not places[name].parent.resolve().is_relative_to(root):  # another process has put a link there
                raise TargetError(f"{places[name]} is outside {root}")
            (made / "file").write_text(text, "utf-8", "replace", "\n")
            (made / "file").replace(places[name])


def _place(root: Path, name: str) -> Path:
    """Where a file goes, symbolic links resolved; never outside the root."""
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or any(part in {"..", "."} or "\\" in part or "\0" in part for part in parts):
        raise TargetError(f"{name!a} is not the path of a file in {root}")
    folder = root.joinpath(*parts[:-1]).resolve()
    if not folder.is_relative_to(root):
        raise TargetError(f"{name} would be written to {folder}, which is outside {root}; remove the symbolic link")
    return folder / parts[-1]


PIECE = 1 << 16  # the most bytes that are read from the process of an export at a time
COLUMNS = ("id", "brain", "kind", "title", "tags", "sources", "cites", "document", "first_line", "last_line", "health")
"""The columns of the CSV form: a row for each node; tags, sources and cited nodes are separated by spaces."""


def rule_files(documents: Iterable[DocumentRecord]) -> dict[str, str]:
    """Documents of rules by file name; a name that is not portable or is skipped becomes `rules/NAME.yaml`."""
    from ingest.linking.vault_export import file_name  # noqa: PLC0415  # loads every parser, 0.2 s of a server's start

    files: dict[str, str] = {}
    for one in documents:
        name, parts = one.name, one.name.split("/")
        read = not skipped_name(parts[-1]) and not any(
            part.startswith((".", "__")) or part in PACKAGES for part in parts
        )
        if not read or any(part != file_name(part) for part in parts) or parts[-1].endswith(".md"):
            digest = hashlib.sha256(name.encode()).hexdigest()[:6]
            name = f"rules/{file_name(parts[-1]).removesuffix('.yaml') or 'rules'}-{digest}.yaml"
        files[name] = one.text or ""
    return files


def pieces(brain: Brain, form: str, base: str | None = None) -> Generator[bytes, None, None]:
    """The brain in a form as one committed state; `complete` is the JSON for another home, with all its history."""
    with brain.store.pinned() as store:
        view = Brain(brain.settings, store)
        match form:
            case "graphml":
                yield from view.links.graphml()
            case "csv":
                yield from _csv(view)
            case "json" | "complete":
                yield from _json(store, internal=form == "complete")
            case _:
                yield from rdf(view, base or brain.site).write(form)


def rdf(brain: Brain, base: str) -> Export:
    """The store as RDF under the address `base`, verdicts with their working and nodes with their health."""
    names, explain, quoted = IriFactory(base.rstrip("/") + "/"), brain.evaluator.explained, brain.quotes.place
    return Export(brain.store, names, explain=explain, health=partial(_health, brain), quoted=quoted)


def notes(brain: Brain, folder: Path) -> int:
    """Write every node as a Markdown note; how many. Raises `TargetError`, `OSError`."""
    with brain.store.pinned() as store:
        texts = write_notes(store.nodes.all())
    write_texts(folder, texts)
    return len(texts)


def vault(brain: Brain, folder: Path) -> tuple[int, int]:
    """Write an Obsidian vault and rule files; how many of each. Raises `TargetError`, `OSError`."""
    from ingest.linking.vault_export import write_vault  # noqa: PLC0415  # as in `rule_files`

    with brain.store.pinned() as store:
        written = write_vault(list(store.nodes.all()))
        listed = [store.documents.get(one.name) for one in store.documents.heads(RULES)]
    rules = rule_files(listed)
    write_texts(folder, {**written, **rules})
    return len(written), len(rules)


def _health(brain: Brain, node: str) -> str | None:
    return brain.status.health(node).state.value


def _csv(brain: Brain) -> Iterator[bytes]:
    yield csv_row(COLUMNS).encode()
    for node in brain.nodes.all():
        place = node.provenance
        cited = " ".join(one.target for one in node.cites if one.target)
        sources = " ".join(source.url for source in node.sources)
        row = csv_row((
            node.id, node.brain, node.kind.value, node.title, " ".join(node.tags), sources, cited,
            place.document, place.first_line, place.last_line, _health(brain, node.id),
        ))  # fmt: skip
        yield row.encode("utf-8", "replace")


def _json(store: Store, *, internal: bool) -> Iterator[bytes]:
    """Documents and history as our own JSON; `internal` adds silences, notices and the audit log."""
    history = store.history.sections(internal=internal)
    shared = ((name, _shareable(rows) if name == "documents" else rows) for name, rows in history)
    documents = (_document(store, one.name) for one in store.documents.heads())
    return (piece.encode("utf-8", "replace") for piece in stream_json(documents, shared))


def _document(store: Store, name: str) -> Document:
    record = store.documents.get(name)
    shared = record.model_dump(exclude={"nodes", "ingested_at", "current", "text"})
    text = shareable(record.format, record.text or "")
    return Document(**shared, text=text, nodes=tuple(store.nodes.all(document=name)))


def _shareable(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        text = shareable(str(row["format"]), str(row["text"]))
        yield {**row, "text": text, "text_sha256": hashlib.sha256(text.encode()).hexdigest()}


class ExportFailedError(Exception):
    """The process of an export ended with an error."""


def exported(store: Store, settings: Settings, form: str, base: str) -> Iterator[bytes]:
    """The complete brain in a form, made by another process, which ends with the iterator.

    So an export takes no time or memory from this process. Raises `ExportFailedError`.
    """
    clock = store.base.clock
    asked = {
        "home": str(settings.home.resolve()), "db": settings.db, "hidden": sorted(store.hidden),
        "now": clock and clock().isoformat(), "form": form, "base": base,
    }  # fmt: skip
    command = [sys.executable, "-P", "-m", __name__]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with (
        TemporaryFile() as errors,
        subprocess.Popen(  # noqa: S603 - a fixed command: this interpreter, this module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment,
            start_new_session=True,  # an interrupt at the terminal must reach only the service
        ) as process,
    ):  # fmt: skip
        try:
            with suppress(BrokenPipeError), process.stdin as sent:  # type: ignore[union-attr]  # it is a pipe
                sent.write(json.dumps(asked).encode())  # other users can see arguments, and `db` has a password
            while piece := process.stdout.read1(PIECE):  # type: ignore[union-attr]  # it is a pipe
                yield piece
            if process.wait():
                errors.seek(0)
                said = errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
                raise ExportFailedError(said or f"exit code {process.returncode}")
        finally:
            process.kill()


def main(asked: dict[str, Any]) -> None:
    """Write an export to standard output: the program that `exported` starts."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)
    with Brain.open(Settings(home=Path(asked["home"]), db=asked["db"])) as brain:
        if asked["now"]:
            now = datetime.fromisoformat(asked["now"])
            brain.use_clock(lambda: now)
        for piece in pieces(brain.for_reader(frozenset(asked["hidden"])), asked["form"], asked["base"]):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(json.load(sys.stdin))
