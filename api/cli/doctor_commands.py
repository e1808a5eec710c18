"""`doctor`: is everything well?"""

from __future__ import annotations

import typer

from api.cli.cli_session import Json, now, session
from api.cli.exit_codes import FAILED
from api.services.doctor import diagnose
from api.terminal import report_tables


def register(app: typer.Typer) -> None:
    """Register the command."""
    app.command(rich_help_panel="Service")(doctor)


def doctor(context: typer.Context, json: Json = False) -> None:
    """Is everything well? One line each for what an operator watches, with what to do.

    Looks at the store and its integrity, the free disk, the search index, the age of each catalogue and prices on hold,
    the last night, undelivered notices, silences about to end, and the permissions of the home.

    Exit codes: 0 all is well, or there are only warnings; 1 an error was found.

    Examples: brain doctor · brain doctor --json
    """
    asked = session(context)
    found = diagnose(asked.settings, now())
    if json:
        asked.emit({"items": found, "well": all(one.state == "ok" for one in found)})
    else:
        asked.out.print(report_tables.findings(found))
    if any(one.state == "error" for one in found):
        raise typer.Exit(FAILED)
