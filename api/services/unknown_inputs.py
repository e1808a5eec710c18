"""Warnings for claims that read a price, a component or an assumption that nothing knows, for their authors.

A claim may be written before its prices are imported, so this is a warning: at the ingest of the claim, which knows the
prices that come with it, and in `brain check`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from api.services.import_report import DocumentReport
from api.services.rule_documents import RULES
from compute.claims.claim_program import program
from compute.claims.expectations import FieldError
from compute.formula.formula_terms import AssumptionLeaf, ChoiceLeaf, Leaf, PriceLeaf
from compute.prices.assumptions import Assumption
from compute.prices.catalog_model import Catalog
from compute.prices.exchange_rates import is_rate
from compute.prices.families import Family
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Question
from graph.models.claim_models import Claim
from graph.problems import Problem, Severity
from graph.text.similar_names import near

_SHOWN = 6


class _Unknown(NamedTuple):
    """A name in a formula that nothing has, what is known in its place, and names like it."""

    name: str
    message: str
    near: Sequence[str]


class KnownInputs:
    """The prices and assumptions of a book, and those of documents that are about to be stored."""

    def __init__(self, book: CatalogBook, entries: Iterable[DocumentReport] = ()) -> None:
        self._book = book
        self._components: dict[str, set[str]] = defaultdict(set)
        self._assumptions = set(book.assumptions)
        for entry in entries:
            if entry.document.format in {"prices", "assumptions", "families"}:
                self._add(RULES[entry.document.format](entry.document.name, entry.document.text)[0])

    def _add(self, values: object) -> None:
        found = values.prices if isinstance(values, Catalog) else values
        for one in found if isinstance(found, Iterable) else ():
            if isinstance(one, Assumption):
                self._assumptions.add(one.name)
            elif isinstance(one, Family):
                for member in one.members:
                    self._components[one.name] |= self.components(member.model)
            else:
                self._components[one.item].add(one.component)

    def components(self, item: str) -> set[str]:
        """The priced components of an item or a family; empty where nothing knows it."""
        return {price.component for price in self._book.prices(item)} | self._components.get(item, set())

    def problems(self, claims: Iterable[Claim], text: Callable[[str], str]) -> Iterator[Problem]:
        """A warning for each name in a claim that nothing knows; `text` gives the text of a document."""
        for claim in claims:
            for unknown in dict.fromkeys(self._unknown(claim)):
                yield _problem(claim, unknown, text)

    def _unknown(self, claim: Claim) -> Iterator[_Unknown]:
        for leaf in _leaves(claim):
            if isinstance(leaf, AssumptionLeaf) and leaf.name not in self._assumptions:
                close = tuple(near(leaf.name, sorted(self._assumptions)))
                yield _Unknown(leaf.name, f"there is no assumption {leaf.name!r}", close)
            for question in _questions(leaf):
                yield from self._of_price(question)

    def _of_price(self, question: Question) -> Iterator[_Unknown]:
        item, component = question.item, question.component
        if is_rate(item):
            return
        known = self.components(item)
        if not known and item not in self._book.families and item not in self._components:
            names = [*self._book.families, *self._book.items(), *self._components]
            yield _Unknown(item, f"no catalogue knows {item!r}", tuple(near(item, names)))
        elif known and component not in known:
            has = ", ".join(sorted(known)[:_SHOWN])
            message = f"no catalogue has a price for {component!r} of {item}; it has {has}"
            yield _Unknown(component, message, tuple(near(component, sorted(known), 1)))


def with_input_warnings(entries: Sequence[DocumentReport], book: Callable[[], CatalogBook]) -> list[DocumentReport]:
    """The entries with a warning for each unknown price or assumption that their claims read."""
    if not any(any(_leaves(claim)) for entry in entries for claim in entry.claims):
        return list(entries)
    known = KnownInputs(book(), entries)
    told = ((entry, tuple(known.problems(entry.claims, lambda _, one=entry: one.document.text))) for entry in entries)
    return [
        entry.model_copy(update={"added": (*entry.added, *problems)}) if problems else entry for entry, problems in told
    ]


def _leaves(claim: Claim) -> Iterator[Leaf]:
    """The lookups of a claim; none for a broken one."""
    try:
        found = () if claim.broken else program(claim).leaves
    except FieldError:
        return
    yield from (leaf for leaf in found if isinstance(leaf, PriceLeaf | ChoiceLeaf | AssumptionLeaf))


def _questions(leaf: Leaf) -> tuple[Question, ...]:
    if isinstance(leaf, PriceLeaf):
        return (leaf.question,)
    return leaf.questions if isinstance(leaf, ChoiceLeaf) else ()


def _problem(claim: Claim, unknown: _Unknown, text: Callable[[str], str]) -> Problem:
    document, first = (claim.place.document, claim.place.line) if claim.place else ("", None)
    lines = text(document).split("\n") if document else []
    written = sorted({line for _, line in claim.lines} | ({first} if first else set()))
    found = next((n for n in written if n <= len(lines) and unknown.name in lines[n - 1]), first)
    line = lines[found - 1] if found and found <= len(lines) else None
    at = line.find(unknown.name) if line else -1
    near_names = f"near it: {', '.join(unknown.near)}; " if unknown.near else ""
    return Problem(
        document=document,
        line=found,
        column=at + 1 if at >= 0 else None,
        severity=Severity.WARNING,
        code="unknown-input",
        message=f"{claim.id}: {unknown.message}",
        text=line if at >= 0 else None,
        hint=f"{near_names}correct the name, or add what it names: the claim cannot be checked",
    )
