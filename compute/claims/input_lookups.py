"""Looks up the leaves of a program on one day: figures in base units, or the reason why one is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from compute.claims.overrides import SET
from compute.claims.table_cells import cell
from compute.formula.formula_errors import FormulaError
from compute.formula.formula_tree import AssumptionLeaf, Call, CellLeaf, Leaf, LiteralLeaf, PriceLeaf, parts
from compute.formula.function_table import BY_NAME
from compute.formula.lowering import bound, leaf
from compute.formula.parser import parse
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Assumption, Book, Missing, Price, Question, Quote
from compute.prices.price_selection import SnapshotDays, Undated, undated
from compute.units import units
from compute.units.number_format import said
from compute.units.units import EXACT, ONE, Dimension, Unit
from graph.models.node_models import Table

_PRICE = BY_NAME["price"]
MOST_TABLES = 8  # listed in the message that a table does not exist
Tables = Callable[[str], tuple[Table, ...] | None]  # those of a node in document order; None: no such node


class Figure(NamedTuple):
    """One input on one day: its value in base units, the unit of its source, and the source.

    `undated` says why a price is not dated for the day; None for a dated price, an assumption and a literal.
    """

    value: Decimal
    unit: Unit
    kind: Literal["price", "assumption", "literal"]
    price: Price | None = None
    assumption: Assumption | None = None
    family: str | None = None
    rivals: tuple[Figure, ...] = ()
    note: str = ""
    undated: Undated | None = None

    @property
    def dimension(self) -> Dimension:
        """What it measures."""
        return self.unit.dimension

    @property
    def catalog(self) -> str:
        """Catalogue of a price, else empty."""
        return self.price.catalog if self.price else ""

    @property
    def origin(self) -> Price | Assumption | None:
        """The price or assumption."""
        return self.price or self.assumption

    @property
    def stated(self) -> Decimal:
        """Value in its own unit, with the digits of its source."""
        return self.origin.value if self.origin else EXACT.divide(self.value, self.unit.factor)

    @property
    def text(self) -> str:
        """Value as its source states it, with its unit."""
        return said(self.stated, self.unit.text)


class Lookups:
    """Answers of a book and of tables for one day."""

    def __init__(self, book: Book, on: date, tables: Tables, seen: SnapshotDays) -> None:
        self.on = on
        self._book, self._tables, self._seen = book, tables, seen

    def on_day(self, day: date) -> Lookups:
        """The same for another day."""
        return Lookups(self._book, day, self._tables, self._seen)

    def figure(self, leaf: Leaf) -> Figure | Missing:
        """The figure of a leaf, or why it is missing."""
        match leaf:
            case LiteralLeaf():
                return Figure(leaf.value, leaf.unit or ONE, "literal")
            case PriceLeaf():
                return self._price(leaf, leaf.on or self.on)
            case AssumptionLeaf():
                return _assumed(self._book.assumption(leaf.name, leaf.on or self.on))
            case CellLeaf():
                return self._cell(leaf)

    def earlier(self, leaf: Leaf) -> tuple[Figure, ...]:
        """Figures of earlier snapshots for a price, if the catalogues now state something else."""
        if not isinstance(leaf, PriceLeaf) or not leaf.question or not isinstance(self._book, CatalogBook):
            return ()
        on = leaf.on or self.on
        found = (self._priced(quote, on) for quote in self._book.earlier(leaf.question, on))
        return tuple(figure for figure in found if isinstance(figure, Figure))

    def _price(self, leaf: PriceLeaf, on: date) -> Figure | Missing:
        if leaf.question is None:
            return self._choice(leaf, on)
        found = self._book.price(leaf.question, on)
        if isinstance(found, Missing) and leaf.function == "latest":
            return self._last(leaf.question, on, found)
        return self._priced(found, on)

    def _priced(self, found: Quote | Missing, on: date) -> Figure | Missing:
        """The figure of a quote for a day, with its rivals."""
        if isinstance(found, Missing):
            return found
        why = None if found.price.note == SET else undated(found, on, self._seen)
        figure = _of_price(found.price, found.family, why)
        if isinstance(figure, Missing) or not (found.rivals or found.decided):
            return figure
        rivals = (_of_price(price, found.family) for price in found.rivals)
        known = tuple(rival for rival in rivals if isinstance(rival, Figure))
        return figure._replace(rivals=known, note=found.decided or "")

    def _last(self, question: Question, on: date, missing: Missing) -> Figure | Missing:
        """The last price before `on`; prices change on borders only."""
        borders = (border for border in reversed(self._book.borders()) if border <= on)
        for day in (day for border in borders for day in (border, border - timedelta(days=1))):
            found = self._priced(self._book.price(question, day), day)
            if isinstance(found, Figure) and found.price is not None:
                why = Undated(found.price, "earlier day", day)
                return found._replace(note=f"the last known price, of {day.isoformat()}", undated=why)
        return missing

    def _choice(self, leaf: PriceLeaf, on: date) -> Figure | Missing:
        figures: list[Figure] = []
        for question in leaf.questions:
            found = self._priced(self._book.price(question, on), on)
            if isinstance(found, Missing):
                return found
            figures.append(found)
        if len({figure.dimension for figure in figures}) > 1:
            told = ", ".join(f"{figure.unit.text} for {figure.price.item}" for figure in figures if figure.price)
            return Missing(what="the choice between prices", reason=f"they are in different units: {told}")
        return _best(figures, max if leaf.function == "dearest" else min)

    def _cell(self, leaf: CellLeaf) -> Figure | Missing:
        there = self._tables(leaf.node)
        table = _table(there or (), leaf.table)
        if table is None:
            return Missing(what=f"the table {leaf.table!r} of {leaf.node}", reason=_no_table(there))
        found = cell(table, leaf.row, leaf.column, leaf.pick)
        if isinstance(found, Missing):
            return found
        return Figure(found.value, found.unit, "literal", note=f"‘{found.text}’ in {table.name} of {leaf.node}")


def change_days(
    on: Callable[[date], Lookups], days: Sequence[date], *, dated: bool = True
) -> Callable[[Leaf], tuple[date, ...]]:
    """A function that gives the days after the first on which a leaf has another figure, cached by leaf.

    With `dated`, also those on which only whether the figure is dated for the day changes.
    """

    @cache
    def changes(leaf: Leaf) -> tuple[date, ...]:
        if isinstance(leaf, LiteralLeaf | CellLeaf):
            return ()
        found = ((day, on(day).figure(leaf)) for day in days)
        known = [(day, one if isinstance(one, Figure) else None) for day, one in found]
        compared = known if dated else [(day, one and one._replace(undated=None)) for day, one in known]
        return tuple(day for (_, old), (day, new) in pairwise(compared) if old != new)

    return changes


def _table(tables: tuple[Table, ...], name: str) -> Table | None:
    """A table by its name or its number from 1."""
    if name.isdigit():
        return tables[int(name) - 1] if 0 < int(name) <= len(tables) else None
    return next((table for table in tables if table.name == name), None)


def _no_table(tables: tuple[Table, ...] | None) -> str:
    """Why a table was not found, with the existing ones."""
    if tables is None:
        return "there is no such node"
    told = ", ".join(f'"{number}" ({table.name})' for number, table in enumerate(tables[:MOST_TABLES], 1))
    return f"there is no such table; there are {told}" if told else "there is no such table; the node has none"


def _best(figures: list[Figure], pick: Callable[..., Figure]) -> Figure:
    """The lowest or highest price; its rivals are the results with a rival of one of the prices."""
    best = pick(figures, key=lambda figure: figure.value)
    others = [f"{figure.price.item} {figure.price.value}" for figure in figures if figure.price and figure is not best]
    why = best.undated or next((figure.undated for figure in figures if figure.undated), None)
    rivals = []
    for figure in figures:
        for rival in figure.rivals:
            instead = [rival if other is figure else other for other in figures]
            chosen = pick(instead, key=lambda other: other.value)
            if chosen.value != best.value and chosen.dimension is best.dimension:
                rivals.append(chosen._replace(rivals=()))
    return best._replace(rivals=tuple(rivals), note="against " + ", ".join(others), undated=why)


def _of_price(price: Price, family: str | None, why: Undated | None = None) -> Figure | Missing:
    reason = ""
    try:
        unit = units.unit(price.unit)
    except units.UnitError as error:
        unit, reason = ONE, str(error)
    if (found := units.currencies(unit.dimension)) and price.currency not in found:
        reason = f"its currency is {price.currency}, but its unit is {price.unit}"
    elif price.value < 0:
        reason = reason or f"it is below zero ({price.value} {price.unit})"
    if reason:
        return Missing(what=f"the price of {price.component} of {price.item} in {price.catalog}", reason=reason)
    return Figure(EXACT.multiply(price.value, unit.factor), unit, "price", price=price, family=family, undated=why)


def _assumed(found: Assumption | Missing) -> Figure | Missing:
    if isinstance(found, Missing):
        return found
    try:
        unit = units.unit(found.unit)
    except units.UnitError as error:
        return Missing(what=f"the assumption {found.name!r}", reason=str(error))
    return Figure(EXACT.multiply(found.value, unit.factor), unit, "assumption", assumption=found)


def questions(expression: str) -> list[Question]:
    """The lookups of a formula, in order; none if it cannot be read."""
    try:
        calls = [one for one in parts(parse(expression)) if isinstance(one, Call) and one.function == _PRICE.name]
        leaves = [leaf(_PRICE, bound(_PRICE, call)) for call in calls]
    except FormulaError:
        return []
    return [question for one in leaves if isinstance(one, PriceLeaf) for question in one.questions]


def lookup(question: Question) -> str:
    """A lookup in the formula language."""
    processing = f', processing="{question.processing}"' if question.processing != "standard" else ""
    context = f", context={question.context}" if question.context else ""
    return f'price("{question.item}", "{question.component}"{processing}{context})'
