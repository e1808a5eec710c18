"""The commands in the order of `--help`, each loaded when it is called: a listing needs none of what they work with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from shlex import quote
from typing import Any, NamedTuple

import typer
from typer import TyperException
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group


class CommandEntry(NamedTuple):
    """A command, or a group of them, in the module `…_commands`; the sentence is the first of its own help."""

    name: str
    module: str
    panel: str
    says: str


COMMANDS = (
    CommandEntry("ingest", "document", "Documents", "Read documents into the brain, in one transaction."),
    CommandEntry("remove", "document", "Documents", "Remove documents from the brain, with their nodes and claims."),
    CommandEntry("library", "document", "Documents", "The folders that the nightly job reads again first."),
    CommandEntry("export", "home", "Documents", "Export the complete brain, as one committed state."),
    CommandEntry(
        "check", "check", "Documents", "Is the data directory sound, and do the claims test what their texts say?"
    ),
    CommandEntry("backup", "home", "Documents", "Write the complete home to one file, also while a server writes."),
    CommandEntry("restore", "home", "Documents", "Replace the home by a backup."),
    CommandEntry("move", "home", "Documents", "Copy the home to PostgreSQL, or back to a folder."),
    CommandEntry("search", "browse", "Browse", "Find nodes by text and tag, best first."),
    CommandEntry(
        "tags", "browse", "Browse", "All tags with their number of nodes; or those that may be spellings of one."
    ),
    CommandEntry("show", "browse", "Browse", "Show one node."),
    CommandEntry("citations", "browse", "Browse", "What a node cites and quotes, and how sure each is."),
    CommandEntry("backlinks", "browse", "Browse", "What cites a node, with the sentence."),
    CommandEntry("claims", "claim", "Claims", "Claims with their last verdict."),
    CommandEntry(
        "explain", "verify", "Claims", "One verdict with its working, inputs and the values at which it changes."
    ),
    CommandEntry(
        "verify", "verify", "Claims", "Evaluate the claims, append a run to the ledger, and print the report."
    ),
    CommandEntry(
        "errata",
        "claim",
        "Claims",
        "Figures of sources that do not add up, after the last run, each error once, the most severe first.",
    ),
    CommandEntry(
        "record",
        "ledger",
        "Claims",
        "How long figures live: of those that were true when written, the share that still holds, and what broke them.",
    ),
    CommandEntry("health", "claim", "Claims", "Is a node sound, weakened, broken or unchecked, and by which path?"),
    CommandEntry(
        "mine",
        "proof",
        "Claims",
        "Checkable statements found in prose, each with the figure that our own computation gives.",
    ),
    CommandEntry(
        "proof",
        "proof",
        "Claims",
        "Check every figure of a text: Markdown, a web page, plain text, or a folder of them.",
    ),
    CommandEntry("runs", "ledger", "Claims", "The runs of the ledger, the latest first; or one of them."),
    CommandEntry("changes", "ledger", "Claims", "Verdicts that changed from one run to the next, latest first."),
    CommandEntry(
        "ack",
        "notice",
        "Claims",
        "Acknowledge that a claim fails: no more notices about it until a day, or until it holds again.",
    ),
    CommandEntry(
        "acks",
        "notice",
        "Claims",
        "The acknowledgements, with their state: active, expired, or ended because the claim holds again.",
    ),
    CommandEntry("silences", "notice", "Claims", "Keep notices back for a while; verdicts and flags go on."),
    CommandEntry(
        "impact",
        "price",
        "Prices",
        "What depends on a price: the claims that read it, their nodes, and the nodes that cite those.",
    ),
    CommandEntry("prices", "price", "Prices", "The catalogue: what has a price, since when, from which source."),
    CommandEntry(
        "demo",
        "service",
        "Service",
        "The complete tour in one command: read the content that ships, verify it, print the morning report, serve.",
    ),
    CommandEntry("serve", "serve", "Service", "Serve the API and the pages."),
    CommandEntry(
        "nightly",
        "service",
        "Service",
        "Read the library, refresh the prices, verify, append, flag, notify: for cron or a timer.",
    ),
    CommandEntry("brains", "brain", "Service", "The brains of the home: which are private, and their quotas."),
    CommandEntry("tokens", "brain", "Service", "Tokens for the HTTP API: to read, to write, or to administer."),
    CommandEntry("doctor", "check", "Service", "Is everything well?"),
    CommandEntry(
        "mcp",
        "service",
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


class TextCommand(TyperCommand):
    """A command with a text. `-cache`, which excludes a word, is read as options; the error says how to write it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  # the signature of the class above
        """As above; where an option is unknown, with an example of a text after `--`."""
        given = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:
            text = _with_option(given, getattr(error, "option_name", ""))
            if text is not None:
                error.message += (
                    f"\nA text that begins with a dash goes in quotes after --:\n{ctx.command_path} -- {quote(text)}"
                )
            raise


def _with_option(given: Sequence[str], option: str) -> str | None:
    """The argument with one dash in which a letter was read as an unknown option: `-cache` for `-c`."""
    if len(option) != 2:
        return None
    return next((one for one in given if one[:1] == "-" and one[:2] != "--" and option[1] in one), None)


class ListingGroup(TyperGroup):
    """`brain runs 3` and `brain silences --json` are short for `brain runs list 3` and `brain silences list --json`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  # the signature of the class above
        """Put `list` before options and numbers, and where there is nothing."""
        first = args[0] if args else "-"
        bare = first[:1] in "-0123456789" and first not in {"-h", "--help"}
        return super().parse_args(ctx, ["list", *args] if bare else args)


def listing_group(says: str, **commands: Callable[..., None]) -> typer.Typer:
    """A group with these commands, one of them `list`, which its bare name is short for."""
    group = typer.Typer(cls=ListingGroup, help=says)
    for name, command in commands.items():
        group.command(name)(command)
    return group


def loaded(listed: CommandEntry) -> TyperCommand | TyperGroup:
    """The command itself, from its module, where it has the same name."""
    found = getattr(import_module(f"api.cli.{listed.module}_commands"), listed.name)
    part = program(add_completion=False)
    if isinstance(found, typer.Typer):
        part.add_typer(found, name=listed.name)
    else:
        part.command(listed.name, cls=TextCommand if listed.name == "search" else None)(found)
    command: TyperCommand | TyperGroup = get_group(part).commands[listed.name]  # type: ignore[assignment]  # what typer makes
    return command


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
