"""Snapshots: catalogues as sorted JSON, stored under the SHA-256 of the text; differences, and the past they keep.

    snapshot n-1 ─▶ statements ┐
    snapshot n   ─▶ statements ┴─▶ stated no longer ─▶ past prices ┐
                                        current prices ────────────┴─▶ one timeline without overlaps

What a catalogue stated on a day is known for that day, whatever it states later; docs/prices.md says which price
applies when. An undated price that was missing and came back with the same amount is one price.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from pydantic import ValidationError

from compute.prices.amounts import same
from compute.prices.price_models import IMPORTED, Catalog, Price, Slot, Span, during, meet, span
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


# ---- the past that snapshots keep


def statements(prices: Iterable[Price]) -> dict[str, Price]:
    """The current prices of a catalogue by what they state, so without source, note and check."""
    return {_statement(price): price for price in prices if not price.last_seen}


def _statement(price: Price) -> str:
    """What a price states; the first day only if the source dates the price."""
    begin = "" if price.dated == "record" else price.valid_from or ""
    figure = f"{price.value.normalize():f}"
    return "|".join(map(str, (*price.slot[1:], figure, price.unit, begin, price.valid_to or "")))


def digest(found: Iterable[str]) -> str:
    """SHA-256 (hex) of all statements."""
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()


def body(price: Price) -> str:
    """A price as JSON, without its catalogue and its days in snapshots."""
    return dumps(stored(price.model_copy(update={"first_seen": None, "last_seen": None, "replaced": None})))


def with_past(
    catalogs: Iterable[Catalog], past: Iterable[Price], since: Mapping[tuple[str, str], date]
) -> tuple[Catalog, ...]:
    """Catalogues with their past prices; `since` is `first_seen` by catalogue and statement."""
    earlier = group_by(past, lambda price: price.catalog)
    return tuple(_joined(one, earlier.get(one.name, ()), since) for one in catalogs)


def _joined(catalog: Catalog, past: Iterable[Price], since: Mapping[tuple[str, str], date]) -> Catalog:
    items = {statement.partition("|")[0] for name, statement in since if name == catalog.name}
    current = (
        price.model_copy(update={"first_seen": first})
        if price.item.partition("|")[0] in items and (first := since.get((catalog.name, _statement(price)))) is not None
        else price
        for price in catalog.prices
    )
    return catalog.model_copy(update={"prices": (*current, *past)}) if past or items else catalog


def recorded_since(catalog: Catalog, before: Iterable[Catalog]) -> Catalog:
    """An import whose unchanged prices have the day on which they were first recorded."""
    known = {
        _statement(price): price.valid_from
        for one in before
        for price in one.prices
        if price.dated == "record" and not price.last_seen and price.valid_from
    }
    prices = (
        price.model_copy(update={"valid_from": known.get(_statement(price), price.valid_from)})
        if price.dated == "record"
        else price
        for price in catalog.prices
    )
    return catalog.model_copy(update={"prices": tuple(prices)})


def rechecked(catalog: Catalog, on: date) -> Catalog:
    """A catalogue as if fetched again on a day: its undated prices were checked then."""
    edition, dated, _ = catalog.version.partition("+")
    dates = catalog.name == IMPORTED[0]  # its records name the first day, not that of the download
    prices = (
        price.model_copy(update={"checked": on})
        if price.dated == "record" and price.checked == catalog.taken and not dates
        else price
        for price in catalog.prices
    )
    version = f"{edition}+{on.isoformat()}" if dated else edition
    return catalog.model_copy(update={"taken": on, "version": version, "prices": tuple(prices)})


def possible(past: Price, on: date) -> bool:
    """Whether a past price may have applied on a day: it was not yet replaced."""
    replaced = past.replaced is not None and on < past.replaced
    return past.on(on) and (replaced or (past.last_seen is not None and on <= past.last_seen))


def timeline(current: Sequence[Price], past: Sequence[Price]) -> list[Price]:
    """Current and past prices of one slot, without contradictions by the past."""
    found = list(current)
    ordered = sorted(past, key=lambda price: (price.first_seen or date.min, price.last_seen or date.min))
    for number, price in enumerate(ordered):
        stated = (one for one in current if one.explicit and same(price, one))
        if any(one.corrects(price) for one in current) or any(meet(span(price), span(one)) for one in stated):
            continue
        pieces = [_applies(price, _end(price, (*current, *ordered)), first=number == 0)]
        for one in current:
            if one.explicit or same(price, one):
                pieces = [piece for one_piece in pieces for piece in _without(one_piece, span(one))]
        pieces = [piece for piece in pieces if piece[0] < piece[1]]
        for piece in pieces:
            found = [part for one in found for part in _clipped(one, piece)]
        found += [during(price, piece, dated="record") for piece in pieces]
    return sorted(found, key=lambda price: price.valid_from or date.min)


def _applies(price: Price, end: date | None, *, first: bool) -> Span:
    """The days of a past price; the first undated one also applies before its `first_seen`."""
    begin, stated_end = span(price)
    if not first or price.explicit:
        begin = max(price.first_seen or date.min, begin)
    return begin, min(end or date.max, stated_end)


def _end(price: Price, others: Iterable[Price]) -> date | None:
    """The first day after a past price: it was replaced, or came back with nothing else in between."""
    end = price.replaced or (price.last_seen + timedelta(days=1) if price.last_seen else None)
    if end is None or price.explicit:
        return end
    later = [(day, one) for one in others if (day := one.first_seen or one.valid_from) is not None and day >= end]
    again = min((day for day, _ in later), default=end)
    back = all(same(price, one) and not one.explicit for day, one in later if day == again)
    return again if back else end


def _clipped(price: Price, piece: Span) -> list[Price]:
    """The parts of a current price outside a span; a past price unchanged."""
    if price.last_seen is not None or not meet(span(price), piece):
        return [price]
    return [during(price, part) for part in _without(span(price), piece)]


def _without(days: Span, cut: Span) -> list[Span]:
    parts = (days[0], min(days[1], cut[0])), (max(days[0], cut[1]), days[1])
    return [part for part in parts if part[0] < part[1]]
