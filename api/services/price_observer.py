"""Stores what the catalogues stated in each snapshot, as differences from one snapshot to the next.

    import, refresh, run ─▶ snapshot ─▶ compared with the one before ─▶ observed prices (store)

A snapshot is read only if its content differs from the one before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from compute.prices import price_history as history
from compute.prices import snapshots
from compute.prices.price_history import Statements
from compute.prices.price_models import IMPORTED, OBSERVED, Catalog, Price
from compute.runs.run_ledger import BOOKS
from graph.models.query_models import SnapshotRecord
from graph.problems import Problem, Severity
from graph.store import Store
from graph.store.price_tables import ObservedPrice
from graph.store.store_errors import StoreError, UnknownSnapshotError
from graph.values import Value, dumps, loads

STATE = "prices.seen"
"""The key of the last observation of each catalogue."""


Stated = tuple[str, Iterable[Price | Mapping[str, object]], str]
"""What a catalogue states: its name, its prices or their fields as a snapshot stores them, and its version."""


class ObservedPricesError(StoreError):
    """The prices observed in earlier snapshots cannot be read; they can be derived again."""

    def __init__(self) -> None:
        super().__init__(
            "the record of observed prices is unreadable; brain check --repair derives it from the snapshots"
        )


class Observed(Value):
    """The last observation of one catalogue: the hash of what it stated, and a snapshot that holds it.

    `first` and `last` are the days of the first and the latest snapshot of the catalogue.
    """

    digest: str
    version: str = ""
    snapshot: str
    first: date
    last: date


class PriceObserver:
    """Compares catalogues with their earlier snapshots and stores the differences."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def past(self, catalogs: Sequence[Catalog], edited: date | None) -> tuple[Catalog, ...]:
        """Catalogues with the prices of earlier snapshots that they state no longer.

        `edited` is the day on which the price cards of now came in.
        """
        today = self._store.present_day()
        states = {name: one.model_copy(update={"last": min(one.last, today)}) for name, one in self._states().items()}
        gone = [row.until(today) for row in self._store.observed_prices.past()]
        came = [row.until(today) for row in self._store.observed_prices.current()]
        for catalog in catalogs:
            if _may_differ(catalog, states.get(catalog.name)):
                on = None if catalog.name in IMPORTED else edited
                found = history.statements(catalog.prices)
                if states[catalog.name].digest == history.digest(found):
                    continue
                closed, opened = self._differences(states[catalog.name], catalog.name, found, on)
                ended = {(row.catalog, row.statement) for row in closed}
                came = [row for row in came if (row.catalog, row.statement) not in ended] + opened
                gone += closed
        return history.with_past(catalogs, map(_price, gone), map(_price, came))

    def first_days(self) -> dict[str, date]:
        """By imported catalogue the day of its first snapshot: what it stated then and states now was valid between."""
        return {name: state.first for name, state in self._states().items() if name in IMPORTED}

    def observe(
        self, stated: Iterable[Stated], snapshot: str, on: date, *, edited: date | None = None, complete: bool = False
    ) -> None:
        """Keep what the catalogues of a snapshot, taken on the day `on`, state no longer or state newly.

        Call it in the transaction that stores the snapshot. `edited` is the day on which the price cards came in;
        `complete` says that there are no other catalogues.
        """
        states = self._states()
        listed = [(one[0], history.statements(one[1]), one[2]) for one in stated if one[0] not in OBSERVED]
        gone = states.keys() - {name for name, _, _ in listed} if complete else ()
        for name, found, version in [*listed, *((name, {}, states[name].version) for name in sorted(gone))]:
            changed = on if name in IMPORTED and name not in gone else edited or on
            state = self._state_after(states.get(name), name, found, (snapshot, on, changed))
            states[name] = state.model_copy(update={"version": version})
        self._store.metadata.put(STATE, dumps(states))

    def has_history(self) -> bool:
        """Whether any catalogue was observed yet."""
        return bool(self._states())

    def restart(self, catalogs: Iterable[Catalog], snapshot: str) -> None:
        """Compare the price cards from now on with those of a snapshot; catalogues that were imported stay."""
        states = {name: state for name, state in self._states().items() if name in IMPORTED}
        for catalog in catalogs:
            old = self._states().get(catalog.name)
            if catalog.name not in IMPORTED and old is not None:
                found = history.digest(history.statements(catalog.prices))
                states[catalog.name] = old.model_copy(update={"digest": found, "snapshot": snapshot})
        self._store.metadata.put(STATE, dumps(states))

    def _state_after(
        self, state: Observed | None, name: str, found: Statements, observation: tuple[str, date, date]
    ) -> Observed:
        """Store the differences of one catalogue; `observation` is the snapshot, its day, and the day of a change."""
        (snapshot, on, changed), digest = observation, history.digest(found)
        if state is None:
            return Observed(digest=digest, snapshot=snapshot, first=on, last=on)
        if state.first <= on < state.last:  # the last observation was made by a clock that was ahead
            self._store.observed_prices.correct(name, state.last, on)
            state, changed = state.model_copy(update={"last": on}), min(changed, on)
        if state.digest != digest:
            closed, opened = self._differences(state, name, found, changed)
            for row in closed:
                self._store.observed_prices.close(row)
            self._store.observed_prices.add(opened)
            state = state.model_copy(update={"digest": digest, "snapshot": snapshot})
        return state.model_copy(update={"last": max(on, state.last)})

    def _differences(
        self, state: Observed, name: str, found: Statements, on: date | None
    ) -> tuple[list[ObservedPrice], list[ObservedPrice]]:
        """What a catalogue states no longer, and what it states newly since the day `on`."""
        on = max(on, state.last) if on else None
        before = self._stated(state.snapshot, name)
        since = {row.statement: row.first_seen for row in self._store.observed_prices.current(name)}
        closed = [
            ObservedPrice(
                catalog=name, statement=key, first_seen=since.get(key, state.first), last_seen=state.last, replaced=on,
                body=history.body(price),
            )
            for key, price in before.items()
            if key not in found
        ]  # fmt: skip
        opened = [
            ObservedPrice(catalog=name, statement=key, first_seen=on, body=history.body(price))
            for key, price in found.items()
            if on is not None and key not in before
        ]
        return closed, opened

    def _stated(self, snapshot: str, name: str) -> Statements:
        records = snapshots.records(snapshot, self._store.snapshots.get(snapshot))
        return history.statements(records.get(name, ()))

    def _states(self) -> dict[str, Observed]:
        kept = self._store.metadata.get(STATE)
        try:
            return {name: Observed.model_validate(state) for name, state in (loads(kept) if kept else {}).items()}
        except (ValueError, AttributeError) as error:
            raise ObservedPricesError from error

    # ---- damage

    def damage(self) -> str | None:
        """How the observed prices differ from the snapshots; None if they do not."""
        if self._store.metadata.get(STATE) is None:
            return None  # nothing was observed yet
        try:
            states = self._states()
            for row in (*self._store.observed_prices.past(), *self._store.observed_prices.current()):
                _price(row)
        except ObservedPricesError:
            return "the record of observed prices is unreadable"
        for name, state in states.items():
            try:
                found = self._stated(state.snapshot, name)
            except (UnknownSnapshotError, snapshots.SnapshotError) as error:
                return str(error)
            if history.digest(found) != state.digest:
                return f"the record of observed prices differs from the snapshot of {name}"
        return None

    def problems(self) -> list[Problem]:
        """The same as problems of the data directory."""
        said, hint = self.damage(), "brain check --repair derives it from the snapshots again"
        about = {"document": "brain.db", "severity": Severity.WARNING, "code": "seen-prices", "hint": hint}
        return [Problem.model_validate({**about, "message": said})] if said else []

    def rebuild(self) -> int:
        """Derive the observed prices from the snapshots again; the number of snapshots read."""
        kept = [one for one in self._store.snapshots.all() if one.catalog in {*IMPORTED, BOOKS}]
        with self._store.transaction():
            self._store.observed_prices.clear()
            self._store.metadata.put(STATE, "{}")
            for day, one in self._sightings(kept):
                records = snapshots.records(one.hash, self._store.snapshots.get(one.hash))
                stated = ((name, prices, "") for name, prices in records.items())
                self.observe(stated, one.hash, day, complete=one.catalog == BOOKS)
        return len(kept)

    def _sightings(self, kept: Iterable[SnapshotRecord]) -> Iterator[tuple[date, SnapshotRecord]]:
        """Every snapshot on the day on which it was stored, and on the last of each row of runs that used it."""
        by_hash = {one.hash: one for one in kept}
        imports = [(one.created_at, one.hash) for one in by_hash.values() if one.catalog != BOOKS]
        runs = [(run.started_at, run.snapshot) for run in self._store.ledger.runs() if run.snapshot in by_hash]
        ordered = sorted([*imports, *runs])
        for number, (at, digest) in enumerate(ordered):
            among = number == 0 or ordered[number - 1][1] != digest
            if among or number + 1 == len(ordered) or ordered[number + 1][1] != digest:
                yield at.date(), by_hash[digest]


def _may_differ(catalog: Catalog, state: Observed | None) -> bool:
    """Whether a catalogue may state other prices than in its last snapshot: imports are observed when they come."""
    if state is None:
        return False
    return catalog.name not in IMPORTED or (bool(catalog.version) and catalog.version != state.version)


def _price(row: ObservedPrice) -> Price:
    try:
        return history.past_price(row.catalog, row.body, (row.first_seen, row.last_seen, row.replaced))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ObservedPricesError from error
