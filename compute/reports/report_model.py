"""The content of a report: the claims of a run with results, past and forecast changes, and the data age."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Literal, NamedTuple

from compute.prices.data_freshness import AgedInput, Freshness
from compute.units.number_format import said
from graph.models.claim_models import Cause, Claim, ClaimSeverity, Stance, Tense, VerdictName
from graph.models.verdict_models import QuotePlace, Run, Side, Verdict, VerdictChange, VerdictRow, severity_of
from graph.values import Value

ORDER = (
    VerdictName.REFUTED,
    VerdictName.STALE,
    VerdictName.DEPENDS,
    VerdictName.CONFLICTING,
    VerdictName.ERROR,
    VerdictName.UNVERIFIABLE,
    VerdictName.HOLDS,
)

SOURCE_WRONG = "source-wrong"
"""The word for a refuted figure that its note disputes: the note is right. A stale figure is none: it was true once."""

COUNTED = (*ORDER[:-1], SOURCE_WRONG, VerdictName.HOLDS)  # how verdicts are counted, in display order


def counted_as(verdict: VerdictName | None, stance: Stance | None) -> str:
    """The word in which a verdict on a claim is counted; empty for none."""
    disputed = verdict is VerdictName.REFUTED and stance is Stance.DISPUTES
    return SOURCE_WRONG if disputed else verdict or ""


def verdict_counts(found: Iterable[tuple[VerdictName | None, Stance | None]]) -> dict[str, int]:
    """How many claims have each verdict, in the words and order of `COUNTED`."""
    counts = Counter(counted_as(verdict, stance) for verdict, stance in found)
    return {str(name): counts[name] for name in COUNTED if counts[name]}


class ReportEntry(Value):
    """One claim with its row, its working if requested, its expectation in figures, and where its quote is."""

    claim: Claim
    row: VerdictRow
    verdict: Verdict | None = None
    expected: str = ""
    quoted: QuotePlace | None = None

    @property
    def watched(self) -> bool:
        """Whether nights evaluate the claim again; a dated one is about its own day."""
        return self.claim.tense is Tense.STANDING

    @property
    def severity(self) -> ClaimSeverity:
        """How much it matters that the claim fails."""
        return severity_of(self.claim.severity, self.row.cause)

    @property
    def order(self) -> tuple[bool, int]:
        """The most severe first; last, where it is unknown whether it was ever true."""
        return self.row.cause is Cause.THEN_UNKNOWN, -list(ClaimSeverity).index(self.severity)

    @property
    def expectation_text(self) -> str:
        """The expectation as text: `95% ± 0.5pp`."""
        return self.expected or self.claim.expect.text()

    @property
    def value(self) -> str:
        """The value with its unit, `true` or `false` for a comparison, or a dash."""
        if self.row.value is not None and self.claim.expect.bound in {"true", "false"}:
            return "true" if self.row.value else "false"
        return figure(self.row.value, self.row.unit)


class NearestChange(Value):
    """A claim that holds, and the smallest relative change of an input that changes its verdict; -0.05 is 5% less."""

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
        """The condition that changes the verdict: `list below 1.80 USD/Mtok`."""
        return f"{self.input} {self.side or 'at'} {said(self.at, self.unit)}"

    @property
    def moves(self) -> str:
        """The change as text: `+2.5%`; `any rise` or `any fall` at the bound."""
        if not self.change:
            return at_bound(self.side)
        sign = "+" if self.change > 0 else ""
        return f"{sign}{said(self.change * 100, '%')}" if abs(self.change) >= _SEEN else f"{sign or '-'}0.01% or less"

    @property
    def moves_in_words(self) -> str:
        """The same in a sentence: `a change of +2.5%`, `any fall`."""
        return f"a change of {self.moves}" if self.change else self.moves


def at_bound(side: Side) -> str:
    """The change that matters for an input at its bound: `any rise`, `any fall`."""
    return {"above": "any rise", "below": "any fall", "": "any change"}[side]


_SEEN = Decimal("0.0001")


class FragileClaim(NamedTuple):
    """A claim that holds in less than half of its ranges; of these `input` matters most, if computed."""

    entry: ReportEntry
    input: str | None = None

    @property
    def share(self) -> Decimal:
        """The part of the ranges in which it holds, 0..1."""
        return self.entry.row.robust.share if self.entry.row.robust else Decimal(0)


class ClaimWithoutNote(Value):
    """A claim on a note that does not exist; `now` is the only note with its text."""

    claim: str
    node: str
    says: str
    now: str | None = None

    @property
    def words(self) -> str:
        """What is missing: `notes/a does not exist; its text is in notes/b`."""
        moved = f"; its text is in {self.now}" if self.now else ""
        return f"{self.node} does not exist{moved}"


class Report(Value):
    """A complete report; `entries` are in the order of the claims.

    `before` is the run that `changes` compare with, unless a trial shows what the caller's numbers change, or compares
    with nothing. `known` are claims refuted in an earlier run. `aged` are the inputs
    of verdicts checked too long ago, `ages` those of all catalogues and assumptions. `without_note` are the claims on
    notes that do not exist.
    """

    run: Run
    before: Run | None = None
    compared: Literal["runs", "numbers", "nothing"] = "runs"
    entries: tuple[ReportEntry, ...] = ()
    changes: tuple[VerdictChange, ...] = ()
    coming: tuple[VerdictChange, ...] = ()
    near: tuple[NearestChange, ...] = ()
    fragile: tuple[FragileClaim, ...] = ()
    known: tuple[str, ...] = ()
    aged: tuple[AgedInput, ...] = ()
    ages: tuple[Freshness, ...] = ()
    without_note: tuple[ClaimWithoutNote, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many claims have each verdict, as in `verdict_counts`."""
        return verdict_counts((entry.row.verdict, entry.claim.stance) for entry in self.entries)

    @property
    def watched(self) -> int:
        """How many claims the nights watch."""
        return sum(entry.watched for entry in self.entries)

    @property
    def watch(self) -> str:
        """How many claims the nights evaluate, as text; empty for all."""
        dated = len(self.entries) - self.watched
        return f"{self.watched} standing, {dated} dated (evaluated for their own day only)" if dated else ""

    @property
    def first(self) -> bool:
        """Whether there is no run to compare with, as for the first of a home."""
        return self.compared != "numbers" and self.before is None and not self.changes

    def of(self, verdict: VerdictName) -> tuple[ReportEntry, ...]:
        """The entries with a verdict."""
        return tuple(entry for entry in self.entries if entry.row.verdict is verdict)


def figure(value: Decimal | None, unit: str = "") -> str:
    """A value in its unit: `97.5, "%"` → `97.5%`; `39935.1, "USD"` → `39,935.10 USD`; `60, "x"` → `60×`; None → `–`."""
    return "–" if value is None else said(value, unit)
