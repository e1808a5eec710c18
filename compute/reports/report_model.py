"""What a report tells: the claims of a run with what was found, what turned, what will turn, how old the data are."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from compute.prices.data_freshness import Freshness
from compute.units.number_format import said
from graph.models.claim_models import Claim, Expectation, Run, Side, Verdict, VerdictName, VerdictRow
from graph.problems import Problem
from graph.values import Value

ORDER = (
    VerdictName.REFUTED,
    VerdictName.STALE,
    VerdictName.CONFLICTING,
    VerdictName.ERROR,
    VerdictName.UNVERIFIABLE,
    VerdictName.HOLDS,
)
"""The verdicts in the order in which people want to read them."""


class ReportEntry(Value):
    """One claim with its row; `verdict` carries the working where somebody asked for it.

    `expected` is the bar in words, with the figures that its names stood for; empty where nobody worked it out.
    """

    claim: Claim
    row: VerdictRow
    verdict: Verdict | None = None
    expected: str = ""

    @property
    def bar(self) -> str:
        """What was expected, in words: `95% ± 0.5pp`."""
        return self.expected or expectation_text(self.claim.expect)

    @property
    def value(self) -> str:
        """The value with its unit, a comparison as `true` or `false`; a dash where there is none."""
        if self.row.value is not None and self.claim.expect.bound in {"true", "false"}:
            return "true" if self.row.value else "false"
        return figure(self.row)


class NearestChange(Value):
    """A claim that holds, and the smallest change of a price or an assumption that would turn it.

    `change` is a share of what the input is now: -0.05 is five percent less.
    """

    claim: str
    says: str
    input: str
    now: Decimal
    at: Decimal
    unit: str
    side: Side
    change: Decimal

    @property
    def when(self) -> str:
        """What must come true for the claim to turn: `list below 1.80 USD/Mtok`."""
        return f"{self.input} {self.side or 'at'} {said(self.at, self.unit)}"

    @property
    def moves(self) -> str:
        """The change as people say it: `+2.5%`; `any` where the input stands on the bound."""
        if not self.change:
            return "any"
        sign = "+" if self.change > 0 else ""
        return f"{sign}{said(self.change * 100, '%')}" if abs(self.change) >= _SEEN else f"{sign or '-'}0.01% or less"


_SEEN = Decimal("0.0001")


class ReportChange(Value):
    """A claim that turned between two runs, or will turn on the day `on`; None: it is not in that run."""

    claim: str
    says: str
    before: VerdictName | None
    after: VerdictName | None
    reason: str = ""
    on: date | None = None


class Report(Value):
    """All of it. `entries` are in the order of the claims."""

    run: Run
    entries: tuple[ReportEntry, ...] = ()
    changes: tuple[ReportChange, ...] = ()
    coming: tuple[ReportChange, ...] = ()
    near: tuple[NearestChange, ...] = ()
    ages: tuple[Freshness, ...] = ()
    problems: tuple[Problem, ...] = ()

    def of(self, verdict: VerdictName) -> tuple[ReportEntry, ...]:
        """The entries with a verdict."""
        return tuple(entry for entry in self.entries if entry.row.verdict is verdict)


def figure(row: VerdictRow) -> str:
    """The value of a row with its unit: `97.5%`, `0.05 USD/Mtok`; a dash where there is none."""
    if row.value is None:
        return "–"
    return said(row.value, row.unit)


def expectation_text(expect: Expectation) -> str:
    """What was expected, as its author wrote it: `95% within 0.5pp`, `at least 15`."""
    words = {
        "is": "",
        "at_least": "at least ",
        "at_most": "at most ",
        "between": "between ",
        "times": "",
        "same_as": "",
    }
    text = words[expect.form] + expect.bound
    if expect.form == "times":
        text += " times"
    if expect.form == "same_as":
        text = f"the same as {expect.bound}"
    if expect.upper is not None:
        text += f" and {expect.upper}"
    return f"{text} within {expect.within}" if expect.within is not None else text
