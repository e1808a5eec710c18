"""Refreshes the catalogues from their addresses, and puts on hold what is too far from the prices in use.

    address ─▶ 304: the catalogue in use is confirmed for today
            ─▶ file ─▶ within bounds: in use
                    ─▶ out of bounds: on hold, the last good snapshot stays in use until `accept`

A catalogue on hold is a snapshot of its own; what is out of bounds is computed from the two snapshots on request. Per
price (item, component, processing, tier, region) two comparisons are made: of the figures that have the same first day
in both catalogues, and of the latest figure of each, so that a change under a new date is found too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

from api.services.price_service import CatalogFileError, PriceService, file_name
from compute.catalogs import genai_prices_catalog
from compute.catalogs.catalog_download import IncompleteRefreshError, RefreshError, Validators, download_changed
from compute.prices import snapshots
from compute.prices.catalog_model import Catalog
from compute.prices.price_history import slot
from compute.prices.price_models import Price
from graph.problems import Problem, Severity
from graph.store import Store
from graph.values import Value, dumps, loads

FETCHED = "prices.fetched."
"""Before the name of a catalogue: the key of what is known of its last download."""

HELD = "prices.held."
"""Before the name of a catalogue: the key of the catalogue that waits for a decision."""

FACTOR = 10
"""A figure that becomes so many times as large, or as small, waits for a decision."""

LARGEST_LOSS = Decimal("0.5")
"""A catalogue that loses a larger share of its items waits for a decision."""

_NAMED = 3
_LISTED = 20


class PriceMove(Value):
    """A price that moved too far: the figure in use, and the one that was fetched."""

    before: Price
    after: Price


class Fetched(Value):
    """The last download of a catalogue: where from, the server's validators, and the snapshot that was made of it."""

    address: str
    validators: Validators
    snapshot: str


class Waiting(Value):
    """A catalogue on hold as stored: the hashes of its snapshot and of the one in use then, its address, its time."""

    snapshot: str
    against: str | None
    address: str
    at: datetime


class CatalogOnHold(Value):
    """A fetched catalogue that waits for a decision, and what is out of bounds in it."""

    catalog: str
    address: str
    at: datetime
    snapshot: str
    moves: tuple[PriceMove, ...]
    lost: tuple[str, ...]
    items: int

    def sentence(self) -> str:
        """Why it is on hold, and what to do, in one line."""
        parts = []
        if self.moves:
            figures = "; ".join(moved(move) for move in self.moves[:_NAMED])
            more = f"; and {len(self.moves) - _NAMED} more" if len(self.moves) > _NAMED else ""
            parts.append(f"{_count(len(self.moves), 'price')} moved by 10 times or more ({figures}{more})")
        if self.lost:
            parts.append(f"{len(self.lost)} of {self.items} items are missing")
        return (
            f"the prices of {self.catalog} fetched on {self.at:%Y-%m-%d} are on hold: {' and '.join(parts)}; "
            f"the earlier ones stay in use until: brain prices accept {self.catalog}"
        )


class Refreshed(NamedTuple):
    """What a refresh did: changes of prices, catalogues that are unchanged by their server, and those that failed.

    The prices in use of a catalogue that failed stay.
    """

    changes: tuple[snapshots.PriceChange, ...]
    unchanged: tuple[str, ...]
    failed: tuple[RefreshError, ...] = ()

    def check(self) -> None:
        """Raises `IncompleteRefreshError` if a catalogue could not be fetched."""
        if self.failed:
            raise IncompleteRefreshError(self.failed, len(self.changes))


class NothingOnHoldError(Exception):
    """No catalogue of this name waits for a decision."""

    def __init__(self, name: str, waiting: tuple[str, ...]) -> None:
        super().__init__(f"no prices of {name} are on hold; on hold: {', '.join(waiting) or 'none'}")


class PriceRefresher:
    """Fetches the catalogues of a home."""

    def __init__(self, store: Store, prices: PriceService, addresses: Mapping[str, str]) -> None:
        """`addresses` are those from which catalogues are refreshed, by the name of the catalogue."""
        self._store, self._prices = store, prices
        self._addresses = {genai_prices_catalog.NAME: genai_prices_catalog.ADDRESS, **addresses}

    def refresh(
        self, at: datetime, *, skip: Collection[str] = (), taken: Callable[[str], None] = lambda _name: None
    ) -> Refreshed:
        """Take the newest prices of each catalogue with an address, and hold those that are out of bounds.

        One catalogue that cannot be fetched keeps no other from being taken: it is among the `failed`. The catalogues
        in `skip` are left out; `taken` is called with the name of each one after it was fetched.
        """
        failed: list[RefreshError] = []
        before, unchanged = self._prices.catalogs(), []
        for name, address in self._addresses.items():
            if name in skip:
                continue
            try:
                if self._refresh(name, address, at):
                    unchanged.append(name)
                taken(name)
            except RefreshError as error:
                failed.append(error)
            except CatalogFileError as error:
                failed.append(RefreshError(address, error))
        named = [[one for one in state if one.name in self._addresses] for state in (before, self._prices.catalogs())]
        return Refreshed(snapshots.diff(*named), tuple(unchanged), tuple(failed))

    def on_hold(self) -> tuple[CatalogOnHold, ...]:
        """The catalogues that wait for a decision, by name."""
        return tuple(self._on_hold(name, waiting) for name, waiting in sorted(self._waiting().items()))

    def accept(self, name: str, at: datetime) -> CatalogOnHold:
        """Use a catalogue on hold from now on, and return it.

        Raises:
            NothingOnHoldError: no catalogue of that name is on hold.
        """
        waiting = self._waiting()
        if name not in waiting:
            raise NothingOnHoldError(name, tuple(sorted(waiting)))
        found = self._on_hold(name, waiting[name])
        (catalog,) = self._prices.snapshot(found.snapshot)
        with self._store.transaction():
            self._prices.keep([catalog], name, at)
            self._drop(name)
        return found

    def problems(self) -> Iterator[Problem]:
        """Each figure on hold with the one in use, as warnings."""
        for waiting in self.on_hold():
            yield _problem(waiting, waiting.sentence())
            yield from (_problem(waiting, f"on hold: {moved(move)}") for move in waiting.moves[:_LISTED])
            if len(waiting.moves) > _LISTED:
                yield _problem(waiting, f"on hold: {len(waiting.moves) - _LISTED} more; all of them: brain prices held")

    def _waiting(self) -> dict[str, Waiting]:
        """What is on hold, compared with the catalogue in use: an import by hand decides too."""
        kept = self._store.metadata.under(HELD)
        found = {name: Waiting.model_validate(loads(text)) for name, text in kept.items() if text}
        return {name: one for name, one in found.items() if self._prices.used(name) == one.against}

    def _on_hold(self, name: str, waiting: Waiting) -> CatalogOnHold:
        (catalog,) = self._prices.snapshot(waiting.snapshot)
        found = out_of_bounds(self._prices.catalogs(), catalog)
        about = {"catalog": name, "address": waiting.address, "at": waiting.at, "snapshot": waiting.snapshot}
        return CatalogOnHold.model_validate({**about, **found._asdict()})

    # ---- one catalogue

    def _refresh(self, name: str, address: str, at: datetime) -> bool:
        """Fetch one catalogue; whether it did not change."""
        last = self._last(name, address)
        catalog, validators = self._fetch(name, address, last.validators if last else Validators(), at.date())
        if catalog is None:
            if last is not None and last.snapshot == self._prices.used(name):
                self._confirm(name, last, at)
            return True
        found = out_of_bounds(self._prices.catalogs(), catalog)
        with self._store.transaction():
            self._drop(name)
            digest = (
                self._hold(catalog, address, at)
                if found.moves or found.lost
                else self._prices.keep([catalog], name, at)
            )
            self._note(name, Fetched(address=address, validators=validators, snapshot=digest))
        return False

    def _fetch(self, name: str, address: str, known: Validators, on: date) -> tuple[Catalog | None, Validators]:
        if name == genai_prices_catalog.NAME:
            providers, validators = genai_prices_catalog.fetch_providers(address, known)
            return (None if providers is None else genai_prices_catalog.refreshed(providers, on)), validators
        data, validators = download_changed(address, known)
        if data is None:
            return None, validators
        catalog, problems = self._prices.read(file_name(address), data, on)
        if catalog.name != name:
            raise CatalogFileError(address, problems)
        return catalog, validators

    def _last(self, name: str, address: str) -> Fetched | None:
        """The last download, if it came from this address and its snapshot is still in use or on hold."""
        text = self._store.metadata.get(f"{FETCHED}{name}")
        found = Fetched.model_validate(loads(text)) if text else None
        waiting = self._waiting().get(name)
        kept = {self._prices.used(name), waiting.snapshot if waiting else None}
        return found if found and found.address == address and found.snapshot in kept else None

    def _note(self, name: str, fetched: Fetched) -> None:
        self._store.metadata.put(f"{FETCHED}{name}", dumps(fetched))

    def _confirm(self, name: str, last: Fetched, at: datetime) -> None:
        """Store that the catalogue in use was checked on this day, as if the same file had been fetched."""
        (catalog,) = self._prices.snapshot(last.snapshot)
        if catalog.taken == at.date():
            return
        with self._store.transaction():
            digest = self._prices.keep([_checked(catalog, at.date())], name, at)
            self._note(name, last.model_copy(update={"snapshot": digest}))

    def _hold(self, catalog: Catalog, address: str, at: datetime) -> str:
        digest = self._prices.hold(catalog, at)
        waiting = Waiting(snapshot=digest, against=self._prices.used(catalog.name), address=address, at=at)
        self._store.metadata.put(f"{HELD}{catalog.name}", dumps(waiting))
        return digest

    def _drop(self, name: str) -> None:
        """Forget a catalogue on hold: a newer one, or the same as accepted, takes its place."""
        text = self._store.metadata.get(f"{HELD}{name}")
        if text:
            self._prices.release(Waiting.model_validate(loads(text)).snapshot)
            self._store.metadata.put(f"{HELD}{name}", "")


class OutOfBounds(NamedTuple):
    """What is too far from the catalogue in use; `lost` are items that the fetched catalogue lacks, of `items`.

    `lost` is empty unless they are too many.
    """

    moves: tuple[PriceMove, ...]
    lost: tuple[str, ...]
    items: int


def out_of_bounds(before: Iterable[Catalog], after: Catalog) -> OutOfBounds:
    """What of a fetched catalogue is too far from the one of its name in use; nothing if there was none."""
    old = [price for one in before if one.name == after.name for price in one.prices if not price.last_seen]
    moves = {}
    for stated, fetched in ((_dated(old), _dated(after.prices)), (_latest(old), _latest(after.prices))):
        for key in stated.keys() & fetched.keys():
            if _too_far(stated[key], fetched[key]):
                moves[slot(fetched[key]), fetched[key].valid_from] = PriceMove(before=stated[key], after=fetched[key])
    items = {price.item for price in old}
    lost = items - {price.item for price in after.prices}
    many = bool(items) and len(lost) > LARGEST_LOSS * len(items)
    ordered = sorted(moves.values(), key=lambda move: (move.after.item, move.after.component, repr(slot(move.after))))
    return OutOfBounds(tuple(ordered), tuple(sorted(lost)) if many else (), len(items))


def _dated(prices: Iterable[Price]) -> dict[object, Price]:
    return {(slot(price), price.valid_from): price for price in prices}


def _latest(prices: Iterable[Price]) -> dict[object, Price]:
    """The figure of each price with the latest first day."""
    found: dict[object, Price] = {}
    for price in prices:
        key = slot(price)
        if key not in found or (found[key].valid_from or date.min) < (price.valid_from or date.min):
            found[key] = price
    return found


def _too_far(before: Price, after: Price) -> bool:
    """Whether a figure became `FACTOR` times as large or as small, zero from another figure, or of another unit."""
    if before.unit != after.unit:
        return True
    low, high = sorted((abs(before.value), abs(after.value)))
    return high > 0 and (high >= FACTOR * low or (before.value < 0) != (after.value < 0))


def moved(move: PriceMove) -> str:
    """A move as text: the price, the figure in use, and the one that was fetched."""
    price = move.after
    kind = " ".join(
        [price.item, price.component]
        + [price.processing] * (price.processing != "standard")
        + [f"above {price.above}"] * bool(price.above)
        + [price.region or ""] * bool(price.region)
    )
    return f"{kind} {move.before.value} {move.before.unit} → {price.value} {price.unit}"


def _checked(catalog: Catalog, on: date) -> Catalog:
    """A catalogue as if it had been fetched on that day: its undated prices were checked then."""
    edition, dated, _ = catalog.version.partition("+")
    prices = catalog.prices
    if catalog.name != genai_prices_catalog.NAME:  # whose records name the first day, not that of the download
        prices = tuple(
            price.model_copy(update={"checked": on})
            if price.dated == "record" and price.checked == catalog.taken
            else price
            for price in prices
        )
    return catalog.model_copy(
        update={"taken": on, "version": f"{edition}+{on.isoformat()}" if dated else edition, "prices": prices}
    )


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _problem(waiting: CatalogOnHold, message: str) -> Problem:
    return Problem(document=waiting.catalog, severity=Severity.WARNING, code="price-held", message=message)
