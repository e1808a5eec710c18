"""Refreshes the catalogues from their addresses, and holds those that differ too much from the current one.

    address ─▶ 304: the catalogue in use is confirmed for today
            ─▶ file ─▶ within bounds: in use
                    ─▶ out of bounds: on hold, the last good snapshot stays in use until `accept`

A catalogue on hold is a snapshot of its own. Per price (item, component, processing, tier, region) two comparisons are
made: of the figures with the same first day in both catalogues, and of the latest figure of each, so that a change
under a new date is found too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from api.services.price_service import ON_HOLD, PriceService
from api.settings import Settings
from compute.catalogs import genai_prices_catalog
from compute.catalogs.catalog_download import RefreshError, Validators
from compute.catalogs.catalog_files import ADDRESSES, CatalogFileError, fetch, file_name
from compute.prices import snapshots
from compute.prices.price_models import IMPORTED, Catalog
from compute.prices.snapshots import OutOfBounds, moved, out_of_bounds, rechecked
from graph.problems import Problem
from graph.store.versioned_cache import cached_in
from graph.text.counts import few
from graph.values import Value, dumps, loads

DEFAULTS: Mapping[str, str] = {genai_prices_catalog.NAME: genai_prices_catalog.ADDRESS, **ADDRESSES}
"""Where each list is published; the setting of `genai-prices` is `genai_prices_url`, and so on."""

_ADDRESS = re.compile(r"https?://\S+")

FETCHED, HELD = "prices.fetched.", "prices.held."
"""Before a catalogue's name: the keys of what is known of its address, and of the one that waits for a decision."""

_NAMED = 3
_LISTED = 20


class Address(Value):
    """When an address was last reached; `failed` and `why` are of a later failure."""

    address: str
    reached: datetime | None = None
    failed: datetime | None = None
    why: str = ""


class Fetched(Address):
    """The last download from an address, and the snapshot that was made of it."""

    validators: Validators = Validators()
    snapshot: str | None = None


class CatalogFetch(Address):
    """A list that is fetched, from a `default` address or one that is set; `offline`: no connection is made.

    An address that is set may hold a key: readers do not get it.
    """

    catalog: str
    default: bool
    offline: bool


class Waiting(Value):
    """A catalogue on hold as stored: the hashes of its snapshot and of the one in use then, its address, its time."""

    snapshot: str
    against: str | None
    address: str
    at: datetime


class CatalogOnHold(OutOfBounds):
    """A fetched catalogue that waits for a decision, and what is out of bounds in it."""

    catalog: str
    address: str
    at: datetime
    snapshot: str

    def sentence(self) -> str:
        """Why it is on hold, and what to do, in one line."""
        parts = []
        if self.moves:
            figures = few([moved(move) for move in self.moves], _NAMED, "; ", "; and")
            number = f"{len(self.moves)} price{'s' * (len(self.moves) != 1)}"
            parts.append(f"{number} moved by 10 times or more ({figures})")
        if self.lost:
            parts.append(f"{len(self.lost)} of {self.items} items are missing")
        return (
            f"the prices of {self.catalog} fetched on {self.at:%Y-%m-%d} are on hold: {' and '.join(parts)}; "
            f"the earlier ones stay in use until: brain prices accept {self.catalog}"
        )

    def problems(self) -> Iterator[Problem]:
        """The sentence, then each figure on hold with the one in use, as warnings."""
        more = len(self.moves) - _LISTED
        for said in (
            self.sentence(),
            *(f"on hold: {moved(move)}" for move in self.moves[:_LISTED]),
            *([f"on hold: {more} more; all of them: brain prices held"] if more > 0 else []),
        ):
            yield Problem.of(self.catalog, "price-held", said)


class Refreshed(NamedTuple):
    """What a refresh did; the prices in use of a catalogue that `failed` stay. `offline`: nothing was fetched."""

    changes: tuple[snapshots.PriceChange, ...]
    unchanged: tuple[str, ...]
    failed: tuple[RefreshError, ...] = ()
    offline: bool = False

    def check(self, *, defaults: bool) -> None:
        """Raises `RefreshError` if a catalogue could not be fetched; `defaults`: also one of a default list."""
        failed = [error for error in self.failed if defaults or not error.default]
        if failed:
            raise RefreshError(failed[0].address, failed[0].why, failed[1:], len(self.changes))

    @property
    def list_notes(self) -> tuple[str, ...]:
        """That nothing was fetched, or the default lists that were not reached, by reason."""
        if self.offline:
            return ("BRAIN_OFFLINE is set: no price list was fetched",)
        names: dict[str, list[str]] = {}
        for error in self.failed:
            names.setdefault(error.why, []).extend([error.default] if error.default else [])
        return tuple(
            f"the price lists {', '.join(found)} were not reached ({why}); their current prices stay in use"
            for why, found in names.items()
            if found
        )


class NothingOnHoldError(Exception):
    """No catalogue of this name waits for a decision."""

    def __init__(self, name: str, waiting: tuple[str, ...]) -> None:
        super().__init__(f"no prices of {name} are on hold; on hold: {', '.join(waiting) or 'none'}")


class PriceRefresher:
    """Fetches the catalogues of a home."""

    def __init__(self, prices: PriceService, settings: Settings) -> None:
        """An address that is set takes the place of the default one; an empty one is not fetched."""
        self._store, self._prices, self._offline = prices.store, prices, settings.offline
        self._cache = prices.store.cache(1)
        found = {name: getattr(settings, f"{name.replace('-', '_')}_url") for name in DEFAULTS}
        self._set = frozenset(name for name, address in found.items() if address is not None)
        addresses = {name: found[name] if name in self._set else DEFAULTS[name] for name in DEFAULTS}
        self._addresses = {name: address for name, address in addresses.items() if address}
        self.noted = frozenset(DEFAULTS) - self._set - {IMPORTED[0]}
        """The default lists: one on hold is noted, but does not change the outcome of a night."""

    def refresh(
        self, at: datetime, *, skip: Collection[str] = (), taken: Callable[[str], None] = lambda _name: None
    ) -> Refreshed:
        """Take the newest prices of each catalogue not in `skip`, or hold them; errors do not stop the others.

        `taken` is called with each name after it was fetched.
        """
        if self._offline:
            return Refreshed((), (), offline=True)
        failed: list[RefreshError] = []
        before, unchanged = self._prices.catalogs(), []
        for name, address in self._addresses.items():
            if name in skip:
                continue
            try:
                if self._refresh(name, address, at):
                    unchanged.append(name)
                taken(name)
            except (RefreshError, CatalogFileError) as error:
                fault = error if isinstance(error, RefreshError) else RefreshError(address, error)
                fault.default = "" if name in self._set else name
                failed.append(fault)
                self._put(name, self._known(name, address).model_copy(update={"failed": at, "why": fault.why}))
        named = [[one for one in state if one.name in self._addresses] for state in (before, self._prices.catalogs())]
        return Refreshed(snapshots.diff(*named), tuple(unchanged), tuple(failed))

    def lists(self, *, addresses: bool = False) -> tuple[CatalogFetch, ...]:
        """Every list that is fetched, and when it was last reached; `addresses`: with those that are set."""
        found = []
        for name, address in self._addresses.items():
            known, default = self._known(name, address), name not in self._set
            stated = known.model_dump(include={*Address.model_fields})
            if not addresses and not default:
                stated |= {"address": "", "why": _ADDRESS.sub("…", known.why)}
            found.append(CatalogFetch(catalog=name, default=default, offline=self._offline, **stated))
        return tuple(found)

    @cached_in("_cache")
    def on_hold(self) -> tuple[CatalogOnHold, ...]:
        """The catalogues that wait for a decision, by name."""
        return tuple(self._on_hold(name, waiting) for name, waiting in sorted(self._waiting().items()))

    def _waiting(self) -> dict[str, Waiting]:
        """Those on hold for the catalogue in use: an import by hand decides too."""
        stored = self._store.metadata.under(HELD)
        found = {name: Waiting.model_validate(loads(text)) for name, text in stored.items() if text}
        return {name: one for name, one in found.items() if self._prices.used(name) == one.against}

    def _on_hold(self, name: str, waiting: Waiting) -> CatalogOnHold:
        (catalog,) = self._prices.snapshot(waiting.snapshot)
        found = dict(out_of_bounds(self._prices.catalogs(), catalog))
        return CatalogOnHold(catalog=name, **waiting.model_dump(exclude={"against"}), **found)

    def accept(self, name: str, at: datetime) -> CatalogOnHold:
        """Use a catalogue on hold from now on, and return it. Raises `NothingOnHoldError`."""
        waiting = self._waiting()
        if name not in waiting:
            raise NothingOnHoldError(name, tuple(sorted(waiting)))
        found = self._on_hold(name, waiting[name])
        (catalog,) = self._prices.snapshot(found.snapshot)
        with self._store.transaction():
            self._prices.keep(catalog, at)
            self._drop(name)
        return found

    def _drop(self, name: str) -> None:
        """Forget a catalogue on hold: a newer or the same one takes its place."""
        text = self._store.metadata.get(f"{HELD}{name}")
        if text:
            self._store.snapshots.remove(Waiting.model_validate(loads(text)).snapshot, ON_HOLD)
            self._store.metadata.put(f"{HELD}{name}", "")

    def _refresh(self, name: str, address: str, at: datetime) -> bool:
        """Fetch one catalogue; whether it did not change."""
        last, waiting = self._known(name, address), self._waiting().get(name)
        current = last.snapshot in {self._prices.used(name), waiting.snapshot if waiting else None}
        known = last.validators if current and last.snapshot else Validators()
        files, validators = fetch(address, known, public=name not in self._set)
        catalog: Catalog | None = None
        for file, data in files:  # none if nothing changed
            catalog, problems = self._prices.read(file_name(file), data, at.date(), joined=catalog)
            if catalog.name != name:
                raise CatalogFileError(file, problems)
        with self._store.transaction():
            digest = self._confirm(name, last.snapshot, at) if catalog is None else self._take(catalog, address, at)
            self._put(name, Fetched(address=address, validators=validators, snapshot=digest, reached=at))
        return catalog is None

    def _known(self, name: str, address: str) -> Fetched:
        """What is known of an address; nothing if the last download came from another."""
        text = self._store.metadata.get(f"{FETCHED}{name}")
        found = Fetched.model_validate(loads(text)) if text else None
        return found if found and found.address == address else Fetched(address=address)

    def _put(self, name: str, found: Fetched) -> None:
        self._store.metadata.put(f"{FETCHED}{name}", dumps(found))

    def _confirm(self, name: str, snapshot: str | None, at: datetime) -> str | None:
        """Store that the catalogue in use was checked today, as if fetched again; its hash."""
        if snapshot is None or snapshot != self._prices.used(name):
            return snapshot
        (catalog,) = self._prices.snapshot(snapshot)
        return snapshot if catalog.taken == at.date() else self._prices.keep(rechecked(catalog, at.date()), at)

    def _take(self, catalog: Catalog, address: str, at: datetime) -> str:
        """Use a fetched catalogue, or hold it; the hash of its snapshot."""
        found, name = out_of_bounds(self._prices.catalogs(), catalog), catalog.name
        self._drop(name)
        if not found.moves and not found.lost:
            return self._prices.keep(catalog, at)
        packed = snapshots.pack([catalog])
        self._store.snapshots.put(packed.digest, ON_HOLD, packed.text, at)
        waiting = Waiting(snapshot=packed.digest, against=self._prices.used(name), address=address, at=at)
        self._store.metadata.put(f"{HELD}{name}", dumps(waiting))
        return packed.digest
