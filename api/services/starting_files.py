"""Files to start from: a note with front matter, a card with prices."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from compute.catalogs.price_cards import load
from compute.prices.amounts import COUNTED_IN, parse, price_unit_problem
from compute.units.units import UnitError
from graph.ids import slug
from graph.values import dumps

SOURCE = "https://example.org/the-page-that-states-it"


class StartingFileError(ValueError):
    """The arguments do not make a valid file; the message has the line and a caret."""


class StartingFile(NamedTuple):
    """A file to write; `next` is the next command, `instead` what to do if the file exists."""

    path: Path
    text: str
    next: str
    instead: str


def note_file(name: str, on: date) -> StartingFile:
    """A note of a day, named or with its path.

    Raises:
        StartingFileError: the path has no name.
    """
    path = Path(name)
    if not path.name or path.name == "..":
        raise StartingFileError(f"{name!r} does not name a note; write for example notes/spot-rates")
    path = path if path.suffix == ".md" else path.with_name(f"{path.name}.md")
    title = path.stem.replace("-", " ").capitalize()
    title = title if title.replace(" ", "").isalpha() else dumps(title)
    text = (
        f"---\ntitle: {title}\nkind: reading\ntags: []\npublished: {on}\n"
        "# sources: [{url: https://…, title: …}]\n---\n"
        "Write one sentence for each figure: what it is of, and its unit.\n"
    )
    return StartingFile(path, text, f"write its text; brain ingest {path.parent}", "write into it, or name another one")


def price_file(item: str, prices: Sequence[str], source: str, on: date, today: date) -> StartingFile:
    """A card for each `[COMPONENT=]PRICE` of an item, from a day on; without a price, one as a comment.

    Raises:
        StartingFileError: a card is not valid.
    """
    path = Path(f"{slug(item.replace('/', '-'))}.yaml")
    cards = "".join(_card(item, one, source or SOURCE, on, today) for one in prices or ["input=2.00 USD/Mtok"])
    text = f"prices:\n{cards}"
    if problems := load(path.name, text)[1]:
        raise StartingFileError(problems[0].render())
    if not prices:
        comment = "".join(f"# {line}\n" for line in text.splitlines())
        text = f"# Write price, day and source; then remove the signs # and the last line.\n{comment}prices: []\n"
    fill = "" if prices and source else "fill it in; " if not prices else "correct its source; "
    changed = f"for a changed price, add a card to it, and write to: {on} in the earlier card\n{cards}"
    return StartingFile(path, text, f"{fill}brain ingest {path.parent}", changed)


def _card(item: str, given: str, source: str, on: date, today: date) -> str:
    component, _, value = given.rpartition("=")
    component = component or _component(value)
    return (
        f"  - item: {item}\n    component: {component}\n    value: {value.strip()}\n"
        f"    from: {on}\n    source: {source}\n    checked: {max(on, today)}\n"
    )


def _component(value: str) -> str:
    """The first component that is priced in the unit of a value; `price` if none is."""
    amount = parse(value)
    unit = amount.unit if amount else ""
    try:
        return next((name for name, _ in COUNTED_IN if unit and price_unit_problem(name, unit) is None), "price")
    except UnitError:
        return "price"
