"""The service: `demo`, `serve`, `nightly`."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli.context import AsOf, Json, Session, now, session, today
from api.cli.documents import steps
from api.serving import serve as run_server
from api.terminal import report
from compute.reports import plain

Host = Annotated[str, typer.Option(help="The address to listen on.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")]


def register(app: typer.Typer) -> None:
    """Put the commands on the program."""
    panel = "Service"
    app.command(rich_help_panel=panel)(demo)
    app.command(rich_help_panel=panel)(serve)


def demo(
    context: typer.Context,
    serve_pages: Annotated[bool, typer.Option("--serve/--no-serve", help="Serve the pages after the report.")] = True,
    as_of: AsOf = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    json: Json = False,
) -> None:
    """The whole way in one command: read the content that ships, verify it, print the morning report, serve.

    On a home that already has documents nothing is read again.  Example: brain demo --no-serve
    """
    asked = session(context)
    with asked.brain() as opened, asked.progress() as bar:
        if not opened.store.documents():
            opened.ingest([], at=now(), shipped=True, step=steps(bar))
        run = opened.verify(as_of or today(), at=now(), clock=now)
        found = opened.auditor.report(run, working=json)
    if json:
        asked.out.file.write(plain.render(found))
    else:
        asked.out.print(report.morning(found))
    if serve_pages:
        run_server(asked.settings, host, port)


def serve(context: typer.Context, host: Host = "127.0.0.1", port: Port = 8000) -> None:
    """Serve the API and the pages.  Example: brain serve --port 8080"""
    asked: Session = session(context)
    run_server(asked.settings, host, port)
