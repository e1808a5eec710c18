"""The library: `library [list]|add|remove`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli.cli_session import Json, session
from api.cli.document_commands import valid_brain
from api.cli.listing_group import listing_group
from api.terminal import import_tables as shown

Folder = Annotated[Path, typer.Argument(metavar="PATH", help="A folder.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Register the commands."""
    says = "The folders that the nightly job reads again first."
    group = listing_group(says, list=listed, add=add, remove=remove)
    app.add_typer(group, name="library", rich_help_panel="Documents")


def listed(context: typer.Context, json: Json = False) -> None:
    """List the folders, with the number of documents from each.  Example: brain library list --json"""
    asked = session(context)
    with asked.brain() as opened:
        found = opened.library.listed()
    if json:
        asked.emit({"items": found})
    else:
        asked.out.print(shown.library(found))


def add(
    context: typer.Context,
    path: Folder,
    brain: Annotated[str | None, typer.Option(help="The name of the brain, in place of the document's own.")] = None,
    follow_links: Annotated[
        bool, typer.Option("--follow-links", help="Also read symbolic links that lead out of the folder.")
    ] = False,
) -> None:
    """Add a folder; `brain nightly` and `brain serve --nightly` read it again before they verify.

    Adding a folder again changes its options. It is not read now: brain ingest PATH does that.

    Example: brain library add ~/vault
    """
    if brain is not None:
        valid_brain(brain)
    asked = session(context)
    with asked.brain() as opened:
        added = opened.library.add(path, brain=brain, follow_links=follow_links)
    asked.log.print(f"{added.path} is in the library; the next nightly job reads it", soft_wrap=True)


def remove(context: typer.Context, path: Folder) -> None:
    """Remove a folder from the library; its documents stay.  Example: brain library remove ~/vault"""
    asked = session(context)
    with asked.brain() as opened:
        gone = opened.library.remove(path)
    asked.log.print(f"{gone} is no longer in the library; its documents stay", soft_wrap=True)
