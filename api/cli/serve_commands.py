"""The command `serve`: it loads little before it says that it starts."""

from __future__ import annotations

import sys
from datetime import time
from typing import Annotated

from typer import Option

from api.cli.cli_options import time_of_day
from api.cli.cli_session import CliSession
from api.settings import Settings

Host = Annotated[str, Option(help="Address to listen on.")]
Port = Annotated[int, Option(min=0, max=65535, help="Port; 0 takes any free one.")]


def serve(
    asked: CliSession,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    nightly: Annotated[
        time | None, Option(parser=time_of_day, metavar="HH:MM", help="Run the nightly job at this time (UTC).")
    ] = None,
    workers: Annotated[int, Option(min=1, max=64, help="Number of server processes.")] = 1,
) -> None:
    """Serve the API and the pages.  Examples: brain serve --port 8080 · brain serve --nightly 04:30 --workers 2"""
    start(asked.settings, host, port, nightly, workers)


def start(settings: Settings, host: str, port: int, nightly: time | None, workers: int = 1) -> None:
    """Serve until stopped; what was printed is flushed first, for a file or a pipe."""
    sys.stdout.flush()
    sys.stderr.write(f"brain: starting on http://{host}:{port or '(any free port)'}\n")
    sys.stderr.flush()
    from api.server import serve as run  # noqa: PLC0415  # the web framework takes a second that other commands save

    run(settings, host, port, nightly, workers)
