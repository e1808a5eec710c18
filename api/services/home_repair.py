"""Rebuilds what a home derives from its documents and snapshots: search index, drawing, links, observed prices.

Only what is derived is touched: documents, claims, prices, runs, flags and notices are not changed. Observed prices and
the drawing are rebuilt only where they are damaged, because a sound one may know more than can be derived again.
"""

from __future__ import annotations

from typing import Literal

from api.brain import Brain
from graph.store.integrity_checks import remove_stray_rows
from graph.values import Value


class Repair(Value):
    """What was done with one derived part."""

    part: str
    done: Literal["rebuilt", "removed", "sound"]
    message: str


def repair(brain: Brain) -> tuple[Repair, ...]:
    """Rebuild the derived parts of a brain; what was done, part by part."""
    return (_links(brain), _drawing(brain), _observed_prices(brain), _index(brain))


def _index(brain: Brain) -> Repair:
    brain.search.rebuild()
    nodes = sum(brain.nodes.count().values())
    return Repair(part="search index", done="rebuilt", message=f"rebuilt from {nodes} nodes")


def _links(brain: Brain) -> Repair:
    removed = remove_stray_rows(brain.store)
    if not removed:
        return Repair(part="links", done="sound", message="every link and tag belongs to a node")
    named = ", ".join(f"{count} rows of {table}" for table, count in removed.items())
    return Repair(part="links", done="removed", message=f"removed {named}, which belonged to missing nodes")


def _drawing(brain: Brain) -> Repair:
    if brain.links.discard_damaged_map():
        message = "the stored positions were damaged; the next drawing makes them again"
        return Repair(part="drawing", done="removed", message=message)
    return Repair(part="drawing", done="sound", message="the stored positions can be read, or there are none")


def _observed_prices(brain: Brain) -> Repair:
    said = brain.prices.damaged_history()
    if said is None:
        return Repair(part="seen prices", done="sound", message="they agree with the snapshots")
    read = brain.prices.rebuild_history()
    return Repair(part="seen prices", done="rebuilt", message=f"{said}; rebuilt from {read} snapshots")
