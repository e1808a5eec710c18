"""Silences: `silences [list]|add|remove`."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from api.cli.cli_session import Json, day, session, today
from api.cli.listing_group import listing_group
from api.services.name_lookup import UnknownSilenceError
from api.terminal import report_tables
from graph.models.alert_models import Silence

Until = Annotated[date, typer.Option(parser=day, metavar="DATE", help="The day on which notices come again.")]


def register(app: typer.Typer) -> None:
    """Register the commands."""
    says = "Keep notices back for a while; verdicts and flags go on."
    group = listing_group(says, list=shown, add=add, remove=remove)
    app.add_typer(group, name="silences", rich_help_panel="Claims")


def shown(context: typer.Context, json: Json = False) -> None:
    """List the silences, with their reasons and ends.  Example: brain silences --json"""
    asked = session(context)
    with asked.brain() as opened:
        found = [silence for silence in opened.alerts.silences() if silence.flags is None]
    if json:
        asked.emit({"items": found})
    else:
        asked.out.print(report_tables.silences(found, today()))


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
