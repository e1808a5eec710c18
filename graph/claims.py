"""What a node asserts, and what was found about it: the claim as written, the verdict as made."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Literal, NamedTuple

from graph.values import Value


class ClaimSeverity(StrEnum):
    """How much it matters when the claim fails."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"


class VerdictName(StrEnum):
    """What may be found; the meanings are in the README's table and nowhere else differ."""

    HOLDS = "holds"
    STALE = "stale"
    REFUTED = "refuted"
    UNVERIFIABLE = "unverifiable"
    CONFLICTING = "conflicting"
    ERROR = "error"


class Expectation(Value):
    """The bar as its author wrote it, each field a formula or a figure with its unit; exactly one form is used.

    `is` with `within`; `at_least`; `at_most`; `between` (two bounds); `times` (a ratio, with `within`);
    `same_as` (another claim's id, with `within`).
    """

    form: Literal["is", "at_least", "at_most", "between", "times", "same_as"]
    bound: str
    upper: str | None = None
    within: str | None = None


class Place(Value):
    """Where something was written: document, and line from 1."""

    document: str
    line: int | None = None


class Claim(Value):
    """A figure of the argument as a formula. `given` binds names in order; `value` is computed from them.

    `as_of` is the day on which the node asserted it; `for_runs` how many runs a verdict must stand before a flag
    goes up; `lines` the line of each field of the file, by field name, for errors. `broken` says what is wrong with a
    claim that cannot be evaluated (its verdict is `error`); the other fields then hold what could be read.
    """

    id: str
    node: str
    says: str
    as_of: date
    given: tuple[tuple[str, str], ...] = ()
    value: str
    expect: Expectation
    severity: ClaimSeverity = ClaimSeverity.WARNING
    tags: tuple[str, ...] = ()
    for_runs: int = 1
    contradicts: tuple[str, ...] = ()
    note: str = ""
    source: str | None = None
    place: Place | None = None
    lines: tuple[tuple[str, int], ...] = ()
    broken: str = ""


class Input(Value):
    """One number that a verdict rests on, with where it came from and for how long it holds."""

    name: str
    value: Decimal | None
    unit: str
    kind: Literal["price", "assumption", "literal"]
    item: str | None = None
    component: str | None = None
    catalog: str | None = None
    source: str | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    checked: date | None = None
    note: str = ""


class Moment(Value):
    """The claim computed on one day: its value, and whether it met the bar (None: cannot be known)."""

    as_of: date
    value: Decimal | None
    holds: bool | None


Side = Literal["above", "below", ""]


class Flip(Value):
    """The value of one input, all others as they are, at which the verdict turns; `at` None: at no possible value.

    `side` is where the verdict is another: above `at`, or below. `note` says what was taken as possible, or that the
    value lies outside the range of an assumption.
    """

    input: str
    at: Decimal | None
    unit: str
    side: Side = ""
    note: str = ""


class Step(Value):
    """One line of the working: what was computed, from which text, to which figure."""

    name: str
    text: str
    value: Decimal | None
    unit: str


class Verdict(Value):
    """What was found about one claim in one run. `margin` is the distance from the bound, negative when missed.

    `assumed` is the share (0..1) of the inputs' influence on the value that comes from assumptions.
    """

    claim: str
    node: str
    says: str
    verdict: VerdictName
    severity: ClaimSeverity
    value: Decimal | None
    expected: str
    unit: str
    margin: Decimal | None
    then: Moment
    now: Moment
    inputs: tuple[Input, ...] = ()
    steps: tuple[Step, ...] = ()
    flips: tuple[Flip, ...] = ()
    assumed: Decimal | None = None
    reason: str = ""
    run: int | None = None
    evaluated_at: datetime | None = None


class Row(Value):
    """What the ledger keeps of a verdict: all that a rerun must give again, byte for byte.

    The working, inputs and flips are a function of the claim, the snapshot and the day, so they are computed again
    when somebody asks (`explain`) and not stored a second time.
    """

    claim: str
    verdict: VerdictName
    value: Decimal | None
    margin: Decimal | None
    unit: str
    then_value: Decimal | None
    then_holds: bool | None
    now_holds: bool | None
    reason: str = ""


class Finding(NamedTuple):
    """A row in short, of which a run may have a million: what was found is shared by claims with equal formulas.

    Only the id and the reason are the claim's own; those of `shared` say nothing.
    """

    claim: str
    shared: Row
    reason: str

    @property
    def row(self) -> Row:
        """The row, whole; made without validation, as its fields have been in a row already."""
        row, told = Row.__new__(Row), self.shared.__dict__.copy()
        told["claim"], told["reason"] = self.claim, self.reason
        _WRITE(row, "__dict__", told)
        _WRITE(row, "__pydantic_fields_set__", _ROW_FIELDS)
        _WRITE(row, "__pydantic_extra__", None)
        _WRITE(row, "__pydantic_private__", None)
        return row


_ROW_FIELDS = set(Row.model_fields)
_WRITE = object.__setattr__


class Run(Value):
    """One evaluation of all claims: `as_of` is the day computed for, `started_at` when the service did it (UTC).

    `snapshot` is the hash of the catalogue, `rules` the hash of claims, families, assumptions and decisions as they
    were; `code` the version of the program; `counts` the verdicts by name.
    """

    id: int
    as_of: date
    started_at: datetime
    finished_at: datetime
    code: str
    snapshot: str
    rules: str
    counts: dict[str, int]
    notes: tuple[str, ...] = ()
