"""Commands for prices: `prices list|show|import|history|diff|refresh|lists|held|accept`, and `impact`."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

from rich.console import Group
from typer import Argument, Option

from api.cli import FAILED
from api.cli.cli_options import AsOf, DayOption
from api.cli.cli_session import Answer, CliSession, listing, now, today
from api.cli.command_table import group
from api.terminal import price_tables as shown
from compute.catalogs.catalog_download import RefreshError, download, is_address
from compute.catalogs.catalog_files import FORMS, file_name
from compute.catalogs.git_files import GitHistoryError, file_history
from graph.text.counts import many

HELD_SHOWN = 20  # the most prices of a catalogue on hold that `refresh` prints

Item = Annotated[str, Argument(metavar="ITEM", help="provider/thing, or a family such as anthropic/sonnet.")]


def items(
    asked: CliSession, text: Annotated[str, Argument(help="Only items whose name contains this text.")] = ""
) -> Answer:
    """Everything that has a price.  Example: brain prices list h100"""
    found = [item for item in asked.brain.prices.book().items() if text.lower() in item.lower()]
    return Answer({"items": found}, lambda: "\n".join(found) or "no item with these words in its name has a price")


def show(asked: CliSession, item: Item, as_of: AsOf = None) -> Answer:
    """All prices of an item with dates and sources; those of the day in bold.

    Examples: brain prices show anthropic/sonnet · brain prices show coreweave/h100-sxm --as-of 2025-06-01
    """
    found, on = asked.brain.names.prices_of(item), as_of or today()
    absent = asked.brain.prices.book().market.reason(item, on)
    return Answer({"items": found, "absent": absent}, lambda: shown.history(found, on, absent))


def take(
    asked: CliSession,
    file: Annotated[str, Argument(metavar="FILE|URL", help=f"One of: {FORMS}.")],
    since: Annotated[date | None, DayOption(help="First day of exchange rates. Default: three years ago.")] = None,
) -> Answer:
    """Import a catalogue file, used with the other catalogues.

    Examples: brain prices import vms.csv · brain prices import eurofxref-hist.zip --since 2020-01-01 ·
    brain prices import token-price-observations-litellm.csv ·
    brain prices import https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml
    """
    if is_address(file):
        if asked.brain.settings.offline:
            raise RefreshError(file, "BRAIN_OFFLINE is set, so no connection is made")
        name, data = file_name(file), download(file).data or b""
    else:
        name, data = Path(file).name, Path(file).read_bytes()
    found, problems = asked.brain.prices.take(name, data, now(), since)
    return Answer(
        {"catalog": found.name, "prices": len(found.prices), "problems": problems}, lambda: shown.taken(found, problems)
    )


def history(
    asked: CliSession,
    repo: Annotated[Path, Argument(metavar="REPO", help="A Git checkout or a bare repository.")],
    file: Annotated[str, Argument(metavar="FILE", help="The price list in it: LiteLLM's map, or one of genai-prices.")],
    output: Annotated[Path | None, Option(help="Where to write the CSV file. Default: standard output.")] = None,
) -> None:
    """Make observations of a price list from its Git history, for `brain prices import`.

    The repository is untrusted input: nothing in it is run, and nothing is checked out.

    Example: brain prices history litellm model_prices_and_context_window.json --output observations-litellm.csv
    """
    from compute.catalogs.list_history import csv_text, observations  # noqa: PLC0415  # genai-prices takes 0.1 s

    repo.stat()  # a missing folder is an input that cannot be read
    step = asked.steps()
    with file_history(repo, file, today()) as found:
        rows = observations(file, found.versions, found.last, lambda done: step("reading", done, found.number))
    if not rows:
        raise GitHistoryError(repo, f"{file} has no prices per token: give LiteLLM's map or a file of genai-prices")
    asked.at_end.close()
    if output is None:
        asked.out.file.write(csv_text(rows))
    else:
        output.write_text(csv_text(rows), "utf-8")
    asked.say(f"{many(len(rows), 'row')} of {many(found.number, 'version')} up to {found.last}")


def diff(
    asked: CliSession,
    before: Annotated[str, Argument(metavar="A", help="A snapshot's hash (or its beginning), or a run's number.")],
    after: Annotated[str, Argument(metavar="B", help="The other snapshot.")],
) -> Answer:
    """What changed in the prices between two snapshots.  Example: brain prices diff 3 4"""
    return listing(asked.brain.prices.diff(before, after), shown.changes)


def refresh(asked: CliSession) -> Answer:
    """Fetch the newest prices of all lists that have an address, see `brain prices lists`.

    A catalogue in which a price moves by 10 times or more, or that loses more than half of its items, is put on hold:
    the earlier prices stay in use until `brain prices accept`. An unchanged catalogue is not sent again.

    Exit codes: 0 done; 1 a catalogue is on hold; 3 one could not be fetched (its prices stay, the others are taken).

    Example: brain prices refresh
    """
    found = asked.brain.price_refresher.refresh(now())
    waiting = asked.brain.price_refresher.on_hold()
    failed = [{"address": error.address, "reason": error.why} for error in found.failed]
    told = {"items": found.changes, "unchanged": found.unchanged, "held": waiting, "failed": failed}
    view = Group(shown.changes(found.changes), shown.on_hold(waiting, most=HELD_SHOWN))
    answer = Answer(told, lambda: view, code=FAILED if waiting else 0)
    if found.offline:
        answer = answer._replace(value={**told, "offline": True}, view=lambda: found.list_notes[0])
    try:
        found.check(defaults=True)
    except RefreshError:
        asked.show(answer)
        raise
    return answer


def lists(asked: CliSession) -> Answer:
    """The price lists that are fetched, and when each was last reached.  Example: brain prices lists"""
    return listing(asked.brain.price_refresher.lists(addresses=True), shown.lists)


def on_hold(asked: CliSession) -> Answer:
    """Fetched prices that wait for a decision, each with the figure in use.  Example: brain prices held"""
    found = asked.brain.price_refresher.on_hold()
    return Answer({"items": found}, lambda: shown.on_hold(found) if found else "no prices are on hold")


def accept(
    asked: CliSession, catalog: Annotated[str, Argument(metavar="CATALOG", help="Its name, as `held` shows it.")]
) -> Answer:
    """Use a catalogue on hold from now on.  Example: brain prices accept litellm"""
    found = asked.brain.price_refresher.accept(catalog, now())
    return Answer(found, notes=[f"the prices of {found.catalog} fetched on {found.at:%Y-%m-%d} are in use now"])


def impact(asked: CliSession, price: Item, as_of: AsOf = None) -> Answer:
    """What depends on a price: the claims that read it, their nodes, and the nodes that cite those.

    Example: brain impact anthropic/sonnet
    """
    return listing(asked.brain.status.impact(price, as_of or today()), shown.impact)


prices = group(
    list=items, show=show, import_=take, history=history, diff=diff, refresh=refresh, lists=lists,
    held=on_hold, accept=accept,
)  # fmt: skip
