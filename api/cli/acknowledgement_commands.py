"""Acknowledgements: `ack`, `acks`."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from api.cli.cli_session import Json, day, session, today
from api.services.acknowledgement_service import UnknownAcknowledgementError
from api.terminal import report_tables
from compute.runs.acknowledgements import EndError, sentence


def register(app: typer.Typer) -> None:
    """Register the commands."""
    for command in (ack, acks):
        app.command(rich_help_panel="Claims")(command)


def ack(
    context: typer.Context,
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="A claim whose flag is raised.")],
    until: Annotated[
        date | None, typer.Option(parser=day, metavar="DATE", help="The day on which notices come again.")
    ] = None,
    comment: Annotated[str, typer.Option(help="What is being done about it; people will read it.")] = "",
    by: Annotated[str, typer.Option(metavar="NAME", help="Who acknowledges it.")] = "",
    end: Annotated[bool, typer.Option("--end", help="End the acknowledgement now.")] = False,
    json: Json = False,
) -> None:
    """Acknowledge that a claim fails: no more notices about it until a day, or until it holds again.

    Verdicts, exit codes and counts go on and say that it is acknowledged. A return is reported and ends the
    acknowledgement; a later break, or another fault, is reported as new.

    Examples: brain ack h100-break-even --until 2026-12-01 --comment "asked the vendor" --by alice ·
    brain ack h100-break-even --end
    """
    asked = session(context)
    if end:
        _end(context, claim)
        return
    if until is None or not comment.strip() or not by.strip():
        raise typer.BadParameter("--until, --comment and --by are needed", param_hint="--until / --comment / --by")
    with asked.brain() as opened:
        try:
            found = opened.acknowledgements.acknowledge(claim, until=until, comment=comment, by=by, on=today())
        except EndError as error:
            raise typer.BadParameter(str(error), param_hint="--until") from error
    if json:
        asked.emit(found)
    else:
        asked.log.print(sentence(found))


def _end(context: typer.Context, claim: str) -> None:
    asked = session(context)
    with asked.brain() as opened:
        if not opened.acknowledgements.end(claim):
            raise UnknownAcknowledgementError(claim)
    asked.log.print(f"the acknowledgement of {claim} is ended")


def acks(context: typer.Context, json: Json = False) -> None:
    """The acknowledgements, with their state: active, expired, or ended because the claim holds again.

    Example: brain acks --json
    """
    asked = session(context)
    with asked.brain() as opened:
        found = opened.acknowledgements.all(today())
    if json:
        asked.emit({"items": found})
    else:
        asked.out.print(report_tables.acknowledgements(found))
