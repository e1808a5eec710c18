"""Price history from own snapshots: what a catalogue stated on a day is known for that day, whatever it states later.

    snapshot n-1 ─▶ statements ┐
    snapshot n   ─▶ statements ┴─▶ stated no longer ─▶ past prices ┐
                                        current prices ────────────┴─▶ one timeline without overlaps

docs/prices.md says which price applies when. An undated price that was missing and came back with the same amount is
one price.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from compute.prices.amounts import same
from compute.prices.price_models import IMPORTED, Catalog, Price, Span, during, meet, span
from compute.prices.snapshots import stored
from graph.groups import group_by
from graph.values import dumps


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
