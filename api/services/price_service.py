"""The prices of a home: the catalogues in use, cards and rules, and what catalogues stated earlier.

    import, refresh, run ─▶ snapshot ─▶ compared with the one before ─▶ observed prices (store)

Earlier statements are stored as differences between snapshots; a snapshot is read only if its content differs from the
one before it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache, partial
from itertools import groupby
from typing import NamedTuple

from compute.catalogs import catalog_files, ecb_rates, price_cards
from compute.catalogs.catalog_files import JOINED, CatalogFileError
from compute.prices import data_freshness, snapshots
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import IMPORTED, OBSERVED, Catalog, Price
from compute.prices.rule_files import vocabulary_of
from compute.prices.rule_library import Library, library_of, units_of
from compute.runs.run_ledger import BOOKS
from compute.units.units import set_vocabulary
from graph.models.access_models import BrainPolicy
from graph.models.query_models import DocumentRecord
from graph.models.verdict_models import Run, VerdictRow
from graph.problems import Problem
from graph.recent_values import RecentValues
from graph.store import Store
from graph.store.price_tables import ObservedPrice
from graph.store.store_errors import StoreError, UnknownSnapshotError
from graph.store.versioned_cache import cached_in
from graph.values import Value, dumps, loads

STATE = "prices.seen"  # the key of the last observation of each catalogue


class ObservedPricesError(StoreError):
    """The observed prices cannot be read; they can be derived again."""

    def __init__(self) -> None:
        super().__init__(
            "the record of observed prices is unreadable; brain check --repair derives it from the snapshots"
        )


class Observed(Value):
    """A catalogue's last observation: hash, snapshot, days of its `first` and `last` snapshot."""

    digest: str
    version: str = ""
    snapshot: str
    first: date
    last: date


class PriceObserver:
    """Compares catalogues with their earlier snapshots and stores the differences."""

    def __init__(self, store: Store) -> None:
        self._store, self._prices = store, store.observed_prices

    def states(self) -> dict[str, Observed]:
        """The last observation of each catalogue. Raises `ObservedPricesError`."""
        stored = self._store.metadata.get(STATE)
        try:
            return {name: Observed.model_validate(state) for name, state in (loads(stored) if stored else {}).items()}
        except (ValueError, AttributeError) as error:
            raise ObservedPricesError from error

    def first_days(self) -> dict[str, date]:
        """The day of the first snapshot of each imported catalogue; a price in it and now was valid between."""
        return {name: state.first for name, state in self.states().items() if name in IMPORTED}

    def past(self, catalogs: Sequence[Catalog], edited: date | None) -> tuple[Catalog, ...]:
        """Catalogues with the earlier prices that they no longer state; `edited` is the day of the price cards."""
        today, states = self._store.present_day(), self.states()
        gone = [row.until(today) for row in self._prices.past()]
        since = {(row.catalog, row.statement): row.until(today).first_seen for row in self._prices.current()}
        for catalog in catalogs:
            state, is_import = states.get(catalog.name), catalog.name in IMPORTED
            if state is None or (is_import and catalog.version in {"", state.version}):
                continue  # an import is observed when it comes
            found = snapshots.statements(catalog.prices)
            if state.digest != snapshots.digest(found):
                seen = state.model_copy(update={"last": min(state.last, today)})
                closed, opened = self._differences(seen, catalog.name, found, None if is_import else edited)
                gone += closed
                since |= {(row.catalog, row.statement): row.first_seen for row in opened}
        return snapshots.with_past(catalogs, map(_price, gone), since)

    def observe(
        self,
        catalogs: Iterable[Catalog],
        snapshot: str,
        on: date,
        *,
        edited: date | None = None,
        complete: bool = False,
    ) -> None:
        """Store what the catalogues of a snapshot of the day `on` state no longer or newly, in its transaction.

        `complete`: these are all catalogues; the cards came in on `edited`.
        """
        states = self.states()
        listed = [one for one in catalogs if one.name not in OBSERVED]
        gone = sorted(states.keys() - {one.name for one in listed}) if complete else []
        listed += (Catalog(name=name, prices=(), version=states[name].version) for name in gone)
        for one in listed:
            changed = on if one.name in IMPORTED and one.name not in gone else edited or on
            found, observation = snapshots.statements(one.prices), (snapshot, on, changed)
            state = self._observe(states.get(one.name), one.name, found, observation)
            states[one.name] = state.model_copy(update={"version": one.version})
        self._store.metadata.put(STATE, dumps(states))

    def _observe(
        self, state: Observed | None, name: str, found: Mapping[str, Price], observation: tuple[str, date, date]
    ) -> Observed:
        """Store the differences of a catalogue; `observation` is snapshot, its day, day of a change."""
        (snapshot, on, changed), digest = observation, snapshots.digest(found)
        if state is None:
            return Observed(digest=digest, snapshot=snapshot, first=on, last=on)
        if state.first <= on < state.last:  # the last observation was made by a clock ahead
            self._prices.correct(name, state.last, on)
            state, changed = state.model_copy(update={"last": on}), min(changed, on)
        if state.digest != digest:
            closed, opened = self._differences(state, name, found, changed)
            for row in closed:
                self._prices.close(row)
            self._prices.add(opened)
            state = state.model_copy(update={"digest": digest, "snapshot": snapshot})
        return state.model_copy(update={"last": max(on, state.last)})

    def _differences(
        self, state: Observed, name: str, found: Mapping[str, Price], on: date | None
    ) -> tuple[list[ObservedPrice], list[ObservedPrice]]:
        """What a catalogue states no longer, and what newly since the day `on`."""
        on = max(on, state.last) if on else None
        before = _stated(snapshot_of(self._store, state.snapshot), name)
        since = {row.statement: row.first_seen for row in self._prices.current(name)}
        closed = [
            ObservedPrice(
                catalog=name, statement=key, first_seen=since.get(key, state.first), last_seen=state.last, replaced=on,
                body=snapshots.body(price),
            )
            for key, price in before.items()
            if key not in found
        ]  # fmt: skip
        opened = [
            ObservedPrice(catalog=name, statement=key, first_seen=on, body=snapshots.body(price))
            for key, price in found.items()
            if on is not None and key not in before
        ]
        return closed, opened

    def restart(self, catalogs: Iterable[Catalog], snapshot: str) -> None:
        """Compare price cards from now on with those of a snapshot; imported catalogues are unchanged."""
        before = self.states()
        states = {name: state for name, state in before.items() if name in IMPORTED}
        for one in catalogs:
            if one.name in before and one.name not in IMPORTED:
                digest = snapshots.digest(snapshots.statements(one.prices))
                states[one.name] = before[one.name].model_copy(update={"digest": digest, "snapshot": snapshot})
        self._store.metadata.put(STATE, dumps(states))

    def damage(self) -> str | None:
        """How the observed prices differ from the snapshots; None if they do not."""
        try:
            for row in (*self._prices.past(), *self._prices.current()):
                _price(row)
            read = cache(partial(snapshot_of, self._store))
            for name, state in self.states().items():
                if snapshots.digest(_stated(read(state.snapshot), name)) != state.digest:
                    return f"the record of observed prices differs from the snapshot of {name}"
        except ObservedPricesError:
            return "the record of observed prices is unreadable"
        except (UnknownSnapshotError, snapshots.SnapshotError) as error:
            return str(error)
        return None

    def rebuild(self) -> int:
        """Derive the observed prices from the snapshots again; the number of snapshots read."""
        known = {one.hash: one for one in self._store.snapshots.all(*IMPORTED, BOOKS)}
        imports = [(one.created_at, one.hash) for one in known.values() if one.catalog != BOOKS]
        runs = [(run.started_at, run.snapshot) for run in self._store.ledger.runs() if run.snapshot in known]
        with self._store.transaction():
            self._prices.clear()
            self._store.metadata.put(STATE, "{}")
            for digest, times in groupby(sorted([*imports, *runs]), key=lambda pair: pair[1]):
                days = [at.date() for at, _ in times]
                catalogs = snapshot_of(self._store, digest)
                for day in dict.fromkeys((days[0], days[-1])):
                    self.observe(catalogs, digest, day, complete=known[digest].catalog == BOOKS)
        return len(known)


def snapshot_of(store: Store, digest: str) -> tuple[Catalog, ...]:
    """The catalogues of a stored snapshot. Raises `UnknownSnapshotError`, `SnapshotError`."""
    return snapshots.unpack(snapshots.Snapshot(digest=digest, text=store.snapshots.get(digest)))


def _stated(catalogs: Iterable[Catalog], name: str) -> dict[str, Price]:
    return snapshots.statements(price for one in catalogs if one.name == name for price in one.prices)


def _price(row: ObservedPrice) -> Price:
    days = {"first_seen": row.first_seen, "last_seen": row.last_seen, "replaced": row.replaced}
    try:
        return Price.model_validate({**loads(row.body), **days, "catalog": row.catalog})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ObservedPricesError from error


IN_USE = "prices.in-use."  # before the name of a catalogue: the key of the hash of the snapshot that is in use

ON_HOLD = "held"  # the name of catalogues that wait for a decision, among the snapshots of the store

STATED = ("prices", "families", "assumptions", "decisions", "freshness", "units")
"""The documents that say something about prices."""


class StatedPrices(NamedTuple):
    """What documents and catalogues say about prices; `edited` is the day of the latest price cards."""

    library: Library
    book: CatalogBook
    edited: date | None


class PriceService:
    """The prices of a home. A price book is made once for each state of the rules and catalogues."""

    def __init__(self, store: Store) -> None:
        self.store, self.observer = store, PriceObserver(store)
        self._cache = store.cache(1)
        self._made: RecentValues[Hashable, StatedPrices] = RecentValues(self._make, 1)

    @cached_in("_cache")
    def stated(self) -> StatedPrices:
        """The rules and the book; the same until a rule, a catalogue or the day changes: a run changes none of them."""
        documents = tuple((one.name, one.sha256) for one in self.store.documents.heads(STATED))
        return self._made.get((documents, *self._in_use().items(), self.store.present_day()))

    def _make(self, _state: Hashable) -> StatedPrices:
        records = self._documents()
        library = library_of(records)
        today = self.store.present_day()  # a document of a clock that was ahead came in by today
        edited = max((min(one.ingested_at.date(), today) for one in records if one.format == "prices"), default=None)
        catalogs = self.observer.past(library.catalogs(self.catalogs()), edited)
        return StatedPrices(library, library.book(catalogs), edited)

    def _documents(self) -> list[DocumentRecord]:
        records = [self.store.documents.get(record.name) for record in self.store.documents.heads(STATED)]
        if not self.store.hidden:
            set_vocabulary(vocabulary_of(units_of(records)))
        return records

    def library(self) -> Library:
        """Cards, families, assumptions, decisions and limits of the stored documents."""
        return self.stated().library

    def book(self) -> CatalogBook:
        """All that formulas can look up; the same book until a rule or a catalogue changes."""
        return self.stated().book

    def cards(self) -> Iterator[tuple[str, Price]]:
        """Every price card with the name of its document."""
        for record in self.store.documents.heads(["prices"]):
            text = self.store.documents.get(record.name).text or ""
            yield from ((record.name, price) for price in price_cards.load(record.name, text)[0].prices)

    def ages(self, on: date) -> tuple[data_freshness.Freshness, ...]:
        """How old every catalogue and assumption is on a day; observations of past days do not age."""
        stated = self.stated()
        catalogs = [catalog for catalog in stated.book.catalogs if catalog.name not in OBSERVED]
        return data_freshness.freshness(catalogs, stated.library.assumptions, on, stated.library.limits)

    def announced(self, item: str, component: str, on: date) -> tuple[str, date] | None:
        """The catalogue that stated a price before its first day `on`, and the day of that statement; None if none."""
        taken = {one.name: one.taken for one in self.book().catalogs if one.name in IMPORTED}
        for one in self.book().prices(item):
            seen = one.first_seen or taken.get(one.catalog, one.checked)
            if one.component == component and one.explicit and one.valid_from == on and seen and seen < on:
                return one.catalog, seen
        return None

    def aged_inputs(self, rows: Iterable[VerdictRow]) -> tuple[data_freshness.AgedInput, ...]:
        """The oldest inputs of verdicts that were checked longer ago than their limits."""
        dated = [row for row in rows if row.oldest_input is not None]
        if not dated:
            return ()
        library = self.library()
        names = {one.name for one in library.assumptions}
        return data_freshness.aged(dated, self.book().catalogs, names, library.limits)

    def catalogs(self) -> tuple[Catalog, ...]:
        """The catalogues without the cards: those in the store, else the packaged one."""
        found = [catalog for digest in self._in_use().values() for catalog in self.snapshot(digest)]
        absent = all(catalog.name != IMPORTED[0] for catalog in found)
        return (*([catalog_files.packaged()] if absent else ()), *found)

    def _in_use(self) -> dict[str, str]:
        """The snapshot in use of each imported catalogue, by precedence."""
        chosen = self.store.metadata.under(IN_USE)
        return {name: chosen[name] for name in IMPORTED if name in chosen}

    def used(self, name: str) -> str | None:
        """The hash of the snapshot of an imported catalogue that is in use."""
        return self._in_use().get(name)

    def snapshot(self, digest: str) -> tuple[Catalog, ...]:
        """The catalogues of a stored snapshot. Raises `UnknownSnapshotError`."""
        return snapshot_of(self.store, digest)

    def keep(self, catalog: Catalog, at: datetime) -> str:
        """Store a catalogue as a snapshot, use it, and return its hash; equal content is stored once."""
        packed, name = snapshots.pack([catalog]), catalog.name
        with self.store.transaction():
            if not self.store.snapshots.put(packed.digest, name, packed.text, at):
                self.store.snapshots.assign(packed.digest, name, ON_HOLD)  # the same content was on hold
            self.store.metadata.put(f"{IN_USE}{name}", packed.digest)
            self.observer.observe([catalog], packed.digest, at.date())
        return packed.digest

    def take(
        self, name: str, data: bytes, at: datetime, since: date | None = None
    ) -> tuple[Catalog, tuple[Problem, ...]]:
        """Import a catalogue file, rates from the day `since`. Raises `CatalogFileError` if it has no price.

        Rates and the clouds of SkyPilot are added to those of earlier imports; others replace the earlier one.
        """
        catalog, problems = self.read(name, data, at.date(), since)
        self.keep(catalog, at)
        return catalog, problems

    def read(
        self, name: str, data: bytes, on: date, since: date | None = None, joined: Catalog | None = None
    ) -> tuple[Catalog, tuple[Problem, ...]]:
        """What `take` would store of a file on a day, after another that was `joined`. Raises `CatalogFileError`."""
        catalog, problems = catalog_files.imported(name, data, on, since)
        if not catalog.prices:
            raise CatalogFileError(name, problems)
        digest = self.used(catalog.name)
        earlier = self.snapshot(digest) if digest else ()
        for held in ((joined,) if joined else earlier) if catalog.name in JOINED else ():
            catalog = JOINED[catalog.name](held, catalog)
        if earlier and catalog.name != ecb_rates.NAME:
            catalog = snapshots.recorded_since(catalog, earlier)
        return catalog, problems

    def diff(self, before: str, after: str) -> tuple[snapshots.PriceChange, ...]:
        """What changed between two snapshots, each a hash, its beginning or a run. Raises `UnknownSnapshotError`."""
        return snapshots.diff(self.snapshot(self._digest(before)), self.snapshot(self._digest(after)))

    def _digest(self, name: str) -> str:
        if name.isdigit() and len(name) < 10:
            return self.store.ledger.run(int(name)).snapshot
        found = [one.hash for one in self.store.snapshots.all() if one.hash.startswith(name)]
        if len(found) != 1:
            raise UnknownSnapshotError(name)
        return found[0]

    def changes_between(self, before: Run, after: Run) -> frozenset[snapshots.PriceChange]:
        """The prices that changed between two runs. Raises `UnknownSnapshotError`, `SnapshotError`."""
        old, new = (
            {"": run.snapshot} | {part.brain: part.snapshot for part in self.store.ledger.parts(run.id)}
            for run in (before, after)
        )
        pairs = {(old[brain], new[brain]) for brain in old.keys() & new.keys() if old[brain] != new[brain]}
        return frozenset(one for pair in pairs for one in snapshots.diff(*map(self.snapshot, pair)))

    def put_policy(self, policy: BrainPolicy, *, at: datetime) -> None:
        """Store a brain's policy; a private brain's price cards leave the public price history."""
        with self.store.transaction():
            before = self.store.brains.private()
            self.store.brains.put(policy)
            if policy.private and policy.name not in before:
                cards = []
                for head in self.store.documents.every_version(policy.name, "prices"):
                    catalog, _ = price_cards.load(head.name, head.text or "")
                    cards += [(catalog.name, what) for what in snapshots.statements(catalog.prices)]
                self.store.observed_prices.put_cards(policy.name, cards)
                if self.observer.states():
                    self._restart_history(before | {policy.name}, at)

    def _restart_history(self, hidden: frozenset[str], at: datetime) -> None:
        """Continue the price history from the public catalogues: hidden cards were not withdrawn."""
        public = PriceService(self.store.for_reader(hidden))
        catalogs = library_of(public._documents()).catalogs(public.catalogs())
        book = snapshots.pack(catalogs)
        self.store.snapshots.put(book.digest, BOOKS, book.text, at)
        self.store.snapshots.put_brains(book.digest, {one.brain for one in public.store.documents.heads(["prices"])})
        self.observer.restart(catalogs, book.digest)
