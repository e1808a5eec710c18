"""Prices, components, assumptions and claims that a claim reads but nothing defines, with similar names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from compute.claims.claim_program import Program, sound_program
from compute.formula.formula_tree import AssumptionLeaf, Leaf, PriceLeaf
from compute.formula.unit_types import unit_type
from compute.prices.families import Family
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Assumption, Price, Question, is_rate
from graph.models.claim_models import Claim
from graph.text.similar_names import near

_SHOWN = 6


class UnknownInput(NamedTuple):
    """An undefined name in a formula, a message, and similar names."""

    name: str
    message: str
    near: tuple[str, ...]
    todo: str = "correct the name, or add what it names"

    @property
    def hint(self) -> str:
        """What to do about it."""
        alike = f"near it: {', '.join(self.near)}; " if self.near else ""
        return f"{alike}{self.todo}: the claim cannot be checked"


class KnownInputs:
    """Prices and assumptions of a book and of files that are about to be stored (`more`), and claims by id."""

    def __init__(
        self, book: CatalogBook, claims: Mapping[str, Claim], more: Iterable[Price | Assumption | Family] = ()
    ) -> None:
        self._book, self._claims = book, claims
        self._components: dict[str, set[str]] = defaultdict(set)
        self._assumptions = set(book.assumptions)
        for one in more:
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
        compared = self._compared(read, read.bar.target) if read.bar.target else ()
        return list(dict.fromkeys((*(one for leaf in read.leaves for one in self._unknown(leaf)), *compared)))

    def _compared(self, read: Program, target: str) -> Iterator[UnknownInput]:
        """That a claim is compared with one that does not exist, or measures something else."""
        if target not in self._claims:
            yield UnknownInput(target, f"there is no claim {target!r}", tuple(near(target, self._claims)))
        elif other := sound_program(self._claims[target]):
            own, its = (unit_type(one.term, one.sorts) for one in (read, other))
            if own.dimension and its.dimension and own.dimension is not its.dimension:
                message = f"units do not match: {own}, and {its} of {target}"
                yield UnknownInput(target, message, (), "convert one of them, or name another claim")

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
