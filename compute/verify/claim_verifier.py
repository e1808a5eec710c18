"""Verifies all claims for a day, one row each; explains a single claim; and forecasts changes of verdicts.

claim ──program──▶ leaves ──lookups──▶ figures ──evaluate──▶ readings then and now ──verdict──▶ row or verdict
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from compute.claims.claim_case import Case
from compute.claims.claim_cases import PLAIN, Cases, Terms
from compute.claims.claim_program import program
from compute.claims.currency_conversion import currency_code
from compute.claims.input_lookups import change_days
from compute.explain.expectation_text import expected
from compute.explain.flip_points import assumed, flips
from compute.explain.verdict_reasons import reason
from compute.explain.working_steps import inputs, steps
from compute.prices.price_models import Book
from compute.units.units import Unit
from graph.models.claim_models import Claim, ClaimSeverity, Tense, VerdictName
from graph.models.verdict_models import STATED, Moment, Verdict, VerdictChange, VerdictRow, severity_of


def explain(claim: Claim, book: Book, as_of: date, terms: Terms = PLAIN, currency: str | None = None) -> Verdict:
    """The verdict of one claim on the day `as_of`, with its inputs, working and flips; it agrees with its row.

    With a `currency`, all money is in that currency, by the exchange rates of each day.

    Raises:
        CurrencyError: there is no such currency, or the value of the claim is not money.
    """
    verifier = Verifier(book, as_of, terms)
    if currency is None:
        return verifier.explain(claim)
    return verifier.explain(*verifier.cases.in_currency(claim, currency_code(currency)))


def converted(claim: Claim, book: Book, as_of: date, terms: Terms = PLAIN, currency: str | None = None) -> Claim:
    """The claim with the exchange rates that its evaluation uses; raises CurrencyError, see `explain`."""
    cases = Cases(book, as_of, terms)
    if currency is not None:
        return cases.in_currency(claim, currency_code(currency))[0]
    case = cases.case(claim)
    return claim if isinstance(case, str) else case.claim


class Verifier:
    """Verifies claims against one book on one day. Never raises for the content of a claim.

    The overrides of `terms` apply to that day, not to the day on which a claim was made. Claims that others name
    (`same_as`, `contradicts`) are found with `terms.find`.
    """

    def __init__(self, book: Book, as_of: date, terms: Terms = PLAIN) -> None:
        self.cases = Cases(book, as_of, terms)

    def row(self, claim: Claim) -> VerdictRow:
        """The row of one claim, without a reason if it simply holds."""
        case = self.cases.case(claim)
        if isinstance(case, str):
            return VerdictRow(
                claim=claim.id, verdict=VerdictName.ERROR, value=None, margin=None, unit="", then_value=None,
                then_holds=None, now_holds=None, then_dated=False, reason=case,
            )  # fmt: skip
        then, dated = case.then.reading, case.claim.tense is Tense.DATED
        return VerdictRow(
            claim=claim.id,
            **_found(case),
            then_value=case.shown(then.value),
            then_holds=then.holds,
            then_dated=case.then.dated,
            now_value=case.shown(case.now.reading.value) if dated else None,
            now_holds=case.holds_now,
            reason=self._clashes(case) if case.verdict is VerdictName.HOLDS else self._reason(case),
        )

    def explain(self, claim: Claim, shown_in: Unit | None = None) -> Verdict:
        """The verdict of one claim with its working; `shown_in` is the unit of its value."""
        case = self.cases.case(claim)
        if isinstance(case, str):
            return _broken(claim, self.cases.as_of, case)
        case = replace(case, shown_in=shown_in)
        known = None if case.judged.reading.failure in {"missing", "units"} else case.judged.known
        ranged = None if known is None else case.judged.ranged(known)
        return Verdict(
            **_stated(claim),
            **_found(case),
            severity=severity_of(claim.severity, case.cause),
            expected=expected(case, case.judged.reading),
            then=case.moment(case.then),
            now=case.moment(case.now),
            inputs=inputs(case.judged),
            steps=steps(case),
            flips=flips(case.judged),
            assumed=assumed(case.judged),
            reason=self._reason(case),
            sensitivity=ranged.sensitivities() if ranged else (),
            swings=ranged.swings(case.unit) if ranged else (),
        )

    def _reason(self, case: Case) -> str:
        return " ".join(part for part in (reason(case), self._clashes(case)) if part)

    def _clashes(self, case: Case) -> str:
        """Contradicted claims that also hold; empty if this one does not."""
        others = map(self.cases.terms.find, case.claim.contradicts if case.judged.reading.holds else ())
        clashes = []
        for claim in filter(None, others):
            other = self.cases.case(claim)
            if isinstance(other, Case) and other.judged.reading.holds:
                where = f"{claim.id} of {claim.node}, but both hold"
                clashes.append(f"It is declared to contradict {where}: check whether they are about the same thing.")
        return " ".join(clashes)


def _found(case: Case) -> dict[str, Any]:
    """The fields that a verdict and its row share."""
    ranged = case.judged.state.over_ranges
    return {
        "verdict": case.verdict,
        "value": case.shown(case.judged.reading.value),
        "margin": case.shown(case.judged.reading.margin),
        "unit": case.unit.text,
        "robust": ranged and ranged.robust(case.unit, holds=case.judged.reading.holds is True),
        "cause": case.cause,
        "helps_thesis": case.helps_thesis,
        "oldest_input": case.oldest_input,
    }


def _broken(claim: Claim, as_of: date, why: str) -> Verdict:
    return Verdict(
        **_stated(claim),
        severity=claim.severity,
        verdict=VerdictName.ERROR,
        value=None,
        expected="",
        unit="",
        margin=None,
        then=Moment(as_of=claim.as_of, value=None, holds=None, dated=False),
        now=Moment(as_of=as_of, value=None, holds=None),
        reason=why,
    )


def _stated(claim: Claim) -> dict[str, Any]:
    """The fields of a verdict that its claim states."""
    return {"claim": claim.id, **{name: getattr(claim, name) for name in STATED}}


class Preview(NamedTuple):
    """Expectation of a claim as text, its coming changes by day, and its severity."""

    expected: str
    changes: tuple[VerdictChange, ...]
    severity: ClaimSeverity


class Forecaster:
    """Evaluates claims on a day and on each later day, up to `until`, on which an input changes or that a claim names.

    Each claim is evaluated on all days before the next, so only one claim is in memory.
    """

    def __init__(self, book: Book, as_of: date, until: date, terms: Terms = PLAIN) -> None:
        self._as_of, self._until = as_of, until
        self._days = [as_of, *sorted({day for day in book.borders() if as_of < day <= until})]
        self._on = on = cache(lambda day: Verifier(book, day, terms))
        self._changes = change_days(lambda day: on(day).cases.today, self._days, dated=False)

    def preview(self, claim: Claim) -> Preview:
        """Expectation of a claim on the first day, empty if the claim is broken, and its changes."""
        case = self._on(self._as_of).cases.case(claim)
        if isinstance(case, str):
            return Preview("", (), claim.severity)
        return Preview(expected(case, case.judged.reading), tuple(self._later(claim, case)), claim.severity)

    def _later(self, claim: Claim, case: Case) -> Iterator[VerdictChange]:
        """Each later change of a claim's verdict, by day.

        Days on which it is unverifiable are skipped: that prices were not checked since is no change.
        """
        days = sorted(self._days_of(claim, case))
        if not days:
            return
        found = [(day, self._on(day).row(claim)) for day in (self._as_of, *days)]
        known = [one for one in found[1:] if one[1].verdict is not VerdictName.UNVERIFIABLE]
        for (_, before), (day, after) in pairwise([found[0], *known]):
            if before.verdict is not after.verdict:
                yield VerdictChange.of(claim.id, claim, before, after, day)

    def _days_of(self, claim: Claim, case: Case) -> set[date]:
        """The later days on which the verdict can change; all borders where numbers of the caller or rates come in."""
        cases, once = self._on(self._as_of).cases, program(claim)
        named = {day for day in (claim.as_of, *once.named_days) if self._as_of < day <= self._until}
        if case.program is not once:
            return named.union(self._days[1:])
        return named.union(day for leaf in cases.leaves(once) for day in self._changes(leaf))
