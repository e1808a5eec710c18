"""Prices as this home knows them: the packaged catalogue or a fresher one, imported ones, cards, and the rules."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from compute.catalogs import genai_prices_catalog, litellm_map, price_cards, skypilot_csv
from compute.prices import assumptions, data_freshness, decisions, families, snapshots
from compute.prices.catalog_model import Catalog
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price
from compute.prices.rule_library import Library
from graph.models.query_models import DocumentRecord, SnapshotRecord
from graph.problems import Problem
from graph.store import Store
from graph.store.store_errors import UnknownSnapshotError

Part = TypeVar("Part")
IMPORTED = ("genai-prices", "litellm", "skypilot")
"""Catalogues that may be in the store, each with its latest snapshot."""


class PriceService:
    """What the home can say about prices. Books are made once for a state of the rules and catalogues."""

    def __init__(self, store: Store, like: PriceService | None = None) -> None:
        """`like` serves the same data, for example the live store behind a pinned view: its book is used if equal."""
        self._store, self._like = store, like
        self._cache = store.cache(2)

    def library(self) -> Library:
        """Cards, families, assumptions, decisions and limits as the documents in the store state them."""
        chosen = [record for record in self._store.documents.heads() if record.format in STATED]
        return library_of([self._store.documents.get(record.name) for record in chosen])

    def cards(self) -> Iterator[tuple[str, Price]]:
        """Every price card with the name of its document."""
        for record in self._store.documents.heads():
            if record.format == "prices":
                text = self._store.documents.get(record.name).text or ""
                yield from ((record.name, price) for price in price_cards.load(record.name, text)[0].prices)

    def catalogs(self) -> tuple[Catalog, ...]:
        """The catalogues without the cards: those in the store, else the packaged one."""
        kept = [self._latest(name) for name in IMPORTED]
        found = [catalog for record in kept if record is not None for catalog in self.snapshot(record.hash)]
        if not any(catalog.name == genai_prices_catalog.NAME for catalog in found):
            found.insert(0, packaged())
        return tuple(found)

    def book(self) -> CatalogBook:
        """Everything that formulas can look up; the same book until a rule or a catalogue changes."""
        return self.stated_book()[1]

    def stated_book(self) -> tuple[str, CatalogBook]:
        """The book with the digest of the rules and catalogues that it was made from."""
        return self._cache.renew("book", self._book)

    def _book(self, old: tuple[str, CatalogBook] | None) -> tuple[str, CatalogBook]:
        """The book with the digest of what it was made from; a run that was appended changes neither."""
        state = self._state()
        if old is None and self._like is not None:
            old = self._like.stated_book()
        return old if old is not None and old[0] == state else (state, self.library().book(self.catalogs()))

    def snapshot(self, digest: str) -> tuple[Catalog, ...]:
        """The catalogues of a snapshot in the store.

        Raises:
            UnknownSnapshotError: there is none of that hash.
        """
        return snapshots.unpack(
            snapshots.Snapshot(digest=digest, payload=zlib.compress(self._store.snapshots.get(digest), 1))
        )

    def keep(self, catalogs: Iterable[Catalog], name: str, at: datetime) -> str:
        """Store catalogues as a snapshot and return its hash; equal content is stored once."""
        packed = snapshots.pack(catalogs)
        self._store.snapshots.put(packed.digest, name, zlib.decompress(packed.payload), at)
        return packed.digest

    def refresh(self, at: datetime) -> tuple[snapshots.PriceChange, ...]:
        """Take the newest prices of genai-prices; what changed against those in use.

        Raises:
            RefreshError: they could not be fetched; the ones in use stay.
        """
        before = [catalog for catalog in self.catalogs() if catalog.name == genai_prices_catalog.NAME]
        after = genai_prices_catalog.refresh(at.date())
        self.keep([after], genai_prices_catalog.NAME, at)
        return snapshots.diff(before, [after])

    def take(self, file: Path, at: datetime) -> tuple[Catalog, tuple[Problem, ...]]:
        """Import a catalogue file: LiteLLM's JSON map, or SkyPilot's `vms.csv`.

        Raises:
            OSError: the file cannot be read.
            CatalogFileError: no price could be read from it.
        """
        catalog, problems = imported(file.name, file.read_bytes(), at.date())
        if not catalog.prices:
            raise CatalogFileError(file.name, problems)
        self.keep([catalog], catalog.name, at)
        return catalog, problems

    def diff(self, before: str, after: str) -> tuple[snapshots.PriceChange, ...]:
        """What changed between two snapshots, each a hash, its beginning, or the number of a run.

        Raises:
            UnknownSnapshotError: there is none of that name, or several.
        """
        return snapshots.diff(self.snapshot(self._digest(before)), self.snapshot(self._digest(after)))

    def prices(self, item: str) -> tuple[Price, ...]:
        """All that is known of an item or of the models of a family."""
        return self.book().prices(item)

    def _digest(self, name: str) -> str:
        if name.isdigit() and len(name) < 10:
            return self._store.ledger.run(int(name)).snapshot
        found = [one.hash for one in self._store.snapshots.all() if one.hash.startswith(name)]
        if len(found) != 1:
            raise UnknownSnapshotError(name)
        return found[0]

    def _latest(self, name: str) -> SnapshotRecord | None:
        return next(iter(self._store.snapshots.all(name)), None)

    def _state(self) -> str:
        """A digest of all rule documents and catalogue snapshots, as documents and snapshots in the store have it."""
        documents = [(one.name, one.sha256) for one in self._store.documents.heads() if one.format in STATED]
        kept = [one.hash for name in IMPORTED for one in self._store.snapshots.all(name)]
        return hashlib.sha256(repr((documents, kept)).encode()).hexdigest()


STATED = ("prices", "families", "assumptions", "decisions", "freshness")
"""The documents that say something about prices."""


def library_of(records: Sequence[DocumentRecord]) -> Library:
    """What documents (with their texts) state about prices."""

    def each(form: str, load: Callable[[str, str], tuple[Part, Any]]) -> list[Part]:
        return [load(one.name, one.text or "")[0] for one in records if one.format == form]

    return Library(
        cards=price_cards.merge(each("prices", price_cards.load)),
        families=_joined(each("families", families.load)),
        assumptions=_joined(each("assumptions", assumptions.load)),
        decisions=_joined(each("decisions", decisions.load)),
        limits=_joined(each("freshness", data_freshness.load)),
    )


class CatalogFileError(Exception):
    """A file of which no price could be read."""

    def __init__(self, name: str, problems: Sequence[Problem]) -> None:
        told = "\n".join(problem.render() for problem in problems[:5])
        super().__init__(
            f"{name} holds no prices: it is neither LiteLLM's map nor a vms.csv of SkyPilot's\n{told}".rstrip()
        )
        self.problems = tuple(problems)


def imported(name: str, data: bytes, on: date) -> tuple[Catalog, tuple[Problem, ...]]:
    """A catalogue file by its content: JSON is LiteLLM's map, anything else SkyPilot's table."""
    text = data.decode("utf-8", "replace")
    load = litellm_map.load if text.lstrip().startswith("{") else skypilot_csv.load
    return load(name, text, on)


@lru_cache(maxsize=1)
def packaged() -> Catalog:
    """The catalogue that the installed package carries."""
    return genai_prices_catalog.load()


def _joined(parts: Sequence[Sequence[Part]]) -> tuple[Part, ...]:
    return tuple(one for part in parts for one in part)
