"""Claims from YAML: a list, or a mapping with the list under `claims`.

    claims:
      - id: batch-halves-the-price
        node: acme/batch
        says: A request in the batch queue costs half of the same request at once.
        as_of: 2025-02-01
        given:
          now:   price("acme/large", "input")
          later: price("acme/large", "input", processing="batch")
        value: later / now
        expect: {is: 50%, within: 1pp}

Every claim of the file comes out. One that cannot be evaluated comes out with `broken` saying why, beside a problem
with line and caret; it never stops the rest.
"""

from __future__ import annotations

from datetime import date

from compute.expect import FieldError
from compute.program import program
from compute.yamls import Fields, Mark, Sheet, entries, read
from graph.claims import Claim, ClaimSeverity, Expectation, Place
from graph.likeness import did_you_mean
from graph.problems import Problem
from graph.problems import Severity as Weight

KNOWN = (
    "id", "node", "says", "as_of", "given", "value", "expect", "severity", "tags", "for_runs", "contradicts", "note",
    "source",
)  # fmt: skip
FORMS = ("is", "at_least", "at_most", "between", "times", "same_as")
_TOLERANT = frozenset({"is", "times", "same_as"})


_UNREAD = Expectation(form="is", bound="")


def load(document: str, text: str) -> tuple[list[Claim], list[Problem]]:
    """The claims of a file, and what its author should look at."""
    root, sheet = read(document, text)
    claims: list[Claim] = []
    taken: dict[str, int] = {}
    seen = 0
    for fields in entries(root, sheet, "claims", KNOWN):
        start = seen if fields.broken else len(sheet.problems)  # an unknown field is told before the entry is read
        claims.append(_Draft(fields, sheet, taken).claim(start))
        seen = len(sheet.problems)
    return claims, sheet.problems


class _Draft:
    """One claim being read; `taken` are the ids before it with their lines."""

    def __init__(self, fields: Fields, sheet: Sheet, taken: dict[str, int]) -> None:
        self._fields, self._sheet, self._taken = fields, sheet, taken
        self._marks: dict[str, Mark] = {}

    def claim(self, start: int) -> Claim:
        """The claim, whatever is wrong with it: `broken` is the first of its problems, which stand from `start` on."""
        found = self._read()
        self._compare(found)
        if not self._fields.broken:
            self._compile(found)
        errors = [problem for problem in self._sheet.problems[start:] if problem.severity is Weight.ERROR]
        return found.model_copy(update={"broken": errors[0].message}) if errors else found

    def _compare(self, claim: Claim) -> None:
        """A claim that is compared with itself would always hold."""
        if claim.expect.form == "same_as" and claim.expect.bound == claim.id:
            self._fields.fail(self._marks.get("expect.same_as"), f"the claim {claim.id} is compared with itself",
                              code="claim-expect", hint="name the other claim")  # fmt: skip

    def _read(self) -> Claim:
        fields, line = self._fields, self._fields.mark.line
        as_of = fields.day("as_of", need=True)
        return Claim(
            id=self._id(),
            node=fields.text("node", need=True) or "",
            says=fields.text("says", need=True) or "",
            as_of=as_of or date.min,
            given=self._given(),
            value=self._formula("value", fields.need("value")) or "",
            expect=self._expect() or _UNREAD,
            severity=self._severity(),
            tags=self._texts("tags"),
            for_runs=self._runs(),
            contradicts=self._texts("contradicts"),
            note=fields.text("note") or "",
            source=fields.text("source"),
            place=Place(document=self._sheet.document, line=line),
            lines=tuple((name, mark.line) for name, mark in self._marks.items()),
        )

    def _id(self) -> str:
        line = self._fields.mark.line
        name = self._fields.text("id", need=True) or f"unnamed-line-{line}"
        if name in self._taken:
            first = self._taken[name]
            self._fields.fail(self._fields.at("id"), f"the id {name!r} stands in line {first} already", code="claim-id")
            name = f"{name}-line-{line}"
        self._taken[name] = line
        return name

    def _formula(self, name: str, mark: Mark | None) -> str | None:
        """A formula, or a plain figure, as it was written."""
        if mark is None:
            return None
        if not isinstance(mark.value, str):
            self._fields.fail(mark, f"{name} must be one formula", code="yaml-shape")
            return None
        self._marks[name] = mark
        return mark.value.strip()

    def _given(self) -> tuple[tuple[str, str], ...]:
        mark = self._fields.at("given")
        if mark is None:
            return ()
        if not isinstance(mark.value, dict):
            self._fields.fail(mark, "'given' must be a mapping from names to formulas", code="yaml-shape")
            return ()
        named = [(name, self._formula(f"given.{name}", below)) for name, below in mark.value.items()]
        return tuple((name, text) for name, text in named if text is not None)

    def _expect(self) -> Expectation | None:
        mark = self._fields.need("expect")
        if mark is None:
            return None
        if not isinstance(mark.value, dict):
            hint = "for example {is: 95%, within: 0.5pp} or {at_least: 60%}"
            self._fields.fail(mark, "'expect' must be a mapping", code="claim-expect", hint=hint)
            return None
        return self._form(mark, mark.value)

    def _form(self, mark: Mark, values: dict[str, Mark]) -> Expectation | None:
        for name in values:
            if name not in {*FORMS, "within"}:
                hint = did_you_mean(name, (*FORMS, "within")) or "one of " + ", ".join(FORMS)
                self._fields.fail(mark.keys[name], f"'expect' has no {name!r}", code="unknown-key", hint=hint)
        forms = [form for form in FORMS if form in values]
        if len(forms) != 1:
            told = " and ".join(forms) or "none"
            self._fields.fail(mark, f"'expect' takes one of {', '.join(FORMS)}; it has {told}", code="claim-expect")
            return None
        form = forms[0]
        if "within" in values and form not in _TOLERANT:
            self._fields.fail(mark.keys["within"], f"'within' does not go with {form!r}", code="claim-expect")
        bounds = self._bounds(form, values[form])
        within = self._formula("expect.within", values.get("within"))
        if bounds is None:
            return None
        return Expectation.model_validate({"form": form, "bound": bounds[0], "upper": bounds[1], "within": within})

    def _bounds(self, form: str, mark: Mark) -> tuple[str, str | None] | None:
        name = f"expect.{form}"
        if form != "between":
            text = self._formula(name, mark)
            return None if text is None else (text, None)
        pair = mark.items()
        if len(pair) == 2:
            low, high = self._formula(name, pair[0]), self._formula(f"{name}.upper", pair[1])
            return None if low is None or high is None else (low, high)
        if isinstance(mark.value, str) and ".." in mark.value:
            return self._formula(name, mark) or "", None
        self._fields.fail(mark, "'between' takes two bounds", code="claim-expect", hint="[40%, 60%] or 40%..60%")
        return None

    def _severity(self) -> ClaimSeverity:
        text = self._fields.text("severity")
        if text is None:
            return ClaimSeverity.WARNING
        if text not in set(ClaimSeverity):
            hint = did_you_mean(text, list(ClaimSeverity)) or "one of " + ", ".join(ClaimSeverity)
            self._fields.fail(self._fields.at("severity"), f"{text!r} is no severity", code="claim-severity", hint=hint)
            return ClaimSeverity.WARNING
        return ClaimSeverity(text)

    def _texts(self, name: str) -> tuple[str, ...]:
        mark = self._fields.at(name)
        if mark is None:
            return ()
        listed = mark.items() or (mark,)
        texts = tuple(entry.value.strip() for entry in listed if isinstance(entry.value, str))
        if len(texts) != len(listed):
            self._fields.fail(mark, f"{name!r} must be a list of texts", code="yaml-shape")
        return texts

    def _runs(self) -> int:
        mark, runs = self._fields.at("for_runs"), self._fields.whole("for_runs")
        if mark is not None and not runs:
            self._fields.fail(mark, "'for_runs' is a number of runs from 1", code="claim-runs")
        return runs or 1

    def _compile(self, claim: Claim) -> None:
        try:
            found = program(claim)
        except FieldError as error:
            self._point(error)
            return
        for name in found.unused:
            self._sheet.complain(
                self._marks.get(f"given.{name}"), f"{name!r} is given and nothing uses it", code="claim-unused",
                severity=Weight.WARNING,
            )  # fmt: skip
        bar = found.bar
        if bar.relative and bar.bound is not None and bar.bound.unit is not None and bar.bound.unit.share:
            self._sheet.complain(
                self._marks.get("expect.within"), "a tolerance in % of a percentage is a share of it, not points",
                code="claim-tolerance", severity=Weight.WARNING, hint="write pp for percentage points",
            )  # fmt: skip

    def _point(self, error: FieldError) -> None:
        """A problem with the caret at the place inside the formula."""
        mark = self._marks.get(error.field) or self._fields.mark
        spot = _spot(self._sheet, mark, error.error.at)
        hint = error.error.hint or None
        self._fields.fail(spot, str(FieldError(error.field, error.error)).removesuffix(f" ({hint})"),
                          code=error.error.code, hint=hint)  # fmt: skip


def _spot(sheet: Sheet, mark: Mark, at: int) -> Mark:
    """The place in the file of character `at` of a scalar: the scalar may be quoted, folded or a block of lines."""
    text = mark.value.strip() if isinstance(mark.value, str) else ""
    line, column = mark.line - 1, mark.column - 1
    if line < len(sheet.lines) and sheet.lines[line][column : column + 1] in {"|", ">"}:
        line, column = line + 1, 0
    for number, wanted in enumerate(text[: at + 1]):
        if wanted.isspace():
            continue
        while line < len(sheet.lines) and not sheet.lines[line][column:].strip():
            line, column = line + 1, 0
        if line >= len(sheet.lines):
            return mark
        column += len(sheet.lines[line][column:]) - len(sheet.lines[line][column:].lstrip())
        if sheet.lines[line][column] != wanted:
            return mark
        if number == at:
            break
        column += 1
    return Mark(mark.value, line + 1, column + 1)
