"""Prices as this home knows them: the packaged catalogue or a fresher one, imported ones, cards, and the rules."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from compute import assumptions, decisions, families, freshness, snapshots
from compute.book import CatalogBook
from compute.catalog import Catalog
from compute.catalogs import cards, genai, litellm, skypilot
from compute.library import Library
from compute.prices import Price
from graph.problems import Problem
from graph.query import SnapshotRecord
from graph.store import Store
from graph.store.errors import UnknownSnapshotError

Part = TypeVar("Part")
IMPORTED = ("genai-prices", "litellm", "skypilot")
"""Catalogues that may stand in the store, each with its latest snapshot."""


class Market:
    """What the home can say about prices. Books are made once for a state of the rules and catalogues."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._made: dict[tuple[Any, ...], CatalogBook] = {}

    def library(self) -> Library:
        """Cards, families, assumptions, decisions and limits as the documents in the store state them."""
        return Library(
            cards=cards.merge(self._each("prices", cards.load)),
            families=_joined(self._each("families", families.load)),
            assumptions=_joined(self._each("assumptions", assumptions.load)),
            decisions=_joined(self._each("decisions", decisions.load)),
            limits=_joined(self._each("freshness", freshness.load)),
        )

    def catalogs(self, known: date | None = None) -> tuple[Catalog, ...]:
        """The catalogues without the cards: those kept in the store up to the day `known`, else the packaged one."""
        kept = [self._latest(name, known) for name in IMPORTED]
        found = [catalog for record in kept if record is not None for catalog in self.snapshot(record.hash)]
        if not any(catalog.name == genai.NAME for catalog in found):
            found.insert(0, packaged())
        return tuple(found)

    def book(self, known: date | None = None) -> CatalogBook:
        """Everything that formulas can look up, as known at the end of a day (default: as known now)."""
        key = (self._state(), known)
        if key not in self._made:
            self._made = {key: self.library().book(self.catalogs(known))}
        return self._made[key]

    def snapshot(self, digest: str) -> tuple[Catalog, ...]:
        """The catalogues of a snapshot in the store.

        Raises:
            UnknownSnapshotError: there is none of that hash.
        """
        return snapshots.unpack(
            snapshots.Snapshot(digest=digest, payload=zlib.compress(self._store.snapshot(digest), 1))
        )

    def keep(self, catalogs: Iterable[Catalog], name: str, at: datetime) -> str:
        """Keep catalogues as a snapshot and give its hash; the same content is kept once."""
        packed = snapshots.pack(catalogs)
        self._store.put_snapshot(packed.digest, name, zlib.decompress(packed.payload), at)
        return packed.digest

    def refresh(self, at: datetime) -> tuple[snapshots.PriceChange, ...]:
        """Take the newest prices of genai-prices; what changed against those in use.

        Raises:
            RefreshError: they could not be fetched; the ones in use stay.
        """
        before = [catalog for catalog in self.catalogs() if catalog.name == genai.NAME]
        after = genai.refresh(at.date())
        self.keep([after], genai.NAME, at)
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
            return self._store.run(int(name)).snapshot
        found = [one.hash for one in self._store.snapshots() if one.hash.startswith(name)]
        if len(found) != 1:
            raise UnknownSnapshotError(name)
        return found[0]

    def _latest(self, name: str, known: date | None) -> SnapshotRecord | None:
        kept = [one for one in self._store.snapshots(name) if known is None or one.created_at.date() <= known]
        return max(kept, key=lambda one: one.created_at, default=None)

    def _state(self) -> str:
        """A digest of all rule documents and catalogue snapshots, so that a run appended changes nothing here."""
        documents = [(one.name, one.sha256) for one in self._store.documents() if one.nodes == 0]
        kept = [one.hash for name in IMPORTED for one in self._store.snapshots(name)]
        return hashlib.sha256(repr((documents, kept)).encode()).hexdigest()

    def _each(self, form: str, load: Callable[[str, str], tuple[Part, Any]]) -> list[Part]:
        records = [record for record in self._store.documents() if record.format == form]
        return [load(record.name, self._store.document(record.name).text or "")[0] for record in records]


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
    load = litellm.load if text.lstrip().startswith("{") else skypilot.load
    return load(name, text, on)


@lru_cache(maxsize=1)
def packaged() -> Catalog:
    """The catalogue that the installed package carries."""
    return genai.load()


def _joined(parts: Sequence[Sequence[Part]]) -> tuple[Part, ...]:
    return tuple(one for part in parts for one in part)
