"""The catalogue: `prices list|show|import|diff|refresh`, and `impact`."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

from rich.console import Group
from typer import Argument, Context, Exit, Option, Typer

from api.cli import FAILED
from api.cli.cli_options import AsOf, Json, day
from api.cli.cli_session import now, opened_brain, session, steps, today
from api.cli.command_table import TextCommand
from api.terminal import price_tables as shown
from compute.catalogs.catalog_download import RefreshError, download, is_address
from compute.catalogs.catalog_files import file_name
from compute.catalogs.git_files import GitHistoryError, file_history
from compute.prices.price_overview import conflicts

prices = Typer(no_args_is_help=True)

HELD_SHOWN = 20
"""How many figures of a catalogue on hold `refresh` prints."""

Item = Annotated[str, Argument(metavar="ITEM", help="provider/thing, or a family such as anthropic/sonnet.")]


@prices.command("list", cls=TextCommand)
def items(
    context: Context,
    text: Annotated[str, Argument(help="Only items whose name contains this text.")] = "",
    json: Json = False,
) -> None:
    """Everything that has a price.  Example: brain prices list h100"""
    with opened_brain(context) as (asked, opened):
        found = [item for item in opened.prices.book().items() if text.lower() in item.lower()]
    asked.answer({"items": found}, lambda: "\n".join(found) or "no item of this name has a price", json=json)


@prices.command("show")
def show(context: Context, item: Item, as_of: AsOf = None, json: Json = False) -> None:
    """All prices of an item with dates and sources; those of the day in bold.

    Examples: brain prices show anthropic/sonnet · brain prices show coreweave/h100-sxm --as-of 2025-06-01
    """
    with opened_brain(context) as (asked, opened):
        found, on = opened.names.prices_of(item), as_of or today()
        absent = opened.prices.book().market.reason(item, on)
    asked.answer({"items": found, "absent": absent}, lambda: shown.history(found, on, absent), json=json)


@prices.command("import")
def take(
    context: Context,
    file: Annotated[
        str,
        Argument(
            metavar="FILE|URL",
            help="LiteLLM's JSON map, SkyPilot's vms.csv, gpuhunt's catalog.zip, the ECB's eurofxref (CSV, "
            "ZIP, XML), or observations of a list or of GPU-hours (CSV).",
        ),
    ],
    since: Annotated[
        date | None,
        Option(parser=day, metavar="DATE", help="The first day of exchange rates. Default: the last three years."),
    ] = None,
    json: Json = False,
) -> None:
    """Import a catalogue file, used with the other catalogues.

    Examples: brain prices import vms.csv · brain prices import eurofxref-hist.zip --since 2020-01-01 ·
    brain prices import token-price-observations-litellm.csv ·
    brain prices import https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml
    """
    with opened_brain(context) as (asked, opened):
        if is_address(file):
            if opened.settings.offline:
                raise RefreshError(file, "BRAIN_OFFLINE is set, so no connection is made")
            name, data = file_name(file), download(file).data or b""
        else:
            name, data = Path(file).name, Path(file).read_bytes()
        found, problems = opened.prices.take(name, data, now(), since)
    asked.answer(
        {"catalog": found.name, "prices": len(found.prices), "problems": problems},
        lambda: shown.taken(found, problems),
        json=json,
    )


@prices.command("history")
def history(
    context: Context,
    repo: Annotated[Path, Argument(metavar="REPO", help="A Git checkout or a bare repository.", exists=True)],
    file: Annotated[str, Argument(metavar="FILE", help="The price list in it: LiteLLM's map, or one of genai-prices.")],
    output: Annotated[Path | None, Option(help="Where to write the CSV file. Default: standard output.")] = None,
) -> None:
    """Make observations of a price list from its Git history, for `brain prices import`.

    The repository is untrusted input: nothing in it is run, and nothing is checked out.

    Example: brain prices history litellm model_prices_and_context_window.json --output observations-litellm.csv
    """
    from compute.catalogs.list_history import csv_text, observations  # noqa: PLC0415  # genai-prices takes 0.1 s

    asked = session(context)
    with asked.progress() as bar, file_history(repo, file, today()) as found:
        shown_steps = steps(bar)
        rows = observations(file, found.versions, found.last, lambda done: shown_steps("reading", done, found.number))
    if not rows:
        raise GitHistoryError(repo, f"{file} has no prices per token: give LiteLLM's map or a file of genai-prices")
    if output is None:
        asked.out.file.write(csv_text(rows))
    else:
        output.write_text(csv_text(rows), "utf-8")
    asked.say(f"{len(rows)} rows of {found.number} versions up to {found.last}")


@prices.command("diff")
def diff(
    context: Context,
    before: Annotated[str, Argument(metavar="A", help="A snapshot's hash (or its beginning), or a run's number.")],
    after: Annotated[str, Argument(metavar="B", help="The other snapshot.")],
    json: Json = False,
) -> None:
    """What changed in the prices between two snapshots.  Example: brain prices diff 3 4"""
    with opened_brain(context) as (asked, opened):
        found = opened.prices.diff(before, after)
    asked.answer({"items": found}, lambda: shown.changes(found), json=json)


@prices.command("conflicts")
def disputes(context: Context, as_of: AsOf = None, json: Json = False) -> None:
    """Where catalogues disagree, and which price is used by which decision.  Example: brain prices conflicts"""
    with opened_brain(context) as (asked, opened):
        found = conflicts(opened.prices.book(), as_of or today())
    asked.answer({"items": found}, lambda: shown.disputes(found), json=json)


@prices.command("refresh")
def refresh(context: Context, json: Json = False) -> None:
    """Fetch the newest prices of all lists that have an address, see `brain prices lists`.

    A catalogue in which a price moves by 10 times or more, or that loses more than half of its items, is put on hold:
    the earlier prices stay in use until `brain prices accept`. An unchanged catalogue is not sent again.

    Exit codes: 0 done; 1 a catalogue is on hold; 3 one could not be fetched (its prices stay, the others are taken).

    Example: brain prices refresh
    """
    with opened_brain(context) as (asked, opened):
        found = opened.price_refresher.refresh(now())
        waiting = opened.price_refresher.on_hold()
    failed = [{"address": error.address, "reason": error.why} for error in found.failed]
    asked.answer(
        {"items": found.changes, "unchanged": found.unchanged, "held": waiting, "failed": failed}
        | ({"offline": True} if found.offline else {}),
        lambda: (
            found.list_notes[0]
            if found.offline
            else Group(shown.changes(found.changes), shown.on_hold(waiting, most=HELD_SHOWN))
        ),
        json=json,
    )
    found.check(defaults=True)
    if waiting:
        raise Exit(FAILED)


@prices.command("lists")
def lists(context: Context, json: Json = False) -> None:
    """The price lists that are fetched, and when each was last reached.  Example: brain prices lists"""
    with opened_brain(context) as (asked, opened):
        found = opened.price_refresher.lists(addresses=True)
    asked.answer({"items": found}, lambda: shown.lists(found), json=json)


@prices.command("held")
def on_hold(context: Context, json: Json = False) -> None:
    """Fetched prices that wait for a decision, each with the figure in use.  Example: brain prices held"""
    with opened_brain(context) as (asked, opened):
        found = opened.price_refresher.on_hold()
    asked.answer({"items": found}, lambda: shown.on_hold(found) if found else "no prices are on hold", json=json)


@prices.command("accept")
def accept(
    context: Context,
    catalog: Annotated[str, Argument(metavar="CATALOG", help="Its name, as `held` shows it.")],
    json: Json = False,
) -> None:
    """Use a catalogue on hold from now on.  Example: brain prices accept litellm"""
    with opened_brain(context) as (asked, opened):
        found = opened.price_refresher.accept(catalog, now())
    said = f"the prices of {found.catalog} fetched on {found.at:%Y-%m-%d} are in use now"
    asked.confirm(found, said, json=json)


def impact(context: Context, price: Item, as_of: AsOf = None, json: Json = False) -> None:
    """What depends on a price: the claims that read it, their nodes, and the nodes that cite those.

    Example: brain impact anthropic/sonnet
    """
    with opened_brain(context) as (asked, opened):
        found = opened.status.impact(price, as_of or today())
    asked.answer({"items": found}, lambda: shown.impact(found), json=json)
