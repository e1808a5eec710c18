"""Evaluates claims on the day they were made for and on the day of evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import islice, product

from compute.claims.claim_case import Case, Unsaid
from compute.claims.claim_day import MOST_CHOICES, ClaimDay
from compute.claims.claim_program import Program, program, sound_program
from compute.claims.currency_conversion import in_currency, in_one_currency
from compute.claims.expectations import FieldError
from compute.claims.input_lookups import Figure, Lookups, Tables
from compute.claims.overrides import NONE, OverriddenBook, OverrideError, Overrides
from compute.formula.formula_errors import WrongArgumentsError
from compute.formula.formula_tree import Leaf, Number
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Assumption, Book, Question, Quote
from compute.prices.price_selection import SnapshotDays
from compute.ranges.ranged_claims import ranges_of
from compute.units.units import ONE, Unit, Vocabulary, currencies, known, shown, using
from graph.models.claim_models import Claim, Tense
from graph.models.written_figures import GivenRange

Find = Callable[[str], Claim | None]  # finds a claim by its id


@dataclass(frozen=True, slots=True)
class Terms:
    """The inputs of an evaluation besides the price book: tables of nodes, overrides and other claims.

    `first_snapshots` is the day of the first snapshot of each imported catalogue; `unsaid` why the text of a node
    does not state its claim, called only for claims that would be refuted; `units` are those of another brain.
    """

    tables: Tables = lambda _node: None
    overrides: Overrides = NONE
    find: Find = lambda _claim: None
    first_snapshots: Mapping[str, date] = field(default_factory=dict)
    unsaid: Unsaid = lambda _claim: ""
    units: Vocabulary | None = None


PLAIN = Terms()


class Cases:
    """Evaluates claims against one book, for the day `as_of`."""

    def __init__(self, book: Book, as_of: date, terms: Terms = PLAIN) -> None:
        self.as_of, self.terms = as_of, terms
        self._own = terms.overrides
        self._overridden = OverriddenBook(book, terms.overrides) if terms.overrides else book
        self._book, self._seen = book, SnapshotDays(as_of, terms.first_snapshots)
        self.today = self._lookups(self._overridden, as_of)
        firsts = {day + timedelta(days=1) for day in terms.first_snapshots.values()}
        self.borders = sorted({*book.borders(), *firsts})

    def leaves(self, once: Program) -> tuple[Leaf, ...]:
        """The inputs of a program and of the claim that it is compared with."""
        target = self.terms.find(once.bar.target) if once.bar.target else None
        other = sound_program(target) if target else None
        return (*once.leaves, *other.leaves) if other else once.leaves

    def _lookups(self, book: Book, day: date) -> Lookups:
        return Lookups(book, day, self.terms.tables, self._seen)

    def case(self, claim: Claim) -> Case | str:
        """The claim evaluated on both days, or why it is broken."""
        if claim.broken:
            return claim.broken
        with using(self.terms.units):
            try:
                once = program(claim)
                case = self._case(claim, self._overridden_program(claim, once), once)
            except FieldError as error:
                return str(error)
            return self._in_one_currency(case) or case

    def _case(self, claim: Claim, today: Program, once: Program) -> Case:
        ranges = ranges_of(claim, self._own.givens)
        now = self.day(claim, today, self.today, ranges)
        if claim.tense is Tense.DATED:
            book, once = self._overridden, today
        else:
            book, ranges = self._book, claim.ranges
        return Case(claim, self._then(claim, once, book, ranges, now), now, self.terms.unsaid)

    def _then(self, claim: Claim, once: Program, book: Book, ranges: tuple[GivenRange, ...], now: ClaimDay) -> ClaimDay:
        """The claim on its own day; `now` is the claim on the day of evaluation.

        A claim that fails is also computed with the prices that earlier snapshots stated for that day, and holds if it
        holds with those. If it fails with them too, and current catalogues have no price, the day stays unknown.
        """
        lookups = self._lookups(book, claim.as_of)
        found = self.day(claim, once, lookups, ranges)
        needless = found.passes or (now.passes and claim.tense is Tense.STANDING)
        if needless or found.uncompared or not isinstance(self._book, CatalogBook) or not self._book.remembers:
            return found
        stated = self._lookups(self._book.forgetful, claim.as_of)
        plain = replace(found, figures=tuple(stated.figure(leaf) for leaf in once.leaves))
        if plain.passes:
            return plain
        earlier = (replace(found, figures=figures) for figures in _earlier(found, lookups))
        held = next((one for one in earlier if one.reading.holds), None)
        return held or (plain if plain.reading.holds is None else found)

    def day(self, claim: Claim, compiled: Program, lookups: Lookups, ranges: tuple[GivenRange, ...]) -> ClaimDay:
        """A claim with a program on one day."""
        figures = tuple(lookups.figure(leaf) for leaf in compiled.leaves)
        other = self._compared(compiled, lookups)
        if isinstance(other, str):
            return ClaimDay(claim, compiled, lookups.on, self.as_of, figures, ranges, uncompared=other)
        why = f"{compiled.bar.target}: {other.reading.reason}" if other and other.reading.value is None else ""
        return ClaimDay(claim, compiled, lookups.on, self.as_of, figures, ranges, other, why)

    def _compared(self, compiled: Program, lookups: Lookups) -> ClaimDay | str | None:
        """The claim that a program is compared with on a day, a dated one on its own, or why there is none."""
        target = compiled.bar.target
        if target is None:
            return None
        claim = self.terms.find(target)
        if claim is None or claim.broken:
            return f"there is no sound claim {target} to compare with"
        try:
            other = program(claim)
        except FieldError as error:
            return f"the claim {target} is broken: {error}"
        if claim.tense is Tense.DATED:
            if claim.as_of > self.as_of:
                return f"the claim {target} is about {claim.as_of}, which is to come"
            lookups = lookups.on_day(claim.as_of)
        figures = tuple(lookups.figure(leaf) for leaf in other.leaves)
        return ClaimDay(claim, other, lookups.on, self.as_of, figures, claim.ranges)

    def _in_one_currency(self, case: Case) -> Case | None:
        """The case with dated exchange rates, if its money is in several currencies."""
        failed = [day for day in (case.now, case.then) if day.reading.failure == "units"]
        if not any(isinstance(one, Figure) and currencies(one.dimension) for day in failed for one in day.figures):
            return None
        figures = failed[0].figures
        own = case.claim.model_copy(
            update={"given": self._givens(case.claim, case.then.program, self._own.givens.keys())}
        )
        on = case.claim.as_of if case.claim.tense is Tense.DATED else self.as_of
        today = in_one_currency(own, case.program, figures, self._overridden, on)
        once = in_one_currency(case.claim, case.then.program, figures, self._book, case.claim.as_of)
        if today is None or once is None:
            return None
        try:
            rates = self._own.givens.keys() - {name for name, _ in case.claim.given}  # the caller's exchange rates
            today = today.model_copy(update={"given": self._givens(today, program(today), rates)})
            return self._case(once, program(today), program(once))
        except FieldError:
            return None

    def in_currency(self, claim: Claim, to: str) -> tuple[Claim, Unit]:
        """The claim in another currency, and its unit; raises CurrencyError if it is not money, or compared."""
        case = self.case(claim)
        if isinstance(case, str):
            return claim, ONE
        with using(self.terms.units):
            return in_currency(case.claim, case.unit, to, self._overridden, self.as_of)

    def _overridden_program(self, claim: Claim, once: Program) -> Program:
        """The program with the caller's figures; raises FieldError."""
        own = self._own.givens.keys()
        if own.isdisjoint(name for name, _ in claim.given):
            return once
        return program(claim.model_copy(update={"given": self._givens(claim, once, own)}))

    def check_units(self, claims: Sequence[Claim]) -> None:
        """Raises OverrideError for a price or an assumption in another unit than its own, or a given of the only claim.

        A given may have another unit if the claim can be computed with it; money may be in another currency.
        """
        only = claims[0] if len(claims) == 1 else None
        on = only.as_of if only is not None and only.tense is Tense.DATED else self.as_of
        others = [one for one in self._replaced(on) if _in_other_unit(*one[1:])]
        for name, own, text in others or (self._other_givens(only) if only is not None else ()):
            message = f"{own.text} is in another unit than {text or 'a plain number'}"
            raise OverrideError(f"the value of {name}", WrongArgumentsError(message, 0))

    def _replaced(self, on: date) -> Iterator[tuple[str, Number, str]]:
        """The caller's prices and assumptions, with the units of those of the book."""
        for (item, component, processing), own in self._own.prices.items():
            quote = self._book.price(Question(item=item, component=component, processing=processing), on)
            if isinstance(quote, Quote):
                yield f"price:{item}/{component}", own, quote.price.unit
        for name, own in self._own.assumptions.items():
            if isinstance(held := self._book.assumption(name, on), Assumption):
                yield f"assume:{name}", own, held.unit

    def _other_givens(self, claim: Claim) -> list[tuple[str, Number, str]]:
        """The caller's givens in another unit than its own, of a claim that cannot be computed with them."""
        once = sound_program(claim) if self._own.givens else None
        units = ((name, own, self._unit_of(once, name)) for name, own in self._own.givens.items()) if once else ()
        others = [one for one in units if _in_other_unit(*one[1:])]
        case = self.case(claim) if others else ""
        return others if isinstance(case, str) or case.judged.reading.failure == "units" else []

    def _givens(self, claim: Claim, once: Program, own: Set[str]) -> tuple[tuple[str, str], ...]:
        """The given formulas with some of the caller's figures."""
        return tuple((name, self._own_text(once, name) if name in own else text) for name, text in claim.given)

    def _own_text(self, once: Program, name: str) -> str:
        own = self._own.givens[name]
        unit = own.unit.text if own.unit else self._unit_of(once, name)
        return f"{own.value:f} {_behind_number(unit)}"

    def _unit_of(self, once: Program, name: str) -> str:
        given = next((given for given in once.givens if given.name == name), None)
        if given is None:
            return ""
        figures = [self.today.figure(leaf) for leaf in once.leaves]
        if given.leaf:
            figure = figures[given.slot]
            return figure.unit.text if isinstance(figure, Figure) else ""
        known = [figure.dimension for figure in figures if isinstance(figure, Figure)]
        sorts = once.sorts if len(known) < len(figures) else once.bound_sorts(tuple(known))
        return shown(sorts[given.slot].dimension).text


def _behind_number(text: str) -> str:
    """A unit as written after a number in a formula: `/h` becomes `h^-1`."""
    if not text.startswith("/"):
        return text
    parts = (part.strip().partition("^") for part in text[1:].split("/"))
    return "*".join(f"{name.strip()}^-{power.strip() or 1}" for name, _, power in parts)


def _earlier(day: ClaimDay, lookups: Lookups) -> Iterator[tuple[Figure, ...]]:
    """The figures that earlier snapshots state for the day; none if they state nothing else."""
    pasts = [lookups.earlier(leaf) for leaf in day.program.leaves]
    if any(pasts):
        pairs = zip(pasts, day.figures, strict=True)
        ways = [[*past, *([now._replace(rivals=())] if isinstance(now, Figure) else [])] for past, now in pairs]
        yield from islice(product(*ways), MOST_CHOICES)


def _in_other_unit(own: Number, text: str) -> bool:
    """Whether a number is in another unit than `text`; another currency is none."""
    unit = known(text) if own.unit else None
    rest = own.unit.dimension / unit.dimension if own.unit and unit else ONE.dimension
    return bool(rest.powers.keys() - currencies(rest) or sum(rest.powers.values()))
