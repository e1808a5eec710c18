"""Documents in and out: one transaction compares a document with what the store has and changes what changed."""

from __future__ import annotations

import hashlib
import zlib
from datetime import datetime
from typing import Any

from pydantic_core import PydanticSerializationError
from sqlalchemy import Connection, delete, insert, select, update

from graph.documents import Changes, Document
from graph.nodes import Node
from graph.problems import Problem
from graph.query import DocumentRecord
from graph.store.arrival import Arrival, apply, compare
from graph.store.columns import Query, Record
from graph.store.database import Database
from graph.store.errors import DuplicateNodeError, UnknownDocumentError, UnstorableError
from graph.store.rows import digest_of
from graph.store.schema import (
    documents,
)
from graph.values import dumps, loads

_LISTED = tuple(column for column in documents.c if column.name not in {"text", "text_sha256"})
_SET_ASIDE = ("declared_nodes", "lines", "skipped", "problems", "evidence")


class Documents(Database):
    """The part of the store that takes documents in."""

    def put(self, document: Document, at: datetime) -> Changes:
        """Make `document` the current version of its name, whole or not at all; `at` is when it came.

        The same document again changes nothing. Nodes keep their ids and their place in the order of arrival.

        Raises:
            NodeTakenError: another document has a node of the same id.
            DuplicateNodeError: the document has a node id twice.
            UnstorableError: a text holds a lone surrogate.
        """
        try:
            arrival = _arrival(document, at)
            with self._writing() as work:
                plan = compare(work.sql, arrival)
                work.changes = _record_differs(work.sql, document) or plan.does_something
                if plan.does_something:
                    apply(work, plan, arrival)
                if work.changes:
                    _make_current(work.sql, document, at)
        except (PydanticSerializationError, UnicodeEncodeError) as error:
            raise UnstorableError(f"the document {document.name!a}", str(error)) from error
        return plan.changes()

    def remove_document(self, name: str, at: datetime) -> Changes:
        """Take the nodes of a document out; its versions are kept, none of them current.

        Raises:
            UnknownDocumentError: no document of that name is current.
        """
        with self._writing() as work:
            if _current(work.sql, name) is None:
                raise UnknownDocumentError(name)
            arrival = Arrival(name, at)
            plan = compare(work.sql, arrival)
            apply(work, plan, arrival)
            work.sql.execute(update(documents).where(documents.c.name == name).values(current=False))
        return plan.changes()

    def documents(self) -> tuple[DocumentRecord, ...]:
        """The current documents by name, without their text."""
        return self._records(select(*_LISTED).where(documents.c.current).order_by(documents.c.name))

    def document_versions(self, name: str) -> tuple[DocumentRecord, ...]:
        """Every version of a document, the latest first, without text.

        Raises:
            UnknownDocumentError: there never was such a document.
        """
        ordered = select(*_LISTED).where(documents.c.name == name).order_by(documents.c.ingested_at.desc())
        found = self._records(ordered)
        if not found:
            raise UnknownDocumentError(name)
        return found

    def document(self, name: str, sha: str | None = None) -> DocumentRecord:
        """One document with its text: the current version, or the one with the SHA-256 `sha`.

        Raises:
            UnknownDocumentError: no such document or version.
        """
        version = documents.c.current if sha is None else documents.c.sha256 == sha
        with self._reading() as sql:
            row = sql.execute(select(documents).where(documents.c.name == name, version)).first()
        if row is None:
            raise UnknownDocumentError(name if sha is None else f"{name} with the SHA-256 {sha}")
        return _record(row, text=zlib.decompress(row.text).decode())

    def problems(self) -> tuple[Problem, ...]:
        """What the authors of the current documents should look at, document by document."""
        return tuple(problem for record in self.documents() for problem in record.problems)

    def _records(self, query: Query) -> tuple[DocumentRecord, ...]:
        with self._reading() as sql:
            return tuple(_record(row) for row in sql.execute(query))


def _arrival(document: Document, at: datetime) -> Arrival:
    found: dict[str, Node] = {}
    for node in document.nodes:
        if node.id in found:
            raise DuplicateNodeError(node.id, document.name)
        found[node.id] = node
    return Arrival(document.name, at, found, {name: digest_of(node) for name, node in found.items()})


def _make_current(sql: Connection, document: Document, at: datetime) -> None:
    sql.execute(update(documents).where(documents.c.name == document.name).values(current=False))
    same = (documents.c.name == document.name) & (documents.c.sha256 == document.sha256)
    sql.execute(delete(documents).where(same))
    sql.execute(insert(documents).values(**_document_row(document, at)))


def _current(sql: Connection, name: str) -> Record | None:
    return sql.execute(select(*_LISTED).where(documents.c.name == name, documents.c.current)).first()


def _record_differs(sql: Connection, document: Document) -> bool:
    row = _current(sql, document.name)
    return row is None or (row.sha256, row.format, row.brain, row.record) != (
        document.sha256,
        document.format,
        document.brain,
        _aside(document),
    )


def _aside(document: Document) -> str:
    return dumps(document.model_dump(include=set(_SET_ASIDE)))


def _document_row(document: Document, at: datetime) -> dict[str, Any]:
    data = document.text.encode()
    return {
        "name": document.name,
        "sha256": document.sha256,
        "current": True,
        "format": document.format,
        "brain": document.brain,
        "record": _aside(document),
        "nodes": len(document.nodes),
        "ingested_at": at,
        "text": zlib.compress(data, 1),
        "text_sha256": hashlib.sha256(data).hexdigest(),
    }


def _record(row: Record, text: str | None = None) -> DocumentRecord:
    plain = ("name", "sha256", "format", "brain", "nodes", "ingested_at", "current")
    return DocumentRecord(**{name: getattr(row, name) for name in plain}, **loads(row.record), text=text)
