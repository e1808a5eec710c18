"""The commands in the order of `--help`; each is loaded when it is called, so a listing stays fast."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer import TyperException
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from api.cli.cli_session import Answer, command


class CommandEntry(NamedTuple):
    """A command or group in the listing."""

    name: str
    module: str
    panel: str
    says: str


TABLE = """\
# Documents
ingest (document): Read documents into the brain, in one transaction.
remove (document): Remove documents from the brain, with their nodes and claims.
library (document): Folders that the nightly job ingests first.
export (home): Export the complete brain, as one committed state.
check (home): Check the data directory, and whether claims test what their texts say.
backup (home): Write the complete home to one file, also while a server writes.
restore (home): Replace the home by a backup.
move (home): Copy the home to PostgreSQL, or back to a folder.
watch (author): Read a folder again after each save, and print what changed in verdicts, problems and lint.
new (author): Write a small valid file to start from: a note, or a price.
# Browse
search (browse): Find nodes by text and tag, best first.
tags (browse): All tags with their number of nodes.
show (browse): Show one node.
citations (browse): What a node cites and quotes, with confidence.
backlinks (browse): What cites a node, with the sentence.
# Claims
claim (author): Claims from the words of a note.
claims (claim): Claims with their last verdict.
explain (verify): One verdict with its working, inputs and the values at which it changes.
verify (verify): Evaluate the claims, append a run to the ledger, and print the report.
replay (ledger): Evaluate the claims for past days, and append the runs as computed afterwards.
errata (ledger): Refuted figures after the last run, each error once, most severe first.
record (ledger): How long figures stay true, and what broke them.
health (claim): Whether a node is sound, weakened, broken or unchecked, and why.
mine (proof): Checkable statements in prose, each with the figure that Brain computes.
proof (proof): Check every figure of a text: Markdown, a web page, plain text, or a folder of them.
runs (ledger): The runs of the ledger, latest first, or one of them.
changes (ledger): Verdicts that changed from one run to the next, latest first.
ack (claim): Acknowledge that a claim fails: no more notices about it until a day, or until it holds again.
acks (claim): Acknowledgements with their state: active, expired or ended.
silences (claim): Suppress notices for a while; verdicts and flags continue.
# Prices
impact (price): What depends on a price: the claims that read it, their nodes, and the nodes that cite those.
prices (price): The catalogue: what has a price, since when, from which source.
# Service
demo (service): Read the content that ships, verify it, print the morning report, and serve.
serve (serve): Serve the API and the pages.
nightly (service): The nightly job for cron or a timer: read folders, refresh prices, verify, notify.
brains (service): The brains of the home: which are private, and their quotas.
tokens (service): Tokens for the HTTP API: to read, to write, or to administer.
mcp (service): Read-only tools for a language-model agent (Model Context Protocol) over standard input and output.
"""
"""The commands by panel, with module (`…_commands`) and first sentence of the help."""

COMMANDS = tuple(
    CommandEntry(name, module, panel, says)
    for panel, some in re.findall(r"^# (.+)\n((?:[^#].*\n)+)", TABLE, re.MULTILINE)
    for name, module, says in re.findall(r"^(\w+) \((\w+)\): (.+)", some, re.MULTILINE)
)


class TextCommand(TyperCommand):
    """A command with plain errors; if a text such as `-cache` is read as options, the error says how to write it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  # the signature of the class above
        """Parse; add how to write a text to the error of an unknown option with one dash, as no option has."""
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:
            said = error.message.replace("Value error, ", "").replace("Input should be", "it must be")
            error.message = said.removesuffix(", unable to parse string as an integer")
            if len(getattr(error, "option_name", "")) == 2 and any(one.name == "text" for one in self.params):
                error.message += f"\nA text that begins with a dash goes in quotes after --: {ctx.command_path} -- TEXT"
            raise


class ListingGroup(TyperGroup):
    """A group whose bare name is short for `list`: `brain silences --json` for `brain silences list --json`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  # the signature of the class above
        """Parse with `list` before options and numbers, and if there is nothing."""
        first = args[0] if args else "-"
        bare = first[:1] in "-0123456789" and first not in {"-h", "--help"}
        return super().parse_args(ctx, ["list", *args] if bare else args)


def group(*, bare: bool = False, **commands: Callable[..., Answer | None]) -> typer.Typer:
    """A group of commands; its bare name is short for `list` (`bare`) or prints the help."""
    made = typer.Typer(cls=ListingGroup) if bare else typer.Typer(no_args_is_help=True)
    for name, function in commands.items():
        made.command(name.rstrip("_"), cls=TextCommand)(command(function))
    return made


def loaded(listed: CommandEntry) -> TyperCommand | TyperGroup:
    """The command from its module, where it has the same name."""
    found = getattr(import_module(f"api.cli.{listed.module}_commands"), listed.name)
    part = typer.Typer()
    if isinstance(found, typer.Typer):
        names = [str(one.name) for one in found.registered_commands]
        example = f"Example: brain {listed.name} {'list --json' if 'list' in names else f'{names[0]} --help'}"
        part.add_typer(found, name=listed.name, help=f"{listed.says}  {example}")
    else:
        part.command(listed.name, cls=TextCommand)(command(found))
    return get_group(part).commands[listed.name]  # type: ignore[return-value]  # what typer makes


class LazyCommand(TyperCommand):
    """A command of the listing, loaded when it is called."""

    def __init__(self, listed: CommandEntry) -> None:
        super().__init__(listed.name, help=listed.says, rich_help_panel=listed.panel)
        self.listed = listed

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:  # noqa: ANN401  # the signature of the class above
        """The context of the loaded command."""
        return loaded(self.listed).make_context(info_name, args, parent, **extra)


class LazyGroup(TyperGroup):
    """The root group, with the commands of the table."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401  # what the class above takes
        super().__init__(**{**attributes, "commands": {one.name: LazyCommand(one) for one in COMMANDS}})
