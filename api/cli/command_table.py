"""The commands in the order of `--help`, each loaded when it is called: a listing needs none of what they work with."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group


class CommandEntry(NamedTuple):
    """A command, or a group of them, as the listing shows it: the sentence is the first of its own help."""

    name: str
    module: str
    panel: str
    says: str


COMMANDS = (
    CommandEntry("ingest", "document_commands", "Documents", "Read documents into the brain, in one transaction."),
    CommandEntry(
        "remove", "document_commands", "Documents", "Remove documents from the brain, with their nodes and claims."
    ),
    CommandEntry("library", "library_commands", "Documents", "The folders that the nightly job reads again first."),
    CommandEntry("export", "document_commands", "Documents", "Export the complete brain, as one committed state."),
    CommandEntry(
        "check",
        "document_commands",
        "Documents",
        "Is the data directory sound, and do the claims test what their texts say?",
    ),
    CommandEntry(
        "backup", "backup_commands", "Documents", "Write the complete home to one file, also while a server writes."
    ),
    CommandEntry("restore", "backup_commands", "Documents", "Replace the home by a backup."),
    CommandEntry("move", "backup_commands", "Documents", "Copy the home to PostgreSQL, or back to a folder."),
    CommandEntry("search", "browse_commands", "Browse", "Find nodes by text and tag, best first."),
    CommandEntry(
        "tags",
        "browse_commands",
        "Browse",
        "All tags with their number of nodes; or those that may be spellings of one.",
    ),
    CommandEntry("show", "browse_commands", "Browse", "Show one node."),
    CommandEntry("citations", "browse_commands", "Browse", "What a node cites and quotes, and how sure each is."),
    CommandEntry("backlinks", "browse_commands", "Browse", "What cites a node, with the sentence."),
    CommandEntry("claims", "claim_commands", "Claims", "Claims with their last verdict."),
    CommandEntry(
        "explain",
        "claim_commands",
        "Claims",
        "One verdict with its working, inputs and the values at which it changes.",
    ),
    CommandEntry(
        "verify", "claim_commands", "Claims", "Evaluate the claims, append a run to the ledger, and print the report."
    ),
    CommandEntry(
        "errata",
        "claim_commands",
        "Claims",
        "Figures of sources that do not add up, after the last run, each error once, the most severe first.",
    ),
    CommandEntry(
        "record",
        "record_commands",
        "Claims",
        "How long figures live: of those that were true when written, the share that still holds, and what broke them.",
    ),
    CommandEntry(
        "health", "claim_commands", "Claims", "Is a node sound, weakened, broken or unchecked, and by which path?"
    ),
    CommandEntry(
        "mine",
        "mining_commands",
        "Claims",
        "Checkable statements found in prose, each with the figure that our own computation gives.",
    ),
    CommandEntry(
        "proof",
        "proof_commands",
        "Claims",
        "Check every figure of a text: Markdown, a web page, plain text, or a folder of them.",
    ),
    CommandEntry("runs", "ledger_commands", "Claims", "The runs of the ledger, the latest first; or one of them."),
    CommandEntry(
        "changes", "ledger_commands", "Claims", "Verdicts that changed from one run to the next, latest first."
    ),
    CommandEntry(
        "ack",
        "acknowledgement_commands",
        "Claims",
        "Acknowledge that a claim fails: no more notices about it until a day, or until it holds again.",
    ),
    CommandEntry(
        "acks",
        "acknowledgement_commands",
        "Claims",
        "The acknowledgements, with their state: active, expired, or ended because the claim holds again.",
    ),
    CommandEntry("silences", "silence_commands", "Claims", "Keep notices back for a while; verdicts and flags go on."),
    CommandEntry(
        "impact",
        "price_commands",
        "Prices",
        "What depends on a price: the claims that read it, their nodes, and the nodes that cite those.",
    ),
    CommandEntry(
        "prices", "price_commands", "Prices", "The catalogue: what has a price, since when, from which source."
    ),
    CommandEntry(
        "demo",
        "service_commands",
        "Service",
        "The complete tour in one command: read the content that ships, verify it, print the morning report, serve.",
    ),
    CommandEntry("serve", "serve_command", "Service", "Serve the API and the pages."),
    CommandEntry(
        "nightly",
        "service_commands",
        "Service",
        "Read the library, refresh the prices, verify, append, flag, notify: for cron or a timer.",
    ),
    CommandEntry("brains", "brain_commands", "Service", "The brains of the home: which are private, and their quotas."),
    CommandEntry(
        "tokens", "brain_commands", "Service", "Tokens for the HTTP API: to read, to write, or to administer."
    ),
    CommandEntry("doctor", "doctor_commands", "Service", "Is everything well?"),
    CommandEntry(
        "mcp",
        "service_commands",
        "Service",
        "Answer a language-model agent over standard input and output (Model Context Protocol); read-only.",
    ),
)


def program(**options: Any) -> typer.Typer:  # noqa: ANN401  # what typer takes
    """A program, or a command group, with the shared options."""
    return typer.Typer(
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **options,
    )


def loaded(listed: CommandEntry) -> TyperCommand | TyperGroup:
    """The command itself, from its module."""
    part = program(add_completion=False)
    import_module(f"api.cli.{listed.module}").register(part)
    found: TyperCommand | TyperGroup = get_group(part).commands[listed.name]  # type: ignore[assignment]  # what typer makes
    return found


class LazyCommand(TyperCommand):
    """A command of the listing; when it is called, the command itself answers."""

    def __init__(self, listed: CommandEntry) -> None:
        super().__init__(listed.name, help=listed.says, rich_help_panel=listed.panel)
        self.listed = listed

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:  # noqa: ANN401  # the signature of the class above
        """The context of the command itself."""
        return loaded(self.listed).make_context(info_name, args, parent, **extra)


class LazyGroup(TyperGroup):
    """The root group: its commands are those of the table."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401  # what the class above takes
        super().__init__(**{**attributes, "commands": {one.name: LazyCommand(one) for one in COMMANDS}})
