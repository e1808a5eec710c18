"""Rules about the inputs of a claim: numbers that no text states, unknown names, prices that change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from compute.claims.claim_program import Program, Trial
from compute.claims.stated_figures import stated, tree_of
from compute.formula.formula_tree import Binary, Call, Listing, LiteralLeaf, Node, Number, Slot, children
from compute.formula.function_table import BY_NAME
from compute.linting.subjects import Finding, Subject
from compute.ranges.ranged_claims import latin_hypercube
from graph.models.claim_models import Claim, Speaker

_PLAIN = frozenset(
    map(Decimal, (2, 7, 8, 10, 12, 24, 30, 52, 60, 100, 365, 720, 730, 1000, 1024, 3600, 8760, 10**6, 10**9, 10**12))
)
"""Conversions that need no source."""
_SMALL = frozenset(map(Decimal, (3, 4, 5, 6)))
_CONVERSIONS = frozenset(
    map(Decimal, ("453.59237", "0.45359237", "2.20462", "2.2046", "2.205", "1.609344", "1.609", "3.6", "4.184", "3412"))
)
"""Grams to a pound, kilometres to a mile, joules to a calorie, and others."""
_FACTORS = tuple(Decimal(text) for text in ("1e-6", "0.001", "0.5", "2", "1000", "1e6"))
_TRIALS = 200
_LOOKUPS = frozenset(name for name, function in BY_NAME.items() if function.kind == "lookup")


def unstated_inputs(subject: Subject) -> Iterator[Finding]:
    """A number in a formula is neither in the text nor an assumption nor a price.

    A reader cannot check a number that the text does not state. State it, or name it as an assumption with a range.
    0, 1, exponents, and plain conversions such as 12, 100, 1000 and 8760 are exempt. Any form counts: 1,500, 1.5k
    and fifteen hundred are one number.
    """
    for number, path, inner in _literals(subject.claim) if subject.program and subject.text else ():
        rest = (1 - number.base, 100 - number.value) if number.percent else ()
        if _conversion(number, inner=inner) or stated((number.value, number.base, *rest), subject.numbers):
            continue
        what = number.text.strip("()") + (f" ({path[1]})" if path[1:] else "")
        message = f"{what} is not in the text of {subject.claim.node}, and it is no assumption and no price"
        hint = 'state it in the text, or use an assumption: assume("name") with its range'
        yield Finding(path, message, hint, number.at)


def _literals(claim: Claim) -> Iterator[tuple[Number, tuple[str, ...], bool]]:
    """Numbers of the formulas: each with the path of its field, and whether the formula has more."""
    for path, text in (*((("given", name), text) for name, text in claim.given), (("value",), claim.value)):
        tree = tree_of(text)
        yield from ((number, path, number is not tree) for number in (_numbers(tree) if tree else ()))


def _numbers(tree: Node) -> Iterator[Number]:
    match tree:
        case Number():
            yield tree
            return
        case Binary(operator="^", left=left):
            below: tuple[Node, ...] = (left,)
        case Call(function=function) if function in _LOOKUPS:
            below = ()
        case Listing(items=items):
            below = items
        case _:
            below = children(tree)
    for part in below:
        yield from _numbers(part)


def _conversion(number: Number, *, inner: bool) -> bool:
    """Whether a number needs no source: 0, 1, or a plain number such as 12 months."""
    small = inner and number.value in _SMALL
    plain = number.unit is None and (number.value in _PLAIN or small)
    return number.value in {Decimal(0), Decimal(1)} or plain or number.value in _CONVERSIONS


def unknown_inputs(subject: Subject) -> Iterator[Finding]:
    """A formula cannot be computed: nothing knows a price, an assumption or a claim, or its units cannot meet.

    The claim stays unverifiable. The name is misspelt, or the prices are not imported yet: correct the name, import
    the catalogue, or state a price card. Dollars per token and dollars per GPU-hour meet only through a throughput.
    """
    claim = subject.claim
    unknown = subject.context.inputs.unknown(subject.program) if subject.program else ()
    if not unknown and subject.case is not None and subject.case.now.reading.failure == "units":
        hint = "convert one of them, or expect the unit of the value: the claim cannot be checked"
        yield Finding(("value",), subject.case.now.reading.reason, hint)
    for one in unknown:
        other = ("expect", "same_as") if one.name == claim.expect.bound else ("value",)
        path = next((("given", name) for name, text in claim.given if one.name in text), other)
        offset = max(0, dict(claim.given).get(path[-1], claim.value).find(one.name))
        yield Finding(path, one.message, one.hint, offset)


def _trial(subject: Subject) -> Trial | None:
    """The claim with its figures of today; None if it has no value today."""
    now = subject.case.now if subject.case else None
    if now is None or now.known is None or now.reading.value is None or now.program is not subject.program:
        return None
    return now.trial(now.known)


def cancelled_prices(subject: Subject) -> Iterator[Finding]:
    """The value does not depend on a price that the formula reads.

    The price is in the numerator and in the denominator. The linter computes the value with a price between a
    millionth and a million times the real one: the value stays the same.
    """
    trial = _trial(subject)
    for place, figure in enumerate(trial.figures) if trial else ():
        if trial and figure.price is not None and figure.value and _cancels(trial, place):
            name = trial.program.labels[place]
            path = ("given", name) if name in dict(subject.claim.given) else ("value",)
            price = f"the price {figure.price.component} of {figure.price.item}"
            hint = "compare it with a figure that does not contain the price, or leave the price out of the formula"
            message = f"{price} cancels out: any price gives the same value"
            yield Finding(path, message, hint)


def _cancels(trial: Trial, place: int) -> bool:
    """Whether a price changes nothing, also with other numbers: a share of 0% hides it."""
    own = {at: one.value for at, one in enumerate(trial.figures) if one.kind == "literal"}
    moved = {at: value * Decimal("0.987") + Decimal("0.001") for at, value in own.items()}
    price = trial.figures[place].value
    for values in ({}, moved):
        before = trial.at(values)
        for by in _FACTORS if before.value is not None else ():
            now = trial.at({**values, place: price * by})
            if (now.value, now.interval, now.failure) != (before.value, before.interval, before.failure):
                return False
    return True


def unfailing(subject: Subject) -> Iterator[Finding]:
    """No change of a price or an assumption can make the claim fail.

    Only numbers enter it and its author states the figure; or the bound covers every possible value, as at_least 0
    does; or the value is the bound itself.
    """
    program, claim = subject.program, subject.claim
    if program is None:
        return
    if same := _same(subject, program):
        hint = "compute the value from other figures of the text, or from a price"
        yield Finding(("value",), same, hint)
    elif covered := _covered(subject):
        hint = "write the bound that the text states, or leave the claim out"
        yield Finding(("expect", claim.expect.form), covered, hint)
    elif _closed(subject, program):
        author = ", and its author states the figure" if claim.asserted_by is Speaker.AUTHOR else ""
        message = f"no price, assumption or table enters the claim{author}: it holds for ever"
        hint = (
            "use a price or an assumption; or say asserted_by: source and quote the source whose arithmetic it checks"
        )
        yield Finding(("value",), message, hint)


def _same(subject: Subject, program: Program) -> str:
    """Why the value is the expected figure itself; empty if it is computed."""
    claim, bar = subject.claim, program.bar
    target = bar.bound.term if bar.bound is not None else None
    if isinstance(program.term, Slot) and isinstance(target, Slot) and program.term.index == target.index:
        return f"the value is the bound: both are {program.term.name}"
    if " ".join(claim.value.split()) == " ".join(claim.expect.bound.split()) and claim.expect.form != "same_as":
        return "the value and the bound are the same formula"
    term = program.term
    if isinstance(term, Slot):
        given = next((one for one in program.givens if one.leaf and one.slot == term.index), None)
        term = given.term if given else term
    if isinstance(term, Number) and subject.bounds and term.base == subject.bounds[0].base:
        return f"the value is the number {subject.bounds[0].text}, which is the expected figure"
    return ""


def _covered(subject: Subject) -> str:
    """Why every value meets the bound, with far smaller and larger inputs; else empty."""
    form, trial = subject.claim.expect.form, _trial(subject)
    if form not in {"at_least", "at_most"} or not subject.bounds or trial is None:
        return ""
    outside = [place for place, figure in enumerate(trial.figures) if figure.kind != "literal"]
    moves = [{place: by} for place in outside for by in _FACTORS]
    spreads = {place: _spread(place) for place in outside}
    moves += [{place: factors[point] for place, factors in spreads.items()} for point in range(_TRIALS)]
    values = ({place: trial.figures[place].value * by for place, by in moved.items()} for moved in moves)
    if not outside or not all(trial.at(changes).holds for changes in values):
        return ""
    side = "below" if form == "at_least" else "above"
    return f"the value is never {side} {subject.bounds[0].text}: prices and quantities are not negative"


@lru_cache(maxsize=64)
def _spread(place: int) -> tuple[Decimal, ...]:
    """Factors from a millionth to a million of one input, in all trials."""
    return tuple(Decimal(10) ** Decimal(12 * float(point) - 6) for point in latin_hypercube(place)[:_TRIALS])


def _closed(subject: Subject, program: Program) -> bool:
    """Whether a claim of its author holds and reads nothing from outside."""
    claim = subject.claim
    inside = all(isinstance(leaf, LiteralLeaf) for leaf in program.leaves) and program.bar.target is None
    return inside and subject.holds and claim.asserted_by is not Speaker.SOURCE and not claim.source
