"""The prices of this home: the packaged catalogue or a newer one, imported ones, cards, and the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from api.services.price_observer import PriceObserver
from compute.catalogs import (
    ecb_rates,
    gpuhunt_zip,
    litellm_map,
    llm_prices,
    price_cards,
    price_observations,
    skypilot_csv,
)
from compute.claims import unit_vocabulary
from compute.prices import data_freshness, own_units, price_history, snapshots
from compute.prices.own_units import OwnUnit
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import IMPORTED, OBSERVED, Catalog, Price
from compute.prices.rule_library import Library, library
from compute.runs.run_ledger import BOOKS
from compute.units.units import using
from graph.models.access_models import BrainPolicy
from graph.models.query_models import DocumentRecord, SnapshotRecord
from graph.models.verdict_models import Run, VerdictRow
from graph.problems import Problem, Severity
from graph.store import Store
from graph.store.store_errors import UnknownSnapshotError

IN_USE = "prices.in-use."
"""Before the name of a catalogue: the key of the hash of the snapshot that is in use."""

ON_HOLD = "held"
"""The name of catalogues that wait for a decision, among the snapshots of the store."""


class StatedPrices(NamedTuple):
    """What the documents and catalogues of one state say about prices.

    `state` are the names and digests of those documents, and the hashes of the catalogues; `edited` is the day on which
    the latest price cards came in.
    """

    state: tuple[list[tuple[str, str]], list[str]]
    library: Library
    book: CatalogBook
    edited: date | None


class PriceService:
    """The prices of a home. A price book is made once for each state of the rules and catalogues."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._cache = store.cache(2)
        self.observer = PriceObserver(store)

    def library(self) -> Library:
        """Cards, families, assumptions, decisions and limits as the documents in the store state them."""
        return self.stated().library

    def _documents(self) -> list[DocumentRecord]:
        records = [self.store.documents.get(record.name) for record in self.store.documents.heads(STATED)]
        if not self.store.hidden:
            unit_vocabulary.use(units_of(records))
        return records

    def cards(self) -> Iterator[tuple[str, Price]]:
        """Every price card with the name of its document."""
        for record in self.store.documents.heads(["prices"]):
            text = self.store.documents.get(record.name).text or ""
            yield from ((record.name, price) for price in price_cards.load(record.name, text)[0].prices)

    def catalogs(self) -> tuple[Catalog, ...]:
        """The catalogues without the cards: those in the store, else the packaged one."""
        return self._catalogs(self._in_use())

    def _in_use(self) -> list[SnapshotRecord]:
        return list(self._latest(*IMPORTED).values())

    def _catalogs(self, in_use: Iterable[SnapshotRecord]) -> tuple[Catalog, ...]:
        found = [catalog for record in in_use for catalog in self.snapshot(record.hash)]
        from compute.catalogs import genai_prices_catalog  # noqa: PLC0415  # takes 0.1 s of a start

        if not any(catalog.name == genai_prices_catalog.NAME for catalog in found):
            found.insert(0, packaged())
        return tuple(found)

    def book(self) -> CatalogBook:
        """Everything that formulas can look up; the same book until a rule or a catalogue changes."""
        return self.stated().book

    def stated(self) -> StatedPrices:
        """The rules and the book; the same until a rule or a catalogue changes."""
        return self._cache.renew("stated", self._stated)

    def _stated(self, old: StatedPrices | None) -> StatedPrices:
        """Made again only where the documents and snapshots differ; a run that was appended changes neither."""
        in_use = self._in_use()
        documents = [(one.name, one.sha256) for one in self.store.documents.heads(STATED)]
        state = documents, [one.hash for one in in_use]
        if old is not None and old.state == state:
            return old
        stated = self._documents()
        library = library_of(stated)
        today = self.store.present_day()  # a document stored by a clock that was ahead counts as stored today
        edited = max((min(one.ingested_at.date(), today) for one in stated if one.format == "prices"), default=None)
        catalogs = self.observer.past(library.catalogs(self._catalogs(in_use)), edited)
        book = library.model_copy(update={"cards": ()}).book(catalogs)
        return StatedPrices(state, library, book, edited)

    def ages(self, on: date) -> tuple[data_freshness.Freshness, ...]:
        """How old every catalogue and assumption is on a day; observations of past days do not age."""
        library = self.library()
        catalogs = [catalog for catalog in self.book().catalogs if catalog.name not in OBSERVED]
        return data_freshness.freshness(catalogs, library.assumptions, on, library.limits)

    def aged_inputs(self, rows: Iterable[VerdictRow]) -> tuple[data_freshness.AgedInput, ...]:
        """The oldest inputs of verdicts that were checked longer ago than their limits."""
        dated = [row for row in rows if row.oldest_input is not None]
        if not dated:
            return ()
        library = self.library()
        names = {one.name for one in library.assumptions}
        return data_freshness.aged(dated, self.book().catalogs, names, library.limits)

    def snapshot(self, digest: str) -> tuple[Catalog, ...]:
        """The catalogues of a snapshot in the store.

        Raises:
            UnknownSnapshotError: there is none of that hash.
        """
        return snapshots.unpack(snapshots.Snapshot(digest=digest, text=self.store.snapshots.get(digest)))

    def keep(self, catalog: Catalog, at: datetime) -> str:
        """Store a catalogue as a snapshot, use it, and return its hash; equal content is stored once."""
        packed, name = snapshots.pack([catalog]), catalog.name
        with self.store.transaction():
            if not self.store.snapshots.put(packed.digest, name, packed.text, at):
                self.store.snapshots.assign(packed.digest, name, ON_HOLD)  # the same content was on hold
            self.store.metadata.put(f"{IN_USE}{name}", packed.digest)
            self.observer.observe([(name, catalog.prices, catalog.version)], packed.digest, at.date())
        return packed.digest

    def used(self, name: str) -> str | None:
        """The hash of the snapshot of an imported catalogue that is in use."""
        found = self._latest(name).get(name)
        return found.hash if found else None

    def take(
        self, name: str, data: bytes, at: datetime, since: date | None = None
    ) -> tuple[Catalog, tuple[Problem, ...]]:
        """Import a catalogue file, recognised by its content; see `imported`.

        Rates and the clouds of SkyPilot are added to those of earlier imports; other catalogues take the place of the
        earlier one. `since` is the first day of the rates to read.

        Raises:
            CatalogFileError: no price could be read from it.
        """
        catalog, problems = self.read(name, data, at.date(), since)
        self.keep(catalog, at)
        return catalog, problems

    def read(
        self, name: str, data: bytes, on: date, since: date | None = None, joined: Catalog | None = None
    ) -> tuple[Catalog, tuple[Problem, ...]]:
        """What `take` would store of a file on the day `on`, after another one that was `joined` already.

        Raises:
            CatalogFileError: no price could be read from it.
        """
        catalog, problems = imported(name, data, on, since)
        if not catalog.prices:
            raise CatalogFileError(name, problems)
        before = self._latest(catalog.name).get(catalog.name)
        earlier = self.snapshot(before.hash) if before else ()
        for held in ((joined,) if joined else earlier) if catalog.name in JOINED else ():
            catalog = JOINED[catalog.name](held, catalog)
        if before is not None and catalog.name != ecb_rates.NAME:
            catalog = price_history.recorded_since(catalog, earlier)
        return catalog, problems

    def diff(self, before: str, after: str) -> tuple[snapshots.PriceChange, ...]:
        """What changed between two snapshots, each a hash, its beginning, or the number of a run.

        Raises:
            UnknownSnapshotError: there is none of that name, or several.
        """
        return snapshots.diff(self.snapshot(self._digest(before)), self.snapshot(self._digest(after)))

    def changes_between(self, before: Run, after: Run) -> frozenset[snapshots.PriceChange]:
        """The prices that changed between two runs, those of private brains included.

        Raises:
            UnknownSnapshotError, SnapshotError: a snapshot of a run is gone or damaged.
        """
        old, new = (
            {"": run.snapshot} | {part.brain: part.snapshot for part in self.store.ledger.parts(run.id)}
            for run in (before, after)
        )
        pairs = {(old[brain], new[brain]) for brain in old.keys() & new.keys() if old[brain] != new[brain]}
        return frozenset(one for pair in pairs for one in snapshots.diff(*map(self.snapshot, pair)))

    # ---- a brain is made private or public

    def put_policy(self, policy: BrainPolicy, *, at: datetime) -> None:
        """Store the policy of a brain, all or nothing.

        When a brain becomes private, its price cards leave the price history that other readers see.
        """
        with self.store.transaction():
            before = self.store.brains.private()
            self.store.brains.put(policy)
            if policy.private and policy.name not in before:
                cards = []
                for head in self.store.documents.every_version(policy.name, "prices"):
                    catalog, _ = price_cards.load(head.name, head.text or "")
                    cards += [(catalog.name, what) for what in price_history.statements(catalog.prices)]
                self.store.observed_prices.put_cards(policy.name, cards)
                if self.observer.has_history():
                    self._restart_history(before | {policy.name}, at)

    def _restart_history(self, hidden: frozenset[str], at: datetime) -> None:
        """Let the price history go on from what is public: what is hidden now was not withdrawn by its catalogue."""
        public = PriceService(self.store.for_reader(hidden))
        catalogs = library_of(public._documents()).catalogs(public.catalogs())
        book = snapshots.pack(catalogs)
        self.store.snapshots.put(book.digest, BOOKS, book.text, at)
        self.store.snapshots.put_brains(book.digest, {one.brain for one in public.store.documents.heads(["prices"])})
        self.observer.restart(catalogs, book.digest)

    # ---- snapshots by name

    def _digest(self, name: str) -> str:
        if name.isdigit() and len(name) < 10:
            return self.store.ledger.run(int(name)).snapshot
        found = [one.hash for one in self.store.snapshots.all() if one.hash.startswith(name)]
        if len(found) != 1:
            raise UnknownSnapshotError(name)
        return found[0]

    def _latest(self, *names: str) -> dict[str, SnapshotRecord]:
        """By catalogue the snapshot that was imported last; it may be older than others if a file came in again."""
        chosen, kept = self.store.metadata.under(IN_USE), self.store.snapshots.all(*names)
        newest = {one.catalog: one for one in reversed(kept)}
        last = newest | {one.catalog: one for one in kept if one.hash == chosen.get(one.catalog)}
        return {name: last[name] for name in names if name in last}


STATED = ("prices", "families", "assumptions", "decisions", "freshness", "units")
"""The documents that say something about prices."""


JOINED: Mapping[str, Callable[[Catalog, Catalog], Catalog]] = {
    ecb_rates.NAME: ecb_rates.joined,
    skypilot_csv.NAME: skypilot_csv.joined,
}
"""Catalogues whose files each hold a part: how an earlier import is joined with a later one."""


def library_of(records: Iterable[DocumentRecord]) -> Library:
    """What documents (with their texts) state about prices."""
    listed = list(records)
    with using(unit_vocabulary.vocabulary_of(units_of(listed))):
        return library((one.format, one.name, one.text or "") for one in listed)


def file_name(address: str) -> str:
    """What a file at an address is called in messages, and by which its cloud is known: the path."""
    return urlsplit(address).path.lstrip("/") or address


def stored_units(store: Store) -> tuple[OwnUnit, ...]:
    """The own units that the documents in a store define."""
    names = [record.name for record in store.documents.heads(["units"])]
    return units_of([store.documents.get(name) for name in names])


def units_of(records: Sequence[DocumentRecord]) -> tuple[OwnUnit, ...]:
    """The own units that documents (with their texts) define."""
    return tuple(
        unit for one in records if one.format == "units" for unit in own_units.load(one.name, one.text or "")[0]
    )


class CatalogFileError(Exception):
    """A file of which no price could be read."""

    def __init__(self, name: str, problems: Sequence[Problem]) -> None:
        told = "\n".join(problem.render() for problem in problems[:5])
        super().__init__(
            f"{name} contains no prices; expected a list of genai-prices or llm-prices, LiteLLM's map, SkyPilot's "
            f"vms.csv, gpuhunt's archive, the ECB's eurofxref, or observations\n{told}".rstrip()
        )


def imported(name: str, data: bytes, on: date, since: date | None = None) -> tuple[Catalog, tuple[Problem, ...]]:
    """A catalogue file, recognised by its content: rates of the ECB, gpuhunt, JSON, observations, else SkyPilot.

    A file that breaks its reader has no prices and an error: a list of others ends no night.
    """
    try:
        return _imported(name, data, on, since)
    except Exception as error:  # noqa: BLE001  # readers of archives, JSON and CSV have dozens of errors
        problem = Problem(document=name, severity=Severity.ERROR, code="import", message=f"not readable: {error}")
        return Catalog(name="", prices=()), (problem,)


def _imported(name: str, data: bytes, on: date, since: date | None) -> tuple[Catalog, tuple[Problem, ...]]:
    if ecb_rates.recognised(data):
        return ecb_rates.load(name, data, on, since)
    if gpuhunt_zip.recognised(data):
        return gpuhunt_zip.load(data, on)
    text = data.decode("utf-8", "replace")
    load = next((load for fits, load in _TEXTS if fits(text)), skypilot_csv.load)
    return load(name, text, on)


def _genai(name: str, text: str, on: date) -> tuple[Catalog, tuple[Problem, ...]]:
    from compute.catalogs import genai_prices_catalog  # noqa: PLC0415  # takes 0.1 s of a start

    return genai_prices_catalog.read(name, text, on)


_TEXTS: tuple[tuple[Callable[[str], bool], Callable[[str, str, date], tuple[Catalog, tuple[Problem, ...]]]], ...] = (
    (lambda text: text.lstrip().startswith("["), _genai),
    (llm_prices.recognised, llm_prices.load),
    (lambda text: text.lstrip().startswith("{"), litellm_map.load),
    (price_observations.recognised, price_observations.load),
)
"""How each catalogue in text form is recognised and read."""


@lru_cache(maxsize=1)
def packaged() -> Catalog:
    """The catalogue that the installed package carries."""
    from compute.catalogs import genai_prices_catalog  # noqa: PLC0415  # as above

    return genai_prices_catalog.load()
