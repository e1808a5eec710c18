"""The command `serve`, apart from others since its start takes most of its time for imports."""

from __future__ import annotations

import sys
from datetime import time
from typing import Annotated

from typer import BadParameter, Option

from api.cli.cli_session import CliSession
from api.settings import Settings

Host = Annotated[str, Option(help="Address to listen on.")]
Port = Annotated[int, Option(min=0, max=65535, help="Port; 0 takes any free one.")]


def serve(
    asked: CliSession,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    nightly_at: Annotated[
        str | None, Option("--nightly", metavar="HH:MM", help="Run the nightly job at this time (UTC).")
    ] = None,
    workers: Annotated[int, Option(min=1, max=64, help="Number of server processes.")] = 1,
) -> None:
    """Serve the API and the pages.  Examples: brain serve --port 8080 · brain serve --nightly 04:30 --workers 2"""
    run_server(asked.settings, host, port, time_of(nightly_at) if nightly_at else None, workers)


def run_server(settings: Settings, host: str, port: int, nightly: time | None, workers: int = 1) -> None:
    """Serve until stopped; what was printed is flushed first, for a file or a pipe."""
    sys.stdout.flush()
    sys.stderr.write(f"brain: starting on http://{host}:{port or '(any free port)'}\n")
    sys.stderr.flush()
    from api.server import serve as run  # noqa: PLC0415  # the web framework takes a second that other commands save

    run(settings, host, port, nightly, workers)


def time_of(text: str) -> time:
    """The time of an option. Raises BadParameter for other texts."""
    try:
        return time.fromisoformat(text)
    except ValueError as error:
        raise BadParameter(f"{text!r} is not a time; write HH:MM", param_hint="--nightly") from error
