"""The root command with its global options, and the commands below it."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli.cli_session import CliSession, Home
from api.cli.command_table import LazyGroup, program

READING = frozenset({"search", "tags", "show", "citations", "backlinks"})
"""Commands that write no log, unless the home cannot be made private."""

app = program(
    name="brain",
    cls=LazyGroup,
    help="An analyst's brain: documents in, a cross-cited graph, and figures that are computed again every night.",
)


def _version(shown: bool) -> None:
    if shown:
        from api.release import VERSION  # noqa: PLC0415  # reads the metadata of every package

        typer.echo(f"brain {VERSION}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    home: Home = None,
    as_public: Annotated[
        bool, typer.Option("--as-public", help="Read as a caller without a token: private brains do not exist.")
    ] = False,
    as_brain: Annotated[
        str | None, typer.Option("--as-brain", metavar="NAME", help="Read as a caller with a token for this brain.")
    ] = None,
    _version_shown: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """Set up the session that all commands share.

    Raises:
        typer.BadParameter: two readers are named.
    """
    from api.services.log_lines import configure_logs  # noqa: PLC0415  # a listing of the commands needs neither
    from api.settings import Settings  # noqa: PLC0415  # as above

    if as_public and as_brain is not None:
        raise typer.BadParameter("say one of the two", param_hint="--as-public / --as-brain")
    settings = Settings()
    if context.invoked_subcommand not in READING:
        configure_logs()
    settings = settings if home is None else settings.model_copy(update={"home": home})
    context.obj = CliSession(settings, reader=("" if as_public else as_brain))
