"""Price cards: prices written by hand, each with dates and a source; docs/prices.md has the form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationInfo, ValidatorFunctionWrapHandler, field_validator

from compute.prices.amounts import Amount, AmountField, currency_of, price_unit_problem, same
from compute.prices.price_models import Catalog, Price, Slot, meet, span
from compute.units.number_format import said
from graph.problems import Problem
from graph.yaml.validation import (
    Day,
    FromText,
    Line,
    Source,
    Whole,
    Written,
    after_from,
    editor_pattern,
    head,
    listed,
    mistake,
)

NAME = "cards"


def _since(value: object) -> object:
    found = value.strip() if isinstance(value, str) else value
    if isinstance(found, str) and found not in {"price", "record"}:
        raise mistake("bad-since", f"{value!r} is neither 'price' nor 'record'", hint="write price or record")
    return found


class Card(Written):
    """A price card."""

    item: Annotated[Line, editor_pattern(r"^[^/]+/.+$")] = Field(description="provider/thing")
    component: Line = Field(description="input, output, cache_read, on_demand, reserved_1y, spot, purchase, energy …")
    value: AmountField
    valid_from: Day = Field(validation_alias="from", description="The first day.")
    valid_to: Day | None = Field(
        None, validation_alias="to", description="The first day on which it no longer applies."
    )
    since: Annotated[Literal["price", "record"], FromText(_since, {"type": "string", "enum": ["price", "record"]})] = (
        Field("price", description="record: `from` is only the day of the record.")
    )
    processing: Line = "standard"
    above: Whole = Field(0, description="Applies above this number of context tokens, such as 200k.")
    region: Line | None = None
    source: Annotated[Line, editor_pattern("^https?://")] = Field(description="The URL of the source.")
    checked: Day = Field(description="The day on which the source was last checked.")
    derived: Line | None = Field(None, description="How it was computed, if the source does not state it.")
    note: Line = ""

    _interval = field_validator("valid_to")(after_from)

    @field_validator("item")
    @classmethod
    def _named(cls, item: str) -> str:
        provider, slash, thing = item.partition("/")
        if not (provider and slash and thing):
            raise mistake("bad-item", f"{item!r} is not an item", hint="write provider/thing")
        return item

    @field_validator("value", mode="wrap")
    @classmethod
    def _priced(cls, written: object, read: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Amount:
        found: Amount = read(written)
        if found.value < 0:
            raise mistake("negative-price", f"a price is never negative: {found.value}", hint="write the amount paid")
        wrong = price_unit_problem(info.data.get("component", ""), found.unit)
        if wrong is not None:
            offset = max(0, str(written).find(found.unit[:3])) if found.unit else 0
            raise mistake("bad-unit", wrong, offset=offset)
        return found

    @field_validator("source")
    @classmethod
    def _address(cls, source: str) -> str:
        try:
            scheme, host, *_ = urlsplit(source)
        except ValueError:  # `https://[` is not a host
            scheme, host = "", ""
        if scheme not in {"http", "https"} or not host:
            raise mistake("bad-source", f"{source!r} is not an address", hint="write the complete address: https://…")
        return source

    def price(self, catalog: str, licence: str | None) -> Price:
        """The price, in a catalogue."""
        stated = {name: value for name, value in self if name not in {"value", "since"}}
        return Price(
            **stated, value=self.value.value, unit=self.value.unit, currency=currency_of(self.value.unit),
            dated=self.since, catalog=catalog, licence=licence,
        )  # fmt: skip


class Prices(Written):
    """A file of price cards."""

    catalog: Line = NAME
    licence: Line | None = None
    prices: tuple[Card, ...]


def load(document: str, text: str) -> tuple[Catalog, tuple[Problem, ...]]:
    """The valid cards of one file as a catalogue, and its problems."""
    about, found, problems = _read(document, text)
    prices = tuple(price for price, _ in found)
    taken = max((price.checked for price in prices if price.checked), default=None)
    return Catalog(name=about.catalog or NAME, prices=prices, licence=about.licence, taken=taken), problems


def edited_in_place(document: str, text: str, before: str) -> Iterator[Problem]:
    """A warning for each card whose amount differs from that in `before` for the same first day."""
    stated = {(price.slot, price.valid_from): price for price, _ in _read(document, before)[1]}
    for price, line in _read(document, text)[1]:
        old = stated.get((price.slot, price.valid_from))
        if old is not None and not same(old, price):
            was, now = (said(one.value, one.unit) for one in (old, price))
            message = f"{price.component} of {price.item} was {was} from {price.valid_from} on and is now {now} from"
            message += " the same day: a correction, which counts for all its days"
            hint = "if the price changed, keep the earlier card, give it a 'to', and add a card with the new price"
            yield Problem.of(document, "price-edited", message, hint, line=line)


def _read(document: str, text: str) -> tuple[Prices, list[tuple[Price, int]], tuple[Problem, ...]]:
    """The head of a file, its prices with their lines, and its problems."""
    source = Source(document, text)
    tree = source.tree()
    about = head(source, tree, Prices) if isinstance(tree, dict) else Prices(prices=())
    found: list[tuple[Price, int]] = []
    slots: dict[Slot, list[tuple[Price, int]]] = {}
    for entry in listed(source, tree, Prices, Card):
        if entry.value is None:
            continue
        price = entry.value.price(about.catalog or NAME, about.licence)
        others = slots.setdefault(price.slot, [])
        line = next((line for other, line in others if meet(span(other), span(price))), None)
        if line is None:
            others.append((price, entry.position[0] if entry.position else 0))
            found.append(others[-1])
        else:
            message = f"{price.component} of {price.item} already has a price for some of these days, on line {line}"
            entry.complain((), message, code="overlap", hint="add 'to' to the earlier one")
    return about, found, tuple(source.problems)


def merge(catalogs: Iterable[Catalog]) -> tuple[Catalog, ...]:
    """Joins catalogues of the same name, in order of first appearance."""
    merged: dict[str, Catalog] = {}
    for two in catalogs:
        one = merged.setdefault(two.name, two)
        if one is not two:
            both = {"prices": one.prices + two.prices, "names": one.names + two.names}
            taken = max((day for day in (one.taken, two.taken) if day), default=None)
            merged[two.name] = one.model_copy(update={**both, "taken": taken})
    return tuple(merged.values())


def collisions(cards: Iterable[tuple[str, Price]]) -> Iterator[tuple[tuple[str, Price], tuple[str, Price]]]:
    """Pairs of prices with their documents, for the same thing and days with different amounts."""
    slots: dict[Slot, list[tuple[str, Price]]] = {}
    for name, price in cards:
        others = slots.setdefault(price.slot, [])
        for other in others:
            if meet(span(other[1]), span(price)) and not same(price, other[1]):
                yield other, (name, price)
        others.append((name, price))
