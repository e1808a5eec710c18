"""The verdicts of claims, their inputs and working, runs and changes."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Literal, Self

from graph.models.claim_models import Cause, Claim, ClaimSeverity, Direction, Speaker, Stance, Tense, VerdictName
from graph.values import Value


class ProviderOffer(Value):
    """The price of one provider in a market panel; `seen` is the last day on which it was observed."""

    provider: str
    item: str
    value: Decimal
    seen: date
    tier: str = ""
    catalog: str
    source: str | None = None


class MarketPanel(Value):
    """The providers of a market median, the lowest first, and the lowest and highest price."""

    low: Decimal
    high: Decimal
    providers: tuple[ProviderOffer, ...]


class Input(Value):
    """One number that a verdict depends on, with its source and the days for which it is valid."""

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
    panel: MarketPanel | None = None


class Moment(Value):
    """The claim computed on one day: its value, and whether it met the expectation (None: unknown).

    `dated` is whether every price that it reads is dated for that day; None in runs of before version 2 of the rules.
    """

    as_of: date
    value: Decimal | None
    holds: bool | None
    dated: bool | None = None


class QuoteAnchor(Value):
    """Where the quoted words are: characters `start` to `end` of the node's body, on `line` of its document from 1.

    `text` is what is there. `exact` is False where it differs from the words that the claim quotes.
    """

    text: str
    start: int
    end: int
    line: int
    exact: bool = True


class QuotePlace(Value):
    """A quote in the document of its node; `prefix` and `suffix` are the words around it in the node's body.

    Columns count characters from 1; `end_column` is the one after the quote. They and `end_line` are None if the
    document writes the text in another way, as JSON does; the line is then the first of the node.
    """

    anchor: QuoteAnchor
    document: str
    prefix: str = ""
    suffix: str = ""
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


class OldestInput(Value):
    """The price or assumption of a verdict that was checked the longest ago, with its age in days."""

    item: str
    checked: date
    days: int


class Robust(Value):
    """The results for a claim within the stated ranges of its inputs.

    `share` (0..1) is the part of the `points` in which it holds, those where it is `undefined` included. The
    percentiles are of the value where it is defined, in the unit of the verdict; a comparison has none. `fragile`: it
    holds at the stated figures, and in less than half of their ranges, so the verdict is `depends`.
    """

    share: Decimal
    p05: Decimal | None = None
    p50: Decimal | None = None
    p95: Decimal | None = None
    points: int = 0
    undefined: int = 0
    fragile: bool = False


class Sensitivity(Value):
    """The total-order Sobol index (0..1) of one input: the part of the value's variance in which it takes part."""

    input: str
    total: Decimal


class Swing(Value):
    """The value of a claim at both ends of the range of one input, in the unit of the verdict, all others unchanged.

    `low` and `high` are the ends, in `unit`. A value is None where it is undefined.
    """

    input: str
    unit: str
    low: Decimal
    high: Decimal
    at_low: Decimal | None
    at_high: Decimal | None


Side = Literal["above", "below", ""]


class Flip(Value):
    """The value of one input at which the verdict changes, all others unchanged; `at` None: at no possible value.

    `side` is where the verdict differs: above `at`, or below. `note` says which values are possible, or that the
    value is outside the range of an assumption.
    """

    input: str
    at: Decimal | None
    unit: str
    side: Side = ""
    note: str = ""


class Step(Value):
    """One step of the calculation: what was computed, from which text, with which result."""

    name: str
    text: str
    value: Decimal | None
    unit: str


class Verdict(Value):
    """The result for one claim in one run. `margin` is the distance from the bound, negative when missed.

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
    quote: QuoteAnchor | None = None
    asserted_by: Speaker = Speaker.AUTHOR
    stance: Stance = Stance.ENDORSES
    tense: Tense = Tense.STANDING
    helps: Direction | None = None
    cause: Cause | None = None
    helps_thesis: bool | None = None
    oldest_input: OldestInput | None = None
    robust: Robust | None = None
    sensitivity: tuple[Sensitivity, ...] = ()
    swings: tuple[Swing, ...] = ()
    run: int | None = None
    evaluated_at: datetime | None = None

    @property
    def moments(self) -> tuple[tuple[str, Moment], ...]:
        """Both days with their names; today is only information if the claim is dated."""
        return ("then", self.then), ("now" if self.tense is Tense.STANDING else "today, for information", self.now)


_COMPUTED = {"severity", "value", "quote"}
STATED = tuple(name for name in Verdict.model_fields if name in Claim.model_fields.keys() - _COMPUTED)
"""The fields that a verdict takes from its claim without change."""


class VerdictRow(Value):
    """The row of a verdict in the ledger: all that a rerun must reproduce, byte for byte; `explain` computes the rest.

    `value`, `margin` and `robust` are of the judged day: the own day of a dated claim, else the day of the run. The
    value of a dated claim on the day of the run is in `now_value`, for information.
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
    then_dated: bool | None = None
    cause: Cause | None = None
    helps_thesis: bool | None = None
    oldest_input: OldestInput | None = None
    robust: Robust | None = None
    now_value: Decimal | None = None


FURTHER_ROW_FIELDS = ("then_dated", "cause", "helps_thesis", "oldest_input", "robust", "now_value")
"""Fields of a row that the ledger stores together as JSON; rows of earlier versions have none."""


METHOD = 8  # the version of the rules for verdicts; runs of an earlier one are not computed again


def severity_of(stated: ClaimSeverity, cause: Cause | None) -> ClaimSeverity:
    """The severity: `info` if the claim may never have been true."""
    return ClaimSeverity.INFO if cause is Cause.THEN_UNKNOWN else stated


def is_present(day: date, at: datetime) -> bool:
    """Whether a day is today in UTC, or in a zone east of it."""
    today = (at.astimezone(UTC) if at.tzinfo else at).date()
    return 0 <= (day - today).days <= 1


REPLAYED = "computed afterwards"  # the note of a run for a past day, see `Run.replayed`


class Run(Value):
    """One evaluation of all claims: `as_of` is the day computed for, `started_at` when the service did it (UTC).

    `snapshot` is the hash of the catalogue, `rules` the hash of the claims, families, assumptions and decisions
    used; `code` the version of the program; `counts` the verdicts by name. `method` is the version of the rules for
    verdicts by which it was made.
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
    method: int = 1

    @property
    def of_its_day(self) -> bool:
        """Whether it was made on its day, or replays it."""
        return self.replayed or is_present(self.as_of, self.started_at)

    @property
    def replayed(self) -> bool:
        """Whether `brain replay` made it afterwards, with the claims of then."""
        return REPLAYED in self.notes


class RunNote(Value):
    """A note of a run on the documents of a brain (None: an unknown one); notes for every reader are plain texts."""

    text: str
    brain: str | None


class RunPart(Value):
    """The inputs of a run for the claims of a private brain; see `Run`."""

    run: int = 0
    brain: str
    snapshot: str
    rules: str


class VerdictChange(Value):
    """The verdict of a claim before and after, with its values in `unit`.

    A verdict is None in a run that does not have the claim. `on` is the day of a future change. `margin`, `cause` and
    `helps_thesis` are those of the verdict after it; the report of a run gives as cause what moved since the run
    before, if the verdict has no cause or only a change of source. `corrected`: nothing moved since the run before, and
    a price was corrected; only the report of a run says so. `quote` are the words that it quotes.
    """

    claim: str
    node: str = ""
    says: str = ""
    before: VerdictName | None
    after: VerdictName | None
    value_before: Decimal | None = None
    value_after: Decimal | None = None
    unit: str = ""
    reason: str = ""
    on: date | None = None
    quote: str | None = None
    margin: Decimal | None = None
    cause: Cause | None = None
    corrected: bool = False
    helps_thesis: bool | None = None

    @classmethod
    def of(
        cls, name: str, claim: Claim | None, before: VerdictRow | None, after: VerdictRow | None, on: date | None = None
    ) -> Self:
        """The change between rows; `claim` is None if no document states it."""
        # a claim that was true until now does not get the cause that its state on its own day is unknown
        held = before is not None and before.verdict is VerdictName.HOLDS
        cause = after.cause if after else None
        return cls(
            claim=name,
            node=claim.node if claim else "",
            says=claim.says if claim else "",
            before=before.verdict if before else None,
            after=after.verdict if after else None,
            value_before=before.value if before else None,
            value_after=after.value if after else None,
            unit=(after.unit if after else "") or (before.unit if before else ""),
            reason=after.reason if after else "the claim no longer exists",
            on=on,
            quote=claim.quote if claim else None,
            margin=after.margin if after else None,
            cause=None if held and cause is Cause.THEN_UNKNOWN else cause,
            helps_thesis=after.helps_thesis if after else None,
        )
