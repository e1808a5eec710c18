"""Claims from YAML: a list, or a mapping with the list under `claims`; docs/formulas.md has their fields.

Loading returns every claim of the file. One that cannot be evaluated has the cause in `broken` and a problem with line
and caret. A given figure may have a range, in either of two forms:

    given: {power: {value: 600 W, low: 500 W, high: 700 W}}
    given: {power: 600 W, low: 500 W, high: 700 W}              next to exactly one other name; no formula uses them
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from compute.claims.claim_program import Program, program
from compute.claims.expectations import FieldError
from compute.formula.formula_tree import LiteralLeaf
from compute.ranges.ranged_claims import RangeError, stated_spread
from graph.models.claim_models import Claim, Expectation, Place, StatedClaim
from graph.models.written_figures import SHAPES, GivenRange, RangeShape, complain_at_edge, written_range
from graph.problems import Problem, Severity
from graph.yaml.reader import Mapping, Position, Tree, Word, at, field, position_at
from graph.yaml.validation import Entry, Path, Source, Written, entries

# in place of fields that could not be read
_UNREAD = {"node": "", "says": "", "as_of": date.min, "value": "", "expect": Expectation(form="is", bound="")}


class Claims(Written):
    """A file of claims."""

    claims: tuple[StatedClaim, ...]


_RANGE_HINT = "write a range with its figure: {value: 600 W, low: 500 W, high: 700 W}"


def load(document: str, text: str, model: type[StatedClaim] = StatedClaim) -> tuple[list[Claim], list[Problem]]:
    """The claims of a file and its problems; `model` may have defaults for fields left out."""
    source = Source(document, text)
    taken: dict[str, int] = {}
    return [_claim(entry, taken) for entry in entries(source, Claims, model)], source.problems


def _claim(entry: Entry[StatedClaim], taken: dict[str, int]) -> Claim:
    """The claim, `broken` by its first error; `taken` maps earlier ids to lines."""
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
        claim = _with_ranges(entry.tree, claim)
    if claim.expect.form == "same_as" and claim.expect.bound == claim.id:  # it would always hold
        message = f"the claim {claim.id} is compared with itself"
        entry.complain(("expect", "same_as"), message, code="claim-expect", hint="name the other claim")
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


def _formulas(tree: Tree) -> Iterator[tuple[str, Path]]:
    """Each formula of a claim: its field and its path."""
    yield from ((f"given.{name}", _given_path(tree, name)) for name in _names(field(tree, "given")))
    yield "value", ("value",)
    for form in sorted(_names(field(tree, "expect")), key="within".__eq__):
        name, path = f"expect.{form}", ("expect", form)
        if isinstance(at(tree, path), list):
            yield from ((name, (*path, 0)), (f"{name}.upper", (*path, 1)))
        else:
            yield name, path


def _names(tree: Tree) -> list[str]:
    return [str(key) for key in tree] if isinstance(tree, dict) else []


def _compile(entry: Entry[StatedClaim], claim: Claim, formulas: dict[str, Path]) -> None:
    try:
        found = program(claim)
    except FieldError as error:
        _point(entry, error, formulas.get(error.field, ()))
        return
    for name in found.unused:
        message = f"the input {name!r} is not used"
        hint = _RANGE_HINT if name in {"low", "high"} else None
        entry.complain(("given", name), message, code="claim-unused", hint=hint, severity=Severity.WARNING)
    _check_ranges(entry, claim, found)
    bar = found.bar
    if bar.relative and bar.bound is not None and bar.bound.unit is not None and bar.bound.unit.share:
        message = "a tolerance in % of a percentage is a share of it, not points"
        hint = "write pp for percentage points"
        entry.complain(("expect", "within"), message, code="claim-tolerance", hint=hint, severity=Severity.WARNING)


def _point(entry: Entry[StatedClaim], error: FieldError, path: Path) -> None:
    """Report a problem with the caret inside the formula."""
    cause, formula = error.error, at(entry.tree, path)
    spot = formula_position(entry.source.lines, formula, cause.at) if isinstance(formula, Word) else entry.position
    entry.source.complain(spot, f"{error.field}: {cause.message}", code=cause.code, hint=cause.hint or None)


def formula_position(lines: Sequence[str], formula: Word, offset: int) -> Position:
    """Position in the file of character `offset` of a scalar, which may be quoted, folded or a block."""
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


_ENDS = frozenset({"low", "high", "shape"})
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def _with_ranges(tree: Tree, claim: Claim) -> Claim:
    """The claim with the ranges written next to its given figures."""
    given = field(tree, "given")
    found: dict[str, GivenRange] = {}
    for name, below in given.items() if isinstance(given, Mapping) else ():
        if isinstance(below, Mapping) and (one := written_range(str(name), below)) is not None:
            found[str(name)] = one
    if (short := _short(claim)) is not None:
        found[short.name] = short
        claim = claim.model_copy(update={"given": tuple(pair for pair in claim.given if pair[0] not in _ENDS)})
    return claim.model_copy(update={"ranges": tuple(found.values())})


def _short(claim: Claim) -> GivenRange | None:
    """A range written as `low` and `high` next to one figure."""
    given, expect = dict(claim.given), claim.expect
    others = [name for name in given if name not in _ENDS]
    if not {"low", "high"} <= given.keys() or len(others) != 1 or given.get("shape", "uniform") not in SHAPES:
        return None
    formulas = " ".join((claim.value, given[others[0]], expect.bound, expect.upper or "", expect.within or ""))
    if not _ENDS.isdisjoint(_WORD.findall(formulas)):
        return None
    shape = RangeShape(given.get("shape", "uniform"))
    return GivenRange(name=others[0], low=given["low"], high=given["high"], shape=shape)


def _given_path(tree: Tree, name: str) -> tuple[str, ...]:
    """Path of the formula of a given name: a figure with a range is a mapping."""
    return ("given", name, "value") if isinstance(at(tree, ("given", name)), Mapping) else ("given", name)


def _check_ranges(entry: Entry[StatedClaim], claim: Claim, compiled: Program) -> None:
    """Report unusable ranges, and values at the end of their own range."""
    for one in claim.ranges:
        try:
            _check(entry, one, compiled)
        except RangeError as error:
            ends = (("given", one.name, "low"), ("given", "low"))
            path = next((path for path in ends if at(entry.tree, path) is not None), ())[:-1]
            where = (*path, error.field) if error.field else path
            offset = error.offset if isinstance(at(entry.tree, where), Word) else 0
            message = f"the range of {one.name!r}: {error}"
            entry.complain(where, message, code=error.code, hint=error.hint or None, offset=offset)


def _check(entry: Entry[StatedClaim], one: GivenRange, compiled: Program) -> None:
    given = next((given for given in compiled.givens if given.name == one.name), None)
    if given is None:
        return  # nothing uses the figure, which is reported already
    leaf = compiled.leaves[given.slot] if given.leaf else None
    if not isinstance(leaf, LiteralLeaf):
        hint = "an assumption has its range in its own file; give the figure a name of its own"
        raise RangeError("", "claim-range", f"{one.name!r} is computed or looked up, so it has no range here", hint)
    spread = stated_spread(one, leaf)
    complain_at_edge(entry, _given_path(entry.tree, one.name), one.name, (spread.low, spread.high), leaf.value)
