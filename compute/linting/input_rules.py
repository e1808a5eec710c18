"""Rules about the inputs of a claim: numbers that no text states, siblings that differ, prices that cancel out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import permutations

from compute.claims.claim_evaluation import computed
from compute.claims.claim_program import Program
from compute.claims.input_lookups import Figure
from compute.formula.formula_terms import LiteralLeaf
from compute.linting.lint_models import Finding, FormulaNumber, LintContext, Subject
from compute.linting.written_numbers import stated
from compute.units.units import Unit, currencies

_PLAIN = frozenset(
    map(Decimal, (2, 7, 8, 10, 12, 24, 30, 52, 60, 100, 365, 720, 730, 1000, 1024, 3600, 8760, 10**6, 10**9, 10**12))
)
"""Plain numbers that convert and need no source."""
_SMALL = frozenset(map(Decimal, (3, 4, 5, 6)))
_CONVERSIONS = frozenset(
    map(Decimal, ("453.59237", "0.45359237", "2.20462", "2.2046", "2.205", "1.609344", "1.609", "3.6", "4.184", "3412"))
)
"""Grams to a pound, kilometres to a mile, joules to a calorie, and others that need no source."""
_MOST_COMPARED = 300
"""Each claim is compared with this many others that use the same name, so that large brains stay fast."""
_FACTORS = tuple(Decimal(text) for text in ("1e-6", "0.001", "0.5", "2", "1000", "1e6"))


def unstated_inputs(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """A number of a formula that the text of the node does not state."""
    if subject.node is None or not subject.text:
        return
    for number in unstated(subject):
        what = f"{number.text} ({number.name})" if number.name else number.text
        message = f"{what} is not in the text of {subject.claim.node}, and it is no assumption and no price"
        hint = 'state it in the text, or use an assumption: assume("name") with its range'
        yield Finding("unstated-input", subject.claim.id, number.path, message, hint, number.offset)


def unknown_inputs(subject: Subject, context: LintContext) -> Iterator[Finding]:
    """A price, a component or an assumption that nothing knows."""
    if subject.program is None:
        return
    claim = subject.claim
    for one in context.inputs.unknown(subject.program):
        path = next((("given", name) for name, text in claim.given if one.name in text), ("value",))
        offset = max(0, dict(claim.given).get(path[-1], claim.value).find(one.name))
        yield Finding("unknown-input", claim.id, path, one.message, one.hint, offset)


def unstated(subject: Subject) -> list[FormulaNumber]:
    """The numbers of the formulas that the text of the node does not state in any form."""
    return [
        number for number in subject.literals if not _conversion(number) and not stated(_forms(number), subject.numbers)
    ]


def _conversion(number: FormulaNumber) -> bool:
    """Whether a number needs no source: 0, 1, or a plain number such as 12 months."""
    small = number.inner and number.value in _SMALL
    return (
        number.value in {Decimal(0), Decimal(1)}
        or (number.unit is None and (number.value in _PLAIN or small))
        or (number.value in _CONVERSIONS)
    )


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
    for group in groups.values():
        silent = [(subject, number) for subject, number in group if number in unstated(subject)]
        for subject, number in silent:
            other = next((pair for pair in group[:_MOST_COMPARED] if _sibling_of(subject, number, *pair)), None)
            if other is not None:
                yield _sibling(subject, number, *other)


def sum_siblings(context: LintContext) -> Iterator[Finding]:
    """Claims with a common tag that expect one sum of money and compute it with different rates, one a bare number."""
    groups: dict[Decimal, list[Subject]] = defaultdict(list)
    for subject in context.subjects:
        if len(subject.bounds) == 1 and _money(subject.bounds[0].unit):
            groups[subject.bounds[0].value].append(subject)
    for group in groups.values():
        for subject, other in permutations(group[:_MOST_COMPARED], 2):
            number = next((one for one in subject.literals if _money(one.unit) and one.name), None)
            rate = number and _other_rate(number, other)
            if number and rate and set(subject.claim.tags) & set(other.claim.tags):
                message = (
                    f"{number.name} is {number.text} here and {rate} in {other.claim.id}, which expects the same sum"
                )
                hint = "use one rate in both claims, best the price or an assumption with a range"
                yield Finding("sibling-values", subject.claim.id, number.path, message, hint)
                break


def _money(unit: Unit | None) -> bool:
    return unit is not None and bool(currencies(unit.dimension))


def _other_rate(number: FormulaNumber, other: Subject) -> str:
    """The price or number that another claim reads in the unit of a number, if it differs."""
    figures = other.case.now.figures if other.case else ()
    rates = [
        one for one in figures if isinstance(one, Figure) and number.unit and one.dimension is number.unit.dimension
    ]
    return f"{rates[0].stated:f} {rates[0].unit.text}" if len(rates) == 1 and rates[0].value != number.base else ""


def _sibling_of(subject: Subject, number: FormulaNumber, other: Subject, second: FormulaNumber) -> bool:
    one, two = subject.claim, other.claim
    near = one.node == two.node or bool(set(one.tags) & set(two.tags))
    return one.id != two.id and near and _differ(number, second) and _alike(subject, other, number)


def _differ(first: FormulaNumber, second: FormulaNumber) -> bool:
    dimensions = [one.unit.dimension if one.unit else None for one in (first, second)]
    return first.base != second.base and dimensions[0] == dimensions[1]


def _alike(one: Subject, other: Subject, number: FormulaNumber) -> bool:
    """Whether two claims are about one thing: they read a common price, assumption or table, or it is money.

    Two models may have different numbers of layers; one tariff has one value.
    """
    if number.unit is not None and currencies(number.unit.dimension):
        return True
    leaves = [
        {leaf for leaf in subject.program.leaves if not isinstance(leaf, LiteralLeaf)} if subject.program else set()
        for subject in (one, other)
    ]
    return bool(leaves[0] & leaves[1])


def _sibling(mine: Subject, number: FormulaNumber, theirs: Subject, other: FormulaNumber) -> Finding:
    differ = f"{number.name} is {number.text} here and {other.text} in {theirs.claim.id}"
    message = f"{differ}, and the text does not say {number.text}"
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
    for place, figure in enumerate(figures):
        if figure.price is not None and figure.value and _cancels(program, figures, place, other):
            message = (
                f"the price {figure.price.component} of {figure.price.item} cancels out: any price gives the same value"
            )
            hint = "compare it with a figure that does not contain the price, or leave the price out of the formula"
            yield Finding("price-cancels", subject.claim.id, _where(subject, program.labels, place), message, hint)


def _cancels(program: Program, figures: Sequence[Figure], place: int, other: Decimal | None) -> bool:
    """Whether a price changes nothing, also with other numbers: a share of 0% hides a price that matters."""
    for values in ([figure.value for figure in figures], _moved(figures)):
        before = computed(program, values, other)
        if before.value is None:
            continue
        for by in _FACTORS:
            now = computed(program, [one * by if at == place else one for at, one in enumerate(values)], other)
            if (now.value, now.interval, now.failure) != (before.value, before.interval, before.failure):
                return False
    return True


def _moved(figures: Sequence[Figure]) -> list[Decimal]:
    """The inputs with other numbers in place of the literals."""
    return [
        figure.value * Decimal("0.987") + Decimal("0.001") if figure.kind == "literal" else figure.value
        for figure in figures
    ]


def _where(subject: Subject, labels: Sequence[str], place: int) -> tuple[str, ...]:
    name = labels[place] if place < len(labels) else ""
    return ("given", name) if name in dict(subject.claim.given) else ("value",)
