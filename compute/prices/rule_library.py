"""The price data written by the analyst, read from a content folder or from documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any

from compute.catalogs import price_cards
from compute.prices import data_freshness, families, rule_files
from compute.prices.data_freshness import Limit
from compute.prices.families import Family
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Assumption, Catalog
from compute.prices.rule_files import Decision, OwnUnit, vocabulary_of
from compute.units.units import using
from graph.models.query_models import DocumentRecord
from graph.store import Store
from graph.values import Value

_LOADERS: dict[str, Callable[[str, str], tuple[Any, Any]]] = {
    "prices": price_cards.load,
    "families": families.load,
    "assumptions": rule_files.load_assumptions,
    "decisions": rule_files.load_decisions,
    "freshness": data_freshness.load,
}


class Library(Value):
    """Cards, families, assumptions, decisions and age limits, without what is invalid."""

    cards: tuple[Catalog, ...] = ()
    families: tuple[Family, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    decisions: tuple[Decision, ...] = ()
    limits: tuple[Limit, ...] = ()

    def book(self, catalogs: Iterable[Catalog]) -> CatalogBook:
        """The book of some catalogues, such as `catalogs`, by these rules."""
        return CatalogBook(catalogs, self.families, self.assumptions, self.decisions)

    def catalogs(self, others: Iterable[Catalog] = ()) -> tuple[Catalog, ...]:
        """The cards and other catalogues; those of one name are joined."""
        return price_cards.merge((*others, *self.cards))


def library_of(records: Iterable[DocumentRecord]) -> Library:
    """What documents with their texts state about prices, in their own units."""
    listed = list(records)
    with using(vocabulary_of(units_of(listed))):
        return _library((one.format, one.name, one.text or "") for one in listed)


def units_of(records: Iterable[DocumentRecord]) -> tuple[OwnUnit, ...]:
    """The own units that documents with their texts define."""
    stated = (rule_files.load_units(one.name, one.text or "")[0] for one in records if one.format == "units")
    return tuple(chain.from_iterable(stated))


def stored_units(store: Store) -> tuple[OwnUnit, ...]:
    """The own units of the documents in a store."""
    return units_of(store.documents.get(record.name) for record in store.documents.heads(["units"]))


def _library(files: Iterable[tuple[str, str, str]]) -> Library:
    """The library of files, each a format, a name and a text."""
    parts: dict[str, list[Any]] = {form: [] for form in _LOADERS}
    for form, name, text in files:
        if form in _LOADERS:
            parts[form].append(_LOADERS[form](name, text)[0])
    cards, *others = parts.values()
    merged = zip(("families", "assumptions", "decisions", "limits"), map(chain.from_iterable, others), strict=True)
    return Library(cards=price_cards.merge(cards), **{name: tuple(found) for name, found in merged})


def load(folder: Path) -> Library:
    """The library of a folder; missing files count as empty."""
    files = [("prices", path) for path in sorted((folder / "prices").glob("*.y*ml"))]
    files += [(form, folder / f"{form}.yaml") for form in _LOADERS if form != "prices"]
    return _library((form, path.name, path.read_text("utf-8")) for form, path in files if path.is_file())
