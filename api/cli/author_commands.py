"""Commands for authors: `claim new`, `new note|price`, `watch`."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Annotated

from typer import Argument, BadParameter, Exit, Option

from api.cli import UNREADABLE
from api.cli.cli_options import DayOption
from api.cli.cli_session import Answer, CliSession, now, replace_file, today
from api.cli.command_table import group
from api.services.checks import lint
from api.services.importing.folder_watch import FolderWatch, SavedChanges
from api.services.texts.claim_author import ClaimAuthor, StartingFile, note_file, price_file
from api.terminal import proof_tables as shown
from graph.problems import Problem
from graph.values import dumps

Day = Annotated[date | None, DayOption("--on", help="Its day, as 2026-11-21. Default: today.")]


def claim_new(
    asked: CliSession,
    note: Annotated[str, Argument(metavar="NOTE", help="A note's id or name, or its file.")],
    words: Annotated[str, Argument(metavar="WORDS", help="Words of the sentence, with the figure if it has several.")],
    file: Annotated[Path | None, Option(metavar="FILE", help="Default: where the note's claims are.")] = None,
    formula: Annotated[str, Option(metavar="FORMULA", help="The formula, in place of the proposed one.")] = "",
    printed: Annotated[bool, Option("--print", help="Print the YAML; write and store nothing.")] = False,
) -> Answer:
    """Write a claim for a sentence of a note, store it, and print its verdict with the working.

    Proposes a formula of the prices that the sentence names. If it names none, or several, the claim has a gap: a value
    that cannot be checked, under a comment that lists the prices. The claim is appended to a file.

    Examples: brain claim new spot-rates "the power alone costs" · brain claim new notes/rents.md "2.50 an hour" --print

    brain claim new cached-input "costs 90% less" --formula '1 - price("acme/large", "cache_read") / 2 USD/Mtok'
    """
    if not Path(note).is_file():
        asked.mention_empty()
    author = ClaimAuthor(asked.brain.mining)
    if not printed and (source := author.source(note)):
        asked.brain.ingest([source], at=now())  # the note may have changed since
    node = author.note(note, words)
    found = author.propose(node, words, today(), formula)
    if wrong := [one.render().partition("error: ")[2] for one in found.checked.problems if one.severity == "error"]:
        raise BadParameter("\n".join(wrong), param_hint="--formula")
    path = file or author.file(node)
    hints: list[Problem] = []
    if not printed:
        replace_file(path, [author.appended(path, found).encode()])
        report = asked.brain.ingest([path], at=now())
        if not report.stored:
            asked.say("\n".join(one.render() for one in report.problems))
            raise Exit(UNREADABLE)
        asked.brain.search.refresh()
        written = [entry.document.name for entry in report.entries]
        hints = [one for one in lint(asked.brain, today(), written) if one.message.startswith(f"{found.id}: ")]
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    told = {"file": str(path), "written": not printed, "hints": hints, **found.fields()}
    return Answer(told, lambda: shown.new_claim(found, hints, None if printed else path))


def new_note(
    name: Annotated[str, Argument(metavar="NAME", help="Its name, or its path: notes/spot-rates.")], on: Day = None
) -> Answer:
    """Write a note with front matter.  Example: brain new note notes/spot-rates"""
    return _start(note_file(name, on or today()))


def new_price(
    item: Annotated[str, Argument(metavar="ITEM", help="provider/thing, such as acme/h100-sxm.")],
    prices: Annotated[
        list[str] | None,
        Argument(metavar="[COMPONENT=]PRICE", help="With its unit, which gives the component if none is named."),
    ] = None,
    source: Annotated[str, Option(metavar="URL", help="Where the price is stated.")] = "",
    on: Day = None,
) -> Answer:
    """Write a price card with source, day and unit, as a file of this folder.

    Without PRICE the card is a comment to fill in.

    Examples: brain new price acme/h100-sxm '2.50 USD/GPU/h' --source https://example.org/prices ·
    brain new price acme/large 'input=2 USD/Mtok' 'cache_read=0.20 USD/Mtok' --on 2026-02-01
    """
    return _start(price_file(item, prices or [], source, on or today(), today()))


def watch(
    asked: CliSession,
    folder: Annotated[Path, Argument(metavar="FOLDER", file_okay=False, help="The folder to read.")],
) -> Answer | None:
    """Read a folder again after each save, and print what changed in verdicts, problems and lint.

    Stores documents as brain ingest does, and appends no run. Skips temporary, empty and half-written files. Claims and
    prices of a deleted file stay until brain ingest asks. Ctrl-C ends it. --json prints one object a line.

    Example: brain watch ~/vault
    """
    folder.stat()  # a missing folder is an input that cannot be read
    watcher = FolderWatch(asked.brain, folder)

    def ready(first: SavedChanges) -> None:
        asked.brain.search.refresh()
        asked.say(shown.watching(folder, first, watcher.rows))

    with suppress(KeyboardInterrupt):
        for found in watcher.changes(now, ready):
            if asked.json:
                asked.out.file.write(dumps(found) + "\n")
            else:
                asked.out.print(shown.saved(found))
            asked.out.file.flush()
            asked.brain.search.refresh()
    asked.say("stopped watching")
    return None


def _start(found: StartingFile) -> Answer:
    if found.path.exists():
        raise BadParameter(f"{found.path} exists and is not changed; {found.instead}")
    found.path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(found.path, [found.text.encode()])
    return Answer({"path": str(found.path), "next": found.next}, lambda: f"{found.path}\nnext: {found.next}")


claim, new = group(new=claim_new), group(note=new_note, price=new_price)
