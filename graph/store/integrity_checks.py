"""Checks of the store: the file, references between tables, hashes of stored data, counts of the ledger."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator

from sqlalchemy import Connection, delete, func, select, text
from sqlalchemy.exc import DatabaseError

from graph.name_rules import InvalidNameError, check_node_id
from graph.problems import Problem
from graph.store.database import STREAMED, Database
from graph.store.schema import documents, edges, metadata, node_tags, nodes, runs, snapshots, verdicts
from graph.store.store_errors import CorruptStoreError

DAMAGED = "store-damaged"  # code of a problem after which nothing in the store is certain

Check = Callable[[Connection], Iterator[Problem]]


def integrity_problems(database: Database) -> list[Problem]:
    """Problems of a store."""
    with database.reading() as sql:
        return [problem for check in CHECKS for problem in _unless_damaged(check, sql)]


def _unless_damaged(check: Check, sql: Connection) -> Iterator[Problem]:
    """The problems of a check; if damage ends it, those before and the damage."""
    try:
        yield from check(sql)
    except (DatabaseError, CorruptStoreError, ValueError) as error:  # a text in a damaged page may be no JSON
        said = error.orig if isinstance(error, DatabaseError) else error
        yield _problem(DAMAGED, f"the database gives an error: {str(said).partition(' with text ')[0]}")


def _problem(code: str, message: str) -> Problem:
    return Problem(document="brain.db", code=code, message=message)


def _file(sql: Connection) -> Iterator[Problem]:
    if sql.dialect.name != "sqlite":
        return  # the server checks its own files
    for (said,) in sql.execute(text("PRAGMA integrity_check(20)")):
        if said != "ok":
            yield _problem(DAMAGED, f"integrity check: {said}")
    for table, _row, parent, _key in sql.execute(text("PRAGMA foreign_key_check")):
        yield _problem("dangling-row", f"a row of {table} refers to a missing row of {parent}")


def _packed(sql: Connection) -> Iterator[Problem]:
    """Compressed texts with another hash."""
    query = select(documents.c.name, documents.c.sha256, documents.c.text, documents.c.text_sha256)
    for row in sql.execute(query, execution_options=STREAMED):
        if _hash_of(row.text) != row.text_sha256:
            yield _problem("document-hash", f"the stored text of {row.name} ({row.sha256[:12]}) differs from its hash")
    payloads = sql.execute(select(snapshots.c.hash, snapshots.c.payload), execution_options={"yield_per": 1})
    for digest, payload in payloads:
        if _hash_of(payload) != digest:
            yield _problem("snapshot-hash", f"the snapshot {digest[:12]} has another hash")


def _bodies(sql: Connection) -> Iterator[Problem]:
    """Rows whose text is not JSON: SQLite does not notice damage inside a row."""
    for table in (metadata.tables[name] for name in ("nodes", "claims", "flags", "silences", "notices")):
        (key, *_) = table.primary_key
        for name, body in sql.execute(select(key, table.c.body), execution_options=STREAMED):
            try:
                json.loads(body)
            except ValueError:
                yield _problem(DAMAGED, f"the stored text of {name!a} in the table {table.name} is damaged")


def _hash_of(packed: bytes) -> str | None:
    try:
        return hashlib.sha256(zlib.decompress(packed)).hexdigest()
    except zlib.error:
        return None


def _counts(sql: Connection) -> Iterator[Problem]:
    held = select(nodes.c.document, func.count().label("held")).group_by(nodes.c.document).subquery()
    query = select(documents.c.name, documents.c.nodes, func.coalesce(held.c.held, 0).label("held"))
    joined = query.outerjoin(held, held.c.document == documents.c.name).where(documents.c.current)
    for row in sql.execute(joined):
        if row.nodes != row.held:
            yield _problem("node-count", f"{row.name} has {row.held} nodes in the store, expected {row.nodes}")
    current = select(documents.c.name).where(documents.c.current)
    orphans = sql.execute(select(nodes.c.id).where(nodes.c.document.not_in(current)).limit(20)).scalars()
    yield from (_problem("orphan-node", f"the node {name} belongs to no current document") for name in orphans)


def remove_stray_rows(database: Database) -> dict[str, int]:
    """Remove tags and links of missing nodes; returns the number of rows by table."""
    gone: dict[str, int] = {}
    with database.writing() as work:
        for column in (node_tags.c.node, edges.c.subject):
            stray = delete(column.table).where(column.not_in(select(nodes.c.id)))
            if count := work.sql.execute(stray).rowcount:
                gone[column.table.name] = count
        work.changes = bool(gone)
        work.take("graph")
    return gone


def _names(sql: Connection) -> Iterator[Problem]:
    """Invalid ids of older versions."""
    for name in sql.execute(select(nodes.c.id), execution_options=STREAMED).scalars():
        try:
            check_node_id(name)
        except InvalidNameError as error:
            yield _problem("node-id", f"{error}; remove its document and ingest it again")


def _ledger(sql: Connection) -> Iterator[Problem]:
    counted = sql.execute(select(verdicts.c.run, func.count()).group_by(verdicts.c.run))
    held = {int(row[0]): int(row[1]) for row in counted}
    kept = set(sql.execute(select(snapshots.c.hash)).scalars())
    for row in sql.execute(select(runs.c.id, runs.c.counts, runs.c.snapshot)):
        brought = sum(json.loads(row.counts).values())
        if held.pop(row.id, 0) != brought:
            yield _problem("run-count", f"run {row.id} does not have its {brought} verdicts")
        if row.snapshot not in kept:
            said = f"run {row.id} was made from the snapshot {row.snapshot[:12]}, which is missing"
            yield _problem("run-snapshot", said)
    for run, count in held.items():
        yield _problem("stray-verdicts", f"{count} verdicts belong to the missing run {run}")


CHECKS: tuple[Check, ...] = (_file, _bodies, _packed, _counts, _names, _ledger)  # checks in the order in which they run
