"""Verdicts, runs of the ledger, and suppressed notices in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from rich.console import RenderableType, group
from rich.padding import Padding
from rich.text import Text

from api.terminal.document import styled_line, word
from api.terminal.tables import NO_RUN, styled, table
from compute.reports.report_document import before_after, counts
from compute.reports.report_model import figure
from graph.models.alert_models import Acknowledgement, Silence
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import Robust, Run, VerdictRow

if TYPE_CHECKING:
    from api.services.claim_status import ClaimStatus, RunChanges
    from api.services.evaluation import Rerun
    from compute.impact.note_health import Health


def states(found: Iterable[ClaimStatus]) -> RenderableType:
    """Claims with their last verdict."""
    return table("verdict | claim | value> | says~", map(_state, found))


def _state(state: ClaimStatus) -> Sequence[str | Text]:
    verdict = word(state.verdict) if state.verdict else Text("not yet", style="dim")
    if state.fragile:
        verdict = Text.assemble(verdict, " ", ("fragile", "yellow"))
    if not state.checked and state.verdict is not VerdictName.UNVERIFIABLE:
        verdict = Text.assemble(verdict, ("\nnot checked again", "dim"))
    says = Text(state.says)
    if state.quote is not None:
        says.append("\n").append(f"“{' '.join(state.quote.text.split())}”", "italic")
    return verdict, state.id, figure(state.value, state.unit), says


@group()
def shares(ranged: Iterable[tuple[VerdictRow, Robust]]) -> Iterator[RenderableType]:
    """Claims with ranges, those with the smallest share first."""
    yield Text("within the stated ranges", "italic")
    titles = "holds in>= | verdict | claim~ | 5th percentile>= | median>= | 95th percentile>="
    ordered = sorted(ranged, key=lambda one: (one[1].share, one[0].claim))
    yield table(titles, (_share(*one) for one in ordered))


def _share(row: VerdictRow, robust: Robust) -> Sequence[str | Text]:
    values = (figure(value, row.unit) for value in (robust.p05, robust.p50, robust.p95))
    verdict = Text.assemble(word(row.verdict), (" fragile" if robust.fragile else "", "yellow"))
    return figure(robust.share * 100, "%"), verdict, row.claim, *values


@group()
def runs(
    found: Sequence[Run], rows: Sequence[VerdictRow], counted: Mapping[int, Mapping[str, int]]
) -> Iterator[RenderableType]:
    """Runs with counts of verdicts, or one run with its rows."""
    listed = (_run(run, counted[run.id]) for run in found)
    yield table("run>= | for= | made= | code= | prices= | verdicts~", listed)
    detail = ((word(row.verdict), row.claim, figure(row.value, row.unit), Text(row.reason, "dim")) for row in rows)
    if rows:
        yield table("verdict | claim | value | reason~", detail, header=False)


def _run(run: Run, counted: Mapping[str, int]) -> Sequence[object]:
    verdicts = styled_line(counts(counted)) if counted else Text("no claims", style="dim")
    made = f"{run.started_at:%Y-%m-%d %H:%M:%S}" + (" (afterwards)" if run.replayed else "")
    return run.id, run.as_of, made, run.code, run.snapshot[:12], verdicts


@group()
def changes(found: Sequence[RunChanges], runs: int) -> Iterator[RenderableType]:
    """Changed verdicts with their reasons, run by run; `runs` is how many there are."""
    for run in found:
        yield Text(f"\nrun {run.run} for {run.as_of}", "bold")
        rows = (
            (styled_line(before_after(one)), Text.assemble((one.claim, "bold"), f"  {one.reason}"))
            for one in run.changes
        )
        yield Padding(table("verdicts | claim~", rows, header=False), (0, 2))
    if not found:
        yield Text("no verdict has changed" if runs else NO_RUN)


@group()
def rerun(found: Rerun) -> Iterator[RenderableType]:
    """An old run computed again."""
    if found.same is None:
        version = f"version {found.rules} of the rules for verdicts, which this program no longer has"
        yield Text(f"run {found.run} was made by {version}: it cannot be computed again")
    elif found.same:
        yield Text(f"run {found.run}: {found.claims} verdicts computed again, all the same byte for byte", "green")
    else:
        yield Text(f"run {found.run}: {len(found.differences)} verdicts differ", style="bold red")
        for one in found.differences:
            yield Text(f"  {one.claim}\n    stored {one.kept}\n    again  {one.again}")


@group()
def health(found: Health) -> Iterator[RenderableType]:
    """The health of a node with the path that caused it."""
    yield Text.assemble((found.node, "bold"), f"  {found.state.value}")
    if found.reason:
        yield Text(f"  {found.reason}")
    for step, name in enumerate(found.path[1:], 1):
        yield Text("  " * step + "depends on " + name)
    if found.claim:
        yield Text("  " * len(found.path) + f"whose claim {found.claim} is {found.verdict or 'not checked'}")


def acknowledgements(found: Iterable[Acknowledgement]) -> RenderableType:
    """Acknowledgements, past ones in grey."""
    rows = (
        styled(
            "" if one.state == "active" else "dim",
            *(one.claim, one.verdict or "–", one.by, one.since, one.until, one.state, one.comment),
        )
        for one in found
    )
    return table("claim | verdict | by= | from= | until= | state | comment~", rows, "no acknowledgements")


def silences(found: Iterable[Silence], on: date) -> RenderableType:
    """Silences, past ones in grey."""
    rows = (
        styled(
            "dim" if one.until is not None and one.until <= on else "",
            *(one.id, f"claim {one.claim}" if one.claim else f"tag {one.tag}", one.since, one.until or "–", one.reason),
        )
        for one in found
    )
    return table("silence~ | keeps back~= | from= | until= | reason~", rows, "no silences")
