"""Notices: `ack`, `acks`, `silences [list]|add|remove`."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from api.cli.cli_session import Json, day, session, today
from api.cli.command_table import listing_group
from api.services.acknowledgement_service import UnknownAcknowledgementError
from api.services.name_lookup import UnknownSilenceError
from api.terminal import report_tables
from compute.runs.acknowledgements import EndError, sentence
from graph.models.alert_models import Silence


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
    asked.answer({"items": found}, lambda: report_tables.acknowledgements(found), json=json)


Until = Annotated[date, typer.Option(parser=day, metavar="DATE", help="The day on which notices come again.")]


def shown(context: typer.Context, json: Json = False) -> None:
    """List the silences, with their reasons and ends.  Example: brain silences --json"""
    asked = session(context)
    with asked.brain() as opened:
        found = [silence for silence in opened.alerts.silences() if silence.flags is None]
    asked.answer({"items": found}, lambda: report_tables.silences(found, today()), json=json)


def add(
    context: typer.Context,
    reason: Annotated[str, typer.Option(help="Why; people will read it.")],
    until: Until,
    claim: Annotated[str | None, typer.Option(help="The claim to silence.")] = None,
    tag: Annotated[str | None, typer.Option(help="All claims with this tag.")] = None,
) -> None:
    """Silence a claim, or all claims with a tag.

    Example: brain silences add --claim h100-break-even-utilisation --until 2026-12-01 --reason "list changes this week"
    """
    if (claim is None) == (tag is None):
        raise typer.BadParameter("name a claim or a tag, one of the two", param_hint="--claim / --tag")
    asked, since = session(context), today()
    if until <= since:
        raise typer.BadParameter(f"{until} is not after today", param_hint="--until")
    name = f"{'claim' if claim else 'tag'}:{claim or tag}"
    with asked.brain() as opened, opened.transaction():
        if claim is not None:
            opened.claims.get(claim)
        opened.alerts.put_silence(Silence(id=name, claim=claim, tag=tag, reason=reason, since=since, until=until))
    asked.log.print(f"{name} is silent until {until}")


def remove(context: typer.Context, silence: Annotated[str, typer.Argument(help="Its id, as `list` shows it.")]) -> None:
    """Lift a silence.  Example: brain silences remove claim:h100-break-even-utilisation"""
    asked = session(context)
    with asked.brain() as opened:
        if not opened.alerts.remove_silence(silence):
            raise UnknownSilenceError(silence)
    asked.log.print(f"{silence} is lifted")


silences = listing_group("Keep notices back for a while; verdicts and flags go on.", list=shown, add=add, remove=remove)
