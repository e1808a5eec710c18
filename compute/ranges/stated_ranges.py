"""The ranges that a claim states for its given figures, in either of two forms, and the mistakes in them.

given: {power: {value: 600 W, low: 500 W, high: 700 W}}
ranges: {power: {low: 500 W, high: 700 W}}
"""

from __future__ import annotations

from compute.claims.claim_program import Program
from compute.formula.formula_terms import LiteralLeaf
from compute.ranges.ranged_inputs import RangeError, stated_spread
from graph.models.claim_models import Claim, StatedClaim
from graph.models.written_figures import GivenRange, at_edge, written_range
from graph.problems import Severity
from graph.yaml import Entry, Mapping, Tree, Word, at, field


def with_ranges(tree: Tree, claim: Claim) -> Claim:
    """The claim with the ranges that its file states next to given figures."""
    given = field(tree, "given")
    found = {one.name: one for one in claim.ranges}
    for name, below in given.items() if isinstance(given, Mapping) else ():
        if isinstance(below, Mapping) and (one := written_range(str(name), below)) is not None:
            found[str(name)] = one
    return claim.model_copy(update={"ranges": tuple(found.values())})


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
    return (("given", one.name, "low"), ("ranges", one.name, "low"))


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
