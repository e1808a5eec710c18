"""The rule library: all price data written by the analyst, read from a content folder as one value.

content/prices/*.yaml   price cards            content/assumptions.yaml   assumptions
content/families.yaml   families               content/decisions.yaml     decisions
content/freshness.yaml  age limits of data
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from compute.catalogs import price_cards
from compute.prices import assumptions, data_freshness, decisions, families
from compute.prices.catalog_model import Catalog
from compute.prices.data_freshness import Limit
from compute.prices.decisions import Decision
from compute.prices.families import Family
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Assumption
from graph.problems import Problem, Severity
from graph.values import Value, dumps

T = TypeVar("T")


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


def load(folder: Path) -> Library:
    """The library of a folder. Missing files count as empty; errors in files are in `problems`."""
    problems: list[Problem] = []
    shelves = [_part(path, price_cards.load, problems) for path in sorted((folder / "prices").glob("*.y*ml"))]
    library = Library(
        cards=price_cards.merge(shelf for shelf in shelves if shelf is not None),
        families=_part(folder / "families.yaml", families.load, problems) or (),
        assumptions=_part(folder / "assumptions.yaml", assumptions.load, problems) or (),
        decisions=_part(folder / "decisions.yaml", decisions.load, problems) or (),
        limits=_part(folder / "freshness.yaml", data_freshness.load, problems) or (),
    )
    problems += across_files(library)
    return library.model_copy(update={"problems": tuple(problems)})


def _part(path: Path, read: Callable[[str, str], tuple[T, tuple[Problem, ...]]], problems: list[Problem]) -> T | None:
    """Reads one file and adds its problems; None if the file is missing or not text."""
    if not path.is_file():
        return None
    try:
        value, told = read(path.name, path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        problems.append(Problem(document=path.name, code="unreadable", message=f"cannot be read: {error}"))
        return None
    problems += told
    return value


def across_files(library: Library) -> list[Problem]:
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
