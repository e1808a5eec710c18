"""Compiles the formulas of a claim into a program that runs on many days.

frame = [ leaf 0, leaf 1, …  …, computed -2, computed -1 ]      leaves are looked up, the rest is computed in order
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import lru_cache

from compute.claims.expectations import CompiledExpectation, FieldError, FieldFault, compile_expectation, unit_of
from compute.formula.compiler import Closure, Frame, compiled, fixed
from compute.formula.formula_errors import FormulaError, TooMuchError, WrongArgumentsError
from compute.formula.formula_terms import Leaf, LiteralLeaf, Slot, Term
from compute.formula.lowering import Slots, lowered, reserved
from compute.formula.undefined_values import Undefined
from compute.formula.unit_types import UnitType, shown_unit, unit_type
from compute.units.units import EXACT, Dimension, Unit
from graph.models.claim_models import Claim, Expectation

MOST_GIVEN = 64
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

Givens = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A name with its formula; either a leaf, or computed into its slot."""

    name: str
    text: str
    term: Term
    slot: int
    leaf: bool


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """Decides whether units fit. Programs that differ only in their lookups share one shape, compared by identity.

    `sorts` are the unit types known without prices; `computed` are the givens that are not leaves, with their slots.
    """

    sorts: tuple[UnitType, ...]
    computed: tuple[tuple[str, int, Term], ...]
    term: Term
    bar: CompiledExpectation

    def bound(self, dimensions: tuple[Dimension, ...], units: tuple[Unit, ...]) -> list[UnitType]:
        """The unit types of the frame, given the units of the leaves' prices.

        Raises:
            FieldError: the units do not fit together.
        """
        sorts = list(self.sorts)
        for index, unit in enumerate(units):
            if sorts[index].dimension is None:
                sorts[index] = UnitType(dimensions[index], points=unit.points, unit=unit.text)
        for name, slot, term in self.computed:
            sorts[slot] = _checked(f"given.{name}", term, sorts)
        self.bar.check(_checked("value", self.term, sorts), sorts)
        return sorts


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A compiled claim, compared by identity and shared between claims with equal formulas.

    `sorts` are the unit types known without prices; `unused` are givens that no formula uses.
    """

    leaves: tuple[Leaf, ...]
    labels: tuple[str, ...]
    sorts: tuple[UnitType, ...]
    givens: tuple[Given, ...]
    computed: tuple[tuple[int, Closure], ...]
    text: str
    term: Term
    value: Closure
    bar: CompiledExpectation
    shape: Shape
    unused: tuple[str, ...] = ()

    def frame(self, figures: list[Decimal]) -> Frame:
        """The frame: the figures of the leaves and the values computed from them.

        Raises:
            Undefined: a given has no value.
        """
        frame = figures + [Decimal(0)] * (len(self.sorts) - len(figures))
        for slot, closure in self.computed:
            frame[slot] = closure(frame)
        return frame


def _checked(field: str, term: Term, sorts: list[UnitType]) -> UnitType:
    try:
        return unit_type(term, sorts)
    except FormulaError as error:
        raise FieldError(field, error) from None


class _Same:
    """A hashable expectation, equal to another if all their terms are equal."""

    def __init__(self, bar: CompiledExpectation) -> None:
        self.bar = bar
        self._terms = (
            bar.form,
            bar.relative,
            *(one and (one.field, one.term) for one in (bar.bound, bar.upper, bar.within)),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._terms == other._terms

    def __hash__(self) -> int:
        return hash(self._terms)


@lru_cache(maxsize=10_000)
def _shape(sorts: tuple[UnitType, ...], steps: tuple[tuple[str, int, Term], ...], term: Term, same: _Same) -> Shape:
    return Shape(sorts, steps, term, same.bar)


def program(claim: Claim) -> Program:
    """The program of a claim; equal formulas share one.

    Raises:
        FieldError: a formula is wrong, or units do not fit; the error has the field and the position.
    """
    expect = claim.expect
    found = _attempt(claim.given, claim.value, (expect.form, expect.bound, expect.upper, expect.within))
    if isinstance(found, FieldFault):
        raise found.error()
    return found


def forget_programs() -> None:
    """Clear the cached programs, after the units have changed."""
    _attempt.cache_clear()


@lru_cache(maxsize=10_000)
def _attempt(givens: Givens, value: str, told: tuple[str, str, str | None, str | None]) -> Program | FieldFault:
    form, bound, upper, within = told
    expect = Expectation.model_validate({"form": form, "bound": bound, "upper": upper, "within": within})
    try:
        with localcontext(EXACT):
            return _built(givens, value, expect)
    except FieldError as error:
        return FieldFault.of(error)


def _built(givens: Givens, value: str, expect: Expectation) -> Program:
    if len(givens) > MOST_GIVEN:
        raise FieldError("given", TooMuchError("too many figures are given", MOST_GIVEN, 0))
    try:
        return _Builder().build(givens, value, expect, _needed(givens, expect, value))
    except FieldError:
        # with every given available, the error can suggest the name that was meant
        return _Builder().build(givens, value, expect, {name for name, _ in givens})


class _Builder:
    """Compiles the formulas of one claim into one frame."""

    def __init__(self) -> None:
        self._slots = Slots()
        self._names: dict[str, Term] = {}

    def build(self, givens: Givens, value: str, expect: Expectation, needed: set[str]) -> Program:
        """The program; it computes only the `needed` givens.

        Raises:
            FieldError: one of the formulas is wrong.
        """
        given = tuple(self._given(name, text) for name, text in givens if name in needed)
        term = self._lowered("value", value)
        expected = compile_expectation(expect, self._names, self._slots)
        expected.check(_checked("value", term, self._slots.sorts), self._slots.sorts, term.at)
        made = self._program(given, value, term, expected, tuple(name for name, _ in givens if name not in needed))
        for name, text in givens:
            if name not in needed:
                self._given(name, text)  # not computed, but its errors are reported
        return made

    def _lowered(self, field: str, text: str) -> Term:
        try:
            return lowered(text, self._names, self._slots)
        except FormulaError as error:
            raise FieldError(field, error) from None

    def _given(self, name: str, text: str) -> Given:
        field = f"given.{name}"
        problem = _name_problem(name) or ("it is given twice" if name in self._names else "")
        if problem:
            raise FieldError(field, WrongArgumentsError(f"‘{name}’ cannot be a name: {problem}", 0))
        term = self._lowered(field, text)
        if fixed(term):
            return self._literal(name, text, term)
        if isinstance(term, Slot) and term.index in self._slots.leaves.values():
            self._label(term.index, name)
            return self._named(name, text, term, term.index, leaf=True)
        slot = self._slots.slot(unit_type(term, self._slots.sorts), 0)
        return self._named(name, text, term, slot, leaf=False)

    def _label(self, index: int, name: str) -> None:
        if self._slots.labels[index] not in self._names:
            self._slots.labels[index] = name

    def _literal(self, name: str, text: str, term: Term) -> Given:
        field = f"given.{name}"
        found = unit_type(term, self._slots.sorts)
        if found.truth:
            raise FieldError(field, WrongArgumentsError("a comparison cannot be given", 0))
        try:
            value = compiled(term)([])
        except Undefined as error:
            raise FieldError(field, WrongArgumentsError(error.reason, 0)) from None
        except ArithmeticError:
            raise FieldError(field, WrongArgumentsError("the figure is too large to compute", 0)) from None
        leaf = LiteralLeaf(name, value, unit_of(term) or shown_unit(found))
        return self._named(name, text, term, self._slots.leaf(leaf, name, 0), leaf=True)

    def _named(self, name: str, text: str, term: Term, slot: int, *, leaf: bool) -> Given:
        self._names[name] = Slot(name, 0, slot, name)
        return Given(name, text, term, slot, leaf)

    def _program(
        self, givens: tuple[Given, ...], value: str, term: Term, expected: CompiledExpectation, unused: tuple[str, ...]
    ) -> Program:
        sorts = tuple(self._slots.sorts)
        steps = tuple((given.name, given.slot, given.term) for given in givens if not given.leaf)
        return Program(
            leaves=tuple(self._slots.leaves),
            labels=tuple(self._slots.labels),
            sorts=sorts,
            shape=_shape(sorts, steps, term, _Same(expected)),
            givens=givens,
            computed=tuple((given.slot, compiled(given.term)) for given in givens if not given.leaf),
            text=value,
            term=term,
            value=compiled(term),
            bar=expected,
            unused=unused,
        )


def _needed(givens: Givens, expect: Expectation, value: str) -> set[str]:
    """The names that the value and the bounds use, directly or through other givens, and duplicate names."""
    told = dict(givens)
    texts = (value, expect.bound, expect.upper, expect.within)
    waiting = [word for text in texts if text for word in _WORD.findall(text)]
    needed: set[str] = set()
    while waiting:
        word = waiting.pop()
        if word in told and word not in needed:
            needed.add(word)
            waiting += _WORD.findall(told[word])
    return needed | {name for name, count in Counter(name for name, _ in givens).items() if count > 1}


def _name_problem(name: str) -> str:
    if not (name.isascii() and name.isidentifier() and name[0].isalpha()) or "__" in name:
        return "names start with a letter and have letters, digits and single _"
    return reserved(name)
