"""Prices, components and assumptions that a claim reads but nothing defines, with similar names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from compute.claims.claim_program import Program
from compute.formula.formula_tree import AssumptionLeaf, Leaf, PriceLeaf
from compute.prices.families import Family
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Assumption, Catalog, Question, is_rate
from graph.text.similar_names import near

_SHOWN = 6


class UnknownInput(NamedTuple):
    """An undefined name in a formula, a message, and similar names."""

    name: str
    message: str
    near: tuple[str, ...]

    @property
    def hint(self) -> str:
        """What to do about it."""
        alike = f"near it: {', '.join(self.near)}; " if self.near else ""
        return f"{alike}correct the name, or add what it names: the claim cannot be checked"


class KnownInputs:
    """Prices and assumptions of a book, and of rule files that are about to be stored (`more`)."""

    def __init__(self, book: CatalogBook, more: Iterable[object] = ()) -> None:
        self._book = book
        self._components: dict[str, set[str]] = defaultdict(set)
        self._assumptions = set(book.assumptions)
        listed = (values.prices if isinstance(values, Catalog) else values for values in more)
        for one in (one for values in listed if isinstance(values, Sequence) for one in values):
            if isinstance(one, Assumption):
                self._assumptions.add(one.name)
            elif isinstance(one, Family):
                self._components[one.name].update(*(self._of(member.model) for member in one.members))
            else:
                self._components[one.item].add(one.component)

    def _of(self, item: str) -> set[str]:
        """Priced components of an item or a family."""
        return {price.component for price in self._book.prices(item)} | self._components.get(item, set())

    def unknown(self, read: Program) -> list[UnknownInput]:
        """Inputs of a claim that nothing defines, each once."""
        return list(dict.fromkeys(one for leaf in read.leaves for one in self._unknown(leaf)))

    def _unknown(self, leaf: Leaf) -> Iterator[UnknownInput]:
        match leaf:
            case AssumptionLeaf(name=name) if name not in self._assumptions:
                close = tuple(near(name, sorted(self._assumptions)))
                yield UnknownInput(name, f"there is no assumption {name!r}", close)
            case PriceLeaf(questions=questions):
                for question in questions:
                    yield from self._unpriced(question)

    def _unpriced(self, question: Question) -> Iterator[UnknownInput]:
        item, component, known = question.item, question.component, self._of(question.item)
        if is_rate(item):
            return
        if not known and item not in self._book.families and item not in self._components:
            names = [*self._book.families, *self._book.items(), *self._components]
            yield UnknownInput(item, f"no catalogue knows {item!r}", tuple(near(item, names)))
        elif known and component not in known:
            has = ", ".join(sorted(known)[:_SHOWN])
            message = f"no catalogue has a price for {component!r} of {item}; it has {has}"
            yield UnknownInput(component, message, tuple(near(component, sorted(known), 1)))
