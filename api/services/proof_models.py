"""The result of a proof: the figures of a file with their verdicts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from decimal import Decimal
from typing import Literal

from compute.figures.figure_models import MinedInput, Statement, StatementKind
from compute.figures.statement_writer import without_computed
from compute.linting.rule_table import LintRule
from compute.units.number_format import said
from graph.problems import Problem, Severity
from graph.values import Value

ProofVerdict = Literal["holds", "refuted", "stale", "needs-assumption", "unpriced"]

LONGEST = 200_000
"""The most bytes of a text that is checked over HTTP; the command has no limit."""


class ProofItem(Value):
    """One checked figure: `quote` is its sentence, `line` and `column` (from 1) to `end_column` its place in the file.

    `quote_start` is where the figure begins in the quote (from 0), None where the quote ends before it.

    `stated` and `computed` are numbers in `unit`. `verdict` is `stale` where the figure was right and a price has
    changed since. `claim` is the claim of the brain that speaks of the figure; `draft` is the statement as a claim in
    YAML, where a formula can check it.
    """

    document: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    quote: str
    quote_start: int | None = None
    kind: StatementKind
    expression: str
    inputs: tuple[MinedInput, ...] = ()
    stated: Decimal
    computed: Decimal | None
    unit: str
    verdict: ProofVerdict
    confidence: Decimal
    claim: str | None = None
    note: str = ""
    draft: str | None = None


def checked(items: Iterable[ProofItem]) -> int:
    """How many figures some items are about: one figure can be computed in several ways."""
    return len({(one.document, one.line, one.column) for one in items})


class ProofDocument(Value):
    """A file that was proofread: how many `figures` its prose has, how many were `checked`, and its problems."""

    document: str
    figures: int = 0
    checked: int = 0
    read: bool = True
    problems: tuple[Problem, ...] = ()


class Proof(ProofDocument):
    """The proof of one file: its items by place."""

    items: tuple[ProofItem, ...] = ()

    @property
    def summary(self) -> dict[str, object]:
        """The `ProofDocument` alone."""
        return self.model_dump(exclude={"items"})


RULES = (
    LintRule(
        "figure-refuted", "The figure is wrong by the other figures of the text, or by a dated price.",
        "Correct the figure, or the figures that it follows from: the message has both values and the working.",
        Severity.ERROR,
    ),
    LintRule(
        "figure-stale", "The figure was right once, and a price has changed since.",
        "Bring the figure up to date, or write the day for which it holds.", Severity.WARNING,
    ),
    LintRule(
        "figure-needs-assumption", "The figure cannot be computed from what the text states.",
        "State the missing input, or the day of a price: the message says what its value would have to be.",
        Severity.NOTE,
    ),
    LintRule(
        "figure-unpriced", "No catalogue has the price for that day.",
        "Check the price at its source, or add it with a price card (docs/prices.md).", Severity.NOTE,
    ),
)  # fmt: skip
"""What the verdicts of figures mean, for SARIF."""
_SEVERITIES = {rule.code: Severity(rule.severity) for rule in RULES}


def figures_text(one: ProofItem | Statement) -> str:
    """The stated figure, and the computed one."""
    computed = "" if one.computed is None else f", computed {said(one.computed, one.unit)}"
    return f"stated {said(one.stated, one.unit)}{computed}"


def note_text(one: ProofItem | Statement) -> str:
    """The note, without the computed figure where it is shown next to the stated one."""
    return one.note if one.computed is None else without_computed(one.note)


def findings(proofs: Iterable[Proof], verdicts: Container[str]) -> Iterator[Problem]:
    """The figures of some verdicts that do not hold, as problems with their places."""
    for proof in proofs:
        yield from proof.problems
        for item in proof.items:
            if item.verdict in verdicts and (severity := _SEVERITIES.get(f"figure-{item.verdict}")):
                yield Problem(
                    document=item.document, line=item.line, column=item.column, end_column=item.end_column,
                    severity=severity, code=f"figure-{item.verdict}",
                    message=f"{item.text}: {figures_text(item)}", hint=note_text(item) or None,
                )  # fmt: skip
