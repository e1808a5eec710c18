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

Loading returns every claim of the file. A claim that cannot be evaluated has the cause in `broken` and a problem with
line and caret; the other claims still load.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from compute.claims.claim_program import program
from compute.claims.expectations import FieldError
from compute.ranges.stated_ranges import check_ranges, given_path, with_ranges
from graph.models.claim_models import Claim, Expectation, Place, StatedClaim
from graph.problems import Problem, Severity
from graph.yaml.reader import Position, Tree, Word, at, field, position_at
from graph.yaml.validation import Entry, Source, Written, entries

Path = tuple[str | int, ...]

_UNREAD = {"node": "", "says": "", "as_of": date.min, "value": "", "expect": Expectation(form="is", bound="")}
"""The values of fields that could not be read."""


class Claims(Written):
    """A file of claims."""

    claims: tuple[StatedClaim, ...]


_RANGE_HINT = "write a range with its figure: {value: 600 W, low: 500 W, high: 700 W}"


def load(document: str, text: str, model: type[StatedClaim] = StatedClaim) -> tuple[list[Claim], list[Problem]]:
    """The claims of a file, and the problems for its author; `model` may have defaults for fields left out."""
    source = Source(document, text)
    taken: dict[str, int] = {}
    return [_claim(entry, taken) for entry in entries(source, Claims, model)], source.problems


def _claim(entry: Entry[StatedClaim], taken: dict[str, int]) -> Claim:
    """The claim, even with errors; `broken` is the first one. `taken` maps earlier ids to their lines."""
    line = entry.position[0] if entry.position else 1
    stated = entry.value or entry.remains({**_UNREAD, "id": f"unnamed-line-{line}"})
    formulas = {name: path for name, path in _formulas(entry.tree) if isinstance(at(entry.tree, path), Word)}
    read = {
        "id": _id(entry, stated.id, line, taken),
        "place": Place(document=entry.source.document, line=line),
        "lines": tuple((name, (position_at(entry.tree, path) or (line, 1))[0]) for name, path in formulas.items()),
    }
    claim = Claim(**{**dict(stated), **read})
    if not entry.errors():
        claim = with_ranges(entry.tree, claim)
    _compare(entry, claim)
    if not entry.errors():
        _compile(entry, claim, formulas)
    errors = entry.errors()
    return claim.model_copy(update={"broken": errors[0].message}) if errors else claim


def _id(entry: Entry[StatedClaim], name: str, line: int, taken: dict[str, int]) -> str:
    if name and name in taken:
        message = f"the id {name!r} is used in line {taken[name]} already"
        entry.complain(("id",), message, code="claim-id", hint="give this claim another id")
        name = f"{name}-line-{line}"
    taken[name] = line
    return name


def _compare(entry: Entry[StatedClaim], claim: Claim) -> None:
    """Reject a claim that is compared with itself: it would always hold."""
    if claim.expect.form == "same_as" and claim.expect.bound == claim.id:
        message = f"the claim {claim.id} is compared with itself"
        entry.complain(("expect", "same_as"), message, code="claim-expect", hint="name the other claim")


def _formulas(tree: Tree) -> Iterator[tuple[str, Path]]:
    """Each formula of a claim: the name of its field, and its path."""
    yield from ((f"given.{name}", given_path(tree, name)) for name in _names(field(tree, "given")))
    yield "value", ("value",)
    for form in sorted(_names(field(tree, "expect")), key="within".__eq__):
        name, path = f"expect.{form}", ("expect", form)
        if isinstance(at(tree, path), list):
            yield from ((name, (*path, 0)), (f"{name}.upper", (*path, 1)))
        else:
            yield name, path


def _names(tree: Tree) -> list[str]:
    return [str(key) for key in tree] if isinstance(tree, dict) else []


def _compile(entry: Entry[StatedClaim], claim: Claim, formulas: Mapping[str, Path]) -> None:
    try:
        found = program(claim)
    except FieldError as error:
        _point(entry, error, formulas.get(error.field, ()))
        return
    for name in found.unused:
        message = f"the input {name!r} is not used"
        hint = _RANGE_HINT if name in {"low", "high"} else None
        entry.complain(("given", name), message, code="claim-unused", hint=hint, severity=Severity.WARNING)
    check_ranges(entry, claim, found)
    bar = found.bar
    if bar.relative and bar.bound is not None and bar.bound.unit is not None and bar.bound.unit.share:
        message = "a tolerance in % of a percentage is a share of it, not points"
        hint = "write pp for percentage points"
        entry.complain(
            ("expect", "within"), message, code="claim-tolerance", hint=hint, severity=Severity.WARNING
        )  # fmt: skip


def _point(entry: Entry[StatedClaim], error: FieldError, path: Path) -> None:
    """Report a problem with the caret at its position inside the formula."""
    hint = error.error.hint or None
    message = str(FieldError(error.field, error.error)).removesuffix(f" ({hint})")
    formula = at(entry.tree, path)
    spot = (
        formula_position(entry.source.lines, formula, error.error.at) if isinstance(formula, Word) else entry.position
    )
    entry.source.complain(spot, message, code=error.error.code, hint=hint)


def formula_position(lines: Sequence[str], formula: Word, offset: int) -> Position:
    """The position in the file of character `offset` of a scalar, which may be quoted, folded or a block of lines."""
    text, start = formula.strip(), (formula.line, formula.column)
    line, column = formula.line - 1, formula.column - 1
    if line < len(lines) and lines[line][column : column + 1] in {"|", ">"}:
        line, column = line + 1, 0
    for number, wanted in enumerate(text[: offset + 1]):
        if wanted.isspace():
            continue
        while line < len(lines) and not lines[line][column:].strip():
            line, column = line + 1, 0
        if line >= len(lines):
            return start
        column += len(lines[line][column:]) - len(lines[line][column:].lstrip())
        if lines[line][column] != wanted:
            return start
        if number == offset:
            break
        column += 1
    return line + 1, column + 1
