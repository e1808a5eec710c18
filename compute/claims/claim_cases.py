"""Evaluates claims on the day they were made for and on the day of evaluation."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal

from compute.claims.claim_case import Case, Compared, Unsaid, said, unit_of_value
from compute.claims.claim_evaluation import Measured, Reading, bound_sorts, earlier, measured, passes
from compute.claims.claim_program import Program, program
from compute.claims.currency_conversion import in_currency, in_one_currency
from compute.claims.day_states import Partner, RangeResults
from compute.claims.expectations import FieldError
from compute.claims.input_lookups import Figure, Lookups, Tables
from compute.claims.overrides import NONE, OverriddenBook, Overrides, Own
from compute.formula.unit_types import shown_unit
from compute.prices.price_dating import SnapshotDays
from compute.prices.price_models import Assumption, Book, Missing, Question, Quote, RemembersPrices
from compute.ranges.ranged_inputs import ranges_of
from compute.units.units import ONE, Unit, behind_number, currencies
from graph.models.claim_models import Claim, Tense
from graph.models.written_figures import GivenRange

MOST_LOOKUPS = 200_000

Find = Callable[[str], Claim | None]
"""Finds a claim by its id, for claims that are compared with others."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The inputs of an evaluation besides the price book: tables of nodes, overrides and other claims.

    `first_snapshots` is the day of the first snapshot of each imported catalogue. `unsaid` is whether the node of a
    claim does not have the words that the claim quotes; it is only checked for claims that would be refuted.
    """

    tables: Tables | None = None
    overrides: Overrides = NONE
    find: Find | None = None
    first_snapshots: Mapping[str, date] = field(default_factory=dict)
    unsaid: Unsaid = said

    def among(self, claims: Iterable[Claim]) -> Terms:
        """These terms; if they have no `find`, claims named by other claims are looked up in `claims`."""
        return self if self.find else replace(self, find=finder(claims))


PLAIN = Terms()


def mixed(*days: Measured) -> bool:
    """Whether the units of a claim cannot meet on one of the days, and its figures are money."""
    failed = [day for day in days if day.reading.failure == "units"]
    return any(isinstance(figure, Figure) and currencies(figure.dimension) for day in failed for figure in day.figures)


def finder(claims: Iterable[Claim]) -> Find:
    """Looks up claims by id in `claims`, indexed on first use; a stream cannot be searched."""
    index: dict[str, Claim] = {}

    def find(wanted: str) -> Claim | None:
        if not index and isinstance(claims, Sequence):
            index.update((claim.id, claim) for claim in reversed(claims))
        return index.get(wanted)

    return find


class StatedBook:
    """A book by what its catalogues state now, whatever they stated in earlier snapshots."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def price(self, question: Question, on: date) -> Quote | Missing:
        """The price on a day."""
        if isinstance(self._book, RemembersPrices):
            return self._book.stated(question, on)
        return self._book.price(question, on)

    def assumption(self, name: str, on: date) -> Assumption | Missing:
        """The assumption on a day."""
        return self._book.assumption(name, on)

    def borders(self) -> tuple[date, ...]:
        """The borders of the book."""
        return self._book.borders()


class Cases:
    """Evaluates claims against one book; caches its lookups, up to a limit.

    No answer changes between two borders of the book, so days between the same borders (an era) share their lookups.
    """

    def __init__(self, book: Book, as_of: date, terms: Terms = PLAIN) -> None:
        overrides, tables = terms.overrides, terms.tables
        self.as_of, self.overrides, self.find = as_of, overrides, terms.find or finder(())
        self._overridden_book = OverriddenBook(book, overrides) if overrides else book
        self._book, self._tables = book, tables
        self.unsaid, self.results = terms.unsaid, RangeResults()
        self._seen = SnapshotDays(as_of, terms.first_snapshots)
        firsts = {day + timedelta(days=1) for day in terms.first_snapshots.values()}
        self._borders = sorted({*book.borders(), *firsts})
        self.today = Lookups(self._overridden_book, as_of, tables, self._seen)
        self._eras: dict[date, int] = {}
        self._by_era: dict[tuple[int, bool], Lookups] = {}
        self._days: dict[tuple[date, bool], Lookups] = {}
        self._by_now: dict[date, Lookups] = {}

    def era(self, day: date) -> int:
        """A number for each day; two days with the same number have the same answers.

        It counts the borders up to the day. Days after the day of evaluation are counted separately.
        """
        found = self._eras.get(day)
        if found is None:
            count = bisect_right(self._borders, day)
            found = self._eras[day] = -1 - count if day > self.as_of else count
        return found

    def in_era(self, claim: Claim) -> Lookups:
        """The lookups of a day with the same answers as the own day of a claim; messages about inputs may differ."""
        era = self.era(claim.as_of), self._own_numbers(claim)
        if era not in self._by_era:
            self._by_era[era] = self._lookups(claim)
        return self._by_era[era]

    def on(self, claim: Claim) -> Lookups:
        """The lookups of the own day of a claim: of a dated one, with the caller's numbers."""
        day, own = claim.as_of, self._own_numbers(claim)
        if day == self.as_of and (own or not self.overrides):
            return self.today
        if (day, own) not in self._days:
            self._days[day, own] = self._lookups(claim)
        return self._days[day, own]

    def _own_numbers(self, claim: Claim) -> bool:
        return claim.tense is Tense.DATED and bool(self.overrides)

    def _lookups(self, claim: Claim) -> Lookups:
        book = self._overridden_book if self._own_numbers(claim) else self._book
        return Lookups(book, claim.as_of, self._tables, self._seen)

    def forget(self) -> None:
        """Drop cached lookups that exceed the limit."""
        for kept in (self._by_era, self._days, self._by_now):
            if sum(len(day) for day in kept.values()) > MOST_LOOKUPS:
                kept.clear()
        if len(self.today) > MOST_LOOKUPS:
            self.today.clear()

    def case(self, claim: Claim) -> Case | str:
        """The claim evaluated on both days, or why it is broken."""
        if claim.broken:
            return claim.broken
        try:
            once = program(claim)
            today = self.overridden(claim, once)
        except FieldError as error:
            return str(error)
        case = self._case(claim, today, once)
        return self._in_one_currency(case) or case

    def _case(self, claim: Claim, today: Program, once: Program) -> Case:
        dated = claim.tense is Tense.DATED
        compared = self._compared(today, self.on(claim) if dated else self.today)
        now = self._measured(today, self.today, self._compared(today, self.today) if dated else compared)
        then = self.then(claim, today if dated else once, self.on(claim), now)
        return self.judged(claim, (today, once), (then, now), compared)

    def judged(
        self,
        claim: Claim,
        programs: tuple[Program, Program],
        days: tuple[Measured, Measured],
        compared: Compared | None = None,
    ) -> Case:
        """The case of a claim: its programs of today and of its own day, and what they find then and now."""
        today, once = programs
        once = today if claim.tense is Tense.DATED else once
        ranges = self.ranges_of(claim)
        return Case(claim, today, once, *days, compared, ranges=ranges, unsaid=self.unsaid, results=self.results)

    def on_day(self, claim: Claim, once: Program) -> Case:
        """A claim with its program on the day of evaluation alone: its own day plays no part, nor do overrides."""
        compared = self._compared(once, self.today)
        now = self._measured(once, self.today, compared)
        return self.judged(claim, (once, once), (now, now), compared)

    def then(self, claim: Claim, once: Program, day: Lookups, now: Measured) -> Measured:
        """The claim on its own day; `now` is what it is on the day of evaluation.

        If a claim fails, the prices that the catalogues stated in earlier snapshots are tried too: it holds on its
        day if it holds by these prices. They only excuse: where it fails by them too, and the current catalogues have
        no price for that day, the result of that day stays unknown.
        """
        compared = self._compared(once, day)
        found = self._measured(once, day, compared)
        needless = passes(found) or (passes(now) and claim.tense is Tense.STANDING)
        if needless or not self._remembers or (compared is not None and compared.value is None):
            return found
        plain = self._measured(once, self._stated(day.on), compared)
        if passes(plain):
            return plain
        past = earlier(once, day, found.other)
        if past is not None:
            return replace(past, compared=found.compared, other=found.other)
        return plain if plain.reading.holds is None else found

    def ranges_of(self, claim: Claim) -> tuple[GivenRange, ...]:
        """The stated ranges of a claim, without those of figures that the caller has replaced."""
        return ranges_of(claim, self.overrides.givens)

    @property
    def _remembers(self) -> bool:
        return isinstance(self._book, RemembersPrices) and self._book.remembers

    def _stated(self, day: date) -> Lookups:
        """The lookups of a day by what the catalogues state now."""
        if day not in self._by_now:
            self._by_now[day] = Lookups(StatedBook(self._book), day, self._tables, self._seen)
        return self._by_now[day]

    def _in_one_currency(self, case: Case) -> Case | None:
        """A case whose units cannot meet because its money is in several currencies, with dated exchange rates."""
        if not mixed(case.now, case.then):
            return None
        day, book = (case.now if case.now.reading.failure == "units" else case.then), self._overridden_book
        told = case.claim.model_copy(update={"given": self._givens(case.claim, case.once)})
        on = case.claim.as_of if case.tense is Tense.DATED else self.as_of
        today = in_one_currency(told, case.program, day.figures, book, on)
        once = in_one_currency(case.claim, case.once, day.figures, self._book, case.claim.as_of)
        if today is None or once is None:
            return None
        try:
            return self._case(once, program(self._with_rates(today, case.claim)), program(once))
        except FieldError:
            return None

    def _with_rates(self, claim: Claim, stated: Claim) -> Claim:
        """A converted claim with the caller's own exchange rates: those of its givens that were not stated."""
        own, names = self.overrides.givens, {name for name, _ in stated.given}
        if not own.keys() - names:
            return claim
        once = program(claim)
        given = tuple(
            (name, self._own(once, name, own[name]) if name in own and name not in names else text)
            for name, text in claim.given
        )
        return claim.model_copy(update={"given": given})

    def in_currency(self, claim: Claim, to: str) -> tuple[Claim, Unit]:
        """The claim in another currency, and the unit in which to show its value.

        Raises:
            CurrencyError: its value is not money, or it is compared with another claim.
        """
        case = self.case(claim)
        if isinstance(case, str):
            return claim, ONE
        return in_currency(case.claim, case.unit, to, self._overridden_book, self.as_of)

    def _measured(self, compiled: Program, day: Lookups, compared: Compared | None) -> Measured:
        if compared is None:
            return measured(compiled, day)
        if compared.value is None:
            figures = tuple(day.figure(leaf) for leaf in compiled.leaves)
            missing = Reading(None, failure="missing", reason=compared.reason)
            return Measured(day.on, figures, missing, compared=compared.figures)
        found = replace(measured(compiled, day, compared.value), compared=compared.figures, other=compared.value)
        unit = unit_of_value(compiled, found)
        if found.reading.value is None or unit.dimension is compared.unit.dimension:
            return found
        why = f"units cannot meet: {unit.dimension} and {compared.unit.dimension}"
        return replace(found, reading=Reading(None, failure="units", reason=why), choices=())

    def _compared(self, compiled: Program, day: Lookups) -> Compared | None:
        """The value of the claim that a program is compared with, on a day."""
        target = compiled.bar.target
        if target is None:
            return None
        claim = self.find(target)
        if claim is None or claim.broken:
            return Compared(None, ONE, f"there is no sound claim {target} to compare with")
        try:
            other = program(claim)
        except FieldError as error:
            return Compared(None, ONE, f"the claim {target} is broken: {error}")
        found = measured(other, day, Decimal(0))  # only its value matters, not its own verdict
        reason = f"{target}: {found.reading.reason}"
        partner = Partner(other, claim.ranges, f"{claim.id}: ")
        return Compared(found.reading.value, unit_of_value(other, found), reason, found.figures, claim.node, partner)

    def overridden(self, claim: Claim, once: Program) -> Program:
        """The program with the caller's overrides in place of the claim's givens.

        Raises:
            FieldError: the unit of an override does not fit.
        """
        told = self.overrides.givens
        if not any(name in told for name, _ in claim.given):
            return once
        return program(claim.model_copy(update={"given": self._givens(claim, once)}))

    def _givens(self, claim: Claim, once: Program) -> tuple[tuple[str, str], ...]:
        """The given formulas with the caller's figures in their place."""
        told = self.overrides.givens
        return tuple((name, self._own(once, name, told[name]) if name in told else text) for name, text in claim.given)

    def _own(self, once: Program, name: str, own: Own) -> str:
        unit = own.unit.text if own.unit else self._unit_of(once, name)
        return f"{own.value:f} {behind_number(unit)}"

    def _unit_of(self, once: Program, name: str) -> str:
        given = next((given for given in once.givens if given.name == name), None)
        if given is None:
            return ""
        figures = [self.today.figure(leaf) for leaf in once.leaves]
        if given.leaf:
            figure = figures[given.slot]
            return figure.unit.text if isinstance(figure, Figure) else ""
        known = [figure.dimension for figure in figures if isinstance(figure, Figure)]
        sorts = once.sorts if len(known) < len(figures) else bound_sorts(once, tuple(known))
        return shown_unit(sorts[given.slot]).text
