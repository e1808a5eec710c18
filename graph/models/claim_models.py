"""The claims that nodes assert, and their verdicts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, WithJsonSchema

from graph.models.written_figures import (
    ANY_FORMULA,
    FIGURE,
    GIVEN,
    RANGES,
    GivenRange,
    given_pairs,
    named_ranges,
    schema_mapping,
)
from graph.text.similar_names import did_you_mean
from graph.values import Value
from graph.yaml import (
    Day,
    FromText,
    Line,
    Listing,
    Mapping,
    Texts,
    Tree,
    Word,
    Written,
    choice,
    field,
    mistake,
    patterned,
    whole_number,
)


class ClaimSeverity(StrEnum):
    """How much it matters when the claim fails."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"


class Speaker(StrEnum):
    """Who states the figure of a claim."""

    SOURCE = "source"
    AUTHOR = "author"
    NOBODY = "nobody"


class Stance(StrEnum):
    """What the node of a claim makes of the figure."""

    ENDORSES = "endorses"
    DISPUTES = "disputes"
    REPORTS = "reports"


class Direction(StrEnum):
    """Which way a value may move to strengthen the thesis."""

    HIGHER = "higher"
    LOWER = "lower"


class VerdictName(StrEnum):
    """The verdicts; the table in the README defines them."""

    HOLDS = "holds"
    STALE = "stale"
    REFUTED = "refuted"
    DEPENDS = "depends"
    UNVERIFIABLE = "unverifiable"
    CONFLICTING = "conflicting"
    ERROR = "error"


class Cause(StrEnum):
    """Why a claim does not hold."""

    MISCALCULATED = "miscalculated"
    CONTRADICTED = "contradicted"
    PRICE_MOVED = "price_moved"
    FAMILY_MOVED = "family_moved"
    SOURCE_CHANGED = "source_changed"
    SOURCES_DIFFER = "sources_differ"
    FORECAST_MISSED = "forecast_missed"


class Expectation(Value):
    """The expectation as its author wrote it, each field a formula or a figure with its unit; exactly one form is used.

    `is` with `within`; `at_least`; `at_most`; `between` (two bounds); `times` (a ratio, with `within`);
    `same_as` (another claim's id, with `within`).
    """

    form: Literal["is", "at_least", "at_most", "between", "times", "same_as"]
    bound: str
    upper: str | None = None
    within: str | None = None

    def text(self, shown: Callable[[str], str] = str) -> str:
        """The expectation in words, such as `95% ± 0.5pp` or `at least 60%`; `shown` formats each bound."""
        bound, around = shown(self.bound), f" ± {shown(self.within)}" if self.within else ""
        match self.form:
            case "at_least" | "at_most":
                return f"{self.form.replace('_', ' ')} {bound}"
            case "between":
                both = f"{bound} and {shown(self.upper)}" if self.upper else bound.replace("..", " and ")
                return f"between {both}"
            case "times":
                return f"{bound.removesuffix('x')}×{around}"
            case "same_as":
                return f"the same as {bound}{around}"
        return bound + around


class Place(Value):
    """Where something was written: document, and line from 1."""

    document: str
    line: int | None = None


_FORMS = ("is", "at_least", "at_most", "between", "times", "same_as")
_TOLERANT = frozenset({"is", "times", "same_as"})


def _expectation(value: object) -> object:
    """An expectation as its author writes it, such as `{is: 95%, within: 0.5pp}`, as its fields."""
    if isinstance(value, Word | Listing):
        hint = "for example {is: 95%, within: 0.5pp} or {at_least: 60%}"
        raise mistake("claim-expect", "'expect' must be a mapping", hint=hint)
    return _form(value) if isinstance(value, Mapping) else value


def _form(value: Mapping) -> dict[str, object]:
    unknown = next((name for name in value if name not in {*_FORMS, "within"}), None)
    if unknown is not None:
        hint = did_you_mean(unknown, (*_FORMS, "within")) or "one of " + ", ".join(_FORMS)
        raise mistake("unknown-key", f"'expect' has no {str(unknown)!r}", hint=hint, at=(unknown,), key=True)
    forms = [form for form in _FORMS if form in value]
    if len(forms) != 1:
        found = " and ".join(forms) or "none"
        raise mistake("claim-expect", f"'expect' takes one of {', '.join(_FORMS)}; it has {found}")
    form = forms[0]
    if "within" in value and form not in _TOLERANT:
        raise mistake("claim-expect", f"'within' does not go with {form!r}", at=("within",), key=True)
    bounds = _bounds(form, field(value, form))
    within = _bound("within", field(value, "within")) if "within" in value else None
    return {"form": form, "bound": bounds[0], "upper": bounds[1], "within": within}


def _bounds(form: str, tree: Tree) -> tuple[str, str | None]:
    if form != "between":
        return _bound(form, tree), None
    if isinstance(tree, list) and len(tree) == 2:
        return _bound(form, tree[0], 0), _bound(form, tree[1], 1)
    if isinstance(tree, Word) and ".." in tree:
        return tree.strip(), None
    raise mistake("claim-expect", "'between' takes two bounds", hint="[40%, 60%] or 40%..60%", at=(form,))


def _bound(form: str, tree: Tree, *index: int) -> str:
    if not isinstance(tree, Word):
        raise mistake("yaml-shape", f"expect.{form} must be one formula", at=(form, *index))
    return tree.strip()


def _allow(value: object) -> object:
    """Rules of the linter with the reasons for which they do not apply, as pairs in the order written."""
    if isinstance(value, Word | Listing):
        raise mistake("yaml-shape", "'allow' must be a mapping from rules to reasons", hint="write rule: reason")
    if not isinstance(value, Mapping):
        return value
    for rule, reason in value.items():
        if isinstance(reason, Listing | Mapping):
            raise mistake("yaml-shape", f"allow.{rule} must be one text, the reason", at=(rule,))
    return tuple((str(rule), str(reason or "").strip()) for rule, reason in value.items())


def _runs(value: object) -> object:
    number = whole_number(value) if isinstance(value, str) else value
    if not number:
        raise mistake("claim-runs", "'for_runs' is a number of runs from 1")
    return number


_EXPECT = schema_mapping(
    "What is expected of the value: exactly one of the forms.",
    {
        "is": {**FIGURE, "description": "This figure, within a tolerance."},
        "within": {**FIGURE, "description": "The tolerance of is, times and same_as; inclusive."},
        "at_least": FIGURE,
        "at_most": FIGURE,
        "between": {
            "anyOf": [{"type": "array", "items": FIGURE, "minItems": 2, "maxItems": 2}, {"type": "string"}],
            "description": "Two bounds, inclusive.",
        },
        "times": {**FIGURE, "description": "A ratio."},
        "same_as": {"type": "string", "description": "The id of another claim."},
    },
)


class StatedClaim(Written):
    """A figure of the argument as a formula."""

    # What an author writes: claim files are read with this model, which also gives their JSON Schema. The HTTP API,
    # RDF and the exports take their fields from here.

    id: Annotated[Line, patterned(r"^[a-z0-9][a-z0-9.-]*$")] = Field(description="The name of the claim, unique.")
    node: Annotated[Line, patterned(r"^[^/]+/.+$")] = Field(description="The node that asserts it: brain/slug.")
    says: Line = Field(description="The claim in one sentence.")
    as_of: Day = Field(description="The day on which the node asserted it.")
    given: Annotated[tuple[tuple[str, str], ...], FromText(given_pairs, GIVEN)] = Field(
        default_factory=tuple, description="Names, each with its formula, in order; a figure may have a range."
    )
    ranges: Annotated[tuple[GivenRange, ...], FromText(named_ranges, RANGES)] = Field(
        (), description="The ranges of given figures, by name; they may also be written under given."
    )
    value: Annotated[Line, WithJsonSchema(ANY_FORMULA, mode="validation")]
    expect: Annotated[Expectation, FromText(_expectation, _EXPECT)]
    quote: Line | None = Field(None, description="The words of the node that state the figure.")
    asserted_by: Annotated[Speaker, choice(Speaker, "claim-speaker")] = Field(
        Speaker.AUTHOR,
        description="Who states the figure: a source of the node, its author, or nobody (a watch or a cross-check).",
    )
    stance: Annotated[Stance, choice(Stance, "claim-stance")] = Field(
        Stance.ENDORSES, description="What the node makes of the figure: it endorses, disputes or reports it."
    )
    helps: Annotated[Direction, choice(Direction, "claim-helps")] | None = Field(
        None, description="Which way the value may move to strengthen the thesis: higher or lower."
    )
    severity: Annotated[ClaimSeverity, choice(ClaimSeverity, "claim-severity")] = Field(
        ClaimSeverity.WARNING, description="How much it matters when the claim fails."
    )
    tags: Texts = Field((), description="Tags, as those of notes.")
    for_runs: Annotated[int, FromText(_runs, {"type": "integer", "minimum": 1})] = Field(
        1, description="The number of days in a row before a flag is raised; several runs on one day count once."
    )
    contradicts: Texts = Field((), description="Ids of claims that cannot hold as well.")
    root: Line | None = Field(
        None, description="The id of the claim that reports the same error of a source; `brain errata` counts it once."
    )
    allow: Annotated[
        tuple[tuple[str, str], ...], FromText(_allow, {"type": "object", "additionalProperties": {"type": "string"}})
    ] = Field((), description="Rules of the linter that do not apply here, each with the reason.")
    note: Line = Field("", description="A remark.")
    source: Line | None = Field(None, description="Where the figure is from: an address.")


class Claim(StatedClaim):
    """A claim as it was read.

    `lines` is the line of each formula of the file, by field name, for errors. `broken` says what is wrong with a
    claim that cannot be evaluated (its verdict is `error`); the other fields then contain what could be read.
    """

    place: Place | None = None
    lines: tuple[tuple[str, int], ...] = ()
    broken: str = ""


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
    """A quote in the document of its node, and the words around it (`prefix` and `suffix`, parts of the node's body).

    The quote ends before `end_column` of `end_line`. Columns count characters from 1. They and `end_line` are None if
    the document writes the text in another way, as JSON does; the line is then the first of the node.
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
    """How a claim fares within the stated ranges of its inputs.

    `share` (0..1) is the part of the `points` in which it holds, those where it is `undefined` included. The
    percentiles are of the value where it is defined, in the unit of the verdict; a comparison has none. `points` is 0
    where the result has a closed form. `fragile`: it holds, and in less than half of the ranges.
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
    helps: Direction | None = None
    cause: Cause | None = None
    helps_thesis: bool | None = None
    oldest_input: OldestInput | None = None
    robust: Robust | None = None
    sensitivity: tuple[Sensitivity, ...] = ()
    swings: tuple[Swing, ...] = ()
    run: int | None = None
    evaluated_at: datetime | None = None


class VerdictRow(Value):
    """What the ledger stores of a verdict: all that a rerun must reproduce, byte for byte.

    The calculation steps, inputs and flips are a function of the claim, the snapshot and the day, so they are not
    stored: `explain` computes them again.
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


FURTHER_ROW_FIELDS = ("then_dated", "cause", "helps_thesis", "oldest_input", "robust")
"""The fields of a row that the ledger stores together as JSON; a row of an earlier version has none of them."""


METHOD = 2
"""The version of the rules by which verdicts are made.

1: the verdicts of two days. 2: the presumption of innocence, ranges, causes and anchored quotes.
"""


class ClaimFinding(NamedTuple):
    """A compact row, as a run may have a million: claims with equal formulas share the result.

    Only the id and the reason belong to the claim; ignore those of `shared`.
    """

    claim: str
    shared: VerdictRow
    reason: str

    @property
    def row(self) -> VerdictRow:
        """The complete row, made without validation, as its fields come from a validated row."""
        row, told = VerdictRow.__new__(VerdictRow), self.shared.__dict__.copy()
        told["claim"], told["reason"] = self.claim, self.reason
        _WRITE(row, "__dict__", told)
        _WRITE(row, "__pydantic_fields_set__", _ROW_FIELDS)
        _WRITE(row, "__pydantic_extra__", None)
        _WRITE(row, "__pydantic_private__", None)
        return row


_ROW_FIELDS = set(VerdictRow.model_fields)
_WRITE = object.__setattr__


def is_present(day: date, at: datetime) -> bool:
    """Whether a day is today at a time: today in UTC, or the next day, which has begun in zones east of UTC."""
    today = (at.astimezone(UTC) if at.tzinfo else at).date()
    return 0 <= (day - today).days <= 1


class Run(Value):
    """One evaluation of all claims: `as_of` is the day computed for, `started_at` when the service did it (UTC).

    `snapshot` is the hash of the catalogue, `rules` the hash of the claims, families, assumptions and decisions
    used; `code` the version of the program; `counts` the verdicts by name. `method` is the version of the rules for
    verdicts by which it was made: a run is computed again by the rules of its own day.
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
        """Whether it was made on the day that it is for, see `is_present`; others look back or ahead."""
        return is_present(self.as_of, self.started_at)
