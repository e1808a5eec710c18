"""All claims on a day: a row for each, fast; and one claim explained.

    claim ──program──▶ leaves ──lookups──▶ figures ──evaluate──▶ readings then and now ──verdict──▶ row or verdict

Claims that share their formulas share the compiled program; claims that share their day as well share the finding.
What is kept is bounded, so a stream of any length can be verified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, localcontext
from itertools import islice
from typing import Any, Literal

from compute.evaluate import Measured, Reading, measured
from compute.expect import FieldError
from compute.flips import assumed, flips
from compute.formula.sorts import shown_unit
from compute.formula.terms import AssumptionLeaf, CellLeaf, ChoiceLeaf, Leaf, PriceLeaf
from compute.lookups import Figure, Lookups, Tables
from compute.overrides import NONE, OverriddenBook, Overrides, Own
from compute.prices import Book, Question
from compute.program import Program, program
from compute.reasons import expected, reason
from compute.units import EXACT, ONE
from compute.verdict import Case, Compared, unit_of_value
from compute.working import inputs, steps
from graph.claims import Claim, Moment, Row, Verdict, VerdictName

BATCH = 1_000
MOST_FINDINGS = 100_000
MOST_LOOKUPS = 200_000

Find = Callable[[str], Claim | None]
"""A claim by its id, for claims that are compared with others."""


def verify(
    claims: Iterable[Claim],
    book: Book,
    as_of: date,
    *,
    tables: Tables | None = None,
    overrides: Overrides = NONE,
    find: Find | None = None,
) -> Iterator[Row]:
    """A row for each claim, in their order, evaluated for the day `as_of`. Never raises on what a claim holds.

    `overrides` replace prices, assumptions and givens of that day (not of the day on which a claim was made). Claims
    that name others (`same_as`, `contradicts`) find them by `find`, or among `claims` where that is a sequence.
    """
    return Verifier(book, as_of, tables=tables, overrides=overrides, find=find or _finder(claims)).rows(claims)


def explain(
    claim: Claim,
    book: Book,
    as_of: date,
    *,
    tables: Tables | None = None,
    overrides: Overrides = NONE,
    find: Find | None = None,
) -> Verdict:
    """The verdict of one claim on the day `as_of` with its inputs, working and flips; it agrees with its row."""
    return Verifier(book, as_of, tables=tables, overrides=overrides, find=find).explain(claim)


def _finder(claims: Iterable[Claim]) -> Find:
    """A claim by id among `claims`, indexed when first asked; a stream cannot be searched."""
    index: dict[str, Claim] = {}

    def find(wanted: str) -> Claim | None:
        if not index and isinstance(claims, Sequence):
            index.update((claim.id, claim) for claim in reversed(claims))
        return index.get(wanted)

    return find


@dataclass(frozen=True, slots=True)
class Finding:
    """All of a row but the id of the claim."""

    verdict: VerdictName
    value: Decimal | None
    margin: Decimal | None
    unit: str
    then_value: Decimal | None
    then_holds: bool | None
    now_holds: bool | None
    reason: str

    def fields(self) -> dict[str, Any]:
        """By the names of a row."""
        return {name: getattr(self, name) for name in self.__slots__}


class Verifier:
    """Verifies claims against one book on one day; keeps what it looked up and found."""

    def __init__(
        self,
        book: Book,
        as_of: date,
        *,
        tables: Tables | None = None,
        overrides: Overrides = NONE,
        find: Find | None = None,
    ) -> None:
        self._book, self._as_of, self._tables, self._overrides = book, as_of, tables, overrides
        self._find: Find = find or (lambda _: None)
        self._today = Lookups(OverriddenBook(book, overrides) if overrides else book, as_of, tables)
        self._days: dict[date, Lookups] = {}
        self._found: dict[tuple[object, ...], dict[str, Any]] = {}

    def rows(self, claims: Iterable[Claim]) -> Iterator[Row]:
        """A row for each claim."""
        stream = iter(claims)
        while batch := list(islice(stream, BATCH)):
            yield from self._batch(batch)

    def _batch(self, claims: list[Claim]) -> list[Row]:
        self._forget()
        with localcontext(EXACT):
            return [self._row(claim) for claim in claims]

    def _row(self, claim: Claim) -> Row:
        expect = claim.expect
        if claim.contradicts or claim.broken or expect.form == "same_as":
            return _made(claim.id, self.finding(claim).fields())
        key = (claim.as_of, claim.value, claim.given, expect.form, expect.bound, expect.within, expect.upper)
        fields = self._found.get(key)
        if fields is None:
            if len(self._found) >= MOST_FINDINGS:
                self._found.clear()
            fields = self._found[key] = self.finding(claim).fields()
        return _made(claim.id, fields)

    def finding(self, claim: Claim) -> Finding:
        """What is found about one claim, without its working."""
        case = self.case(claim)
        if isinstance(case, str):
            return Finding(VerdictName.ERROR, None, None, "", None, None, None, case)
        now, then = case.now.reading, case.then.reading
        return Finding(
            verdict=case.verdict,
            value=case.shown(now.value),
            margin=case.shown(now.margin),
            unit=case.unit.text,
            then_value=case.shown(then.value),
            then_holds=then.holds,
            now_holds=now.holds,
            reason=self._reason(claim, case),
        )

    def explain(self, claim: Claim) -> Verdict:
        """The verdict of one claim with its working."""
        case = self.case(claim)
        if isinstance(case, str):
            return self._error(claim, case)
        now = case.now.reading
        return Verdict(
            claim=claim.id,
            node=claim.node,
            says=claim.says,
            severity=claim.severity,
            verdict=case.verdict,
            value=case.shown(now.value),
            expected=expected(case.program.bar),
            unit=case.unit.text,
            margin=case.shown(now.margin),
            then=case.moment(case.then),
            now=case.moment(case.now),
            inputs=inputs(case.program, case.now),
            steps=steps(case),
            flips=flips(case),
            assumed=assumed(case),
            reason=self._reason(claim, case),
        )

    def _error(self, claim: Claim, why: str) -> Verdict:
        return Verdict(
            claim=claim.id,
            node=claim.node,
            says=claim.says,
            severity=claim.severity,
            verdict=VerdictName.ERROR,
            value=None,
            expected="",
            unit="",
            margin=None,
            then=Moment(as_of=claim.as_of, value=None, holds=None),
            now=Moment(as_of=self._as_of, value=None, holds=None),
            reason=why,
        )

    def case(self, claim: Claim) -> Case | str:
        """The claim measured on both days, or why it is broken."""
        if claim.broken:
            return claim.broken
        try:
            once = program(claim)
            today = self._overridden(claim, once)
        except FieldError as error:
            return str(error)
        then = self._measured(once, self._day(claim.as_of), self._compared(once, self._day(claim.as_of)))
        compared = self._compared(today, self._today)
        return Case(claim, today, once, then, self._measured(today, self._today, compared), compared)

    def _day(self, on: date) -> Lookups:
        if on == self._as_of and not self._overrides:
            return self._today
        if on not in self._days:
            self._days[on] = Lookups(self._book, on, self._tables)
        return self._days[on]

    def _forget(self) -> None:
        if sum(len(day) for day in self._days.values()) > MOST_LOOKUPS:
            self._days.clear()
        if len(self._today) > MOST_LOOKUPS:
            self._today.clear()

    def _measured(self, compiled: Program, day: Lookups, compared: Compared | None) -> Measured:
        if compared is None:
            return measured(compiled, day)
        if compared.value is not None:
            found = measured(compiled, day, compared.value)
            unit = unit_of_value(compiled, found)
            if found.reading.value is None or unit.dimension is compared.unit.dimension:
                return found
            why = f"units cannot meet: {unit.text or 'a plain number'} and {compared.unit.text or 'a plain number'}"
            return replace(found, reading=Reading(None, failure="units", reason=why), choices=())
        figures = tuple(day.figure(leaf) for leaf in compiled.leaves)
        return Measured(day.on, figures, Reading(None, failure="missing", reason=compared.reason))

    def _compared(self, compiled: Program, day: Lookups) -> Compared | None:
        """The value of the claim that a program is compared with, on a day."""
        target = compiled.bar.target
        if target is None:
            return None
        claim = self._find(target)
        if claim is None or claim.broken:
            return Compared(None, ONE, f"there is no sound claim {target} to compare with")
        try:
            other = program(claim)
        except FieldError as error:
            return Compared(None, ONE, f"the claim {target} is broken: {error}")
        found = measured(other, day, Decimal(0))  # only its value matters, not whether it meets its own bar
        return Compared(found.reading.value, unit_of_value(other, found), f"{target}: {found.reading.reason}")

    def _overridden(self, claim: Claim, once: Program) -> Program:
        """The program with the caller's own numbers for what the claim gives.

        Raises:
            FieldError: a unit of theirs does not fit.
        """
        told = self._overrides.givens
        if not any(name in told for name, _ in claim.given):
            return once
        given = tuple((name, self._own(once, name, told[name]) if name in told else text) for name, text in claim.given)
        return program(claim.model_copy(update={"given": given}))

    def _own(self, once: Program, name: str, own: Own) -> str:
        unit = own.unit.text if own.unit else self._unit_of(once, name)
        return f"{own.value:f} {unit}"

    def _unit_of(self, once: Program, name: str) -> str:
        given = next(given for given in once.givens if given.name == name)
        figure = self._today.figure(once.leaves[given.slot]) if given.leaf else None
        if isinstance(figure, Figure):
            return figure.unit.text
        return shown_unit(once.sorts[given.slot]).text

    def _reason(self, claim: Claim, case: Case) -> str:
        told = reason(case)
        if case.now.reading.holds and claim.contradicts:
            told += "".join(self._clash(other) for other in claim.contradicts)
        return told

    def _clash(self, contradicted: str) -> str:
        other = self._find(contradicted)
        case = self.case(other) if other else "unknown"
        if isinstance(case, str) or not case.now.reading.holds:
            return ""
        return f" It contradicts {contradicted}, which holds as well: one of the two cannot be right."


@dataclass(frozen=True, slots=True)
class Dependency:
    """Something outside the claim that its verdict rests on."""

    kind: Literal["price", "assumption", "table"]
    name: str
    question: Question | None = None


def dependencies(claim: Claim) -> tuple[Dependency, ...]:
    """The prices, assumptions and tables that a claim reads; none where it is broken."""
    try:
        leaves = program(claim).leaves
    except FieldError:
        return ()
    return tuple(dict.fromkeys(found for leaf in leaves for found in _dependency(leaf)))


def _dependency(leaf: Leaf) -> Iterator[Dependency]:
    match leaf:
        case PriceLeaf(question=question):
            yield Dependency("price", f"{question.item}/{question.component}", question)
        case ChoiceLeaf(questions=questions):
            for question in questions:
                yield Dependency("price", f"{question.item}/{question.component}", question)
        case AssumptionLeaf(name=name):
            yield Dependency("assumption", name)
        case CellLeaf(node=node, table=table):
            yield Dependency("table", f"{node}#{table}")


_FIELDS_SET = frozenset(Row.model_fields)


def _made(claim: str, fields: Mapping[str, Any]) -> Row:
    """A row without validation: its fields come from a `Finding`, and checking them costs more than finding them."""
    row = Row.__new__(Row)
    write = object.__setattr__
    write(row, "__dict__", {"claim": claim, **fields})
    write(row, "__pydantic_fields_set__", _FIELDS_SET)
    write(row, "__pydantic_extra__", None)
    write(row, "__pydantic_private__", None)
    return row
