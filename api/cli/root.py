"""The root command with its global options, and the exit of a call."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from typer import BadParameter, Context, Exit, Option

from api.cli.cli_options import Home
from api.cli.cli_session import CliSession
from api.cli.command_table import LazyGroup

RARELY = (50_000, 20, 50)
"""Thresholds of the garbage collector, rarer than by default: a brain has many objects and few cycles."""

app = typer.Typer(
    name="brain",
    cls=LazyGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="An analyst's brain: documents in, a cross-cited graph, and figures that are computed again every night.",
)


def _version(shown: bool) -> None:
    if shown:
        from api.release import VERSION  # noqa: PLC0415  # reads the metadata of every package

        typer.echo(f"brain {VERSION}")
        raise Exit


@app.callback()
def root(
    context: Context,
    home: Home = None,
    as_public: Annotated[bool, Option("--as-public", help="Read as a caller without a token does.")] = False,
    as_brain: Annotated[str | None, Option(metavar="NAME", help="Read with a token for this brain.")] = None,
    _version_shown: bool = Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """Set up the session that all commands share."""
    from api.settings import Settings  # noqa: PLC0415  # a listing of the commands does not need it

    if as_public and as_brain is not None:
        raise BadParameter("use either --as-public or --as-brain", param_hint="--as-public / --as-brain")
    settings = Settings() if home is None else Settings(home=home)
    context.obj = CliSession(settings, reader=("" if as_public else as_brain))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command line and exit with its code; an expected error is one line on standard error."""
    gc.set_threshold(*RARELY)
    try:
        app(args=arguments, prog_name="brain")
    except KeyboardInterrupt:
        _leave("stopped", 130)
    except Exception as error:  # the table below decides; what it does not know is a defect and keeps its traceback
        from api.cli.error_exits import code_of, error_text, setting_error  # noqa: PLC0415  # names the errors of every room, which a listing saves

        if wrong := setting_error(error):
            _leave(wrong, 2)
        code = code_of(error)
        if code is None:
            raise
        _leave(error_text(error), code)


def _leave(message: str, code: int) -> None:
    sys.stderr.write(f"brain: {message}\n")
    raise SystemExit(code)
