"""Snapshots: catalogues as canonical bytes, stored under their hash, read back equal, compared price by price.

    catalogues ─▶ JSON, sorted, every digit stored ─▶ SHA-256 of the text is the name

The same prices give the same hash in any load order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Literal

from pydantic import ValidationError

from compute.prices.amounts import same
from compute.prices.catalog_model import Catalog, Name
from compute.prices.corrections import corrects
from compute.prices.price_models import Price
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
    """Packed catalogues: `digest` is the SHA-256 (hex) of the canonical text."""

    digest: str
    text: bytes


class PriceChange(Value):
    """One difference: `before` is None for a new price, `after` is None for a removed one.

    `corrected`: another amount is stated for the same first day; the price did not change.
    """

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
    """Catalogues as a snapshot."""
    listed = sorted((_plain(catalog) for catalog in catalogs), key=lambda entry: str(entry["name"]))
    text = dumps({"format": FORMAT, "catalogs": listed}).encode()
    return Snapshot(digest=hashlib.sha256(text).hexdigest(), text=text)


def unpack(snapshot: Snapshot) -> tuple[Catalog, ...]:
    """The catalogues of a snapshot.

    Raises:
        SnapshotError: the text does not match the digest.
    """
    if hashlib.sha256(snapshot.text).hexdigest() != snapshot.digest:
        raise SnapshotError(snapshot.digest, "its content has changed")
    try:
        return tuple(_catalog(entry) for entry in loads(snapshot.text)["catalogs"])
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        raise SnapshotError(snapshot.digest, str(error).splitlines()[0]) from error


def records(digest: str, text: bytes) -> dict[str, list[dict[str, object]]]:
    """The prices of each catalogue of a snapshot as stored, see `record`: a tenth of the time of `unpack`.

    Raises:
        SnapshotError: the text is not a snapshot.
    """
    try:
        return {entry["name"]: entry["prices"] for entry in loads(text)["catalogs"]}
    except (ValueError, KeyError, TypeError) as error:
        raise SnapshotError(digest, str(error).splitlines()[0]) from error


def visible(taken: Sequence[tuple[date, str]], known: date) -> str:
    """The latest of the snapshots, as `(day, digest)`, at the end of the day `known`.

    Raises:
        NothingKnownError: all of them were taken later.
    """
    earlier = [entry for entry in sorted(taken, key=lambda entry: entry[0]) if entry[0] <= known]
    if not earlier:
        raise NothingKnownError(known, min((day for day, _ in taken), default=None))
    return earlier[-1][1]


def diff(before: Iterable[Catalog], after: Iterable[Catalog]) -> tuple[PriceChange, ...]:
    """Changes of prices, ordered by item. A changed note is not a change, and prices of earlier snapshots are left out.

    A price that is recorded from another day on, and is the only one of its kind, is compared with the one before.
    """
    old, new = _by_place(before), _by_place(after)
    moved = _moved(old, new)
    changes = []
    for place in sorted((old.keys() | new.keys()) - set(moved.values())):
        was, now = old.get(place), new.get(moved.get(place, place))
        if was is None:
            changes.append(PriceChange(kind="added", after=now))
        elif now is None:
            changes.append(PriceChange(kind="removed", before=was))
        elif _said(was) != _said(now):
            corrected = corrects(now, was) and not same(now, was)
            changes.append(PriceChange(kind="corrected" if corrected else "changed", before=was, after=now))
    return tuple(changes)


def _by_place(catalogs: Iterable[Catalog]) -> dict[tuple[str, ...], Price]:
    return {_place(price): price for catalog in catalogs for price in catalog.prices if not price.last_seen}


def _moved(
    old: Mapping[tuple[str, ...], Price], new: Mapping[tuple[str, ...], Price]
) -> dict[tuple[str, ...], tuple[str, ...]]:
    """The place in `new` of each record in `old` that has only another first day there."""
    gone = _alone(place for place, price in old.items() if place not in new and price.dated == "record")
    came = _alone(place for place, price in new.items() if place not in old and price.dated == "record")
    return {gone[what]: came[what] for what in gone.keys() & came.keys()}


def _alone(places: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Places by what they are for, without the first day; only those that are the only one for it."""
    found: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for place in places:
        found.setdefault(place[:-1], []).append(place)
    return {what: each[0] for what, each in found.items() if len(each) == 1}


def _place(price: Price) -> tuple[str, ...]:
    """The key of a price: what it is for, and from when. Snapshots are compared key by key."""
    begin = price.valid_from.isoformat() if price.valid_from else ""
    return (
        price.catalog, price.item, price.component, price.processing, f"{price.above:012d}", price.region or "", begin,
    )  # fmt: skip


def _said(price: Price) -> tuple[object, ...]:
    return (price.value, price.unit, price.valid_to, price.dated)


def _plain(catalog: Catalog) -> dict[str, object]:
    """A catalogue as JSON values: default fields omitted, prices sorted, names in order."""
    return {
        "name": catalog.name,
        "version": catalog.version,
        "licence": catalog.licence,
        "taken": catalog.taken,
        "elsewhere": sorted([provider, list(others)] for provider, others in catalog.elsewhere),
        "names": [name.model_dump(exclude_defaults=True) for name in catalog.names],
        "prices": [record(price) for price in sorted(catalog.prices, key=_order)],
    }


_DEFAULTS = {name: field.default for name, field in Price.model_fields.items()} | {"catalog": None}


def record(price: Price) -> dict[str, object]:
    """The fields of a price that differ from their defaults, without the name of its catalogue."""
    return {name: value for name, value in vars(price).items() if name != "catalog" and value != _DEFAULTS[name]}


def _order(price: Price) -> tuple[str, ...]:
    """Key first, then all other fields, so that equal sets of prices have one order."""
    return (*_place(price), *[str(value) for value in vars(price).values()])


def _catalog(entry: dict[str, object]) -> Catalog:
    name = entry["name"]
    prices, names, elsewhere = entry["prices"], entry["names"], entry["elsewhere"]
    if not (isinstance(prices, list) and isinstance(names, list) and isinstance(elsewhere, list)):
        raise TypeError("prices, names and elsewhere must be lists")
    return Catalog.model_validate(
        {
            **entry,
            "prices": tuple(Price.model_validate({**price, "catalog": name}) for price in prices),
            "names": tuple(Name.model_validate(one) for one in names),
            "elsewhere": tuple((provider, tuple(others)) for provider, others in elsewhere),
        }
    )
