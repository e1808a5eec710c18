"""The ranges that a claim states for its given figures, in any of three forms, and the mistakes in them.

given: {power: {value: 600 W, low: 500 W, high: 700 W}}
given: {power: 600 W, low: 500 W, high: 700 W}              next to exactly one other name; no formula uses them
ranges: {power: {low: 500 W, high: 700 W}}
"""

from __future__ import annotations

import re

from compute.claims.claim_program import Program
from compute.formula.formula_tree import LiteralLeaf
from compute.ranges.ranged_inputs import RangeError, stated_spread
from graph.models.claim_models import Claim, StatedClaim
from graph.models.written_figures import SHAPES, GivenRange, RangeShape, at_edge, written_range
from graph.problems import Severity
from graph.yaml.reader import Mapping, Tree, Word, at, field
from graph.yaml.validation import Entry

_ENDS = frozenset({"low", "high", "shape"})
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def with_ranges(tree: Tree, claim: Claim) -> Claim:
    """The claim with the ranges that its file states next to given figures."""
    given = field(tree, "given")
    found = {one.name: one for one in claim.ranges}
    for name, below in given.items() if isinstance(given, Mapping) else ():
        if isinstance(below, Mapping) and (one := written_range(str(name), below)) is not None:
            found[str(name)] = one
    if (short := _short(claim)) is not None:
        found[short.name] = short
        claim = claim.model_copy(update={"given": tuple(pair for pair in claim.given if pair[0] not in _ENDS)})
    return claim.model_copy(update={"ranges": tuple(found.values())})


def _short(claim: Claim) -> GivenRange | None:
    """The range written as `low` and `high` next to the one figure that they belong to."""
    given, expect = dict(claim.given), claim.expect
    others = [name for name in given if name not in _ENDS]
    if not {"low", "high"} <= given.keys() or len(others) != 1 or given.get("shape", "uniform") not in SHAPES:
        return None
    formulas = " ".join((claim.value, given[others[0]], expect.bound, expect.upper or "", expect.within or ""))
    if not _ENDS.isdisjoint(_WORD.findall(formulas)):
        return None
    shape = RangeShape(given.get("shape", "uniform"))
    return GivenRange(name=others[0], low=given["low"], high=given["high"], shape=shape)


def given_path(tree: Tree, name: str) -> tuple[str, ...]:
    """Where the formula of a given name is written: a figure with its range is a mapping."""
    return ("given", name, "value") if isinstance(at(tree, ("given", name)), Mapping) else ("given", name)


def check_ranges(entry: Entry[StatedClaim], claim: Claim, compiled: Program) -> None:
    """Report each range that cannot be used, and each value at the end of its own range."""
    for one in claim.ranges:
        try:
            _check(entry, one, claim, compiled)
        except RangeError as error:
            path = next((path for path in _ends(one) if at(entry.tree, path) is not None), ())[:-1]
            where = (*path, error.field) if error.field else path
            offset = error.offset if isinstance(at(entry.tree, where), Word) else 0
            message = f"the range of {one.name!r}: {error}"
            entry.complain(where, message, code=error.code, hint=error.hint or None, offset=offset)


def _ends(one: GivenRange) -> tuple[tuple[str, ...], ...]:
    """Where the low end of a range may be written."""
    return (("given", one.name, "low"), ("ranges", one.name, "low"), ("given", "low"))


def _check(entry: Entry[StatedClaim], one: GivenRange, claim: Claim, compiled: Program) -> None:
    given = next((given for given in compiled.givens if given.name == one.name), None)
    if given is None:
        if one.name not in dict(claim.given):
            raise RangeError("", "claim-range", f"there is no given figure {one.name!r} for this range")
        return  # nothing uses the figure, which is reported already
    leaf = compiled.leaves[given.slot] if given.leaf else None
    if not isinstance(leaf, LiteralLeaf):
        hint = "an assumption has its range in its own file; give the figure a name of its own"
        raise RangeError("", "claim-range", f"{one.name!r} is computed or looked up, so it has no range here", hint)
    spread = stated_spread(one, leaf)
    if end := at_edge(spread.low, spread.high, leaf.value):
        message = f"the value of {one.name!r} is the {end} end of its own range"
        hint = "state the likeliest value, or a wider range"
        path = given_path(entry.tree, one.name)
        entry.complain(path, message, code="range-edge", hint=hint, severity=Severity.WARNING)
