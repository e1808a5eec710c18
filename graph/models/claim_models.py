"""The claims that nodes assert, as authors write them."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field, WithJsonSchema

from graph.models.written_figures import (
    ANY_FORMULA,
    FIGURE,
    GIVEN,
    GivenRange,
    given_pairs,
    schema_mapping,
)
from graph.text.similar_names import did_you_mean
from graph.values import Value
from graph.yaml.reader import Listing, Mapping, Tree, Word, field
from graph.yaml.validation import Day, FromText, Line, Texts, Written, choice, editor_pattern, mistake, parse_integer


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
    """How the node of a claim treats the figure."""

    ENDORSES = "endorses"
    DISPUTES = "disputes"
    REPORTS = "reports"


class Tense(StrEnum):
    """Whether a claim is about every day from its own on, or about one day, price or version."""

    STANDING = "standing"
    DATED = "dated"


class Direction(StrEnum):
    """The direction of the value that strengthens the thesis."""

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
    THEN_UNKNOWN = "then_unknown"


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
        """In words, such as `95% ± 0.5pp` or `at least 60%`; `shown` formats each bound."""
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
    if isinstance(value, Word | Listing):
        raise mistake("yaml-shape", "'allow' must be a mapping from rules to reasons", hint="write rule: reason")
    if not isinstance(value, Mapping):
        return value
    for rule, reason in value.items():
        if isinstance(reason, Listing | Mapping):
            raise mistake("yaml-shape", f"allow.{rule} must be one text, the reason", at=(rule,))
    return tuple((str(rule), str(reason or "").strip()) for rule, reason in value.items())


def _runs(value: object) -> object:
    number = parse_integer(value) if isinstance(value, str) else value
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

    # Claim files are read with this model, which gives their JSON Schema and the fields of the HTTP API, RDF, exports.

    INSTEAD: ClassVar = {"ranges": "write a range under given: {power: {value: 600 W, low: 500 W, high: 700 W}}"}
    """The hint for a field that claims had once."""

    id: Annotated[Line, editor_pattern(r"^[a-z0-9][a-z0-9.-]*$")] = Field(description="The name of the claim, unique.")
    node: Annotated[Line, editor_pattern(r"^[^/]+/.+$")] = Field(description="The node that asserts it: brain/slug.")
    says: Line = Field(description="The claim in one sentence.")
    as_of: Day = Field(description="The day on which the node asserted it.")
    tense: Annotated[Tense, choice(Tense, "claim-tense")] = Field(
        Tense.STANDING,
        description="standing: true from then on, evaluated every day; dated: about a given day, price or version.",
    )
    given: Annotated[tuple[tuple[str, str], ...], FromText(given_pairs, GIVEN)] = Field(
        default_factory=tuple, description="Names, each with its formula, in order; a figure may have a range."
    )
    value: Annotated[Line, WithJsonSchema(ANY_FORMULA, mode="validation")]
    expect: Annotated[Expectation, FromText(_expectation, _EXPECT)]
    because: Line = Field("", description="Why the tolerance is wider than the rounding and the hedge of the words.")
    quote: Line | None = Field(None, description="The words of the node that state the figure.")
    asserted_by: Annotated[Speaker, choice(Speaker, "claim-speaker")] = Field(
        Speaker.AUTHOR,
        description="Who states the figure: a source of the node, its author, or no one (a watch or a cross-check).",
    )
    stance: Annotated[Stance, choice(Stance, "claim-stance")] = Field(
        Stance.ENDORSES, description="How the node treats the figure: it endorses, disputes or reports it."
    )
    helps: Annotated[Direction, choice(Direction, "claim-helps")] | None = Field(
        None, description="The direction of the value that strengthens the thesis: higher or lower."
    )
    severity: Annotated[ClaimSeverity, choice(ClaimSeverity, "claim-severity")] = Field(
        ClaimSeverity.WARNING, description="How much it matters when the claim fails."
    )
    tags: Texts = Field((), description="Tags, as those of notes.")
    owner: Annotated[Line, editor_pattern(r"^[^\s=]{1,80}$")] | None = Field(
        None, description="Who is responsible for the claim: a name with an address for notices in BRAIN_OWNERS."
    )
    for_runs: Annotated[int, FromText(_runs, {"type": "integer", "minimum": 1})] = Field(
        1, description="The number of days in a row before a flag is raised; several runs on one day count once."
    )
    contradicts: Texts = Field((), description="Ids of claims that contradict this one.")
    root: Line | None = Field(
        None, description="The id of the claim that reports the same error of a source; `brain errata` counts it once."
    )
    allow: Annotated[
        tuple[tuple[str, str], ...], FromText(_allow, {"type": "object", "additionalProperties": {"type": "string"}})
    ] = Field((), description="Rules of the linter that do not apply here, each with the reason.")
    note: Line = Field("", description="A note for readers.")
    source: Line | None = Field(None, description="Where the figure is from: an address.")


class Claim(StatedClaim):
    """A claim as it was read.

    `lines` is the line of each formula of the file, by field name, for errors. `broken` says what is wrong with a
    claim that cannot be evaluated (its verdict is `error`); the other fields then contain what could be read.
    """

    ranges: tuple[GivenRange, ...] = Field((), description="The ranges of given figures, by name.")
    place: Place | None = None
    lines: tuple[tuple[str, int], ...] = ()
    broken: str = ""
