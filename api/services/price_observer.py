"""Stores what the catalogues stated in each snapshot, as differences from one snapshot to the next.

    import, refresh, run ─▶ snapshot ─▶ compared with the one before ─▶ observed prices (store)

A snapshot is read only if its content differs from the one before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby

from compute.prices import price_history as history
from compute.prices import snapshots
from compute.prices.price_history import Fields
from compute.prices.price_models import IMPORTED, OBSERVED, Catalog, Price
from compute.runs.run_ledger import BOOKS
from graph.store import Store
from graph.store.price_tables import ObservedPrice
from graph.store.store_errors import StoreError, UnknownSnapshotError
from graph.values import Value, dumps, loads

STATE = "prices.seen"
"""The key of the last observation of each catalogue."""


Stated = tuple[str, Iterable[Fields], str]
"""What a catalogue states: its name, the fields of its prices, and its version."""


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
        self._store, self._prices = store, store.observed_prices

    def states(self) -> dict[str, Observed]:
        """The last observation of each catalogue.

        Raises:
            ObservedPricesError: it cannot be read.
        """
        stored = self._store.metadata.get(STATE)
        try:
            return {name: Observed.model_validate(state) for name, state in (loads(stored) if stored else {}).items()}
        except (ValueError, AttributeError) as error:
            raise ObservedPricesError from error

    def first_days(self) -> dict[str, date]:
        """By imported catalogue the day of its first snapshot: what it stated then and states now was valid between."""
        return {name: state.first for name, state in self.states().items() if name in IMPORTED}

    def past(self, catalogs: Sequence[Catalog], edited: date | None) -> tuple[Catalog, ...]:
        """Catalogues with the prices of earlier snapshots that they state no longer.

        `edited` is the day on which the price cards of now came in.
        """
        today, states = self._store.present_day(), self.states()
        gone = [row.until(today) for row in self._prices.past()]
        since = {(row.catalog, row.statement): row.until(today).first_seen for row in self._prices.current()}
        for catalog in catalogs:
            state, is_import = states.get(catalog.name), catalog.name in IMPORTED
            if state is None or (is_import and catalog.version in {"", state.version}):
                continue  # an import is observed when it comes
            found = history.statements(map(vars, catalog.prices))
            if state.digest != history.digest(found):
                seen = state.model_copy(update={"last": min(state.last, today)})
                closed, opened = self._differences(seen, catalog.name, found, None if is_import else edited)
                gone += closed
                since |= {(row.catalog, row.statement): row.first_seen for row in opened}
        return history.with_past(catalogs, map(_price, gone), since)

    def observe(
        self, stated: Iterable[Stated], snapshot: str, on: date, *, edited: date | None = None, complete: bool = False
    ) -> None:
        """Store what the catalogues of a snapshot, taken on the day `on`, state no longer or state newly.

        Call it in the transaction that stores the snapshot. `edited` is the day on which the price cards came in;
        `complete` says that there are no other catalogues.
        """
        states = self.states()
        listed = [
            (name, history.statements(prices), version) for name, prices, version in stated if name not in OBSERVED
        ]
        gone = states.keys() - {name for name, _, _ in listed} if complete else frozenset()
        for name, found, version in (*listed, *((name, {}, states[name].version) for name in sorted(gone))):
            changed = on if name in IMPORTED and name not in gone else edited or on
            state = self._observe(states.get(name), name, found, (snapshot, on, changed))
            states[name] = state.model_copy(update={"version": version})
        self._store.metadata.put(STATE, dumps(states))

    def _observe(
        self, state: Observed | None, name: str, found: Mapping[str, Fields], observation: tuple[str, date, date]
    ) -> Observed:
        """Store the differences of one catalogue; `observation` is the snapshot, its day, and the day of a change."""
        (snapshot, on, changed), digest = observation, history.digest(found)
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
        self, state: Observed, name: str, found: Mapping[str, Fields], on: date | None
    ) -> tuple[list[ObservedPrice], list[ObservedPrice]]:
        """What a catalogue states no longer, and what it states newly since the day `on`."""
        on = max(on, state.last) if on else None
        before = self._stated(state.snapshot, name)
        since = {row.statement: row.first_seen for row in self._prices.current(name)}
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

    def _stated(self, snapshot: str, name: str) -> dict[str, Fields]:
        records = snapshots.records(snapshot, self._store.snapshots.get(snapshot))
        return history.statements(records.get(name, ()))

    def restart(self, catalogs: Iterable[Catalog], snapshot: str) -> None:
        """Compare the price cards from now on with those of a snapshot; catalogues that were imported stay."""
        before = self.states()
        states = {name: state for name, state in before.items() if name in IMPORTED}
        for name, prices in ((one.name, one.prices) for one in catalogs if one.name in before.keys() - states.keys()):
            digest = history.digest(history.statements(map(vars, prices)))
            states[name] = before[name].model_copy(update={"digest": digest, "snapshot": snapshot})
        self._store.metadata.put(STATE, dumps(states))

    # ---- damage

    def damage(self) -> str | None:
        """How the observed prices differ from the snapshots; None if they do not."""
        try:
            for row in (*self._prices.past(), *self._prices.current()):
                _price(row)
            for name, state in self.states().items():
                if history.digest(self._stated(state.snapshot, name)) != state.digest:
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
                records = snapshots.records(digest, self._store.snapshots.get(digest))
                stated = [(name, prices, "") for name, prices in records.items()]
                for day in dict.fromkeys((days[0], days[-1])):
                    self.observe(stated, digest, day, complete=known[digest].catalog == BOOKS)
        return len(known)


def _price(row: ObservedPrice) -> Price:
    days = {"first_seen": row.first_seen, "last_seen": row.last_seen, "replaced": row.replaced}
    try:
        return Price.model_validate({**loads(row.body), **days, "catalog": row.catalog})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ObservedPricesError from error
