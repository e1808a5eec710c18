"""Verdict rules in one table: from a claim's tense, its state on its own day and its state today.

The state of a claim on a day:

    T  it holds, in at least half of the stated ranges of its inputs
    F  it holds nowhere in its ranges
    O  anything between: an assumption, or an input that the words leave open, decides it
    ?  an input is missing, or is for a future day
    S  catalogues differ, and the state depends on which of them is right

Assumptions and inputs that the words leave open have ranges; what the words fix has none, nor do the lowest and highest
price of a market. The verdict has no memory: `runs.flag_rules` has.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal, NamedTuple

from graph.models.claim_models import Tense, VerdictName


class State(StrEnum):
    """State of a claim on a day."""

    TRUE = "T"
    FALSE = "F"
    OPEN = "O"
    UNKNOWN = "?"
    DISPUTED = "S"


class Row(NamedTuple):
    """A row of the table: `then` and `today` are letters of states, None for any state; `when` is a fact."""

    tense: Tense | None
    then: str | None
    today: str | None
    verdict: VerdictName
    when: Literal["texts_differ", "to_come", "accusable"] | None = None

    def fits(self, case: Any) -> bool:  # noqa: ANN401  # a `Case`, which imports this module
        """Whether the row applies to a claim."""
        return (
            self.tense in {None, case.claim.tense}
            and (self.today is None or case.judged.state.state in self.today)
            and (self.then is None or case.then_state in self.then)
            and (self.when is None or getattr(case, self.when))
        )


_DATED, _STANDING = Tense.DATED, Tense.STANDING

ROWS = (
    Row(None, None, None, VerdictName.CONFLICTING, "texts_differ"),
    Row(_DATED, None, None, VerdictName.UNVERIFIABLE, "to_come"),
    Row(_DATED, "T", None, VerdictName.HOLDS),
    Row(_DATED, "O", None, VerdictName.DEPENDS),
    Row(_DATED, "S", None, VerdictName.CONFLICTING),
    Row(_DATED, "?", None, VerdictName.UNVERIFIABLE),
    Row(_DATED, "F", None, VerdictName.REFUTED, "accusable"),
    Row(_DATED, "F", None, VerdictName.UNVERIFIABLE),
    Row(_STANDING, None, "T", VerdictName.HOLDS),
    Row(_STANDING, None, "O", VerdictName.DEPENDS),
    Row(_STANDING, None, "S", VerdictName.CONFLICTING),
    Row(_STANDING, None, "?", VerdictName.UNVERIFIABLE),
    Row(_STANDING, "TO", "F", VerdictName.STALE),
    Row(_STANDING, "F", "F", VerdictName.REFUTED, "accusable"),
    Row(_STANDING, "F", "F", VerdictName.UNVERIFIABLE),
    Row(_STANDING, "?S", "F", VerdictName.STALE),
)
"""The first row that fits gives the verdict; every claim fits one. A claim that is broken has the verdict `error`."""


def row_of(case: Any) -> Row:  # noqa: ANN401  # the same
    """The row of a claim."""
    return next(row for row in ROWS if row.fits(case))
