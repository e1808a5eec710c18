"""Price cards: prices that people state by hand, one file a subject, each price dated and sourced.

catalog: cards                     # the name under which they answer
licence: own
prices:
  - item: coreweave/h100-sxm       # provider/thing
    component: on_demand
    value: 2.50 USD/GPU/h
    from: 2025-01-01               # the first day; `since: record` where it is only the day of the record
    to: 2026-01-01                 # optional, exclusive
    region: us-east                # optional, as are processing, above (tokens), derived, note
    source: https://…
    checked: 2026-11-20
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal
from urllib.parse import urlsplit

from compute.amounts import Amount, amount, price_unit_problem, same
from compute.assumptions import meet
from compute.catalog import Catalog
from compute.prices import Price
from compute.yamls import Fields, Mark, Sheet, entries, read
from graph.problems import Problem

NAME = "cards"

_FIELDS = (
    "item", "component", "value", "from", "to", "since", "processing", "above", "region", "source", "checked",
    "derived", "note",
)  # fmt: skip


def load(document: str, text: str) -> tuple[Catalog, tuple[Problem, ...]]:
    """The cards of one file as a catalogue; a card that is wrong is left out and told, with line and caret."""
    root, sheet = read(document, text)
    name, licence = _heading(root, "catalog") or NAME, _heading(root, "licence")
    prices: list[Price] = []
    marks: list[Mark] = []
    for fields in entries(root, sheet, "prices", _FIELDS, optional=("catalog", "licence")):
        price = _price(fields, name, licence)
        if price is not None and not _overlaps(price, prices, marks, fields.mark, sheet):
            prices.append(price)
            marks.append(fields.mark)
    taken = max((price.checked for price in prices if price.checked), default=None)
    return Catalog(name=name, prices=tuple(prices), licence=licence, taken=taken), tuple(sheet.problems)


def merge(catalogs: Iterable[Catalog]) -> tuple[Catalog, ...]:
    """Catalogues of the same name as one, in the order in which the names first appear."""
    merged: dict[str, Catalog] = {}
    for catalog in catalogs:
        before = merged.get(catalog.name)
        merged[catalog.name] = catalog if before is None else _both(before, catalog)
    return tuple(merged.values())


def _both(one: Catalog, two: Catalog) -> Catalog:
    taken = max((day for day in (one.taken, two.taken) if day), default=None)
    return one.model_copy(
        update={"prices": one.prices + two.prices, "names": one.names + two.names, "taken": taken}
    )  # fmt: skip


def _heading(root: Mark | None, key: str) -> str | None:
    mark = root.value.get(key) if root and isinstance(root.value, dict) else None
    return mark.text() if mark else None


def _price(fields: Fields, catalog: str, licence: str | None) -> Price | None:
    item, component = fields.text("item", need=True), fields.text("component", need=True)
    found = amount(fields, "value")
    begin, end = fields.day("from", need=True), fields.day("to")
    checked, above, dated = fields.day("checked", need=True), fields.whole("above"), _dated(fields)
    source = _source(fields)
    _check_item(fields, item)
    _check_amount(fields, component, found)
    if begin and end and end <= begin:
        fields.fail(fields.at("to"), f"'to' {end} is not after 'from' {begin}", code="empty-interval")
    if fields.broken or not (item and component and found and begin):
        return None
    return Price(
        item=item, component=component, value=found.value, unit=found.unit, currency=found.unit.partition("/")[0],
        processing=fields.text("processing") or "standard", above=above or 0, region=fields.text("region"),
        valid_from=begin, valid_to=end, dated=dated, catalog=catalog, source=source, checked=checked, licence=licence,
        derived=fields.text("derived"), note=fields.text("note") or "",
    )  # fmt: skip


def _check_item(fields: Fields, item: str | None) -> None:
    provider, slash, thing = (item or "").partition("/")
    if item is not None and not (provider and slash and thing):
        fields.fail(fields.at("item"), f"{item!r} is no item", code="bad-item", hint="write provider/thing")


def _check_amount(fields: Fields, component: str | None, found: Amount | None) -> None:
    if found is None:
        return
    mark = fields.at("value")
    if found.value < 0:
        fields.fail(mark, f"a price is never negative: {found.value}", code="negative-price")
    wrong = price_unit_problem(component or "", found.unit)
    if wrong is not None:
        written = mark.text() or "" if mark else ""
        fields.fail(mark, wrong, code="bad-unit", offset=max(0, written.find(found.unit[:3])) if found.unit else 0)


def _dated(fields: Fields) -> Literal["price", "record"]:
    since = fields.text("since")
    if since not in {None, "price", "record"}:
        fields.fail(fields.at("since"), f"{since!r} is neither 'price' nor 'record'", code="bad-since")
    return "record" if since == "record" else "price"


def _source(fields: Fields) -> str | None:
    source = fields.text("source", need=True)
    if source is not None and not _is_address(source):
        fields.fail(fields.at("source"), f"{source!r} is no address", code="bad-source", hint="https://…")
    return source


def _is_address(text: str) -> bool:
    """Whether a text is an address on the web."""
    try:
        parts = urlsplit(text)
    except ValueError:  # `https://[` is no host
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)


def _overlaps(new: Price, prices: Sequence[Price], marks: Sequence[Mark], mark: Mark, sheet: Sheet) -> bool:
    """Whether some day has two prices for the same thing; told at the second one, which is left out."""
    for price, other in zip(prices, marks, strict=True):
        if _slot(price) == _slot(new) and meet((price.valid_from, price.valid_to), (new.valid_from, new.valid_to)):
            message = f"{new.component} of {new.item} already has a price for some of these days, on line {other.line}"
            sheet.complain(mark, message, code="overlap", hint="give the earlier one a 'to'")
            return True
    return False


def collisions(prices: Iterable[Price]) -> list[tuple[Price, Price]]:
    """Pairs of prices for the same thing whose days meet and whose amounts differ."""
    slots: dict[tuple[object, ...], list[Price]] = {}
    found = []
    for price in prices:
        others = slots.setdefault(_slot(price), [])
        for other in others:
            days = (price.valid_from, price.valid_to), (other.valid_from, other.valid_to)
            if meet(*days) and not same(price, other):
                found.append((other, price))
        others.append(price)
    return found


def _slot(price: Price) -> tuple[object, ...]:
    return (price.item, price.component, price.processing, price.region, price.above)
