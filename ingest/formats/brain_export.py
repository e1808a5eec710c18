"""Exports and imports a brain: as one JSON document, or as a folder of Markdown notes.

    {"brain_export": 1, "documents": [Document, …]}        documents unchanged, with text and nodes
    {…, "history": {"runs": [row, …], …}}                  what documents do not contain, such as the ledger

Importing either into an empty home and exporting again gives the same bytes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from pydantic import ValidationError

from graph.models.document_models import Document
from graph.models.node_models import Node
from graph.name_rules import note_file, same_file
from graph.problems import Problem, Severity
from graph.text.characters import safe
from graph.values import Value, dumps, loads
from ingest.formats.format_protocol import Format
from ingest.text.decoding import DecodedText
from ingest.text.name_checks import names_inside

VERSION = 1
_MOST = 20  # maximum number of reported faults per document of an export
_LARGEST = 2**31 - 1  # largest line number; databases store four bytes
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 _./-]*[A-Za-z0-9]|[A-Za-z]")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
_BREAKS = {sign: f"\\u{ord(sign):04x}" for sign in "\x7f\x85\u2028\u2029\ufeff"}


def stream_json(
    documents: Iterable[Document], history: Iterable[tuple[str, Iterable[object]]] | None = None
) -> Iterator[str]:
    """An export in pieces, with one document or row in memory at a time."""
    yield f'{{\n "brain_export": {VERSION},\n "documents": ['
    plain = (one.model_dump(mode="json", exclude_none=True) for one in documents)
    yield from _members("  ", (dumps(one, indent=1).replace("\n", "\n  ") for one in plain))
    yield "\n ]"
    if history is not None:
        yield ',\n "history": {'
        for number, (name, rows) in enumerate(history):
            yield f"{',' if number else ''}\n  {dumps(name)}: ["
            yield from _members("   ", map(dumps, rows))
            yield "\n  ]"
        yield "\n }"
    yield "\n}\n"


def _members(indent: str, texts: Iterable[str]) -> Iterator[str]:
    for number, text in enumerate(texts):
        yield f"{',' if number else ''}\n{indent}{text}"


def read_json(text: DecodedText) -> tuple[tuple[Document, ...], tuple[Problem, ...]]:
    """The documents of an export, and an error for each unreadable one."""
    try:
        tree = loads(text.content)
    except (ValueError, RecursionError) as error:
        line, column = getattr(error, "lineno", None), getattr(error, "colno", None)
        message = f"this is not JSON: {getattr(error, 'msg', error)}"
        return (), (text.problem(line, "json", message, severity=Severity.ERROR, column=column),)
    listed = tree.get("documents") if isinstance(tree, dict) else None
    if not isinstance(listed, list) or tree.get("brain_export") != VERSION:
        message = f'an export has "brain_export": {VERSION} and a list "documents"'
        return (), (text.problem(1, "export-shape", message, severity=Severity.ERROR),)
    found, problems = [], list[Problem]()
    for index, item in enumerate(listed):
        try:
            document = Document.model_validate(_clean(item))
            faults = tuple(islice((f"documents.{index}: {said}" for said in _faults(document)), _MOST))
            problems += [text.problem(None, "export-field", said, severity=Severity.ERROR) for said in faults]
            found += [] if faults else [document]
        except (ValidationError, RecursionError) as error:
            problems += _invalid(text, index, error)
    return tuple(found), tuple(problems)


def split_json(content: str) -> tuple[list[tuple[str, str]], dict[str, list[dict[str, Any]]]]:
    """Each document's name and own export, and the history by table; empty if no export."""
    try:
        tree = loads(content)
    except (ValueError, RecursionError):
        return [], {}
    if not isinstance(tree, dict):
        return [], {}
    version, listed, history = (tree.get(name) for name in ("brain_export", "documents", "history"))
    parts = [
        (item["name"], dumps({"brain_export": version, "documents": [item]}))
        for item in (listed if isinstance(listed, list) else [])
        if isinstance(item, dict) and isinstance(item.get("name"), str)
    ]
    kept = history if isinstance(history, dict) and version == VERSION else {}
    return parts, {name: rows for name, rows in kept.items() if isinstance(rows, list)}


def _faults(document: Document) -> Iterator[str]:
    yield from names_inside(document)
    counts = Counter(node.id for node in document.nodes)
    yield from (f"the node id {name!a} occurs {count} times" for name, count in counts.items() if count > 1)
    for node in document.nodes:
        at = node.provenance
        if at.document != document.name:
            yield f"the node {node.id!a} is of the document {at.document!a}, not of {document.name!a}"
        if not 1 <= at.first_line <= at.last_line <= _LARGEST:
            yield f"the node {node.id!a} has the lines {at.first_line} to {at.last_line}"


def _clean(tree: object) -> object:
    """The tree without characters that cannot be stored."""
    if isinstance(tree, str):
        return safe(tree)
    if isinstance(tree, list):
        return [_clean(item) for item in tree]
    return {safe(key): _clean(value) for key, value in tree.items()} if isinstance(tree, dict) else tree


def _invalid(text: DecodedText, index: int, error: Exception) -> Iterator[Problem]:
    details = error.errors() if isinstance(error, ValidationError) else [{"loc": (), "msg": str(error)}]
    for detail in details[:_MOST]:
        path = ".".join(str(part) for part in ("documents", index, *detail["loc"]))
        yield text.problem(None, "export-field", f"{path}: {detail['msg']}", severity=Severity.ERROR)


def write_notes(nodes: Iterable[Node]) -> dict[str, str]:
    """The text of each node's Markdown note, by relative path. Raises ValueError if two nodes would be one file."""
    files: dict[str, str] = {}
    taken: dict[str, str] = {}
    for node in sorted(nodes, key=lambda node: node.id):
        path = note_file(node.id)
        first = taken.setdefault(same_file(path), node.id)
        if first != node.id:
            raise ValueError(f"{first!a} and {node.id!a} would both be written to {path}")
        files[path] = write_note(node)
    return files


def write_note(
    node: Node, body: str | None = None, aliases: Sequence[str] = (), links: Sequence[tuple[str, str]] = ()
) -> str:
    """A node as a Markdown note that reads back equal; `links` undoes the targets in `body`."""
    more = [f"aliases: [{', '.join(map(_quoted, aliases))}]"] if aliases else []
    if links:
        pairs = (f"  - [{_quoted(new)}, {_quoted(old)}]" for new, old in links)
        more += ["wikilinks:", *pairs]
    return "\n".join(("---", *_fields(node), *more, "---", node.body if body is None else body, ""))


def _fields(node: Node) -> Iterator[str]:
    yield f"brain_export: {VERSION}"
    for name, value in (("id", node.id), ("brain", node.brain), ("title", node.title), ("kind", node.kind.value)):
        yield f"{name}: {_scalar(value)}"
    if node.tags:
        yield f"tags: [{', '.join(map(_scalar, node.tags))}]"
    if node.section:
        yield f"section: [{', '.join(map(_quoted, node.section))}]"
    if node.published:
        yield f"published: {node.published.isoformat()}"
    yield f"origin: {_scalar(node.origin or f'{node.provenance.document}:{node.provenance.first_line}')}"
    if node.labels:
        yield f"labels: {_flow(node.labels)}"
    for name in ("sources", "relations", "citations", "properties"):
        if values := getattr(node, name):
            yield f"{name}:"
            yield from (f"  - {_flow(value)}" for value in values)


def _flow(value: Value) -> str:
    """A value as JSON, which YAML reads too."""
    return _escaped(json.dumps(value.model_dump(mode="json", exclude_none=True), ensure_ascii=False))


def _scalar(word: str) -> str:
    """A word, in quotes if YAML would read it differently."""
    return word if _PLAIN.fullmatch(word) and word.lower() not in _WORDS else _quoted(word)


def _quoted(word: str) -> str:
    return _escaped(json.dumps(word, ensure_ascii=False))


def _escaped(text: str) -> str:
    """JSON with line breaks of YAML escaped."""
    for sign, escape in _BREAKS.items():
        text = text.replace(sign, escape)
    return text


FORMAT = Format("brain-export", "what `brain export --format json` writes")
