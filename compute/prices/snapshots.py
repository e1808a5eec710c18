"""Snapshots: catalogues as sorted JSON, stored under the SHA-256 of the text, and compared price by price."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Literal

from pydantic import ValidationError

from compute.prices.amounts import same
from compute.prices.price_models import Catalog, Price, Slot
from graph.groups import group_by
from graph.values import Value, dumps, loads

FORMAT = 1


class SnapshotError(Exception):
    """The bytes do not match the hash, or are not a snapshot."""

    def __init__(self, digest: str, cause: str) -> None:
        self.digest = digest
        super().__init__(f"the catalogue snapshot {digest[:12]} cannot be read: {cause}")


class NothingKnownError(Exception):
    """There was no snapshot yet on the requested day."""

    def __init__(self, known: date, first: date | None) -> None:
        self.known = known
        since = f"the first snapshot is of {first}" if first else "no snapshot was ever taken"
        super().__init__(f"nothing was known on {known}: {since}")


class Snapshot(Value):
    """Packed catalogues, or a packed list of documents, under the SHA-256 (hex) of the text."""

    digest: str
    text: bytes

    @classmethod
    def of(cls, content: Mapping[str, object]) -> Snapshot:
        """Some content, packed."""
        text = dumps(content).encode()
        return cls(digest=hashlib.sha256(text).hexdigest(), text=text)

    @property
    def sound(self) -> bool:
        """Whether the text is the one that was packed."""
        return hashlib.sha256(self.text).hexdigest() == self.digest


class PriceChange(Value):
    """A price added (no `before`), removed (no `after`), changed, or corrected for the same first day."""

    kind: Literal["added", "removed", "changed", "corrected"]
    before: Price | None = None
    after: Price | None = None

    @property
    def price(self) -> Price:
        """The price after the change, else before it."""
        price = self.after or self.before
        if price is None:
            raise ValueError("a change without prices")
        return price


def pack(catalogs: Iterable[Catalog]) -> Snapshot:
    """Catalogues as a snapshot; the same in any load order."""
    listed = sorted((_plain(catalog) for catalog in catalogs), key=lambda entry: str(entry["name"]))
    return Snapshot.of({"format": FORMAT, "catalogs": listed})


def unpack(snapshot: Snapshot) -> tuple[Catalog, ...]:
    """The catalogues of a snapshot. Raises SnapshotError if the text does not match the digest."""
    if not snapshot.sound:
        raise SnapshotError(snapshot.digest, "its content has changed")
    try:
        return tuple(
            Catalog.model_validate({**one, "prices": [{**price, "catalog": one["name"]} for price in one["prices"]]})
            for one in loads(snapshot.text)["catalogs"]
        )
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        raise SnapshotError(snapshot.digest, str(error).splitlines()[0]) from error


def diff(before: Iterable[Catalog], after: Iterable[Catalog]) -> tuple[PriceChange, ...]:
    """The current prices that differ in more than notes, by item; a record with a new first day is the same price."""
    old, new = _by_slot(before), _by_slot(after)
    slots = sorted(old.keys() | new.keys())
    return tuple(change for slot in slots for change in _changes(old.get(slot, {}), new.get(slot, {})))


Days = Mapping[date, Price]  # the prices of one slot by first day


def _by_slot(catalogs: Iterable[Catalog]) -> dict[Slot, Days]:
    every = (price for catalog in catalogs for price in catalog.prices if not price.last_seen)
    slots = group_by(every, lambda price: price.slot)
    return {slot: {price.valid_from or date.min: price for price in prices} for slot, prices in slots.items()}


def _changes(old: Days, new: Days) -> Iterator[PriceChange]:
    """The changes of one slot; if one record went and one came, only its first day may differ."""
    gone = [day for day, price in old.items() if day not in new and price.dated == "record"]
    came = [day for day, price in new.items() if day not in old and price.dated == "record"]
    again = dict(zip(gone, came, strict=True)) if len(gone) == len(came) == 1 else {}
    for day in sorted((old.keys() | new.keys()) - set(again.values())):
        was, now = old.get(day), new.get(again.get(day, day))
        if was is None:
            yield PriceChange(kind="added", after=now)
        elif now is None:
            yield PriceChange(kind="removed", before=was)
        elif _said(was) != _said(now):
            corrected = now.corrects(was) and not same(now, was)
            yield PriceChange(kind="corrected" if corrected else "changed", before=was, after=now)


def _said(price: Price) -> tuple[object, ...]:
    return (price.value, price.unit, price.valid_to, price.dated)


def _plain(catalog: Catalog) -> dict[str, object]:
    """A catalogue as JSON values: default fields omitted, names in order, prices sorted by all fields."""
    prices = sorted(
        catalog.prices, key=lambda price: (price.slot, price.valid_from or date.min, *map(str, vars(price).values()))
    )
    return {
        "name": catalog.name,
        "version": catalog.version,
        "licence": catalog.licence,
        "taken": catalog.taken,
        "elsewhere": sorted([provider, list(others)] for provider, others in catalog.elsewhere),
        "names": [name.model_dump(exclude_defaults=True) for name in catalog.names],
        "prices": [stored(price) for price in prices],
    }


_DEFAULTS = {name: field.default for name, field in Price.model_fields.items()} | {"catalog": None}


def stored(price: Price) -> dict[str, object]:
    """The fields of a price that differ from their defaults, without its catalogue."""
    return {name: value for name, value in price if name != "catalog" and value != _DEFAULTS.get(name)}


# ---- how far a fetched catalogue may be from the one in use

FACTOR = 10  # a figure that becomes so many times as large, or as small, waits for a decision
LARGEST_LOSS = Decimal("0.5")  # a catalogue that loses a larger share of its items waits for a decision


class PriceMove(Value):
    """A price that moved too far: the figure in use, and the fetched one."""

    before: Price
    after: Price


class OutOfBounds(Value):
    """What is too far from the catalogue in use; `lost` are items that were removed, of `items`, if too many."""

    moves: tuple[PriceMove, ...]
    lost: tuple[str, ...]
    items: int


def out_of_bounds(before: Iterable[Catalog], after: Catalog) -> OutOfBounds:
    """What of a fetched catalogue is too far from the one in use, by first day and by the latest of each kind."""
    old, new = _by_slot(one for one in before if one.name == after.name), _by_slot([after])
    listed: list[PriceMove] = []
    for slot in sorted(old.keys() & new.keys()):
        was, now = old[slot], new[slot]
        pairs = [*((was[day], now[day]) for day in was.keys() & now.keys()), (was[max(was)], now[max(now)])]
        moves = {
            two.valid_from or date.min: PriceMove(before=one, after=two) for one, two in pairs if _too_far(one, two)
        }
        listed += (moves[day] for day in sorted(moves))
    items = {price.item for prices in old.values() for price in prices.values()}
    lost = items - {price.item for price in after.prices}
    many = len(lost) > LARGEST_LOSS * len(items)
    return OutOfBounds(moves=tuple(listed), lost=tuple(sorted(lost)) if many else (), items=len(items))


def _too_far(before: Price, after: Price) -> bool:
    """Whether a figure changed by `FACTOR`, from zero, or to another unit."""
    if before.unit != after.unit:
        return True
    low, high = sorted((abs(before.value), abs(after.value)))
    return high > 0 and (high >= FACTOR * low or (before.value < 0) != (after.value < 0))


def moved(move: PriceMove) -> str:
    """A move as text: the price, the figure in use, and the fetched one."""
    price = move.after
    processing = "" if price.processing == "standard" else price.processing
    tier = f"above {price.above}" if price.above else ""
    kind = " ".join(filter(None, (price.item, price.component, processing, tier, price.region)))
    return f"{kind} {move.before.value} {move.before.unit} → {price.value} {price.unit}"
