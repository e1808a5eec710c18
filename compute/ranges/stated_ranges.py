"""The ranges that a claim states for its given figures, in any of three forms, and the mistakes in them.

given: {power: {value: 600 W, low: 500 W, high: 700 W}}
given: {power: 600 W, low: 500 W, high: 700 W}              next to exactly one other name; no formula uses them
ranges: {power: {low: 500 W, high: 700 W}}
"""

from __future__ import annotations

import re

from compute.claims.claim_program import Program
from compute.ranges.ranged_inputs import RangeError, literal_of, stated_spread
from graph.models.claim_models import Claim, StatedClaim
from graph.models.written_figures import SHAPES, GivenRange, RangeShape, at_edge, written_range
from graph.problems import Severity
from graph.yaml import Entry, Mapping, Tree, Word, at, field

Ranges = dict[str, tuple[str, ...]]
"""Where each range of a claim is written: the path of the mapping with its low and high, by the name of the figure."""

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_ENDS = ("low", "high", "shape")


def with_ranges(tree: Tree, claim: Claim) -> tuple[Claim, Ranges]:
    """The claim with every range that its file states, and where each is written."""
    found: dict[str, tuple[GivenRange, tuple[str, ...]]] = {
        one.name: (one, ("ranges", one.name)) for one in claim.ranges
    }
    given = field(tree, "given")
    for name, below in given.items() if isinstance(given, Mapping) else ():
        if isinstance(below, Mapping) and (one := written_range(str(name), below)) is not None:
            found[str(name)] = one, ("given", str(name))
    short = _short(claim)
    if short is not None:
        found[short.name] = short, ("given",)
        claim = claim.model_copy(update={"given": tuple(pair for pair in claim.given if pair[0] not in _ENDS)})
    if not found:
        return claim, {}
    ranges = tuple(one for one, _ in found.values())
    return claim.model_copy(update={"ranges": ranges}), {name: path for name, (_, path) in found.items()}


def _short(claim: Claim) -> GivenRange | None:
    """The range written as `low` and `high` next to the one figure that they belong to."""
    given = dict(claim.given)
    others = [name for name in given if name not in _ENDS]
    if not {"low", "high"} <= given.keys() or len(others) != 1 or len(given) != len(claim.given):
        return None
    expect = claim.expect
    texts = (claim.value, given[others[0]], expect.bound, expect.upper or "", expect.within or "")
    if (
        any(word in _ENDS for text in texts for word in _WORD.findall(text))
        or given.get("shape", "uniform") not in SHAPES
    ):
        return None
    shape = RangeShape(given.get("shape", "uniform"))
    return GivenRange(name=others[0], low=given["low"], high=given["high"], shape=shape)


def check_ranges(entry: Entry[StatedClaim], claim: Claim, compiled: Program, ranges: Ranges) -> None:
    """Report each range that cannot be used, and each value at the end of its own range."""
    for one in claim.ranges:
        path = ranges.get(one.name, ("ranges", one.name))
        try:
            _check(entry, one, claim, compiled)
        except RangeError as error:
            _complain(entry, one, path, error)


def _check(entry: Entry[StatedClaim], one: GivenRange, claim: Claim, compiled: Program) -> None:
    given = next((given for given in compiled.givens if given.name == one.name), None)
    if given is None:
        if one.name not in dict(claim.given):
            raise RangeError("", "claim-range", f"there is no given figure {one.name!r} for this range")
        return  # nothing uses the figure, which is reported already
    leaf = literal_of(compiled, given)
    if leaf is None:
        hint = "an assumption has its range in its own file; give the figure a name of its own"
        raise RangeError("", "claim-range", f"{one.name!r} is computed or looked up, so it has no range here", hint)
    spread = stated_spread(one, leaf)
    if end := at_edge(spread.low, spread.high, leaf.value):
        message = f"the value of {one.name!r} is the {end} end of its own range"
        hint = "state the likeliest value, or a wider range"
        value = _value_path(entry.tree, one.name)
        entry.complain(value, message, code="range-edge", hint=hint, severity=Severity.WARNING)


def _value_path(tree: Tree, name: str) -> tuple[str, ...]:
    return ("given", name, "value") if isinstance(at(tree, ("given", name)), Mapping) else ("given", name)


def _complain(entry: Entry[StatedClaim], one: GivenRange, path: tuple[str, ...], error: RangeError) -> None:
    where = (*path, error.field) if error.field else path
    offset = error.offset if isinstance(at(entry.tree, where), Word) else 0
    message = f"the range of {one.name!r}: {error}"
    entry.complain(where, message, code=error.code, hint=error.hint or None, offset=offset)
