"""What a report tells: the claims of a run with what was found, what turned, what will turn, how old the data are."""

from __future__ import annotations

from datetime import date

from compute.freshness import Freshness
from compute.shown import behind
from graph.claims import Claim, Expectation, Row, Run, Verdict, VerdictName
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


class Entry(Value):
    """One claim with its row; `verdict` carries the working where somebody asked for it."""

    claim: Claim
    row: Row
    verdict: Verdict | None = None


class Change(Value):
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
    entries: tuple[Entry, ...] = ()
    changes: tuple[Change, ...] = ()
    coming: tuple[Change, ...] = ()
    ages: tuple[Freshness, ...] = ()
    problems: tuple[Problem, ...] = ()

    def of(self, verdict: VerdictName) -> tuple[Entry, ...]:
        """The entries with a verdict."""
        return tuple(entry for entry in self.entries if entry.row.verdict is verdict)


def figure(row: Row) -> str:
    """The value of a row with its unit: `97.5%`, `0.05 USD/Mtok`; a dash where there is none."""
    if row.value is None:
        return "–"
    return f"{row.value}{behind(row.value, row.unit)}"


def bar(expect: Expectation) -> str:
    """What was expected, in words: `95% within 0.5pp`, `at least 15`."""
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
