"""What a proof finds: the figures of a file with their verdicts."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import Literal

from compute.figures.figure_models import MinedInput, StatementKind
from graph.problems import Problem
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


class Proof(Value):
    """The proof of one file: its items by place, and how many figures its prose has."""

    document: str
    items: tuple[ProofItem, ...]
    figures: int
    problems: tuple[Problem, ...] = ()
    read: bool = True

    def only(self, verdicts: Collection[str]) -> Proof:
        """The proof with the items of some verdicts."""
        return self.model_copy(update={"items": tuple(one for one in self.items if one.verdict in verdicts)})

    @property
    def summary(self) -> ProofDocument:
        """The file without its items."""
        return ProofDocument(
            document=self.document,
            figures=self.figures,
            checked=checked(self.items),
            read=self.read,
            problems=self.problems,
        )


class ProofDocument(Value):
    """A file that was proofread: how many `figures` its prose has, how many were `checked`, and its problems."""

    document: str
    figures: int
    checked: int
    read: bool = True
    problems: tuple[Problem, ...] = ()
