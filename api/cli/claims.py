"""Claims: `claims`, `explain`, `verify`, `mine`, `health`."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli.browse import Node
from api.cli.context import AsOf, Json, day, now, session, today
from api.cli.exits import FAILED
from api.terminal import report, verdicts
from graph.claims import VerdictName

Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A price or an assumption with your own value; stores nothing."),
]


def register(app: typer.Typer) -> None:
    """Put the commands on the program."""
    panel = "Claims"
    for command in (claims, explain, verify, health):
        app.command(rich_help_panel=panel)(command)


def claims(
    context: typer.Context,
    verdict: Annotated[VerdictName | None, typer.Option(help="Only claims with this verdict.")] = None,
    node: Annotated[str | None, typer.Option(help="Only claims of this node.")] = None,
    json: Json = False,
) -> None:
    """Claims with their last verdict.  Example: brain claims --verdict stale"""
    asked = session(context)
    with asked.brain() as opened:
        found = opened.auditor.states(verdict=verdict, node=node)
    if json:
        asked.emit({"items": found})
    else:
        asked.out.print(report.states(found))


def explain(
    context: typer.Context,
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="A claim's id.")],
    as_of: AsOf = None,
    known: Annotated[str | None, typer.Option("--known", help="Only prices known by this day.")] = None,
    sets: Sets = None,
    json: Json = False,
) -> None:
    """One verdict with its working, inputs and the values at which it turns.

    Examples: brain explain sonnet-cached-batch-discount · brain explain h100-break-even --set rate=2.00
    """
    asked = session(context)
    with asked.brain() as opened:
        found = opened.auditor.explain(
            claim, as_of or today(), known=day(known) if known else None, sets=assignments(sets)
        )
    if json:
        asked.emit(found)
    else:
        asked.out.print(verdicts.working(found))


def verify(
    context: typer.Context,
    as_of: AsOf = None,
    claim: Annotated[list[str] | None, typer.Option(help="Only this claim; repeat it. Appends nothing.")] = None,
    fail_on: Annotated[str, typer.Option(help="Verdicts that end with exit code 1, separated by commas.")] = "",
    sets: Sets = None,
    json: Json = False,
) -> None:
    """Evaluate the claims, append a run to the ledger, and print the report.

    Examples: brain verify --as-of 2026-11-21 --fail-on stale,refuted · brain verify --set "assume:pue=1.1"
    """
    asked = session(context)
    bad = failing(fail_on)
    with asked.brain() as opened:
        found = opened.auditor.verify(as_of or today(), at=now(), clock=now, claims=claim or (), sets=assignments(sets))
    if json:
        asked.emit(found)
    else:
        asked.out.print(report.morning(found))
    if any(verdict.verdict in bad for verdict in found.verdicts):
        raise typer.Exit(FAILED)


def failing(text: str) -> frozenset[VerdictName]:
    """Verdict names separated by commas.

    Raises:
        typer.BadParameter: one is not a verdict.
    """
    names = {part.strip() for part in text.split(",") if part.strip()}
    unknown = names - {name.value for name in VerdictName}
    if unknown:
        known = ", ".join(name.value for name in VerdictName)
        raise typer.BadParameter(f"{', '.join(sorted(unknown))} is no verdict; there are {known}")
    return frozenset(VerdictName(name) for name in names)


def assignments(given: list[str] | None) -> dict[str, str]:
    """`NAME=VALUE` pairs.

    Raises:
        typer.BadParameter: one has no equals sign.
    """
    wrong = [text for text in given or () if "=" not in text]
    if wrong:
        raise typer.BadParameter(f"{wrong[0]!r} is not NAME=VALUE; for example --set assume:pue=1.1")
    return {name.strip(): value.strip() for name, _, value in (text.partition("=") for text in given or ())}


def health(context: typer.Context, node: Node, json: Json = False) -> None:
    """Is a node sound, weakened, broken or unchecked, and by which path?  Example: brain health analyst/kv-cache"""
    asked = session(context)
    with asked.brain() as opened:
        found = opened.node(node).health
    if json:
        asked.emit({"items": [{"node": node, "health": found}]})
    else:
        asked.out.print(found)
