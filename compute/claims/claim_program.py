"""Compiles the formulas of a claim into a program, says what it depends on, and runs it on the figures of a day.

frame = [ leaf 0, leaf 1, …  …, computed -2, computed -1 ]      leaves are looked up, the rest is computed in order
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Literal, NamedTuple

from compute.claims.expectations import CompiledExpectation, FieldError, Interval, compile_expectation
from compute.claims.input_lookups import Figure
from compute.formula.compiler import Closure, Frame, compiled, fixed
from compute.formula.formula_errors import FormulaError, NoRoot, TooMuchError, Undefined, WrongArgumentsError
from compute.formula.formula_tree import AssumptionLeaf, CellLeaf, Leaf, LiteralLeaf, Node, PriceLeaf, Slot, number_of
from compute.formula.lowering import Slots, lowered, reserved
from compute.formula.unit_types import UnitType, unit_type
from compute.prices.price_models import Question
from compute.units.number_format import KEPT
from compute.units.units import EXACT, Dimension, Vocabulary, shown, vocabulary
from graph.models.claim_models import Claim, Expectation

MOST_GIVEN = 64
TOO_LARGE = "the figure is too large to compute"
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

Givens = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A name with its formula: a leaf, or computed into its slot."""

    name: str
    text: str
    term: Node
    slot: int
    leaf: bool


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A compiled claim, compared by identity and shared between claims with equal formulas.

    `sorts` are the unit types that are known without prices; `unused` are givens that no formula uses.
    """

    leaves: tuple[Leaf, ...]
    labels: tuple[str, ...]
    sorts: tuple[UnitType, ...]
    givens: tuple[Given, ...]
    computed: tuple[tuple[int, Closure], ...]
    text: str
    term: Node
    value: Closure
    bar: CompiledExpectation
    unused: tuple[str, ...] = ()

    def frame(self, figures: list[Decimal]) -> Frame:
        """The figures of the leaves and the values computed from them; raises `Undefined` where one has none."""
        frame = figures + [Decimal(0)] * (len(self.sorts) - len(figures))
        for slot, closure in self.computed:
            frame[slot] = closure(frame)
        return frame

    def bound_sorts(self, dimensions: tuple[Dimension, ...]) -> list[UnitType]:
        """Unit types of the frame for leaves of these dimensions; raises FieldError if they do not fit."""
        sorts = list(self.sorts)
        for index, dimension in enumerate(dimensions):
            if sorts[index].dimension is None:
                unit = shown(dimension)
                sorts[index] = UnitType(dimension, points=unit.points, unit=unit.text)
        for given in self.givens:
            if not given.leaf:
                sorts[given.slot] = _checked(f"given.{given.name}", given.term, sorts)
        self.bar.check(_checked("value", self.term, sorts), sorts)
        return sorts

    @property
    def named_days(self) -> frozenset[date]:
        """Days that the price lookups name."""
        return frozenset(leaf.on for leaf in self.leaves if isinstance(leaf, PriceLeaf) and leaf.on)

    @property
    def last_day(self) -> date:
        """Latest day that a price lookup names; `date.min` if none does."""
        return max(self.named_days, default=date.min)


class Fit(NamedTuple):
    """Why figures do not fit a program (empty if they do), and the dimension of the value that they give."""

    misfit: str
    dimension: Dimension | None = None


@lru_cache(maxsize=10_000)
def fit(program: Program, dimensions: tuple[Dimension, ...]) -> Fit:
    """How figures of these dimensions fit a program."""
    try:
        return Fit("", unit_type(program.term, program.bound_sorts(dimensions)).dimension)
    except FieldError as error:
        return Fit(f"units do not match in {error.field}: {error.error.sentence()}")


def _checked(field: str, term: Node, sorts: list[UnitType]) -> UnitType:
    try:
        return unit_type(term, sorts)
    except FormulaError as error:
        raise FieldError(field, error) from None


def program(claim: Claim) -> Program:
    """The program of a claim; equal formulas share one.

    Raises:
        FieldError: a formula is wrong, or units do not fit; it has the field and the position.
    """
    return _compiled(claim.given, claim.value, claim.expect, vocabulary())


@lru_cache(maxsize=10_000)
def _compiled(givens: Givens, value: str, expect: Expectation, _vocabulary: Vocabulary) -> Program:
    if len(givens) > MOST_GIVEN:
        raise FieldError("given", TooMuchError("too many figures are given", MOST_GIVEN, 0))
    with localcontext(EXACT):
        try:
            return _Builder().build(givens, value, expect, _needed(givens, expect, value))
        except FieldError:
            # with every given available, the error can suggest the name that was meant
            return _Builder().build(givens, value, expect, {name for name, _ in givens})


class _Builder:
    """Compiles the formulas of one claim into one frame."""

    def __init__(self) -> None:
        self._slots = Slots()
        self._names: dict[str, Node] = {}

    def build(self, givens: Givens, value: str, expect: Expectation, needed: set[str]) -> Program:
        """A program that computes only the `needed` givens. Raises FieldError."""
        given = tuple(self._given(name, text) for name, text in givens if name in needed)
        term, sort = self._lowered("value", value)
        bar = compile_expectation(expect, self._names, self._slots)
        bar.check(sort, self._slots.sorts, term.at)
        made = Program(
            leaves=tuple(self._slots.leaves),
            labels=tuple(self._slots.labels),
            sorts=tuple(self._slots.sorts),
            givens=given,
            computed=tuple((one.slot, compiled(one.term)) for one in given if not one.leaf),
            text=value,
            term=term,
            value=compiled(term),
            bar=bar,
            unused=tuple(name for name, _ in givens if name not in needed),
        )
        for name, text in givens:
            if name not in needed:
                self._given(name, text)  # not computed, but its errors are reported
        return made

    def _lowered(self, field: str, text: str) -> tuple[Node, UnitType]:
        try:
            return lowered(text, self._names, self._slots)
        except FormulaError as error:
            raise FieldError(field, error) from None

    def _given(self, name: str, text: str) -> Given:
        field = f"given.{name}"
        problem = _name_problem(name) or ("it is given twice" if name in self._names else "")
        if problem:
            raise FieldError(field, WrongArgumentsError(f"‘{name}’ cannot be a name: {problem}", 0))
        term, sort = self._lowered(field, text)
        leaf = True
        if fixed(term):
            slot = self._slots.leaf(_literal(name, term, sort), name, 0)
        elif isinstance(term, Slot) and term.index in self._slots.leaves.values():
            slot = term.index
            if self._slots.labels[slot] not in self._names:
                self._slots.labels[slot] = name
        else:
            slot, leaf = self._slots.slot(sort, 0), False
        self._names[name] = Slot(name, 0, 0, slot, name)
        return Given(name, text, term, slot, leaf)


def _literal(name: str, term: Node, sort: UnitType) -> LiteralLeaf:
    field = f"given.{name}"
    if sort.truth:
        raise FieldError(field, WrongArgumentsError("a comparison cannot be given", 0))
    try:
        value = compiled(term)([])
    except ArithmeticError as error:
        why = str(error) if isinstance(error, Undefined) else TOO_LARGE
        raise FieldError(field, WrongArgumentsError(why, 0)) from None
    number = number_of(term)
    return LiteralLeaf(name, value, (number and number.unit) or shown(sort.dimension))


def _needed(givens: Givens, expect: Expectation, value: str) -> set[str]:
    """Names that the value and the bounds use, directly or indirectly, and duplicates."""
    formulas = dict(givens)
    waiting = _WORD.findall(" ".join(filter(None, (value, expect.bound, expect.upper, expect.within))))
    needed: set[str] = set()
    while waiting:
        word = waiting.pop()
        if word in formulas and word not in needed:
            needed.add(word)
            waiting += _WORD.findall(formulas[word])
    names = [name for name, _ in givens]
    return needed.union(name for name in names if names.count(name) > 1)


def _name_problem(name: str) -> str:
    if not (name.isascii() and name.isidentifier() and name[0].isalpha()) or "__" in name:
        return "names start with a letter and have letters, digits and single _"
    return reserved(name)


@dataclass(frozen=True, slots=True)
class Dependency:
    """An external input of a claim; `name` is `item/component`, or the name of the assumption."""

    kind: Literal["price", "assumption", "table", "claim"]
    name: str
    question: Question | None = None


def sound_program(claim: Claim) -> Program | None:
    """The program of a claim; None if the claim is broken."""
    try:
        return None if claim.broken else program(claim)
    except FieldError:
        return None


def dependencies(claim: Claim) -> tuple[Dependency, ...]:
    """The prices, assumptions, tables and claims that a claim reads, each once; empty if it is broken."""
    try:
        found = program(claim)
    except FieldError:
        return ()
    told = [one for leaf in found.leaves for one in _of_leaf(leaf)]
    if found.bar.target is not None:
        told.append(Dependency("claim", found.bar.target))
    return tuple(dict.fromkeys(told))


def _of_leaf(leaf: Leaf) -> Iterator[Dependency]:
    match leaf:
        case PriceLeaf():
            for one in leaf.questions:
                yield Dependency("price", f"{one.item}/{one.component}", one)
        case AssumptionLeaf(name=name):
            yield Dependency("assumption", name)
        case CellLeaf(node=node, table=table):
            yield Dependency("table", f"{node}#{table}")


def named_by(claim: Claim) -> tuple[str, ...]:
    """Ids of the claims that a claim is compared with or contradicts."""
    return (*(one.name for one in dependencies(claim) if one.kind == "claim"), *claim.contradicts)


# ---- a program on figures

Failure = Literal["missing", "units", "undefined", "never"]
Position = Literal["inside", "under", "over", "nowhere", "unknown"]  # nowhere: the claimed figure does not exist


class Reading(NamedTuple):
    """Value and bounds in base units, rounded; `holds` is None if unknown.

    Failure `never`: an equation has no solution, so the claimed figure does not exist.
    """

    value: Decimal | None
    interval: Interval = (None, None)
    holds: bool | None = None
    failure: Failure | None = None
    reason: str = ""

    @property
    def margin(self) -> Decimal | None:
        """Distance from the nearest bound; negative if the value is out of bounds."""
        low, high = self.interval
        if self.value is None or (low is None and high is None):
            return None
        over = None if low is None else EXACT.subtract(self.value, low)
        under = None if high is None else EXACT.subtract(high, self.value)
        return min(distance for distance in (over, under) if distance is not None)

    @property
    def position(self) -> Position:
        """Where the value lies."""
        if self.holds is None:
            return "unknown"
        if self.value is None:
            return "nowhere"
        low = self.interval[0]
        return "inside" if self.holds else "under" if low is not None and self.value < low else "over"


class Trial(NamedTuple):
    """A program on figures; `other` is the value that it is compared with."""

    program: Program
    figures: Sequence[Figure]
    other: Decimal | None

    def reading(self) -> Reading:
        """Value of the program, and whether it meets the expectation. Never raises."""
        misfit = fit(self.program, tuple([figure.unit.dimension for figure in self.figures])).misfit
        return Reading(None, failure="units", reason=misfit) if misfit else self.at({})

    def at(self, changes: Mapping[int, Decimal]) -> Reading:
        """Reading with other values, in base units, in some slots; their units were checked. Never raises."""
        values = [changes.get(slot, figure.value) for slot, figure in enumerate(self.figures)]
        with localcontext(EXACT):
            try:
                frame = self.program.frame(values)
                value = KEPT.plus(self.program.value(frame))
                low, high = self.program.bar.interval(frame, self.other)
                if not value.is_finite():
                    raise Undefined(TOO_LARGE)
            except NoRoot as error:
                return Reading(None, holds=False, failure="never", reason=str(error))
            except Undefined as error:
                return Reading(None, failure="undefined", reason=str(error))
            except ArithmeticError:
                return Reading(None, failure="undefined", reason=TOO_LARGE)
        low = None if low is None else KEPT.plus(low)
        high = None if high is None else KEPT.plus(high)
        return Reading(value, (low, high), (low is None or low <= value) and (high is None or value <= high))
