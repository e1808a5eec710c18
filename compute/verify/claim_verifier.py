"""Verifies all claims for a day, one row each; and explains a single claim.

    claim ──program──▶ leaves ──lookups──▶ figures ──evaluate──▶ readings then and now ──verdict──▶ row or verdict

Claims with equal formulas share the compiled program and today's result; if they were made between the same two borders
of the book, they also share the result of their own day. The caches are bounded, so a stream of any length can be
verified.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from decimal import localcontext
from itertools import islice
from typing import Any

from compute.claims.claim_case import Case, said
from compute.claims.claim_cases import PLAIN, Cases, Terms, mixed
from compute.claims.claim_evaluation import Measured, measured
from compute.claims.claim_program import Program, program
from compute.claims.currency_conversion import currency_code
from compute.claims.expectations import FieldError
from compute.claims.program_facts import last_day
from compute.explain.expectation_text import expected
from compute.explain.flip_points import assumed, flips
from compute.explain.reason_parts import THEN
from compute.explain.verdict_reasons import reason
from compute.explain.working_steps import inputs, steps
from compute.prices.price_models import Book
from compute.ranges.range_report import range_report, robust
from compute.units.units import EXACT, Unit
from graph.models.claim_models import Claim, Speaker, Stance, Tense, VerdictName
from graph.models.verdict_models import ClaimFinding, Moment, Verdict, VerdictRow, severity_of

BATCH = 200
MOST_FOUND = 100_000
MOST_PROGRAMS = 10_000


def verify(claims: Iterable[Claim], book: Book, as_of: date, terms: Terms = PLAIN) -> Iterator[VerdictRow]:
    """A row for each claim, in their order, evaluated for the day `as_of`. Never raises for the content of a claim.

    The overrides of `terms` replace prices, assumptions and givens of that day (not of the day on which a claim was
    made). Claims that name others (`same_as`, `contradicts`) look them up with `terms.find`, or in `claims` if it is a
    sequence. The reason is empty if a claim simply holds; `explain` has the sentence.
    """
    return (one.row for one in findings(claims, book, as_of, terms))


def findings(claims: Iterable[Claim], book: Book, as_of: date, terms: Terms = PLAIN) -> Iterator[ClaimFinding]:
    """The same as compact findings for the ledger: claims with equal formulas share their results."""
    return Verifier(Cases(book, as_of, terms.among(claims))).findings(claims)


def expectations(claims: Iterable[Claim], book: Book, as_of: date, terms: Terms = PLAIN) -> Iterator[str]:
    """The expectation of each claim on the day as text, with names replaced by figures; empty if broken."""
    verifier = Verifier(Cases(book, as_of, terms.among(claims)))
    return (verifier.expected(claim) for claim in claims)


def explain(claim: Claim, book: Book, as_of: date, terms: Terms = PLAIN, currency: str | None = None) -> Verdict:
    """The verdict of one claim on the day `as_of` with its inputs, working and flips; it agrees with its row.

    With a `currency`, all money in it is in that currency, by the exchange rates of each day.

    Raises:
        CurrencyError: there is no such currency, or the value of the claim is not money.
    """
    cases = Cases(book, as_of, terms)
    if currency is None:
        return Verifier(cases).explain(claim)
    converted, shown_in = cases.in_currency(claim, currency_code(currency))
    return Verifier(cases).explain(converted, shown_in)


def converted(claim: Claim, book: Book, as_of: date, terms: Terms = PLAIN, currency: str | None = None) -> Claim:
    """The claim with the exchange rates by which it is computed on a day; the claim itself if it needs none.

    Raises:
        CurrencyError: as in `explain`.
    """
    cases = Cases(book, as_of, terms)
    if currency is not None:
        return cases.in_currency(claim, currency_code(currency))[0]
    case = cases.case(claim)
    return claim if isinstance(case, str) else case.claim


class _Found:
    """The results of one program: for today, and for each era in which one of its claims was made.

    Claims made before the `last_day` that the program names look ahead: they do not share the results of the others.
    """

    __slots__ = ("by_era", "expected", "last_day", "now", "once", "program")

    def __init__(self, once: Program, today: Program, now: Measured) -> None:
        self.once, self.program, self.now, self.last_day = once, today, now, last_day(once)
        self.expected: str | None = None
        # with the reason, in which the day is a placeholder
        self.by_era: dict[tuple[int, bool], tuple[VerdictRow, str]] = {}


class Verifier:
    """Verifies claims against one book on one day; caches its results."""

    def __init__(self, cases: Cases) -> None:
        self._cases = cases
        self._found: dict[tuple[object, ...], _Found] = {}
        self._kept = self._single = 0

    def findings(self, claims: Iterable[Claim]) -> Iterator[ClaimFinding]:
        """The finding for each claim."""
        stream = iter(claims)
        while batch := list(islice(stream, BATCH)):
            self._forget()
            with localcontext(EXACT):
                found = [self._finding(claim) for claim in batch]
            yield from found

    def finding(self, claim: Claim) -> ClaimFinding:
        """The finding for one claim."""
        if self._single % BATCH == 0:
            self._forget()
        self._single += 1
        with localcontext(EXACT):
            return self._finding(claim)

    def _forget(self) -> None:
        self._cases.forget()
        if self._kept > MOST_FOUND or len(self._found) > MOST_PROGRAMS:
            self._found.clear()
            self._kept = 0

    def _finding(self, claim: Claim) -> ClaimFinding:
        told = claim.__dict__  # a million claims pass here: reading a field of a model costs twice as much
        if told["contradicts"] or told["broken"]:
            return self._find_out(claim)
        day = told["as_of"]
        found = self._found.get(_key(told))
        kept = found and found.by_era.get((self._cases.era(day), day < found.last_day))
        if not kept:
            return self._find_out(claim)
        shared, why = kept
        if self._unsaid(shared, claim):
            return self._alone(claim)
        return ClaimFinding(told["id"], shared, why.replace(THEN, day.isoformat()) if THEN in why else why)

    def _find_out(self, claim: Claim) -> ClaimFinding:
        """Compute a finding that is not cached, and cache it if another claim may need it."""
        if claim.contradicts or claim.broken or claim.expect.form == "same_as":
            return self._alone(claim)
        try:
            found = self._program(claim)
        except FieldError as error:
            return ClaimFinding(claim.id, _BROKEN, str(error))
        once = found.program if claim.tense is Tense.DATED else found.once
        then = self._cases.then(claim, once, self._cases.in_era(claim), found.now)
        if then.reading.failure == "missing":
            return self._alone(claim)  # the message about a missing price names the day
        if mixed(then, found.now):
            return self._alone(claim)
        case = replace(self._cases.judged(claim, (found.program, once), (then, found.now)), unsaid=said)
        why = "" if case.verdict is VerdictName.HOLDS else reason(case)
        shared = _shared(case)
        found.by_era[self._cases.era(claim.as_of), claim.as_of < found.last_day] = shared, why
        self._kept += 1
        if self._unsaid(shared, claim):
            return self._alone(claim)
        return ClaimFinding(claim.id, shared, why.replace(THEN, claim.as_of.isoformat()))

    def _unsaid(self, shared: VerdictRow, claim: Claim) -> bool:
        """Whether a result that claims share refutes a claim whose words are not in its text."""
        return shared.verdict is VerdictName.REFUTED and claim.quote is not None and self._cases.unsaid(claim)

    def _program(self, claim: Claim) -> _Found:
        key = _key(claim.__dict__)
        if key not in self._found:
            once = program(claim)
            today = self._cases.overridden(claim, once)
            self._found[key] = _Found(once, today, measured(today, self._cases.today))
            self._kept += 1
        return self._found[key]

    def _alone(self, claim: Claim) -> ClaimFinding:
        case = self._cases.case(claim)
        if isinstance(case, str):
            return ClaimFinding(claim.id, _BROKEN, case)
        plain = case.verdict is VerdictName.HOLDS
        return ClaimFinding(claim.id, _shared(case), self._clashes(case) if plain else self._reason(case))

    def expected(self, claim: Claim) -> str:
        """The expectation of a claim as text; empty if the claim is broken."""
        if claim.broken or claim.expect.form == "same_as":
            case = self._cases.case(claim)
            return "" if isinstance(case, str) else _expected(case)
        try:
            found = self._program(claim)
        except FieldError:
            return ""
        if found.expected is None:
            found.expected = _expected(Case(claim, found.program, found.once, found.now, found.now))
        return found.expected

    def explain(self, claim: Claim, shown_in: Unit | None = None) -> Verdict:
        """The verdict of one claim with its working, its value in the unit `shown_in` or else in its own."""
        case = self._cases.case(claim)
        if isinstance(case, str):
            return _broken(claim, self._cases.as_of, case)
        if shown_in is not None:
            case = replace(case, shown_in=shown_in)
        ranges = range_report(case)
        return Verdict(
            claim=claim.id,
            node=claim.node,
            says=claim.says,
            severity=severity_of(claim.severity, case.cause),
            verdict=case.verdict,
            value=case.shown(case.judged.reading.value),
            expected=_expected(case),
            unit=case.unit.text,
            margin=case.shown(case.judged.reading.margin),
            then=case.moment(case.then),
            now=case.moment(case.now),
            inputs=inputs(case.program, case.judged),
            steps=steps(case),
            flips=flips(case),
            assumed=assumed(case),
            reason=self._reason(case),
            robust=ranges.robust,
            sensitivity=ranges.sensitivity,
            swings=ranges.swings,
            asserted_by=claim.asserted_by,
            stance=claim.stance,
            tense=claim.tense,
            cause=case.cause,
            helps_thesis=case.helps_thesis,
            oldest_input=case.oldest_input,
        )

    def _reason(self, case: Case) -> str:
        told = reason(case).replace(THEN, case.claim.as_of.isoformat())
        return " ".join(part for part in (told, self._clashes(case)) if part)

    def _clashes(self, case: Case) -> str:
        """The contradicted claims that also hold; empty if this claim does not hold."""
        if not case.judged.reading.holds:
            return ""
        return " ".join(part for part in map(self._clash, case.claim.contradicts) if part)

    def _clash(self, contradicted: str) -> str:
        other = self._cases.find(contradicted)
        case = self._cases.case(other) if other else "unknown"
        if other is None or isinstance(case, str) or not case.judged.reading.holds:
            return ""
        where = f"{contradicted} of {other.node}"
        return f"It is said to contradict {where}, which holds as well: see whether they speak of the same."


def _expected(case: Case) -> str:
    return expected(case.program.bar, case.unit, case.judged.reading)


def _shared(case: Case) -> VerdictRow:
    judged, then = case.judged.reading, case.then.reading
    return VerdictRow(
        claim="",
        verdict=case.verdict,
        value=case.shown(judged.value),
        margin=case.shown(judged.margin),
        unit=case.unit.text,
        then_value=case.shown(then.value),
        then_holds=then.holds,
        now_holds=case.holds_now,
        robust=robust(case),
        then_dated=case.then.dated,
        cause=case.cause,
        helps_thesis=case.helps_thesis,
        oldest_input=case.oldest_input,
        now_value=case.shown(case.now.reading.value) if case.tense is Tense.DATED else None,
    )


def _key(told: Mapping[str, Any]) -> tuple[object, ...]:
    """What claims must have in common to share results: all that the rules read, except for the day."""
    expect = told["expect"].__dict__
    return (
        told["value"], told["given"], told["ranges"],
        expect["form"], expect["bound"], expect["within"], expect["upper"],
        told["helps"], told["tense"], told["asserted_by"] is Speaker.NOBODY, told["stance"] is Stance.DISPUTES,
        told["node"] if _reads_tables(told["value"], told["given"], expect["bound"], expect["upper"] or "") else "",
    )  # fmt: skip


def _reads_tables(value: str, given: tuple[tuple[str, str], ...], bound: str, upper: str) -> bool:
    return "table" in value or "table" in bound or "table" in upper or any("table" in text for _, text in given)


_BROKEN = VerdictRow(
    claim="", verdict=VerdictName.ERROR, value=None, margin=None, unit="", then_value=None, then_holds=None,
    now_holds=None, then_dated=False,
)  # fmt: skip


def _broken(claim: Claim, as_of: date, why: str) -> Verdict:
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
        then=Moment(as_of=claim.as_of, value=None, holds=None, dated=False),
        now=Moment(as_of=as_of, value=None, holds=None),
        reason=why,
        asserted_by=claim.asserted_by,
        stance=claim.stance,
        tense=claim.tense,
    )
