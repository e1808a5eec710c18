"""The record in a terminal: the shares of each group, and the figures that broke."""

from __future__ import annotations

from decimal import Decimal

from rich.console import Group, RenderableType
from rich.text import Text

from api.terminal.fitted_table import Column, FittedTable
from compute.record.record import DAYS, BrokenFigure, Record, RecordGroup
from compute.record.record_text import basis_text, moves_text, percent


def record(found: Record, limit: int) -> RenderableType:
    """The record with at most `limit` groups and broken figures."""
    parts: list[RenderableType] = [Text(f"Record for {found.as_of}: {basis_text(found)}", style="bold")]
    parts.append(_groups(found, limit))
    parts += [Text(f"  {one.value}: {_rest(one)}", style="dim") for one in found.groups[:1]]
    if found.broken:
        parts += [Text(f"\nbroken ({len(found.broken)})", style="bold"), *map(_broken, found.broken[:limit])]
    if found.left:
        parts.append(Text(f"{found.left} claims of earlier runs are left out: no document states them any more"))
    return Group(*parts)


def _groups(found: Record, limit: int) -> FittedTable:
    names = ("claims", "true when written", "broken", *(f"{day} days" for day in DAYS), "half-life")
    counted = (Column(name, "right", said=True) for name in names)
    table = FittedTable((Column(found.groups[0].by if found.groups else "", prose=True), *counted))
    for one in found.groups[:limit]:
        half = "–" if not one.curve else "not reached" if one.half_life_days is None else f"{one.half_life_days} days"
        counts = (str(one.claims), str(one.true_when_written), str(one.broken))
        table.add_row(one.value, *counts, *(_share(one, str(day)) for day in DAYS), half)
    return table


def _share(one: RecordGroup, day: str) -> str:
    alive, low, high = (shares[day] for shares in (one.alive, one.low, one.high))  # type: ignore[index]  # the days are those of `Shares`
    if alive is None or low is None or high is None:
        return "–"
    return percent(alive) if low == high == Decimal(alive) else f"{percent(alive)} ({percent(low)}–{percent(high)})"


def _rest(one: RecordGroup) -> str:
    """What is not followed, in words."""
    counts = (
        (one.fixed, "fixed (no price can turn them)"),
        (one.never_true, "never true"),
        (one.unknown_when_written, "unknown when written"),
        (one.failed_before, "failed before the first run"),
        (one.censored, "lost from sight"),
        (one.holding_again, "holding again"),
    )
    return ", ".join(f"{count} {words}" for count, words in counts if count) or "all are followed"


def _broken(one: BrokenFigure) -> RenderableType:
    cause = one.cause.value if one.cause else "unknown"
    head = Text.assemble(f"  {one.day}  after {one.days} days  ", (one.claim, "bold"), f"  {cause}")
    lines = [one.says, *([moves_text(one.moves)] if one.moves else [])]
    again = ["holds again"] if one.holds_again else []
    return Group(head, *(Text(f"    {line}", style="dim") for line in [*lines, *again]))
