"""Whether one more figure of the text changes a part of a working so that it gives the stated figure.

    14 seats and 9, 21 in use. Two never signed in.             14 + (9 - 2)
    €5,200 a month, or €72,800 a year. There are 14 salaries.   5,200 * 14, not 12
    30, 75 and 25 days make 143, with a tenth on top            (30 + 75 + 25) * (1 + 0.1)

What the figure does is not read: a text has a reason for each of its figures, and one that gives the stated figure to
its last digit is hardly there by chance. `expected` is how many such changes would give a random figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import permutations

from compute.mining.accusations import Opinion
from compute.mining.claim_judging import Result, Working, working
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.expressions import Op, Term, value
from compute.mining.quantities import Quantity
from compute.mining.small_expressions import width

MOST = 0.4
"""How many changes of a working may give a random figure where one that gives the figure saves it."""
ONE = Decimal(1)


def modified(view: Opinion, best: Result, by: int | None = None) -> bool:
    """Whether a figure of the text that the relation `best` leaves out explains why it does not give the target.

    If `by` is given, only the figure at that offset.
    """
    one, target = best.candidate, view.target
    work, others = working(one), [other for other in _others(view.within, one) if by in {None, other.figure.start}]
    found = {each for other in others for each in _values(one, work, other)}
    found |= {*_of_both(one, work, others)}
    size = abs(target.figure.low)
    near = [each for each in found if size / 10 <= each <= size * 10]
    half = target.figure.half if target.kind in _ROUNDED or one.target.figure.hedge else target.figure.half / _EXACT
    return len(near) * width(target) <= MOST and any(abs(each - target.figure.low) <= half for each in near)


_ROUNDED = frozenset({"share", "ratio", "points"})
"""What is written rounded; amounts and counts that others give are whole, or written with all their digits."""
_EXACT = 10


def _others(within: Scope, one: Candidate) -> Iterator[Quantity]:
    """The figures that a relation leaves out, in its sentence and those beside it."""
    taken = {one.target.index, *(part.index for part in one.used)}
    home = within.home(one.target)
    for other in within.quantities:
        near = other.index not in taken and abs(within.home(other) - home) <= 1
        if near and other.figure.low > 0 and not other.figure.ranged:
            yield other


def _values(one: Candidate, work: Working, other: Quantity) -> Iterator[Decimal]:
    """What a relation gives with a part of its working changed by another figure, in units of the target."""
    added = dict(_with_more(one, work, other))
    for term in _changed(work.term, added, other):
        found = value(term, work.inputs)
        if found is not None:
            yield abs(found / work.scale)
            if added and other.kind == one.target.kind == "money":  # $2.7m first, and then a share of the rest
                yield abs(found / work.scale + other.base * one.target.figure.low / one.target.base)


def _with_more(one: Candidate, work: Working, other: Quantity) -> Iterator[tuple[str, Decimal]]:
    """The inputs to which a figure can be added, by name, with its value in the unit of each."""
    for name, part in zip(one.names, one.used, strict=True):
        same = part.kind == other.kind and (part.unit == other.unit or not (part.unit and other.unit))
        if same and part.kind not in {"share", "points", "ratio"} and part.base:
            yield name, work.inputs[name] * other.base / part.base


def _of_both(one: Candidate, work: Working, others: Sequence[Quantity]) -> Iterator[Decimal]:
    """What two figures compared give with another pair added, one to each: 20 and 200 became 30 and 210."""
    if len(one.used) != 2 or one.target.kind not in {"share", "ratio"}:
        return
    for first, second in permutations(others, 2):
        added = [dict(_with_more(one, work, other)) for other in (first, second)]
        if all(name in more for name, more in zip(one.names, added, strict=True)):
            inputs = {name: work.inputs[name] + more[name] for name, more in zip(one.names, added, strict=True)}
            if (found := value(work.term, inputs)) is not None:
                yield abs(found / work.scale)


def _changed(term: Term, added: Mapping[str, Decimal], other: Quantity) -> Iterator[Term]:
    """A term with one part of it changed: less or more by a share or an amount, or another factor in place of one."""
    if other.kind in {"share", "ratio"} and 0 < other.base < 1 and not isinstance(term, Decimal):
        yield Op("*", term, ONE - other.base)
        yield Op("*", term, ONE + other.base)
        yield Op("/", term, ONE - other.base)
        yield Op("/", term, ONE + other.base)
    if isinstance(term, str) and term in added:
        yield Op("-", term, added[term])
        yield Op("+", term, added[term])
    if isinstance(term, Decimal) and term > 1 and other.kind in {"count", "time"}:
        yield other.figure.low
    if isinstance(term, Op):
        yield from (Op(term.sign, left, term.right) for left in _changed(term.left, added, other))
        yield from (Op(term.sign, term.left, right) for right in _changed(term.right, added, other))
