"""The rule library: all price data written by the analyst, read from a content folder as one value.

content/prices/*.yaml   price cards            content/assumptions.yaml   assumptions
content/families.yaml   families               content/decisions.yaml     decisions
content/freshness.yaml  age limits of data
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any

from compute.catalogs import price_cards
from compute.prices import assumptions, data_freshness, decisions, families
from compute.prices.data_freshness import Limit
from compute.prices.decisions import Decision
from compute.prices.families import Family
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Assumption, Catalog
from graph.problems import Problem, Severity
from graph.values import Value, dumps

LOADERS: dict[str, Callable[[str, str], tuple[Any, tuple[Problem, ...]]]] = {
    "prices": price_cards.load,
    "families": families.load,
    "assumptions": assumptions.load,
    "decisions": decisions.load,
    "freshness": data_freshness.load,
}
"""What reads a file of each format."""

_PARTS = {"families": "families", "assumptions": "assumptions", "decisions": "decisions", "freshness": "limits"}


class Library(Value):
    """Cards, families, assumptions, decisions and age limits; `problems` lists what could not be read."""

    cards: tuple[Catalog, ...] = ()
    families: tuple[Family, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    decisions: tuple[Decision, ...] = ()
    limits: tuple[Limit, ...] = ()
    problems: tuple[Problem, ...] = ()

    def book(self, catalogs: Iterable[Catalog] = ()) -> CatalogBook:
        """The book of these and other catalogues; catalogues with the same name are joined."""
        return CatalogBook(self.catalogs(catalogs), self.families, self.assumptions, self.decisions)

    def catalogs(self, others: Iterable[Catalog] = ()) -> tuple[Catalog, ...]:
        """The cards and other catalogues; those with the same name are joined."""
        return price_cards.merge((*others, *self.cards))

    def digest(self) -> str:
        """SHA-256 of families, assumptions and decisions: with the claims, the rules of a run."""
        parts = {"families": self.families, "assumptions": self.assumptions, "decisions": self.decisions}
        return hashlib.sha256(dumps(parts).encode()).hexdigest()


def library(files: Iterable[tuple[str, str, str]]) -> Library:
    """The library of files, each a format, a name and a text; errors in files are in `problems`."""
    parts: dict[str, list[Any]] = {form: [] for form in LOADERS}
    problems: list[Problem] = []
    for form, name, text in files:
        if form in LOADERS:
            value, found = LOADERS[form](name, text)
            parts[form].append(value)
            problems += found
    merged = {key: tuple(chain(*parts[form])) for form, key in _PARTS.items()}
    made = Library(cards=price_cards.merge(parts["prices"]), **merged)
    return made.model_copy(update={"problems": (*problems, *_across_files(made))})


def load(folder: Path) -> Library:
    """The library of a folder; missing files count as empty."""
    cards = (("prices", path) for path in sorted((folder / "prices").glob("*.y*ml")))
    others = ((form, folder / f"{form}.yaml") for form in _PARTS)
    return library((form, path.name, path.read_text("utf-8")) for form, path in chain(cards, others) if path.is_file())


def _across_files(library: Library) -> list[Problem]:
    """Cards in different files that state different prices for the same thing and days."""
    found = []
    for catalog in library.cards:
        for one, two in price_cards.collisions(catalog.prices):
            message = f"{two.component} of {two.item} has two prices: {one.value} {one.unit} and {two.value} {two.unit}"
            hint = "end one of them with 'to', or remove it"
            found.append(
                Problem(document=catalog.name, severity=Severity.ERROR, code="overlap", message=message, hint=hint)
            )
    return found
