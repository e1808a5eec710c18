"""Ingest of a document: compares its nodes with those of the store and writes the differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select, update

from graph.models.document_models import Changes
from graph.models.node_models import Node
from graph.store.column_types import Record, instant
from graph.store.database import WriteTransaction
from graph.store.node_rows import CHILDREN, REF, Place, node_row, tag_rows
from graph.store.schema import citations, node_log, node_tags, nodes, tombstones
from graph.store.store_errors import TakenError
from graph.store.store_part import delete_among, insert_all, rows_among


class ArrivedNode(NamedTuple):
    """A node of a document, its position there, and the digest of its content."""

    node: Node
    place: Place
    digest: str


@dataclass(frozen=True, slots=True)
class DocumentArrival:
    """The nodes of a document by id, in its order (none: it is removed), and the JSON of its other fields."""

    document: str
    at: datetime
    fresh: dict[str, ArrivedNode] = field(default_factory=dict)
    record: str = ""


@dataclass
class Plan:
    """The changes that a document makes to the store, computed before anything is written."""

    arrival: DocumentArrival
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)  # same content on other lines
    unchanged: int = 0

    @property
    def does_something(self) -> bool:
        """False if the store already has every node unchanged."""
        return bool(self.added or self.changed or self.removed or self.replaced)

    def come(self) -> Iterator[ArrivedNode]:
        """The nodes to insert."""
        return (self.arrival.fresh[node_id] for node_id in (*self.added, *self.changed))

    def changes(self) -> Changes:
        """The plan as the caller's result."""
        named = {name: tuple(getattr(self, name)) for name in ("added", "changed", "removed", "moved")}
        return Changes(unchanged=self.unchanged, **named)


def plans_of(sql: Connection, arrivals: Sequence[DocumentArrival]) -> list[Plan]:
    """For each document of one ingest: what is new, changed, removed or moved."""
    held: dict[str, dict[str, Record]] = {arrival.document: {} for arrival in arrivals}
    asked = (nodes.c.id, nodes.c.digest, nodes.c.origin, nodes.c.sha256, nodes.c.first_line, nodes.c.last_line)
    for row in rows_among(sql, select(*asked, nodes.c.position, nodes.c.document), nodes.c.document, held):
        held[row.document][row.id] = row
    return [_compared(arrival, held[arrival.document]) for arrival in arrivals]


def _compared(arrival: DocumentArrival, held: Mapping[str, Record]) -> Plan:
    plan = Plan(arrival, removed=[node for node in held if node not in arrival.fresh])
    for node_id, new in arrival.fresh.items():
        old = held.get(node_id)
        if old is None:
            plan.added.append(node_id)
        elif old.digest != new.digest:
            plan.changed.append(node_id)
        else:
            _compare_place(plan, node_id, Place(*(getattr(old, name) for name in Place._fields)), new.place)
    return plan


def _compare_place(plan: Plan, node_id: str, old: Place, new: Place) -> None:
    if (old.first_line, old.last_line) != (new.first_line, new.last_line):
        plan.moved.append(node_id)
    else:
        plan.unchanged += 1
    if old != new:
        plan.replaced.append(node_id)


def refuse_taken(sql: Connection, plans: Sequence[Plan]) -> None:
    """Raise `TakenError` for a node in two documents; it may move between two documents of one ingest."""
    owner: dict[str, str] = {}
    for plan in plans:
        for node_id in plan.added:
            if owner.setdefault(node_id, plan.arrival.document) != plan.arrival.document:
                raise TakenError("node", node_id, owner[node_id], plan.arrival.document)
    given_up = {node_id for plan in plans for node_id in plan.removed}
    asked = [node_id for node_id in owner if node_id not in given_up]
    for taken in rows_among(sql, select(nodes.c.id, nodes.c.document), nodes.c.id, asked):
        raise TakenError("node", taken.id, taken.document, owner[taken.id])


def apply(work: WriteTransaction, plans: Sequence[Plan]) -> None:
    """Delete, insert, move and add tombstones; a changed node is deleted and inserted with its old serial."""
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
    stones = [stone for plan in plans for stone in _stones(work.sql, plan.removed, plan.arrival.at)]
    delete_among(work.sql, nodes.c.id, [*changed, *removed])
    _settle(work.sql, plans, serials)
    come = ((serials[new.node.id], new.node) for plan in plans for new in plan.come())
    update_search(work.sql, [before[name] for name in (*changed, *removed)], come, work.words)
    _bury(work.sql, stones)
    delete_among(work.sql, tombstones.c.id, [name for name in added if name in before])
    delete_among(work.sql, node_log.c.id, before)
    touched = dict.fromkeys([*added, *changed, *removed])
    insert_all(work.sql, node_log, ({"id": name, "serial": serials[name], "version": version} for name in touched))


def _settle(sql: Connection, plans: Sequence[Plan], serials: dict[str, int]) -> None:
    """Insert new and changed nodes, and update the lines of moved ones."""
    come = [(new, plan.arrival.document, serials[new.node.id]) for plan in plans for new in plan.come()]
    rows = (node_row(new.node, new.place, document, serial, new.digest) for new, document, serial in come)
    insert_all(sql, nodes, rows)
    insert_all(sql, node_tags, (tag for new, _, serial in come for tag in tag_rows(new.node, serial)))
    for table, rows_of in CHILDREN:
        insert_all(sql, table, (row for new, _, _ in come for row in rows_of(new.node)))
    if moved := [plan.arrival.fresh[node_id] for plan in plans for node_id in plan.replaced]:
        bodies = ((new, new.node.model_dump_json(exclude={"provenance"})) for new in moved)
        values = [{"moved": new.node.id, "body": body, **new.place._asdict()} for new, body in bodies]
        sql.execute(update(nodes).where(nodes.c.id == bindparam("moved")), values)


def _stones(sql: Connection, removed: Sequence[str], at: datetime) -> list[dict[str, Any]]:
    """The tombstone rows of all nodes that will be removed."""
    rows = rows_among(sql, select(*REF, nodes.c.document, nodes.c.sha256), nodes.c.id, removed)
    return [{**row._mapping, "removed_at": instant(at)} for row in rows]  # noqa: SLF001 - public in SQLAlchemy


def _bury(sql: Connection, stones: Sequence[dict[str, Any]]) -> None:
    """Insert the tombstones of nodes that are still cited."""
    targets = select(citations.c.target)
    cited = {row.target for row in rows_among(sql, targets, citations.c.target, [stone["id"] for stone in stones])}
    insert_all(sql, tombstones, (stone for stone in stones if stone["id"] in cited))
