"""Documents: compares the nodes of a document with the stored ones and writes the differences in one transaction."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from pydantic_core import PydanticSerializationError
from sqlalchemy import Column, Connection, bindparam, delete, func, select, update

from graph.models.document_models import Changes, Document
from graph.models.node_models import Node
from graph.models.query_models import DocumentHead, DocumentRecord
from graph.name_rules import InvalidNameError, check_document, check_node_id
from graph.store.database import WriteTransaction
from graph.store.node_rows import CHILDREN, REF, Place, digest_of, node_row, tag_rows
from graph.store.schema import (
    Record,
    citations,
    documents,
    instant,
    node_log,
    node_names,
    node_tags,
    nodes,
    origins,
    tombstones,
    unresolved,
)
from graph.store.store_errors import DuplicateError, TakenError, UnknownDocumentError, UnstorableError
from graph.store.store_part import StorePart, among, delete_among, insert_all, rows_among
from graph.text.similar_names import names_any
from graph.values import dumps, loads

_LISTED = tuple(column for column in documents.c if column.name not in {"text", "text_sha256"})
_HEADS = select(*(documents.c[name] for name in DocumentHead._fields)).where(documents.c.current)
_ON_LINKS = ("link-", "relation-")
_SET_ASIDE = {"declared_nodes", "lines", "skipped", "problems", "evidence", "about"}


class DocumentTables(StorePart):
    """Documents and their versions."""

    def put_all(self, arrived: Iterable[Document], at: datetime) -> tuple[Changes, ...]:
        """Store the current versions of documents, all or none; equal ones change nothing.

        Nodes keep their ids and their position in the order of arrival.

        Raises:
            TakenError: another document has a node of the same id.
            DuplicateError: a document has a node id twice.
            UnstorableError: a text contains a lone surrogate, or a name breaks the rule of `graph.name_rules`.
        """
        come = {document.name: document for document in arrived}
        plans = [_plan(document) for document in come.values()]
        with self._database.writing() as work:
            _compare(work.sql, plans)
            _refuse_taken(work.sql, plans)
            current = select(*_LISTED).where(documents.c.current)
            held = {row.name: row for row in self._among(current, documents.c.name, come)}
            new = [
                _document_row(document, plan.record, at, held.get(document.name))
                for plan, document in zip(plans, come.values(), strict=True)
                if plan.does_something or _differs(held.get(document.name), document, plan.record)
            ]
            work.changes = bool(new)
            if any(plan.does_something for plan in plans):
                _apply(work, plans, at)
            _make_current(work.sql, new)
        return tuple(plan.changes() for plan in plans)

    def compared(self, documents: Iterable[Document]) -> tuple[Changes, ...]:
        """The changes that `put_all` would make; documents have different names."""
        plans = [_plan(document) for document in documents]
        with self._database.reading() as sql:
            _compare(sql, plans)
        return tuple(plan.changes() for plan in plans)

    def remove(self, name: str, at: datetime) -> Changes:
        """Remove a current document's nodes, not its versions. Raises `UnknownDocumentError` if there is none."""
        with self._database.writing() as work:
            if self._first(select(documents.c.name).where(documents.c.current, documents.c.name == name)) is None:
                raise UnknownDocumentError(name)
            plan = _Plan(name)
            _compare(work.sql, [plan])
            _apply(work, [plan], at)
            work.sql.execute(update(documents).where(documents.c.name == name).values(current=False))
            work.sql.execute(delete(unresolved).where(unresolved.c.document == name))
        return plan.changes()

    def all(self) -> tuple[DocumentRecord, ...]:
        """Current documents by name, without text."""
        rows = self._rows(select(*_LISTED).where(documents.c.current).order_by(documents.c.name))
        return tuple(self._visible(_record(row)) for row in rows)

    def heads(self, formats: Collection[str] | None = None) -> tuple[DocumentHead, ...]:
        """Current documents by name, of these formats or all; ten times faster than `all`."""
        query = _HEADS.order_by(documents.c.name)
        if formats is not None:
            query = query.where(documents.c.format.in_(formats))
        return tuple(DocumentHead(*row) for row in self._rows(query))

    def heads_of(self, names: Iterable[str]) -> tuple[DocumentHead, ...]:
        """Current documents with these names, by name."""
        return tuple(sorted(DocumentHead(*row) for row in self._among(_HEADS, documents.c.name, names)))

    def any(self, form: str | None = None) -> bool:
        """Whether there is a current document, of a format or of any."""
        query = select(documents.c.name).where(documents.c.current).limit(1)
        return self._first(query if form is None else query.where(documents.c.format == form)) is not None

    def every_version(self, brain: str, form: str) -> tuple[DocumentRecord, ...]:
        """Every version, with text, of a brain's documents in a format; current, earlier and removed ones."""
        query = select(documents).where(documents.c.brain == brain, documents.c.format == form)
        rows = self._rows(query.order_by(documents.c.name, documents.c.ingested_at))
        return tuple(_record(row, text=zlib.decompress(row.text).decode()) for row in rows)

    def get(self, name: str, sha: str | None = None) -> DocumentRecord:
        """One document with text: the current version, or the one with a SHA-256. Raises `UnknownDocumentError`."""
        version = documents.c.current if sha is None else documents.c.sha256 == sha
        row = self._first(select(documents).where(documents.c.name == name, version))
        if row is None:
            raise UnknownDocumentError(name if sha is None else f"{name} with the SHA-256 {sha}")
        return self._visible(_record(row, text=zlib.decompress(row.text).decode()))

    def _visible(self, record: DocumentRecord) -> DocumentRecord:
        """The record without problems that name a hidden brain, and without those of links.

        Links are resolved among all notes: a link without a problem would reveal a hidden note.
        """
        hidden = self._database.hidden
        if not hidden or not record.problems:
            return record
        told = (one for one in record.problems if not one.code.startswith(_ON_LINKS))
        seen = tuple(one for one in told if not names_any(f"{one.message} {one.hint}", hidden))
        return record.model_copy(update={"problems": seen})


class _ArrivedNode(NamedTuple):
    node: Node
    place: Place
    digest: str


@dataclass
class _Plan:
    """The changes of a document to the store, as ids of its nodes.

    `fresh` has its nodes in order (none: it is removed), `record` is the JSON of its other fields.
    """

    document: str
    fresh: dict[str, _ArrivedNode] = field(default_factory=dict)
    record: str = ""
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)  # same content on other lines
    unchanged: int = 0

    @property
    def does_something(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.replaced)

    def come(self) -> Iterator[_ArrivedNode]:
        return (self.fresh[node_id] for node_id in (*self.added, *self.changed))

    def compare(self, held: Mapping[str, Record]) -> None:
        """Compare the nodes with the stored ones."""
        self.removed = [node for node in held if node not in self.fresh]
        for node_id, new in self.fresh.items():
            old = held.get(node_id)
            if old is None or old.digest != new.digest:
                (self.added if old is None else self.changed).append(node_id)
                continue
            if (old.first_line, old.last_line) != (new.place.first_line, new.place.last_line):
                self.moved.append(node_id)
            else:
                self.unchanged += 1
            if Place(*(getattr(old, name) for name in Place._fields)) != new.place:
                self.replaced.append(node_id)

    def changes(self) -> Changes:
        named = {name: tuple(getattr(self, name)) for name in ("added", "changed", "removed", "moved")}
        return Changes(unchanged=self.unchanged, **named)


def _plan(document: Document) -> _Plan:
    """The nodes of a document, with the final check of names and texts."""
    found: dict[str, _ArrivedNode] = {}
    try:
        check_document(document.name)
        for position, node in enumerate(document.nodes):
            check_node_id(node.id, node.brain)
            if node.id in found:
                raise DuplicateError("node", node.id, document.name)
            at = node.provenance
            place = Place(at.document, at.sha256, at.first_line, at.last_line, position)
            found[node.id] = _ArrivedNode(node, place, digest_of(node))
        record = dumps(document.model_dump(include=_SET_ASIDE))
        f"{record}{document.text}".encode()
    except (InvalidNameError, PydanticSerializationError, UnicodeEncodeError) as error:
        raise UnstorableError(f"the document {document.name!a}", str(error)) from error
    return _Plan(document.name, found, record)


def _compare(sql: Connection, plans: Sequence[_Plan]) -> None:
    held: dict[str, dict[str, Record]] = {plan.document: {} for plan in plans}
    asked = select(nodes.c.id, nodes.c.digest, nodes.c.document, *(nodes.c[name] for name in Place._fields))
    for row in rows_among(sql, asked, nodes.c.document, held):
        held[row.document][row.id] = row
    for plan in plans:
        plan.compare(held[plan.document])


def _refuse_taken(sql: Connection, plans: Sequence[_Plan]) -> None:
    """Raises `TakenError` for a node in two documents; one ingest may move it from one to the other."""
    owner: dict[str, str] = {}
    for plan in plans:
        for node_id in plan.added:
            if owner.setdefault(node_id, plan.document) != plan.document:
                raise TakenError("node", node_id, owner[node_id], plan.document)
    given_up = {node_id for plan in plans for node_id in plan.removed}
    asked = [node_id for node_id in owner if node_id not in given_up]
    for taken in rows_among(sql, select(nodes.c.id, nodes.c.document), nodes.c.id, asked):
        raise TakenError("node", taken.id, taken.document, owner[taken.id])


def _apply(work: WriteTransaction, plans: Sequence[_Plan], at: datetime) -> None:
    """Write the plans; a changed node is deleted and inserted with its old serial."""
    from graph.store.search_tables import update as update_search  # noqa: PLC0415  # a reader needs no stemmer

    version = work.take("graph")
    added = [node_id for plan in plans for node_id in plan.added]
    changed = [node_id for plan in plans for node_id in plan.changed]
    removed = [node_id for plan in plans for node_id in plan.removed]
    known = select(node_log.c.id, node_log.c.serial)
    before: dict[str, int] = dict(rows_among(work.sql, known, node_log.c.id, [*added, *changed, *removed]))
    new = [name for name in added if name not in before]
    last = work.take("serial", len(new)) if new else 0
    serials = before | dict(zip(new, range(last - len(new) + 1, last + 1), strict=True))
    gone = rows_among(work.sql, select(*REF, nodes.c.document, nodes.c.sha256), nodes.c.id, removed)
    delete_among(work.sql, nodes.c.id, [*changed, *removed])
    _settle(work.sql, plans, serials)
    come = ((serials[new.node.id], new.node) for plan in plans for new in plan.come())
    update_search(work.sql, [before[name] for name in (*changed, *removed)], come, work.words)
    _add_tombstones(work.sql, gone, at)
    delete_among(work.sql, tombstones.c.id, [name for name in added if name in before])
    delete_among(work.sql, node_log.c.id, before)
    touched = dict.fromkeys([*added, *changed, *removed])
    insert_all(work.sql, node_log, ({"id": name, "serial": serials[name], "version": version} for name in touched))


def _settle(sql: Connection, plans: Sequence[_Plan], serials: dict[str, int]) -> None:
    """Insert new and changed nodes, update the places of moved ones."""
    come = [(new, plan.document, serials[new.node.id]) for plan in plans for new in plan.come()]
    rows = (node_row(new.node, new.place, document, serial, new.digest) for new, document, serial in come)
    insert_all(sql, nodes, rows)
    insert_all(sql, node_tags, (tag for new, _, serial in come for tag in tag_rows(new.node, serial)))
    for table, rows_of in CHILDREN:
        insert_all(sql, table, (row for new, _, _ in come for row in rows_of(new.node)))
    if moved := [plan.fresh[node_id] for plan in plans for node_id in plan.replaced]:
        bodies = ((new, new.node.model_dump_json(exclude={"provenance"})) for new in moved)
        values = [{"moved": new.node.id, "body": body, **new.place._asdict()} for new, body in bodies]
        sql.execute(update(nodes).where(nodes.c.id == bindparam("moved")), values)


def _add_tombstones(sql: Connection, removed: Sequence[Record], at: datetime) -> None:
    """Insert the tombstones of removed nodes that are still cited."""
    targets = select(citations.c.target)
    cited = {row.target for row in rows_among(sql, targets, citations.c.target, (row.id for row in removed))}
    stones = (row._mapping for row in removed if row.id in cited)  # noqa: SLF001 - public in SQLAlchemy
    insert_all(sql, tombstones, ({**stone, "removed_at": instant(at)} for stone in stones))


def _make_current(sql: Connection, come: Sequence[dict[str, Any]]) -> None:
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
    """The row of a document; an unchanged text, stored again for its links, keeps its time."""
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
"""A folder and a file in it; the folder is empty where the file was given by itself."""


class DocumentOrigins(StorePart):
    """Where documents came from, by name."""

    def folders(self) -> dict[str, int]:
        """Number of documents by folder; the empty one is of files given by themselves."""
        counted = self._rows(select(origins.c.folder, func.count()).group_by(origins.c.folder))
        return {loads(folder): int(count) for folder, count in counted}

    def of(self, names: Iterable[str]) -> dict[str, FilePlace]:
        """Origins of these documents that have one."""
        return self._places(origins.c.document, names)

    def read_from(self, folders: Iterable[str], files: Iterable[str]) -> dict[str, FilePlace]:
        """Origins in these folders, and of these files in any folder."""
        found = self._places(origins.c.folder, map(json.dumps, folders))
        return found | self._places(origins.c.file, map(json.dumps, files))

    def _places(self, column: Column[str], values: Iterable[str]) -> dict[str, FilePlace]:
        return {
            row.document: (loads(row.folder), loads(row.file)) for row in self._among(select(origins), column, values)
        }

    def put(self, come: Mapping[str, FilePlace], gone: Collection[str] = ()) -> None:
        """Store the origins of documents, delete those of removed ones."""
        rows = ((name, *map(json.dumps, place)) for name, place in come.items())  # a path may be no UTF-8
        self._put_rows(origins.c.document, {*come, *gone}, rows)


class UnresolvedLinks(StorePart):
    """Names in links that no node has yet: a new node finds the documents that link to it."""

    def put(self, names: Mapping[str, Collection[str]]) -> None:
        """Replace the unresolved names of these documents."""
        rows = ((document, name) for document, each in names.items() for name in each)
        self._put_rows(unresolved.c.document, names, rows)

    def waiting_for(self, names: Iterable[str]) -> tuple[str, ...]:
        """Documents with a link by one of these names, sorted."""
        if self._first(select(unresolved.c.name).limit(1)) is None:
            return ()
        found = self._among(select(unresolved.c.document), unresolved.c.name, names)
        return tuple(sorted({row.document for row in found}))


class NodeNames(StorePart):
    """Names by which links find nodes: an ingest reads only the nodes that its links may mean."""

    def put(self, names: Mapping[str, Collection[str]]) -> None:
        """Replace the names of these nodes (`ingest.linking.link_targets.node_names`)."""
        self._put_rows(node_names.c.node, names, ((node, name) for node in names for name in names[node]))

    def called(self, names: Iterable[str]) -> set[str]:
        """Nodes with one of these names."""
        return {row.node for row in self._among(select(node_names.c.node), node_names.c.name, names)}

    def of_documents(self, documents: Iterable[str]) -> set[str]:
        """Names of the nodes of these documents."""
        asked = select(node_names.c.name).join(nodes, nodes.c.id == node_names.c.node)
        return {row.name for row in self._among(asked, nodes.c.document, documents)}
