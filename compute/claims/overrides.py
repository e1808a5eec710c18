"""Overrides: numbers from the caller that replace prices, assumptions and givens. Nothing is stored.

    list=2.50                                   the given `list` of claims
    price:acme/large/input=1.80 USD/Mtok        a price; `price:acme/large/input:batch` selects another processing
    assume:pue=1.2                              an assumption

A number without a unit has the unit of the number it replaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from compute.claims.expectations import FieldError
from compute.formula.formula_errors import FormulaError, WrongArgumentsError
from compute.formula.formula_tree import Number, number_of
from compute.formula.parser import parse
from compute.prices import amounts
from compute.prices.amounts import currency_of
from compute.prices.price_models import Assumption, Book, Missing, Price, Question, Quote
from compute.units.units import known
from graph.text.counts import few
from graph.text.similar_names import near


class OverrideError(FieldError):
    """An override cannot be read: its name, as the field, and the cause."""


class UnknownInputError(ValueError):
    """No claim reads an override: `near` are similar names, `names` all valid ones."""

    def __init__(self, name: str, where: str, names: Iterable[str]) -> None:
        self.name, self.names = name, tuple(dict.fromkeys(names))
        self.near = tuple(near(name, self.names))
        meant = f"; did you mean {' or '.join(self.near)}?" if self.near else "."
        listed = few(self.names, 12) or "none"
        super().__init__(f"{where} reads {name[:200]}{meant} Inputs that can be set: {listed}")


@dataclass(frozen=True, slots=True)
class Overrides:
    """All overrides of one run, by the input they replace; `stated` are their texts."""

    givens: Mapping[str, Number] = field(default_factory=dict)
    prices: Mapping[tuple[str, str, str], Number] = field(default_factory=dict)
    assumptions: Mapping[str, Number] = field(default_factory=dict)
    stated: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.givens or self.prices or self.assumptions)


NONE = Overrides()


def overrides(told: Mapping[str, str | int | Decimal]) -> Overrides:
    """The overrides of a caller, name to figure. Raises OverrideError for an invalid figure or price name."""
    givens: dict[str, Number] = {}
    prices: dict[tuple[str, str, str], Number] = {}
    assumptions: dict[str, Number] = {}
    for name, text in told.items():
        own = _own(name, str(text))
        kind, colon, rest = name.partition(":")
        if kind == "price" and colon:
            path, _, processing = rest.partition(":")
            item, _, component = path.rpartition("/")
            if not item or not component:
                error = WrongArgumentsError("a price is named price:item/component", 0, "price:acme/large/input")
                raise OverrideError(name, error)
            prices[item, component, processing or "standard"] = own
        elif kind == "assume" and colon:
            assumptions[rest] = own
        else:
            givens[name] = own
    return Overrides(givens, prices, assumptions, {name: str(text) for name, text in told.items()})


def _own(name: str, text: str) -> Number:
    """A figure as Brain prints it, or as a formula states it."""
    found = amounts.parse(text)
    unit = known(found.unit) if found and found.unit else None
    if found and (unit or not found.unit):
        return Number(text, 0, len(text), found.value, unit)
    try:  # `30k USD`, or an error that the formula explains
        number = number_of(parse(text))
        if number is None:
            raise WrongArgumentsError("an override is one number with its unit", 0, "for example 1.80 USD/GPU/h")
    except FormulaError as error:
        raise OverrideError(f"the value of {name}", error) from None
    return number


SET = "set by the caller"  # the note of such a price or assumption


class OverriddenBook:
    """A book with overrides applied."""

    def __init__(self, book: Book, told: Overrides) -> None:
        self._book, self._told = book, told

    def price(self, question: Question, on: date) -> Quote | Missing:
        """The caller's price, else the book's."""
        found = self._book.price(question, on)
        own = self._told.prices.get((question.item, question.component, question.processing))
        if own is None and isinstance(found, Quote):
            own = self._told.prices.get((found.price.item, question.component, question.processing))
        if own is None:
            return found
        return Quote(price=_replaced(question, own, found if isinstance(found, Quote) else None))

    def assumption(self, name: str, on: date) -> Assumption | Missing:
        """The caller's assumption, else the book's."""
        own = self._told.assumptions.get(name)
        found = self._book.assumption(name, on)
        if own is None:
            return found
        told = found.unit if own.unit is None and isinstance(found, Assumption) else (own.unit.text if own.unit else "")
        return Assumption(name=name, value=own.value, unit=told, note=SET)

    def borders(self) -> tuple[date, ...]:
        """The borders of the book."""
        return self._book.borders()


def _replaced(question: Question, own: Number, found: Quote | None) -> Price:
    told = own.unit.text if own.unit else (found.price.unit if found else "")
    currency = currency_of(told) if told else "USD"
    return Price(
        item=found.price.item if found else question.item,
        component=question.component,
        processing=question.processing,
        value=own.value,
        unit=told,
        currency=currency,
        catalog="your own",
        note=SET,
    )
