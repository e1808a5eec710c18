"""The eras of a book, and on which of their first days an input changes.

    borders of the book ─▶ eras, each with its lookups ─▶ per input: the eras in which its figure is another one

Between two borders no figure changes, so a claim is evaluated once for each era in which one of its inputs changed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from datetime import date, timedelta

from compute.claims.claim_cases import Cases, Terms
from compute.claims.input_lookups import Figure
from compute.formula.formula_terms import CellLeaf, Leaf, LiteralLeaf
from compute.prices.price_models import Book, Missing


class Eras:
    """The days from which figures stay the same: `since`, and every border of the book after it."""

    def __init__(self, book: Book, since: date, terms: Terms) -> None:
        firsts = {day + timedelta(days=1) for day in terms.first_snapshots.values()}
        self.days = [since, *sorted(day for day in {*book.borders(), *firsts} if day > since)]
        self._book, self._terms = book, terms
        self._cases: dict[date, Cases] = {}
        self._changed: dict[Leaf, tuple[int, ...]] = {}

    def of(self, day: date) -> int:
        """The era of a day, `since` or later."""
        return bisect_right(self.days, day) - 1

    def cases(self, era: int) -> Cases:
        """Evaluates claims on the first day of an era."""
        return self.on(self.days[era])

    def on(self, day: date) -> Cases:
        """Evaluates claims on a day."""
        if day not in self._cases:
            self._cases[day] = Cases(self._book, day, self._terms)
        return self._cases[day]

    def changed(self, leaves: Iterable[Leaf], after: int) -> list[int]:
        """The eras after the era `after` in which the figure of one of these inputs is another one than before."""
        found = {era for leaf in leaves for era in self._changes(leaf) if era > after}
        return sorted(found)

    def _changes(self, leaf: Leaf) -> tuple[int, ...]:
        if isinstance(leaf, LiteralLeaf | CellLeaf):
            return ()
        if leaf not in self._changed:
            marks = [_mark(self.cases(era).today.figure(leaf)) for era in range(len(self.days))]
            self._changed[leaf] = tuple(era for era in range(1, len(marks)) if marks[era] != marks[era - 1])
        return self._changed[leaf]


def _mark(figure: Figure | Missing) -> tuple[object, ...]:
    """What of a figure matters for a claim: with equal marks, its result and the source of its figure are equal."""
    if isinstance(figure, Missing):
        return ("missing",)
    price = figure.price
    source = price and (price.item, price.catalog, price.source, price.region, price.above, price.processing)
    rivals = tuple((one.value, one.unit.text) for one in figure.rivals)
    return figure.value, figure.unit.text, source, figure.family, rivals, figure.undated is None, figure.assumption
