"""The commands in the order of `--help`, each loaded when it is called: a listing needs none of what they work with."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group


class Listed(NamedTuple):
    """A command, or a group of them, as the listing shows it: the sentence is the first of its own help."""

    name: str
    module: str
    panel: str
    says: str


COMMANDS = (
    Listed("ingest", "documents", "Documents", "Read documents into the brain: whole, or not at all."),
    Listed("remove", "documents", "Documents", "Take documents out of the brain, with their nodes and claims."),
    Listed("export", "documents", "Documents", "Write the whole brain."),
    Listed("check", "documents", "Documents", "Is the data directory sound: store, index, snapshots, content?"),
    Listed("search", "browse", "Browse", "Find nodes by text and tag, best first."),
    Listed("tags", "browse", "Browse", "All tags with their number of nodes; or those that may be spellings of one."),
    Listed("show", "browse", "Browse", "One node, whole."),
    Listed("citations", "browse", "Browse", "What a node cites and quotes, and how sure each is."),
    Listed("backlinks", "browse", "Browse", "What cites a node, with the sentence."),
    Listed("claims", "claims", "Claims", "Claims with their last verdict."),
    Listed("explain", "claims", "Claims", "One verdict with its working, inputs and the values at which it turns."),
    Listed("verify", "claims", "Claims", "Evaluate the claims, append a run to the ledger, and print the report."),
    Listed("health", "claims", "Claims", "Is a node sound, weakened, broken or unchecked, and by which path?"),
    Listed("mine", "mine", "Claims",
           "Checkable statements found in prose, each with the figure that our own computation gives."),
    Listed("runs", "ledger", "Claims", "The runs of the ledger, the latest first; or one of them."),
    Listed("changes", "ledger", "Claims", "Verdicts that turned from one run to the next, the latest first."),
    Listed("silences", "silences", "Claims", "Keep notices back for a while; verdicts and flags go on."),
    Listed("impact", "prices", "Prices",
           "What rests on a price: the claims that read it, their nodes, and the nodes that cite those."),
    Listed("prices", "prices", "Prices", "The catalogue: what has a price, since when, from which source."),
    Listed("demo", "service", "Service",
           "The whole way in one command: read the content that ships, verify it, print the morning report, serve."),
    Listed("serve", "service", "Service", "Serve the API and the pages."),
    Listed("nightly", "service", "Service", "Refresh the prices, verify, append, flag, notify: for cron or a timer."),
    Listed("mcp", "service", "Service",
           "Answer a language-model agent over standard input and output (Model Context Protocol); read-only."),
)  # fmt: skip


def program(**options: Any) -> typer.Typer:  # noqa: ANN401  # what typer takes
    """A program, or a part of one, with the manners that all share."""
    return typer.Typer(
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **options,
    )


def loaded(listed: Listed) -> TyperCommand | TyperGroup:
    """The command itself, from its module."""
    part = program(add_completion=False)
    import_module(f"api.cli.{listed.module}").register(part)
    found: TyperCommand | TyperGroup = get_group(part).commands[listed.name]  # type: ignore[assignment]  # what typer makes
    return found


class Later(TyperCommand):
    """A command of the listing; when it is called, the command itself answers."""

    def __init__(self, listed: Listed) -> None:
        super().__init__(listed.name, help=listed.says, rich_help_panel=listed.panel)
        self.listed = listed

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:  # noqa: ANN401  # the signature of the class above
        """The context of the command itself."""
        return loaded(self.listed).make_context(info_name, args, parent, **extra)


class Listing(TyperGroup):
    """The root group: its commands are those of the table."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401  # what the class above takes
        super().__init__(**{**attributes, "commands": {one.name: Later(one) for one in COMMANDS}})
