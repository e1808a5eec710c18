"""Verdicts in a terminal: tables of many, runs of the ledger, notices kept back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from rich.console import RenderableType, group
from rich.padding import Padding
from rich.text import Text

from api.terminal.tables import figure, section, styled, table
from compute.ranges.range_text import FRAGILE
from graph.models.alert_models import Acknowledgement, Silence
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import QuoteAnchor, Robust, Run, VerdictChange, VerdictRow

if TYPE_CHECKING:
    from api.services.claim_evaluator import Rerun
    from api.services.claim_status import ClaimStatus, RunChanges
    from compute.impact.note_health import Health
    from compute.verify.scenarios import Outcome

STYLES: Mapping[VerdictName, str] = {
    VerdictName.HOLDS: "green",
    VerdictName.UNVERIFIABLE: "magenta",
    VerdictName.ERROR: "bold red",
    VerdictName.CONFLICTING: "cyan",
    VerdictName.DEPENDS: "blue",
    VerdictName.STALE: "yellow",
    VerdictName.REFUTED: "red",
}
"""One colour for each verdict, in the order in which they are counted; the word is always next to it."""


def word(name: VerdictName) -> Text:
    """A verdict as a coloured word."""
    return Text(name.value, style=STYLES[name])


def counts(found: Mapping[str, int]) -> Text:
    """The numbers of verdicts, each with its word."""
    parts = [(f"  {count} {name.value}", style) for name, style in STYLES.items() if (count := found.get(name.value))]
    return Text.assemble(*parts or [("  no claims yet: brain claim new NOTE WORDS writes one", "")])


def quoted(anchor: QuoteAnchor) -> Text:
    """The words of a note that a claim is about, on one line."""
    return Text(f"“{' '.join(anchor.text.split())}”", style="italic")


def states(found: Iterable[ClaimStatus]) -> RenderableType:
    """Claims with their last verdict."""
    return table("verdict | claim | value> | says~", map(_state, found))


def _state(state: ClaimStatus) -> Sequence[str | Text]:
    verdict = word(state.verdict) if state.verdict else Text("not yet", style="dim")
    if state.fragile:
        verdict = Text.assemble(verdict, " ", (FRAGILE, "yellow"))
    if not state.checked and state.verdict is not VerdictName.UNVERIFIABLE:
        verdict = Text.assemble(verdict, ("\nnot checked again", "dim"))
    says = Text(state.says)
    if state.quote is not None:
        says.append("\n").append(quoted(state.quote))
    return verdict, state.id, figure(state.value, state.unit), says


def shares(ranged: Iterable[tuple[VerdictRow, Robust]]) -> RenderableType:
    """The claims with ranges, those that hold in the least of them first."""
    titles = "holds in>= | verdict | claim~ | 5th percentile>= | median>= | 95th percentile>="
    ordered = sorted(ranged, key=lambda one: (one[1].share, one[0].claim))
    return table(titles, (_share(*one) for one in ordered), title="within the stated ranges")


def _share(row: VerdictRow, robust: Robust) -> Sequence[str | Text]:
    values = (figure(value, row.unit) for value in (robust.p05, robust.p50, robust.p95))
    verdict = Text.assemble(word(row.verdict), (f" {FRAGILE}" if robust.fragile else "", "yellow"))
    return figure(robust.share * 100, "%"), verdict, row.claim, *values


@group()
def runs(found: Sequence[Run], rows: Sequence[VerdictRow]) -> Iterator[RenderableType]:
    """Runs, or one run with its rows."""
    yield table("run>= | for= | made= | code= | prices= | verdicts~", map(_run, found))
    detail = ((word(row.verdict), row.claim, figure(row.value, row.unit), Text(row.reason, "dim")) for row in rows)
    if rows:
        yield table("verdict | claim | value | reason~", detail, header=False)


def _run(run: Run) -> Sequence[str | Text]:
    verdicts = counts(run.counts) if run.counts else Text("  no claims", style="dim")
    made = f"{run.started_at:%Y-%m-%d %H:%M:%S}" + (" (afterwards)" if run.replayed else "")
    return str(run.id), str(run.as_of), made, run.code, run.snapshot[:12], verdicts


def before_after(change: VerdictChange) -> tuple[Text, Text, Text]:
    """The verdict before, an arrow, and the verdict after."""
    before = word(change.before) if change.before else Text("new", style="dim")
    after = word(change.after) if change.after else Text("gone", style="dim")
    return before, Text("→"), after


def change_table(changes: Iterable[VerdictChange]) -> RenderableType:
    """Changed verdicts, each with its reason."""
    rows = (
        (str(one.on or ""), *before_after(one), Text.assemble((one.claim, "bold"), f"  {one.reason}"))
        for one in changes
    )
    return table("day | before | → | after | claim~", rows, header=False)


@group()
def changes(found: Sequence[RunChanges]) -> Iterator[RenderableType]:
    """Changed verdicts, run by run."""
    for one in found:
        yield from section(f"run {one.run} for {one.as_of}", change_table(one.changes))
    if not found:
        yield Text("no verdict has changed")


@group()
def rerun(found: Rerun) -> Iterator[RenderableType]:
    """An old run computed again."""
    if found.same is None:
        version = f"version {found.rules} of the rules for verdicts, which this program no longer has"
        yield Text(f"run {found.run} was made by {version}: it is kept as it was, and not computed again")
    elif found.same:
        yield Text(f"run {found.run}: {found.claims} verdicts computed again, all the same byte for byte", "green")
    else:
        yield Text(f"run {found.run}: {len(found.differences)} verdicts differ", style="bold red")
        for one in found.differences:
            yield Text(f"  {one.claim}\n    stored {one.kept}\n    again  {one.again}")


@group()
def scenarios(found: Sequence[Outcome]) -> Iterator[RenderableType]:
    """What each scenario changes."""
    for one in found:
        yield Text.assemble((one.scenario, "bold"), f"  {one.says}")
        rows = (
            (*before_after(turn), Text(turn.claim, "bold"), f"{figure(turn.value_before, turn.unit)} → "
             f"{figure(turn.value_after, turn.unit)}")
            for turn in one.turned
        )  # fmt: skip
        yield Padding(table("before | → | after | claim | values", rows, header=False), (0, 0, 0, 2))
        yield Text(f"  {len(one.turned)} turn, {one.moved} move, {one.same} stay\n", style="dim")
    if not found:
        yield Text("no scenario")


@group()
def health(found: Health) -> Iterator[RenderableType]:
    """The health of a node with the path that made it so."""
    yield Text.assemble((found.node, "bold"), f"  {found.state.value}")
    if found.reason:
        yield Text(f"  {found.reason}")
    for step, name in enumerate(found.path[1:], 1):
        yield Text("  " * step + "depends on " + name)
    if found.claim:
        yield Text("  " * len(found.path) + f"whose claim {found.claim} is {found.verdict or 'not checked'}")


def acknowledgements(found: Iterable[Acknowledgement]) -> RenderableType:
    """Acknowledgements, those that are over in grey."""
    rows = (
        styled(
            "" if one.state == "active" else "dim",
            *(one.claim, one.verdict or "–", one.by, str(one.since), str(one.until), one.state, one.comment),
        )
        for one in found
    )
    return table("claim | verdict | by= | from= | until= | state | comment~", rows, "no acknowledgements")


def silences(found: Iterable[Silence], on: date) -> RenderableType:
    """Silences, those that have run out in grey."""
    rows = (
        styled(
            "dim" if one.until is not None and one.until <= on else "",
            *(one.id, f"claim {one.claim}" if one.claim else f"tag {one.tag}"),
            *(str(one.since), str(one.until or "–"), one.reason),
        )
        for one in found
    )
    return table("silence~ | keeps back~= | from= | until= | reason~", rows, "no silences")
