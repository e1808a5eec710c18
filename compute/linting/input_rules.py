"""Rules about the inputs of a claim: numbers that no text states, siblings that differ, prices that cancel out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from compute.claims.claim_evaluation import Reading, computed
from compute.claims.input_lookups import Figure
from compute.linting.lint_models import Finding, FormulaNumber, LintContext, Subject
from compute.linting.written_numbers import stated

_PLAIN = frozenset(
    Decimal(text)
    for text in "0 1 2 7 8 10 12 24 30 52 60 100 365 720 730 1000 1024 3600 8760 1000000 1000000000 1000000000000".split()
)
_FACTORS = tuple(Decimal(text) for text in ("0.001", "0.5", "2", "1000"))


def unstated_inputs(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """A number of a formula that the text of the node does not state."""
    if subject.node is None or not subject.text:
        return
    for number in unstated(subject):
        name = f"{number.name} = {number.text}" if number.name and number.text != number.name else number.text
        message = f"{name} is not in the text of {subject.claim.node}, and it is no assumption and no price"
        hint = "state it in the text, or use an assumption: assume(\"name\") with its range"
        yield Finding("unstated-input", subject.claim.id, number.path, message, hint, number.offset)


def unstated(subject: Subject) -> list[FormulaNumber]:
    """The numbers of the formulas that the text of the node does not state in any form."""
    return [number for number in subject.literals if not _conversion(number) and not stated(_forms(number), subject.numbers)]


def _conversion(number: FormulaNumber) -> bool:
    """Whether a number needs no source: 0, 1, or a plain number such as 12 months."""
    return number.value in {Decimal(0), Decimal(1)} or (number.unit is None and number.value in _PLAIN)


def _forms(number: FormulaNumber) -> tuple[Decimal, ...]:
    share = number.unit is not None and number.unit.text in {"%", "pp", "percent"}
    rest = (1 - number.base, 100 - number.value) if share else ()
    return (number.value, number.base, *rest)


def siblings(context: LintContext) -> Iterator[Finding]:
    """Claims that use different numbers for one quantity, at least one of which their text does not state."""
    groups: dict[str, list[tuple[Subject, FormulaNumber]]] = defaultdict(list)
    for subject in context.subjects:
        for number in subject.literals:
            if number.name and number.text == dict(subject.claim.given).get(number.name, "").strip():
                groups[number.name].append((subject, number))
    told: set[tuple[str, str]] = set()
    for name, group in groups.items():
        open_ = {id(number): number in unstated(subject) for subject, number in group}
        for (one, first), (other, second) in combinations(group, 2):
            pair = (first, second) if open_[id(second)] else (second, first)
            mine, theirs = (other, one) if open_[id(second)] else (one, other)
            if not any(open_[id(number)] for number in pair) or not _differ(first, second) or not _related(one, other):
                continue
            if (mine.claim.id, name) not in told:
                told.add((mine.claim.id, name))
                yield _sibling(mine, pair[1], theirs, pair[0])


def _differ(first: FormulaNumber, second: FormulaNumber) -> bool:
    dimensions = tuple(one.unit.dimension if one.unit else None for one in (first, second))
    return first.base != second.base and dimensions[0] == dimensions[1] and (first.unit is None) == (second.unit is None)


def _related(one: Subject, other: Subject) -> bool:
    """Whether two claims are of one node, or share a tag and a name that says what it counts."""
    return one.claim.id != other.claim.id and (
        one.claim.node == other.claim.node or bool(set(one.claim.tags) & set(other.claim.tags))
    )


def _sibling(mine: Subject, number: FormulaNumber, theirs: Subject, other: FormulaNumber) -> Finding:
    message = f"{number.name} is {number.text} here and {other.text} in {theirs.claim.id}, and the text does not say {number.text}"
    hint = "use one value in both claims, best an assumption with a range, or give the quantities different names"
    return Finding("sibling-values", mine.claim.id, number.path, message, hint)


def cancelled_prices(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """A price that the value does not depend on: its change changes neither the value nor the bounds."""
    program, case = subject.program, subject.case
    if program is None or case is None or case.now.reading.value is None or case.program is not program:
        return
    figures = [figure for figure in case.now.figures if isinstance(figure, Figure)]
    if len(figures) < len(case.now.figures):
        return
    other = case.compared.value if case.compared else None
    before = computed(program, [figure.value for figure in figures], other)
    for label, places in _priced(figures, program.labels):
        if before.value is not None and all(
            _unmoved(computed(program, _scaled(figures, places, by), other), before) for by in _FACTORS
        ):
            message = f"the price {label} cancels out: the value stays the same at any price"
            hint = "compare it with a figure that does not contain the price, or leave the price out of the formula"
            yield Finding("price-cancels", subject.claim.id, _where(subject, program.labels, places), message, hint)


def _priced(figures: Sequence[Figure], labels: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
    """Each price with the leaves that read it: a family and its model may be the same price."""
    groups: dict[object, list[int]] = defaultdict(list)
    for place, figure in enumerate(figures):
        if figure.price is not None and figure.value:
            price = figure.price
            groups[price.item, price.component, price.processing, price.above, price.catalog, price.value].append(place)
    for places in groups.values():
        price = figures[places[0]].price
        if price is not None:
            yield f"{price.item} {price.component}", places


def _scaled(figures: Sequence[Figure], places: Iterable[int], by: Decimal) -> list[Decimal]:
    values = [figure.value for figure in figures]
    for place in places:
        values[place] *= by
    return values


def _unmoved(now: Reading, before: Reading) -> bool:
    return (now.value, now.interval, now.failure) == (before.value, before.interval, before.failure)


def _where(subject: Subject, labels: Sequence[str], places: Sequence[int]) -> tuple[str, ...]:
    name = labels[places[0]] if places[0] < len(labels) else ""
    return ("given", name) if name in dict(subject.claim.given) else ("value",)
