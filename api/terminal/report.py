"""The morning report in a terminal, and the other views of the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from api.services.auditor import Audit, Change, State, Turn
from api.terminal.figures import figure
from api.terminal.verdicts import STYLES, listing, word
from graph.claims import Row, Run, Verdict, VerdictName

NEAR = 8
"""How many of the claims nearest to turning are shown."""

GRAVE = (VerdictName.ERROR, VerdictName.REFUTED, VerdictName.STALE, VerdictName.CONFLICTING, VerdictName.UNVERIFIABLE)


def morning(audit: Audit) -> RenderableType:
    """What turned, what does not hold and why, what is close to turning, and which data are old."""
    parts: list[RenderableType] = [_head(audit), counts(audit.counts)]
    if audit.turned:
        parts.append(_section("turned since the last run", _turns(audit.turned)))
    for name in GRAVE:
        found = [verdict for verdict in audit.verdicts if verdict.verdict is name]
        if found:
            parts.append(_section(f"{name.value} ({len(found)})", _reasons(found)))
    if near := _nearest(audit.verdicts):
        parts.append(_section("hold, nearest to turning first", listing(near)))
    if old := [one for one in audit.data if one.state != "fresh"]:
        rows = [f"{one.kind} {one.name}: {one.state}, checked {one.checked or 'nobody knows when'}" for one in old]
        parts.append(_section("data that are old", Text("\n".join(rows))))
    return Group(*parts)


def _head(audit: Audit) -> Text:
    run = f"run {audit.run.id}" if audit.run else "nothing appended"
    prices = f", prices {audit.run.snapshot[:12]}" if audit.run else ""
    return Text.assemble(
        ("Morning report", "bold"), f" for {audit.as_of} · {len(audit.verdicts)} claims · {run}{prices}"
    )


def counts(found: dict[str, int]) -> Text:
    """The numbers of verdicts, each with its word."""
    parts = [(f"  {count} {name}", STYLES[VerdictName(name)]) for name, count in found.items() if count]
    return Text.assemble(*parts) if parts else Text("  no claims")


def _section(title: str, body: RenderableType) -> RenderableType:
    return Group(Text(""), Text(title, style="bold"), Padding(body, (0, 2)))


def _turns(turned: Iterable[Turn]) -> Table:
    table = Table.grid(padding=(0, 2))
    for turn in turned:
        before = word(turn.before) if turn.before else Text("new", style="dim")
        after = word(turn.after) if turn.after else Text("gone", style="dim")
        table.add_row(before, Text("→"), after, Text(turn.claim, style="bold"), Text(turn.reason))
    return table


def _reasons(verdicts: Iterable[Verdict]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold", ratio=1)
    for verdict in verdicts:
        head = Text.assemble((verdict.claim, "bold"), ("  " + verdict.severity.value, "dim"))
        table.add_row(Group(head, Text(verdict.says, style="italic"), Text(verdict.reason), Text("")))
    return table


def _nearest(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Those that hold, by how small their margin is against their value."""
    held = [one for one in verdicts if one.verdict is VerdictName.HOLDS and one.margin is not None and one.value]
    return sorted(held, key=_closeness)[:NEAR]


def _closeness(verdict: Verdict) -> Decimal:
    return abs((verdict.margin or Decimal(0)) / (verdict.value or Decimal(1)))


def states(found: Iterable[State]) -> Table:
    """Claims with their last verdict."""
    table = Table(box=None, pad_edge=False, header_style="bold dim")
    for title in ("verdict", "claim", "value", "says"):
        table.add_column(title, justify="right" if title == "value" else "left", overflow="fold")
    for state in found:
        verdict = word(state.verdict) if state.verdict else Text("not yet", style="dim")
        table.add_row(verdict, state.id, figure(state.value, state.unit), state.says)
    return table


def runs(found: Sequence[Run], rows: Sequence[Row]) -> RenderableType:
    """Runs, or one run with its rows."""
    table = Table(box=None, pad_edge=False, header_style="bold dim")
    for title in ("run", "for", "made", "code", "prices", "verdicts"):
        table.add_column(title, justify="right" if title == "run" else "left")
    for run in found:
        made = run.started_at.isoformat(" ", "seconds")
        table.add_row(str(run.id), str(run.as_of), made, run.code, run.snapshot[:12], counts(run.counts))
    detail = Table.grid(padding=(0, 2))
    for row in rows:
        detail.add_row(word(row.verdict), row.claim, figure(row.value, row.unit), Text(row.reason, style="dim"))
    return Group(table, detail) if rows else table


def changes(found: Iterable[Change]) -> RenderableType:
    """Turned verdicts, run by run."""
    parts = [_section(f"run {change.run} for {change.as_of}", _turns(change.turned)) for change in found]
    return Group(*parts) if parts else Text("no verdict has turned")
