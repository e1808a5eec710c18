"""Documents: one transaction compares a document with the store and writes only the differences."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic_core import PydanticSerializationError
from sqlalchemy import Column, Connection, bindparam, delete, func, select, update

from graph.models.document_models import Changes, Document
from graph.models.query_models import DocumentHead, DocumentRecord
from graph.name_rules import InvalidNameError, check_document, check_node_id
from graph.store.column_types import Record, instant
from graph.store.document_changes import ArrivedNode, DocumentArrival, apply, plans_of, refuse_taken
from graph.store.node_rows import digest_of, place_of
from graph.store.schema import documents, node_names, nodes, origins, unresolved
from graph.store.store_errors import DuplicateError, UnknownDocumentError, UnstorableError
from graph.store.store_part import StorePart, among, insert_all
from graph.text.similar_names import names_any
from graph.values import dumps, loads

_LISTED = tuple(column for column in documents.c if column.name not in {"text", "text_sha256"})
_HEADS = select(*(documents.c[name] for name in DocumentHead._fields)).where(documents.c.current)
_ON_LINKS = ("link-", "relation-")
_SET_ASIDE = {"declared_nodes", "lines", "skipped", "problems", "evidence", "about"}


class DocumentTables(StorePart):
    """The part of the store for documents."""

    def put(self, document: Document, at: datetime) -> Changes:
        """`put_all` for one document."""
        return self.put_all([document], at)[0]

    def put_all(self, arrived: Iterable[Document], at: datetime) -> tuple[Changes, ...]:
        """Make documents the current versions of their names, all or none of them; `at` is the time of the ingest.

        The same document again changes nothing. Nodes keep their ids and their position in the order of arrival.

        Raises:
            TakenError: another document has a node of the same id.
            DuplicateError: a document has a node id twice.
            UnstorableError: a text contains a lone surrogate, or a name breaks the rule of `graph.name_rules`.
        """
        come = {document.name: document for document in arrived}
        arrivals = [_arrival(document, at) for document in come.values()]
        with self._database.writing() as work:
            plans = plans_of(work.sql, arrivals)
            refuse_taken(work.sql, plans)
            current = select(*_LISTED).where(documents.c.current)
            held = {row.name: row for row in self._among(current, documents.c.name, come)}
            new = [
                _document_row(document, plan.arrival.record, at, held.get(document.name))
                for plan, document in zip(plans, come.values(), strict=True)
                if plan.does_something or _differs(held.get(document.name), document, plan.arrival.record)
            ]
            work.changes = bool(new)
            if any(plan.does_something for plan in plans):
                apply(work, plans)
            _make_current(work.sql, new)
        return tuple(plan.changes() for plan in plans)

    def compared(self, documents: Iterable[Document], at: datetime) -> tuple[Changes, ...]:
        """What `put_all` would change, for each of some documents of different names; nothing is written."""
        arrivals = [_arrival(document, at) for document in documents]
        with self._database.reading() as sql:
            return tuple(plan.changes() for plan in plans_of(sql, arrivals))

    def remove(self, name: str, at: datetime) -> Changes:
        """Remove the nodes of a current document; its versions stay; raises `UnknownDocumentError`."""
        with self._database.writing() as work:
            if self._first(select(documents.c.name).where(documents.c.current, documents.c.name == name)) is None:
                raise UnknownDocumentError(name)
            plans = plans_of(work.sql, [DocumentArrival(name, at)])
            apply(work, plans)
            work.sql.execute(update(documents).where(documents.c.name == name).values(current=False))
            work.sql.execute(delete(unresolved).where(unresolved.c.document == name))
        return plans[0].changes()

    def all(self) -> tuple[DocumentRecord, ...]:
        """The current documents by name, without their text."""
        rows = self._rows(select(*_LISTED).where(documents.c.current).order_by(documents.c.name))
        return tuple(self._visible(_record(row)) for row in rows)

    def heads(self, formats: Collection[str] | None = None) -> tuple[DocumentHead, ...]:
        """The current documents by name, of all formats or of some, ten times faster than `all`."""
        query = _HEADS.order_by(documents.c.name)
        if formats is not None:
            query = query.where(documents.c.format.in_(formats))
        return tuple(DocumentHead(*row) for row in self._rows(query))

    def heads_of(self, names: Iterable[str]) -> tuple[DocumentHead, ...]:
        """The current documents with these names, by name."""
        return tuple(sorted(DocumentHead(*row) for row in self._among(_HEADS, documents.c.name, names)))

    def any(self, form: str | None = None) -> bool:
        """Whether there is a current document, of any format or of one."""
        query = select(documents.c.name).where(documents.c.current).limit(1)
        return self._first(query if form is None else query.where(documents.c.format == form)) is not None

    def every_version(self, brain: str, form: str) -> tuple[DocumentRecord, ...]:
        """Every version, with text, of the documents of a brain in a format; current, earlier and removed ones."""
        query = select(documents).where(documents.c.brain == brain, documents.c.format == form)
        rows = self._rows(query.order_by(documents.c.name, documents.c.ingested_at))
        return tuple(_record(row, text=zlib.decompress(row.text).decode()) for row in rows)

    def get(self, name: str, sha: str | None = None) -> DocumentRecord:
        """One document with its text, the current version or that with a SHA-256; raises `UnknownDocumentError`."""
        version = documents.c.current if sha is None else documents.c.sha256 == sha
        row = self._first(select(documents).where(documents.c.name == name, version))
        if row is None:
            raise UnknownDocumentError(name if sha is None else f"{name} with the SHA-256 {sha}")
        return self._visible(_record(row, text=zlib.decompress(row.text).decode()))

    def _visible(self, record: DocumentRecord) -> DocumentRecord:
        """The record without problems of links, and without those that name a hidden brain.

        Where a link leads was found among all notes: a link without a problem would say that a hidden note exists.
        """
        hidden = self._database.hidden
        if not hidden or not record.problems:
            return record
        told = (one for one in record.problems if not one.code.startswith(_ON_LINKS))
        seen = tuple(one for one in told if not names_any(f"{one.message} {one.hint}", hidden))
        return record.model_copy(update={"problems": seen})


def _arrival(document: Document, at: datetime) -> DocumentArrival:
    """The nodes of a document, after the final check of its names and texts, whatever its source."""
    found: dict[str, ArrivedNode] = {}
    try:
        check_document(document.name)
        for position, node in enumerate(document.nodes):
            check_node_id(node.id, node.brain)
            if node.id in found:
                raise DuplicateError("node", node.id, document.name)
            found[node.id] = ArrivedNode(node, place_of(node, position), digest_of(node))
        record = dumps(document.model_dump(include=_SET_ASIDE))
        f"{record}{document.text}".encode()
    except (InvalidNameError, PydanticSerializationError, UnicodeEncodeError) as error:
        raise UnstorableError(f"the document {document.name!a}", str(error)) from error
    return DocumentArrival(document.name, at, found, record)


def _make_current(sql: Connection, come: Sequence[dict[str, Any]]) -> None:
    """Store the current versions of documents."""
    names = among(sql, documents.c.name, (row["name"] for row in come))
    sql.execute(update(documents).where(names).values(current=False))
    same = (documents.c.name == bindparam("of_name")) & (documents.c.sha256 == bindparam("of_sha256"))
    if come:
        sql.execute(
            delete(documents).where(same), [{"of_name": one["name"], "of_sha256": one["sha256"]} for one in come]
        )
    insert_all(sql, documents, come)


def _differs(held: Record | None, document: Document, record: str) -> bool:
    own = (document.sha256, document.format, document.brain, record)
    return held is None or (held.sha256, held.format, held.brain, held.record) != own


def _document_row(document: Document, record: str, at: datetime, held: Record | None) -> dict[str, Any]:
    """The row of a document; the current version keeps its time: it is stored again because of its links."""
    data, same = document.text.encode(), held is not None and held.sha256 == document.sha256
    return {
        "name": document.name,
        "sha256": document.sha256,
        "current": True,
        "format": document.format,
        "brain": document.brain,
        "record": record,
        "nodes": len(document.nodes),
        "ingested_at": instant(held.ingested_at if held and same else at),
        "text": zlib.compress(data, 1),
        "text_sha256": hashlib.sha256(data).hexdigest(),
    }


def _record(row: Record, text: str | None = None) -> DocumentRecord:
    plain = ("name", "sha256", "format", "brain", "nodes", "ingested_at", "current")
    return DocumentRecord(**{name: getattr(row, name) for name in plain}, **loads(row.record), text=text)


FilePlace = tuple[str, str]
"""A folder and the file in it; the folder is empty where a file was given by itself."""


class DocumentOrigins(StorePart):
    """Where the documents came from, by name."""

    def folders(self) -> dict[str, int]:
        """The folders that were read, with the number of documents from each; the empty one: files given themselves."""
        counted = self._rows(select(origins.c.folder, func.count()).group_by(origins.c.folder))
        return {loads(folder): int(count) for folder, count in counted}

    def of(self, names: Iterable[str]) -> dict[str, FilePlace]:
        """The origins of some documents; those without one are left out."""
        return self._places(origins.c.document, names)

    def read_from(self, folders: Iterable[str], files: Iterable[str]) -> dict[str, FilePlace]:
        """The origins in some folders, and those of some files in any folder."""
        found = self._places(origins.c.folder, map(json.dumps, folders))
        return found | self._places(origins.c.file, map(json.dumps, files))

    def _places(self, column: Column[str], values: Iterable[str]) -> dict[str, FilePlace]:
        return {
            row.document: (loads(row.folder), loads(row.file)) for row in self._among(select(origins), column, values)
        }

    def put(self, come: Mapping[str, FilePlace], gone: Collection[str] = ()) -> None:
        """Record the origins of documents that came, and forget those of documents that went."""
        rows = ((name, *map(json.dumps, place)) for name, place in come.items())  # a path may be no UTF-8
        self._put_rows(origins.c.document, {*come, *gone}, rows)


class UnresolvedLinks(StorePart):
    """Names in links of each document that no node has, so that a new node finds the documents that link to it."""

    def put(self, names: Mapping[str, Collection[str]]) -> None:
        """Replace the unresolved names of each of these documents; other documents keep theirs."""
        rows = ((document, name) for document, each in names.items() for name in each)
        self._put_rows(unresolved.c.document, names, rows)

    def waiting_for(self, names: Iterable[str]) -> tuple[str, ...]:
        """The documents with a link that uses one of these names, sorted."""
        if self._first(select(unresolved.c.name).limit(1)) is None:
            return ()
        found = self._among(select(unresolved.c.document), unresolved.c.name, names)
        return tuple(sorted({row.document for row in found}))


class NodeNames(StorePart):
    """The names by which links find each node, so that an ingest reads only the nodes that its links may mean."""

    def put(self, names: Mapping[str, Collection[str]]) -> None:
        """Replace the names of these nodes (`ingest.linking.link_targets.node_names`)."""
        self._put_rows(node_names.c.node, names, ((node, name) for node in names for name in names[node]))

    def called(self, names: Iterable[str]) -> set[str]:
        """The nodes with one of these names."""
        return {row.node for row in self._among(select(node_names.c.node), node_names.c.name, names)}

    def of_documents(self, documents: Iterable[str]) -> set[str]:
        """The names of the nodes of these documents."""
        asked = select(node_names.c.name).join(nodes, nodes.c.id == node_names.c.node)
        return {row.name for row in self._among(asked, nodes.c.document, documents)}
