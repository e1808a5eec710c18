"""The library: all that the analyst states about prices, read from a folder of content, as one value.

content/prices/*.yaml   price cards            content/assumptions.yaml   assumptions
content/families.yaml   families               content/decisions.yaml     decisions
content/freshness.yaml  ages from which data are old
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
    """Cards, families, assumptions, decisions and limits of age; `problems` is what could not be read."""

    cards: tuple[Catalog, ...] = ()
    families: tuple[Family, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    decisions: tuple[Decision, ...] = ()
    limits: tuple[Limit, ...] = ()
    problems: tuple[Problem, ...] = ()

    def book(self, catalogs: Iterable[Catalog] = ()) -> CatalogBook:
        """The book of these and of further catalogues, those with a name in common joined."""
        return CatalogBook(
            price_cards.merge((*catalogs, *self.cards)), self.families, self.assumptions, self.decisions
        )  # fmt: skip

    def digest(self) -> str:
        """SHA-256 of families, assumptions and decisions: with the claims, the rules by which a run judged."""
        parts = {"families": self.families, "assumptions": self.assumptions, "decisions": self.decisions}
        return hashlib.sha256(dumps(parts).encode()).hexdigest()


def load(folder: Path) -> Library:
    """The library of a folder. Files that are missing are empty; what is wrong in one stands in `problems`."""
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
    """One file read, its problems added; None where there is no such file or it is no text."""
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
    """Cards of different files that state the same price for the same days in two ways."""
    found = []
    for catalog in library.cards:
        for one, two in price_cards.collisions(catalog.prices):
            message = f"{two.component} of {two.item} stands twice: {one.value} {one.unit} and {two.value} {two.unit}"
            hint = "close one of them with 'to', or take it out"
            found.append(
                Problem(document=catalog.name, severity=Severity.ERROR, code="overlap", message=message, hint=hint)
            )
    return found
